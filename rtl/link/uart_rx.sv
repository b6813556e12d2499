// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Receiver of a UART: 8 data bits, no parity, one stop bit. A fractional phase tells where in a bit the line is; its
// rate is within 0.05% of CLOCK_HZ/BAUD, whatever that is. From 8 clocks per bit upward a bit is what two of three
// samples say, taken 3, 4 and 5 eighths into it; below it is one sample in its middle. A byte whose stop bit is 0 is
// dropped and reported, and the line must be 1 once before the next start bit counts: a break is one error.
`default_nettype none

module uart_rx #(
    parameter integer CLOCK_HZ = 12000000,  // of clk, >= 4*BAUD
    parameter integer BAUD = 3000000  // symbols per second, >= CLOCK_HZ/65536
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        pin,        // asynchronous
    output logic [7:0] out_byte,
    output logic       out_valid,  // for one cycle
    output logic       error       // for one cycle: no stop bit
);
  localparam integer RATIO_W = $clog2((CLOCK_HZ + BAUD - 1) / BAUD);
  localparam integer PHASE_W = 10 + RATIO_W;
  // The division is done in two steps: there are only 32 bits.
  localparam longint STEP_LONG = (64'(BAUD) * (64'd1 << PHASE_W) + 64'(CLOCK_HZ) / 2) / 64'(CLOCK_HZ);
  localparam [PHASE_W-1:0] STEP = PHASE_W'(STEP_LONG);
  localparam integer VOTES = CLOCK_HZ / BAUD >= 8 ? 1 : 0;
  generate
    if (BAUD < 1 || CLOCK_HZ / 4 < BAUD || CLOCK_HZ / BAUD > 65536) illegal_BAUD u_illegal ();
  endgenerate

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
        // The edge is half a clock back on average, and the nearest sample is wanted, not the next: two halves.
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
endmodule

`default_nettype wire
