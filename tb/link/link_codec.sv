// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// For testbenches: frames by the book (docs/protocol.md). `body` has the frame, `line` its bytes on the line without
// the zero byte at the end.
`default_nettype none

module link_codec #(
    parameter integer LONGEST = 254,  // longest run, 254 by the book
    parameter integer SALT = 0  // makes the random ones differ
);
  localparam integer ROOM = 2048;
  logic [7:0] body[ROOM], line[2*ROOM];
  `include "chance.svh"
  integer length, line_length;
  logic good;

  initial begin
    seed_by(1000211, SALT * 6151 + 3);
    length = 0;
    line_length = 0;
  end

  // Returns a random byte, often zero.
  function [7:0] random_byte(input integer one_in);
    random_byte = random(one_in) == 0 ? 8'd0 : 8'($random(state));
  endfunction

  function [31:0] crc_step(input [31:0] crc, input [7:0] data);
    integer i;
    crc_step = crc ^ {24'd0, data};
    for (i = 0; i < 8; i = i + 1) crc_step = crc_step[0] ? (crc_step >> 1) ^ 32'hedb88320 : crc_step >> 1;
  endfunction
  // Computes the CRC of the first n bytes.
  function [31:0] crc(input integer n);
    integer i;
    crc = 32'hffffffff;
    for (i = 0; i < n; i = i + 1) crc = crc_step(crc, body[i]);
    crc = ~crc;
  endfunction

  function [31:0] word_at(input integer at);
    word_at = {body[at+3], body[at+2], body[at+1], body[at]};
  endfunction

  task add(input [7:0] data);
    body[length] = data;
    length = length + 1;
  endtask
  task add_word(input [31:0] data);
    for (int i = 0; i < 4; i++) add(data[8*i+:8]);
  endtask
  task add_crc;
    add_word(crc(length));
  endtask

  // COBS: runs of bytes that are not zero, in front of each its length and 1; a zero follows each but the longest ones
  // and the last.
  task stuff;
    integer at, run;
    logic more;
    at = 0;
    line_length = 0;
    more = 1'b1;
    while (more) begin
      run = 0;
      while (run < LONGEST && at + run < length && body[at+run] != 8'd0) run = run + 1;
      line[line_length] = 8'(run + 1);
      for (int i = 0; i < run; i++) line[line_length+1+i] = body[at+i];
      line_length = line_length + 1 + run;
      at = at + run;
      more = at < length;
      if (more && run < LONGEST) at = at + 1;
    end
  endtask

  // Decodes `line` into `body`; good: it was COBS.
  task unstuff;
    integer at;
    at = 0;
    length = 0;
    while (at < line_length) begin
      for (int i = 1; i < 32'(line[at]) && at + i < line_length; i++) add(line[at+i]);
      if (at + 32'(line[at]) < line_length && line[at] != 8'(LONGEST + 1)) add(8'd0);
      at = at + 32'(line[at]);
    end
    good = at == line_length;
  endtask

  // True if `body` holds a request and four bytes.
  function legal(input integer max_words);
    integer n, at, words;
    n = length - 4;
    legal = n > 2 && body[0] >= 8'd1 && body[0] <= 8'd3;
    if (legal && body[0] == 8'd3) legal = n == 6;
    else if (legal) begin
      at = 2;
      words = 0;
      while (at < n && legal) begin
        words = words + 1 + 32'(body[at][5:0]);
        if (body[at][6] || words > max_words) legal = 1'b0;
        at = at + 5 + (body[0] == 8'd2 ? 4 + 4 * 32'(body[at][5:0]) : 0);
      end
      if (at != n) legal = 1'b0;
    end
  endfunction

  // A random request, without its CRC.
  task request(input integer max_words);
    integer left, words;
    logic [7:0] kind;
    length = 0;
    kind = 8'(1 + random(3));
    add(kind);
    add(random_byte(4));
    left = max_words;
    if (kind == 8'd3) add_word($random(state));
    else
      for (int n = random(3); n >= 0 && left > 0; n--) begin
        words = random(3) == 0 ? left : 1 + random(left < 4 ? left : 4);
        left = left - words;
        add({1'(random(2)), 1'b0, 6'(words - 1)});
        for (int i = 0; i < 4 + (kind == 8'd2 ? 4 * words : 0); i++) add(random_byte(3));
      end
  endtask

  // Puts an error into a request; now and then the request is still good.
  task spoil(input integer max_words);
    case (random(6))
      0: body[0] = body[0] ^ 8'd1 << random(8);
      1: body[2] = body[2] ^ 8'h40;
      2: length = length - 1 - random(length - 1);
      3: add(random_byte(3));
      4: body[2] = {body[2][7:6], 6'(random(64))};
      default: begin
        length = 2;
        body[0] = 8'd1;
        for (int n = 0; n <= max_words; n++) begin
          add(8'd0);
          add_word($random(state));
        end
      end
    endcase
  endtask
endmodule

`default_nettype wire
