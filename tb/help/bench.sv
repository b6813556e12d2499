// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Clock, reset, seed and the end of a testbench's time.
`default_nettype none

module bench #(
    parameter integer CYCLES = 100000  // after which the testbench has failed
) (
    output logic   clk,
    output logic   rst,
    output integer seed
);
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    clk = 1'b0;
    rst = 1'b1;
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    repeat (CYCLES) @(posedge clk);
    $fatal(1, "no end after %0d cycles (seed %0d)", CYCLES, seed);
  end
  always #5 clk = !clk;
endmodule

`default_nettype wire
