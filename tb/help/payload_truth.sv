// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Payload and signature as the register map's text has them (PAYLOAD_BITS, SIGNATURE), bit by bit, for testbenches to
// call: nothing here looks into rtl/.
`default_nettype none

module payload_truth #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 8
    parameter integer STATE_W = 32,  // bits of the payload's state: 16, 32
    parameter integer SIGNATURE_W = 32  // 0 (a signature is 0), 12, 16, 32
);
  localparam integer SIGNED_W = SIGNATURE_W == 0 ? 1 : SIGNATURE_W;
  localparam logic [31:0] TERMS = SIGNATURE_W == 12 ? 32'hca0 : SIGNATURE_W == 16 ? 32'hd008 : 32'hedb88320;

  function [31:0] first(input [31:0] seed, input [31:0] name);  // name: the number in the bits above the source
    first = seed ^ name;
    first[STATE_W-1] = 1'b1;
    if (STATE_W == 16) first[31:16] = '0;
  endfunction

  function [31:0] after(input [31:0] x);
    after = x;
    if (STATE_W == 32) begin
      after = after ^ (after << 13);
      after = after ^ (after >> 17);
      after = after ^ (after << 5);
    end else begin
      after = (x << 1) & 32'hffff;
      if (x[15]) begin
        after[5] = !after[5];
        after[3] = !after[3];
        after[2] = !after[2];
        after[0] = !after[0];
      end
    end
  endfunction

  function [FLIT_W-1:0] shown(input [31:0] x);  // Returns the flit that shows a state.
    // A wide flit repeats the state, each time rotated by one bit more.
    for (int b = 0; b < FLIT_W; b++) shown[b] = x[(2*FLIT_W>3*STATE_W?b%STATE_W+STATE_W-b/STATE_W%STATE_W:b)%STATE_W];
  endfunction

  function [31:0] unsigned_yet(input integer unused);
    unsigned_yet = '0;
    for (int b = 0; b < SIGNATURE_W; b++) unsigned_yet[b] = 1'b1;
  endfunction

  function [31:0] signed_with(input [31:0] x, input [FLIT_W-1:0] flit);
    signed_with = '0;
    for (int b = 1; b < SIGNED_W; b++) signed_with[b-1] = x[b];
    for (int b = 0; b < SIGNED_W; b++) if (x[0] && TERMS[b]) signed_with[b] = !signed_with[b];
    for (int b = 0; b < FLIT_W; b++) if (flit[b]) signed_with[b%SIGNED_W] = !signed_with[b%SIGNED_W];
    if (SIGNATURE_W == 0) signed_with = '0;
  endfunction

  // Computes the signature of a whole message, its header included in `flits`.
  function [31:0] signature(input [31:0] seed, input [31:0] name, input integer flits);
    logic [31:0] x;
    x = first(seed, name);
    signature = unsigned_yet(0);
    for (int k = 1; k < flits; k++) begin
      x = after(x);
      signature = signed_with(signature, shown(x));
    end
  endfunction
endmodule

`default_nettype wire
