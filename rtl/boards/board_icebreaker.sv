// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// iCEBreaker (iCE40-UP5K): UART is channel B of its FT2232H. Its lamps light when low: green activity, red fault.
`default_nettype none

module board_icebreaker #(
    parameter integer DIM = 2  // dimensions of the cube, as many as fit
) (
    input  wire        clk,      // 12 MHz
    input  wire        rx,       // from the FT2232H
    output logic       tx,
    output logic       led_red_n,
    output logic       led_green_n
);
  logic rst, activity, fault, running;

  power_on_reset u_reset (
      .clk(clk),
      .rst(rst)
  );

  board_core #(
      .CLOCK_HZ(12000000),
      .BAUD(3000000),
      .DIM(DIM),
      .COUNT_W(12),
      .CYCLE_W(12),
      .SIGNATURE_W(0),  // a log is three full block RAMs, and none is left
      .SMALL(1)
  ) u_core (
      .clk(clk),
      .rst(rst),
      .rx(rx),
      .tx(tx),
      .activity(activity),
      .fault(fault),
      .running(running)
  );

  assign led_red_n   = !fault;
  assign led_green_n = !(activity || running);
endmodule

`default_nettype wire
