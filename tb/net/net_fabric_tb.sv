// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Direct networks of every sort, each with a sequencer and a host of its own: see net_bench. The clock of one that is done
// stands still, for time. A short run has two of them: by coordinates, and by tables with virtual channels; the others are
// those of fabric_top's bench and of build/e2e.
`default_nettype none

module net_fabric_tb;
  localparam integer NETWORKS = 8;
  wire clk, rst;
  integer seed, all;
  wire [31:0] received[NETWORKS];
  wire [NETWORKS-1:0] done;

  bench #(.CYCLES(1000000)) u_bench (.clk, .rst, .seed);
`ifdef SHORT
  assign {done[7], done[5:2], done[0]} = '1;
  assign received[0] = 0, received[2] = 0, received[3] = 0, received[4] = 0, received[5] = 0, received[7] = 0;
`else
  // cube:2
  net_bench u_cube (
      .clk(clk && !done[0]),
      .rst,
      .received(received[0]),
      .done(done[0])
  );
  // torus:3x1x2
  net_bench #(
      .NODES(6), .LINKS(6), .DIMS(3), .EXTENTS({16'd3, 16'd1, 16'd2}), .LABEL_W(4), .LINKS_PER_DIM(2), .WRAP(1)
  ) u_torus (
      .clk(clk && !done[2]),
      .rst,
      .received(received[2]),
      .done(done[2])
  );
  // mesh:3x2 by tables
  net_bench #(
      .NODES(6), .LINKS(4), .EXTENTS({16'd3, 16'd2}), .LABEL_W(3), .LINKS_PER_DIM(2), .TABLE(1)
  ) u_table (
      .clk(clk && !done[3]),
      .rst,
      .received(received[3]),
      .done(done[3])
  );
  // line:17, whose answers are picked by number
  net_bench #(
      .NODES(17), .LINKS(2), .DIMS(1), .EXTENTS(16'd17), .LABEL_W(5), .LINKS_PER_DIM(2), .ROUNDS(2)
  ) u_line (
      .clk(clk && !done[4]),
      .rst,
      .received(received[4]),
      .done(done[4])
  );
  // ring:7 with two virtual channels; with one its messages could lock
  net_bench #(
      .NODES(7), .LINKS(2), .DIMS(1), .EXTENTS(16'd7), .LABEL_W(3), .LINKS_PER_DIM(2), .WRAP(1), .V(2)
  ) u_ring (
      .clk(clk && !done[5]),
      .rst,
      .received(received[5]),
      .done(done[5])
  );
  // otis-mesh:4l3w2v2
  net_bench #(
      .NODES(16), .LINKS(5), .DIMS(4), .LABEL_W(4), .LINKS_PER_DIM(2), .V(2), .OTIS(1), .LIGHT_CYCLES(3),
      .LIGHT_RATIO(2), .ROUNDS(2)
  ) u_otis (
      .clk(clk && !done[7]),
      .rst,
      .received(received[7]),
      .done(done[7])
  );
`endif
  // mesh:2x3, whose labels are not the node numbers
  net_bench #(.NODES(6), .LINKS(4), .EXTENTS({16'd2, 16'd3}), .LABEL_W(3), .LINKS_PER_DIM(2)) u_mesh (
      .clk(clk && !done[1]),
      .rst,
      .received(received[1]),
      .done(done[1])
  );
  // mesh:3x2 by tables with two virtual networks, x before y in one and y before x in the other, in the same pass
  net_bench #(
      .NODES(6), .LINKS(4), .EXTENTS({16'd3, 16'd2}), .LABEL_W(3), .LINKS_PER_DIM(2), .TABLE(1), .V(2), .ROUNDS(6)
  ) u_networks (
      .clk(clk && !done[6]),
      .rst,
      .received(received[6]),
      .done(done[6])
  );

  always @(posedge clk)
    if (&done) begin
      all = 0;
      for (int i = 0; i < NETWORKS; i++) all = all + received[i];
      $display("PASS net_fabric (seed %0d, %0d messages)", seed, all);
      $finish;
    end
endmodule

`default_nettype wire
