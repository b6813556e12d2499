// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Does what wh_order does, for routers whose links have virtual channels: the same messages ask for the same outputs and have
// them at the same times, first come, first served. There are more inputs and outputs then, and it is known late in a cycle
// which flits leave, since the lanes of a link take turns. So what waits for nothing late is worked out before: which headers
// would come together for the same output, who is next when an output is given back, and whether anyone has asked for it.
// That is a shorter way through the logic, and takes longer to simulate with one virtual channel.
//
// Latency: one cycle from next_lane to ask and first. All outputs are registers. Throughput: every input can go on to
// another message in every cycle.
//
// Ports:
// - early, next_comes, next_lane: as early, next_comes, next_port of wh_order.
// - valid, next_valid: there is a flit at the head, and is after this edge.
// - next_at_once, next_behind, able, kept: what makes a header come. It comes at once, or behind a tail that leaves if it is
//   able to and not kept back; kept comes late, and is 0 where no message is. next_comes is next_at_once | (able & ~kept &
//   next_behind).
// - ends, gives: the tail of the message at this input, of the message that has this output, leaves at this edge.
// - stirs: 0 says that nothing of next_comes and ends is 1. It keeps idle logic quiet; 1 is always right. It should come early.
// - ask, asked: the output that the message at this input has asked for, by input and by output; 0 where there is no message.
// - first: the output is its own and it has a flit at the head. Exactly one of those that ask for an output has it, until its
//   tail leaves.
//
// BACK[i] = 0: a message at input i must not ask for an output of its own port. One that does so never has a turn; all others
// do.
//
// Reset: rst = 1 at one edge forgets all messages. It must go with the reset of wh_input. Legal parameters: LANES from 2 to 64.
`default_nettype none

module wh_claim #(
    parameter integer LANES = 9,  // inputs and outputs, 2..64
    parameter integer V = 2,  // as in wh_router
    parameter integer SINGLE = 1,
    parameter [LANES-1:0] BACK = {LANES{1'b1}},  // bit i: input i may ask for the outputs of its own port
    localparam integer LANE_W = $clog2(LANES)
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire  [      LANES-1:0] early,       // inputs that go first when headers come together; constant
    input  wire                    stirs,       // something may come or leave
    // inputs
    input  wire  [      LANES-1:0] next_comes,  // a header comes to the head at this edge
    input  wire  [LANES*LANE_W-1:0] next_lane,  // output that it asks for, < LANES
    input  wire  [      LANES-1:0] next_at_once,  // it comes to an empty buffer
    input  wire  [      LANES-1:0] next_behind,  // it comes if the flit at the head leaves
    input  wire  [      LANES-1:0] able,        // which does if the other lanes of its link let it
    input  wire  [      LANES-1:0] kept,        // they do not
    input  wire  [      LANES-1:0] valid,       // there is a flit at the head
    input  wire  [      LANES-1:0] next_valid,  // there is one after this edge
    input  wire  [      LANES-1:0] ends,        // a tail leaves at this edge
    // outputs
    input  wire  [      LANES-1:0] gives,       // the tail of the message that has it leaves at this edge
    // messages
    output logic [LANES*LANES-1:0] ask,         // bit i*LANES+o: the message at input i has asked for output o
    output logic [LANES*LANES-1:0] asked,       // the same as bit o*LANES+i
    output logic [      LANES-1:0] first        // the message at input i has its output, and a flit at the head
);
  if (LANES < 2 || LANES > 64) begin : g_LANES illegal_LANES u_illegal (); end

  // Bit i*LANES+o: input i may ask for output o.
  wire [LANES*LANES-1:0] ways;
  for (genvar i = 0; i < LANES; i++) begin : g_input
    for (genvar o = 0; o < LANES; o++) begin : g_output
      assign ways[i*LANES+o] = BACK[i] || (i < SINGLE || o < SINGLE ? i != o : (i - SINGLE) / V != (o - SINGLE) / V);
    end
  end

  logic [LANE_W*LANES-1:0] code_q;  // bit k*LANES+i: bit k of the number of the output that input i asked for last
  logic [LANES*LANES-1:0] before_q;  // bit i*LANES+j, for i < j only: the message at input i came before that at input j
  wire [LANES-1:0] waits = valid & ~first;  // inputs whose message waits for its turn

  for (genvar i = 0; i < LANES; i++) begin : g_asked
    for (genvar o = 0; o < LANES; o++) begin : g_output
      assign asked[o*LANES+i] = ask[i*LANES+o];
    end
  end

  always_ff @(posedge clk) begin : queue
    logic [LANES-1:0] more, busy, behind, same, want, legal, comes, rivals, fresh, freed;
    logic [LANE_W*LANES-1:0] code;
    logic [LANES*LANES-1:0] before_d;
    want = '0;
    fresh = 'x;  // with a header that comes, not looked at else: its output is not free
    freed = '0;
    comes = '0;
    if (stirs) begin
      // The messages that wait behind another one that waits for the same output.
      behind = 'x;
      if (waits != '0) begin
        behind = '0;
        for (int i = 0; i < LANES - 1; i++) begin
          same = ~((LANES'(2) << i) - LANES'(1));
          for (int k = 0; k < LANE_W; k++) same = same & ~(code_q[k*LANES+:LANES] ^ {LANES{code_q[k*LANES+i]}});
          behind = behind | (same & before_q[i*LANES+:LANES] & {LANES{waits[i]}});
          if ((same & ~before_q[i*LANES+:LANES] & waits) != '0) behind[i] = 1'b1;
        end
      end
      // The outputs that a message wants which stays.
      more = '0;
      busy = '0;
      for (int i = 0; i < LANES; i++) begin
        more = more | (ask[i*LANES+:LANES] & {LANES{waits[i]}});
        busy = busy | ask[i*LANES+:LANES];
      end
      busy = more | (busy & ~gives);
      for (int i = 0; i < LANES; i++) begin
        want = (LANES'(1) << next_lane[i*LANE_W+:LANE_W]) & ways[i*LANES+:LANES];
        legal[i] = want != '0;
        fresh[i] = (want & busy) != '0;
        freed[i] = !behind[i] && (ask[i*LANES+:LANES] & gives) != '0;
        for (int k = 0; k < LANE_W; k++) code[k*LANES+i] = next_lane[i*LANE_W+k];
      end
      // next_comes, as far as it is legal, in a form in which what is late comes in last.
      comes = (legal & (next_at_once | (able & next_behind))) & ~kept;
      // Another one goes first among those that come together for one output.
      for (int i = 0; i < LANES; i++) begin
        rivals = (early & ~((LANES'(2) << i) - LANES'(1))) | ({LANES{!early[i]}} & ((LANES'(1) << i) - LANES'(1)));
        for (int k = 0; k < LANE_W; k++) rivals = rivals & ~(code[k*LANES+:LANES] ^ {LANES{code[k*LANES+i]}});
        fresh[i] = fresh[i] || (rivals & comes) != '0;
      end
      before_d = before_q | {LANES{next_comes}};
      for (int i = 0; i < LANES; i++) if (next_comes[i]) before_d[i*LANES+:LANES] = next_comes & ~early;
      before_q <= before_d;
    end
    for (int i = 0; i < LANES; i++) begin
      if (next_comes[i]) for (int k = 0; k < LANE_W; k++) code_q[k*LANES+i] <= next_lane[i*LANE_W+k];
      if (next_comes[i] || ends[i]) begin
        want = (LANES'(1) << next_lane[i*LANE_W+:LANE_W]) & ways[i*LANES+:LANES];
        ask[i*LANES+:LANES] <= want & {LANES{next_comes[i]}};
      end
    end
    // A message that must not ask is as good as one that is first: it asks for nothing.
    first <= (comes & ~fresh) | (~comes & next_valid & (~waits | freed));
    if (rst) begin
      ask <= '0;
      first <= '0;
    end
  end

`ifdef FORMAL
  // It is as wh_order, whatever comes.
  logic [LANES-1:0] f_there;
  wire [LANES*LANES-1:0] f_ask, f_asked;
  wire [LANES-1:0] f_first;
  wh_order #(.PORTS(LANES)) u_truth (
      .clk, .rst, .early, .next_comes,
      .next_port(next_lane),
      .ends,
      .ask(f_ask),
      .asked(f_asked),
      .first(f_first)
  );

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) begin
      assume ($stable(early));
      assume ((ends & ~(f_there & f_first)) == '0 && (next_comes & f_there & ~ends) == '0);
      for (int o = 0; o < LANES; o++) assume (gives[o] == |(f_asked[o*LANES+:LANES] & ends));
    end
    assume (stirs || (next_comes | ends) == '0);
    assume (next_comes == (next_at_once | (able & ~kept & next_behind)));
    if (!$initstate) begin
      assume (((next_at_once & f_there) | (kept & ~f_there)) == '0);
      assume (valid == ($past(rst) ? '0 : $past(next_valid)));
      assume ((next_comes & ~next_valid) == '0 && (next_valid & ~next_comes & (ends | ~f_there)) == '0);
      assume (((ends | (f_there & ~f_first & ~next_comes)) & ~valid) == '0);
      assume ((f_there & ~f_first & ~next_valid) == '0);
    end
    for (int i = 0; i < LANES; i++) begin
      assume (32'(next_lane[i*LANE_W+:LANE_W]) < LANES);
      if (next_comes[i]) assume (ways[i*LANES+next_lane[i*LANE_W+:LANE_W]]);
    end
    f_there <= rst ? '0 : (f_there & ~ends) | next_comes;

    if (!$initstate) begin
      assert (ask == f_ask);
      for (int i = 0; i < LANES; i++) begin
        // Single ports are ports of their own; V lanes make each of the others.
        for (int o = 0; o < LANES; o++)
          assert (ways[i*LANES+o] == (BACK[i] || (i < SINGLE ? i : SINGLE + (i - SINGLE) / V) !=
                                      (o < SINGLE ? o : SINGLE + (o - SINGLE) / V)));
        assert (first[i] == (f_there[i] && f_first[i] && valid[i]));
        for (int o = 0; o < LANES; o++) assert (asked[o*LANES+i] == ask[i*LANES+o]);
      end

      cover (&f_there && first != '0 && (first & (first - 1'b1)) == '0);
      cover (&f_there && waits[0] && $past(waits[0]) && |$past(ends & next_comes));
    end
  end
`endif
endmodule

`default_nettype wire
