// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends messages from random sources, and clears all counts now and then by rst or forget, until the numbers of ages
// have wrapped. Compares each count with an array of the bench.
`default_nettype none

module arrival_counts_tb;
  localparam integer LABEL_W = 3, SOURCES = 1 << LABEL_W, CYCLES = 20000;
  wire clk, rst;
  `include "chance.svh"
  integer seed, asked_of, ages;
  logic clean, forget, arrived, ask;
  logic [LABEL_W-1:0] source, asked;
  wire [15:0] count;
  logic [15:0] counts[SOURCES];

  bench u_bench (.clk, .rst, .seed);
  arrival_counts #(.LABEL_W(LABEL_W)) u_dut (
      .clk,
      .rst(rst || clean),
      .forget, .arrived, .source, .ask, .asked, .count
  );

  initial begin
    seed_by(1000003, 7);
    {clean, forget, arrived, ask} = '0;
    {source, asked} = '0;
    asked_of = 0;
    ages = 0;
    @(negedge rst);
    for (int s = 0; s < SOURCES; s++) counts[s] = '0;
    for (int i = 0; i < CYCLES; i++) begin
      #1;
      clean = random(200) == 0;
      forget = random(30) == 0;
      arrived = 1'(random(2));
      // For a long time messages come from a few sources only, so the others keep counts of past ages.
      source = LABEL_W'(random(i / 500 % 2 == 0 ? SOURCES : 2));
      ask = 1'(random(2));
      asked = LABEL_W'(random(SOURCES));
      // A count that reaches its largest value and stops there.
      if (i >= CYCLES / 2 && i < CYCLES / 2 + 4) begin
        {clean, forget, arrived, ask} = 4'b0011;
        source = LABEL_W'(seed);
        asked = source;
      end
      if (i == CYCLES / 2) begin
        counts[source] = 16'hfffe;
        u_dut.count_mem[source][15:0] = 16'hfffe;
        u_dut.count_mem[source][16+:LABEL_W+1] = u_dut.age_q;
      end
      #1;
      if (ask && count !== counts[asked]) $fatal(1, "%0d messages from %0d are counted as %0d", counts[asked], asked, count);
      if (ask) asked_of = asked_of + 1;
      if (clean || forget) begin
        ages = ages + 1;
        for (int s = 0; s < SOURCES; s++) counts[s] = '0;
      end else if (arrived && !(&counts[source])) counts[source] = counts[source] + 16'd1;
      @(posedge clk);
    end
    if (ages < 4 << LABEL_W) $fatal(1, "only %0d ages", ages);
    $display("PASS arrival_counts (seed %0d, %0d counts, %0d ages)", seed, asked_of, ages);
    $finish;
  end
endmodule

`default_nettype wire
