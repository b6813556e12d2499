// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All ways by way of nodes of cubes, meshes, a line, tori and a ring, against those of the C library: see route_via_walk.
`default_nettype none

module route_via_tb;
  `include "route_via_digests.svh"
  localparam integer NETWORKS = 8;
  integer all;
  wire [63:0] digest[NETWORKS];
  wire [31:0] routes[NETWORKS];
  wire [NETWORKS-1:0] done;

  // cube:3v2
  route_via_walk #(
      .NODES(8), .DIMS(3), .LABEL_W(3)
  ) u_cube_3v2 (
      .digest(digest[0]), .routes(routes[0]), .done(done[0])
  );
  // cube:4v4
  route_via_walk #(
      .NODES(16), .DIMS(4), .LABEL_W(4), .V(4)
  ) u_cube_4v4 (
      .digest(digest[1]), .routes(routes[1]), .done(done[1])
  );
  // mesh:3x5v2
  route_via_walk #(
      .NODES(15), .DIMS(2), .LABEL_W(5), .EXTENTS({16'd3, 16'd5}), .DIGITS({16'h0203, 16'h0300}), .LINKS_PER_DIM(2), .CORNERS(1)
  ) u_mesh_3x5v2 (
      .digest(digest[2]), .routes(routes[2]), .done(done[2])
  );
  // mesh:4x4v4
  route_via_walk #(
      .NODES(16), .DIMS(2), .LABEL_W(4), .EXTENTS({16'd4, 16'd4}), .DIGITS({16'h0202, 16'h0200}), .LINKS_PER_DIM(2), .V(4), .CORNERS(1)
  ) u_mesh_4x4v4 (
      .digest(digest[3]), .routes(routes[3]), .done(done[3])
  );
  // line:7v6
  route_via_walk #(
      .NODES(7), .DIMS(1), .LABEL_W(3), .EXTENTS({16'd7}), .DIGITS({16'h0300}), .LINKS_PER_DIM(2), .V(6)
  ) u_line_7v6 (
      .digest(digest[4]), .routes(routes[4]), .done(done[4])
  );
  // torus:4x4v4
  route_via_walk #(
      .NODES(16), .DIMS(2), .LABEL_W(4), .EXTENTS({16'd4, 16'd4}), .DIGITS({16'h0202, 16'h0200}), .LINKS_PER_DIM(2), .WRAP(1), .V(4)
  ) u_torus_4x4v4 (
      .digest(digest[5]), .routes(routes[5]), .done(done[5])
  );
  // torus:5x3v6
  route_via_walk #(
      .NODES(15), .DIMS(2), .LABEL_W(5), .EXTENTS({16'd5, 16'd3}), .DIGITS({16'h0302, 16'h0200}), .LINKS_PER_DIM(2), .WRAP(1), .V(6)
  ) u_torus_5x3v6 (
      .digest(digest[6]), .routes(routes[6]), .done(done[6])
  );
  // ring:6v8
  route_via_walk #(
      .NODES(6), .DIMS(1), .LABEL_W(3), .EXTENTS({16'd6}), .DIGITS({16'h0300}), .LINKS_PER_DIM(2), .WRAP(1), .V(8)
  ) u_ring_6v8 (
      .digest(digest[7]), .routes(routes[7]), .done(done[7])
  );

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
