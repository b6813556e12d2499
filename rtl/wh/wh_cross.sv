// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The flits' way to one output of a wormhole router: a multiplexer of the heads of all inputs, or of all but one. Part
// of wh_router. Eight inputs make a tree of two-way choices, of which both a simulator and four-input LUTs (five for a
// bit) make less than of an index into all flits.
//
// Combinational. out_flit means something only with valid = 1; then it is the flit of the input at place `at`, below
// PORTS. Input i is at place i, but with SKIP below PORTS the last one is at place SKIP, and the input of that number
// cannot be chosen.
`default_nettype none

module wh_cross #(
    parameter integer PORTS = 9,  // inputs, 2..64
    parameter integer SKIP = PORTS,  // the input that is never chosen, 0..PORTS-1; PORTS: any may be
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     valid,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [      PORT_W-1:0] at,
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    // verilator lint_on UNUSEDSIGNAL
    output logic [      FLIT_W-1:0] out_flit
);
  generate
    if (PORTS < 2 || PORTS > 64) illegal_PORTS u_illegal ();
    if (SKIP < 0 || SKIP > PORTS) illegal_SKIP u_illegal ();
    if (FLIT_W < 1) illegal_FLIT_W u_illegal ();
  endgenerate

  localparam integer LAST = PORTS - 1;
  wire [5:0] place = 6'(at);

  always_comb begin : choose
    logic [FLIT_W-1:0] chosen;
    chosen = 'x;
    if (valid) begin
      for (int g = 0; g < PORTS; g = g + 8)
        if (PORTS <= 8 || place[5:3] == 3'(g / 8))
          chosen = place[2] ? (place[1] ? (place[0] ? in_flit[(g + 7 == SKIP || g + 7 > LAST ? LAST : g + 7)*FLIT_W+:FLIT_W]
                                                    : in_flit[(g + 6 == SKIP || g + 6 > LAST ? LAST : g + 6)*FLIT_W+:FLIT_W])
                                        : (place[0] ? in_flit[(g + 5 == SKIP || g + 5 > LAST ? LAST : g + 5)*FLIT_W+:FLIT_W]
                                                    : in_flit[(g + 4 == SKIP || g + 4 > LAST ? LAST : g + 4)*FLIT_W+:FLIT_W]))
                            : (place[1] ? (place[0] ? in_flit[(g + 3 == SKIP || g + 3 > LAST ? LAST : g + 3)*FLIT_W+:FLIT_W]
                                                    : in_flit[(g + 2 == SKIP || g + 2 > LAST ? LAST : g + 2)*FLIT_W+:FLIT_W])
                                        : (place[0] ? in_flit[(g + 1 == SKIP || g + 1 > LAST ? LAST : g + 1)*FLIT_W+:FLIT_W]
                                                    : in_flit[(g == SKIP ? LAST : g)*FLIT_W+:FLIT_W]));
    end
    out_flit = chosen;
  end

`ifdef FORMAL
  wire [31:0] f_input = 32'(at) == SKIP ? LAST : 32'(at);
  always_comb begin
    if (valid && 32'(at) < PORTS) assert (out_flit == in_flit[f_input*FLIT_W+:FLIT_W]);
    cover (valid && 32'(at) == PORTS - 2 && out_flit[0]);
  end
`endif
endmodule

`default_nettype wire
