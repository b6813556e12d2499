// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks that reset is active from the first cycle on, for 2^CYCLES_W - 1 cycles, and never again.
`default_nettype none

module power_on_reset_tb;
  localparam integer CYCLES_W = 4;
  integer seed, held;
  logic clk;
  wire rst;

  power_on_reset #(.CYCLES_W(CYCLES_W)) u_dut (.clk, .rst);

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    clk  = 1'b0;
    held = 0;
    for (int cycle = 0; cycle < 100 * seed; cycle++) begin
      #1 if (rst !== (cycle < (1 << CYCLES_W) - 1)) $fatal(1, "reset is %b in cycle %0d", rst, cycle);
      held = held + rst;
      clk  = 1'b1;
      #1 clk = 1'b0;
    end
    $display("PASS power_on_reset (seed %0d, %0d cycles)", seed, held);
    $finish;
  end
endmodule

`default_nettype wire
