// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One step of the generator xorshift with shifts 13, 17, 5, used by `payload`: a one-to-one function of 32-bit words.
// It keeps 0 and takes every other word through all 2^32 - 1 of them.
//
// Combinational. Any input is legal; start from a word other than 0. There are no parameters.
`default_nettype none

module xorshift (
    input  wire  [31:0] in,
    output logic [31:0] out
);
  wire [31:0] a = in ^ (in << 13);
  wire [31:0] b = a ^ (a >> 17);
  assign out = b ^ (b << 5);

`ifdef FORMAL
  // It can be undone, so two words never give the same one.
  wire [31:0] f_b = out ^ (out << 5) ^ (out << 10) ^ (out << 15) ^ (out << 20) ^ (out << 25) ^ (out << 30);
  wire [31:0] f_a = f_b ^ (f_b >> 17);
  wire [31:0] f_in = f_a ^ (f_a << 13) ^ (f_a << 26);

  always_comb begin
    assert (f_in == in);
    assert ((out == '0) == (in == '0));
    cover (out == 32'd1);
  end
`endif
endmodule

`default_nettype wire
