// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Top of the iCEBreaker (iCE40-UP5K): a direct network behind a UART of 3 Mbaud, which is channel B of the board's
// FT2232H. Built by `make bitstream BOARD=icebreaker`; pins in constraints/. Counters are in memory (SMALL = 1),
// because logic is scarce here.
//
// Ports: clk is the board's oscillator of 12 MHz, used as it is; rx and tx are the UART, seen from the FPGA. The lamps
// light when low: green activity or running, red fault. Reset comes from power_on_reset: there is no pin for it.
//
// Legal parameters: those of a direct network, which `make bitstream` sets from FABRIC; what fits is in docs/boards.md.
`default_nettype none

module board_icebreaker #(
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
    output logic       led_red_n,
    output logic       led_green_n
);
  localparam integer RULE_W = WRAP != 0 ? 2 : 1;  // around a ring one way as well as the shorter one
  localparam integer BITS = node_config::BITS;
  // Without signatures: a log is three full block RAMs, and none is left.
  localparam [BITS-1:0] ICE40 = node_config::of_ice40(header_fields::number_low(LABEL_W, RULE_W, 1) + 4, RULE_W);
  localparam [BITS-1:0] COUNTS = node_config::set(ICE40, node_config::COUNT_W, 12);
  localparam [BITS-1:0] CYCLES = node_config::set(COUNTS, node_config::CYCLE_W, 12);
  localparam [BITS-1:0] PLAIN = node_config::set(CYCLES, node_config::SIGNATURE_W, 0);
  localparam [BITS-1:0] NODE = node_config::set(PLAIN, node_config::SMALL, 1);

  logic rst, activity, fault, running;

  power_on_reset u_reset (.clk, .rst);

  board_core #(
      .CLOCK_HZ(12000000), .BAUD(3000000), .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS),
      .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V),
      .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES), .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE)
  ) u_core (.clk, .rst, .rx, .tx, .activity, .fault, .running);

  assign led_red_n   = !fault;
  assign led_green_n = !(activity || running);
endmodule

`default_nettype wire
