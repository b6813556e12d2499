// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units of the binary n-cube, LANES of them side by side, as cube_router uses them. A header goes along the
// lowest dimension in which it is not yet home (e-cube), or, when its rule bit is set, the highest (e^-1-cube); at home
// it goes to the local port. Port 0 is the local one, port d+1 leads along dimension d. Either rule is free of deadlock
// by itself; if messages of both are in the network at the same time, nothing here guarantees it.
//
// Combinational; no clock, no state.
//
// Ports, lane i in bits [i*DIM +: DIM], [i*PORT_W +: PORT_W] and bit i:
// - enable: there is a header in this lane. Without it the lane's port is 0. It keeps idle logic quiet in a simulation;
//   tie it to 1 if you do not care.
// - here: address of this router, the same for all lanes. destination, descending: of the header; descending = 1 is the
//   rule e^-1-cube.
// - port: 0 to DIM.
//
// Legal parameters: all combinations of DIM from 1 to 10 and LANES >= 1. Every address is a node of the cube, so no
// destination is illegal.
`default_nettype none

module cube_route #(
    parameter integer DIM = 8,  // dimensions of the cube, 1..10
    parameter integer LANES = 1,  // headers, >= 1
    localparam integer PORT_W = $clog2(DIM + 1)
) (
    input  wire  [       LANES-1:0] enable,       // there is a header; else the port is 0 and nothing is worked out
    input  wire  [         DIM-1:0] here,         // address of this router
    input  wire  [   LANES*DIM-1:0] destination,
    input  wire  [       LANES-1:0] descending,   // the header's rule bit: highest dimension first
    output logic [LANES*PORT_W-1:0] port
);
  generate
    if (DIM < 1 || DIM > 10) illegal_DIM u_illegal ();
    if (LANES < 1) illegal_LANES u_illegal ();
  endgenerate

  // One assignment to the port: on two in a row Icarus 11 never comes to rest when the port goes through wh_router.
  always_comb begin : pick
    logic [LANES*PORT_W-1:0] found;
    logic [DIM-1:0] left;
    found = '0;
    left  = '0;
    if (|enable) begin
      for (int i = 0; i < LANES; i++) begin
        if (enable[i]) begin
          left = here ^ destination[i*DIM+:DIM];
          if (descending[i]) begin
            for (int d = 0; d < DIM; d++) if (left[d]) found[i*PORT_W+:PORT_W] = PORT_W'(d + 1);
          end else begin
            for (int d = DIM - 1; d >= 0; d--) if (left[d]) found[i*PORT_W+:PORT_W] = PORT_W'(d + 1);
          end
        end
      end
    end
    port = found;
  end

`ifdef FORMAL
  wire [DIM-1:0] f_left = here ^ destination;

  always_comb begin
    if (!enable || f_left == '0) assert (port == '0);
    else begin
      assert (port != '0 && 32'(port) <= DIM);
      assert (f_left[port-1]);
      if (descending) assert (f_left >> port == '0);
      else assert (f_left << (DIM - 32'(port - 1'b1)) == '0);
    end

    cover (enable && descending && port == PORT_W'(1));
    cover (enable && !descending && port == PORT_W'(DIM));
    cover (enable && port == '0);
  end
`endif
endmodule

`default_nettype wire
