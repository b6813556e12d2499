// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The first flit of every worm, and no other, is shown as a header.
`default_nettype none

module wh_input_tb;
  localparam integer FLIT_W = 32;
  wire clk, rst;
  integer seed, sent, received;
  wire [FLIT_W-1:0] in_flit, flit;
  wire in_last, in_valid, in_ready, in_empty, last, valid, header, ready, done;
  logic first;

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  stream_source #(
      .WORMS(1000)
  ) u_source (
      .clk(clk),
      .rst(rst),
      .here(3'd5),
      .pause(8'(seed * 50)),
      .out_flit(in_flit),
      .out_last(in_last),
      .out_valid(in_valid),
      .out_ready(in_ready),
      .done(done),
      .flits(sent)
  );
  wh_input #(
      .FLIT_W(FLIT_W)
  ) u_dut (
      .clk(clk),
      .rst(rst),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .flit(flit),
      .last(last),
      .valid(valid),
      .header(header),
      .taken(valid && ready)
  );
  stream_sink #(
      .ANY(1)
  ) u_sink (
      .clk(clk),
      .rst(rst),
      .here(3'd0),
      .pause(8'd100),
      .in_flit(flit),
      .in_last(last),
      .in_valid(valid),
      .in_ready(ready),
      .flits(received)
  );

  always @(posedge clk) begin
    if (!rst && header !== (valid && first)) $fatal(1, "header is %b, first is %b at %h", header, first, flit);
    if (valid && ready) first <= last;
    if (rst) first <= 1'b1;
    if (done && in_empty) begin
      if (sent != received) $fatal(1, "%0d flits sent, %0d received", sent, received);
      $display("PASS wh_input (seed %0d, %0d flits)", seed, received);
      $finish;
    end
  end
endmodule

`default_nettype wire
