// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Lattice iCE40-HX8K breakout board: UART is channel B of its FT2232H. Lamps: 0 activity, 1 fault, 2 running, 7 power.
`default_nettype none

module board_hx8k #(
    parameter integer DIM = 2  // dimensions of the cube, as many as fit
) (
    input  wire        clk,      // 12 MHz
    input  wire        rx,       // from the FT2232H
    output logic       tx,
    output logic [7:0] led
);
  logic rst, activity, fault, running;

  power_on_reset u_reset (
      .clk(clk),
      .rst(rst)
  );

  board_core #(
      .CLOCK_HZ(12000000),
      .BAUD(3000000),
      .DIM(DIM)
  ) u_core (
      .clk(clk),
      .rst(rst),
      .rx(rx),
      .tx(tx),
      .activity(activity),
      .fault(fault),
      .running(running)
  );

  assign led = {1'b1, 4'd0, running, fault, activity};
endmodule

`default_nettype wire
