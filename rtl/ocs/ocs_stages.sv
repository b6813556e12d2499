// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A Benes network of 2x2 switches, PORTS inputs and outputs in 2*log2(PORTS) - 1 stages: what comes in at an input goes out at the
// output to which the switches lead, whatever they are set to one for each. Any permutation has settings (the looping
// algorithm finds them: flitloom/circuits.h). There are no registers in it: it stands for light, or for wires.
//
// Stage s joins the lines whose numbers differ in bit s, and from the middle stage on, which is stage log2(PORTS) - 1, in bit
// 2*log2(PORTS) - 2 - s. Its switch q has the two lines that are q without that bit; crossed, they change places.
//
// Ports: crossed: bit s*PORTS/2 + q is of switch q of stage s. in, out: line p at bits p*W +: W.
//
// Combinational: no clock, latency 0. Legal parameters: PORTS a power of two from 2 to 1024, W at least 1.
`default_nettype none

module ocs_stages #(
    parameter integer PORTS = 4,  // a power of two, 2..1024
    parameter integer W = 8,  // bits of a line
    localparam integer BITS = $clog2(PORTS),
    localparam integer STAGES = 2 * BITS - 1
) (
    input  wire  [STAGES*PORTS/2-1:0] crossed,
    input  wire  [       PORTS*W-1:0] in,
    output logic [       PORTS*W-1:0] out
);
  if (PORTS < 2 || PORTS > 1024 || PORTS != 1 << BITS) begin : g_PORTS illegal_PORTS u_illegal (); end
  if (W < 1) begin : g_W illegal_W u_illegal (); end

  // The lower line of a switch, and how far above it the other one is.
  function automatic integer apart(input integer s);
    apart = 1 << (s < BITS ? s : 2 * BITS - 2 - s);
  endfunction
  function automatic integer lower(input integer s, input integer q);
    lower = q / apart(s) * apart(s) * 2 + q % apart(s);
  endfunction

  // By statements, as a simulator works out no more than they ask for: of nothing nothing comes.
  logic [PORTS*W-1:0] line;
  always_comb begin : walk
    logic [W-1:0] one;
    line = in;
    one  = '0;
    if (|in) begin
      for (int s = 0; s < STAGES; s++) begin
        for (int q = 0; q < PORTS / 2; q++) begin
          if (crossed[s*(PORTS/2)+q]) begin
            one = line[lower(s, q)*W+:W];
            line[lower(s, q)*W+:W] = line[(lower(s, q)+apart(s))*W+:W];
            line[(lower(s, q)+apart(s))*W+:W] = one;
          end
        end
      end
    end
    out = line;
  end

`ifdef FORMAL
  // Any two inputs come out whole, at two different outputs.
  (* anyconst *) logic [BITS-1:0] f_one, f_other;
  function automatic [BITS-1:0] f_follow(input [STAGES*PORTS/2-1:0] set, input [BITS-1:0] from);
    integer s, q;
    f_follow = from;
    for (s = 0; s < STAGES; s = s + 1)
      for (q = 0; q < PORTS / 2; q = q + 1)
        if (set[s*(PORTS/2)+q] && (f_follow == BITS'(lower(s, q)) || f_follow == BITS'(lower(s, q) + apart(s))))
          f_follow = f_follow ^ BITS'(apart(s));
  endfunction
  always_comb begin
    assert (out[f_follow(crossed, f_one)*W+:W] == in[f_one*W+:W]);
    if (f_one != f_other) assert (f_follow(crossed, f_one) != f_follow(crossed, f_other));
    cover (f_one == '0 && (&crossed) && f_follow(crossed, f_one) == BITS'(PORTS / 2));
  end
`endif
endmodule

`default_nettype wire
