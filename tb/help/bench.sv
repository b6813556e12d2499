// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Clock, reset and seed of a testbench, and its time limit.
`default_nettype none

module bench #(
    parameter integer CYCLES = 100000  // the testbench fails after these cycles
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
