// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Stands in the place of wh_order in routers whose route unit names several outputs for a header: gives each message
// (worm) one of them. Part of wh_router with ADAPTIVE = 1, between wh_input, the route unit and wh_output. At each edge the
// messages that have no output are served in the order of their coming, as wh_order has it: each takes an output of its
// set that is free at this edge (nobody has it, or the tail of the one that has it leaves) and that none served before has taken at this
// edge. If there is none, it waits and tries again at the next edge. It keeps what it has taken until its tail leaves. With sets of one
// output that is wh_order: the proof at the end has both side by side.
//
// Which of several free ones it takes, `select` says. One that is among those tried last it takes only if no other is free.
// - 0, fixed: the lowest.
// - 1, random: the first from a random one up, the lowest after the highest. The random one is state[11:0] * LANES / 4096, rounded down, of
//   a shift register of 16 bits (x >> 1, with a xor by 0xb400 if a 1 falls out), which goes on by one at each edge
//   at which an output from SINGLE on is taken. It begins with `seed`, with 1 if that is 0.
// - 2, least recently used: the one which was taken longest ago. Those that never were go before all others, the lowest first; of those
//   that were taken at one edge the lowest was first.
// - 3, most room: the lowest of those with nothing in the buffer at the far end; if there is none, the lowest of those with room
//   there; if there is none, the lowest.
//
// A message that has outputs which are tried last, escape channels, must be able to come to one wherever it stands. In a buffer
// behind another message's tail it could not: it is not at the head, and the tail may wait for an output that it holds. So such a
// message takes of the other outputs only those which nobody has had in this cycle, and at whose far end the buffer is empty.
//
// Latency: one cycle from next_set to ask and first. All outputs are registers. Throughput: every input can go on to
// another message in every cycle.
//
// Ports:
// - early, next_comes, ends: as in wh_order. Only a message that has an output may end.
// - select, seed: constant after reset.
// - next_set, next_last: looked at where next_comes is 1: bit i*LANES+o: the header at input i may take output o; and only if no
//   other one is free. next_last is a part of next_set.
// - room, empty: at the far end of the output there is room, there is nothing. room is looked at with `select` 3 alone.
// - ask, asked: by input and by output: the output that the message has, or while it waits those that it may have. 0 where there
//   is no message.
// - first: the message at this input has its output. 0 where there is no message.
//
// BACK[i] = 0: a message at input i must not have an output of its own port (SINGLE and V as in wh_router). Such outputs
// are taken out of its set; if none is left it waits for ever, and others do not wait for it.
//
// Reset: rst = 1 at one edge forgets all messages, and what was taken before. It must go with the reset of wh_input. Legal
// parameters: LANES from 2 to 64. Over 400 lines because the proof of this contract stands at the end.
`default_nettype none

module wh_choose #(
    parameter integer LANES = 9,  // inputs and outputs, 2..64
    parameter integer V = 1,  // as in wh_router
    parameter integer SINGLE = 1,
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
    input  wire  [      LANES-1:0] room,
    input  wire  [      LANES-1:0] empty,
    // messages
    output logic [LANES*LANES-1:0] ask,         // bit i*LANES+o: the message at input i has output o, or waits for it
    output logic [LANES*LANES-1:0] asked,       // the same as bit o*LANES+i
    output logic [      LANES-1:0] first        // the message at input i has its output
);
  generate
    if (LANES < 2 || LANES > 64) begin : g_LANES illegal_LANES u_illegal (); end
    if (V < 1 || V > 8) begin : g_V illegal_V u_illegal (); end
    if (SINGLE < 0 || SINGLE > LANES) begin : g_SINGLE illegal_SINGLE u_illegal (); end
  endgenerate

  localparam [1:0] RANDOM = 2'd1, LEAST_RECENT = 2'd2, MOST_ROOM = 2'd3;

  // Bit i*LANES+o: input i may have output o.
  wire [LANES*LANES-1:0] ways;
  generate
    for (genvar i = 0; i < LANES; i++) begin : g_input
      for (genvar o = 0; o < LANES; o++) begin : g_output
        assign ways[i*LANES+o] = BACK[i] || (i < SINGLE || o < SINGLE ? i != o : (i - SINGLE) / V != (o - SINGLE) / V);
        assign asked[o*LANES+i] = ask[i*LANES+o];
      end
    end
  endgenerate

  logic [LANES-1:0] waits_q;  // there is a message, and it has no output
  logic [LANES*LANES-1:0] last_q;  // by input: outputs that the message tries last; means something while it waits
  logic [LANES*LANES-1:0] before_q;  // bit i*LANES+j, for i < j only: the message at input i came before that at input j
  logic [LANES*LANES-1:0] older_q;  // the same of outputs: i was taken before j, or never and j not before it
  logic [15:0] random_q;

  always_ff @(posedge clk) begin : grant
    logic [LANES*LANES-1:0] before_d, want, last;
    logic [LANES-1:0] free, clear, left, has, one, behind, among, late, good, near, pick, taken, high;
    // verilator lint_off UNUSEDSIGNAL
    logic [11+7:0] product;  // bits from 12 on are looked at
    // verilator lint_on UNUSEDSIGNAL
    before_d = before_q;
    want = ask;
    last = last_q;
    free = '0;
    clear = empty;
    left = '0;
    has = '0;
    one = '0;
    behind = '0;
    among = '0;
    late = '0;
    good = '0;
    near = '0;
    pick = '0;
    taken = '0;
    high = '0;
    product = '0;
    if (|(next_comes | ends | waits_q)) begin
      // The messages that are there, what they want, and what is free.
      has = first & ~ends;
      for (int i = 0; i < LANES; i++) begin
        if (has[i]) free = free | ask[i*LANES+:LANES];
        if (first[i]) clear = clear & ~ask[i*LANES+:LANES];
      end
      free = ~free;
      for (int i = 0; i < LANES; i++) begin
        if (ends[i]) want[i*LANES+:LANES] = '0;
        if (next_comes[i]) begin
          want[i*LANES+:LANES] = next_set[i*LANES+:LANES] & ways[i*LANES+:LANES];
          last[i*LANES+:LANES] = next_last[i*LANES+:LANES];
        end
        // No other one has a turn that it could use: free ones only become fewer.
        left[i] = (waits_q[i] || next_comes[i]) && (want[i*LANES+:LANES] & free) != '0;
      end
      before_d = before_q | {LANES{next_comes}};
      for (int i = 0; i < LANES; i++) if (next_comes[i]) before_d[i*LANES+:LANES] = next_comes & ~early;

      if (select == RANDOM) begin
        product = 19'(random_q[11:0]) * 19'(LANES);
        high = ~((LANES'(1) << product[12+:7]) - LANES'(1));
      end

      // The first that came, and what it takes; then the next one.
      for (int k = 0; k < LANES; k++) begin
        if (left != '0) begin
          behind = '0;
          for (int i = 0; i < LANES - 1; i++) begin
            if (left[i]) begin
              among = left & ~((LANES'(2) << i) - LANES'(1));
              behind = behind | (among & before_d[i*LANES+:LANES]);
              if ((among & ~before_d[i*LANES+:LANES]) != '0) behind[i] = 1'b1;
            end
          end
          one  = left & ~behind;
          among  = '0;
          late = '0;
          for (int i = 0; i < LANES; i++) begin
            if (one[i]) begin
              among  = among | want[i*LANES+:LANES];
              late = late | last[i*LANES+:LANES];
            end
          end
          good = among & free & ~late & (late == '0 ? '1 : clear);
          if (good == '0) good = among & free & late;
          near = good;
          case (select)
            RANDOM: if ((good & high) != '0) near = good & high;
            LEAST_RECENT: begin
              for (int o = 0; o < LANES - 1; o++) begin
                if (good[o]) begin
                  among = good & ~((LANES'(2) << o) - LANES'(1));
                  near = near & ~(among & older_q[o*LANES+:LANES]);
                  if ((among & ~older_q[o*LANES+:LANES]) != '0) near[o] = 1'b0;
                end
              end
            end
            MOST_ROOM: begin
              if ((good & empty) != '0) near = good & empty;
              else if ((good & room) != '0) near = good & room;
            end
            default: ;
          endcase
          pick = near & (~near + LANES'(1));
          free = free & ~pick;
          taken = taken | pick;
          if (pick != '0) has = has | one;
          for (int i = 0; i < LANES; i++) if (one[i] && pick != '0) want[i*LANES+:LANES] = pick;
          left = left & ~one;
        end
      end

      before_q <= before_d;
      last_q <= last;
      ask <= want;
      first <= has;
      waits_q <= ((waits_q & ~ends) | next_comes) & ~has;
      if (|taken) begin
        for (int o = 0; o < LANES; o++) older_q[o*LANES+:LANES] <= taken[o] ? taken : older_q[o*LANES+:LANES] | taken;
        if ((taken >> SINGLE) != '0) random_q <= (random_q >> 1) ^ (random_q[0] ? 16'hb400 : 16'd0);
      end
    end
    if (rst) begin
      ask <= '0;
      first <= '0;
      waits_q <= '0;
      older_q <= '1;
      random_q <= seed == '0 ? 16'd1 : seed;
    end
  end

`ifdef FORMAL
  // Any two inputs a and b, any two outputs x and y. All that may happen at an edge is said by what a takes: it takes something
  // if it can, nothing that one before it has taken, and of what was left to it the one that goes before by `select`. With
  // f_plain each set is one output, and then all is as in wh_order.
  localparam integer F_W = $clog2(LANES);
  logic f_started = 1'b0;
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
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) begin
      assume ($stable(early) && $stable(select) && $stable(seed));
      assume ((ends & ~(f_there & first)) == '0 && (next_comes & f_there & ~ends) == '0);
      assume ((empty & ~room) == '0);
    end
    for (int i = 0; i < LANES; i++)
      if (next_comes[i]) begin
        assume ((next_last[i*LANES+:LANES] & ~next_set[i*LANES+:LANES]) == '0);
        if (f_plain) begin
          assume (next_set[i*LANES+:LANES] != '0 && (next_set[i*LANES+:LANES] & (next_set[i*LANES+:LANES] - 1'b1)) == '0);
          assume ((next_set[i*LANES+:LANES] & ~ways[i*LANES+:LANES]) == '0);
        end
      end

    f_there <= rst ? '0 : (f_there & ~ends) | next_comes;
    for (int i = 0; i < LANES; i++)
      if (next_comes[i]) begin
        f_set[i*LANES+:LANES] <= next_set[i*LANES+:LANES] & ways[i*LANES+:LANES];
        f_last[i*LANES+:LANES] <= next_last[i*LANES+:LANES];
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

    if (f_started) begin
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
      cover (f_took[f_a] && f_late_x && ask[f_a*LANES+f_x] && f_set[f_a*LANES+f_y] && !f_late_y && !f_may_y);

      // For the induction.
      assert (waits_q == (f_there & ~first));
      assert (random_q == f_random_now);
      assert (f_x_older_now == (f_x < f_y ? older_q[f_x*LANES+f_y] : !older_q[f_y*LANES+f_x]));
      if (f_there[f_a] && f_there[f_b])
        assert (f_a_first == (f_a < f_b ? before_q[f_a*LANES+f_b] : !before_q[f_b*LANES+f_a]));
      for (int i = 0; i < LANES; i++) begin
        if (waits_q[i]) assert (last_q[i*LANES+:LANES] == f_last[i*LANES+:LANES]);
        if (f_there[i]) assert ((f_last[i*LANES+:LANES] & (f_plain ? '1 : ways[i*LANES+:LANES]) & ~f_set[i*LANES+:LANES]) == '0);
        for (int j = i + 1; j < LANES; j++) for (int k = j + 1; k < LANES; k++) begin
          // No circles of three; with those of two above, none at all.
          if (f_there[i] && f_there[j] && f_there[k]) begin
            assert (!(before_q[i*LANES+j] && before_q[j*LANES+k] && !before_q[i*LANES+k]));
            assert (!(!before_q[i*LANES+j] && !before_q[j*LANES+k] && before_q[i*LANES+k]));
          end
          assert (!(older_q[i*LANES+j] && older_q[j*LANES+k] && !older_q[i*LANES+k]));
          assert (!(!older_q[i*LANES+j] && !older_q[j*LANES+k] && older_q[i*LANES+k]));
        end
      end
      if (f_plain) begin
        for (int i = 0; i < LANES; i++) begin
          for (int j = i + 1; j < LANES; j++)
            if (f_there[i] && f_there[j]) begin
              assert (before_q[i*LANES+j] == \u_truth.before_q [i*LANES+j]);
              if (f_set[i*LANES+:LANES] == f_set[j*LANES+:LANES]) assert (!first[before_q[i*LANES+j]?j : i]);
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
