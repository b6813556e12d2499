// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The published check value of CRC-32 (of "123456789": cbf43926), the residue behind random messages and their CRCs,
// and random states with every byte, against the definition bit by bit.
`default_nettype none

module crc32_byte_tb;
  wire clk, rst;
  integer seed, steps;
  logic [31:0] state;
  logic [7:0] data;
  wire [31:0] next;
  logic [71:0] digits;

  bench u_bench (.clk, .rst, .seed);
  link_codec u_codec ();
  crc32_byte u_dut (.state, .data, .next);

  task step(input [7:0] value);
    logic [31:0] expected;
    data = value;
    expected = u_codec.crc_step(state, value);
    @(posedge clk);
    if (next !== expected) $fatal(1, "state %h, byte %h: %h, expected %h", state, value, next, expected);
    state = next;
    steps = steps + 1;
  endtask

  initial begin
    steps = 0;
    @(negedge rst);
    digits = "123456789";
    state = 32'hffffffff;
    for (int i = 8; i >= 0; i--) step(digits[8*i+:8]);
    if (state !== ~32'hcbf43926) $fatal(1, "check value %h", ~state);
    for (int n = 0; n < 100; n++) begin
      u_codec.length = 0;
      for (int i = u_codec.random(60); i >= 0; i--) u_codec.add(u_codec.random_byte(4));
      state = 32'hffffffff;
      for (int i = 0; i < u_codec.length; i++) step(u_codec.body[i]);
      u_codec.add_word(~state);
      for (int i = u_codec.length - 4; i < u_codec.length; i++) step(u_codec.body[i]);
      if (state !== 32'hdebb20e3) $fatal(1, "residue %h", state);
    end
    for (int n = 0; n < 2048; n++) begin
      state = $random(u_codec.state);
      step(8'(n));
    end
    $display("PASS crc32_byte (seed %0d, %0d bytes)", seed, steps);
    $finish;
  end
endmodule

`default_nettype wire
