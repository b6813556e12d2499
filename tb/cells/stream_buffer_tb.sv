// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks that all flits that go in come out, for all pauses on both sides; at full speed one flit per cycle.
`default_nettype none

module stream_buffer_tb;
  localparam integer FLIT_W = 32;
  wire clk, rst;
  integer seed, sent, received;
  // Phases of 512 cycles for every seed: both sides stall, then only the sink, only the source, neither.
  logic [10:0] time_q;
  wire [7:0] pause_in = time_q[10:9] == 2'd0 || time_q[10:9] == 2'd2 ? 8'd120 : 8'd0;
  wire [7:0] pause_out = time_q[10:9] < 2'd2 ? 8'd120 : 8'd0;
  always @(posedge clk) time_q <= rst ? '0 : time_q + 1'b1;
  wire [FLIT_W-1:0] in_flit, out_flit;
  wire in_last, in_valid, in_ready, in_empty, out_last, out_valid, out_ready, done;

  bench u_bench (.clk, .rst, .seed);
  stream_source #(.WORMS(1000)) u_source (
      .clk, .rst,
      .here(3'd5),
      .pause(pause_in),
      .out_flit(in_flit),
      .out_last(in_last),
      .out_valid(in_valid),
      .out_ready(in_ready),
      .done,
      .flits(sent)
  );
  stream_buffer #(.FLIT_W(FLIT_W)) u_dut (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid, .out_ready
  );
  stream_sink #(.ANY(1)) u_sink (
      .clk, .rst,
      .here(3'd0),
      .pause(pause_out),
      .in_flit(out_flit),
      .in_last(out_last),
      .in_valid(out_valid),
      .in_ready(out_ready),
      .flits(received)
  );

  integer held;
  always @(posedge clk) begin
    held <= rst ? 0 : held + (in_valid && in_ready) - (out_valid && out_ready);
    if (!rst && (in_ready !== held < 2 || in_empty !== (held == 0) || out_valid !== (held != 0)))
      $fatal(1, "%0d flits are held: in_ready %b, in_empty %b, out_valid %b", held, in_ready, in_empty, out_valid);
    if (done && held == 0) begin
      if (sent != received) $fatal(1, "%0d flits sent, %0d received", sent, received);
      $display("PASS stream_buffer (seed %0d, %0d flits)", seed, received);
      $finish;
    end
  end
endmodule

`default_nettype wire
