// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Arbiter of a wormhole router: keeps which output each message (worm) at the inputs asks for, and in which order the
// messages arrived: first come, first served. wh_router has it between wh_input, the route unit and wh_output. A message is
// in the order from the cycle in which its header is at the head of its input until its tail leaves, and goes before all
// that arrive later; so a message that has its output keeps it. Of headers that arrive in the same cycle, those at inputs
// in `early` go first, from the highest input down, then the others from the lowest input up. A message asks for one output
// only, so one order among the inputs serves all outputs.
//
// Latency: one cycle from next_port to ask and first. All outputs are registers. Throughput: every input can go on to
// another message in every cycle.
//
// Ports:
// - early: one bit per input, constant after reset. Tie it to 0 for the order "lowest input first".
// - next_comes: a header comes to the head of this input at this edge; the message that was there, if any, ends at this
//   edge or has ended. next_port, looked at only then, is the number of the output that it asks for, below PORTS.
// - ends: the tail of the message at this input leaves at this edge.
// - ask, asked: the outputs that the messages have asked for, by input and by output. 0 where there is no message.
// - first: no message that asks for the same output came before that of this input. It means something only for inputs
//   with a message; of those that ask for the same output exactly one is first, and stays so until it ends.
//
// BACK[p] = 0: input p must not ask for output p. A message that does so has no bit in ask, but its place in the order.
//
// Reset: rst = 1 at one edge forgets all messages. It must go with the reset of wh_input. Legal parameters: PORTS from 2
// to 64.
`default_nettype none

module wh_order #(
    parameter integer PORTS = 9,  // inputs and outputs, 2..64
    parameter [PORTS-1:0] BACK = {PORTS{1'b1}},  // bit p: input p may ask for output p
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire  [      PORTS-1:0] early,       // inputs that go first when headers come together; constant
    // inputs
    input  wire  [      PORTS-1:0] next_comes,  // a header comes to the head at this edge
    input  wire  [PORTS*PORT_W-1:0] next_port,  // output that it asks for, < PORTS
    input  wire  [      PORTS-1:0] ends,        // a tail leaves at this edge
    // messages
    output logic [PORTS*PORTS-1:0] ask,         // bit i*PORTS+o: the message at input i has asked for output o
    output logic [PORTS*PORTS-1:0] asked,       // the same as bit o*PORTS+i
    output logic [      PORTS-1:0] first        // no other that asks for the same came before it
);
  if (PORTS < 2 || PORTS > 64) begin : g_PORTS illegal_PORTS u_illegal (); end

  localparam integer CODE_W = $clog2(PORTS + 1);

  // The output asked for as a number, bit k*PORTS+i is bit k of it at input i: ~o for output o, 0 for none. `ask` is the
  // same with one bit per output: comparing takes less logic with the one, choosing with the other.
  logic [CODE_W*PORTS-1:0] code_q;
  logic [PORTS*PORTS-1:0] before_q;  // bit i*PORTS+j, for i < j only: the message at input i came before that at input j

  always_ff @(posedge clk) begin : queue
    logic [CODE_W*PORTS-1:0] code;
    logic [PORTS*PORTS-1:0] before_d;
    logic [CODE_W-1:0] name;
    logic [PORTS-1:0] behind, same;
    code = code_q;
    before_d = before_q;
    name = '0;
    behind = '0;
    same = '0;
    if (|(next_comes | ends)) begin
      for (int i = 0; i < PORTS; i++) begin
        if (ends[i] || next_comes[i]) begin
          name = {CODE_W{next_comes[i]}};
          name[PORT_W-1:0] = name[PORT_W-1:0] & ~next_port[i*PORT_W+:PORT_W];
          for (int k = 0; k < CODE_W; k++) code[k*PORTS+i] = name[k];
          for (int o = 0; o < PORTS; o++) begin
            ask[i*PORTS+o] <= &(name ^ CODE_W'(o)) && (o != i || BACK[i]);
            asked[o*PORTS+i] <= &(name ^ CODE_W'(o)) && (o != i || BACK[i]);
          end
        end
      end
      before_d = before_q | {PORTS{next_comes}};
      for (int i = 0; i < PORTS; i++) if (next_comes[i]) before_d[i*PORTS+:PORTS] = next_comes & ~early;
      for (int i = 0; i < PORTS - 1; i++) begin
        same = ~((PORTS'(2) << i) - PORTS'(1));
        for (int k = 0; k < CODE_W; k++) same = same & ~(code[k*PORTS+:PORTS] ^ {PORTS{code[k*PORTS+i]}});
        behind = behind | (same & before_d[i*PORTS+:PORTS]);
        if ((same & ~before_d[i*PORTS+:PORTS]) != '0) behind[i] = 1'b1;
      end
      code_q <= code;
      before_q <= before_d;
      first <= ~behind;
    end
    if (rst) begin
      ask <= '0;
      asked <= '0;
      code_q <= '0;
    end
  end

`ifdef FORMAL
  // The one that came first of any two messages that ask for the same output.
  localparam integer F_W = $clog2(PORTS);
  logic [PORTS-1:0] f_there;  // there is a message
  logic [PORTS*PORT_W-1:0] f_port;  // what it asks for
  logic f_a_first;  // a came before b; meaningful while both are there
  (* anyconst *) logic [F_W-1:0] f_any_a, f_any_b;
  wire [F_W-1:0] f_a = 32'(f_any_a) < PORTS ? f_any_a : F_W'(0);
  wire [F_W-1:0] f_b = 32'(f_any_b) < PORTS && f_any_b != f_a ? f_any_b : f_a == '0 ? F_W'(1) : F_W'(0);
  wire [PORT_W-1:0] f_port_a = f_port[f_a*PORT_W+:PORT_W];
  wire f_rivals = f_there[f_a] && f_there[f_b] && f_port_a == f_port[f_b*PORT_W+:PORT_W];
  wire f_tie = early[f_a] != early[f_b] ? early[f_a] : early[f_a] ? f_a > f_b : f_a < f_b;
  logic [PORTS-1:0] f_firsts;  // first of those that ask for what a asks for
  always_comb
    for (int i = 0; i < PORTS; i++) f_firsts[i] = f_there[i] && first[i] && f_port[i*PORT_W+:PORT_W] == f_port_a;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) begin
      assume ($stable(early));
      assume ((ends & ~f_there) == '0 && (next_comes & f_there & ~ends) == '0);
    end
    for (int i = 0; i < PORTS; i++) if (next_comes[i]) assume (32'(next_port[i*PORT_W+:PORT_W]) < PORTS);

    f_there <= rst ? '0 : (f_there & ~ends) | next_comes;
    for (int i = 0; i < PORTS; i++) if (next_comes[i]) f_port[i*PORT_W+:PORT_W] <= next_port[i*PORT_W+:PORT_W];
    if (next_comes[f_a] || next_comes[f_b]) f_a_first <= next_comes[f_a] && next_comes[f_b] ? f_tie : next_comes[f_b];

    if (!$initstate) begin
      for (int i = 0; i < PORTS; i++)
        for (int o = 0; o < PORTS; o++) begin
          assert (ask[i*PORTS+o] == (f_there[i] && f_port[i*PORT_W+:PORT_W] == PORT_W'(o) && (i != o || BACK[i])));
          assert (asked[o*PORTS+i] == ask[i*PORTS+o]);
        end
      if (f_rivals) assert (!first[f_a_first ? f_b : f_a]);
      if (f_there[f_a]) assert (f_firsts != '0 && (f_firsts & (f_firsts - 1'b1)) == '0);
      if (!$past(rst) && $past(f_there[f_a] && first[f_a] && !ends[f_a])) assert (first[f_a]);

      cover (f_rivals && first[f_a] && $past(f_rivals && first[f_b] && ends[f_b] && next_comes[f_b]));
      cover (&f_there && first == PORTS'(2) && early == PORTS'(2));

      // For the induction: what came is strictly and totally ordered, as the model says.
      if (f_there[f_a] && f_there[f_b])
        assert (f_a_first == (f_a < f_b ? before_q[f_a*PORTS+f_b] : !before_q[f_b*PORTS+f_a]));
      for (int i = 0; i < PORTS; i++) begin
        for (int k = 0; k < CODE_W; k++)
          assert (code_q[k*PORTS+i] == (f_there[i] && (k >= PORT_W || !f_port[i*PORT_W+k%PORT_W])));
        if (f_there[i]) assert (32'(f_port[i*PORT_W+:PORT_W]) < PORTS);
        for (int j = i + 1; j < PORTS; j++) begin
          if (f_there[i] && f_there[j] && f_port[i*PORT_W+:PORT_W] == f_port[j*PORT_W+:PORT_W])
            assert (!first[before_q[i*PORTS+j]?j : i]);
          // No circles of three; with those of two above, none at all.
          for (int k = j + 1; k < PORTS; k++)
            if (f_there[i] && f_there[j] && f_there[k]) begin
              assert (!(before_q[i*PORTS+j] && before_q[j*PORTS+k] && !before_q[i*PORTS+k]));
              assert (!(!before_q[i*PORTS+j] && !before_q[j*PORTS+k] && before_q[i*PORTS+k]));
            end
        end
      end
    end
  end
`endif
endmodule

`default_nettype wire
