// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Picks the flit that crosses a link with several virtual channels: one of those that have a flit and room for it at the
// far end, by turns. LINKS links side by side, which have nothing to do with each other. Part of wh_router with V > 1, behind
// wh_output, which gives each virtual channel to one message.
//
// The next one that can send after the one that sent last goes first, and the lowest follows the highest. So a virtual
// channel that can send waits for V-1 flits of others at most. A link for which no message asks forgets which was last: a
// message that comes then finds it as after a reset, whatever was sent before.
//
// Latency: none, `may` follows combinationally from `has` and `room`. Throughput: a flit per link and cycle.
//
// Ports, virtual channel v of link l in bit l*V+v:
// - asked: some message asks for this virtual channel or has it.
// - has, room: it has a flit, and there is room at the far end. Where both are 1 they stay so until `may` is 1, and
//   `asked` with them; but room may be 0 for all virtual channels of a link together in between, as where the link rests
//   after a flit (otis_link). `has` is the one that may come late in a cycle.
// - may: its flit crosses at this edge. At most one per link.
// - keeps: bit (d-1)*LINKS*V + l*V + v: if virtual channel v has a flit, that d places before it, counted around, must wait. It
//   does not wait for `has`: whoever needs to know early what crosses puts `has` in himself.
//
// Reset: rst = 1 at one edge; then the lowest goes first. Legal parameters: all combinations within the ranges below.
`default_nettype none

module wh_share #(
    parameter integer LINKS = 1,  // >= 1
    parameter integer V = 2  // virtual channels of a link, 2..8
) (
    input  wire                clk,
    input  wire                rst,
    input  wire  [LINKS*V-1:0] asked,  // a message asks for it or has it
    input  wire  [LINKS*V-1:0] has,    // has a flit
    input  wire  [LINKS*V-1:0] room,   // there is room for it at the far end
    output logic [LINKS*V-1:0] may,    // its flit crosses
    output logic [(V-1)*LINKS*V-1:0] keeps  // it goes, if it has a flit, before the one 1, 2, .. places before it
);
  if (LINKS < 1) begin : g_LINKS illegal_LINKS u_illegal (); end
  if (V < 2 || V > 8) begin : g_V illegal_V u_illegal (); end

  logic [LINKS*V-1:0] later_q;  // those behind the one that sent last; all if that is the highest or there is none such

  // One whose turn is before that of v keeps v from sending. What does not wait for `has` stands together.
  always_comb begin : turn
    logic [LINKS*V-1:0] chosen;
    logic [V-1:0] later, ahead;
    chosen = '0;
    later  = '0;
    ahead  = '0;
    keeps = '0;
    for (int l = 0; l < LINKS; l++) begin
      later = later_q[l*V+:V] | V'(1) << (V - 1);  // a bit that need not be kept
      for (int v = 0; v < V; v++) begin
        ahead = later[v] ? later & ((V'(1) << v) - V'(1)) : later | ((V'(1) << v) - V'(1));
        ahead = ahead & room[l*V+:V] & ~(V'(1) << v);
        chosen[l*V+v] = has[l*V+v] && room[l*V+v] && (has[l*V+:V] & ahead) == '0;
        for (int d = 1; d < V; d++) keeps[(d-1)*LINKS*V+l*V+(v+d)%V] = ahead[(v+d)%V];
      end
    end
    may = chosen;
  end

  always_ff @(posedge clk) begin
    for (int l = 0; l < LINKS; l++) begin
      if (asked[l*V+:V] == '0) later_q[l*V+:V] <= '1;
      else if (may[l*V+V-1]) later_q[l*V+:V] <= '1;
      else if (may[l*V+:V] != '0) later_q[l*V+:V] <= ~(may[l*V+:V] | (may[l*V+:V] - V'(1)));
    end
    if (rst) later_q <= '1;
  end

`ifdef FORMAL
  // One virtual channel (any) of one link.
  localparam integer F_W = $clog2(V);
  logic [F_W:0] f_waited;  // cycles in which it could send and did not
  logic [LINKS*V-1:0] f_left;  // those that could send and did not, when last one could
  logic f_sent;  // since a message began to ask for this link, some flit has crossed
  logic [F_W-1:0] f_last;  // of this virtual channel
  (* anyconst *) logic [F_W-1:0] f_any;
  wire [F_W-1:0] f_v = 32'(f_any) < V ? f_any : F_W'(0);
  wire [LINKS*V-1:0] can = has & room;
  wire [V-1:0] f_can = can[V-1:0], f_may = may[V-1:0];
  logic [V-1:0] f_kept;  // as `keeps` and `has` say
  always_comb begin
    f_kept = '0;
    for (int v = 0; v < V; v++)
      for (int d = 1; d < V; d++) if (keeps[(d-1)*LINKS*V+(v+d)%V] && has[(v+d)%V]) f_kept[v] = 1'b1;
  end
  // In the order of turns the place of v after the one that was last.
  function automatic [F_W:0] f_place(input [F_W-1:0] v);
    f_place = !f_sent ? (F_W + 1)'(v) : v > f_last ? (F_W + 1)'(v - f_last) - 1'b1 : (F_W + 1)'(V) + (F_W + 1)'(v) - (F_W + 1)'(f_last) - 1'b1;
  endfunction

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) assume ((can & ~asked) == '0);
    for (int l = 0; l < LINKS; l++) begin
      if (!$initstate && can[l*V+:V] != '0) assume ((f_left[l*V+:V] & ~can[l*V+:V]) == '0);
      if (!$initstate) assume ((f_left[l*V+:V] & ~(has[l*V+:V] & asked[l*V+:V])) == '0);
      if (can[l*V+:V] != '0) f_left[l*V+:V] <= can[l*V+:V] & ~may[l*V+:V];
    end

    if (f_can != '0) f_waited <= f_can[f_v] && !f_may[f_v] ? f_waited + 1'b1 : '0;
    if (f_may != '0) f_sent <= 1'b1;
    for (int v = 0; v < V; v++) if (f_may[v]) f_last <= F_W'(v);
    if (asked[V-1:0] == '0) f_sent <= 1'b0;
    if (rst) begin
      f_waited <= '0;
      f_left   <= '0;
      f_sent   <= 1'b0;
    end

    if (!$initstate) begin
      assert ((f_may & (f_may - 1'b1)) == '0);
      assert ((may & ~can) == '0);
      assert ((f_may != '0) == (f_can != '0));
      assert (32'(f_waited) < V);
      for (int v = 0; v < V; v++) if (f_may[f_v] && f_can[v]) assert (f_place(f_v) <= f_place(F_W'(v)));

      for (int v = 0; v < V; v++) assert (f_may[v] == (f_can[v] && !f_kept[v]));

      cover (f_may[f_v] && 32'(f_waited) == V - 1 && f_v == '0);
      cover (f_may[f_v] && &f_can && !f_sent && $past(f_sent));

      // For the induction.
      for (int v = 0; v < V; v++) assert (later_q[v] == (!f_sent || 32'(f_last) == V - 1 || v > 32'(f_last)));
      if (f_sent) assert (32'(f_last) < V);
      if (f_waited != '0) assert (f_left[f_v] && f_sent && 32'(f_waited) + 32'(f_place(f_v)) < V);
    end
  end
`endif
endmodule

`default_nettype wire
