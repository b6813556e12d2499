// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Routers of the 3-cube, of mesh:2x4, of torus:4x2 (with the one-way rules, and without them, where messages always
// take the shorter way round), a small router with a table, routers with tables for two, three, four and five virtual
// networks, and one of an OTIS-Mesh: see net_router_bench.
`default_nettype none

module net_router_tb;
  `include "networks.svh"
  localparam integer ROUTERS = 10, ROW_W = 16 + NETWORK_W;
  localparam [0:ROUTERS*ROW_W-1] ROW = {  // TABLE, OTIS, RULE_W and SMALL, 4 bits each, and the network
      16'h0010, network(CUBE, 1, {3{16'd2}}),
      16'h0010, network(MESH, 1, {16'd2, 16'd4}),
      16'h0020, network(TORUS, 1, {16'd4, 16'd2}),
      16'h1011, network(CUBE, 1, {3{16'd2}}),
      16'h1010, network(CUBE, 2, {3{16'd2}}),
      16'h1031, network(CUBE, 4, 16'd8),
      16'h0110, network(MESH, 1, {4{16'd2}}),
      16'h0010, network(TORUS, 1, {16'd4, 16'd2}),
      16'h1020, network(CUBE, 3, 16'd8),
      16'h1030, network(CUBE, 5, 16'd8)
  };
  wire clk, rst;
  integer seed;
  wire [31:0] counts[ROUTERS];
  wire [ROUTERS-1:0] done;

  bench_of_parts #(.NAME("net_router"), .COUNTED("flits"), .PARTS(ROUTERS)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );
  for (genvar k = 0; k < ROUTERS; k++) begin : g_router
    localparam [15:0] SORT = ROW[k*ROW_W+:16];
    net_router_bench #(
        .NETWORK(ROW[k*ROW_W+16+:NETWORK_W]), .TABLE(32'(SORT[15:12])), .OTIS(32'(SORT[11:8])),
        .RULE_W(32'(SORT[7:4])), .SMALL(32'(SORT[3:0]))
    ) u_router (
        .clk, .rst, .seed,
        .all_received(counts[k]),
        .finished(done[k])
    );
  end
endmodule

`default_nettype wire
