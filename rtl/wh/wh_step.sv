// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One step of the small variant of the multiplexer wh_cross: takes one of two more flits in, or lets pass what the steps
// before chose. Where it takes one, the bits that come from the steps before are all 1 for `hi` or all 0 for `lo`: the
// choice between the two travels in place of the flit that has not come yet. So a step is one four-input LUT per bit.
//
// It is a module so that it stays one: synthesis, which looks for the shortest way through the logic, would make five
// LUTs per bit of the four that eight inputs need. nextpnr takes the modules apart again. Combinational.
`default_nettype none

(* keep_hierarchy *)
module wh_step #(
    parameter integer FLIT_W = 32  // bits, >= 1
) (
    input  wire               mine,     // one of lo and hi is chosen
    input  wire  [FLIT_W-1:0] passing,  // from the step before
    input  wire  [FLIT_W-1:0] lo,
    input  wire  [FLIT_W-1:0] hi,
    output logic [FLIT_W-1:0] flit
);
  if (FLIT_W < 1) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  assign flit = mine ? (passing & hi) | (~passing & lo) : passing;
endmodule

`default_nettype wire
