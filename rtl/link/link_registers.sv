// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The link's own registers (docs/protocol.md): identity, clock, baud, and counters of what went wrong. Part of
// link_frame, read by link_executor a byte at a time, lowest first.
//
// Latency: data is combinational from index and at. An event counts from the next cycle on.
//
// Ports:
// - damaged, malformed, refused, lost, unanswered: 1 for one cycle per event; several may come together. refused and
//   malformed share a counter: in the cycle after they came together, both must be 0.
// - index, at: register 0 to 7 and byte 0 to 3 of it. Byte 1 of a counter is the high byte as it was in the last cycle
//   with at = 0, so that a counter read in order is that of one moment.
//
// Counters stop at 0x8000. Reset: synchronous, one cycle, sets them to 0. Tie unused events to 0. Legal parameters:
// CLOCK_HZ >= 1, BAUD >= 0.
`default_nettype none

module link_registers #(
    parameter integer CLOCK_HZ = 12000000,  // of clk, >= 1
    parameter integer BAUD = 0  // symbols per second of a UART, 0 on other lines
) (
    input  wire        clk,
    input  wire        rst,
    // events
    input  wire        damaged,     // a frame
    input  wire        malformed,   // a frame
    input  wire        refused,     // a frame; not in the cycle after one in which malformed was 1 as well
    input  wire        lost,        // a byte
    input  wire        unanswered,  // an access
    // reading
    input  wire  [2:0] index,
    input  wire  [1:0] at,          // which of the four bytes, 0 the lowest
    output logic [7:0] data
);
  if (CLOCK_HZ < 1) begin : g_CLOCK_HZ illegal_CLOCK_HZ u_illegal (); end
  if (BAUD < 0) begin : g_BAUD illegal_BAUD u_illegal (); end

  localparam logic [31:0] MAGIC = 32'h4b4e494c;  // LINK
  localparam logic [31:0] VERSION = 32'd1;

  logic [63:0] count_q;  // of lost frames, refused ones, lost bytes, accesses
  logic both_q;  // malformed and refused came together: one of them is yet to be counted
  logic [7:0] high_q;

  wire [3:0] event_now = {unanswered, lost, refused || malformed || both_q, damaged};
  wire [127:0] constants = {32'(BAUD), 32'(CLOCK_HZ), VERSION, MAGIC};
  wire [15:0] count = count_q[16*index[1:0]+:16];
  wire [7:0] constant = constants[{index[1:0], at, 3'd0}+:8];

  assign data = !index[2] ? constant : at == 2'd0 ? count[7:0] : at == 2'd1 ? high_q : 8'd0;

  for (genvar i = 0; i < 4; i++) begin : g_count
    always_ff @(posedge clk) begin
      if (event_now[i] && !count_q[16*i+15]) count_q[16*i+:16] <= count_q[16*i+:16] + 1'b1;
      if (rst) count_q[16*i+:16] <= '0;
    end
  end

  always_ff @(posedge clk) begin
    if (at == 2'd0) high_q <= count[15:8];
    both_q <= refused && malformed;
    if (rst) both_q <= 1'b0;
  end

`ifdef FORMAL
  // Every event is counted, two at a time included; a counter that stands still is read as it is.
  logic [16:0] f_refused;  // events, counted two at a time
  logic [15:0] f_read;  // the counter as it was when its low byte was there

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && $past(malformed && refused && !rst)) assume (!malformed && !refused);

    if (f_refused < 17'd32768) f_refused <= f_refused + 17'(refused) + 17'(malformed);
    if (rst) f_refused <= '0;
    if (at == 2'd0) f_read <= count_q[16*index[1:0]+:16];

    if (!$initstate) begin
      if (f_refused < 17'd32768) assert ({1'b0, count_q[31:16]} + 17'(both_q) == f_refused);
      if (f_refused < 17'd32768) assert (both_q == $past(malformed && refused && !rst));
      assert (count_q[31:16] <= 16'd32768);
      if (index == 3'd4 && at == 2'd0) assert (data == count_q[7:0]);
      if (index[2] && at == 2'd1 && $past(at == 2'd0)) assert (data == f_read[15:8]);
      if (index[2] && at[1]) assert (data == 8'd0);
      if (index == 3'd0) assert (data == MAGIC[8*at+:8]);
      if (index == 3'd2) assert (data == 8'(CLOCK_HZ >> 8 * at));
      if ($past(!$initstate && !rst && !lost)) assert (count_q[47:32] == $past(count_q[47:32]));
      if ($past(!$initstate && !rst && lost && !count_q[47])) assert (count_q[47:32] == $past(count_q[47:32]) + 16'd1);
      if ($past(rst)) assert (count_q == '0);

      cover (count_q[31:16] == 16'd3 && $past(both_q));
    end
  end
`endif
endmodule

`default_nettype wire
