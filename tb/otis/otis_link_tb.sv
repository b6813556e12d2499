// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Links of several latencies, ratios and lanes: see otis_link_bench.
`default_nettype none

module otis_link_tb;
  localparam integer LINKS = 8;
  localparam [LINKS*24-1:0] KINDS = {  // V, LIGHT_CYCLES, LIGHT_RATIO, 8 bits each
    24'h02_3f_10, 24'h02_05_03, 24'h02_04_01, 24'h02_00_02, 24'h01_3f_01, 24'h01_02_05, 24'h01_01_01, 24'h01_00_01};
  wire clk, rst;
  integer seed;
  wire [31:0] counts[LINKS];
  wire [LINKS-1:0] done;

  bench_of_parts #(.NAME("otis_link"), .COUNTED("flits"), .PARTS(LINKS)) u_bench (.clk, .rst, .seed, .done, .counts);
  for (genvar i = 0; i < LINKS; i++) begin : g_link
    otis_link_bench #(
        .V(32'(KINDS[i*24+16+:8])), .LIGHT_CYCLES(32'(KINDS[i*24+8+:8])), .LIGHT_RATIO(32'(KINDS[i*24+:8])),
        .SALT(i)
    ) u_link (
        .clk, .rst,
        .flits(counts[i]),
        .done(done[i])
    );
  end
endmodule

`default_nettype wire
