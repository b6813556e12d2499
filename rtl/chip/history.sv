// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Records what channels carried in each pass of a run from one start, in which no counter is read, and in a free run
// cleared, between passes. Part of min_network, one for each stage and one for injection. Each channel has a list of entries in
// the order of time; an entry is of one pass and holds messages, flits and blocked cycles. In a free run, in which
// passes overlap, the pass of a message is its number. Counts stop at their largest value, 65535; entries for which
// there is no room are counted and lost.
//
// Latency: register read data is there two cycles after the request, and 0 in all other cycles. Throughput: any number
// of events per cycle. It is written for simulation: all channels are updated in one block, and a synthesis tool can
// hardly make block RAMs of its memories.
//
// Ports:
// - clear: 1 for one cycle before a run; drops everything of the run before. record: 1 while a run is under way of
//   which histories are kept; without it nothing is observed.
// - by_pass: 0: an entry begins with a message whose number is not that of the message before. 1: with whatever is
//   observed, a waiting header too, once `pass` is not what it was. Constant during a run.
// - flit, obs_*: per channel the flit that crosses, and the observation as wh_router gives it. Of flit only the message
//   number of headers is looked at, up to 16 bits from NUMBER_LOW on.
// - bus_*: bus_select is 1 for one cycle per read, only while record and clear are 0, also in the next cycle. Word 2r
//   of a channel is pass and messages of entry r, word 2r+1 blocked cycles and flits (docs/registers.md), word 2047
//   the number of entries. An entry that was not made reads as anything.
//
// Reset forgets all entries, like `clear`. With by_pass = 0 cycles in which a header waited before a channel's first
// message count for the first entry. Legal parameters: all combinations within the ranges below.
`default_nettype none

module history #(
    parameter integer CHANNELS = 8,  // channels watched, 1..1024
    parameter integer RUNS = 16,  // entries of a channel, a power of two, 2..512
    parameter integer FLIT_W = 32,  // bits of a flit
    parameter integer NUMBER_LOW = 19,  // lowest bit of the message number in a header, < FLIT_W
    localparam integer CHANNEL_W = CHANNELS == 1 ? 1 : $clog2(CHANNELS),
    localparam integer RUN_W = $clog2(RUNS)
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       clear,        // a run begins: nothing is kept of the one before
    input  wire                       record,       // a run is under way of which histories are kept
    input  wire                       by_pass,      // passes are told apart by `pass`, not by message numbers
    input  wire  [              15:0] pass,
    // observation
    // verilator lint_off UNUSEDSIGNAL
    input  wire [CHANNELS*FLIT_W-1:0] flit,         // the flit that crosses; only the message number of headers is looked at
    // verilator lint_on UNUSEDSIGNAL
    input  wire [       CHANNELS-1:0] obs_worm,
    input  wire [       CHANNELS-1:0] obs_flit,
    input  wire [       CHANNELS-1:0] obs_blocked,
    // register port: word 2r and 2r+1 of a channel are its entry r, word 2047 is the number of entries
    input  wire                       bus_select,
    input  wire [      CHANNEL_W-1:0] bus_channel,
    // verilator lint_off UNUSEDSIGNAL
    input  wire [               10:0] bus_word,     // high bits are unused where RUNS is small
    // verilator lint_on UNUSEDSIGNAL
    output logic [              31:0] bus_rdata
);
  if (CHANNELS < 1 || CHANNELS > 1024) begin : g_CHANNELS illegal_CHANNELS u_illegal (); end
  if (RUNS < 2 || RUNS > 512 || (1 << RUN_W) != RUNS) begin : g_RUNS illegal_RUNS u_illegal (); end
  if (NUMBER_LOW < 0 || NUMBER_LOW >= FLIT_W) begin : g_NUMBER_LOW illegal_NUMBER_LOW u_illegal (); end

  localparam integer NUMBER_W = FLIT_W - NUMBER_LOW < 16 ? FLIT_W - NUMBER_LOW : 16;
  localparam integer COUNT_W = 16;

  // The entry under way of each channel is its last one.
  logic [64-1:0] entry_mem[CHANNELS*RUNS];  // blocked, flits, number, worms
  logic [15:0] runs_mem[CHANNELS];
  logic [15:0] number_mem[CHANNELS];
  logic [COUNT_W-1:0] worms_mem[CHANNELS], flits_mem[CHANNELS], blocked_mem[CHANNELS];

  logic asked_q, answered_q;
  logic [CHANNEL_W-1:0] channel_q;
  logic [10:0] word_q;

  // Only this block uses these memories, and in most cycles for a few channels: hence blocking assignments, in a loop.
  // verilator lint_off BLKSEQ
  always_ff @(posedge clk) begin : keep
    logic [15:0] number;
    if (clear || rst) begin
      for (int c = 0; c < CHANNELS; c++) begin
        runs_mem[c] = '0;
        blocked_mem[c] = '0;
      end
    end else if (record && (|obs_flit || |obs_blocked)) begin
      for (int c = 0; c < CHANNELS; c++) begin
        if (obs_flit[c] || obs_blocked[c]) begin
          number = by_pass ? pass : 16'(flit[c*FLIT_W+NUMBER_LOW+:NUMBER_W]);
          if ((obs_worm[c] || by_pass) && (runs_mem[c] == 16'd0 || number != number_mem[c])) begin
            if (!(&runs_mem[c])) runs_mem[c] = runs_mem[c] + 16'd1;
            number_mem[c] = number;
            worms_mem[c] = '0;
            flits_mem[c] = '0;
            if (runs_mem[c] != 16'd1) blocked_mem[c] = '0;
          end
          if (obs_worm[c] && !(&worms_mem[c])) worms_mem[c] = worms_mem[c] + 1'b1;
          if (obs_flit[c] && !(&flits_mem[c])) flits_mem[c] = flits_mem[c] + 1'b1;
          if (obs_blocked[c] && !(&blocked_mem[c])) blocked_mem[c] = blocked_mem[c] + 1'b1;
          if (runs_mem[c] != 16'd0 && 32'(runs_mem[c]) <= RUNS)
            entry_mem[c*RUNS+32'(runs_mem[c])-1] = {blocked_mem[c], flits_mem[c], number_mem[c], worms_mem[c]};
        end
      end
    end
    if (rst) begin
      bus_rdata = '0;
    end else if (asked_q) begin
      if (&word_q) bus_rdata = 32'(runs_mem[channel_q]);
      else if (word_q[0]) bus_rdata = entry_mem[32'(channel_q)*RUNS+32'(word_q[1+:RUN_W])][63:32];
      else bus_rdata = entry_mem[32'(channel_q)*RUNS+32'(word_q[1+:RUN_W])][31:0];
    end else if (answered_q) begin
      bus_rdata = '0;
    end
  end
  // verilator lint_on BLKSEQ

  always_ff @(posedge clk) begin
    asked_q <= bus_select;
    answered_q <= asked_q;
    if (bus_select) begin
      channel_q <= bus_channel;
      word_q <= bus_word;
    end
    if (rst) begin
      asked_q <= 1'b0;
      answered_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // The worms and flits of one channel (any) that are of one pass (any), counted again where they come in one go.
  logic f_cleared = 1'b0;
  (* anyconst *) logic [CHANNEL_W-1:0] f_channel;
  (* anyconst *) logic [15:0] f_number;
  logic f_began, f_ended;  // an entry of it is open, is complete
  logic [15:0] f_at;  // which one
  logic [15:0] f_runs, f_worms, f_flits, f_blocked;
  logic [15:0] f_early;  // waited before the first worm, which counts as the first one's
  logic [15:0] f_last;
  wire [15:0] f_tag = by_pass ? pass : 16'(flit[f_channel*FLIT_W+NUMBER_LOW+:NUMBER_W]);
  wire f_worm = record && !clear && obs_worm[f_channel];
  wire f_flit = record && !clear && obs_flit[f_channel];
  wire f_wait = record && !clear && obs_blocked[f_channel];
  wire f_opens = by_pass ? f_flit || f_wait : f_worm;
  wire f_new = f_opens && (f_runs == '0 || f_tag != f_last);

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_channel) < CHANNELS);
    assume ((obs_worm & ~obs_flit) == '0);
    assume (!bus_select || !record && !clear && 32'(bus_channel) < CHANNELS);
    if (!$initstate && $past(bus_select)) assume (!record && !clear);

    if (f_opens) f_last <= f_tag;
    if (f_new) begin
      f_runs <= f_runs + 16'd1;
      if (f_began) f_ended <= 1'b1;
      if (f_tag == f_number && !f_began) begin
        f_began <= 1'b1;
        f_at <= f_runs;
      end
    end
    if (f_worm && f_tag == f_number && !f_ended) f_worms <= f_worms + 16'd1;
    if (f_flit && !f_ended && (f_opens ? f_tag == f_number : f_began)) f_flits <= f_flits + 16'd1;
    if (f_new && f_tag == f_number && !f_began) f_blocked <= 16'(f_wait) + (f_runs == '0 ? f_early : 16'd0);
    else if (f_wait && !f_new && f_began && !f_ended) f_blocked <= f_blocked + 16'd1;
    if (f_wait && f_runs == '0) f_early <= f_early + 16'd1;
    if (clear || rst) begin
      f_early <= '0;
      f_blocked <= '0;
      f_cleared <= 1'b1;
      f_began <= 1'b0;
      f_ended <= 1'b0;
      f_runs <= '0;
      f_worms <= '0;
      f_flits <= '0;
    end

    if (!$initstate && $past(!$initstate)) begin
      if (!$past(bus_select, 2) && !$past(rst)) assert (bus_rdata == '0);
      if ($past(f_cleared, 2) && !$past(rst) && !$past(rst, 2) && $past(bus_select && bus_channel == f_channel, 2)) begin
        if ($past(bus_word, 2) == 11'h7ff) assert (bus_rdata == 32'($past(f_runs, 2)));
        if ($past(f_began, 2) && 32'($past(f_at, 2)) < RUNS && $past(bus_word, 2) == 11'({$past(f_at[9:0], 2), 1'b0}))
          assert (bus_rdata == {f_number, $past(f_worms, 2)});
        if ($past(f_began, 2) && 32'($past(f_at, 2)) < RUNS && $past(bus_word, 2) == 11'({$past(f_at[9:0], 2), 1'b1}))
          assert (bus_rdata == {$past(f_blocked, 2), $past(f_flits, 2)});
      end
      cover (f_ended && f_worms == 16'd2 && f_at == 1);
      cover (f_ended && by_pass && f_blocked == 16'd1 && f_worms == 16'd1 && f_at == 1);
      cover ($past(bus_select && bus_channel == f_channel, 2) && bus_rdata == 32'(RUNS + 1));
    end
  end
`endif
endmodule

`default_nettype wire
