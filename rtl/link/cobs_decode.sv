// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Takes COBS apart: bytes of the line in, bytes of frames out, in the same cycle. A byte of the line gives at most one:
// a code byte gives the zero that the code before it stands for.
`default_nettype none

module cobs_decode (
    input  wire        clk,
    input  wire        rst,
    // the line
    input  wire  [7:0] in_byte,
    input  wire        in_valid,
    input  wire        in_error,   // a byte was lost here: the frame is damaged
    // the frame
    output logic [7:0] out_byte,
    output logic       out_valid,
    output logic       out_end,    // the frame is over (never together with out_valid)
    output logic       out_good    // with out_end: it was COBS
);
  logic [7:0] run_q;  // bytes left of the run
  logic zero_q;  // a zero comes before the next run
  logic bytes_q;  // anything has come since the last delimiter
  logic bad_q;

  wire delimiter = in_valid && in_byte == 8'd0;
  wire code = run_q == 8'd0;

  assign out_byte  = code ? 8'd0 : in_byte;
  assign out_valid = in_valid && !delimiter && (!code || zero_q);
  assign out_end   = delimiter && bytes_q;
  assign out_good  = code && !bad_q;

  always_ff @(posedge clk) begin
    if (in_valid && code) zero_q <= in_byte != 8'hff;
    if (in_valid) begin
      run_q   <= (code ? in_byte : run_q) - 8'd1;
      bytes_q <= 1'b1;
    end
    if (delimiter || rst) begin
      run_q   <= 8'd0;
      zero_q  <= 1'b0;
      bytes_q <= 1'b0;
      bad_q   <= 1'b0;
    end
    if (in_error && !rst) begin
      bytes_q <= 1'b1;
      bad_q   <= 1'b1;
    end
  end
endmodule

`default_nettype wire
