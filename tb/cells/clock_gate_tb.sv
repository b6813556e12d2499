// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks that stopped clocks change nothing: two chips of each kind, one GATED and one not, get the same requests, random
// words at random addresses and passes among them, and must give the same answers in every cycle. The gated one must
// have slept. The larger chips are of the smallest size in which several nodes share a clock; a seed runs one of the
// two, or none. A short run has the three smallest chips.
`default_nettype none

module clock_gate_tb;
`ifdef SHORT
  localparam integer CHIPS = 4;
`else
  localparam integer CHIPS = 6;
`endif
  wire clk, rst;
  integer seed;
  wire [CHIPS-1:0] done;
  logic [CHIPS-1:0] stopped = '0;  // 1: the chip is done, or not for this seed, and its clock stops to save time
  wire [CHIPS-1:0] skipped = CHIPS == 4 ? CHIPS'(1) : seed % 3 == 0 ? CHIPS'(48) : seed % 3 == 1 ? CHIPS'(32) : CHIPS'(16);
  wire [31:0] slept[CHIPS], answers[CHIPS];

  bench #(.CYCLES(1000000)) u_bench (.clk, .rst, .seed);
  for (genvar i = 0; i < CHIPS; i++) begin : g_chip
    gated_host #(
        .KIND(i == 2 || i == 5 ? 3 : i == 3 ? 8 : 1), .SIZE(i == 0 ? 3 : i == 1 ? 1 : i < 4 ? 2 : 6),
        .ROUNDS(i < 4 ? 6 : 1), .SENDERS(i == 0 ? 8 : i == 1 ? 2 : i < 4 ? 4 : 12)
    ) u_host (
        .clk(clk && !stopped[i]),
        .rst, .seed,
        .slept(slept[i]),
        .answers(answers[i]),
        .done(done[i])
    );
  end

  always @(negedge clk) stopped <= done | skipped;

  integer slept_all, answers_all;
  always @(posedge clk) begin
    if (!rst && &(done | skipped)) begin
      slept_all = 0;
      answers_all = 0;
      for (int i = 0; i < CHIPS; i++) begin
        if (!skipped[i] && slept[i] < 500) $fatal(1, "chip %0d slept for %0d cycles", i, slept[i]);
        slept_all = slept_all + slept[i];
        answers_all = answers_all + answers[i];
      end
      $display("PASS clock_gate (seed %0d, %0d cycles asleep, %0d answers)", seed, slept_all, answers_all);
      $finish;
    end
  end
endmodule

`default_nettype wire
