// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Four lanes, of which two have deeper buffers than the others, which are independent: the first flit of every worm,
// and no other, is shown as a header, and all flits come through in order.
`default_nettype none

module wh_input_tb;
  localparam integer FLIT_W = 32, LANES = 4;
  wire clk, rst;
  integer seed, all;
  wire [31:0] sent[LANES], received[LANES];
  wire [LANES*FLIT_W-1:0] in_flit, flit;
  wire [LANES-1:0] in_last, in_valid, in_ready, in_empty, last, valid, header, ready, done;
  logic [LANES-1:0] first;

  bench u_bench (.clk, .rst, .seed);
  for (genvar d = 0; d < 2; d++) begin : g_dut
    wh_input #(.FLIT_W(FLIT_W), .LANES(LANES / 2), .BUFFERS(2 + 4 * d)) u_dut (
        .clk, .rst,
        .in_flit(in_flit[d*LANES/2*FLIT_W+:LANES/2*FLIT_W]),
        .in_last(in_last[d*LANES/2+:LANES/2]),
        .in_valid(in_valid[d*LANES/2+:LANES/2]),
        .in_ready(in_ready[d*LANES/2+:LANES/2]),
        .in_empty(in_empty[d*LANES/2+:LANES/2]),
        .flit(flit[d*LANES/2*FLIT_W+:LANES/2*FLIT_W]),
        .last(last[d*LANES/2+:LANES/2]),
        .valid(valid[d*LANES/2+:LANES/2]),
        .header(header[d*LANES/2+:LANES/2]),
        .taken(valid[d*LANES/2+:LANES/2] & ready[d*LANES/2+:LANES/2])
    );
  end
  for (genvar i = 0; i < LANES; i++) begin : g_lane
    stream_source #(
        .WORMS(1000),
        .SALT (i)
    ) u_source (
        .clk, .rst,
        .here(3'(5 + i)),
        .pause(8'(seed * 50 + 60 * i)),
        .out_flit(in_flit[i*FLIT_W+:FLIT_W]),
        .out_last(in_last[i]),
        .out_valid(in_valid[i]),
        .out_ready(in_ready[i]),
        .done(done[i]),
        .flits(sent[i])
    );
    stream_sink #(
        .ANY (1),
        .SALT(i)
    ) u_sink (
        .clk, .rst,
        .here(3'd0),
        .pause(8'd100),
        .in_flit(flit[i*FLIT_W+:FLIT_W]),
        .in_last(last[i]),
        .in_valid(valid[i]),
        .in_ready(ready[i]),
        .flits(received[i])
    );
  end

  always @(posedge clk) begin
    if (!rst && header !== (valid & first)) $fatal(1, "headers are %b, first are %b of %b", header, first, valid);
    for (int i = 0; i < LANES; i++) if (valid[i] && ready[i]) first[i] <= last[i];
    if (rst) first <= '1;
    if (&done && &in_empty) begin
      all = 0;
      for (int i = 0; i < LANES; i++) begin
        if (sent[i] != received[i]) $fatal(1, "%0d flits sent, %0d received on lane %0d", sent[i], received[i], i);
        all = all + received[i];
      end
      $display("PASS wh_input (seed %0d, %0d flits)", seed, all);
      $finish;
    end
  end
endmodule

`default_nettype wire
