// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares the watchdog under random traffic with a count of the cycles in which nothing moves.
`default_nettype none

module watchdog_tb;
  localparam integer LIMIT_W = 8, CYCLES = 20000;
  wire clk, rst0;
  integer seed, state, still, raised;
  logic rst, armed, moved;
  logic [LIMIT_W-1:0] limit;
  wire stuck;
  logic expected;

  bench u_bench (
      .clk,
      .rst (rst0),
      .seed
  );
  watchdog #(.LIMIT_W(LIMIT_W)) u_dut (.clk, .rst, .armed, .moved, .limit, .stuck);

  initial begin
    rst = 1'b1;
    {armed, moved, limit, raised} = '0;
    wait (!rst0);
    state = seed;
    for (int cycle = 0; cycle < CYCLES; cycle++) begin
      @(negedge clk);
      if (cycle > 0 && stuck !== expected) $fatal(1, "stuck is %b after %0d still cycles of %0d", stuck, still, limit);
      rst = cycle % 200 == 0;
      if (rst) limit = LIMIT_W'($unsigned($random(state)) % 12);
      armed = $unsigned($random(state)) % 20 != 0;
      moved = $unsigned($random(state)) % 6 == 0;
      still = armed && !moved && !rst ? still + 1 : 0;
      if (rst) expected = 1'b0;
      else if (limit != 0 && still >= limit && !expected) begin
        expected = 1'b1;
        raised = raised + 1;
      end
    end
    if (raised == 0) $fatal(1, "never stuck");
    $display("PASS watchdog (seed %0d, %0d flits)", seed, raised);
    $finish;
  end
endmodule

`default_nettype wire
