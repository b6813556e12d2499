// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Frames out of the bytes of a line. A frame is written into the ring while it comes, and counts only when COBS, CRC and
// structure are right; otherwise the ring is as before it. What comes out is whole requests, without their CRC: in its
// place stands one byte with bit 6 set, which no command begins with. One byte per cycle.
`default_nettype none

module link_receiver #(
    parameter integer MAX_WORDS = 64,  // words of a frame, 1..64
    parameter integer RX_BYTES = 512,  // of the ring, a power of two, >= 16
    parameter integer FLOW = 0  // 1: the line can wait, and does while the ring is full
) (
    input  wire        clk,
    input  wire        rst,
    // the line
    input  wire  [7:0] in_byte,
    input  wire        in_valid,
    output logic       in_ready,
    input  wire        in_error,     // a byte was lost
    // requests
    output logic [7:0] out_byte,
    output logic       out_valid,
    input  wire        out_ready,
    // a frame was thrown away
    output logic       thrown,       // since this was last taken
    output logic [2:0] reason,       // of the last one: 1 damaged, 3 malformed, 4 no room
    input  wire        thrown_taken,
    // events to count
    output logic       damaged,
    output logic       malformed,
    output logic       lost
);
  localparam integer AT_W = $clog2(RX_BYTES);
  localparam logic [31:0] RESIDUE = 32'hdebb20e3;  // of a CRC-32, after any message and its own CRC
  localparam logic [7:0] TERMINATOR = 8'h40;
  localparam logic [2:0] DAMAGED = 3'd1, MALFORMED = 3'd3, NO_ROOM = 3'd4;
  generate
    if (RX_BYTES < 16) illegal_RX_BYTES u_illegal ();
    if (FLOW != 0 && FLOW != 1) illegal_FLOW u_illegal ();
  endgenerate

  logic [7:0] frame_byte;
  logic frame_valid, frame_end, frame_good;
  logic legal;
  logic [31:0] crc_q, crc_next;
  logic [AT_W-1:0] at_q;  // where the next byte goes
  logic [AT_W-1:0] end_q;  // where the last good frame ended
  logic full_q;  // this frame has lost a byte for want of room
  logic thrown_q;
  logic [2:0] reason_q;
  logic [AT_W-1:0] head;

  wire take = in_valid && in_ready;
  wire over = rst || frame_end;

  cobs_decode u_decode (
      .clk(clk),
      .rst(rst),
      .in_byte(in_byte),
      .in_valid(take),
      .in_error(in_error),
      .out_byte(frame_byte),
      .out_valid(frame_valid),
      .out_end(frame_end),
      .out_good(frame_good)
  );
  crc32_byte u_crc (
      .state(crc_q),
      .data(frame_byte),
      .next(crc_next)
  );
  link_syntax #(
      .MAX_WORDS(MAX_WORDS)
  ) u_syntax (
      .clk(clk),
      .rst(over),
      .in_byte(frame_byte),
      .in_valid(frame_valid),
      .legal(legal)
  );

  // At a frame's end its CRC is where at_q points behind.
  wire [AT_W-1:0] write_at = frame_end ? at_q - AT_W'(4) : at_q;
  wire [AT_W-1:0] next_at = write_at + 1'b1;
  wire room = next_at != head;
  wire store = frame_valid && room && !full_q;
  wire intact = frame_good && crc_q == RESIDUE;
  wire commit = frame_end && intact && legal && !full_q;

  // Waiting helps only while something comes out.
  assign in_ready = FLOW == 0 || at_q + 1'b1 != head || head == end_q;
  assign damaged = frame_end && !intact;
  assign malformed = frame_end && intact && !full_q && !legal;
  assign lost = in_error || frame_valid && !store;
  assign thrown = thrown_q;
  assign reason = reason_q;

  always_ff @(posedge clk) begin
    if (store || commit) at_q <= next_at;
    else if (frame_end) at_q <= end_q;
    if (commit) end_q <= next_at;
    if (frame_valid) crc_q <= crc_next;
    if (frame_valid && !store) full_q <= 1'b1;
    if (thrown_taken) thrown_q <= 1'b0;
    if (frame_end && !commit) begin
      thrown_q <= 1'b1;
      reason_q <= !intact ? DAMAGED : full_q ? NO_ROOM : MALFORMED;
    end
    if (over) begin
      crc_q  <= '1;
      full_q <= 1'b0;
    end
    if (rst) begin
      at_q <= '0;
      end_q <= '0;
      thrown_q <= 1'b0;
    end
  end

  link_ring #(
      .BYTES(RX_BYTES)
  ) u_ring (
      .clk(clk),
      .rst(rst),
      .write(store || commit),
      .write_at(write_at),
      .write_byte(frame_end ? TERMINATOR : frame_byte),
      .end_at(end_q),
      .head_at(head),
      .out_byte(out_byte),
      .out_valid(out_valid),
      .out_ready(out_ready)
  );
endmodule

`default_nettype wire
