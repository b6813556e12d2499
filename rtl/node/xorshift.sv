// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One step of xorshift 13-17-5: a bijection of 32-bit words which keeps 0 and takes every other word through all
// 2^32 - 1. Combinational.
`default_nettype none

module xorshift (
    input  wire  [31:0] in,
    output logic [31:0] out
);
  wire [31:0] a = in ^ (in << 13);
  wire [31:0] b = a ^ (a >> 17);
  assign out = b ^ (b << 5);
endmodule

`default_nettype wire
