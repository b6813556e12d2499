// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// What wh_order does, for routers whose links have virtual channels: the same messages ask for the same outputs and have
// them at the same times, first come, first served. There are more inputs and outputs then, and it is known late in a cycle
// which tails leave, since the lanes of a link take turns. So here each output has an owner, in a register, and what
// waits for nothing late is worked out before: who is next when the output is given back, and whether anyone has asked for it.
// That is a shorter way through the logic, and takes longer to simulate with one virtual channel.
//
// Latency: one cycle from next_lane to ask and owns. All outputs are registers. Throughput: every input can go on to
// another message in every cycle.
//
// Ports:
// - early, next_comes, next_lane: as early, next_comes, next_port of wh_order.
// - ends, gives: the tail of the message at this input, of the message that has this output, leaves at this edge.
// - stirs: 0 says that nothing of next_comes and ends is 1. It keeps idle logic quiet; 1 is always right. It should come early.
// - ask: the output that the message at this input has asked for; 0 where there is no message.
// - owns, owner: the same, by input and by output, of those alone whose turn it is: exactly one of those that ask for
//   an output has it, until its tail leaves.
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
    input  wire  [      LANES-1:0] ends,        // a tail leaves at this edge
    // outputs
    input  wire  [      LANES-1:0] gives,       // the tail of the message that has it leaves at this edge
    // messages
    output logic [LANES*LANES-1:0] ask,         // bit i*LANES+o: the message at input i has asked for output o
    output logic [LANES*LANES-1:0] owns,        // bit i*LANES+o: and has it
    output logic [LANES*LANES-1:0] owner        // the same as bit o*LANES+i
);
  generate
    if (LANES < 2 || LANES > 64) illegal_LANES u_illegal ();
  endgenerate

  // Bit i*LANES+o: input i may ask for output o.
  wire [LANES*LANES-1:0] ways;
  generate
    for (genvar i = 0; i < LANES; i++) begin : g_input
      for (genvar o = 0; o < LANES; o++) begin : g_output
        assign ways[i*LANES+o] = BACK[i] || (i < SINGLE || o < SINGLE ? i != o : (i - SINGLE) / V != (o - SINGLE) / V);
      end
    end
  endgenerate

  logic [LANE_W*LANES-1:0] code_q;  // bit k*LANES+i: bit k of the number of the output that input i asked for last
  logic [LANES*LANES-1:0] before_q;  // bit i*LANES+j, for i < j only: the message at input i came before that at input j

  always_ff @(posedge clk) begin : queue
    logic [LANES-1:0] more, had, waits, behind, same, ahead;
    logic [LANES*LANES-1:0] wants, gets, before_d;
    wants = '0;
    gets = '0;
    if (stirs) begin
      // Who waits, for what, and behind another one that waits for the same.
      more   = '0;
      had    = '0;
      waits  = '0;
      behind = '0;
      for (int i = 0; i < LANES; i++) begin
        more = more | (ask[i*LANES+:LANES] & ~owns[i*LANES+:LANES]);
        had = had | owns[i*LANES+:LANES];
        waits[i] = (ask[i*LANES+:LANES] & ~owns[i*LANES+:LANES]) != '0;
      end
      if (waits != '0) begin
        for (int i = 0; i < LANES - 1; i++) begin
          same = ~((LANES'(2) << i) - LANES'(1));
          for (int k = 0; k < LANE_W; k++) same = same & ~(code_q[k*LANES+:LANES] ^ {LANES{code_q[k*LANES+i]}});
          behind = behind | (same & before_q[i*LANES+:LANES] & {LANES{waits[i]}});
          if ((same & ~before_q[i*LANES+:LANES] & waits) != '0) behind[i] = 1'b1;
        end
      end
      for (int i = 0; i < LANES; i++)
        if (next_comes[i])
          wants[i*LANES+:LANES] = (LANES'(1) << next_lane[i*LANE_W+:LANE_W]) & ways[i*LANES+:LANES];
      // One that comes has its output at once if nobody wants it who stays or who came with it and goes first. Those are
      // taken together from the last one down: no part of it is that of another input, and so it is a shallow tree.
      for (int i = 0; i < LANES; i++) begin
        if (next_comes[i]) begin
          ahead = '0;
          for (int j = LANES - 1; j >= 0; j--)
            if (j < i ? !early[i] : j > i && early[j]) ahead = ahead | wants[j*LANES+:LANES];
          gets[i*LANES+:LANES] = wants[i*LANES+:LANES] & ~(ahead | more | (had & ~gives));
        end else begin
          gets[i*LANES+:LANES] = ways[i*LANES+:LANES] & ((owns[i*LANES+:LANES] & ~gives) |
              (ask[i*LANES+:LANES] & ~owns[i*LANES+:LANES] & gives & {LANES{~behind[i]}}));
        end
        if (next_comes[i] || ends[i]) ask[i*LANES+:LANES] <= wants[i*LANES+:LANES];
        if (next_comes[i] || ends[i] || waits[i]) begin
          owns[i*LANES+:LANES] <= gets[i*LANES+:LANES];
          for (int o = 0; o < LANES; o++) owner[o*LANES+i] <= gets[i*LANES+o];
        end
      end
      before_d = before_q | {LANES{next_comes}};
      for (int i = 0; i < LANES; i++) begin
        if (next_comes[i]) begin
          before_d[i*LANES+:LANES] = next_comes & ~early;
          for (int k = 0; k < LANE_W; k++) code_q[k*LANES+i] <= next_lane[i*LANE_W+k];
        end
      end
      before_q <= before_d;
    end
    if (rst) begin
      ask   <= '0;
      owns  <= '0;
      owner <= '0;
    end
  end

`ifdef FORMAL
  // It is as wh_order, whatever comes.
  logic f_started = 1'b0;
  logic [LANES-1:0] f_there;
  wire [LANES*LANES-1:0] f_ask, f_asked;
  wire [LANES-1:0] f_first;
  wh_order #(
      .PORTS(LANES)
  ) u_truth (
      .clk(clk),
      .rst(rst),
      .early(early),
      .next_comes(next_comes),
      .next_port(next_lane),
      .ends(ends),
      .ask(f_ask),
      .asked(f_asked),
      .first(f_first)
  );

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) begin
      assume ($stable(early));
      assume ((ends & ~(f_there & f_first)) == '0 && (next_comes & f_there & ~ends) == '0);
      for (int o = 0; o < LANES; o++) assume (gives[o] == |(f_asked[o*LANES+:LANES] & ends));
    end
    assume (stirs || (next_comes | ends) == '0);
    for (int i = 0; i < LANES; i++) begin
      assume (32'(next_lane[i*LANE_W+:LANE_W]) < LANES);
      if (next_comes[i]) assume (ways[i*LANES+next_lane[i*LANE_W+:LANE_W]]);
    end
    f_there <= rst ? '0 : (f_there & ~ends) | next_comes;

    if (f_started) begin
      assert (ask == f_ask);
      for (int i = 0; i < LANES; i++) begin
        assert (owns[i*LANES+:LANES] == (f_ask[i*LANES+:LANES] & {LANES{f_first[i]}}));
        for (int o = 0; o < LANES; o++) assert (owner[o*LANES+i] == owns[i*LANES+o]);
      end

      cover (&f_there && owns != '0 && (owns & (owns - 1'b1)) == '0);
      cover (&f_there && owns[LANES-1:0] == '0 && $past(owns[LANES-1:0] == '0) && |$past(ends & next_comes));
    end
  end
`endif
endmodule

`default_nettype wire
