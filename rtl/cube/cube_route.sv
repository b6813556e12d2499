// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route unit of the binary n-cube. A header goes along the lowest dimension in which it is not yet home (e-cube), or,
// when its rule bit is set, the highest (e^-1-cube); at home it goes to the local port. Port 0 is the local one, port d+1 leads along
// dimension d. Combinational.
`default_nettype none

module cube_route #(
    parameter integer DIM = 8,  // dimensions of the cube, 1..10
    localparam integer PORT_W = $clog2(DIM + 1)
) (
    input  wire               enable,       // there is a header; idle logic stays quiet
    input  wire  [   DIM-1:0] here,         // address of this router
    input  wire  [   DIM-1:0] destination,
    input  wire               descending,
    output logic [PORT_W-1:0] port
);
  generate
    if (DIM < 1 || DIM > 10) illegal_DIM u_illegal ();
  endgenerate

  wire [DIM-1:0] left = here ^ destination;

  // One assignment to the port: on two in a row Icarus 11 never comes to rest when the port goes through wh_router.
  always_comb begin : pick
    logic [PORT_W-1:0] found;
    found = '0;
    if (enable && descending) begin
      for (int d = 0; d < DIM; d++) if (left[d]) found = PORT_W'(d + 1);
    end else if (enable) begin
      for (int d = DIM - 1; d >= 0; d--) if (left[d]) found = PORT_W'(d + 1);
    end
    port = found;
  end

`ifdef FORMAL
  always_comb begin
    if (!enable || left == '0) assert (port == '0);
    else begin
      assert (port != '0 && 32'(port) <= DIM);
      assert (left[port-1]);
      if (descending) assert (left >> port == '0);
      else assert (left << (DIM - 32'(port - 1'b1)) == '0);
    end

    cover (enable && descending && port == PORT_W'(1));
    cover (enable && !descending && port == PORT_W'(DIM));
    cover (enable && port == '0);
  end
`endif
endmodule

`default_nettype wire
