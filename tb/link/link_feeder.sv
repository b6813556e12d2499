// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// For testbenches of modules that put frames on a line (cobs_encode, link_sender): sends random frames with pauses,
// reads the line with pauses, and compares it with link_codec's. No byte of a frame may come before the whole frame has
// gone in. At full speed a frame of n bytes on the line takes n + 2 cycles, its zero byte not counted in n.
`default_nettype none

module link_feeder #(
    parameter integer BYTES = 512,  // bytes of the device's ring
    parameter integer LONGEST = 254,  // run
    parameter integer WITH_CRC = 0,  // 1: the device appends the CRC
    parameter integer FRAMES = 60,  // frames with pauses; half as many come without
    parameter integer SALT = 0
) (
    input  wire        clk,
    input  wire        rst,
    // frames
    output logic [7:0] frame_byte,
    output logic       frame_end,
    output logic       frame_valid,
    input  wire        frame_ready,
    // the line
    input  wire  [7:0] line_byte,
    input  wire        line_valid,
    output logic       line_ready,
    output logic       done,
    output integer     bytes  // of the line
);
  localparam integer QUEUE = 4 * BYTES;
  link_codec #(.LONGEST(LONGEST), .SALT(SALT)) u_codec ();

  logic [7:0] queue[QUEUE];  // the bytes that must come on the line
  integer queued, whole;  // bytes of all frames that have begun to go in, that have gone in whole
  integer out_pause, in_pause, now, ended, longest, n, line_length;
  logic waits;
  logic [7:0] offer;

  always @(posedge clk) begin
    now <= now + 1;
    line_ready <= u_codec.random(256) >= in_pause;
    if (rst) begin
      {now, bytes, waits, line_ready} <= '0;
    end else begin
      if (line_valid !== 1'b0) begin
        if (line_valid !== 1'b1 || bytes >= whole) $fatal(1, "%m: %h comes before its frame is whole", line_byte);
        if (line_byte !== queue[bytes%QUEUE])
          $fatal(1, "%m: byte %0d of the line is %h, expected %h", bytes, line_byte, queue[bytes%QUEUE]);
      end
      if (waits && (!line_valid || line_byte !== offer)) $fatal(1, "%m: an offer was withdrawn");
      waits <= line_valid && !line_ready;
      offer <= line_byte;
      if (line_valid && line_ready) bytes <= bytes + 1;
    end
  end

  task put(input [7:0] data, input last);
    while (u_codec.random(256) < out_pause) @(posedge clk);
    frame_byte  <= data;
    frame_end   <= last;
    frame_valid <= 1'b1;
    @(posedge clk);
    while (!frame_ready) @(posedge clk);
    frame_valid <= 1'b0;
    frame_byte  <= 8'($random(u_codec.state));
    frame_end   <= 1'($random(u_codec.state));
  endtask

  task frame(input integer length, input integer zeros);
    u_codec.length = 0;
    for (int i = 0; i < length; i++) u_codec.add(zeros == 0 ? 8'(1 + u_codec.random(255)) :
        u_codec.random_byte(zeros));
    if (WITH_CRC != 0) u_codec.add_crc;
    u_codec.stuff;
    line_length = u_codec.line_length;
    while (queued + line_length + 1 - bytes > QUEUE) @(posedge clk);
    for (int i = 0; i < line_length; i++) queue[(queued+i)%QUEUE] = u_codec.line[i];
    queue[(queued+line_length)%QUEUE] = 8'd0;
    queued = queued + line_length + 1;
    for (int i = 0; i < length; i++) put(u_codec.body[i], 1'b0);
    put(8'($random(u_codec.state)), 1'b1);
    whole <= queued;
  endtask

  initial begin
    {frame_byte, frame_end, frame_valid, done} = '0;
    {queued, whole, out_pause, in_pause} = '0;
    // A frame of n bytes needs n + n/LONGEST + 3 places of the ring, and one place stays free.
    longest = BYTES;
    while (longest + longest / LONGEST + 4 > BYTES) longest = longest - 1;
    longest = longest - 4 * WITH_CRC;
    @(negedge rst);
    @(posedge clk);
    for (int i = 0; i < FRAMES; i++) begin
      out_pause = u_codec.random(3) * 60;
      in_pause = u_codec.random(4) * 80;
      n = u_codec.random(longest + 1);
      if (u_codec.random(3) == 0) n = longest - u_codec.random(2);
      if (u_codec.random(3) == 0) n = u_codec.random(8);
      if (u_codec.random(8) == 0 && LONGEST < longest - 1) n = LONGEST - 1 + u_codec.random(3);
      frame(n, u_codec.random(3) * 2);
    end
    // Full speed.
    out_pause = 0;
    in_pause = 0;
    while (queued != bytes) @(posedge clk);
    for (int i = 0; i < FRAMES / 2; i++) begin
      frame(u_codec.random(BYTES / 4 - 3), u_codec.random(3) * 2);
      if (i != 0 && now - ended != line_length + 2)
        $fatal(1, "%m: a frame of %0d bytes on the line took %0d cycles", line_length, now - ended);
      ended = now;
    end
    while (queued != bytes) @(posedge clk);
    repeat (5) @(posedge clk);
    done = 1'b1;
  end
endmodule

`default_nettype wire
