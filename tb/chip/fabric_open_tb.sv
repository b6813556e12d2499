// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Open fabrics of every sort: see open_bench. The clock of a fabric that is done stops, to save time. A short run reads
// the registers of all of them, and sends frames over three.
`default_nettype none

module fabric_open_tb;
  localparam integer NETWORKS = 7;
  wire clk, rst;
  integer seed;
  wire [31:0] counts[NETWORKS];
  wire [NETWORKS-1:0] done;

  bench_of_parts #(.NAME("fabric_open"), .COUNTED("beats"), .PARTS(NETWORKS), .CYCLES(1000000)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );
  // cube:2
  open_bench u_cube (
      .clk(clk && !done[0]),
      .rst,
      .beats(counts[0]),
      .done(done[0])
  );
  // mesh:2x3, whose labels are not the node numbers; two labels belong to no node
  open_bench #(
      .KIND(11), .NODES(6), .LINKS(4), .EXTENTS({16'd2, 16'd3}), .LABEL_W(3), .LINKS_PER_DIM(2), .SHORT(8)
  ) u_mesh (
      .clk(clk && !done[1]),
      .rst,
      .beats(counts[1]),
      .done(done[1])
  );
  // mesh:3x2 by tables
  open_bench #(
      .KIND(13), .NODES(6), .LINKS(4), .EXTENTS({16'd3, 16'd2}), .LABEL_W(3), .LINKS_PER_DIM(2), .TABLE(1)
  ) u_table (
      .clk(clk && !done[2]),
      .rst,
      .beats(counts[2]),
      .done(done[2])
  );
  // ring:5 with two virtual channels, which cannot deadlock
  open_bench #(
      .KIND(10), .NODES(5), .LINKS(2), .DIMS(1), .EXTENTS(16'd5), .LABEL_W(3), .LINKS_PER_DIM(2), .WRAP(1), .V(2),
      .SHORT(8)
  ) u_ring (
      .clk(clk && !done[3]),
      .rst,
      .beats(counts[3]),
      .done(done[3])
  );
  // omega:8
  open_bench #(.KIND(3), .NODES(8), .LINKS(0), .LABEL_W(3)) u_omega (
      .clk(clk && !done[4]),
      .rst,
      .beats(counts[4]),
      .done(done[4])
  );

  // benes:4, forth and back
  open_bench #(.KIND(8), .NODES(4), .LINKS(0), .SHORT(8)) u_benes (
      .clk(clk && !done[5]),
      .rst,
      .beats(counts[5]),
      .done(done[5])
  );

  // otis-mesh:4l2w2v2, of which only the registers are read
  open_bench #(
      .KIND(17), .NODES(16), .LINKS(5), .DIMS(4), .LABEL_W(4), .LINKS_PER_DIM(2), .V(2), .OTIS(1), .LIGHT_CYCLES(2),
      .LIGHT_RATIO(2), .FRAMES(0)
  ) u_otis (
      .clk(clk && !done[6]),
      .rst,
      .beats(counts[6]),
      .done(done[6])
  );
endmodule

`default_nettype wire
