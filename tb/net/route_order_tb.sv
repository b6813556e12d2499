// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All routes of a cube, a mesh, a torus, rings and a line, with one virtual channel and with several: see
// route_order_walk.
`default_nettype none

module route_order_tb;
  `include "networks.svh"
  localparam integer NETWORKS = 14;
  localparam [0:NETWORKS*NETWORK_W-1] NETWORK = {
      network(CUBE, 1, {3{16'd2}}),
      network(MESH, 1, {16'd3, 16'd5}),
      network(TORUS, 1, {16'd5, 16'd4, 16'd2}),
      network(TORUS, 1, 16'd8),
      network(TORUS, 1, {16'd1, 16'd7}),
      network(MESH, 1, 16'd17),
      network(TORUS, 2, {16'd3, 16'd4}),
      network(CUBE, 3, {5{16'd2}}),
      network(CUBE, 8, {4{16'd2}}),
      network(MESH, 2, {16'd3, 16'd5}),
      network(MESH, 6, 16'd17),
      network(TORUS, 3, {16'd3, 16'd4}),
      network(TORUS, 5, 16'd13),
      network(TORUS, 8, {16'd5, 16'd2, 16'd2})
  };
  integer seed, all;
  wire [31:0] routes[NETWORKS];
  wire [NETWORKS-1:0] done;

  for (genvar k = 0; k < NETWORKS; k++) begin : g_network
    route_order_walk #(.NETWORK(NETWORK[k*NETWORK_W+:NETWORK_W])) u_walk (
        .routes(routes[k]),
        .done(done[k])
    );
  end

  always @(done)
    if (&done) begin
      if (!$value$plusargs("seed=%d", seed)) seed = 1;
      all = 0;
      for (int i = 0; i < NETWORKS; i++) all = all + routes[i];
      $display("PASS route_order (seed %0d, %0d routes)", seed, all);
      $finish;
    end
endmodule

`default_nettype wire
