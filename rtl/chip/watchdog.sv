// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Raises `stuck` when nothing has moved for `limit` cycles although something is under way. One per chip, in
// fabric_top, between the tiles' `moved` and pass_sequencer.
//
// Latency: stuck rises after the limit-th cycle in a row with armed = 1 and moved = 0, and stays until reset.
//
// Ports: armed: messages are outstanding; moved: some flit crossed a channel in this cycle. limit: in cycles, constant
// while armed is 1; 0 switches the watchdog off. Choose it above the longest wait in which no flit at all moves; in
// fabric_top the host does.
//
// Reset: synchronous, one cycle. Legal parameters: LIMIT_W from 1 to 32.
`default_nettype none

module watchdog #(
    parameter integer LIMIT_W = 32  // bits of the limit, 1..32
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                armed,  // something is outstanding
    input  wire                moved,  // a flit crossed a channel
    input  wire  [LIMIT_W-1:0] limit,  // in cycles, constant while armed; 0: never stuck
    output logic               stuck
);
  if (LIMIT_W < 1 || LIMIT_W > 32) begin : g_LIMIT_W illegal_LIMIT_W u_illegal (); end

  logic [LIMIT_W-1:0] still_q;  // still cycles up to this one, if it is one

  always_ff @(posedge clk) begin
    if (!armed || moved) begin
      if (still_q != LIMIT_W'(1)) still_q <= LIMIT_W'(1);
    end else if (limit != '0 && !stuck) begin
      still_q <= still_q + 1'b1;
      if (still_q == limit) stuck <= 1'b1;
    end
    if (rst) begin
      still_q <= LIMIT_W'(1);
      stuck   <= 1'b0;
    end
  end

`ifdef FORMAL
  // `stuck` is what it is to be: `limit` still cycles in a row, since reset.
  logic f_stuck;
  logic [LIMIT_W:0] f_still;  // still cycles up to now; stays at its largest value

  wire f_now = armed && !moved;
  wire [LIMIT_W:0] f_next = !f_now ? '0 : &f_still ? f_still : f_still + 1'b1;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) assume ($stable(limit));

    f_still <= f_next;
    if (limit != '0 && f_next >= {1'b0, limit}) f_stuck <= 1'b1;
    if (rst) begin
      f_still <= '0;
      f_stuck <= 1'b0;
    end

    if (!$initstate) begin
      assert (stuck == f_stuck);

      cover (stuck && limit == LIMIT_W'(4) && $past(!stuck && !armed, 5));
      cover (!stuck && f_still == limit - 1'b1 && moved && limit > LIMIT_W'(3));

      // For the induction.
      if (limit != '0 && !stuck) assert (f_still + 1'b1 == {1'b0, still_q} && still_q <= limit);
    end
  end
`endif
endmodule

`default_nettype wire
