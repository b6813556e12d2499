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
// - next_comes: a header comes to the head at this edge. It is in_flit where in_ready is 1, else spare_flit. Both may be
//   left open. It is next_at_once | (taken & next_behind), of which taken alone comes late: for wh_claim, as next_valid is, which
//   says that there will be a flit at the head.
//
// Reset: rst = 1 at one edge empties the buffers; the next flit of each lane is then a header. Legal parameters: all
// combinations.
`default_nettype none

module wh_input #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer LANES = 1  // inputs, >= 1
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
    output logic [LANES*FLIT_W-1:0] spare_flit,
    output logic [       LANES-1:0] next_comes,  // a header comes to the head at this edge
    output logic [       LANES-1:0] next_at_once,  // because the buffer is empty
    output logic [       LANES-1:0] next_behind,  // if the flit at the head is taken
    output logic [       LANES-1:0] next_valid  // a flit is at the head after this edge
);
  logic [LANES-1:0] body_q;  // the header of the worm at the head has gone

  stream_buffer #(
      .FLIT_W(FLIT_W),
      .LANES (LANES)
  ) u_buffer (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .spare_flit,
      .out_flit(flit),
      .out_last(last),
      .out_valid(valid),
      .out_ready(taken)
  );

  assign header = valid & ~body_q;

  assign next_at_once = in_valid & in_empty & ~body_q;
  assign next_behind = last & (in_valid | ~in_ready);
  assign next_valid = (valid & ~taken) | ~in_ready | in_valid;
  assign next_comes = next_at_once | (taken & next_behind);

  always_ff @(posedge clk) begin
    body_q <= (body_q & ~taken) | (taken & ~last);
    if (rst) body_q <= '0;
  end

`ifdef FORMAL
  // A queue of two flits, each with a mark on what came first of a worm; `header` shows the mark.
  logic f_started = 1'b0;
  logic [1:0] f_count;
  logic f_starts;  // the next flit that comes is the first of a worm
  logic [1:0] f_first, f_second;  // mark, last
  (* hierconn *) wire \u_buffer.spare_last_q ;

  wire f_push = in_valid && in_ready;
  wire [1:0] f_rest = f_count - 2'(taken);

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) assume (!taken || valid);

    f_count <= f_rest + 2'(f_push);
    if (taken) f_first <= f_second;
    if (f_push) begin
      f_starts <= in_last;
      if (f_rest == 2'd0) f_first <= {f_starts, in_last};
      else f_second <= {f_starts, in_last};
    end
    if (rst) begin
      f_count  <= 2'd0;
      f_starts <= 1'b1;
    end

    if (f_started) begin
      if (!$past(rst)) begin
        assert ($past(next_valid) == valid);
        assert ($past(next_comes) == (header && ($past(taken) || !$past(valid))));
        if ($past(next_comes)) assert (flit == $past(in_ready ? in_flit : spare_flit));
      end
      assert (valid == (f_count != 2'd0));
      assert (in_ready == (f_count < 2'd2));
      assert (in_empty == !valid);
      assert (header == (valid && f_first[1]));
      if (valid) assert (last == f_first[0]);

      cover (taken && header && !last && f_count == 2'd2);
      cover (taken && last && !header);
      cover (taken && last && header && f_count == 2'd2);

      // For the induction.
      assert (f_count <= 2'd2);
      if (f_count == 2'd0) assert (f_starts == !body_q);
      if (f_count == 2'd1) assert (f_starts == f_first[0]);
      if (f_count == 2'd2) begin
        assert (f_second[1] == f_first[0] && f_starts == f_second[0]);
        assert (f_second[0] == \u_buffer.spare_last_q );
      end
    end
  end
`endif
endmodule

`default_nettype wire
