// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The inputs of a wormhole router: a stream_buffer for each, and a bit that tells the header of a message (a worm: a
// header, then flits up to one with last = 1) from the flits behind it. Used by wh_router and min_switch, which decide
// which flit crosses.
//
// A header is also shown one step earlier, as it comes to the head, so that a route unit can work out its way and the
// result can stand in a register beside it when it is there. min_switch does not use that.
//
// Latency: a flit taken at one clock edge is at the head of its buffer after that edge, if it finds the buffer empty.
// Throughput: one flit per cycle and lane. The heads come from registers (header through a gate), next_* also from in_*.
//
// Ports, lane i in bits [i*FLIT_W +: FLIT_W] of a flit bus and in bit i of the others:
// - in_*: the channels' ends, as in stream_buffer. A message is one or more flits in a row, the last one with in_last =
//   1; the first flit after reset or after a last one is a header. A header may be the last flit as well.
// - flit, last, valid: the oldest flit in the buffer; it stays until it is taken. header is 1 with valid if this flit
//   is the first of its message.
// - taken: the neighbour takes the flit at this clock edge. It may be 1 only where valid is 1 and may depend on all
//   outputs above.
// - next_comes: a header comes to the head at this edge. It is in_flit where spare_full is 0, else spare_flit. All may be
//   left open. It is next_at_once | (taken & next_behind), of which taken alone comes late: for wh_claim, as next_valid is,
//   which says that there will be a flit at the head.
//
// Reset: rst = 1 at one edge empties the buffers; the next flit of each lane is then a header. Legal parameters: all
// combinations.
`default_nettype none

module wh_input #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer LANES = 1,  // inputs, >= 1
    parameter integer BUFFERS = 2  // flits that the buffer of a lane holds, 2..64
) (
    input  wire                     clk,
    input  wire                     rst,
    // streams in
    input  wire  [LANES*FLIT_W-1:0] in_flit,
    input  wire  [       LANES-1:0] in_last,
    input  wire  [       LANES-1:0] in_valid,
    output logic [       LANES-1:0] in_ready,
    output logic [       LANES-1:0] in_empty,
    // the flits at the heads of the buffers
    output logic [LANES*FLIT_W-1:0] flit,
    output logic [       LANES-1:0] last,
    output logic [       LANES-1:0] valid,
    output logic [       LANES-1:0] header,   // the flit at the head is the first of its message
    input  wire  [       LANES-1:0] taken,    // the flit at the head crosses the router at this edge
    // headers that come to the head
    output logic [       LANES-1:0] spare_full,  // there is a flit behind the one at the head
    output logic [LANES*FLIT_W-1:0] spare_flit,  // that flit
    output logic [       LANES-1:0] next_comes,  // a header comes to the head at this edge
    output logic [       LANES-1:0] next_at_once,  // because the buffer is empty
    output logic [       LANES-1:0] next_behind,  // if the flit at the head is taken
    output logic [       LANES-1:0] next_valid  // a flit is at the head after this edge
);
  if (BUFFERS < 2 || BUFFERS > 64) begin : g_BUFFERS illegal_BUFFERS u_illegal (); end

  logic [LANES-1:0] body_q;  // the header of the worm at the head has gone

  stream_buffer #(
      .FLIT_W(FLIT_W),
      .LANES (LANES),
      .DEPTH (BUFFERS)
  ) u_buffer (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .spare_full, .spare_flit,
      .out_flit(flit),
      .out_last(last),
      .out_valid(valid),
      .out_ready(taken)
  );

  assign header = valid & ~body_q;

  assign next_at_once = in_valid & in_empty & ~body_q;
  assign next_behind = last & (in_valid | spare_full);
  assign next_valid = (valid & ~taken) | spare_full | in_valid;
  assign next_comes = next_at_once | (taken & next_behind);

  always_ff @(posedge clk) begin
    body_q <= (body_q & ~taken) | (taken & ~last);
    if (rst) body_q <= '0;
  end

`ifdef FORMAL
  // A queue of BUFFERS flits, each with a mark on what came first of a worm; `header` shows the mark. Mark and last of
  // the oldest flit are bits 1 and 0.
  localparam integer F_COUNT_W = $clog2(BUFFERS + 1), F_W = FLIT_W + 1;
  logic [F_COUNT_W-1:0] f_count;
  logic f_starts;  // the next flit that comes is the first of a worm
  logic [BUFFERS*2-1:0] f_marks;
  (* hierconn *) wire [BUFFERS*F_W-1:0] \u_buffer.queue_q ;
  (* hierconn *) wire [F_COUNT_W-1:0] \u_buffer.count_q ;

  wire f_push = in_valid && in_ready;
  wire [F_COUNT_W-1:0] f_rest = f_count - F_COUNT_W'(taken);

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) assume (!taken || valid);

    f_count <= f_rest + F_COUNT_W'(f_push);
    if (taken) f_marks <= f_marks >> 2;
    if (f_push) begin
      f_starts <= in_last;
      f_marks[f_rest*2+:2] <= {f_starts, in_last};
    end
    if (rst) begin
      f_count  <= '0;
      f_starts <= 1'b1;
    end

    if (!$initstate) begin
      if (!$past(rst)) begin
        assert ($past(next_valid) == valid);
        assert ($past(next_comes) == (header && ($past(taken) || !$past(valid))));
        if ($past(next_comes)) assert (flit == $past(spare_full ? spare_flit : in_flit));
      end
      assert (valid == (f_count != '0));
      assert (in_ready == (32'(f_count) < BUFFERS));
      assert (in_empty == !valid);
      assert (spare_full == (32'(f_count) > 1));
      assert (header == (valid && f_marks[1]));
      if (valid) assert (last == f_marks[0]);

      cover (taken && header && !last && 32'(f_count) == BUFFERS);
      cover (taken && last && !header);
      cover (taken && last && header && 32'(f_count) == BUFFERS);

      // For the induction.
      assert (32'(f_count) <= BUFFERS);
      assert (f_count == \u_buffer.count_q );
      if (f_count == '0) assert (f_starts == !body_q);
      else assert (f_starts == f_marks[(f_count-1'b1)*2]);
      for (int k = 1; k < BUFFERS; k++)
        if (32'(f_count) > k) begin
          assert (f_marks[k*2+1] == f_marks[k*2-2]);
          assert (f_marks[k*2] == \u_buffer.queue_q [k*F_W+FLIT_W]);
        end
    end
  end
`endif
endmodule

`default_nettype wire
