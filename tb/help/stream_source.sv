// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Worms for a testbench: random destinations, lengths and pauses. Every flit, from bit 0: destination, source, rule,
// flits left in the worm (8 bits), and a count of the flits from this source to this destination.
`default_nettype none

module stream_source #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 2*LABEL_W+RULE_W+16
    parameter integer RULE_W = 1,  // bits of a rule
    parameter integer LABEL_W = 3,  // bits of a node number, 1..6
    parameter integer DESTINATIONS = 8,  // numbers from 0, at most 2^LABEL_W
    parameter integer WORMS = 100,  // worms to send
    parameter integer SHORT = WORMS,  // the same in a short run (+short)
    parameter integer LENGTH_MAX = 6,  // flits, 1..255
    parameter integer SALT = 0  // makes sources differ
) (
    input  wire                clk,
    input  wire                rst,
    input  wire  [LABEL_W-1:0] here,
    input  wire  [        7:0] pause,     // how many of 256 flits come after a pause
    output logic [ FLIT_W-1:0] out_flit,
    output logic               out_last,
    output logic               out_valid,
    input  wire                out_ready,
    output logic               done,      // all worms have left
    output integer             flits      // flits that have left
);
  localparam integer COUNT_W = FLIT_W - 2 * LABEL_W - RULE_W - 8;

  `include "chance.svh"
  integer worms, most;
  logic [7:0] left;
  logic [LABEL_W-1:0] destination;
  logic [RULE_W-1:0] rule;
  logic [COUNT_W-1:0] counts[1 << LABEL_W];

  initial begin
    seed_by(1000003, SALT * 7919 + 17);
    most = $test$plusargs("short") ? SHORT : WORMS;
  end

  always @(posedge clk) begin
    if (out_valid && out_ready) begin
      flits <= flits + 1;
      out_valid <= 1'b0;
      done <= worms == most && left == 8'd0;
    end
    if (!out_valid || out_ready) begin
      if (left == 8'd0 && worms < most && random(256) >= pause) begin
        worms = worms + 1;
        left = 8'(1 + random(LENGTH_MAX));
        destination = LABEL_W'(random(DESTINATIONS));
        rule = RULE_W'(random(1 << RULE_W));
      end
      if (left != 8'd0 && random(256) >= pause) begin
        out_valid <= 1'b1;
        out_last <= left == 8'd1;
        out_flit <= {counts[destination], left, rule, here, destination};
        counts[destination] = counts[destination] + 1'b1;
        left = left - 8'd1;
      end
    end
    if (rst) begin
      out_valid <= 1'b0;
      done <= 1'b0;
      flits <= 0;
      worms = 0;
      left = 8'd0;
      for (int i = 0; i < 1 << LABEL_W; i++) counts[i] = '0;
    end
  end
endmodule

`default_nettype wire
