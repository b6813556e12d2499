// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One byte's step of the CRC-32 of IEEE 802.3 (reflected, 0xEDB88320, as in zlib). Used by link_receiver and
// link_sender. Combinational.
//
// The user keeps the state: begin with 0xFFFFFFFF, load it from `next` with each byte. Send the state inverted, low
// byte first. A receiver that puts the four bytes of the CRC through as well ends at 0xDEBB20E3 if all is right. There
// are no parameters.
`default_nettype none

module crc32_byte (
    input  wire  [31:0] state,
    input  wire  [ 7:0] data,
    output logic [31:0] next
);
  // Each constant is what a 1 in its bit of the difference has become after the eight steps.
  wire [7:0] difference = state[7:0] ^ data;
  assign next = {8'd0, state[31:8]} ^
      (difference[0] ? 32'h77073096 : 32'd0) ^ (difference[1] ? 32'hee0e612c : 32'd0) ^
      (difference[2] ? 32'h076dc419 : 32'd0) ^ (difference[3] ? 32'h0edb8832 : 32'd0) ^
      (difference[4] ? 32'h1db71064 : 32'd0) ^ (difference[5] ? 32'h3b6e20c8 : 32'd0) ^
      (difference[6] ? 32'h76dc4190 : 32'd0) ^ (difference[7] ? 32'hedb88320 : 32'd0);

`ifdef FORMAL
  // The definition, bit by bit.
  logic [31:0] f_next;
  always_comb begin
    f_next = state ^ {24'd0, data};
    for (int i = 0; i < 8; i++) f_next = f_next[0] ? (f_next >> 1) ^ 32'hedb88320 : f_next >> 1;
    assert (next == f_next);
    cover (next == 32'hffffffff);
  end
`endif
endmodule

`default_nettype wire
