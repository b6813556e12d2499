// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends requests, faulty requests and noise, for frames of 64 words and of 3: after every byte `legal` must be what
// link_codec finds for the whole frame so far.
`default_nettype none

module link_syntax_tb;
  localparam integer FRAMES = 150;
  wire clk, rst;
  integer seed;
  wire [1:0] done;
  wire [31:0] counts[2];

  bench_of_parts #(.NAME("link_syntax"), .COUNTED("bytes")) u_bench (.clk, .rst, .seed, .done, .counts);
  for (genvar k = 0; k < 2; k++) begin : g_size
    localparam integer WORDS = k == 0 ? 64 : 3;
    logic [7:0] in_byte;
    logic in_valid, between, finished;
    wire legal;
    integer length, bytes, good, kind;
    assign done[k] = finished;
    assign counts[k] = bytes;

    link_codec #(.SALT(k)) u_codec ();
    link_syntax #(.MAX_WORDS(WORDS)) u_dut (
        .clk,
        .rst(rst || between),
        .in_byte, .in_valid, .legal
    );

    initial begin
      {in_byte, in_valid, between, finished} = '0;
      bytes = 0;
      good = 0;
      @(negedge rst);
      for (int n = 0; n < FRAMES; n++) begin
        between <= 1'b1;
        in_valid <= 1'(u_codec.random(2));
        @(posedge clk);
        between <= 1'b0;
        in_valid <= 1'b0;
        kind = u_codec.random(6);
        u_codec.request(WORDS);
        if (kind == 0) u_codec.spoil(WORDS);
        if (kind == 1) begin
          u_codec.length = 0;
          for (int i = u_codec.random(40); i >= 0; i--)
            u_codec.add(u_codec.random(3) == 0 ? 8'($random(u_codec.state)) :
                                                                    8'(u_codec.random(4)));
        end
        u_codec.add_crc;
        length = u_codec.length;
        for (int i = 0; i <= length; i++) begin
          while (u_codec.random(4) == 0) @(posedge clk);
          in_byte <= u_codec.body[i];
          in_valid <= i < length;
          @(posedge clk);
          // The codec judges the bytes before this one.
          u_codec.length = i;
          if (legal !== u_codec.legal(WORDS)) $fatal(1, "%0d words: legal is %b behind byte %0d", WORDS, legal, i);
          in_valid <= 1'b0;
          in_byte  <= 8'($random(u_codec.state));
          bytes = bytes + 1;
        end
        good = good + 32'(legal);
      end
      if (good < FRAMES / 3 || good > FRAMES * 9 / 10) $fatal(1, "%0d of %0d frames are good", good, FRAMES);
      finished = 1'b1;
    end
  end
endmodule

`default_nettype wire
