// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Receiver of a UART: 8 data bits, lowest first, no parity, one stop bit. In front of link_frame on boards with a
// serial line. A fractional phase tells where in a bit the line is; its rate is within 0.05% of CLOCK_HZ/BAUD, which
// need not be a whole number. From 8 clocks per bit upward a bit is what two of three samples say, taken 3, 4 and 5
// eighths into it; below that it is one sample in its middle.
//
// Latency: out_valid comes about 5/8 of a bit (below 8 clocks per bit: half a bit) and two or three clocks after the
// stop bit began. Throughput: bytes may follow each other without a pause.
//
// Ports:
// - pin: the line, asynchronous, 1 at rest; two flip-flops are inside. Tie it to 1 if it is unused.
// - out_byte, out_valid: out_valid is 1 for one cycle per byte. There is no ready: whoever stands behind takes the byte
//   in that cycle, or puts an async_fifo between.
// - error: 1 for one cycle when a stop bit was 0. That byte is dropped, and the line must be 1 once before the next
//   start bit counts: a break is one error. It may be left open; link_frame wants it.
//
// Reset: synchronous, one cycle; afterwards the line must be 1 once. Legal parameters: CLOCK_HZ from 4*BAUD to
// 65536*BAUD, in hertz and baud. CLOCK_HZ is what clk really has: an error of it is an error of the rate.
//
// Example:
//   uart_rx #(.CLOCK_HZ(12000000), .BAUD(115200)) u_rx (
//       .clk(clk), .rst(rst), .pin(pin), .out_byte(a_byte), .out_valid(a_valid), .error(framing_error));
`default_nettype none

module uart_rx #(
    parameter integer CLOCK_HZ = 12000000,  // of clk, >= 4*BAUD
    parameter integer BAUD = 3000000  // symbols per second, >= CLOCK_HZ/65536
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        pin,        // the line, asynchronous, 1 at rest
    output logic [7:0] out_byte,
    output logic       out_valid,  // for one cycle
    output logic       error       // for one cycle: the stop bit was 0, the byte is dropped
);
  localparam integer RATIO_W = $clog2((CLOCK_HZ + BAUD - 1) / BAUD);
  localparam integer PHASE_W = 10 + RATIO_W;
  // The division is done in two steps: there are only 32 bits.
  localparam longint STEP_LONG = (64'(BAUD) * (64'd1 << PHASE_W) + 64'(CLOCK_HZ) / 2) / 64'(CLOCK_HZ);
  localparam [PHASE_W-1:0] STEP = PHASE_W'(STEP_LONG);
  localparam integer VOTES = CLOCK_HZ / BAUD >= 8 ? 1 : 0;
  if (BAUD < 1 || CLOCK_HZ / 4 < BAUD || CLOCK_HZ / BAUD > 65536) begin : g_BAUD illegal_BAUD u_illegal (); end

  localparam logic [1:0] REST = 2'd0, IDLE = 2'd1, BYTE = 2'd2;

  logic [1:0] state_q;
  logic first_q, line_q;
  logic [PHASE_W-1:0] phase_q;  // within the bit, whose end is 2^PHASE_W
  logic [2:0] eighth_q;  // of the bit, where the line was before
  logic [1:0] early_q;  // samples 3 and 4 eighths into the bit
  logic [3:0] count_q;  // bits decided, the start bit included
  logic [7:0] byte_q;

  wire [2:0] eighth = phase_q[PHASE_W-1-:3];
  wire fresh = state_q == BYTE && eighth != eighth_q;
  wire decide = fresh && (VOTES != 0 ? eighth == 3'd5 : eighth[2] && !eighth_q[2]);
  wire value = VOTES != 0 ? line_q && |early_q || &early_q : line_q;

  assign out_byte = byte_q;

  always_ff @(posedge clk) begin
    first_q <= pin;
    line_q <= first_q;
    out_valid <= 1'b0;
    error <= 1'b0;
    phase_q <= phase_q + STEP;
    eighth_q <= eighth;
    if (fresh && (eighth == 3'd3 || eighth == 3'd4)) early_q <= {early_q[0], line_q};
    case (state_q)
      IDLE: begin
        // One clock passes until this value counts. The edge was half a clock ago on average, and another half makes
        // the nearest sample of the next one.
        phase_q  <= STEP << 1;
        eighth_q <= 3'd0;
        count_q  <= 4'd0;
        if (!line_q) state_q <= BYTE;
      end
      BYTE:
      if (decide) begin
        count_q <= count_q + 4'd1;
        if (count_q != 4'd9) byte_q <= {value, byte_q[7:1]};
        if (count_q == 4'd0 && value) state_q <= IDLE;
        if (count_q == 4'd9) begin
          out_valid <= value;
          error <= !value;
          state_q <= value ? IDLE : REST;
        end
      end
      default: if (line_q) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q <= REST;
      out_valid <= 1'b0;
      error <= 1'b0;
    end
  end

`ifdef FORMAL
  // At four clocks per bit, for any line: a byte is reported when, and only when, ten samples four cycles apart are
  // a start bit, that byte and a stop bit; an error when the last of them is 0, and then the line must rise first.
  localparam integer F_SAMPLES = 44;
  logic [F_SAMPLES-1:0] f_line;  // the line after the two flip-flops, the latest sample in bit 0
  logic [5:0] f_busy;  // cycles since the receiver last rested
  logic f_rose;  // the line was 1 since the last error

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    f_line <= {f_line[F_SAMPLES-2:0], line_q};
    f_busy <= state_q == BYTE ? f_busy + 6'd1 : 6'd0;
    f_rose <= error ? line_q : f_rose || line_q;
    if (rst) begin
      f_busy <= 6'd0;
      f_rose <= 1'b1;
    end

    if (!$initstate && CLOCK_HZ == 4 * BAUD) begin
      assert (!(out_valid && error));
      assert (f_busy <= 6'd40);
      if (out_valid || error) begin
        assert (f_line[0] == out_valid);
        for (int i = 0; i < 8; i++) assert (out_byte[i] == f_line[32-4*i]);
        assert (!f_line[36]);
      end
      if (state_q == BYTE && f_busy == 6'd0) assert (f_rose);
      // From rest a start bit is taken, whatever came before.
      if ($past(!$initstate && !rst && state_q == IDLE && !line_q)) assert (state_q == BYTE);
      if ($past(!$initstate && !rst && state_q == REST && line_q)) assert (state_q == IDLE);

      cover (out_valid && out_byte == 8'h5a);
      cover (error);
    end
  end
`endif
endmodule

`default_nettype wire
