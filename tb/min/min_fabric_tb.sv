// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The six multistage networks; the network's number and the seed select 2, 4 or 8 nodes: see min_host. A short run has
// no network of 8 nodes, because build/e2e has them.
`default_nettype none

module min_fabric_tb;
`ifdef SHORT
  localparam integer HOSTS = 12;
`else
  localparam integer HOSTS = 18;
`endif
  wire clk, rst;
  integer seed;
  wire [HOSTS-1:0] done;
  wire [31:0] counts[HOSTS];

  bench_of_parts #(.NAME("min_fabric"), .COUNTED("messages"), .PARTS(HOSTS), .CYCLES(1000000)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );
  for (genvar i = 0; i < HOSTS; i++) begin : g_host
    localparam integer SIZE = 1 + i / 6;
    wire mine = seed % 3 == (SIZE + i) % 3;
    wire ended;
    min_host #(.KIND(2 + i % 6), .SIZE(SIZE)) u_host (
        .clk(clk && mine && !ended),
        .rst, .seed,
        .received(counts[i]),
        .done(ended)
    );
    assign done[i] = ended || !mine;
  end
endmodule

`default_nettype wire
