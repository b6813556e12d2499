// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Answers to the line: appends the CRC-32 to each and hands it to COBS. One byte per cycle, and seven or eight cycles
// per answer.
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
    if (rst || step && in_end && crc_done) begin
      crc_q <= '1;
      crc_at_q <= '0;
    end
  end

  cobs_encode #(
      .BYTES(TX_BYTES)
  ) u_encode (
      .clk(clk),
      .rst(rst),
      .in_byte(in_end ? ~crc_q[7:0] : in_byte),
      .in_end(in_end && crc_done),
      .in_valid(in_valid),
      .in_ready(coded_ready),
      .out_byte(out_byte),
      .out_valid(out_valid),
      .out_ready(out_ready)
  );
endmodule

`default_nettype wire
