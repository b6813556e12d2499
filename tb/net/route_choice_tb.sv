// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All sets of lanes of cubes, meshes, a line, tori and a ring, against those of the C library: see route_choice_walk.
`default_nettype none

module route_choice_tb;
  `include "route_choice_digests.svh"
  localparam integer NETWORKS = 10;
  integer all;
  wire [63:0] digest[NETWORKS];
  wire [31:0] sets[NETWORKS];
  wire [NETWORKS-1:0] done;

  // cube:4
  route_choice_walk #(
      .NODES(16), .DIMS(4), .LABEL_W(4), .RULES(9'b001110000)
  ) u_cube_4 (
      .digest(digest[0]),
      .sets(sets[0]),
      .done(done[0])
  );
  // cube:3v3
  route_choice_walk #(
      .NODES(8), .DIMS(3), .LABEL_W(3), .V(3), .RULES(9'b101110000)
  ) u_cube_3v3 (
      .digest(digest[1]),
      .sets(sets[1]),
      .done(done[1])
  );
  // mesh:3x5
  route_choice_walk #(
      .NODES(15), .DIMS(2), .LABEL_W(5), .EXTENTS({16'd3, 16'd5}), .DIGITS({16'h0203, 16'h0300}), .LINKS_PER_DIM(2), .RULES(9'b011110000)
  ) u_mesh_3x5 (
      .digest(digest[2]),
      .sets(sets[2]),
      .done(done[2])
  );
  // mesh:4x4v2
  route_choice_walk #(
      .NODES(16), .DIMS(2), .LABEL_W(4), .EXTENTS({16'd4, 16'd4}), .DIGITS({16'h0202, 16'h0200}), .LINKS_PER_DIM(2), .V(2), .RULES(9'b111110000)
  ) u_mesh_4x4v2 (
      .digest(digest[3]),
      .sets(sets[3]),
      .done(done[3])
  );
  // mesh:3x2x4v2
  route_choice_walk #(
      .NODES(24), .DIMS(3), .LABEL_W(5), .EXTENTS({16'd3, 16'd2, 16'd4}), .DIGITS({16'h0203, 16'h0102, 16'h0200}), .LINKS_PER_DIM(2), .V(2), .RULES(9'b101110000)
  ) u_mesh_3x2x4v2 (
      .digest(digest[4]),
      .sets(sets[4]),
      .done(done[4])
  );
  // line:7v2
  route_choice_walk #(
      .NODES(7), .DIMS(1), .LABEL_W(3), .EXTENTS({16'd7}), .DIGITS({16'h0300}), .LINKS_PER_DIM(2), .V(2), .RULES(9'b101110000)
  ) u_line_7v2 (
      .digest(digest[5]),
      .sets(sets[5]),
      .done(done[5])
  );
  // torus:4x4v2
  route_choice_walk #(
      .NODES(16), .DIMS(2), .LABEL_W(4), .EXTENTS({16'd4, 16'd4}), .DIGITS({16'h0202, 16'h0200}), .LINKS_PER_DIM(2), .WRAP(1), .V(2), .RULES(9'b100000000)
  ) u_torus_4x4v2 (
      .digest(digest[6]),
      .sets(sets[6]),
      .done(done[6])
  );
  // torus:5x3v3
  route_choice_walk #(
      .NODES(15), .DIMS(2), .LABEL_W(5), .EXTENTS({16'd5, 16'd3}), .DIGITS({16'h0302, 16'h0200}), .LINKS_PER_DIM(2), .WRAP(1), .V(3), .RULES(9'b100000000)
  ) u_torus_5x3v3 (
      .digest(digest[7]),
      .sets(sets[7]),
      .done(done[7])
  );
  // ring:6v4
  route_choice_walk #(
      .NODES(6), .DIMS(1), .LABEL_W(3), .EXTENTS({16'd6}), .DIGITS({16'h0300}), .LINKS_PER_DIM(2), .WRAP(1), .V(4), .RULES(9'b100000000)
  ) u_ring_6v4 (
      .digest(digest[8]),
      .sets(sets[8]),
      .done(done[8])
  );
  // torus:2x8v3
  route_choice_walk #(
      .NODES(16), .DIMS(2), .LABEL_W(4), .EXTENTS({16'd2, 16'd8}), .DIGITS({16'h0103, 16'h0300}), .LINKS_PER_DIM(2), .WRAP(1), .V(3), .RULES(9'b100000000)
  ) u_torus_2x8v3 (
      .digest(digest[9]),
      .sets(sets[9]),
      .done(done[9])
  );

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
