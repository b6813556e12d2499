// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Programs that wait, and programs that are fed while they run, in a whole node: see node_times_bench.
`default_nettype none

module node_times_tb;
  wire clk, rst, finished;
  integer seed, checked;

  bench u_bench (.clk, .rst, .seed);
  node_times_bench u_node (.clk, .rst, .seed, .checked, .finished);
  always @(posedge clk)
    if (finished) begin
      $display("PASS node_times (seed %0d, %0d entries)", seed, checked);
      $finish;
    end
endmodule

`default_nettype wire
