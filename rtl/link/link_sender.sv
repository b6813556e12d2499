// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Answers to the line: appends the CRC-32 to each answer and hands it to cobs_encode. Between link_executor and the
// line, in link_frame.
//
// Latency: an answer is held until it is complete, as cobs_encode explains. Throughput: one byte per cycle, and seven
// or eight cycles more per answer for CRC, code and zero.
//
// Ports:
// - in_*: bytes of an answer, then once in_end = 1 (no byte). What is offered stays until in_ready.
// - out_*: bytes of the line; out_valid stays, with its byte, until out_ready.
//
// Reset: synchronous, one cycle; what is in the ring is dropped. Legal parameters: TX_BYTES as BYTES of cobs_encode.
// The longest answer and its CRC, n bytes in all, must fit: n + n/254 + 3 <= TX_BYTES, or it would wait for ever.
`default_nettype none

module link_sender #(
    parameter integer TX_BYTES = 512  // of the ring; see cobs_encode
) (
    input  wire        clk,
    input  wire        rst,
    // answers
    input  wire  [7:0] in_byte,
    input  wire        in_end,     // no byte: the answer is complete
    input  wire        in_valid,
    output logic       in_ready,
    // the line
    output logic [7:0] out_byte,
    output logic       out_valid,
    input  wire        out_ready
);
  logic [31:0] crc_q, crc_next;
  logic [2:0] crc_at_q;  // bytes of the CRC that have gone
  logic coded_ready;

  wire crc_done = crc_at_q[2];
  wire crc_turn = in_end && !crc_done;
  wire step = in_valid && coded_ready;

  wire [7:0] code_byte = in_end ? ~crc_q[7:0] : in_byte;
  wire code_end = in_end && crc_done;

  // The state itself as data moves the state on by a byte and changes nothing else.
  crc32_byte u_crc (
      .state(crc_q),
      .data(in_end ? crc_q[7:0] : in_byte),
      .next(crc_next)
  );

  assign in_ready = coded_ready && !crc_turn;

  always_ff @(posedge clk) begin
    if (step) crc_q <= crc_next;
    if (step && crc_turn) crc_at_q <= crc_at_q + 3'd1;
    if (rst || step && code_end) begin
      crc_q <= '1;
      crc_at_q <= '0;
    end
  end

  cobs_encode #(.BYTES(TX_BYTES)) u_encode (
      .clk, .rst,
      .in_byte(code_byte),
      .in_end(code_end),
      .in_valid,
      .in_ready(coded_ready),
      .out_byte, .out_valid, .out_ready
  );

`ifdef FORMAL
  // To COBS go the answer, then the four bytes of its CRC, lowest first, then the end, which takes the answer's end.
  logic [31:0] f_crc, f_next;
  logic [2:0] f_at;  // bytes of the CRC that have gone

  always_comb begin
    f_next = f_crc ^ {24'd0, in_byte};
    for (int i = 0; i < 8; i++) f_next = f_next[0] ? (f_next >> 1) ^ 32'hedb88320 : f_next >> 1;
  end

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && $past(in_valid && !in_ready)) assume (in_valid && $stable({in_byte, in_end}));
    if (step && !in_end) f_crc <= f_next;
    if (step && in_end) f_at <= f_at + 3'd1;
    if (step && code_end || rst) begin
      f_crc <= '1;
      f_at  <= '0;
    end

    if (!$initstate) begin
      assert (f_at <= 3'd4 && crc_at_q == f_at);
      assert (crc_q == f_crc >> 8 * f_at);
      if (f_at != 3'd0) assert (in_valid && in_end);
      if (in_valid && !in_end) assert (code_byte == in_byte && !code_end && in_ready == coded_ready);
      if (in_valid && in_end && f_at < 3'd4) assert (code_byte == 8'(~f_crc >> 8 * f_at) && !code_end && !in_ready);
      if (in_valid && in_end && f_at == 3'd4) assert (code_end && in_ready == coded_ready);

      cover (step && code_end);
    end
  end
`endif
endmodule

`default_nettype wire
