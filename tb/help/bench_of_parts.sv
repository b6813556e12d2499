// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Clock, reset and seed of a testbench of several parts, and its end: when all of them are done it prints its PASS line, with
// the sum of what they have counted.
`default_nettype none

module bench_of_parts #(
    parameter NAME = "",  // of the module that is tested
    parameter COUNTED = "",  // what the parts count, in the plural
    parameter integer PARTS = 2,
    parameter integer CYCLES = 100000  // the testbench fails after these cycles
) (
    output wire              clk,
    output wire              rst,
    output wire integer      seed,
    input  wire [PARTS-1:0]  done,
    input  wire [31:0]       counts[PARTS]
);
  integer all;

  bench #(.CYCLES(CYCLES)) u_bench (.clk, .rst, .seed);
  always @(posedge clk)
    if (!rst && &done === 1'b1) begin
      all = 0;
      for (int i = 0; i < PARTS; i++) all = all + counts[i];
      $display("PASS %0s (seed %0d, %0d %0s)", NAME, seed, all, COUNTED);
      $finish;
    end
endmodule

`default_nettype wire
