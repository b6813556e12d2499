// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Generated payload: flit k of a message is the low bits of the k-th successor of a start that names seed, source
// and message (xorshift 13-17-5, a bijection of full period on non-zero words). The top bit of the start is set, so
// it is never zero and two messages never share one. Combinational.
`default_nettype none

module payload #(
    parameter integer NAME_W = 24  // bits of source and message number together, 1..31
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [      31:0] seed,  // the top bit is not used: the start's is always set
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [NAME_W-1:0] name,   // message number above source
    input  wire  [      31:0] state,
    output logic [      31:0] first,  // state of flit 1, the one after the header
    output logic [      31:0] next    // state of the flit after `state`
);
  generate
    if (NAME_W < 1 || NAME_W > 31) illegal_NAME_W u_illegal ();
  endgenerate

  xorshift u_first (
      .in ({1'b1, seed[30:0] ^ 31'(name)}),
      .out(first)
  );
  xorshift u_next (
      .in (state),
      .out(next)
  );

`ifdef FORMAL
  // `first` can be undone (see xorshift), and what comes out is the seed and the name, so no two messages share it.
  wire [31:0] f_b = first ^ (first << 5) ^ (first << 10) ^ (first << 15) ^ (first << 20) ^ (first << 25) ^ (first << 30);
  wire [31:0] f_a = f_b ^ (f_b >> 17);
  wire [31:0] f_start = f_a ^ (f_a << 13) ^ (f_a << 26);

  always_comb begin
    assert (first != '0);
    assert (f_start[31] && f_start[30:0] == (seed[30:0] ^ 31'(name)));
    assert ((next == '0) == (state == '0));
    cover (next == first);
  end
`endif
endmodule

`default_nettype wire
