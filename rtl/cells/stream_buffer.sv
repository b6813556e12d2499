// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Buffer of DEPTH flits, two by default: the only storage on a channel. It stands at the receiving end of each channel, as
// part of wh_input, and can be put anywhere else where a stream needs a register in both directions. LANES buffers side by
// side share one block of control, which a simulator then computes for all lanes at once; apart from that the lanes have
// nothing to do with each other.
//
// Latency: a flit taken at one clock edge is offered after that edge, so one cycle. Throughput: one flit per cycle and
// lane. in_ready says only that one of the slots is free and does not look at out_ready. Every output comes from
// registers, so no combinational path leads through the buffer. The oldest two flits have registers; with DEPTH above 2
// those behind them lie in a memory of each lane, a power of two of words, which is read and written in one cycle.
//
// Ports, lane i in bits [i*FLIT_W +: FLIT_W] of a flit bus and in bit i of the others:
// - in_*: a flit goes in at each rising edge at which in_valid and in_ready are 1. Only then are in_flit and in_last
//   looked at. The buffer does not ask that in_valid stays 1 until it is taken; other receivers may.
// - in_empty: no slot holds a flit. It is for a sender with `paper` timing (see wh_output); else leave it open.
//   If it is 1, in_ready is 1 too.
// - out_*: the oldest flit. Once out_valid is 1 it stays, with the same flit and last, until an edge at which out_ready
//   is 1. out_ready may depend on out_valid and may change in any cycle.
// - spare_full, spare_flit: there is a flit behind the oldest one; and that flit, which else means nothing. With DEPTH = 2
//   spare_full is 1 where in_ready is 0. May be left open.
//
// Reset: rst = 1 at one edge empties the buffer. A flit offered while rst is 1 is lost, whatever in_ready says. The
// slots themselves are not reset: out_flit and out_last mean nothing while out_valid is 0.
//
// Unused ports: in_last to 0 where the words form no messages. Legal parameters: all combinations within
// the ranges below.
//
// Example:
//   stream_buffer #(.FLIT_W(16), .LANES(1)) u_buffer (
//       .clk(clk), .rst(rst),
//       .in_flit(a_flit), .in_last(a_last), .in_valid(a_valid), .in_ready(a_ready), .in_empty(),
//       .out_flit(b_flit), .out_last(b_last), .out_valid(b_valid), .out_ready(b_ready), .spare_full(), .spare_flit());
`default_nettype none

module stream_buffer #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer LANES = 1,  // streams, >= 1
    parameter integer DEPTH = 2  // flits that a lane holds, 2..64
) (
    input  wire                     clk,
    input  wire                     rst,
    // streams in
    input  wire  [LANES*FLIT_W-1:0] in_flit,
    input  wire  [       LANES-1:0] in_last,
    input  wire  [       LANES-1:0] in_valid,
    output logic [       LANES-1:0] in_ready,  // fewer than DEPTH flits are held
    output logic [       LANES-1:0] in_empty,  // no flit is held
    // streams out
    output logic [LANES*FLIT_W-1:0] out_flit,
    output logic [       LANES-1:0] out_last,
    output logic [       LANES-1:0] out_valid,
    input  wire  [       LANES-1:0] out_ready,
    output logic [       LANES-1:0] spare_full,  // there is a flit behind the oldest one
    output logic [LANES*FLIT_W-1:0] spare_flit  // that flit
);
  if (FLIT_W < 1) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (LANES < 1) begin : g_LANES illegal_LANES u_illegal (); end
  if (DEPTH < 2 || DEPTH > 64) begin : g_DEPTH illegal_DEPTH u_illegal (); end

  logic [LANES*FLIT_W-1:0] head_q, spare_q;
  logic [LANES-1:0] head_last_q, spare_last_q;
  logic [LANES-1:0] head_full_q, spare_full_q;

  wire [LANES-1:0] pop = out_valid & out_ready;
  wire [LANES-1:0] next = pop | (in_valid & ~head_full_q);  // something else becomes the head
  wire [LANES-1:0] come_last = (spare_last_q & spare_full_q) | (in_last & ~spare_full_q);

  assign in_empty  = ~head_full_q;
  assign out_flit  = head_q;
  assign out_last  = head_last_q;
  assign out_valid = head_full_q;
  assign spare_full = spare_full_q;
  assign spare_flit = spare_q;

  // It is known late in a cycle if a flit is taken, so little logic waits for it. The condition around the loops is for
  // speed of simulation.
  if (DEPTH == 2) begin : g_two
    wire [LANES-1:0] stash = in_valid & in_ready & head_full_q;  // with pop it is in both slots, and counts as the head

    assign in_ready = ~spare_full_q;

    always_ff @(posedge clk) begin
      head_full_q  <= (head_full_q & ~pop) | spare_full_q | in_valid;
      spare_full_q <= ~pop & (spare_full_q | (in_valid & head_full_q));
      head_last_q  <= (head_last_q & ~next) | (come_last & next);
      spare_last_q <= (spare_last_q & ~stash) | (in_last & stash);
      if (|(in_valid | head_full_q)) begin
        for (int i = 0; i < LANES; i++) begin
          if (next[i])
            head_q[i*FLIT_W+:FLIT_W] <= spare_full_q[i] ? spare_q[i*FLIT_W+:FLIT_W] : in_flit[i*FLIT_W+:FLIT_W];
          if (stash[i]) spare_q[i*FLIT_W+:FLIT_W] <= in_flit[i*FLIT_W+:FLIT_W];
        end
      end
      if (rst) begin
        head_full_q  <= '0;
        spare_full_q <= '0;
      end
    end
  end else begin : g_deep
    localparam integer REST = DEPTH - 2;  // flits behind the oldest two
    localparam integer AT_W = REST <= 2 ? 1 : $clog2(REST), COUNT_W = $clog2(REST + 1);
    logic [LANES-1:0] some, full;  // of these; all
    logic [LANES*(FLIT_W+1)-1:0] rest;  // the oldest of these
    wire [LANES-1:0] push = in_valid & in_ready;
    wire [LANES-1:0] refill = pop & some;  // the spare comes from there
    wire [LANES-1:0] stash = push & head_full_q & ~some & (~spare_full_q | pop);  // from outside; see g_two
    wire [LANES-1:0] store = push & spare_full_q & (some | ~pop);  // and this goes there

    assign in_ready = ~full;

    always_ff @(posedge clk) begin
      head_full_q  <= (head_full_q & ~pop) | spare_full_q | in_valid;
      spare_full_q <= some | (spare_full_q & (~pop | push)) | (head_full_q & push & ~pop);
      head_last_q  <= (head_last_q & ~next) | (come_last & next);
      if (|(in_valid | head_full_q)) begin
        for (int i = 0; i < LANES; i++) begin
          if (next[i])
            head_q[i*FLIT_W+:FLIT_W] <= spare_full_q[i] ? spare_q[i*FLIT_W+:FLIT_W] : in_flit[i*FLIT_W+:FLIT_W];
          if (refill[i]) {spare_last_q[i], spare_q[i*FLIT_W+:FLIT_W]} <= rest[i*(FLIT_W+1)+:FLIT_W+1];
          if (stash[i]) {spare_last_q[i], spare_q[i*FLIT_W+:FLIT_W]} <= {in_last[i], in_flit[i*FLIT_W+:FLIT_W]};
        end
      end
      if (rst) begin
        head_full_q  <= '0;
        spare_full_q <= '0;
      end
    end

    for (genvar i = 0; i < LANES; i++) begin : g_lane
      logic [FLIT_W:0] words[2**AT_W];
      logic [AT_W-1:0] put_q, get_q;
      logic [COUNT_W-1:0] held_q;

      assign some[i] = held_q != '0;
      assign full[i] = held_q == COUNT_W'(REST);
      assign rest[i*(FLIT_W+1)+:FLIT_W+1] = words[get_q];

      always_ff @(posedge clk) begin
        if (store[i]) words[put_q] <= {in_last[i], in_flit[i*FLIT_W+:FLIT_W]};
        if (store[i]) put_q <= put_q + 1'b1;
        if (refill[i]) get_q <= get_q + 1'b1;
        if (store[i] != refill[i]) held_q <= store[i] ? held_q + 1'b1 : held_q - 1'b1;
        if (rst) begin
          put_q  <= '0;
          get_q  <= '0;
          held_q <= '0;
        end
      end
    end
  end

`ifdef FORMAL
  // The outputs are those of a queue of DEPTH words, the oldest in the lowest bits.
  // (queue_q and count_q are the names by which other contracts look at them.)
  localparam integer F_COUNT_W = $clog2(DEPTH + 1), F_W = FLIT_W + 1;
  logic [F_COUNT_W-1:0] count_q;
  logic [DEPTH*F_W-1:0] queue_q;
  wire f_push = in_valid && in_ready;
  wire [F_COUNT_W-1:0] f_rest = count_q - F_COUNT_W'(pop);

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);

    count_q <= f_rest + F_COUNT_W'(f_push);
    if (pop) queue_q <= queue_q >> F_W;
    if (f_push) queue_q[f_rest*F_W+:F_W] <= {in_last, in_flit};
    if (rst) count_q <= '0;

    if (!$initstate) begin
      assert (32'(count_q) <= DEPTH);
      assert (in_ready == (32'(count_q) < DEPTH));
      assert (in_empty == (count_q == '0));
      assert (out_valid == (count_q != '0));
      assert (spare_full == (32'(count_q) > 1));
      if (out_valid) assert ({out_last, out_flit} == queue_q[F_W-1:0]);
      if (spare_full) assert ({spare_last_q, spare_flit} == queue_q[2*F_W-1:F_W]);
      if (!$past(rst) && $past(out_valid && !out_ready)) begin
        assert (out_valid);
        assert ($stable(out_flit) && $stable(out_last));
      end

      cover (f_push && pop);
      cover (pop && !in_ready);
      cover (in_empty && $past(pop) && $past(pop, 2) && $past(pop, 3));
    end
  end

  if (DEPTH > 2) begin : g_f_deep  // for the induction
    localparam integer F_AT_W = DEPTH - 2 <= 2 ? 1 : $clog2(DEPTH - 2);
    localparam integer F_HELD_W = $clog2(DEPTH - 1);
    wire [F_AT_W-1:0] f_get = g_deep.g_lane[0].get_q, f_put = g_deep.g_lane[0].put_q;
    wire [F_HELD_W-1:0] f_held = g_deep.g_lane[0].held_q;
    wire [F_AT_W-1:0] f_end = f_get + F_AT_W'(f_held);
    always_ff @(posedge clk) begin
      if (!$initstate) begin
        assert (32'(f_held) == (32'(count_q) < 2 ? 0 : 32'(count_q) - 2));
        assert (f_put == f_end);
        for (int k = 2; k < DEPTH; k++)
          if (32'(count_q) > k) assert (g_deep.g_lane[0].words[f_get+F_AT_W'(k-2)] == queue_q[k*F_W+:F_W]);
      end
    end
  end
`endif
endmodule

`default_nettype wire
