// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Links of several latencies, ratios and lanes: see otis_link_bench.
`default_nettype none

module otis_link_tb;
  localparam integer LINKS = 8;
  localparam [LINKS*24-1:0] KINDS = {  // V, LIGHT_CYCLES, LIGHT_RATIO, 8 bits each
    24'h02_3f_10, 24'h02_05_03, 24'h02_04_01, 24'h02_00_02, 24'h01_3f_01, 24'h01_02_05, 24'h01_01_01, 24'h01_00_01};
  wire clk, rst;
  integer seed, all;
  wire [31:0] flits[LINKS];
  wire [LINKS-1:0] done;

  bench u_bench (.clk, .rst, .seed);
  for (genvar i = 0; i < LINKS; i++) begin : g_link
    otis_link_bench #(
        .V(32'(KINDS[i*24+16+:8])), .LIGHT_CYCLES(32'(KINDS[i*24+8+:8])), .LIGHT_RATIO(32'(KINDS[i*24+:8])),
        .SALT(i)
    ) u_link (
        .clk, .rst,
        .flits(flits[i]),
        .done(done[i])
    );
  end

  always @(posedge clk)
    if (&done) begin
      all = 0;
      for (int i = 0; i < LINKS; i++) all = all + flits[i];
      $display("PASS otis_link (seed %0d, %0d links, %0d flits)", seed, LINKS, all);
      $finish;
    end
endmodule

`default_nettype wire
