// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Against a model which remembers when each request rose.
`default_nettype none

module arbiter_tb;
  localparam integer N = 9, ROUNDS = 20000;
  wire clk, rst;
  integer seed, state, now, best, served;
  integer since[N];  // cycle in which the request rose, -1: down
  logic [N-1:0] early, request;
  logic taken;
  wire [3:0] winner;

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  arbiter #(
      .N(N)
  ) u_dut (
      .clk(clk),
      .rst(rst),
      .early(early),
      .request(request),
      .look(|request),
      .taken(taken),
      .winner(winner)
  );

  function precedes(input integer a, input integer b);
    begin
      if (since[a] != since[b]) precedes = since[a] < since[b];
      else if (early[a] != early[b]) precedes = early[a];
      else precedes = early[a] ? a > b : a < b;
    end
  endfunction

  initial begin
    wait (!rst);
    state = seed;
    early = N'($random(state));
    request = '0;
    taken = 1'b0;
    served = 0;
    for (int i = 0; i < N; i++) since[i] = -1;
    for (now = 0; now < ROUNDS; now = now + 1) begin
      @(negedge clk);
      for (int i = 0; i < N; i++)
        if (since[i] < 0 && $unsigned($random(state)) % 8 == 0) since[i] = now;
      for (int i = 0; i < N; i++) request[i] = since[i] >= 0;
      taken = |request && $unsigned($random(state)) % 2 == 0;
      best = -1;
      for (int i = 0; i < N; i++) if (request[i] && (best < 0 || precedes(i, best))) best = i;
      #1;
      if (best >= 0 && winner !== 4'(best)) $fatal(1, "%0d wins, %0d should (requests %b)", winner, best, request);
      if (taken) begin
        since[best] = -1;
        served = served + 1;
      end
    end
    $display("PASS arbiter (seed %0d, %0d flits)", seed, served);
    $finish;
  end
  initial begin
    early = '0;
    request = '0;
    taken = 1'b0;
  end
endmodule

`default_nettype wire
