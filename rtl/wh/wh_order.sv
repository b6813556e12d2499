// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Headers that wait at the inputs of a wormhole router, and which of them is next at each output: first come, first
// served. Part of wh_router, between wh_input, the route unit and wh_output. Of those that came in the same cycle the
// inputs in `early` are first, the highest of them before the others, and then the rest from the lowest up. A header
// waits for one output only, so one order of arrival among the inputs serves all outputs.
//
// Latency: none. asked, first and blocked follow from header, port, look and gone in the same cycle. Throughput: every
// output can change to another header in every cycle. There is a path from `gone` to `blocked` and none from `gone` to
// the other outputs.
//
// Ports:
// - early: one bit per input, constant after reset. Tie it to 0 for the order "lowest input first".
// - header: stays 1 until the cycle in which gone is 1; the next header of the same input may follow in the next cycle.
// - fresh: this header was not there in the cycle before. Only now is `port` looked at: the route unit gives the
//   output, below PORTS; later it may give anything. A header with a port of PORTS or more would wait for ever.
// - gone: the header crosses at this clock edge. Only a header that is there may go, and of those that wait for the
//   same output only the one in `first`.
// - asked, blocked: per output. asked counts every header that waits for it, blocked leaves out those that go now.
// - look: which entries of `first` the neighbour will use in this cycle. It is there for speed of simulation and may be
//   tied to all ones.
// - first: per output the number of an input. It means something only where asked and look are 1.
//
// Reset: rst = 1 at one edge forgets all headers. It must go with the reset of wh_input. Legal parameters: PORTS from 2
// to 64.
`default_nettype none

module wh_order #(
    parameter integer PORTS = 9,  // inputs and outputs, 2..64
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire  [       PORTS-1:0] early,    // inputs that go first when headers come together; constant
    // inputs
    input  wire  [       PORTS-1:0] header,   // a header is at the head; stays until it is gone
    output logic [       PORTS-1:0] fresh,    // the header was not there in the cycle before
    input  wire  [PORTS*PORT_W-1:0] port,     // output the header asks for, < PORTS; looked at only where fresh is 1
    input  wire  [       PORTS-1:0] gone,     // the header crosses at this edge
    // outputs
    output logic [       PORTS-1:0] asked,    // some header waits for this output
    input  wire  [       PORTS-1:0] look,     // `first` of this output is used; without it nothing is worked out, for speed of simulation
    output logic [PORTS*PORT_W-1:0] first,    // input whose turn it is; means something only where asked and look are 1
    output logic [       PORTS-1:0] blocked   // some header waits for this output and does not cross at this edge
);
  generate
    if (PORTS < 2 || PORTS > 64) illegal_PORTS u_illegal ();
  endgenerate

  logic [PORTS-1:0] known_q;  // headers that were there in the cycle before
  logic [PORTS*PORTS-1:0] request_q, request;  // bit o*PORTS+i: header i waits for output o
  logic [PORTS-1:0] asked_q;  // outputs for which one of the known headers waits
  logic [PORTS*PORTS-1:0] ahead_q, ahead;  // bit i*PORTS+j: header j came before header i

  assign fresh = header & ~known_q;

  always_comb begin : collect
    logic [PORTS*PORTS-1:0] all;
    logic [PORTS-1:0] any;
    all = request_q;
    any = asked_q;
    if (|fresh) begin
      for (int i = 0; i < PORTS; i++) begin
        if (fresh[i]) begin
          for (int o = 0; o < PORTS; o++) if (port[i*PORT_W+:PORT_W] == PORT_W'(o)) all[o*PORTS+i] = 1'b1;
          any = any | (PORTS'(1) << port[i*PORT_W+:PORT_W]);
        end
      end
    end
    request = all;
    asked   = any;
  end

  always_comb begin : queue
    logic [PORTS*PORTS-1:0] order;
    order = ahead_q;
    if (|fresh) begin
      for (int i = 0; i < PORTS; i++) begin
        if (!fresh[i]) order[i*PORTS+:PORTS] = ahead_q[i*PORTS+:PORTS] & ~fresh;
        else if (early[i]) order[i*PORTS+:PORTS] = known_q | (fresh & early & ~((PORTS'(2) << i) - PORTS'(1)));
        else order[i*PORTS+:PORTS] = known_q | (fresh & (early | ((PORTS'(1) << i) - PORTS'(1))));
      end
    end
    ahead = order;
  end

  always_comb begin : pick
    logic [PORTS*PORT_W-1:0] chosen;
    chosen = '0;
    if (|(look & asked)) begin
      for (int o = 0; o < PORTS; o++) begin
        if (look[o] && asked[o]) begin
          for (int i = 0; i < PORTS; i++)
            if (request[o*PORTS+i] && !(|(request[o*PORTS+:PORTS] & ahead[i*PORTS+:PORTS])))
              chosen[o*PORT_W+:PORT_W] = PORT_W'(i);
        end
      end
    end
    first = chosen;
  end

  always_comb begin : stay
    logic [PORTS-1:0] left;
    left = asked;
    if (|gone) for (int o = 0; o < PORTS; o++) left[o] = |(request[o*PORTS+:PORTS] & ~gone);
    blocked = left;
  end

  always_ff @(posedge clk) begin
    if (|fresh) ahead_q <= ahead;
    if (|fresh || |gone) begin
      known_q <= header & ~gone;
      asked_q <= blocked;
      request_q <= request & ~{PORTS{gone}};
    end
    if (rst) begin
      known_q   <= '0;
      asked_q   <= '0;
      request_q <= '0;
    end
  end

`ifdef FORMAL
  // Of any two headers that wait for the same output, the one that came first; who waits is overtaken by no one twice.
  logic f_started = 1'b0;
  logic [PORTS-1:0] f_waiting;  // there in the cycle before, and not gone
  logic [PORTS*PORT_W-1:0] f_port_q, f_port;  // where each is to go
  logic [PORTS-1:0] f_asked, f_stays;
  logic f_a_first;  // a came before b; meaningful while both are there
  logic f_overtaken;  // b went while a waited for the same output
  (* anyconst *) logic [PORT_W-1:0] f_any_a, f_any_b;
  wire [PORT_W-1:0] f_a = 32'(f_any_a) < PORTS ? f_any_a : PORT_W'(0);
  wire [PORT_W-1:0] f_b = 32'(f_any_b) < PORTS && f_any_b != f_a ? f_any_b : f_a == '0 ? PORT_W'(1) : PORT_W'(0);
  wire [PORT_W-1:0] f_to = f_port[f_a*PORT_W+:PORT_W];
  wire f_rivals = header[f_a] && header[f_b] && f_port[f_b*PORT_W+:PORT_W] == f_to;

  wire f_tie = early[f_a] != early[f_b] ? early[f_a] : early[f_a] ? f_a > f_b : f_a < f_b;
  wire f_a_goes = f_waiting[f_a] && f_waiting[f_b] ? f_a_first :
      f_waiting[f_a] == f_waiting[f_b] ? f_tie : f_waiting[f_a];

  always_comb begin
    f_port  = f_port_q;
    f_asked = '0;
    f_stays = '0;
    for (int i = 0; i < PORTS; i++) begin
      if (!f_waiting[i]) f_port[i*PORT_W+:PORT_W] = port[i*PORT_W+:PORT_W];
      for (int o = 0; o < PORTS; o++)
        if (header[i] && f_port[i*PORT_W+:PORT_W] == PORT_W'(o)) begin
          f_asked[o] = 1'b1;
          if (!gone[i]) f_stays[o] = 1'b1;
        end
    end
  end

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    assume ((gone & ~header) == '0);
    for (int i = 0; i < PORTS; i++) assume (32'(port[i*PORT_W+:PORT_W]) < PORTS);
    if (f_started) begin
      assume ($stable(early));
      assume ((f_waiting & ~header) == '0);
      if (f_rivals) assume (!gone[f_a_goes ? f_b : f_a]);
    end

    f_waiting <= header & ~gone;
    f_port_q <= f_port;
    f_a_first <= f_a_goes;
    f_overtaken <= header[f_a] && !gone[f_a] && (f_overtaken || (f_rivals && gone[f_b]));
    if (rst) begin
      f_waiting   <= '0;
      f_overtaken <= 1'b0;
    end

    if (f_started) begin
      assert (fresh == (header & ~f_waiting));
      assert (asked == f_asked);
      assert (blocked == f_stays);
      for (int o = 0; o < PORTS; o++)
        if (look[o] && asked[o]) begin
          assert (32'(first[o*PORT_W+:PORT_W]) < PORTS && header[first[o*PORT_W+:PORT_W]]);
          assert (f_port[first[o*PORT_W+:PORT_W]*PORT_W+:PORT_W] == PORT_W'(o));
        end
      if (look[f_to] && f_rivals) assert (first[f_to*PORT_W+:PORT_W] != (f_a_goes ? f_b : f_a));
      if (f_overtaken && f_rivals) assert (f_a_goes);

      cover (f_overtaken && gone[f_a] && f_rivals);
      cover (&header && |gone && early == PORTS'(2) && $past(fresh) == 0);
      cover ((asked & ~blocked) != '0 && blocked != '0 && fresh != '0);
    end

    // For the induction: what waits is strictly and totally ordered, as the model says.
    if (f_started) begin
      assert (known_q == f_waiting);
      if (f_waiting[f_a] && f_waiting[f_b])
        assert (ahead_q[f_b*PORTS+f_a] == f_a_first && ahead_q[f_a*PORTS+f_b] == !f_a_first);
      for (int i = 0; i < PORTS; i++) begin
        for (int o = 0; o < PORTS; o++)
          assert (request_q[o*PORTS+i] == (f_waiting[i] && f_port_q[i*PORT_W+:PORT_W] == PORT_W'(o)));
        assert (asked_q[i] == |request_q[i*PORTS+:PORTS]);
        if (f_waiting[i]) assert (!ahead_q[i*PORTS+i] && 32'(f_port_q[i*PORT_W+:PORT_W]) < PORTS);
        for (int j = 0; j < PORTS; j++) begin
          if (known_q[i] && known_q[j] && i != j) assert (ahead_q[i*PORTS+j] != ahead_q[j*PORTS+i]);
          for (int k = 0; k < PORTS; k++)
            if (known_q[i] && known_q[j] && known_q[k] && ahead_q[i*PORTS+j] && ahead_q[j*PORTS+k])
              assert (ahead_q[i*PORTS+k]);
        end
      end
    end
  end
`endif
endmodule

`default_nettype wire
