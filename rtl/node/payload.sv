// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Generates payload, for the node that sends it and the one that checks it: flit k of a message (k = 1, 2, ...) is
// the low bits of the k-th successor of a start word, which is made of seed, source and message number. The successor
// is that of xorshift (STATE_W = 32) or, for chips with little logic, of a feedback shift register (STATE_W = 16:
// x^16+x^5+x^3+x^2+1, all 2^16 - 1 words other than 0 in one cycle). The top bit of the start is set, so it is never
// 0, and two messages of a run never have the same start.
//
// Combinational; the user keeps the state. With the header, load the state from `start`. Behind the header each flit
// is `flit`; when it has crossed, load the state from `next`. A flit wider than STATE_W repeats `next`. If it is
// wider than one and a half times STATE_W, repetition j is rotated to the left by j bits; else the repetitions would
// cancel in the signature.
//
// Ports: seed: constant during a run; its bits from STATE_W-1 up are not used. name: the message number above the
// source's number, as both stand in the header. state, next: any word is legal. flit: what `next` shows.
//
// Legal parameters: STATE_W 16 or 32, NAME_W below STATE_W, FLIT_W up to STATE_W*STATE_W/2.
`default_nettype none

module payload #(
    parameter integer NAME_W = 24,  // bits of source and message number together, 1..STATE_W-1
    parameter integer STATE_W = 32,  // bits of a state: 32 xorshift, 16 shift register
    parameter integer FLIT_W = 32  // bits of a flit, 1..STATE_W*STATE_W/2
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [       31:0] seed,  // the low STATE_W-1 bits are used: the top bit of the start is always set
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [ NAME_W-1:0] name,   // message number above source
    output logic [STATE_W-1:0] start,  // state to load with the header
    input  wire  [STATE_W-1:0] state,  // state that was loaded with the last flit
    output logic [STATE_W-1:0] next,   // state to load with the next flit
    output logic [ FLIT_W-1:0] flit    // the next flit
);
  if (STATE_W != 16 && STATE_W != 32) begin : g_STATE_W illegal_STATE_W u_illegal (); end
  if (NAME_W < 1 || NAME_W >= STATE_W) begin : g_NAME_W illegal_NAME_W u_illegal (); end
  if (FLIT_W < 1 || FLIT_W > STATE_W * STATE_W / 2) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  localparam integer PARTS = (FLIT_W + STATE_W - 1) / STATE_W;

  assign start = {1'b1, seed[STATE_W-2:0] ^ (STATE_W - 1)'(name)};

  if (STATE_W == 32) begin : g_xorshift
    xorshift u_next (
        .in (state),
        .out(next)
    );
  end else begin : g_shift
    assign next = {state[STATE_W-2:0], 1'b0} ^ (state[STATE_W-1] ? STATE_W'(16'h002d) : STATE_W'(0));
  end
  if (2 * FLIT_W > 3 * STATE_W) begin : g_turned
    logic [PARTS*STATE_W-1:0] parts;
    for (genvar j = 0; j < PARTS; j++) begin : g_part
      assign parts[j*STATE_W+:STATE_W] = STATE_W'({next, next} >> (STATE_W - j % STATE_W));
    end
    assign flit = parts[FLIT_W-1:0];
  end else begin : g_repeated
    assign flit = FLIT_W'({PARTS{next}});
  end

`ifdef FORMAL
  // `start` determines seed and name, so no two messages of a run share it. Nor do they share its successors, because
  // a state determines the one before it (for xorshift: see there).
  wire [STATE_W-1:0] f_back = next[0] ? {1'b1, (STATE_W - 1)'((next ^ STATE_W'(16'h002d)) >> 1)} : next >> 1;

  always_comb begin
    for (int b = 0; b < FLIT_W; b++)
      assert (flit[b] == next[(b + STATE_W - (2 * FLIT_W > 3 * STATE_W ? b / STATE_W : 0)) % STATE_W]);
    assert (start != '0);
    assert ((start[STATE_W-2:0] ^ seed[STATE_W-2:0]) == (STATE_W - 1)'(name));
    if (STATE_W == 16) assert (f_back == state);
    assert ((next == '0) == (state == '0));
    cover (next[7:0] == 8'h2d && state == start);
  end
`endif
endmodule

`default_nettype wire
