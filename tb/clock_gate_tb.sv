// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// What stopped clocks must not change: two chips of each kind, one GATED and one not, get the same requests, random
// words at random addresses and passes among them, and must give the same answers in every cycle. The gated one must
// have slept.
`default_nettype none

module clock_gate_tb;
  localparam integer CHIPS = 4;
  wire clk, rst;
  integer seed;
  wire [CHIPS-1:0] done;
  wire [31:0] slept[CHIPS], answers[CHIPS];

  bench #(
      .CYCLES(1000000)
  ) u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  generate
    for (genvar i = 0; i < CHIPS; i++) begin : g_chip
      gated_host #(
          .KIND(i == 0 ? 1 : i == 1 ? 1 : i == 2 ? 3 : 8),
          .SIZE(i == 1 ? 1 : i == 0 ? 3 : 2)
      ) u_host (
          .clk(clk),
          .rst(rst),
          .seed(seed),
          .slept(slept[i]),
          .answers(answers[i]),
          .done(done[i])
      );
    end
  endgenerate

  always @(posedge clk) begin
    if (!rst && &done) begin
      for (int i = 0; i < CHIPS; i++)
        if (slept[i] < 500) $fatal(1, "chip %0d slept for %0d cycles", i, slept[i]);
      $display("PASS clock_gate (seed %0d, %0d cycles asleep, %0d answers)", seed,
               slept[0] + slept[1] + slept[2] + slept[3], answers[0] + answers[1] + answers[2] + answers[3]);
      $finish;
    end
  end
endmodule

`default_nettype wire
