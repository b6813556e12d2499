// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares wh_order with a model that remembers when each header came.
`default_nettype none

module wh_order_tb;
  localparam integer PORTS = 9, ROUNDS = 3000;
  localparam logic [PORTS-1:0] BACK = PORTS'(5);
  wire clk, rst;
  integer seed, state, now, served;
  integer since[PORTS];  // cycle in which the message's header came to the head, -1: there is none
  integer wants[PORTS], best[PORTS];  // wants: of an input the output; best: of an output the first input, -1: none
  logic [PORTS-1:0] early, next_comes, ends;
  logic [PORTS*4-1:0] next_port;
  wire [PORTS*PORTS-1:0] ask, asked;
  wire [PORTS-1:0] first;

  bench u_bench (.clk, .rst, .seed);
  wh_order #(
      .PORTS(PORTS),
      .BACK (BACK)
  ) u_dut (.clk, .rst, .early, .next_comes, .next_port, .ends, .ask, .asked, .first);

  function precedes(input integer a, input integer b);
    if (since[a] != since[b]) precedes = since[a] < since[b];
    else if (early[a] != early[b]) precedes = early[a];
    else precedes = early[a] ? a > b : a < b;
  endfunction

  // True if input i may request output o; a message that may not is never served, and no message behind it.
  function permitted(input integer i, input integer o);
    permitted = i != o || BACK[i];
  endfunction

  initial begin
    {early, next_comes, ends, next_port} = '0;
    wait (!rst);
    @(negedge clk);
    state = seed;
    repeat (2) early = PORTS'($random(state));  // a small seed's first number ends in zeros
    served = 0;
    for (int i = 0; i < PORTS; i++) since[i] = -1;
    for (now = 0; now < ROUNDS; now = now + 1) begin
      // Compares the requests and grants of this cycle before the edge.
      #1;
      for (int o = 0; o < PORTS; o++) begin
        best[o] = -1;
        for (int i = 0; i < PORTS; i++)
          if (since[i] >= 0 && wants[i] == o && (best[o] < 0 || precedes(i, best[o]))) best[o] = i;
      end
      for (int i = 0; i < PORTS; i++)
        for (int o = 0; o < PORTS; o++) begin
          if (ask[i*PORTS+o] !== (since[i] >= 0 && wants[i] == o && permitted(i, o)))
            $fatal(1, "cycle %0d: input %0d asks for %b", now, i, ask[i*PORTS+:PORTS]);
          if (asked[o*PORTS+i] !== ask[i*PORTS+o]) $fatal(1, "cycle %0d: ask and asked differ", now);
          if (ask[i*PORTS+o] && first[i] !== (best[o] == i))
            $fatal(1, "cycle %0d: output %0d: first is %b, should be %0d", now, o, first, best[o]);
        end
      // Tails leave, rarely those of messages that may not request their output; headers come where there is room.
      for (int i = 0; i < PORTS; i++) begin
        ends[i] = since[i] >= 0 && best[wants[i]] == i && $unsigned($random(state)) % (permitted(i, wants[i]) ? 2 : 16) == 0;
        next_comes[i] = $unsigned($random(state)) % 4 == 0 && (since[i] < 0 || ends[i]);
        if (ends[i]) begin
          since[i] = -1;
          served = served + 1;
        end
        if (next_comes[i]) begin
          since[i] = now;
          wants[i] = $unsigned($random(state)) % (now % 1000 < 500 ? PORTS : 2);
        end
        // The module uses it only for a header that comes.
        next_port[i*4+:4] = next_comes[i] ? 4'(wants[i]) : 4'($random(state));
      end
      @(negedge clk);
      #0;
    end
    $display("PASS wh_order (seed %0d, %0d flits)", seed, served);
    $finish;
  end
endmodule

`default_nettype wire
