// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends numbers from one clock to the other, for several ratios of the clocks, with and without pauses: they arrive in
// order. Without pauses and with a faster writer a word leaves in every cycle.
`timescale 1ns / 1ps
`default_nettype none

module async_fifo_tb;
  localparam integer PAIRS = 5, WORDS = 16, COUNT = 3000;
  wire clk, rst;
  integer seed;
  wire [PAIRS-1:0] done;

  bench #(.CYCLES(400000)) u_bench (.clk, .rst, .seed);

  for (genvar i = 0; i < PAIRS; i++) begin : g_pair
    localparam real OUT_HALF = i == 0 ? 5.0 : i == 1 ? 8.33 : i == 2 ? 3.1 : i == 3 ? 31.25 : 4.997;
    logic out_clk, in_rst, out_rst, held;
    logic [15:0] in_data;
    logic in_valid, out_ready;
    wire in_ready, in_spare, out_valid;
    wire [15:0] out_data;
    integer state, pops, cycles;
    initial begin
      if (!$value$plusargs("seed=%d", state)) state = 1;
      state = state * 139 + i;
      out_clk = 1'b0;
      #($unsigned($random(state)) % 10);
      forever #(OUT_HALF) out_clk = !out_clk;
    end
    // Reset is long enough for the slowest clock.
    initial begin
      held = 1'b1;
      @(negedge rst);
      #300 held = 1'b0;
    end
    always @(posedge clk) in_rst <= held;
    always @(posedge out_clk) out_rst <= held;

    async_fifo #(
        .DATA_W(16),
        .WORDS (WORDS),
        .SPARE (3)
    ) u_dut (
        .in_clk(clk),
        .in_rst, .in_data, .in_valid, .in_ready, .in_spare, .out_clk, .out_rst, .out_data, .out_valid, .out_ready
    );

    // The first third runs without pauses, then the writer pauses, then the reader.
    always @(posedge clk) begin
      if (in_valid && in_ready) begin
        in_data  <= in_data + 1'b1;
        in_valid <= 1'b0;
      end
      if (!in_valid || in_ready)
        in_valid <= in_data < COUNT && (in_data < COUNT / 3 || in_data > 2 * COUNT / 3 || $unsigned($random(state)) % 4 == 0);
      if (in_rst === 1'b0 && in_spare && in_data - pops > WORDS + 1 - 3) $fatal(1, "%m: no room for three");
      if (in_rst !== 1'b0) begin
        in_data  <= '0;
        in_valid <= 1'b0;
      end
    end
    always @(posedge out_clk) begin
      out_ready <= pops < 2 * COUNT / 3 || $unsigned($random(state)) % 4 == 0;
      if (out_rst === 1'b0) begin
        if (out_valid && out_ready) begin
          if (out_data !== 16'(pops)) $fatal(1, "%m: %0d came out, expected %0d", out_data, pops);
          pops <= pops + 1;
        end
        if (pops > 10 && pops < COUNT / 3 - 20 && OUT_HALF >= 5.0 && !out_valid) $fatal(1, "%m: a pause at %0d", pops);
      end else begin
        pops <= 0;
        out_ready <= 1'b0;
      end
    end
    assign done[i] = pops >= COUNT;
  end

  always @(posedge clk) begin
    if (&done) begin
      $display("PASS async_fifo (seed %0d, %0d pairs of clocks)", seed, PAIRS);
      $finish;
    end
  end
endmodule

`default_nettype wire
