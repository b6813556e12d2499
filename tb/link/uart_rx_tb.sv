// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The receiver at ratios of clock and rate from 4 upward, whole numbers and fractions. The line has its own timing:
// rates up to 1.5% off, any phase, with and without pauses, missing stop bits, breaks, and noise where the receiver
// takes three samples.
`timescale 1ns / 1ps
`default_nettype none

module uart_rx_tb;
  localparam integer RATES = 6;
  wire clk, rst;
  integer seed;
  wire [RATES-1:0] done;
  wire [RATES-1:0] strayed;

  bench #(.CYCLES(2000000)) u_bench (.clk, .rst, .seed);

  for (genvar i = 0; i < RATES; i++) begin : g_rate
    localparam integer CLOCK_HZ = i == 0 ? 12000000 : i == 1 ? 25000000 : i == 2 ? 16000000 : i == 3 ? 16000000 : i == 4 ?
        48000000 : 13000000;
    localparam integer BAUD = i == 0 ? 3000000 : i == 1 ? 3000000 : i == 2 ? 115200 : i == 3 ? 3000000 : i == 4 ? 3000000 : 3000000;
    localparam integer BYTES = i == 2 ? 60 : 600;
    // The testbench's clock has 10 units of time; the length of a bit is rounded to a thousandth of a unit.
    localparam real BIT = 10.0 * CLOCK_HZ / BAUD;
    logic pin;
    wire [7:0] out_byte;
    wire out_valid, error;
    uart_rx #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_dut (.clk, .rst, .pin, .out_byte, .out_valid, .error);

    logic [9:0] expected[4096];  // an error, a byte, either a byte or nothing
    integer in, out, k, b, state;
    real bit_time, lead;
    logic ended;
    logic [7:0] data;
    assign done[i] = ended && in == out;
    assign strayed[i] = in - out > 3;

    initial begin
      if (!$value$plusargs("seed=%d", state)) state = 1;
      state = state * 131 + i;
      ended = 1'b0;
      in = 0;
      pin = 1'b1;
      @(negedge rst);
      #(3 * BIT);
      for (k = 0; k < BYTES; k = k + 1) begin
        bit_time = BIT * (1.0 + ($unsigned($random(state)) % 31 - 15.0) / 1000.0);
        if ($unsigned($random(state)) % 4 == 0) #($unsigned($random(state)) % 1000 / 300.0 * BIT);
        data = $random(state);
        expected[in] = {2'b00, data};
        if (k % 16 == 7) expected[in] = {1'b1, 9'd0};
        in = in + 1;
        pin = 1'b0;
        #(bit_time);
        for (b = 0; b < 8; b = b + 1) begin
          pin = data[b];
          if (CLOCK_HZ / BAUD >= 16 && $unsigned($random(state)) % 3 == 0) begin
            // A spike of less than an eighth of a bit, anywhere in it.
            lead = bit_time * (0.05 + ($unsigned($random(state)) % 80) / 100.0);
            #(lead);
            pin = !pin;
            #(bit_time * 0.1);
            pin = !pin;
            #(bit_time * 0.9 - lead);
          end else #(bit_time);
        end
        if (k % 16 == 7) begin
          pin = 1'b0;
          #(bit_time);
          // Some missing stop bits are longer: a break.
          if (k % 32 == 7) #(bit_time * 25);
          pin = 1'b1;
          #(bit_time * 1.5);
        end else begin
          pin = 1'b1;
          #(bit_time);
        end
      end
      #(20 * BIT);
      ended = 1'b1;
    end
    always @(posedge clk) begin
      if (rst) out <= 0;
      else if (out_valid || error) begin
        if (in == out) $fatal(1, "%m: %b %h from nowhere", error, out_byte);
        if (error !== expected[out][9] || out_valid === error || out_valid && out_byte !== expected[out][7:0])
          $fatal(1, "%m: byte %0d is %b %h, expected %h", out, error, out_byte, expected[out]);
        out <= out + 1;
      end
      if (strayed[i]) $fatal(1, "%m: bytes are lost");
    end
  end

  always @(posedge clk) begin
    if (&done) begin
      $display("PASS uart_rx (seed %0d, %0d rates)", seed, RATES);
      $finish;
    end
  end
endmodule

`default_nettype wire
