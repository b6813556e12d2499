// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Input of a wormhole router: buffers flits and tells headers from the flits that follow them.
// Latency one cycle, one flit per cycle.
`default_nettype none

module wh_input #(
    parameter integer FLIT_W = 32  // bits of a flit, >= 1
) (
    input  wire               clk,
    input  wire               rst,
    // stream in
    input  wire  [FLIT_W-1:0] in_flit,
    input  wire               in_last,
    input  wire               in_valid,
    output logic              in_ready,
    output logic              in_empty,
    // the flit at the head of the buffer
    output logic [FLIT_W-1:0] flit,
    output logic              last,
    output logic              valid,
    output logic              header,   // it is the first of a worm
    input  wire               taken     // it crosses the router in this cycle
);
  logic body_q;  // the header of the worm at the head has gone

  stream_buffer #(
      .FLIT_W(FLIT_W)
  ) u_buffer (
      .clk(clk),
      .rst(rst),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .out_flit(flit),
      .out_last(last),
      .out_valid(valid),
      .out_ready(taken)
  );

  assign header = valid && !body_q;

  always_ff @(posedge clk) begin
    if (taken) body_q <= !last;
    if (rst) body_q <= 1'b0;
  end
endmodule

`default_nettype wire
