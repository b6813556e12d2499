// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Arbiter of a router that chooses: gives each message (worm) one output of the set that its header may take. wh_router with
// ADAPTIVE = 1 has it in place of wh_order, between wh_input, the route unit and wh_output.
//
// At each clock edge the messages that have no output yet are served in the order in which their headers arrived (ties by
// `early`, as in wh_order). Each takes one free output of its set. An output is free if no message has it, or if the tail of
// the message that has it leaves at this edge; and if no message that was served before at this edge has taken it. A
// message that finds no free output waits and tries again at the next edge. A message keeps its output until its tail
// leaves. If each set has one output, this is wh_order: the proof at the end compares the two cycle by cycle.
//
// `select` decides between several free outputs. Outputs in next_last (escape channels) are taken only if no other output
// of the set is free.
// - 0, fixed: the lowest number.
// - 1, random: the first free one from a random number upwards, then from the lowest number. The random number is
//   state[11:0] * LANES / 4096, rounded down. state is a 16-bit linear-feedback shift register (x >> 1, xor 0xb400 if a 1
//   falls out), which steps at each edge at which some output from SINGLE on is taken. It starts with `seed`, with 1 if
//   seed is 0.
// - 2, least recently used: the one that was taken longest ago. Outputs that were never taken go before all others, the
//   lowest number first; of those taken at the same edge the lowest number counts as the older one.
// - 3, most room: the lowest number among those whose buffer at the far end is empty; if there is none, among those with
//   room there; if there is none, among all.
//
// Escape: a message whose set has outputs in next_last must be able to reach one of them wherever it waits. Behind the tail
// of another message in the same buffer it could not: it is not at the head there, and that tail may wait for an output which
// this message holds. So such a message takes an output that is not in next_last only if no message has had it in this cycle
// and the buffer at its far end is empty.
//
// Latency: one cycle from next_set to ask and first. All outputs are registers. Throughput: every input can go on to
// another message in every cycle.
//
// Ports, one bit per input or output unless said otherwise:
// - early: inputs that go first when headers arrive at the same edge, as in wh_order. Constant after reset.
// - select, seed: see above. Constant after reset.
// - next_comes: a header comes to the head of this input at this edge. It may come late in the cycle.
// - next_set, next_last: looked at where next_comes is 1; may come late in the cycle. Bit i*LANES+o of next_set: the header
//   at input i may take output o; of next_last: only if no other one is free. next_last is a subset of next_set.
// - ends: the tail of the message at this input leaves at this edge. Only a message that has an output may end.
// - gives: the same by output: the tail of the message that has it leaves at this edge. It may come late in the cycle.
// - room, empty: by output: the buffer at its far end has room, holds nothing. room is looked at only with `select` 3.
// - ask, asked: bit i*LANES+o and o*LANES+i: the message at input i has output o, or waits and may take it. 0 where there is
//   no message.
// - first: the message at this input has its output. 0 where there is no message.
//
// ESCAPE = 0: next_last is not looked at, and no output is tried last. APART = n, above 0: the user promises that no set
// has an output below SINGLE together with another one, nor outputs of two of the ports 0 to n-1, of two of the ports n to
// 2n-1 and so on, counted from SINGLE. Both make the router smaller and faster and change no grant of a legal message.
//
// BACK[i] = 0: a message at input i must not take an output of its own port (SINGLE and V as in wh_router). Such outputs
// are removed from its set; if none is left it waits for ever, and no other message waits for it.
//
// Reset: rst = 1 at one edge forgets all messages and which outputs were taken. Reset wh_input at the same edge. Legal
// parameters: LANES from 2 to 64. Over 400 lines because the proof of this contract stands at the end.
`default_nettype none

module wh_choose #(
    parameter integer LANES = 9,  // inputs and outputs, 2..64
    parameter integer V = 1,  // as in wh_router
    parameter integer SINGLE = 1,
    parameter integer ESCAPE = 1,  // 0: nothing is tried last, next_last is not looked at
    parameter integer APART = 0,  // what sets never have, see above; 0: they may have anything
    parameter [LANES-1:0] BACK = {LANES{1'b1}}  // bit i: input i may have the outputs of its own port
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire  [      LANES-1:0] early,       // inputs that go first when headers come together; constant
    input  wire  [            1:0] select,      // which of several free ones; constant
    input  wire  [           15:0] seed,        // constant
    // inputs
    input  wire  [      LANES-1:0] next_comes,  // a header comes to the head at this edge
    input  wire  [LANES*LANES-1:0] next_set,    // outputs that it may have
    input  wire  [LANES*LANES-1:0] next_last,   // those of them that are tried last
    input  wire  [      LANES-1:0] ends,        // a tail leaves at this edge
    // outputs
    input  wire  [      LANES-1:0] gives,       // the tail of the message that has it leaves at this edge
    input  wire  [      LANES-1:0] room,
    input  wire  [      LANES-1:0] empty,
    // messages
    output logic [LANES*LANES-1:0] ask,         // bit i*LANES+o: the message at input i has output o, or waits for it
    output logic [LANES*LANES-1:0] asked,       // the same as bit o*LANES+i
    output logic [      LANES-1:0] first        // the message at input i has its output
);
  if (LANES < 2 || LANES > 64) begin : g_LANES illegal_LANES u_illegal (); end
  if (V < 1 || V > 8) begin : g_V illegal_V u_illegal (); end
  if (SINGLE < 0 || SINGLE > LANES) begin : g_SINGLE illegal_SINGLE u_illegal (); end
  if (ESCAPE < 0 || ESCAPE > 1) begin : g_ESCAPE illegal_ESCAPE u_illegal (); end
  if (APART < 0 || APART > 64) begin : g_APART illegal_APART u_illegal (); end

  localparam [1:0] FIXED = 2'd0, RANDOM = 2'd1, LEAST_RECENT = 2'd2, MOST_ROOM = 2'd3;

  // Bit i*LANES+o: input i may have output o.
  wire [LANES*LANES-1:0] ways;
  for (genvar i = 0; i < LANES; i++) begin : g_input
    for (genvar o = 0; o < LANES; o++) begin : g_output
      assign ways[i*LANES+o] = BACK[i] || (i < SINGLE || o < SINGLE ? i != o : (i - SINGLE) / V != (o - SINGLE) / V);
      assign asked[o*LANES+i] = ask[i*LANES+o];
    end
  end

  // Outputs below LOW are alone in their sets: they have their own places with each `select`.
  localparam integer LOW = APART != 0 ? SINGLE : 0;

  logic [LANES-1:0] waits_q;  // there is a message, and it has no output
  logic [LANES*LANES-1:0] last_q;  // by input: outputs that the message tries last; means something while it waits
  logic [LANES*LANES-1:0] ahead_q;  // bit i*LANES+j: what input j has, or had, came before what input i has
  logic [LANES*LANES-1:0] older_q;  // bit o*LANES+p: output p was taken before output o, or never and o not before it
  logic [15:0] random_q;
  logic [LANES-1:0] start_q;  // the output which that makes the first

  // One after the other: bit i*LANES+j is 1 for all j below i.
  function automatic [LANES*LANES-1:0] lower(input integer unused);
    for (int i = 0; i < LANES; i++) lower[i*LANES+:LANES] = (LANES'(1) << i) - LANES'(1);
  endfunction
  localparam [LANES*LANES-1:0] LOWER = lower(0);

  // No set has both of these outputs.
  function automatic bit are_apart(input integer a, input integer b);
    if (APART == 0) are_apart = 1'b0;
    else if (a < SINGLE || b < SINGLE) are_apart = a != b;
    else are_apart = (a - SINGLE) / V != (b - SINGLE) / V && (a - SINGLE) / V / APART == (b - SINGLE) / V / APART;
  endfunction

  // Bit i*LANES+j: if headers come together, the one at input j goes before the one at input i.
  logic [LANES*LANES-1:0] ties;
  always_comb
    for (int i = 0; i < LANES; i++)
      ties[i*LANES+:LANES] = early[i] ? early & ~(LOWER[i*LANES+:LANES] | LANES'(1) << i) : early | LOWER[i*LANES+:LANES];

  // No function is called here: in a simulator tiles with one share no code (tests/e2e/test_tile_sharing.sh).
  always_ff @(posedge clk) begin : grant
    logic [LANES*LANES-1:0] ahead, want, last, place, wins, got, turn, usuals, lates;
    logic [LANES-1:0] busy, free, clear, left, cand, served, usual, late, row, elder, left_over, pick, taken, start;
    logic [2*LANES-1:0] good, below;
    logic [15:0] state;
    // verilator lint_off UNUSEDSIGNAL
    logic [11+7:0] product;  // bits from 12 on are looked at
    // verilator lint_on UNUSEDSIGNAL
    logic stirs;
    ahead = ahead_q;
    want = '0;
    last = '0;
    place = '0;
    wins = '0;
    got = '0;
    turn = '0;
    usuals = '0;
    lates = '0;
    busy = '0;
    left = '0;
    cand = '0;
    served = '0;
    usual = '0;
    late = '0;
    row = '0;
    good = '0;
    below = '0;
    elder = '0;
    left_over = '0;
    pick = '0;
    taken = '0;
    state = '0;
    product = '0;
    start = '0;
    stirs = |(next_comes | ends);
    if (stirs || ESCAPE != 0 && waits_q != '0) for (int i = 0; i < LANES; i++) if (first[i]) busy = busy | ask[i*LANES+:LANES];
    free  = ~busy | gives;
    clear = empty & ~busy;
    // If nothing comes and nothing ends a message that waits has nothing new to take, but for what is clear now.
    if (ESCAPE != 0 && !stirs && waits_q != '0)
      for (int i = 0; i < LANES; i++)
        if (waits_q[i] && last_q[i*LANES+:LANES] != '0 && (ask[i*LANES+:LANES] & ~last_q[i*LANES+:LANES] & clear) != '0) stirs = 1'b1;
    if (stirs) begin
      // The messages that are there, what they want, in which order they came: those that come now after all others.
      for (int i = 0; i < LANES; i++)
        ahead[i*LANES+:LANES] = next_comes[i] ? ~next_comes | ties[i*LANES+:LANES] : ahead_q[i*LANES+:LANES] & ~next_comes;
      left  = waits_q | next_comes;
      for (int i = 0; i < LANES; i++) begin
        if (next_comes[i]) begin
          want[i*LANES+:LANES] = next_set[i*LANES+:LANES] & ways[i*LANES+:LANES];
          last[i*LANES+:LANES] = next_last[i*LANES+:LANES];
        end else if (waits_q[i]) begin
          want[i*LANES+:LANES] = ask[i*LANES+:LANES];
          last[i*LANES+:LANES] = last_q[i*LANES+:LANES];
        end
      end

      if (left != '0) begin
        // The outputs by preference: bit k*LANES+o: output o has place k. Known early, as `ahead` is.
        for (int o = 0; o < LANES; o++) begin
          row = LANES'(1) << o;
          if (o >= LOW && select == RANDOM) begin
            for (int k = LOW; k < LANES; k++) row[k] = start_q[LOW+(o-k+LANES-LOW)%(LANES-LOW)];
          end else if (o >= LOW && select != FIXED) begin
            elder = LOWER[o*LANES+:LANES];
            if (select == LEAST_RECENT) elder = older_q[o*LANES+:LANES];
            if (select == MOST_ROOM)
              elder = empty[o] ? elder & empty : room[o] ? empty | (elder & room) : room | elder;
            row = LANES'(1) << LOW;
            for (int p = LOW; p < LANES; p++) if (elder[p]) row = row << 1;
          end
          for (int k = 0; k < LANES; k++) place[k*LANES+o] = row[k];
        end

        if (ESCAPE == 0) begin
          // All prefer the outputs in the same order. So one output after the other, from the preferred one on, goes to the message that came
          // first of those that want it and have none yet: that is what serving the messages in their order comes to.
          for (int k = 0; k < LANES; k++) begin
            row = place[k*LANES+:LANES];
            if ((free & row) != '0) begin
              served = '0;
              for (int p = 0; p < k; p++)
                if (!are_apart(p, k) || p >= LOW && select != FIXED) served = served | wins[p*LANES+:LANES];
              for (int i = 0; i < LANES; i++) cand[i] = (want[i*LANES+:LANES] & row) != '0 && !served[i];
              for (int i = 0; i < LANES; i++) begin
                if (cand[i] && (ahead[i*LANES+:LANES] & cand) == '0) begin
                  wins[k*LANES+i] = 1'b1;
                  got[i*LANES+:LANES] = got[i*LANES+:LANES] | row;
                end
              end
            end
          end
        end else begin
          // One message after the other, by its place in the order, each with two lists.
          for (int i = 0; i < LANES; i++) begin
            if (left[i]) begin
              row = LANES'(1);
              for (int j = 0; j < LANES; j++) if (ahead[i*LANES+j] && left[j]) row = row << 1;
              for (int k = 0; k < LANES; k++) turn[k*LANES+i] = row[k];
              late  = want[i*LANES+:LANES] & last[i*LANES+:LANES];
              usual = want[i*LANES+:LANES] & ~last[i*LANES+:LANES] & (last[i*LANES+:LANES] == '0 ? '1 : clear);
              for (int k = 0; k < LANES; k++) begin
                usuals[i*LANES+k] = (usual & place[k*LANES+:LANES]) != '0;
                lates[i*LANES+k]  = (late & place[k*LANES+:LANES]) != '0;
              end
            end
          end
          for (int k = 0; k < LANES; k++) left_over[k] = (free & place[k*LANES+:LANES]) != '0;
          for (int k = 0; k < LANES; k++) begin
            if (turn[k*LANES+:LANES] != '0) begin
              usual = '0;
              late  = '0;
              for (int i = 0; i < LANES; i++) begin
                if (turn[k*LANES+i]) begin
                  usual = usual | usuals[i*LANES+:LANES];
                  late  = late | lates[i*LANES+:LANES];
                end
              end
              good  = {late & left_over, usual & left_over};
              below = good;
              for (int d = 1; d < 2 * LANES; d = 2 * d) below = below | below << d;
              good = good & ~(below << 1);
              row  = good[0+:LANES] | good[LANES+:LANES];
              left_over = left_over & ~row;
              pick = '0;
              for (int o = 0; o < LANES; o++) if (row[o]) pick = pick | place[o*LANES+:LANES];
              for (int i = 0; i < LANES; i++) if (turn[k*LANES+i]) got[i*LANES+:LANES] = pick;
            end
          end
        end
      end

      for (int i = 0; i < LANES; i++) begin
        taken = taken | got[i*LANES+:LANES];
        row = next_comes[i] ? want[i*LANES+:LANES] : ask[i*LANES+:LANES] & {LANES{!ends[i]}};
        ask[i*LANES+:LANES] <= got[i*LANES+:LANES] | (row & {LANES{got[i*LANES+:LANES] == '0}});
        first[i] <= got[i*LANES+:LANES] != '0 || first[i] && !ends[i];
        waits_q[i] <= got[i*LANES+:LANES] == '0 && left[i];
        if (next_comes[i]) last_q[i*LANES+:LANES] <= next_last[i*LANES+:LANES];
      end
      ahead_q <= ahead;
      if (taken != '0)
        for (int o = 0; o < LANES; o++)
          older_q[o*LANES+:LANES] <= taken[o] ? ~taken | LOWER[o*LANES+:LANES] : older_q[o*LANES+:LANES] & ~taken;
    end
    if (rst || (taken >> SINGLE) != '0) begin
      state = !rst ? (random_q >> 1) ^ (random_q[0] ? 16'hb400 : 16'd0) : seed == '0 ? 16'd1 : seed;
      product = 19'(state[11:0]) * 19'(LANES);
      start = LANES'(1) << product[12+:7];
      if (|(start & LANES'((1 << LOW) - 1))) start = LANES'(1) << LOW;
      random_q <= state;
      start_q  <= start;
    end
    if (rst) begin
      ask <= '0;
      first <= '0;
      waits_q <= '0;
      ahead_q <= LOWER;
      older_q <= LOWER;
    end
  end

`ifdef FORMAL
  // Any two inputs a and b, any two outputs x and y. All that may happen at an edge is said by what a takes: it takes something
  // if it can, nothing that one before it has taken, and of what was left to it the one that goes before by `select`. With
  // f_plain each set is one output, and then all is as in wh_order.
  localparam integer F_W = $clog2(LANES);
  function automatic [LANES-1:0] f_start_of(input [11:0] state);
    f_start_of = LANES'(1) << 7'((19'(state) * 19'(LANES)) >> 12);
    if (|(f_start_of & LANES'((1 << LOW) - 1))) f_start_of = LANES'(1) << LOW;
  endfunction
  (* anyconst *) logic f_plain;
  (* anyconst *) logic [F_W-1:0] f_any_a, f_any_b, f_any_x, f_any_y;
  wire [F_W-1:0] f_a = 32'(f_any_a) < LANES ? f_any_a : F_W'(0), f_x = 32'(f_any_x) < LANES ? f_any_x : F_W'(0);
  wire [F_W-1:0] f_b = 32'(f_any_b) < LANES && f_any_b != f_a ? f_any_b : f_a == '0 ? F_W'(1) : F_W'(0);
  wire [F_W-1:0] f_y = 32'(f_any_y) < LANES && f_any_y != f_x ? f_any_y : f_x == '0 ? F_W'(1) : F_W'(0);
  logic [LANES-1:0] f_there;  // there is a message
  logic [LANES*LANES-1:0] f_set, f_last;  // as the route unit said
  logic f_a_first;  // a came before b; meaningful while both are there
  logic f_x_older;  // x went before y at the edge before, as the least recently used of the two
  logic [15:0] f_random;  // as it was at the edge before
  wire f_tie = early[f_a] != early[f_b] ? early[f_a] : early[f_a] ? f_a > f_b : f_a < f_b;

  // The outputs that are taken.
  logic [LANES-1:0] f_owned;
  always_comb begin
    f_owned = '0;
    for (int i = 0; i < LANES; i++) if (first[i]) f_owned = f_owned | ask[i*LANES+:LANES];
  end

  // At the edge before: what was free, who has taken something there.
  logic [LANES-1:0] f_free, f_clear, f_took, f_taken;
  logic [LANES-1:0] f_room, f_empty;
  logic f_busy;
  always_comb begin
    f_taken = '0;
    for (int i = 0; i < LANES; i++) if (f_took[i]) f_taken = f_taken | ask[i*LANES+:LANES];
  end
  logic [LANES-1:0] f_kept;  // had its output before, and has it still
  assign f_took = first & ~f_kept;
  // As they are now.
  wire [15:0] f_random_now = (f_taken >> SINGLE) == '0 ? f_random : f_random[0] ? (f_random >> 1) ^ 16'hb400 : f_random >> 1;
  wire f_x_older_now = f_taken[f_x] ? f_taken[f_y] && f_x < f_y : f_taken[f_y] || f_x_older;
  wire [31:0] f_high = (32'(f_random[11:0]) * LANES) >> 12;
  wire [31:0] f_place_x = 32'(f_x) >= f_high ? 32'(f_x) : 32'(f_x) + LANES;
  wire [31:0] f_place_y = 32'(f_y) >= f_high ? 32'(f_y) : 32'(f_y) + LANES;
  wire [1:0] f_room_x = f_empty[f_x] ? 2'd2 : f_room[f_x] ? 2'd1 : 2'd0;
  wire [1:0] f_room_y = f_empty[f_y] ? 2'd2 : f_room[f_y] ? 2'd1 : 2'd0;
  wire f_late_x = f_last[f_a*LANES+f_x], f_late_y = f_last[f_a*LANES+f_y];
  wire f_escapes = f_last[f_a*LANES+:LANES] != '0;
  wire f_may_x = f_free[f_x] && (!f_escapes || f_late_x || f_clear[f_x]);
  wire f_may_y = f_free[f_y] && (!f_escapes || f_late_y || f_clear[f_y]);
  logic f_prefers_x;
  always_comb
    if (f_late_x != f_late_y) f_prefers_x = f_late_y;
    else if (select == RANDOM) f_prefers_x = f_place_x < f_place_y;
    else if (select == LEAST_RECENT) f_prefers_x = f_x_older;
    else if (select == MOST_ROOM && f_room_x != f_room_y) f_prefers_x = f_room_x > f_room_y;
    else f_prefers_x = f_x < f_y;

  // wh_order beside it.
  logic [LANES*F_W-1:0] f_code;  // the number of the one output of each set
  always_comb begin
    f_code = '0;
    for (int i = 0; i < LANES; i++)
      for (int o = 0; o < LANES; o++) if (f_set[i*LANES+o]) f_code[i*F_W+:F_W] = F_W'(o);
  end
  logic [LANES*F_W-1:0] f_port;
  always_comb begin
    f_port = '0;
    for (int i = 0; i < LANES; i++)
      for (int o = 0; o < LANES; o++) if (next_set[i*LANES+o]) f_port[i*F_W+:F_W] = F_W'(o);
  end
  wire [LANES*LANES-1:0] f_ask, f_asked;
  wire [LANES-1:0] f_first;
  (* hierconn *) wire [LANES*LANES-1:0] \u_truth.before_q ;
  (* hierconn *) wire [$clog2(LANES+1)*LANES-1:0] \u_truth.code_q ;
  wh_order #(.PORTS(LANES)) u_truth (
      .clk, .rst, .early, .next_comes,
      .next_port(f_port),
      .ends,
      .ask(f_ask),
      .asked(f_asked),
      .first(f_first)
  );

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) begin
      assume ($stable(early) && $stable(select) && $stable(seed));
      assume ((ends & ~(f_there & first)) == '0 && (next_comes & f_there & ~ends) == '0);
      for (int o = 0; o < LANES; o++) assume (gives[o] == |(asked[o*LANES+:LANES] & first & ends));
      assume ((empty & ~room) == '0);
    end
    for (int i = 0; i < LANES; i++)
      if (next_comes[i]) begin
        assume ((next_last[i*LANES+:LANES] & ~next_set[i*LANES+:LANES]) == '0);
        if (APART > 0)
          for (int o = 0; o < LANES; o++) for (int p = 0; p < o; p++)
            if (p < SINGLE || (o - SINGLE) / V != (p - SINGLE) / V && (o - SINGLE) / (V * APART) == (p - SINGLE) / (V * APART))
              assume (!next_set[i*LANES+o] || !next_set[i*LANES+p]);
        if (f_plain) begin
          assume (next_set[i*LANES+:LANES] != '0 && (next_set[i*LANES+:LANES] & (next_set[i*LANES+:LANES] - 1'b1)) == '0);
          assume ((next_set[i*LANES+:LANES] & ~ways[i*LANES+:LANES]) == '0);
        end
      end

    f_there <= rst ? '0 : (f_there & ~ends) | next_comes;
    for (int i = 0; i < LANES; i++)
      if (next_comes[i]) begin
        f_set[i*LANES+:LANES] <= next_set[i*LANES+:LANES] & ways[i*LANES+:LANES];
        f_last[i*LANES+:LANES] <= ESCAPE != 0 ? next_last[i*LANES+:LANES] : '0;
      end
    if (next_comes[f_a] || next_comes[f_b]) f_a_first <= next_comes[f_a] && next_comes[f_b] ? f_tie : next_comes[f_b];
    f_kept <= rst ? '0 : first & ~ends;
    f_free <= '1;
    for (int i = 0; i < LANES; i++)
      for (int o = 0; o < LANES; o++) if (first[i] && !ends[i] && ask[i*LANES+o]) f_free[o] <= 1'b0;
    f_room <= room;
    f_empty <= empty;
    f_busy <= !rst && |(next_comes | ends | (f_there & ~first));
    f_clear <= empty & ~f_owned;
    f_random <= f_random_now;
    f_x_older <= f_x_older_now;
    if (rst) begin
      f_random  <= seed == '0 ? 16'd1 : seed;
      f_x_older <= f_x < f_y;
    end

    if (!$initstate) begin
      // One output each, and nothing that another one has; while it waits, all that it may have.
      for (int i = 0; i < LANES; i++) begin
        assert (!first[i] || f_there[i]);
        if (!f_there[i]) assert (ask[i*LANES+:LANES] == '0);
        else if (first[i])
          assert (ask[i*LANES+:LANES] != '0 && (ask[i*LANES+:LANES] & (ask[i*LANES+:LANES] - 1'b1)) == '0 &&
                  (ask[i*LANES+:LANES] & ~f_set[i*LANES+:LANES]) == '0);
        else assert (ask[i*LANES+:LANES] == f_set[i*LANES+:LANES]);
        for (int j = 0; j < i; j++)
          if (first[i] && first[j]) assert ((ask[i*LANES+:LANES] & ask[j*LANES+:LANES]) == '0);
        for (int o = 0; o < LANES; o++) assert (asked[o*LANES+i] == ask[i*LANES+o]);
        // Nothing is idle that a message waits for.
        if (f_there[i] && !first[i])
          assert ((f_set[i*LANES+:LANES] & ~f_owned & (f_last[i*LANES+:LANES] == '0 ? '1 : f_last[i*LANES+:LANES])) == '0);
      end
      if (!$past(rst)) begin
        if ($past(first[f_a] && !ends[f_a])) assert (first[f_a] && ask[f_a*LANES+:LANES] == $past(ask[f_a*LANES+:LANES]));
        if (f_took[f_a] && ask[f_a*LANES+f_x]) begin
          assert (f_may_x && f_busy);
          if (f_set[f_a*LANES+f_y] && f_may_y && (!f_taken[f_y] || f_took[f_b] && ask[f_b*LANES+f_y] && f_a_first))
            assert (f_prefers_x);
        end
        if (f_there[f_a] && !first[f_a] && f_set[f_a*LANES+f_y] && f_may_y) begin
          assert (f_taken[f_y]);
          if (f_took[f_b] && ask[f_b*LANES+f_y]) assert (!f_a_first);
        end
      end
      // As wh_order.
      if (f_plain) begin
        assert (ask == f_ask);
        assert (first == (f_there & f_first));
      end

      cover (!f_plain && f_took[f_a] && f_took[f_b] && ask[f_a*LANES+f_x] && f_set[f_b*LANES+f_x] && f_a_first && f_a > f_b);
      cover (select == RANDOM && f_took[f_a] && ask[f_a*LANES+f_x] && f_set[f_a*LANES+f_y] && f_free[f_y] && !f_taken[f_y] && f_x > f_y);
      if (ESCAPE != 0)
        cover (f_took[f_a] && f_late_x && ask[f_a*LANES+f_x] && f_set[f_a*LANES+f_y] && !f_late_y && !f_may_y);

      // For the induction.
      assert (waits_q == (f_there & ~first));
      assert (random_q == f_random_now);
      assert (start_q == f_start_of(random_q[11:0]));
      assert (f_x_older_now == older_q[f_y*LANES+f_x]);
      if (f_there[f_a] && f_there[f_b]) assert (f_a_first == ahead_q[f_b*LANES+f_a]);
      for (int i = 0; i < LANES; i++) begin
        if (ESCAPE != 0 && waits_q[i]) assert (last_q[i*LANES+:LANES] == f_last[i*LANES+:LANES]);
        if (f_there[i]) assert ((f_last[i*LANES+:LANES] & (f_plain ? '1 : ways[i*LANES+:LANES]) & ~f_set[i*LANES+:LANES]) == '0);
        if (f_there[i] && APART > 0)
          for (int o = 0; o < LANES; o++) for (int p = 0; p < o; p++)
            if (are_apart(o, p)) assert (!f_set[i*LANES+o] || !f_set[i*LANES+p]);
        // Strict and total orders.
        assert (!ahead_q[i*LANES+i] && !older_q[i*LANES+i]);
        for (int j = 0; j < i; j++) begin
          assert (ahead_q[i*LANES+j] != ahead_q[j*LANES+i] && older_q[i*LANES+j] != older_q[j*LANES+i]);
          for (int k = 0; k < j; k++) begin
            assert (!(ahead_q[i*LANES+j] && ahead_q[j*LANES+k] && ahead_q[k*LANES+i]));
            assert (!(ahead_q[i*LANES+k] && ahead_q[k*LANES+j] && ahead_q[j*LANES+i]));
            assert (!(older_q[i*LANES+j] && older_q[j*LANES+k] && older_q[k*LANES+i]));
            assert (!(older_q[i*LANES+k] && older_q[k*LANES+j] && older_q[j*LANES+i]));
          end
        end
      end
      if (f_plain) begin
        for (int i = 0; i < LANES; i++) begin
          for (int j = i + 1; j < LANES; j++)
            if (f_there[i] && f_there[j]) begin
              assert (ahead_q[j*LANES+i] == \u_truth.before_q [i*LANES+j]);
              if (f_set[i*LANES+:LANES] == f_set[j*LANES+:LANES]) assert (!first[ahead_q[j*LANES+i]?j : i]);
            end
          for (int k = 0; k < $clog2(LANES + 1); k++)
            assert (\u_truth.code_q [k*LANES+i] == (f_there[i] && (k >= F_W || !f_code[i*F_W+k%F_W])));
          if (f_there[i]) assert (f_set[i*LANES+:LANES] != '0 && (f_set[i*LANES+:LANES] & (f_set[i*LANES+:LANES] - 1'b1)) == '0);
        end
      end
    end
  end
`endif
endmodule

`default_nettype wire
