// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A `monitor` for chips whose logic is dear: of each counter only the low bits are flip-flops, and the whole of it is a
// word of a memory. The words are visited in turn, each one before its low bits can have counted once round: when the
// low bits are below those in the word, a carry is due. A read is exact, up to the cycle before the data is
// there.
//
// Latency: register read data is there two cycles after the request, and 0 in all other cycles. Throughput: any number
// of events per cycle; reads must be PERIOD = 3*CHANNELS + 2 cycles apart, because each one costs the visitor two
// cycles. fabric_top with SMALL = 1 keeps the host's requests that far apart.
//
// Ports as in monitor, with two more rules: bus_select is 1 at most once in PERIOD cycles, and bus_address keeps its
// value in the cycle after it.
//
// Reset: synchronous, one cycle; the memory need not be cleared, a word counts as 0 until it has been visited. Legal
// parameters: COUNT_W from $clog2(PERIOD+1) to 31, so not 32, which is monitor's default.
`default_nettype none

module monitor_memory #(
    parameter integer CHANNELS = 4,  // channels watched, 1..64
    parameter integer COUNT_W = 12,  // bits of a counter, $clog2(PERIOD+1)..31; to 15 it is one block RAM of an iCE40
    localparam integer PERIOD = 3 * CHANNELS + 2  // cycles between two visits of a word, at most
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
    input  wire                 bus_select,   // at most once in PERIOD cycles
    input  wire  [         7:0] bus_address,  // 4*channel + word; keeps its value in the cycle after bus_select
    output logic [        31:0] bus_rdata,
    output logic                moved         // a flit crosses on some channel
);
  localparam integer LOW_W = $clog2(PERIOD + 1);
  localparam integer HIGH_W = COUNT_W + 1 - LOW_W;  // the top bit: more than the counter holds
  localparam integer CHANNEL_W = CHANNELS == 1 ? 1 : $clog2(CHANNELS);
  localparam integer AT_W = CHANNEL_W + 2;

  if (CHANNELS < 1 || CHANNELS > 64) begin : g_CHANNELS illegal_CHANNELS u_illegal (); end
  if (COUNT_W < LOW_W || COUNT_W > 31) begin : g_COUNT_W illegal_COUNT_W u_illegal (); end

  // Worms, flits and blocked cycles of each channel, and 1 if a header waits now: in the order of addresses.
  logic [(4<<CHANNEL_W)*LOW_W-1:0] low;
  for (genvar c = 0; c < 1 << CHANNEL_W; c++) begin : g_channel
    if (c < CHANNELS) begin : g_watched
      logic [LOW_W-1:0] worms_q, flits_q, blocked_q;
      logic waiting_q;
      // Written out: a carry chain of its own for so few bits costs more than it saves.
      logic [LOW_W-1:0] worms_turn, flits_turn, blocked_turn;
      always_comb begin
        for (int i = 0; i < LOW_W; i++) begin
          worms_turn[i] = (worms_q & LOW_W'((1 << i) - 1)) == LOW_W'((1 << i) - 1);
          flits_turn[i] = (flits_q & LOW_W'((1 << i) - 1)) == LOW_W'((1 << i) - 1);
          blocked_turn[i] = (blocked_q & LOW_W'((1 << i) - 1)) == LOW_W'((1 << i) - 1);
        end
      end
      always_ff @(posedge clk) begin
        waiting_q <= obs_blocked[c];
        if (obs_worm[c]) worms_q <= worms_q ^ worms_turn;
        if (obs_flit[c]) flits_q <= flits_q ^ flits_turn;
        if (obs_blocked[c]) blocked_q <= blocked_q ^ blocked_turn;
        if (clear || rst) begin
          worms_q   <= '0;
          flits_q   <= '0;
          blocked_q <= '0;
        end
        if (rst) waiting_q <= 1'b0;
      end
      assign low[4*c*LOW_W+:4*LOW_W] = {LOW_W'(waiting_q), blocked_q, flits_q, worms_q};
    end else begin : g_none
      assign low[4*c*LOW_W+:4*LOW_W] = '0;
    end
  end

  // The word that is visited in this cycle: the one the port asked for in the cycle before, else the next in turn. In
  // the cycle of the request no word is visited, so that nothing is written while the port reads.
  logic [CHANNEL_W-1:0] channel_q;
  logic [1:0] word_q;
  logic [7:0] address_q;
  logic selected_q;
  logic first_q;  // since the pass began not every word has been visited: what is in the memory is of another pass
  wire turn = !bus_select && !selected_q;
  wire [AT_W-1:0] at = selected_q ? address_q[AT_W-1:0] : {channel_q, word_q};

  always_ff @(posedge clk) begin
    selected_q <= bus_select;
    address_q  <= bus_address;
    if (turn) begin
      word_q <= word_q == 2'd2 ? 2'd0 : word_q + 2'd1;
      if (word_q == 2'd2) begin
        channel_q <= channel_q + 1'b1;
        if (channel_q == CHANNEL_W'(CHANNELS - 1)) begin
          channel_q <= '0;
          first_q   <= 1'b0;
        end
      end
    end
    if (clear || rst) begin
      word_q <= '0;
      channel_q <= '0;
      first_q <= 1'b1;
    end
    if (rst) selected_q <= 1'b0;
  end

  // One cycle later the word is there, and its counter's low bits are looked at.
  (* no_rw_check *)
  logic [COUNT_W:0] count_mem[4<<CHANNEL_W];
  logic [COUNT_W:0] count_q;
  logic [AT_W-1:0] at_q;
  logic turn_q, zero_q, answer_q;

  wire [LOW_W-1:0] low_now = low[at_q*LOW_W+:LOW_W];
  wire [HIGH_W-1:0] high = count_q[LOW_W+:HIGH_W];
  wire carry = low_now < count_q[LOW_W-1:0] && !high[HIGH_W-1];
  wire [HIGH_W-1:0] high_now = zero_q ? '0 : high + HIGH_W'(carry);
  wire [COUNT_W:0] count = {high_now, low_now};

  always_ff @(posedge clk) begin
    if (turn_q) count_mem[at_q] <= count;
  end

  always_ff @(posedge clk) begin
    count_q <= count_mem[at];
  end

  always_ff @(posedge clk) begin
    at_q <= at;
    turn_q <= turn;
    zero_q <= first_q || clear || selected_q && (&address_q[1:0]);
    answer_q <= selected_q && 32'(address_q[7:2]) < CHANNELS;
    if (rst) begin
      turn_q   <= 1'b0;
      zero_q   <= 1'b1;
      answer_q <= 1'b0;
    end
  end

  wire [COUNT_W-1:0] reading = count[COUNT_W-1:0] | {COUNT_W{count[COUNT_W]}};
  assign bus_rdata = answer_q ? 32'(reading) : '0;
  assign moved = |obs_flit;

`ifdef FORMAL
  // The counters of one channel, counted again. At reset the memory holds anything.
  logic [COUNT_W-1:0] f_worms, f_flits, f_blocked;
  logic f_waiting;
  logic [1:0] f_asked;  // one and two cycles ago
  logic [7:0] f_at, f_at_1;
  integer f_since;  // cycles since the last request
  (* anyconst *) logic [5:0] f_channel;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_channel) < CHANNELS);
    if (!$initstate && $past(bus_select)) assume ($stable(bus_address));

    if (f_since < PERIOD) f_since <= f_since + 1;
    if (bus_select) begin
      assume (f_since >= PERIOD);
      f_since <= 1;
    end

    if (obs_worm[f_channel] && !(&f_worms)) f_worms <= f_worms + 1'b1;
    if (obs_flit[f_channel] && !(&f_flits)) f_flits <= f_flits + 1'b1;
    if (obs_blocked[f_channel] && !(&f_blocked)) f_blocked <= f_blocked + 1'b1;
    f_waiting <= obs_blocked[f_channel];
    f_asked <= {f_asked[0], bus_select};
    f_at <= bus_address;
    f_at_1 <= f_at;
    if (clear || rst) begin
      f_worms   <= '0;
      f_flits   <= '0;
      f_blocked <= '0;
    end
    if (rst) begin
      f_asked   <= '0;
      f_waiting <= 1'b0;
      f_since   <= PERIOD;
    end

    if (!$initstate) begin
      assert (moved == |obs_flit);
      if (!f_asked[1] || 32'(f_at_1[7:2]) >= CHANNELS) assert (bus_rdata == '0);
      else begin
        if (f_at_1 == {f_channel, 2'd0}) assert (bus_rdata == 32'(f_worms));
        if (f_at_1 == {f_channel, 2'd1}) assert (bus_rdata == 32'(f_flits));
        if (f_at_1 == {f_channel, 2'd2}) assert (bus_rdata == 32'(f_blocked));
        if (f_at_1 == {f_channel, 2'd3}) assert (bus_rdata == 32'(f_waiting));
      end

      cover (f_asked[1] && f_at_1 == {f_channel, 2'd1} && f_flits == COUNT_W'((1 << LOW_W) + 1));
      cover (f_asked[1] && f_at_1 == {f_channel, 2'd1} && &f_flits && &f_worms && count[COUNT_W]);
      cover (f_asked[1] && f_at_1 == {f_channel, 2'd2} && f_blocked == COUNT_W'(2) && $past(clear, 5));

    end
  end
`endif
endmodule

`default_nettype wire
