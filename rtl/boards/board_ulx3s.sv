// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Top of the ULX3S 85F (ECP5): a binary cube behind a UART of 3 Mbaud, which is the board's FT231X. Built by `make
// bitstream BOARD=ulx3s`; pins in constraints/.
//
// Ports: clk is the board's oscillator of 25 MHz, used as it is; rx and tx are the UART, seen from the FPGA (rx is the
// board's ftdi_txd). Lamps: 0 activity, 1 fault, 2 running, 7 power (always on). Reset comes from power_on_reset: there
// is no pin for it.
//
// Legal parameters: DIM from 1 up; how many dimensions fit is in docs/boards.md.
`default_nettype none

module board_ulx3s #(
    parameter integer DIM = 4  // dimensions of the cube, as many as fit
) (
    input  wire        clk,      // 25 MHz
    input  wire        rx,       // ftdi_txd
    output logic       tx,
    output logic [7:0] led
);
  logic rst, activity, fault, running;

  power_on_reset u_reset (
      .clk(clk),
      .rst(rst)
  );

  board_core #(
      .CLOCK_HZ(25000000),
      .BAUD(3000000),
      .DIM(DIM),
      .FLIT_W(2 * DIM + 11),
      .LENGTH_W(12),
      .PROGRAM_DEPTH(256),
      .LOG_DEPTH(256),
      .SLOTS(3),
      .SLOT_FLITS(256),
      .COUNT_W(20),
      .PASS_W(8),
      .CYCLE_W(20),
      .TALLY_W(12),
      .SIGNATURE_W(16)
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
