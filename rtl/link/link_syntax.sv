// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Tells, while the bytes of a frame come, whether it is a request (docs/protocol.md). Part of link_receiver. Where the
// CRC begins is known only at the end of the frame: until then its bytes are taken for the beginning of a next command,
// which counts for nothing before it is complete.
//
// Latency: legal tells about all bytes up to the clock edge before. Throughput: one byte per cycle.
//
// Ports: rst = 1 between two frames, for one cycle. in_byte is looked at while in_valid is 1; there is no ready. legal:
// the frame may end here: a whole request and the four bytes of a CRC, whose value is checked elsewhere.
//
// Legal parameters: MAX_WORDS from 1 to 64; frames with more words than this are not legal.
`default_nettype none

module link_syntax #(
    parameter integer MAX_WORDS = 64  // words of a frame, 1..64
) (
    input  wire        clk,
    input  wire        rst,       // at reset, and for one cycle between frames
    input  wire  [7:0] in_byte,
    input  wire        in_valid,
    output logic       legal      // the frame may end here: what came is a request and four bytes of CRC
);
  if (MAX_WORDS < 1 || MAX_WORDS > 64) begin : g_MAX_WORDS illegal_MAX_WORDS u_illegal (); end

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

`ifdef FORMAL
  // The frame is kept and, after every byte, gone through by the book.
  localparam integer F_BYTES = 16 + 9 * MAX_WORDS;
  logic [7:0] f_byte[F_BYTES];
  logic [7:0] f_count;  // stays at its largest value
  logic [7:0] f_length, f_at, f_words, f_head;
  logic f_right;

  always_comb begin
    f_length = f_count - 8'd4;
    f_right = f_count >= 8'd6 && f_byte[0] >= 8'd1 && f_byte[0] <= 8'd3;
    f_at = 8'd2;
    f_words = 8'd0;
    f_head = 8'd0;
    if (f_byte[0] == 8'd3) f_at = 8'd6;
    else begin
      // More commands than words there cannot be.
      for (int i = 0; i < MAX_WORDS; i++) begin
        if (i == 0 || f_at < f_length) begin
          f_head = 8'd0;
          for (int k = 0; k < F_BYTES; k++) if (f_at == 8'(k)) f_head = f_byte[k];
          if (f_head[6]) f_right = 1'b0;
          f_words = f_words + {2'd0, f_head[5:0]} + 8'd1;
          if (f_words > 8'(MAX_WORDS)) begin
            f_right = 1'b0;
            f_words = 8'(MAX_WORDS);
          end
          f_at = f_at + 8'd5;
          if (f_right && f_byte[0] == 8'd2) f_at = f_at + {f_head[5:0], 2'b00} + 8'd4;
        end
      end
    end
    if (f_at != f_length) f_right = 1'b0;
  end

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (in_valid) begin
      for (int k = 0; k < F_BYTES; k++) if (f_count == 8'(k)) f_byte[k] <= in_byte;
      if (f_count != 8'(F_BYTES)) f_count <= f_count + 8'd1;
    end
    if (rst) f_count <= '0;

    if (!$initstate) begin
      // Nothing longer than the longest request is a request.
      assert (legal == (f_right && f_count != 8'(F_BYTES)));
      cover (legal && f_byte[0] == 8'd3);
      cover (legal && f_byte[0] == 8'd1 && f_count == 8'd11);
    end
  end
`endif
endmodule

`default_nettype wire
