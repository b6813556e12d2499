// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// From a byte line to a register port: the device's side of docs/protocol.md (frames with a CRC-32, sequence numbers,
// repetition without double effect). Bytes come from uart_rx or ft245_fifo, or from anything else that carries bytes;
// the register port is a master on Wishbone B4 (pipelined, 32-bit words, addressed by word), such as fabric_top takes.
// It knows nothing of flitloom's registers, so any slave will do.
//
// Latency and throughput: at most one byte per cycle each way. Accesses to the register port are done one after the
// other, each in six cycles and what the slave takes.
//
// Ports:
// - rx_byte, rx_valid, rx_ready: bytes from the host. With a UART (BAUD not 0) rx_ready is always 1 and may be left
//   open; a byte for which there is no room is counted, its frame is refused, and the host sends it again. With BAUD =
//   0 rx_ready falls while the receiving ring is full.
// - rx_error: a byte was lost on the line (uart_rx's error), 1 for one cycle. Tie it to 0 on lines that lose none.
// - tx_*: bytes to the host; once tx_valid is 1 it stays, with its byte, until tx_ready.
// - wb_*: one access at a time. wb_stb stays, with address, direction and data, until an edge at which wb_stall is 0.
//   wb_ack may come in the cycle in which the request is taken, or later. After TIMEOUT cycles without it the access is
//   given up and reads as 0; an answer after that would be taken for the next access's, so choose TIMEOUT above the
//   slave's longest time. Tie wb_stall to 0 if the slave has none. Addresses from 0xf0000000 up are the link's own
//   registers and never come here. wb_dat_r is looked at with wb_ack.
// - activity: changes with every request that was carried out. fault: something was thrown away, lost, refused or
//   unanswered since the session began. For lamps; may be left open.
//
// Reset: synchronous, one cycle; the session is forgotten, and the host begins a new one. Legal parameters: TX_BYTES
// above 4*MAX_WORDS + 10; RX_BYTES a power of two from 16 to 32768, of which a host of docs/protocol.md asks for at
// least 32; TIMEOUT a power of two from 4 to 65536. CLOCK_HZ and BAUD change nothing but what the host reads (and BAUD
// = 0 rx_ready). File list: rtl/link_frame.f.
//
// Example:
//   // Between a UART and any Wishbone slave.
//   link_frame #(.CLOCK_HZ(12000000), .BAUD(3000000)) u_link (
//       .clk(clk), .rst(rst),
//       .rx_byte(rx_byte), .rx_valid(rx_valid), .rx_ready(), .rx_error(rx_error),
//       .tx_byte(tx_byte), .tx_valid(tx_valid), .tx_ready(tx_ready),
//       .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_adr(adr), .wb_dat_w(dat_w),
//       .wb_stall(stall), .wb_ack(ack), .wb_dat_r(dat_r), .activity(), .fault());
`default_nettype none

module link_frame #(
    parameter integer CLOCK_HZ = 12000000,  // of clk; only told to the host
    parameter integer BAUD = 0,  // of a UART, told to the host; 0: another line, which waits while rx_ready is 0
    parameter integer MAX_WORDS = 64,  // words of a frame, 1..64
    parameter integer RX_BYTES = 512,  // of the receiving ring, a power of two, 16..32768
    parameter integer TX_BYTES = 512,  // of the sending ring, a power of two, > 4*MAX_WORDS+10
    parameter integer TIMEOUT = 256  // cycles without an answer after which an access is given up, a power of two, 4..65536
) (
    input  wire         clk,
    input  wire         rst,
    // bytes from the host
    input  wire  [ 7:0] rx_byte,
    input  wire         rx_valid,
    output logic        rx_ready,  // always 1 with a UART
    input  wire         rx_error,  // a byte was lost on the line (a framing error)
    // bytes to the host
    output logic [ 7:0] tx_byte,
    output logic        tx_valid,
    input  wire         tx_ready,
    // register port, Wishbone B4 pipelined, addressed by word
    output logic        wb_cyc,
    output logic        wb_stb,
    output logic        wb_we,
    output logic [31:0] wb_adr,
    output logic [31:0] wb_dat_w,
    input  wire         wb_stall,
    input  wire         wb_ack,
    input  wire  [31:0] wb_dat_r,
    // lamps
    output logic        activity,  // changes with every request that was carried out
    output logic        fault      // something went wrong since the session began
);
  if (TX_BYTES <= 4 * MAX_WORDS + 10) begin : g_TX_BYTES illegal_TX_BYTES u_illegal (); end

  logic [7:0] request_byte, answer_byte, register_data;
  logic request_valid, request_ready, answer_end, answer_valid, answer_ready;
  logic thrown, thrown_taken, damaged, malformed, lost, refused, unanswered, carried_out, greeted;
  logic [2:0] reason, register_index;
  logic [1:0] register_at;

  link_receiver #(.MAX_WORDS(MAX_WORDS), .RX_BYTES(RX_BYTES), .FLOW(BAUD == 0 ? 1 : 0)) u_receiver (
      .clk, .rst,
      .in_byte(rx_byte),
      .in_valid(rx_valid),
      .in_ready(rx_ready),
      .in_error(rx_error),
      .out_byte(request_byte),
      .out_valid(request_valid),
      .out_ready(request_ready),
      .thrown, .reason, .thrown_taken, .damaged, .malformed, .lost
  );
  link_executor #(.MAX_WORDS(MAX_WORDS), .RX_BYTES(RX_BYTES), .TIMEOUT(TIMEOUT)) u_executor (
      .clk, .rst,
      .in_byte(request_byte),
      .in_valid(request_valid),
      .in_ready(request_ready),
      .thrown, .reason, .thrown_taken,
      .out_byte(answer_byte),
      .out_end(answer_end),
      .out_valid(answer_valid),
      .out_ready(answer_ready),
      .wb_cyc, .wb_stb, .wb_we, .wb_adr, .wb_dat_w, .wb_stall, .wb_ack, .wb_dat_r, .register_index, .register_at,
      .register_data, .refused, .unanswered, .carried_out, .greeted
  );
  link_sender #(.TX_BYTES(TX_BYTES)) u_sender (
      .clk, .rst,
      .in_byte(answer_byte),
      .in_end(answer_end),
      .in_valid(answer_valid),
      .in_ready(answer_ready),
      .out_byte(tx_byte),
      .out_valid(tx_valid),
      .out_ready(tx_ready)
  );
  link_registers #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_registers (
      .clk, .rst, .damaged, .malformed, .refused, .lost, .unanswered,
      .index(register_index),
      .at(register_at),
      .data(register_data)
  );

  always_ff @(posedge clk) begin
    if (carried_out) activity <= !activity;
    if (greeted) fault <= 1'b0;
    if (thrown || lost || refused || unanswered) fault <= 1'b1;
    if (rst) begin
      activity <= 1'b0;
      fault <= 1'b0;
    end
  end

`ifdef FORMAL
  // The parts have contracts of their own; what is left are the lamps.
  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) begin
      if ($past($initstate || rst)) assert (!fault && !activity);
      else begin
        assert ((activity != $past(activity)) == $past(carried_out));
        if ($past(thrown || lost || refused || unanswered)) assert (fault);
        else assert (fault == ($past(fault) && !$past(greeted)));
      end
      cover (activity && fault);
    end
  end
`endif
endmodule

`default_nettype wire
