// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares all ways through nodes of cubes, meshes, a line, tori and a ring with those of the C library: see
// route_via_walk.
`default_nettype none

module route_via_tb;
  `include "route_via_digests.svh"
  `include "networks.svh"
  localparam integer NETWORKS = 8;
  localparam [0:NETWORKS*NETWORK_W-1] NETWORK = {
      network(CUBE, 2, {3{16'd2}}),
      network(CUBE, 4, {4{16'd2}}),
      network(MESH, 2, {16'd3, 16'd5}),
      network(MESH, 4, {16'd4, 16'd4}),
      network(MESH, 6, 16'd7),
      network(TORUS, 4, {16'd4, 16'd4}),
      network(TORUS, 6, {16'd5, 16'd3}),
      network(TORUS, 8, 16'd6)
  };
  integer all;
  wire [63:0] digest[NETWORKS];
  wire [31:0] routes[NETWORKS];
  wire [NETWORKS-1:0] done;

  for (genvar k = 0; k < NETWORKS; k++) begin : g_network
    route_via_walk #(.NETWORK(NETWORK[k*NETWORK_W+:NETWORK_W])) u_walk (
        .digest(digest[k]),
        .routes(routes[k]),
        .done(done[k])
    );
  end

  initial begin
    wait (&done);
    all = 0;
    for (int i = 0; i < NETWORKS; i++) begin
      if (routes[i] != 0 && digest[i] !== route_via_digest(i)) $fatal(1, "network %0d: %h", i, digest[i]);
      all = all + routes[i];
    end
    if (all == 0) $fatal(1, "no ways");
    $display("PASS route_via (%0d ways)", all);
    $finish;
  end
endmodule

`default_nettype wire
