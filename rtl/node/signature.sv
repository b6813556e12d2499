// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Computes one step of the signature of a message's payload. The host knows the expected value of every flit,
// computes the same signature, and compares. The signature is a shift register with feedback (a primitive polynomial)
// that takes one flit a step: for a given state another flit gives another signature, and for a given flit another
// state does. So a flipped bit always changes it, and a lost, doubled or swapped flit does but for one case in
// 2^SIGNATURE_W. A flit that is wider than the signature is folded: its parts of SIGNATURE_W bits, from bit 0 on, are
// combined by xor. Combinational; a neighbour keeps the state, which is all ones before the first flit.
`default_nettype none

module signature #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer SIGNATURE_W = 32  // bits of a signature: 12, 16, 32
) (
    input  wire  [SIGNATURE_W-1:0] state,
    input  wire  [     FLIT_W-1:0] flit,
    output logic [SIGNATURE_W-1:0] next    // the state after this flit
);
  if (FLIT_W < 1) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (SIGNATURE_W != 12 && SIGNATURE_W != 16 && SIGNATURE_W != 32) begin : g_SIGNATURE_W
    illegal_SIGNATURE_W u_illegal ();
  end

  // It shifts to the right, because the payload's own register (payload.sv) shifts to the left. If both shifted in
  // the same direction, one would cancel the other.
  localparam logic [31:0] TAPS = SIGNATURE_W == 12 ? 32'hca0 : SIGNATURE_W == 16 ? 32'hd008 : 32'hedb88320;
  localparam integer PARTS = (FLIT_W + SIGNATURE_W - 1) / SIGNATURE_W;
  wire [PARTS*SIGNATURE_W-1:0] padded = (PARTS * SIGNATURE_W)'(flit);

  wire [SIGNATURE_W-1:0] shifted = {1'b0, state[SIGNATURE_W-1:1]} ^ (state[0] ? TAPS[SIGNATURE_W-1:0] : SIGNATURE_W'(0));

  always_comb begin
    next = shifted;
    for (int i = 0; i < PARTS; i++) next = next ^ padded[i*SIGNATURE_W+:SIGNATURE_W];
  end

`ifdef FORMAL
  // The flit and the next state determine the state before; and the two states determine the flit, but for the
  // folding: of its parts one follows, if the others are known.
  wire [PARTS*SIGNATURE_W-1:0] f_flit = (PARTS * SIGNATURE_W)'(flit);
  logic [SIGNATURE_W-1:0] f_folded, f_step, f_turn, f_back;
  always_comb begin
    f_folded = '0;
    for (int i = 0; i < PARTS; i++)
      for (int b = 0; b < SIGNATURE_W; b++) f_folded[b] = f_folded[b] ^ f_flit[i*SIGNATURE_W+b];
    f_step = next ^ f_folded;
    // The bit that falls out comes back in at the top, so the highest bit of a step tells which way it went.
    f_turn = f_step[SIGNATURE_W-1] ? f_step ^ TAPS[SIGNATURE_W-1:0] : f_step;
    f_back = {f_turn[SIGNATURE_W-2:0], f_step[SIGNATURE_W-1]};
    assert (f_back == state);
    assert ((f_step == '0) == (state == '0));
    cover (next == '0 && state != '0);
  end
`endif
endmodule

`default_nettype wire
