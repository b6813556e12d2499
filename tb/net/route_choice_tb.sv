// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares all sets of lanes of cubes, meshes, a line, tori and a ring with those of the C library: see
// route_choice_walk.
`default_nettype none

module route_choice_tb;
  `include "route_choice_digests.svh"
  `include "networks.svh"
  localparam integer NETWORKS = 10;
  localparam [0:NETWORKS*NETWORK_W-1] NETWORK = {
      network(CUBE, 1, {4{16'd2}}),
      network(CUBE, 3, {3{16'd2}}),
      network(MESH, 1, {16'd3, 16'd5}),
      network(MESH, 2, {16'd4, 16'd4}),
      network(MESH, 2, {16'd3, 16'd2, 16'd4}),
      network(MESH, 2, 16'd7),
      network(TORUS, 2, {16'd4, 16'd4}),
      network(TORUS, 3, {16'd5, 16'd3}),
      network(TORUS, 4, 16'd6),
      network(TORUS, 3, {16'd2, 16'd8})
  };
  integer all;
  wire [63:0] digest[NETWORKS];
  wire [31:0] sets[NETWORKS];
  wire [NETWORKS-1:0] done;

  for (genvar k = 0; k < NETWORKS; k++) begin : g_network
    route_choice_walk #(.NETWORK(NETWORK[k*NETWORK_W+:NETWORK_W])) u_walk (
        .digest(digest[k]),
        .sets(sets[k]),
        .done(done[k])
    );
  end

  initial begin
    wait (&done);
    all = 0;
    for (int i = 0; i < NETWORKS; i++) begin
      if (sets[i] != 0 && digest[i] !== route_choice_digest(i)) $fatal(1, "network %0d: %h", i, digest[i]);
      all = all + sets[i];
    end
    if (all == 0) $fatal(1, "no sets");
    $display("PASS route_choice (%0d sets)", all);
    $finish;
  end
endmodule

`default_nettype wire
