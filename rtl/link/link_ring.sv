// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Ring of bytes in one block RAM, under link_receiver and cobs_encode. Its owner writes bytes anywhere in the free part
// and says by end_at up to where they count; only what counts comes out.
//
// Latency: the first byte is offered one cycle after end_at moved. Throughput: one byte written and one read per cycle.
//
// Ports:
// - write, write_at, write_byte: write one byte. Places from head_at up to end_at hold bytes that count and must not be
//   written.
// - end_at: bytes before this place count. It may only go forward, over places that have been written, and must be 0
//   after rst until bytes were written.
// - head_at: the next place that is read. Places from end_at up to head_at - 1 are free; the owner must leave one of
//   them unused, as a full ring would look like an empty one.
// - out_*: the bytes that count, in order; out_valid stays, with its byte, until out_ready.
//
// Reset: synchronous, one cycle: empty; head_at is 0. Legal parameters: BYTES a power of two >= 4.
`default_nettype none

module link_ring #(
    parameter integer BYTES = 512,  // a power of two, >= 4
    localparam integer AT_W = $clog2(BYTES)
) (
    input  wire             clk,
    input  wire             rst,
    // the owner
    input  wire             write,
    input  wire  [AT_W-1:0] write_at,
    input  wire  [     7:0] write_byte,
    input  wire  [AT_W-1:0] end_at,      // bytes before this place count; 0 after rst
    output logic [AT_W-1:0] head_at,     // place of the next byte to read; from end_at to the one before it the ring is free
    // the bytes that count
    output logic [     7:0] out_byte,
    output logic            out_valid,
    input  wire             out_ready
);
  if (BYTES < 4 || (1 << AT_W) != BYTES) begin : g_BYTES illegal_BYTES u_illegal (); end

  // A byte is fetched at least one cycle after it was written, so a memory that returns the old word as well as one
  // that returns the new one will do.
  (* no_rw_check *)logic [7:0] ring_mem[BYTES];
  wire fetch = (!out_valid || out_ready) && head_at != end_at;

  always_ff @(posedge clk) begin
    if (write) ring_mem[write_at] <= write_byte;
  end

  always_ff @(posedge clk) begin
    if (fetch) out_byte <= ring_mem[head_at];
  end

  always_ff @(posedge clk) begin
    if (fetch) head_at <= head_at + 1'b1;
    if (!out_valid || out_ready) out_valid <= fetch;
    if (rst) begin
      head_at   <= '0;
      out_valid <= 1'b0;
    end
  end

`ifdef FORMAL
  // One place (any): what came out of it is what was written there last.
  (* anyconst *) logic [AT_W-1:0] f_at;
  logic f_known, f_from_here;
  logic [7:0] f_byte, f_out;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && $past(rst)) assume (end_at == '0);
    // The bytes that count are not written any more, and end before the one that was written last.
    if (write) assume (AT_W'(write_at - head_at) >= AT_W'(end_at - head_at) || head_at == end_at);
    if (!$initstate && !$past(rst)) assume (AT_W'(end_at - $past(head_at)) >= AT_W'($past(end_at) - $past(head_at)));

    if (write && write_at == f_at) begin
      f_known <= 1'b1;
      f_byte  <= write_byte;
    end
    if (out_ready || !out_valid) f_from_here <= 1'b0;
    if ((out_ready || !out_valid) && head_at != end_at && head_at == f_at) begin
      f_from_here <= f_known;
      f_out <= f_byte;
    end
    if (rst) begin
      f_known <= 1'b0;
      f_from_here <= 1'b0;
    end

    if (!$initstate) begin
      if (f_known) assert (ring_mem[f_at] == f_byte);
      if (f_from_here) assert (out_valid && out_byte == f_out);
      if ($past(!$initstate && !rst && out_valid && !out_ready)) assert (out_valid && $stable(out_byte));
      // It comes out at once, in order, and nothing that does not count.
      if ($past(!$initstate && !rst && head_at != end_at && (out_ready || !out_valid)))
        assert (out_valid && head_at == AT_W'($past(head_at) + 1'b1));
      if ($past(!$initstate && !rst && head_at == end_at)) assert (head_at == $past(head_at));
      if ($past(!$initstate && !rst && head_at == end_at && out_ready)) assert (!out_valid);

      cover (f_from_here && f_at == '1 && f_out == 8'h5a);
    end
  end
`endif
endmodule

`default_nettype wire
