// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sender of a UART: 8 data bits, lowest first, no parity, one stop bit. Behind link_frame on boards with a serial line.
// A fractional phase makes the rate, within 0.05% of BAUD, from any ratio of clock and rate.
//
// Latency: the start bit is on the pin after the clock edge that took the byte. Throughput: a byte in ten bit times;
// bytes that are offered in time follow each other without a pause.
//
// Ports:
// - in_*: a byte goes in at each rising edge at which in_valid and in_ready are 1; in_ready is 1 at rest and in the
//   last cycle of a stop bit. Only then is in_byte looked at. in_ready does not depend on in_valid.
// - pin: the line, 1 at rest, from a register.
//
// Reset: synchronous, one cycle; pin is 1 after it, and a byte under way is cut. Before the first reset pin may be
// anything. Tie in_valid to 0 if it is unused. Legal parameters: CLOCK_HZ from 2*BAUD to 65536*BAUD.
//
// Example:
//   uart_tx #(.CLOCK_HZ(12000000), .BAUD(115200)) u_tx (
//       .clk(clk), .rst(rst), .in_byte(a_byte), .in_valid(a_valid), .in_ready(a_ready), .pin(pin));
`default_nettype none

module uart_tx #(
    parameter integer CLOCK_HZ = 12000000,  // of clk, >= 2*BAUD
    parameter integer BAUD = 3000000  // symbols per second, >= CLOCK_HZ/65536
) (
    input  wire        clk,
    input  wire        rst,
    input  wire  [7:0] in_byte,
    input  wire        in_valid,
    output logic       in_ready,
    output logic       pin        // the line, 1 at rest
);
  localparam integer RATIO_W = $clog2((CLOCK_HZ + BAUD - 1) / BAUD);
  localparam integer PHASE_W = 10 + RATIO_W;
  localparam longint STEP_LONG = (64'(BAUD) * (64'd1 << PHASE_W) + 64'(CLOCK_HZ) / 2) / 64'(CLOCK_HZ);
  localparam [PHASE_W:0] STEP = (PHASE_W + 1)'(STEP_LONG);
  if (BAUD < 1 || CLOCK_HZ / 2 < BAUD || CLOCK_HZ / BAUD > 65536) begin : g_BAUD illegal_BAUD u_illegal (); end

  logic [PHASE_W:0] phase_q;  // the top bit: a bit's time is over
  logic [8:0] bits_q;  // yet to be sent after the one on the pin, the stop bit last
  logic [3:0] left_q;  // bits left, the one on the pin included

  wire turn = phase_q[PHASE_W];
  wire [PHASE_W:0] next_phase = {1'b0, phase_q[PHASE_W-1:0]} + STEP;

  assign in_ready = left_q == 4'd0 || left_q == 4'd1 && turn;

  always_ff @(posedge clk) begin
    phase_q <= next_phase;
    if (left_q != 4'd0 && turn) begin
      left_q <= left_q - 4'd1;
      {bits_q, pin} <= {1'b1, bits_q};
    end
    if (in_valid && in_ready) begin
      left_q <= 4'd10;
      {bits_q, pin} <= {1'b1, in_byte, 1'b0};
    end
    if (left_q == 4'd0) phase_q <= STEP;
    if (rst) begin
      left_q <= 4'd0;
      pin <= 1'b1;
    end
  end

`ifdef FORMAL
  // At four clocks per bit: a byte is forty cycles on the pin, each bit four of them, and the line rests at 1.
  logic [5:0] f_at;  // cycles of the byte that have gone, 0: none under way
  logic [9:0] f_bits;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (f_at != 6'd0) f_at <= f_at + 6'd1;
    if (f_at == 6'd40) f_at <= 6'd0;
    if (in_valid && in_ready) begin
      f_at   <= 6'd1;
      f_bits <= {1'b1, in_byte, 1'b0};
    end
    if (rst) f_at <= 6'd0;

    if (!$initstate && CLOCK_HZ == 4 * BAUD) begin
      assert (f_at <= 6'd40);
      assert (pin == (f_at == 6'd0 || f_bits[4'((f_at-6'd1)>>2)]));
      assert (in_ready == (f_at == 6'd0 || f_at == 6'd40));
      assert (left_q == (f_at == 6'd0 ? 4'd0 : 4'(6'd10 - ((f_at - 6'd1) >> 2))));
      if (f_at != 6'd0) begin
        assert (phase_q == STEP * (((f_at - 6'd1) & 6'd3) + 6'd1));
        assert (bits_q == 9'({9'h1ff, f_bits} >> (((f_at - 6'd1) >> 2) + 6'd1)));
      end

      cover (f_at == 6'd1 && $past(f_at) == 6'd40 && f_bits[8:1] == 8'ha6);
    end
  end
`endif
endmodule

`default_nettype wire
