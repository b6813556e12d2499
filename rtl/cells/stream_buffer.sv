// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Two-slot buffer of flits: the only storage on a channel. It stands at the receiving end of each channel, as part of
// wh_input, and can be put anywhere else where a stream needs a register in both directions. LANES buffers side by side
// share one block of control, which a simulator then computes for all lanes at once; apart from that the lanes have
// nothing to do with each other.
//
// Latency: a flit taken at one clock edge is offered after that edge, so one cycle. Throughput: one flit per cycle and
// lane. in_ready says only that one of the two slots is free and does not look at out_ready. Every output comes from a
// register, so no combinational path leads through the buffer.
//
// Ports, lane i in bits [i*FLIT_W +: FLIT_W] of a flit bus and in bit i of the others:
// - in_*: a flit goes in at each rising edge at which in_valid and in_ready are 1. Only then are in_flit and in_last
//   looked at. The buffer does not ask that in_valid stays 1 until it is taken; other receivers may.
// - in_empty: neither slot holds a flit. It is for a sender with `paper` timing (see wh_output); else leave it open.
//   If it is 1, in_ready is 1 too.
// - out_*: the oldest flit. Once out_valid is 1 it stays, with the same flit and last, until an edge at which out_ready
//   is 1. out_ready may depend on out_valid and may change in any cycle.
// - spare_flit: the flit behind the oldest one; means something only where in_ready is 0. May be left open.
//
// Reset: rst = 1 at one edge empties the buffer. A flit offered while rst is 1 is lost, whatever in_ready says. The
// slots themselves are not reset: out_flit and out_last mean nothing while out_valid is 0.
//
// Unused ports: in_last to 0 where the words form no messages. Legal parameters: all combinations of FLIT_W and LANES
// >= 1.
//
// Example:
//   stream_buffer #(.FLIT_W(16), .LANES(1)) u_buffer (
//       .clk(clk), .rst(rst),
//       .in_flit(a_flit), .in_last(a_last), .in_valid(a_valid), .in_ready(a_ready), .in_empty(),
//       .out_flit(b_flit), .out_last(b_last), .out_valid(b_valid), .out_ready(b_ready), .spare_flit());
`default_nettype none

module stream_buffer #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer LANES = 1  // streams, >= 1
) (
    input  wire                     clk,
    input  wire                     rst,
    // streams in
    input  wire  [LANES*FLIT_W-1:0] in_flit,
    input  wire  [       LANES-1:0] in_last,
    input  wire  [       LANES-1:0] in_valid,
    output logic [       LANES-1:0] in_ready,  // fewer than two flits are held
    output logic [       LANES-1:0] in_empty,  // no flit is held
    // streams out
    output logic [LANES*FLIT_W-1:0] out_flit,
    output logic [       LANES-1:0] out_last,
    output logic [       LANES-1:0] out_valid,
    input  wire  [       LANES-1:0] out_ready,
    output logic [LANES*FLIT_W-1:0] spare_flit  // the flit behind the oldest one
);
  generate
    if (FLIT_W < 1) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
    if (LANES < 1) begin : g_LANES illegal_LANES u_illegal (); end
  endgenerate

  logic [LANES*FLIT_W-1:0] head_q, spare_q;
  logic [LANES-1:0] head_last_q, spare_last_q;
  logic [LANES-1:0] head_full_q, spare_full_q;

  wire [LANES-1:0] pop = out_valid & out_ready;
  wire [LANES-1:0] next = pop | (in_valid & ~head_full_q);  // something else becomes the head
  wire [LANES-1:0] stash = in_valid & in_ready & head_full_q;  // with pop it is in both slots, and counts as the head

  wire [LANES-1:0] come_last = (spare_last_q & spare_full_q) | (in_last & ~spare_full_q);

  assign in_ready  = ~spare_full_q;
  assign in_empty  = ~head_full_q;
  assign out_flit  = head_q;
  assign out_last  = head_last_q;
  assign out_valid = head_full_q;
  assign spare_flit = spare_q;

  // It is known late in a cycle if a flit is taken, so little logic waits for it. The condition around the loop is for
  // speed of simulation.
  always_ff @(posedge clk) begin
    head_full_q  <= (head_full_q & ~pop) | spare_full_q | in_valid;
    spare_full_q <= ~pop & (spare_full_q | (in_valid & head_full_q));
    head_last_q  <= (head_last_q & ~next) | (come_last & next);
    spare_last_q <= (spare_last_q & ~stash) | (in_last & stash);
    if (|(in_valid | head_full_q)) begin
      for (int i = 0; i < LANES; i++) begin
        if (next[i]) head_q[i*FLIT_W+:FLIT_W] <= spare_full_q[i] ? spare_q[i*FLIT_W+:FLIT_W] : in_flit[i*FLIT_W+:FLIT_W];
        if (stash[i]) spare_q[i*FLIT_W+:FLIT_W] <= in_flit[i*FLIT_W+:FLIT_W];
      end
    end
    if (rst) begin
      head_full_q  <= '0;
      spare_full_q <= '0;
    end
  end

`ifdef FORMAL
  // The outputs are those of a queue of two words.
  logic f_started = 1'b0;
  logic [1:0] f_count;
  logic [FLIT_W:0] f_first, f_second;
  wire push = in_valid & in_ready;
  wire [FLIT_W:0] f_in = {in_last, in_flit};

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);

    f_count <= f_count + 2'(push) - 2'(pop);
    if (pop) f_first <= f_second;
    if (push && f_count - 2'(pop) == 2'd0) f_first <= f_in;
    if (push && f_count - 2'(pop) == 2'd1) f_second <= f_in;
    if (rst) f_count <= 2'd0;

    if (f_started) begin
      assert (f_count <= 2'd2);
      assert (in_ready == (f_count < 2'd2));
      assert (in_empty == (f_count == 2'd0));
      assert (out_valid == (f_count != 2'd0));
      if (out_valid) assert ({out_last, out_flit} == f_first);
      if (f_count == 2'd2) assert ({spare_last_q, spare_flit} == f_second);
      if (!$past(rst) && $past(out_valid && !out_ready)) begin
        assert (out_valid);
        assert ($stable(out_flit) && $stable(out_last));
      end

      cover (push && pop);
      cover (pop && !in_ready);
      cover (in_empty && $past(pop) && $past(pop, 2) && $past(pop, 3));
    end
  end
`endif
endmodule

`default_nettype wire
