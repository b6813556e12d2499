// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Against a model which remembers when each header came.
`default_nettype none

module wh_order_tb;
  localparam integer PORTS = 9, ROUNDS = 3000;
  wire clk, rst;
  integer seed, state, now, served;
  integer since[PORTS];  // cycle in which the header came, -1: none
  integer wants[PORTS], best[PORTS];  // the output it asks for; of an output, whose turn it is, -1: none
  logic [PORTS-1:0] early, header, gone, crosses, stays, look;
  logic [PORTS*4-1:0] port;
  wire [PORTS-1:0] fresh, asked, blocked;
  wire [PORTS*4-1:0] first;

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  wh_order #(
      .PORTS(PORTS)
  ) u_dut (
      .clk(clk),
      .rst(rst),
      .early(early),
      .header(header),
      .fresh(fresh),
      .port(port),
      .gone(gone),
      .asked(asked),
      .look(look),
      .first(first),
      .blocked(blocked)
  );

  function precedes(input integer a, input integer b);
    begin
      if (since[a] != since[b]) precedes = since[a] < since[b];
      else if (early[a] != early[b]) precedes = early[a];
      else precedes = early[a] ? a > b : a < b;
    end
  endfunction

  initial begin
    early = '0;
    header = '0;
    gone = '0;
    look = '0;
    port = '0;
    wait (!rst);
    state = seed;
    early = PORTS'($random(state));
    served = 0;
    for (int i = 0; i < PORTS; i++) since[i] = -1;
    for (now = 0; now < ROUNDS; now = now + 1) begin
      @(negedge clk);
      gone = '0;
      crosses = PORTS'($random(state));
      look = PORTS'($random(state));
      for (int i = 0; i < PORTS; i++) begin
        if (since[i] < 0 && $unsigned($random(state)) % 8 == 0) begin
          since[i] = now;
          wants[i] = $unsigned($random(state)) % (now % 1000 < 500 ? PORTS : 2);
        end
        header[i] = since[i] >= 0;
        // Looked at in the cycle in which the header comes, and in no other.
        port[i*4+:4] = since[i] == now ? 4'(wants[i]) : 4'($unsigned($random(state)) % PORTS);
      end
      stays = '0;
      for (int o = 0; o < PORTS; o++) begin
        best[o] = -1;
        for (int i = 0; i < PORTS; i++)
          if (header[i] && wants[i] == o && (best[o] < 0 || precedes(i, best[o]))) best[o] = i;
        if (best[o] >= 0 && crosses[o]) gone[best[o]] = 1'b1;
      end
      for (int i = 0; i < PORTS; i++) if (header[i] && !gone[i]) stays[wants[i]] = 1'b1;
      #1;
      if (blocked !== stays) $fatal(1, "blocked is %b, should be %b", blocked, stays);
      for (int i = 0; i < PORTS; i++)
        if (fresh[i] !== (since[i] == now)) $fatal(1, "header %0d came in %0d, in %0d fresh is %b", i, since[i], now, fresh[i]);
      for (int o = 0; o < PORTS; o++) begin
        if (asked[o] !== (best[o] >= 0)) $fatal(1, "output %0d: asked is %b", o, asked[o]);
        if (look[o] && best[o] >= 0 && first[o*4+:4] !== 4'(best[o]))
          $fatal(1, "output %0d: %0d is first, %0d should", o, first[o*4+:4], best[o]);
      end
      for (int i = 0; i < PORTS; i++)
        if (gone[i]) begin
          since[i] = -1;
          served = served + 1;
        end
    end
    $display("PASS wh_order (seed %0d, %0d flits)", seed, served);
    $finish;
  end
endmodule

`default_nettype wire
