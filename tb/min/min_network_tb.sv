// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All kinds of multistage networks, one after the other; the network's number and the seed select 2, 4 or 8 nodes: see
// min_network_host. A short run has no network of 8 nodes, because build/e2e has them.
`default_nettype none

module min_network_tb;
  wire clk, rst;
  integer seed;
  wire [20:0] done;
  wire [31:0] counts[21];

  bench_of_parts #(.NAME("min_network"), .COUNTED("flits"), .PARTS(21)) u_bench (.clk, .rst, .seed, .done, .counts);
  for (genvar i = 0; i < 21; i++) begin : g_host
    localparam integer SIZE = 1 + i / 7;
    wire mine = seed % 3 == (SIZE + i) % 3 && (SIZE < 3 || !$test$plusargs("short"));
    wire ended;
    min_network_host #(.KIND(2 + i % 7), .SIZE(SIZE)) u_host (
        .clk(clk && mine && !ended && (i == 0 || &(done | 21'h1fffff << i))),
        .rst, .seed,
        .total(counts[i]),
        .done(ended)
    );
    assign done[i] = ended || !mine;
  end
endmodule

`default_nettype wire
