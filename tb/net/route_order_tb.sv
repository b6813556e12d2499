// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All routes of a cube, a mesh, a torus, rings and a line, with one virtual channel and with others: see route_order_walk.
`default_nettype none

module route_order_tb;
  localparam integer NETWORKS = 14;
  integer seed, all;
  wire [31:0] routes[NETWORKS];
  wire [NETWORKS-1:0] done;

  // cube:3
  route_order_walk #(.NODES(8), .DIMS(3), .LABEL_W(3)) u_cube (
      .routes(routes[0]),
      .done(done[0])
  );
  // mesh:3x5
  route_order_walk #(
      .NODES(15), .EXTENTS({16'd3, 16'd5}), .DIGITS({16'h0203, 16'h0300}), .LABEL_W(5), .LINKS_PER_DIM(2)
  ) u_mesh (
      .routes(routes[1]),
      .done(done[1])
  );
  // torus:5x4x2
  route_order_walk #(
      .NODES(40), .DIMS(3), .EXTENTS({16'd5, 16'd4, 16'd2}), .DIGITS({16'h0303, 16'h0201, 16'h0100}), .LABEL_W(6),
      .LINKS_PER_DIM(2), .WRAP(1)
  ) u_torus (
      .routes(routes[2]),
      .done(done[2])
  );
  // ring:8, torus:1x7
  route_order_walk #(
      .NODES(8), .DIMS(1), .EXTENTS(16'd8), .DIGITS(16'h0300), .LABEL_W(3), .LINKS_PER_DIM(2), .WRAP(1)
  ) u_ring (
      .routes(routes[3]),
      .done(done[3])
  );
  route_order_walk #(
      .NODES(7), .EXTENTS({16'd1, 16'd7}), .DIGITS({16'h0103, 16'h0300}), .LABEL_W(4), .LINKS_PER_DIM(2), .WRAP(1)
  ) u_flat (
      .routes(routes[4]),
      .done(done[4])
  );
  // line:17
  route_order_walk #(
      .NODES(17), .DIMS(1), .EXTENTS(16'd17), .DIGITS(16'h0500), .LABEL_W(5), .LINKS_PER_DIM(2)
  ) u_line (
      .routes(routes[5]),
      .done(done[5])
  );
  // torus:3x4
  route_order_walk #(
      .NODES(12), .EXTENTS({16'd3, 16'd4}), .DIGITS({16'h0202, 16'h0200}), .LABEL_W(4), .LINKS_PER_DIM(2), .WRAP(1),
      .V(2)
  ) u_torus_lanes (
      .routes(routes[6]),
      .done(done[6])
  );

  // cube:5v3, cube:4v8
  route_order_walk #(.NODES(32), .DIMS(5), .LABEL_W(5), .V(3)) u_cube_lanes (
      .routes(routes[7]),
      .done(done[7])
  );
  route_order_walk #(.NODES(16), .DIMS(4), .LABEL_W(4), .V(8)) u_cube_many (
      .routes(routes[8]),
      .done(done[8])
  );
  // mesh:3x5v2, line:17v6
  route_order_walk #(
      .NODES(15), .EXTENTS({16'd3, 16'd5}), .DIGITS({16'h0203, 16'h0300}), .LABEL_W(5), .LINKS_PER_DIM(2), .V(2)
  ) u_mesh_lanes (
      .routes(routes[9]),
      .done(done[9])
  );
  route_order_walk #(
      .NODES(17), .DIMS(1), .EXTENTS(16'd17), .DIGITS(16'h0500), .LABEL_W(5), .LINKS_PER_DIM(2), .V(6)
  ) u_line_lanes (
      .routes(routes[10]),
      .done(done[10])
  );
  // torus:3x4v3, ring:13v5, torus:5x2x2v8
  route_order_walk #(
      .NODES(12), .EXTENTS({16'd3, 16'd4}), .DIGITS({16'h0202, 16'h0200}), .LABEL_W(4), .LINKS_PER_DIM(2), .WRAP(1),
      .V(3)
  ) u_torus_three (
      .routes(routes[11]),
      .done(done[11])
  );
  route_order_walk #(
      .NODES(13), .DIMS(1), .EXTENTS(16'd13), .DIGITS(16'h0400), .LABEL_W(4), .LINKS_PER_DIM(2), .WRAP(1), .V(5)
  ) u_ring_lanes (
      .routes(routes[12]),
      .done(done[12])
  );
  route_order_walk #(
      .NODES(20), .DIMS(3), .EXTENTS({16'd5, 16'd2, 16'd2}), .DIGITS({16'h0302, 16'h0101, 16'h0100}), .LABEL_W(5),
      .LINKS_PER_DIM(2), .WRAP(1), .V(8)
  ) u_torus_many (
      .routes(routes[13]),
      .done(done[13])
  );

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
