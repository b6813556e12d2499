// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Top of the Lattice iCE40-HX8K breakout board: a direct network behind a UART of 3 Mbaud, which is channel B of the
// board's FT2232H. Built by `make bitstream BOARD=hx8k`; pins in constraints/.
//
// Ports: clk is the board's oscillator of 12 MHz, used as it is; rx and tx are the UART, seen from the FPGA. Lamps: 0
// activity, 1 fault, 2 running, 7 power (always on). Reset comes from power_on_reset: there is no pin for it.
//
// Legal parameters: those of a direct network, which `make bitstream` sets from FABRIC; what fits is in docs/boards.md.
`default_nettype none

module board_hx8k #(
    parameter integer KIND = 1,  // what the register KIND says
    parameter integer NODES = 2,  // nodes of the network, as many as fit; this one and the next ones as in fabric_top
    parameter integer LINKS = 1,
    parameter [NODES*LINKS*24-1:0] WIRES = (NODES * LINKS * 24)'(48'h800000_800001),
    parameter [NODES*LINKS*8-1:0] DELAYS = '0,
    parameter integer DIMS = 1,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LABEL_W = DIMS,
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer V = 1,
    parameter integer OTIS = 0,
    parameter integer LIGHT_CYCLES = 0,
    parameter integer LIGHT_RATIO = 1
) (
    input  wire        clk,      // 12 MHz
    input  wire        rx,       // from the FT2232H
    output logic       tx,
    output logic [7:0] led
);
  // Two bits, for going round rings one way, would cost each node one more block RAM for its log, and there are none left.
  localparam integer RULE_W = 1;
  localparam [node_config::BITS-1:0] NODE = node_config::of_ice40(header_fields::number_low(LABEL_W, RULE_W, 1) + 4, RULE_W);

  logic rst, activity, fault, running;

  power_on_reset u_reset (.clk, .rst);

  board_core #(
      .CLOCK_HZ(12000000), .BAUD(3000000), .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS),
      .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V),
      .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES), .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE)
  ) u_core (.clk, .rst, .rx, .tx, .activity, .fault, .running);

  assign led = {1'b1, 4'd0, running, fault, activity};
endmodule

`default_nettype wire
