// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Open fabrics of every sort: see open_bench. The clock of one that is done stands still, for time.
`default_nettype none

module fabric_open_tb;
  localparam integer NETWORKS = 5;
  wire clk, rst;
  integer seed, all;
  wire [31:0] beats[NETWORKS];
  wire [NETWORKS-1:0] done;

  bench #(
      .CYCLES(1000000)
  ) u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  // cube:2
  open_bench u_cube (
      .clk(clk && !done[0]),
      .rst(rst),
      .beats(beats[0]),
      .done(done[0])
  );
  // mesh:2x3, whose labels are not the node numbers; two labels are of no node
  open_bench #(
      .KIND(11),
      .NODES(6),
      .LINKS(4),
      .EXTENTS({16'd2, 16'd3}),
      .LABEL_W(3),
      .LINKS_PER_DIM(2)
  ) u_mesh (
      .clk(clk && !done[1]),
      .rst(rst),
      .beats(beats[1]),
      .done(done[1])
  );
  // mesh:3x2 by tables
  open_bench #(
      .KIND(13),
      .NODES(6),
      .LINKS(4),
      .EXTENTS({16'd3, 16'd2}),
      .LABEL_W(3),
      .LINKS_PER_DIM(2),
      .TABLE(1)
  ) u_table (
      .clk(clk && !done[2]),
      .rst(rst),
      .beats(beats[2]),
      .done(done[2])
  );
  // ring:5 with two virtual channels, on which nothing locks
  open_bench #(
      .KIND(10),
      .NODES(5),
      .LINKS(2),
      .DIMS(1),
      .EXTENTS(16'd5),
      .LABEL_W(3),
      .LINKS_PER_DIM(2),
      .WRAP(1),
      .V(2)
  ) u_ring (
      .clk(clk && !done[3]),
      .rst(rst),
      .beats(beats[3]),
      .done(done[3])
  );
  // omega:8
  open_bench #(
      .KIND(3),
      .NODES(8),
      .LINKS(0),
      .LABEL_W(3)
  ) u_omega (
      .clk(clk && !done[4]),
      .rst(rst),
      .beats(beats[4]),
      .done(done[4])
  );

  always @(posedge clk) begin
    if (&done) begin
      all = 0;
      for (int n = 0; n < NETWORKS; n++) all = all + beats[n];
      $display("PASS fabric_open (seed %0d, %0d beats)", seed, all);
      $finish;
    end
  end
endmodule

`default_nettype wire
