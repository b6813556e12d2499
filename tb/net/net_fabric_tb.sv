// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Direct networks of every sort, each with its own sequencer and host: see net_bench. The clock of a network that is
// done stops, to save time. A short run has two networks: one by coordinates, one by tables with virtual channels;
// fabric_top's bench and build/e2e test the others.
`default_nettype none

module net_fabric_tb;
  `include "networks.svh"
  localparam integer NETWORKS = 8, ROW_W = 12 + NETWORK_W;
  localparam [0:NETWORKS*ROW_W-1] ROW = {  // TABLE, OTIS and ROUNDS, 4 bits each, and the network
      12'h009, network(CUBE, 1, {2{16'd2}}),
      12'h009, network(MESH, 1, {16'd2, 16'd3}),  // whose labels are not the node numbers
      12'h009, network(TORUS, 1, {16'd3, 16'd1, 16'd2}),
      12'h109, network(MESH, 1, {16'd3, 16'd2}),
      12'h002, network(MESH, 1, 16'd17),  // with more tiles, so tile_answers selects answers by number
      12'h009, network(TORUS, 2, 16'd7),  // with one virtual channel its messages could lock
      12'h106, network(MESH, 2, {16'd3, 16'd2}),  // x before y in one of two, y before x in the other
      12'h012, network(MESH, 2, {4{16'd2}})  // otis-mesh:4l3w2v2
  };
`ifdef SHORT
  localparam [0:NETWORKS-1] RUNS = 8'b01000010;
`else
  localparam [0:NETWORKS-1] RUNS = '1;
`endif
  wire clk, rst;
  integer seed;
  wire [31:0] counts[NETWORKS];
  wire [NETWORKS-1:0] done;

  bench_of_parts #(.NAME("net_fabric"), .COUNTED("messages"), .PARTS(NETWORKS), .CYCLES(1000000)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );
  for (genvar k = 0; k < NETWORKS; k++) begin : g_network
    localparam [11:0] SORT = ROW[k*ROW_W+:12];
    if (RUNS[k]) begin : g_runs
      net_bench #(
          .NETWORK(ROW[k*ROW_W+12+:NETWORK_W]), .TABLE(32'(SORT[11:8])), .OTIS(32'(SORT[7:4])),
          .ROUNDS(32'(SORT[3:0]))
      ) u_network (
          .clk(clk && !done[k]),
          .rst,
          .received(counts[k]),
          .done(done[k])
      );
    end else begin : g_rests
      assign done[k] = 1'b1;
      assign counts[k] = 0;
    end
  end
endmodule

`default_nettype wire
