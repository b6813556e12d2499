// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Counts, on every channel of a tile, since the pass began: messages (worms), flits, and cycles in which a header
// waited. Part of node_tile; its inputs are the obs_* outputs of a router, so it can count on any of them.
//
// Latency: register read data is there two cycles after the request, and 0 in all other cycles; it counts up to the
// cycle after the request. Throughput: any number of events and one read per cycle.
//
// Ports:
// - obs_*: bit c is channel c. obs_worm may be 1 only where obs_flit is; obs_blocked is independent of both.
// - clear: 1 for one cycle before a pass begins; what is observed in that cycle is not counted.
// - bus_select, bus_address: 4*channel + word: 0 messages, 1 flits, 2 blocked cycles, 3 whether a header waited in the
//   cycle of the request. Channels that do not exist read as 0. Only reads exist.
// - moved: any flit crosses in this cycle (combinational).
//
// Counters stop at their largest value. Reset clears them, like `clear`. Unused inputs: to 0. Legal parameters: all
// combinations within the ranges below.
`default_nettype none

module monitor #(
    parameter integer CHANNELS = 10,  // channels watched, 1..64
    parameter integer COUNT_W = 32,  // bits of a counter, 1..32
    parameter integer WORM_W = COUNT_W  // bits of a counter of worms, where fewer than COUNT_W are enough, 1..COUNT_W
) (
    input  wire                 clk,
    input  wire                 rst,
    // observation
    input  wire  [CHANNELS-1:0] obs_worm,
    input  wire  [CHANNELS-1:0] obs_flit,
    input  wire  [CHANNELS-1:0] obs_blocked,
    // sequencer
    input  wire                 clear,        // a pass begins: all counters to 0
    // register port
    input  wire                 bus_select,
    input  wire  [         7:0] bus_address,  // 4*channel + word
    output logic [        31:0] bus_rdata,
    output logic                moved         // a flit crosses on some channel
);
  if (CHANNELS < 1 || CHANNELS > 64) begin : g_CHANNELS illegal_CHANNELS u_illegal (); end
  if (COUNT_W < 1 || COUNT_W > 32) begin : g_COUNT_W illegal_COUNT_W u_illegal (); end
  if (WORM_W < 1 || WORM_W > COUNT_W) begin : g_WORM_W illegal_WORM_W u_illegal (); end

  // Vectors, not arrays: a simulator copies what is written to an array twice.
  logic [ CHANNELS*WORM_W-1:0] worms_q;
  logic [CHANNELS*COUNT_W-1:0] flits_q, blocked_q;
  logic [CHANNELS-1:0] waiting_q;  // a header waits now
  logic [7:0] address_q;
  logic selected_q, answered_q;

  wire [5:0] channel = address_q[7:2];

  assign moved = |obs_flit;

  // The counters are read and then counted up in place, in this block alone: with nonblocking assignments a simulator copies
  // all of them out and back in every cycle, which is more work than the counting.
  // verilator lint_off BLKSEQ
  always_ff @(posedge clk) begin
    waiting_q  <= obs_blocked;
    selected_q <= bus_select;
    answered_q <= selected_q;
    if (bus_select) address_q <= bus_address;
    if (selected_q) begin
      bus_rdata <= '0;
      for (int c = 0; c < CHANNELS; c++) begin
        if (channel == 6'(c)) begin
          case (address_q[1:0])
            2'd0: bus_rdata <= 32'(worms_q[c*WORM_W+:WORM_W]);
            2'd1: bus_rdata <= 32'(flits_q[c*COUNT_W+:COUNT_W]);
            2'd2: bus_rdata <= 32'(blocked_q[c*COUNT_W+:COUNT_W]);
            default: bus_rdata <= 32'(waiting_q[c]);
          endcase
        end
      end
    end else if (answered_q) begin
      bus_rdata <= '0;
    end
    if (rst) begin
      waiting_q  <= '0;
      selected_q <= 1'b0;
      bus_rdata  <= '0;
    end

    if (|obs_flit) begin
      for (int c = 0; c < CHANNELS; c++)
        if (obs_flit[c] && !(&flits_q[c*COUNT_W+:COUNT_W])) flits_q[c*COUNT_W+:COUNT_W] = flits_q[c*COUNT_W+:COUNT_W] + 1'b1;
    end
    if (|obs_worm) begin
      for (int c = 0; c < CHANNELS; c++)
        if (obs_worm[c] && !(&worms_q[c*WORM_W+:WORM_W])) worms_q[c*WORM_W+:WORM_W] = worms_q[c*WORM_W+:WORM_W] + 1'b1;
    end
    if (|obs_blocked) begin
      for (int c = 0; c < CHANNELS; c++)
        if (obs_blocked[c] && !(&blocked_q[c*COUNT_W+:COUNT_W]))
          blocked_q[c*COUNT_W+:COUNT_W] = blocked_q[c*COUNT_W+:COUNT_W] + 1'b1;
    end
    if (clear || rst) begin
      worms_q   = '0;
      flits_q   = '0;
      blocked_q = '0;
    end
  end
  // verilator lint_on BLKSEQ

`ifdef FORMAL
  // The counters of one channel, counted again.
  logic f_cleared = 1'b0;  // counters hold anything before
  logic [WORM_W-1:0] f_worms;
  logic [COUNT_W-1:0] f_flits, f_blocked;
  (* anyconst *) logic [5:0] f_channel;
  localparam logic [COUNT_W-1:0] F_MOST = {COUNT_W{1'b1}};

  wire f_worm = obs_worm[f_channel];
  wire f_flit = obs_flit[f_channel];
  wire f_wait = obs_blocked[f_channel];

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_channel) < CHANNELS);
    assume ((obs_worm & ~obs_flit) == '0);

    if (f_worm && !(&f_worms)) f_worms <= f_worms + 1'b1;
    if (f_flit && f_flits != F_MOST) f_flits <= f_flits + 1'b1;
    if (f_wait && f_blocked != F_MOST) f_blocked <= f_blocked + 1'b1;
    if (clear || rst) begin
      f_cleared <= 1'b1;
      f_worms   <= '0;
      f_flits   <= '0;
      f_blocked <= '0;
    end

    assert (moved == |obs_flit);
    if (!$initstate && $past(!$initstate)) begin
      if ($past(f_cleared) && !$past(rst) && !$past(rst, 2) && $past(bus_select, 2)) begin
        if ($past(bus_address, 2) == {f_channel, 2'd0}) assert (bus_rdata == 32'($past(f_worms)));
        if ($past(bus_address, 2) == {f_channel, 2'd1}) assert (bus_rdata == 32'($past(f_flits)));
        if ($past(bus_address, 2) == {f_channel, 2'd2}) assert (bus_rdata == 32'($past(f_blocked)));
        if ($past(bus_address, 2) == {f_channel, 2'd3}) assert (bus_rdata == 32'($past(f_wait, 2)));
        if (32'(6'($past(bus_address, 2) >> 2)) >= CHANNELS) assert (bus_rdata == '0);
      end
      if (!$past(bus_select, 2) || $past(rst)) assert (bus_rdata == '0);
    end

    cover (f_cleared && f_flits == F_MOST && f_flit && $past(f_flits) == F_MOST);
    cover (f_cleared && f_worms == WORM_W'(1) && f_blocked == COUNT_W'(2));

    // For the induction.
    for (int c = 0; c < CHANNELS; c++)
      if (f_cleared && f_channel == 6'(c)) begin
        assert (f_worms == worms_q[c*WORM_W+:WORM_W]);
        assert (f_flits == flits_q[c*COUNT_W+:COUNT_W]);
        assert (f_blocked == blocked_q[c*COUNT_W+:COUNT_W]);
      end
  end
`endif
endmodule

`default_nettype wire
