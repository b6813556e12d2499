// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks for several depths that all flits come out, whatever pauses the two sides make, that the buffer holds as many
// flits as its depth, and that it passes one flit per cycle at full speed.
`default_nettype none

module stream_buffer_tb;
  localparam integer FLIT_W = 32, BUFFERS = 5;
  wire clk, rst;
  integer seed, all;
  wire [BUFFERS-1:0] over, was_full;
  wire [31:0] received[BUFFERS];
  // Phases of 512 cycles for every seed: both sides stall, then only the sink, only the source, neither.
  logic [10:0] time_q;
  wire [7:0] pause_in = time_q[10:9] == 2'd0 || time_q[10:9] == 2'd2 ? 8'd120 : 8'd0;
  wire [7:0] pause_out = time_q[10:9] < 2'd2 ? 8'd120 : 8'd0;
  always @(posedge clk) time_q <= rst ? '0 : time_q + 1'b1;

  bench u_bench (.clk, .rst, .seed);
  for (genvar i = 0; i < BUFFERS; i++) begin : g_buffer
    localparam integer DEPTH = i == 0 ? 2 : i == 1 ? 3 : i == 2 ? 4 : i == 3 ? 9 : 64;
    wire [FLIT_W-1:0] in_flit, out_flit, spare_flit;
    wire in_last, in_valid, in_ready, in_empty, out_last, out_valid, out_ready, spare_full, done;
    wire [31:0] sent;
    stream_source #(.WORMS(1000), .SALT(i)) u_source (
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
    stream_buffer #(.FLIT_W(FLIT_W), .DEPTH(DEPTH)) u_dut (
        .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid,
        .out_ready, .spare_full, .spare_flit
    );
    stream_sink #(.ANY(1), .SALT(i)) u_sink (
        .clk, .rst,
        .here(3'd0),
        .pause(pause_out),
        .in_flit(out_flit),
        .in_last(out_last),
        .in_valid(out_valid),
        .in_ready(out_ready),
        .flits(received[i])
    );

    integer held;
    logic full_q, expects;
    logic [FLIT_W-1:0] expected;  // the next flit at the head, if it was the second oldest
    assign was_full[i] = full_q;
    assign over[i] = done && held == 0 && sent == received[i];
    always @(posedge clk) begin
      held <= rst ? 0 : held + (in_valid && in_ready) - (out_valid && out_ready);
      full_q <= !rst && (full_q || held == DEPTH);
      expects <= !rst && spare_full && out_valid && out_ready;
      expected <= spare_flit;
      if (!rst && (in_ready !== held < DEPTH || in_empty !== (held == 0) || out_valid !== (held != 0) ||
                   spare_full !== held > 1))
        $fatal(1, "%m: %0d flits are held: in_ready %b, in_empty %b, out_valid %b, spare_full %b", held, in_ready,
               in_empty, out_valid, spare_full);
      if (!rst && expects && out_flit !== expected) $fatal(1, "%m: spare_flit was %h, then comes %h", expected, out_flit);
      if (done && held == 0 && sent != received[i]) $fatal(1, "%m: %0d flits sent, %0d received", sent, received[i]);
    end
  end

  always @(posedge clk)
    if (&over) begin
      if (!(&was_full)) $fatal(1, "buffers that were full: %b", was_full);
      all = 0;
      for (int i = 0; i < BUFFERS; i++) all = all + received[i];
      $display("PASS stream_buffer (seed %0d, %0d flits)", seed, all);
      $finish;
    end
endmodule

`default_nettype wire
