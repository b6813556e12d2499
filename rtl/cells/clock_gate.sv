// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A clock that stops while nobody needs it, so that a simulator has nothing to compute for the registers behind it. A
// rising edge passes if `wake` was 1 in the cycle that the edge ends, or in one of the TAIL cycles before that one. With
// GATED = 0, as on a board, the clock passes unchanged, and synthesis leaves a wire.
//
// With GATED = 1 the decision is made at the falling edge of clk: whatever `wake` depends on must have its value by then
// and keep it to the rising edge. A driver from outside (a test bench, a C program) therefore changes its signals after a
// rising edge and lets the clock fall before it rises again; what is set up while clk is low comes too late.
//
// Ports: clk; wake, which belongs to clk; beside, another gated clock of the same clk, whose edges pass as well (tie it to
// 0 if there is none); out, the gated clock. Never use it on an FPGA with GATED = 1: it is a latch-free gate for
// simulation and not a clock buffer.
`default_nettype none

module clock_gate #(
    parameter integer GATED = 0,  // 0, 1
    parameter integer TAIL  = 8   // cycles, 1..63
) (
    input  wire  clk,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  wake,    // of clk
    input  wire  beside,  // a gated clock that comes through as well, or 0
    // verilator lint_on UNUSEDSIGNAL
    output logic out
);
  if (GATED < 0 || GATED > 1) begin : g_GATED illegal_GATED u_illegal (); end
  if (TAIL < 1 || TAIL > 63) begin : g_TAIL illegal_TAIL u_illegal (); end

  if (GATED != 0) begin : g_gated
    logic [5:0] left_q;  // cycles of the tail
    logic open_q;  // changes while the clock is 0

    always_ff @(posedge clk) begin
      if (wake) left_q <= 6'(TAIL);
      else if (left_q != 6'd0) left_q <= left_q - 6'd1;
    end
    always_ff @(negedge clk) open_q <= wake || left_q != 6'd0;
    assign out = beside || clk && open_q;
  end else begin : g_wire
    assign out = clk;
  end

`ifdef FORMAL
  // Clock and gate moment by moment: an edge comes through whole and together with the clock's, and none is lost within
  // the tail.
  (* gclk *) wire f_moment;
  logic f_started = 1'b0, f_edges = 1'b0;  // there was an edge up with `wake`
  logic f_clk, f_out, f_wake;
  logic [6:0] f_since;  // edges up since one with `wake`, stays at its largest value
  logic f_was_up = 1'b0;
  wire f_up = f_started && clk && !f_clk;
  wire f_down = f_started && !clk && f_clk;

  always_ff @(posedge f_moment) begin
    f_started <= 1'b1;
    f_clk <= clk;
    f_out <= out;
    f_wake <= wake;
    assume (!beside);
    if (!f_started) assume (!clk);
    f_was_up <= f_up;
    assume (!(f_down && f_was_up));  // the clock is up for as long as `wake` takes to change
    if (f_started && !(f_clk && $past(f_started) && !$past(f_clk))) assume (wake == f_wake);  // changes after an edge up
    if (f_up) begin
      f_since <= f_wake ? 7'd1 : &f_since ? f_since : f_since + 7'd1;
      f_edges <= f_edges || f_wake;
    end

    if (f_started) begin
      assert (!out || clk);
      if (out != f_out && f_edges) assert (f_up || f_down);
      if (f_up && f_edges && (f_wake || f_since <= 7'(TAIL))) assert (out);
      if (f_up && f_edges && GATED != 0 && !f_wake && f_since > 7'(TAIL)) assert (!out);
    end

    cover (f_edges && f_up && !out);
    cover (f_edges && f_up && out && f_since > 7'(TAIL));
  end
`endif
endmodule

`default_nettype wire
