// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Whether a frame is a request (docs/protocol.md), told while its bytes come. Where the CRC begins is known only at the
// end: until then its bytes are taken for the next command's, and count for nothing before that is complete.
`default_nettype none

module link_syntax #(
    parameter integer MAX_WORDS = 64  // words of a frame, 1..64
) (
    input  wire        clk,
    input  wire        rst,       // also between frames
    input  wire  [7:0] in_byte,
    input  wire        in_valid,
    output logic       legal      // the frame may end here: a request and four bytes
);
  generate
    if (MAX_WORDS < 1 || MAX_WORDS > 64) illegal_MAX_WORDS u_illegal ();
  endgenerate

  localparam logic [2:0] KIND = 3'd0, SEQUENCE = 3'd1, HEAD = 3'd2, ADDRESS_1 = 3'd3, ADDRESS_4 = 3'd6, DATA = 3'd7;

  logic [2:0] at_q;  // what the next byte is; ADDRESS_1 to 4 are also the bytes of a hello's nonce
  logic write_q, hello_q;
  logic [7:0] data_q;  // bytes of data less 1 that this command has yet to bring
  logic reserved_q;  // bit 6 of the command's first byte
  logic [6:0] words_q;
  logic some_q;  // a command, or the nonce, is complete
  logic bad_q;

  wire [7:0] words = {1'b0, words_q} + {2'b00, data_q[7:2]} + 8'd1;

  assign legal = at_q == ADDRESS_4 && some_q && !bad_q;

  always_ff @(posedge clk) begin
    if (in_valid) begin
      at_q <= at_q + 3'd1;
      case (at_q)
        KIND: begin
          write_q <= in_byte[1:0] == 2'd2;
          hello_q <= in_byte[1:0] == 2'd3;
          if (in_byte[7:2] != 6'd0 || in_byte[1:0] == 2'd0) bad_q <= 1'b1;
        end
        SEQUENCE: if (hello_q) at_q <= ADDRESS_1;
        HEAD: begin
          data_q <= {in_byte[5:0], 2'b11};
          reserved_q <= in_byte[6];
        end
        ADDRESS_4: begin
          some_q <= 1'b1;
          if (!write_q) at_q <= HEAD;
          if (hello_q ? some_q : reserved_q || words > 8'(MAX_WORDS)) bad_q <= 1'b1;
          words_q <= words[6:0];
        end
        DATA: begin
          data_q <= data_q - 8'd1;
          at_q   <= data_q == 8'd0 ? HEAD : DATA;
        end
        default: ;
      endcase
    end
    if (rst) begin
      at_q <= KIND;
      words_q <= '0;
      some_q <= 1'b0;
      bad_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
