// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The part behind the pins, clock and reset of every board: a UART, the byte link, and the chip (a direct network):
// uart_rx, uart_tx, link_frame, fabric_top. board_hx8k, board_icebreaker and board_ulx3s wrap it.
//
// Latency and throughput: of the line: ten bit times per byte. See the parts for the rest.
//
// Ports:
// - clk, rst: one clock for everything; rst synchronous, from power_on_reset for example.
// - rx: the line from the host, asynchronous, 1 at rest. tx: the line to the host.
// - activity, fault, running: lamps; may be left open.
//
// Legal parameters: those of fabric_top with LINKS above 0; CLOCK_HZ from 4*BAUD up. The default of NODE is sized for an
// iCE40. A host reads all of this from the chip, and needs no such settings. Compile
// the packages first; the file list is rtl/board_core.f.
`default_nettype none

module board_core #(
    parameter integer CLOCK_HZ = 12000000,  // of clk, >= 4*BAUD
    parameter integer BAUD = 3000000,  // symbols per second
    parameter integer KIND = 1,  // this one and the next ones as in fabric_top
    parameter integer NODES = 2,
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
    parameter integer LIGHT_RATIO = 1,
    parameter [node_config::BITS-1:0] NODE = node_config::of_ice40(header_fields::number_low(LABEL_W, 1, 1) + 4, 1)
) (
    input  wire  clk,
    input  wire  rst,
    // UART
    input  wire  rx,        // asynchronous
    output logic tx,
    // lamps
    output logic activity,  // changes with every request that was carried out
    output logic fault,     // of the link, or the fabric is stuck
    output logic running    // a pass is under way
);
  logic [7:0] rx_byte, tx_byte;
  logic rx_valid, rx_error, tx_valid, tx_ready;
  logic cyc, stb, we, stall, ack, link_fault, stuck;
  logic [31:0] adr, dat_w, dat_r;

  assign fault = link_fault || stuck;

  uart_rx #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_rx (
      .clk, .rst,
      .pin(rx),
      .out_byte(rx_byte),
      .out_valid(rx_valid),
      .error(rx_error)
  );

  uart_tx #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_tx (
      .clk, .rst,
      .in_byte(tx_byte),
      .in_valid(tx_valid),
      .in_ready(tx_ready),
      .pin(tx)
  );

  link_frame #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_link (
      .clk, .rst, .rx_byte, .rx_valid,
      // verilator lint_off PINCONNECTEMPTY
      .rx_ready(),  // always, with a UART
      // verilator lint_on PINCONNECTEMPTY
      .rx_error, .tx_byte, .tx_valid, .tx_ready,
      .wb_cyc(cyc),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r),
      .activity,
      .fault(link_fault)
  );

  fabric_top #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE)
  ) u_chip (
      .clk, .rst,
      .wb_cyc(cyc),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r),
      .stream_on(1'b0),
      .stream_refill(1'b0),
      // verilator lint_off PINCONNECTEMPTY
      .handing(),
      // verilator lint_on PINCONNECTEMPTY
      .running, .stuck
  );
endmodule

`default_nettype wire
