// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Takes COBS apart: bytes of the line in, bytes of frames out. Part of link_receiver. A byte of the line gives at most
// one byte of a frame: a code byte gives the zero that the code before it stands for.
//
// Latency: none, outputs are combinational from in_byte and in_valid. Throughput: one byte per cycle.
//
// Ports:
// - in_byte, in_valid: the line; there is no ready, every byte is taken. in_error: a byte was lost here: the frame
//   under way is damaged, or the next one, if a zero comes in the same cycle or none is under way. Tie it to 0 on lines
//   that lose nothing.
// - out_byte, out_valid: a byte of the frame, whether the frame will turn out good or not. out_end: the frame is over,
//   never together with out_valid; zeros between frames give none. out_good: meant with out_end: the frame was COBS and
//   nothing was lost.
//
// Reset: synchronous, one cycle; the next byte begins a frame. There are no parameters.
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
    output logic       out_good    // with out_end: the frame was COBS, and no byte of it was lost
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

`ifdef FORMAL
  // The same told by positions, modulo 2^16: each code says where the next one stands.
  logic [15:0] f_at, f_code_at;  // of the byte that comes next, of the next code
  logic [7:0] f_code;  // the last one
  logic f_bad, f_some, f_begun;  // begun: a code has come

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);

    if (in_valid) begin
      f_at   <= f_at + 16'd1;
      f_some <= 1'b1;
      f_begun <= 1'b1;
      if (f_at == f_code_at) begin
        f_code <= in_byte;
        f_code_at <= f_at + {8'd0, in_byte};
      end
    end
    if (in_valid && in_byte == 8'd0 || rst) begin
      f_at <= '0;
      f_code_at <= '0;
      f_bad <= 1'b0;
      f_some <= 1'b0;
      f_begun <= 1'b0;
    end
    if (in_error && !rst) begin
      f_bad  <= 1'b1;
      f_some <= 1'b1;
    end

    if (!$initstate) begin
      assert (run_q == 8'(f_code_at - f_at) && f_code_at - f_at < 16'd255);
      assert (bytes_q == f_some && bad_q == f_bad);
      if (!f_begun) assert (f_at == f_code_at);
      assert (zero_q == (f_begun && f_code != 8'hff));
      assert (out_valid == (in_valid && in_byte != 8'd0 && (f_at != f_code_at || f_begun && f_code != 8'hff)));
      if (out_valid) assert (out_byte == (f_at == f_code_at ? 8'd0 : in_byte));
      assert (out_end == (in_valid && in_byte == 8'd0 && f_some));
      if (out_end) assert (out_good == (f_at == f_code_at && !f_bad));
      // After a zero nothing is left of what came before it.
      if ($past(in_valid && in_byte == 8'd0 && !in_error || rst)) assert (run_q == 8'd0 && !zero_q && !bytes_q && !bad_q);

      cover (out_end && out_good && f_at == 16'd6 && f_code == 8'd3);
      cover (out_end && !out_good && !f_bad);
    end
  end
`endif
endmodule

`default_nettype wire
