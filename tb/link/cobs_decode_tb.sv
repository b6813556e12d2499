// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends COBS frames, some with changed or missing bytes, noise, and bytes lost on the line, with pauses. Compares each
// frame's bytes and its end with link_codec's decoding of the line.
`default_nettype none

module cobs_decode_tb;
  localparam integer FRAMES = 500;
  wire clk, rst;
  integer seed, frames, ends, bad, kind, pause, sent, errors;
  logic [7:0] in_byte;
  logic in_valid, in_error;
  wire [7:0] out_byte;
  wire out_valid, out_end, out_good;

  bench u_bench (.clk, .rst, .seed);
  link_codec u_codec ();  // the frames that are sent
  link_codec u_book ();  // the bytes on the line
  cobs_decode u_dut (.clk, .rst, .in_byte, .in_valid, .in_error, .out_byte, .out_valid, .out_end, .out_good);

  logic [7:0] got[4096];
  integer count;
  logic damaged;  // since the last zero byte
  initial begin
    {count, damaged, ends, bad} = '0;
  end

  always @(posedge clk) if (!rst) begin
    if (!in_valid && (out_valid || out_end) || out_valid && out_end) $fatal(1, "valid %b, end %b", out_valid, out_end);
    if (out_valid) begin
      got[count] = out_byte;
      count = count + 1;
    end
    if (in_valid && in_byte != 8'd0) begin
      u_book.line[u_book.line_length] = in_byte;
      u_book.line_length = u_book.line_length + 1;
      if (out_end) $fatal(1, "an end within a frame");
    end
    if (in_valid && in_byte == 8'd0) begin
      u_book.unstuff;
      if (out_end !== (u_book.line_length != 0 || damaged)) $fatal(1, "end %b after %0d bytes", out_end,
          u_book.line_length);
      if (out_end) begin
        ends = ends + 1;
        bad = bad + 32'(!out_good);
        if (out_good !== (u_book.good && !damaged)) $fatal(1, "frame %0d: good is %b", ends, out_good);
        if (count != u_book.length) $fatal(1, "frame %0d: %0d bytes, expected %0d", ends, count, u_book.length);
        for (int i = 0; i < count; i++)
          if (got[i] !== u_book.body[i]) $fatal(1, "frame %0d: byte %0d is %h, expected %h", ends, i, got[i],
              u_book.body[i]);
      end
      count = 0;
      u_book.line_length = 0;
      damaged = 1'b0;
    end
    if (in_error) damaged = 1'b1;
  end

  task put(input [7:0] data);
    while (u_codec.random(256) < pause) @(posedge clk);
    in_byte  <= data;
    in_valid <= 1'b1;
    // An error may come in the cycle of a byte; in the cycle of a zero it belongs to the next frame.
    in_error <= u_codec.random(errors) == 0;
    @(posedge clk);
    in_error <= 1'b0;
    in_byte  <= 8'($random(u_codec.state));
    in_valid <= 1'b0;
    sent = sent + 1;
    if (u_codec.random(errors) == 0) begin
      in_error <= 1'b1;
      @(posedge clk);
      in_error <= 1'b0;
    end
  endtask

  initial begin
    {in_byte, in_valid, in_error} = '0;
    u_book.line_length = 0;
    sent = 0;
    @(negedge rst);
    @(posedge clk);
    for (frames = 0; frames < FRAMES; frames = frames + 1) begin
      pause = u_codec.random(3) * 60;
      errors = u_codec.random(4) == 0 ? 100 : 1000000;
      kind = u_codec.random(10);
      u_codec.length = 0;
      // Lengths around the longest run and around twice the longest run, or short ones.
      for (int i = kind == 0 ? 250 + u_codec.random(10) : kind == 1 ? 504 + u_codec.random(10) :
          u_codec.random(20); i > 0; i--)
        u_codec.add(kind < 2 ? 8'(1 + u_codec.random(255)) : u_codec.random_byte(3));
      if (kind == 0 && u_codec.length > 0) u_codec.body[u_codec.random(u_codec.length)] = 8'($random(u_codec.state));
      u_codec.stuff;
      if (kind == 2) u_codec.line[u_codec.random(u_codec.line_length)] = 8'($random(u_codec.state));
      if (kind == 3) u_codec.line_length = u_codec.random(u_codec.line_length);
      if (kind == 4) for (int i = 0; i < u_codec.line_length; i++) u_codec.line[i] = 8'(u_codec.random(6));
      for (int i = 0; i < u_codec.line_length; i++) put(u_codec.line[i]);
      repeat (1 + u_codec.random(2)) put(8'd0);
    end
    repeat (3) @(posedge clk);
    if (ends < FRAMES / 2 || bad < FRAMES / 50 || bad > FRAMES / 2) $fatal(1, "%0d frames, %0d of them bad", ends, bad);
    $display("PASS cobs_decode (seed %0d, %0d bytes, %0d frames, %0d bad)", seed, sent, ends, bad);
    $finish;
  end
endmodule

`default_nettype wire
