// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Generated payload: flit k of a message is the low bits of the k-th successor of a start that names seed, source and
// message, by xorshift. The top bit of the start is set, so it is never zero, and two messages never share one.
// Combinational.
`default_nettype none

module payload #(
    parameter integer NAME_W = 24  // bits of source and message number together, 1..31
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [      31:0] seed,  // the top bit is not used: the start's is always set
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [NAME_W-1:0] name,   // message number above source
    output logic [      31:0] start,  // what goes with the header
    input  wire  [      31:0] state,  // what goes with a flit
    output logic [      31:0] next    // what goes with the one after it: its low bits are that flit
);
  generate
    if (NAME_W < 1 || NAME_W > 31) illegal_NAME_W u_illegal ();
  endgenerate

  assign start = {1'b1, seed[30:0] ^ 31'(name)};

  xorshift u_next (
      .in (state),
      .out(next)
  );

`ifdef FORMAL
  // Seed and name can be told from `start`, so no two messages of a run share it, nor (see xorshift) what follows it.
  always_comb begin
    assert (start != '0);
    assert ((start[30:0] ^ seed[30:0]) == 31'(name));
    assert ((next == '0) == (state == '0));
    cover (next[7:0] == '0 && state == start);
  end
`endif
endmodule

`default_nettype wire
