// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Requests out of the bytes of a line: COBS, CRC and structure are checked while a frame comes. Between the line and
// link_executor, in link_frame. A frame is written into a ring while it comes, and counts only when all of it is right;
// otherwise the ring is as before it. Whole requests come out, without their CRC: in its place stands one byte
// with bit 6 set, which no command begins with.
//
// Latency: the first byte of a request is offered two cycles after the zero that ends its frame. Throughput: one byte
// per cycle in and out.
//
// Ports:
// - in_*: bytes of the line. FLOW = 0: in_ready is always 1, and a byte without room spoils its frame. FLOW = 1:
//   in_ready falls while the ring is full and something can come out. in_error: a byte was lost here; 1 for one cycle,
//   with or without a byte.
// - out_*: bytes of requests; out_valid stays, with its byte, until out_ready.
// - thrown, reason: a frame was thrown away since thrown_taken was last 1; of several the last one's reason. thrown
//   stays until it is taken.
// - damaged, malformed: a frame was thrown away for this, 1 for one cycle each. lost: a byte was, on the line or for
//   want of room.
//
// Reset: synchronous, one cycle; the ring is empty afterwards. Tie in_error to 0 on lines that lose nothing. Legal
// parameters: all combinations of MAX_WORDS from 1 to 64 and RX_BYTES, a power of two >= 16; a frame of RX_BYTES bytes
// or more never fits.
`default_nettype none

module link_receiver #(
    parameter integer MAX_WORDS = 64,  // words of a frame, 1..64
    parameter integer RX_BYTES = 512,  // of the ring, a power of two, >= 16
    parameter integer FLOW = 0  // 1: the line can wait, so in_ready is 0 while the ring is full; 0: it cannot
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
    output logic       thrown,       // a frame was, since thrown_taken was last 1
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
  if (RX_BYTES < 16) begin : g_RX_BYTES illegal_RX_BYTES u_illegal (); end
  if (FLOW != 0 && FLOW != 1) begin : g_FLOW illegal_FLOW u_illegal (); end

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
      .clk, .rst, .in_byte,
      .in_valid(take),
      .in_error,
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
  link_syntax #(.MAX_WORDS(MAX_WORDS)) u_syntax (
      .clk,
      .rst(over),
      .in_byte(frame_byte),
      .in_valid(frame_valid),
      .legal
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

  link_ring #(.BYTES(RX_BYTES)) u_ring (
      .clk, .rst,
      .write(store || commit),
      .write_at,
      .write_byte(frame_end ? TERMINATOR : frame_byte),
      .end_at(end_q),
      .head_at(head),
      .out_byte, .out_valid, .out_ready
  );

`ifdef FORMAL
  // The bytes of good frames come out and nothing else does, told by one byte (any) of the stream of requests.
  (* anyconst *) logic [7:0] f_pick;  // its number
  logic [7:0] f_out, f_length;  // bytes that came out, that good frames have brought
  logic [7:0] f_count;  // bytes of the frame under way
  logic f_seen, f_due;  // the byte is in the frame under way; in a good frame
  logic [7:0] f_byte;
  logic [31:0] f_crc, f_next;
  logic f_dropped;

  always_comb begin
    f_next = f_crc ^ {24'd0, frame_byte};
    for (int i = 0; i < 8; i++) f_next = f_next[0] ? (f_next >> 1) ^ 32'hedb88320 : f_next >> 1;
  end

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);

    if (out_valid && out_ready) f_out <= f_out + 8'd1;
    if (frame_valid) begin
      f_count <= f_count + 8'd1;
      f_crc   <= f_next;
      if (f_length + f_count == f_pick && !f_due) begin
        f_seen <= 1'b1;
        f_byte <= frame_byte;
      end
    end
    if (lost && frame_valid) f_dropped <= 1'b1;
    if (frame_end && frame_good && f_crc == RESIDUE && legal && !f_dropped) begin
      f_length <= f_length + f_count - 8'd3;
      if (f_seen && f_pick < f_length + f_count - 8'd4) f_due <= 1'b1;
      if (f_pick == f_length + f_count - 8'd4) begin
        f_due  <= 1'b1;
        f_byte <= TERMINATOR;
      end
    end
    if (frame_end || rst) begin
      f_count <= '0;
      f_crc <= '1;
      f_seen <= 1'b0;
      f_dropped <= 1'b0;
    end
    if (rst) begin
      f_out <= '0;
      f_length <= '0;
      f_due <= 1'b0;
    end

    if (!$initstate) begin
      assert (crc_q == f_crc);
      assert (f_out + 8'(out_valid) <= f_length);
      if (out_valid && f_out == f_pick) assert (f_due && out_byte == f_byte);
      // A frame is thrown away for one reason, which is reported.
      assert (damaged == (frame_end && !(frame_good && f_crc == RESIDUE)));
      assert (malformed == (frame_end && frame_good && f_crc == RESIDUE && !f_dropped && !legal));
      if ($past(!$initstate && !rst && damaged)) assert (thrown && reason == 3'd1);
      if ($past(!$initstate && !rst && malformed)) assert (thrown && reason == 3'd3);
      if ($past(!$initstate && !rst && frame_end && frame_good && f_crc == RESIDUE && f_dropped))
        assert (thrown && reason == 3'd4);
      if ($past(!$initstate && !rst && thrown && !thrown_taken)) assert (thrown);
      if (thrown && !$past(thrown)) assert ($past(frame_end));
      // After a zero nothing is left of what came before it, and the next frame has as much room as there is.
      if ($past(!$initstate && !rst && in_valid && in_ready && in_byte == 8'd0))
        assert (at_q == end_q && crc_q == '1 && !full_q);
      // A line that has to wait waits for what can go on.
      assert (in_ready || FLOW == 1 && (head != end_q || out_valid));

      cover (thrown && reason == 3'd1);
      cover (thrown && reason == 3'd3);
    end
  end
`endif
endmodule

`default_nettype wire
