// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Runs what sw/examples/amaranth_fabric.py wrote for CYCLES cycles. Frames of four beats take five cycles each. Ends in
// "PASS amaranth ..." or in $fatal.
`default_nettype none

module demo_tb;
  localparam integer CYCLES = 1000;
  logic clk = 1'b0, rst = 1'b1;
  wire [15:0] right, wrong;

  demo u_demo (
      .clk(clk),
      .rst(rst),
      .right(right),
      .wrong(wrong)
  );

  always #1 clk = !clk;

  initial begin
    repeat (4) @(negedge clk);
    rst = 1'b0;
    repeat (CYCLES) @(negedge clk);
    if (wrong !== 16'd0) $fatal(1, "%0d beats are not as they were sent", wrong);
    if (right < 16'(CYCLES * 4 / 5 - 20) || right > 16'(CYCLES * 4 / 5))
      $fatal(1, "%0d beats in %0d cycles", right, CYCLES);
    $display("PASS amaranth %0d beats in %0d cycles", right, CYCLES);
    $finish;
  end
endmodule

`default_nettype wire
