// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Takes what stream_source sends, with random pauses, and ends the simulation if a flit is lost, doubled, changed, out
// of order or between those of another worm, or if an offer is withdrawn.
`default_nettype none

module stream_sink #(
    parameter integer FLIT_W = 32,  // as in stream_source
    parameter integer LABEL_W = 3,
    parameter integer ANY = 0,  // 1: worms for other nodes may pass here
    parameter integer SALT = 0
) (
    input  wire                clk,
    input  wire                rst,
    input  wire  [LABEL_W-1:0] here,
    input  wire  [        7:0] pause,     // in how many of 256 cycles it is not ready
    input  wire  [ FLIT_W-1:0] in_flit,
    input  wire                in_last,
    input  wire                in_valid,
    output logic               in_ready,
    output integer             flits      // flits that have arrived
);
  localparam integer COUNT_W = FLIT_W - 2 * LABEL_W - 9;

  `include "chance.svh"
  logic [7:0] left_q;  // flits left of the current worm; 0: there is none
  logic [2*LABEL_W:0] name_q;  // its rule, source and destination
  logic waits_q;
  logic [FLIT_W:0] offer_q;
  logic [COUNT_W-1:0] counts[1 << 2 * LABEL_W];

  wire [2*LABEL_W:0] name = in_flit[2*LABEL_W:0];
  wire [2*LABEL_W-1:0] pair = in_flit[2*LABEL_W-1:0];
  wire [7:0] left = in_flit[2*LABEL_W+1+:8];
  wire [COUNT_W-1:0] count = in_flit[2*LABEL_W+9+:COUNT_W];

  initial begin
    seed_by(999983, SALT * 104729 + 5);
  end

  always @(posedge clk) begin
    in_ready <= random(256) >= pause;
    if (!rst) begin
      if (^in_valid === 1'bx) $fatal(1, "%m: valid is unknown");
      if (waits_q && (!in_valid || {in_last, in_flit} !== offer_q)) $fatal(1, "%m: an offer was withdrawn");
      if (in_valid && in_ready) begin
        flits <= flits + 1;
        if (!ANY && name[LABEL_W-1:0] !== here) $fatal(1, "%m: %h is for another node", in_flit);
        if (left_q != 8'd0 && (name !== name_q || left !== left_q)) $fatal(1, "%m: %h in another worm", in_flit);
        if (in_last !== (left == 8'd1)) $fatal(1, "%m: last is %b at %h", in_last, in_flit);
        if (count !== counts[pair]) $fatal(1, "%m: %h is number %0d, expected %0d", in_flit, count, counts[pair]);
        counts[pair] <= counts[pair] + 1'b1;
        left_q <= left - 8'd1;
        name_q <= name;
      end
    end
    waits_q <= in_valid && !in_ready && !rst;
    offer_q <= {in_last, in_flit};
    if (rst) begin
      in_ready <= 1'b0;
      flits <= 0;
      left_q <= 8'd0;
      for (int i = 0; i < 1 << 2 * LABEL_W; i++) counts[i] <= '0;
    end
  end
endmodule

`default_nettype wire
