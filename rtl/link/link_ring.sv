// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Ring of bytes in one block RAM. Its owner writes anywhere and says up to where what it wrote counts; only that comes
// out, a byte per cycle, the first of them one cycle after end_at moved.
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
    input  wire  [AT_W-1:0] end_at,      // what stands before this counts; 0 after rst
    output logic [AT_W-1:0] head_at,     // from end_at to here, here excluded, the ring is free
    // the bytes that count
    output logic [     7:0] out_byte,
    output logic            out_valid,
    input  wire             out_ready
);
  generate
    if (BYTES < 4 || (1 << AT_W) != BYTES) illegal_BYTES u_illegal ();
  endgenerate

  // What is fetched has been written at least one cycle before, so that nobody sees which of the two comes first.
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
endmodule

`default_nettype wire
