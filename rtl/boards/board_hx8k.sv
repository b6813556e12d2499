// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Top of the Lattice iCE40-HX8K breakout board: a binary cube behind a UART of 3 Mbaud, which is channel B of the
// board's FT2232H. Built by `make bitstream BOARD=hx8k`; pins in constraints/.
//
// Ports: clk is the board's oscillator of 12 MHz, used as it is; rx and tx are the UART, seen from the FPGA. Lamps: 0
// activity, 1 fault, 2 running, 7 power (always on). Reset comes from power_on_reset: there is no pin for it.
//
// Legal parameters: DIM from 1 up; how many dimensions fit is in docs/boards.md.
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
