// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The flits' way to one output of a wormhole router: a multiplexer of the heads of all inputs, or of all but one. Part
// of wh_router.
//
// Combinational. out_flit means something only with valid = 1; then it is the flit of the input at the place that `at`
// names. Input i is at place i, but with SKIP below PORTS the SKIPS inputs from SKIP on cannot be chosen, and the last
// SKIPS ones are at their places.
//
// SMALL = 0: at is the number of the place, below PORTS. Eight inputs make a tree of two-way choices, of which both a
// simulator and four-input LUTs (five for a bit) make less than of an index into all flits. SMALL = 1: a chain of
// wh_step, two places each (four LUTs for a bit of eight inputs), which a simulator takes longer for. Bit 0 of at tells
// whether the place is odd, and of the bits above the one is set that stands for the pair of places; the others are 0.
// SMALL = 0 with SHARED = 1: bit i of at is set for input i, whatever SKIP is, and the others are 0. Where at is known last
// in a cycle that is the shortest way.
`default_nettype none

module wh_cross #(
    parameter integer PORTS = 9,  // inputs, 2..64
    parameter integer SKIP = PORTS,  // the first input that is never chosen, 0..PORTS-1; PORTS: any may be
    parameter integer SKIPS = 1,  // how many are not; 1..PORTS-1, and the places behind them hold as many, or there are none
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer SMALL = 0,  // 1: less logic, slower simulation
    parameter integer SHARED = 0,  // 1: a bit of at for each input; with SMALL = 0
    localparam integer AT_W = SMALL == 0 && SHARED != 0 ? PORTS : SMALL != 0 ? 1 + (PORTS + 1) / 2 : $clog2(PORTS)
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire                     valid,
    input  wire  [        AT_W-1:0] at,
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    // verilator lint_on UNUSEDSIGNAL
    output logic [      FLIT_W-1:0] out_flit
);
  if (PORTS < 2 || PORTS > 64) begin : g_PORTS illegal_PORTS u_illegal (); end
  if (SKIP < 0 || SKIP > PORTS) begin : g_SKIP illegal_SKIP u_illegal (); end
  if (SKIPS < 1 || SKIPS >= PORTS) begin : g_SKIPS illegal_SKIPS u_illegal (); end
  if (SKIP < PORTS && SKIP != PORTS - SKIPS && SKIP + 2 * SKIPS > PORTS) begin : g_SKIPS_2
    illegal_SKIPS u_illegal ();
  end
  if (FLIT_W < 1) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (SMALL < 0 || SMALL > 1) begin : g_SMALL illegal_SMALL u_illegal (); end

  localparam integer PLACES = SKIP < PORTS ? PORTS - SKIPS : PORTS;
  // The input at a place; beyond the last one that at the last.
  function automatic integer at_place(input integer place);
    at_place = place < PLACES ? place : PLACES - 1;
    if (at_place >= SKIP && at_place < SKIP + SKIPS) at_place = at_place + PLACES - SKIP;
  endfunction

  if (SMALL != 0) begin : g_chain
    localparam integer STEPS = (PLACES + 1) / 2;
    for (genvar k = 0; k < STEPS; k++) begin : g_step
      localparam integer LO = at_place(2 * k), HI = at_place(2 * k + 1);
      wire [FLIT_W-1:0] passing, flit;
      if (k == 0) begin : g_first
        assign passing = {FLIT_W{at[0]}};
      end else begin : g_next
        assign passing = g_step[k-1].flit;
      end
      if (2 * k + 1 < PLACES) begin : g_two
        wh_step #(.FLIT_W(FLIT_W)) u_step (
            .mine(at[1+k]),
            .passing,
            .lo(in_flit[LO*FLIT_W+:FLIT_W]),
            .hi(in_flit[HI*FLIT_W+:FLIT_W]),
            .flit
        );
      end else begin : g_one
        assign flit = at[1+k] ? in_flit[LO*FLIT_W+:FLIT_W] : passing;
      end
    end
    assign out_flit = g_step[STEPS-1].flit;
  end else if (SHARED != 0) begin : g_or
    always_comb begin : choose
      logic [FLIT_W-1:0] chosen;
      chosen = '0;
      if (valid) for (int i = 0; i < PORTS; i++) chosen = chosen | (in_flit[i*FLIT_W+:FLIT_W] & {FLIT_W{at[i]}});
      out_flit = chosen;
    end
  end else begin : g_tree
    wire [5:0] place = 6'(at);
    always_comb begin : choose
      logic [FLIT_W-1:0] chosen;
      chosen = 'x;
      if (valid) begin
        for (int g = 0; g < PLACES; g = g + 8)
          if (PLACES <= 8 || place[5:3] == 3'(g / 8))
            chosen = place[2] ? (place[1] ? (place[0] ? in_flit[at_place(g+7)*FLIT_W+:FLIT_W]
                                                      : in_flit[at_place(g+6)*FLIT_W+:FLIT_W])
                                          : (place[0] ? in_flit[at_place(g+5)*FLIT_W+:FLIT_W]
                                                      : in_flit[at_place(g+4)*FLIT_W+:FLIT_W]))
                              : (place[1] ? (place[0] ? in_flit[at_place(g+3)*FLIT_W+:FLIT_W]
                                                      : in_flit[at_place(g+2)*FLIT_W+:FLIT_W])
                                          : (place[0] ? in_flit[at_place(g+1)*FLIT_W+:FLIT_W]
                                                      : in_flit[at_place(g)*FLIT_W+:FLIT_W]));
      end
      out_flit = chosen;
    end
  end

`ifdef FORMAL
  (* anyseq *) logic [$clog2(PORTS)-1:0] f_place;
  wire [31:0] f_input = 32'(f_place) >= SKIP && 32'(f_place) < SKIP + SKIPS ? PORTS - SKIPS + 32'(f_place) - SKIP : 32'(f_place);
  wire [AT_W-1:0] f_at = SMALL != 0 ? AT_W'(2) << (f_place >> 1) | AT_W'(f_place[0]) :
      SHARED != 0 ? AT_W'(1) << f_input : AT_W'(f_place);
  always_comb begin
    if (valid && 32'(f_place) < PLACES && at == f_at)
      assert (out_flit == in_flit[f_input*FLIT_W+:FLIT_W]);
    cover (valid && at == f_at && 32'(f_place) == PLACES - 1 && out_flit[0]);
  end
`endif
endmodule

`default_nettype wire
