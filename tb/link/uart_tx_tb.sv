// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The sender at several ratios: a clock of the right rate samples every bit in its middle. It starts once for the whole
// run of bytes, so neither rate nor phase may drift. The second half of the bytes comes with pauses.
`timescale 1ns / 1ps
`default_nettype none

module uart_tx_tb;
  localparam integer RATES = 5;
  wire clk, rst;
  integer seed;
  wire [RATES-1:0] done;

  bench #(.CYCLES(2000000)) u_bench (.clk, .rst, .seed);

  for (genvar i = 0; i < RATES; i++) begin : g_rate
    localparam integer CLOCK_HZ = i == 0 ? 12000000 : i == 1 ? 25000000 : i == 2 ? 16000000 : i == 3 ? 16000000 : 48000000;
    localparam integer BAUD = i == 2 ? 115200 : 3000000;
    localparam integer BYTES = i == 2 ? 40 : 400;
    localparam real BIT = 10.0 * CLOCK_HZ / BAUD;
    logic [7:0] in_byte;
    logic in_valid;
    wire in_ready, pin;
    uart_tx #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_dut (.clk, .rst, .in_byte, .in_valid, .in_ready, .pin);

    logic [7:0] sent[BYTES];
    integer state, in, out, b;
    logic ended;
    assign done[i] = ended;

    initial begin
      if (!$value$plusargs("seed=%d", state)) state = 1;
      state = state * 137 + i;
      in_valid = 1'b0;
      @(negedge rst);
      for (in = 0; in < BYTES; in = in + 1) begin
        // The first half of the bytes comes without a pause.
        if (in > BYTES / 2) repeat ($unsigned($random(state)) % 200) @(posedge clk);
        sent[in] = $random(state);
        in_byte  <= sent[in];
        in_valid <= 1'b1;
        @(posedge clk);
        while (!in_ready) @(posedge clk);
        in_valid <= 1'b0;
      end
    end

    initial begin
      ended = 1'b0;
      @(negedge rst);
      for (out = 0; out < BYTES; out = out + 1) begin
        if (out == 0 || out > BYTES / 2) begin
          @(negedge pin);
          #(BIT / 2);
        end
        if (pin !== 1'b0) $fatal(1, "%m: byte %0d has no start bit", out);
        for (b = 0; b < 8; b = b + 1) begin
          #(BIT);
          if (pin !== sent[out][b]) $fatal(1, "%m: byte %0d, bit %0d is %b", out, b, pin);
        end
        #(BIT);
        if (pin !== 1'b1) $fatal(1, "%m: byte %0d has no stop bit", out);
        if (out < BYTES / 2) #(BIT);
      end
      #(BIT * 3);
      if (pin !== 1'b1) $fatal(1, "%m: the line does not rest");
      ended = 1'b1;
    end
  end

  always @(posedge clk) begin
    if (&done) begin
      $display("PASS uart_tx (seed %0d, %0d rates)", seed, RATES);
      $finish;
    end
  end
endmodule

`default_nettype wire
