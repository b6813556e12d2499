// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A router of the 3-cube, of mesh:2x4, of torus:4x2 (with the rules of one way, and without), a small one with a table, such with two,
// three, four and five virtual networks, and one of an OTIS-Mesh: see net_router_bench.
`default_nettype none

module net_router_tb;
  localparam integer ROUTERS = 10;
  wire clk, rst;
  integer seed, all;
  wire [31:0] received[ROUTERS];
  wire [ROUTERS-1:0] finished;

  bench u_bench (.clk, .rst, .seed);
  net_router_bench u_cube (
      .clk, .rst, .seed,
      .all_received(received[0]),
      .finished(finished[0])
  );
  net_router_bench #(.DIMS(2), .EXTENTS({16'd2, 16'd4}), .DIGITS({16'h0102, 16'h0200}), .LINKS_PER_DIM(2)) u_mesh (
      .clk, .rst, .seed,
      .all_received(received[1]),
      .finished(finished[1])
  );
  net_router_bench #(
      .DIMS(2), .EXTENTS({16'd4, 16'd2}), .DIGITS({16'h0201, 16'h0100}), .LINKS_PER_DIM(2), .WRAP(1), .RULE_W(2)
  ) u_torus (
      .clk, .rst, .seed,
      .all_received(received[2]),
      .finished(finished[2])
  );
  net_router_bench #(.TABLE(1), .SMALL(1)) u_table (
      .clk, .rst, .seed,
      .all_received(received[3]),
      .finished(finished[3])
  );
  net_router_bench #(.TABLE(1), .V(2)) u_two (
      .clk, .rst, .seed,
      .all_received(received[4]),
      .finished(finished[4])
  );
  net_router_bench #(.DIMS(1), .EXTENTS(16'd8), .DIGITS(16'h0300), .TABLE(1), .V(4), .RULE_W(3), .SMALL(1)) u_four (
      .clk, .rst, .seed,
      .all_received(received[5]),
      .finished(finished[5])
  );

  net_router_bench #(
      .DIMS(4), .DIGITS({16'h0103, 16'h0102, 16'h0101, 16'h0100}), .LINKS_PER_DIM(2), .OTIS(1)
  ) u_otis (
      .clk, .rst, .seed,
      .all_received(received[6]),
      .finished(finished[6])
  );

  // One bit of rule: which end first, and always the shorter way around.
  net_router_bench #(
      .DIMS(2), .EXTENTS({16'd4, 16'd2}), .DIGITS({16'h0201, 16'h0100}), .LINKS_PER_DIM(2), .WRAP(1)
  ) u_one_bit (
      .clk, .rst, .seed,
      .all_received(received[7]),
      .finished(finished[7])
  );

  net_router_bench #(.DIMS(1), .EXTENTS(16'd8), .DIGITS(16'h0300), .TABLE(1), .V(3), .RULE_W(2)) u_three (
      .clk, .rst, .seed,
      .all_received(received[8]),
      .finished(finished[8])
  );
  net_router_bench #(.DIMS(1), .EXTENTS(16'd8), .DIGITS(16'h0300), .TABLE(1), .V(5), .RULE_W(3)) u_five (
      .clk, .rst, .seed,
      .all_received(received[9]),
      .finished(finished[9])
  );

  always @(posedge clk)
    if (&finished) begin
      all = 0;
      for (int i = 0; i < ROUTERS; i++) all = all + received[i];
      $display("PASS net_router (seed %0d, %0d flits)", seed, all);
      $finish;
    end
endmodule

`default_nettype wire
