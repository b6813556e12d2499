// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Starts the passes one after the other: a pass begins when nothing of the one before is left anywhere. One per chip,
// in fabric_top; its outputs go to all nodes and monitors. A run from pass 0 rewinds the nodes' programs, one from a
// later pass goes on where the last one ended; before each pass the monitors clear their counters. A free run has no
// barriers: it is one pass in which all messages up to the last pass are sent, each node's one after the other.
//
// Latency: run rises nine cycles after start was 1; between two passes it falls one cycle after busy was 0, and rises
// eight cycles later. A pass lasts at least nine cycles.
//
// Ports:
// - start: 1 for one cycle; ignored while a run is under way, and when stuck. first_pass and free are looked at with
//   start, last_pass then and at the end of each pass: let them stay. With free = 1 pass is last_pass from the
//   beginning.
// - busy: something of the pass is still under way anywhere. It is ignored in the first eight cycles of a pass, so it
//   may come up to that many cycles late; it must not be 0 while anything is left.
// - stuck: from watchdog; while running it ends the run at once and for good.
// - rewind: 1 for one cycle, eight cycles before run. clear: 1 in the cycle before run. run: 1 during a pass. pass:
//   stays while run is 1.
// - cycle: 1 in the first cycle in which run is 1, and so on. since_start: 1 in the cycle after start was 1, and on from
//   there over all passes and what is between them; it stays when the run is over, as cycle does. Their difference is so
//   many cycles after the start as the pass began, 8 of the first.
// - state: 0 idle, 1 running, 2 done, 3 stuck (until reset).
//
// Reset: synchronous, one cycle: idle. Tie stuck and free to 0 if there are no such things. Legal parameters: PASS_W
// from 1 to 16.
`default_nettype none

module pass_sequencer #(
    parameter integer PASS_W = 16  // bits of a pass, 1..16
) (
    input  wire               clk,
    input  wire               rst,
    // command
    input  wire               start,
    input  wire               free,        // looked at with start: no barriers between passes
    input  wire  [PASS_W-1:0] first_pass,
    input  wire  [PASS_W-1:0] last_pass,
    input  wire               busy,        // something of the pass is still under way anywhere
    input  wire               stuck,
    // to the nodes and monitors
    output logic              rewind,
    output logic              clear,
    output logic              run,
    output logic [PASS_W-1:0] pass,
    output logic [      31:0] cycle,       // 1 in the first cycle of the pass, and counts on
    output logic [      31:0] since_start,   // cycles since start, over all passes
    output logic [       1:0] state        // 0 idle, 1 running, 2 done, 3 stuck
);
  if (PASS_W < 1 || PASS_W > 16) begin : g_PASS_W illegal_PASS_W u_illegal (); end

  localparam logic [1:0] IDLE = 2'd0, RUNNING = 2'd1, DONE = 2'd2, STUCK = 2'd3;
  // Cycles between `rewind` and `run`, so that every node has its first message at hand; and for which a pass runs
  // before its end is looked for, because `busy` arrives late.
  localparam logic [3:0] SETTLE = 4'd8;

  logic [3:0] wait_q;
  logic late_q;  // the pass runs for longer than that

  assign run   = state == RUNNING && wait_q == 4'd0;
  assign clear = state == RUNNING && wait_q == 4'd1;

  always_ff @(posedge clk) begin
    rewind <= 1'b0;
    if (state == RUNNING) begin
      since_start <= since_start + 32'd1;
      if (stuck) begin
        state <= STUCK;
      end else if (wait_q != 4'd0) begin
        wait_q <= wait_q - 4'd1;
        cycle  <= 32'd1;
        late_q <= 1'b0;
      end else begin
        cycle <= cycle + 32'd1;
        if (cycle[3:0] == SETTLE) late_q <= 1'b1;
        if (late_q && !busy) begin
          if (pass == last_pass) begin
            state <= DONE;
          end else begin
            pass   <= pass + 1'b1;
            wait_q <= SETTLE;
          end
        end
      end
    end else if (start && state != STUCK) begin
      state  <= RUNNING;
      pass   <= free ? last_pass : first_pass;
      wait_q <= SETTLE;
      since_start <= 32'd1;
      rewind <= first_pass == '0;
    end
    if (rst) begin
      state  <= IDLE;
      pass   <= '0;
      cycle  <= '0;
      since_start <= '0;
      wait_q <= '0;
      rewind <= 1'b0;
    end
  end

`ifdef FORMAL
  logic f_begins;  // a start was taken in the cycle before
  logic [3:0] f_between;  // cycles for which run has been 0, in a run
  logic f_first;  // the first pass of a run, or what is before it

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (!(&cycle));  // no pass takes 2^32 cycles
    f_begins <= start && (state == IDLE || state == DONE);
    f_between <= state != RUNNING || run ? 4'd0 : f_between + 4'd1;
    if (state != RUNNING) f_first <= 1'b1;
    else if (run && cycle > 32'(SETTLE) && !busy) f_first <= 1'b0;

    if (!$initstate) begin
      assert (!run || state == RUNNING);
      assert (!clear || !run);
      assert (wait_q <= SETTLE);
      if (run) assert (late_q == (cycle > 32'(SETTLE)));
      if ($past(rst)) assert (state == IDLE && !run && !clear && !rewind);
      else begin
        // A pass lasts until nothing is busy, and its first cycles are not asked.
        if (state == DONE && $past(state) != DONE)
          assert ($past(run) && $past(cycle) > 32'(SETTLE) && !$past(busy) && pass == $past(last_pass) && $stable(pass));
        if (f_begins) begin
          assert (state == RUNNING && rewind == ($past(first_pass) == '0) && !run);
          assert (pass == ($past(free) ? $past(last_pass) : $past(first_pass)));
        end
        else begin
          assert (!rewind && (state == RUNNING) <= ($past(state) == RUNNING));
          if (pass != $past(pass)) begin
            assert (!run && $past(run) && $past(cycle) > 32'(SETTLE) && !$past(busy));
            assert (pass == $past(pass) + 1'b1 && $past(pass) != $past(last_pass));
          end
        end
        if (run && !$past(run)) assert (cycle == 32'd1 && $past(clear) && $stable(pass) && f_between == 4'd8);
        if (run && $past(run)) assert (cycle == $past(cycle) + 32'd1 && $stable(pass));
        if (!run && $past(run)) assert ($past(stuck) || !$past(busy));
        if ($past(run) && $past(cycle) > 32'(SETTLE) && !$past(busy)) assert (!run);
        if (state == RUNNING && !run && !$past(stuck)) assert (32'(f_between) + 32'(wait_q) == 32'd8);  // for the induction

        // since_start goes on whatever else happens, and is eight ahead in the first pass.
        if (f_begins) assert (since_start == 32'd1);
        else assert (since_start == $past(since_start) + 32'($past(state) == RUNNING));
        if (run && f_first) assert (since_start == cycle + 32'd8);
        if (state == RUNNING && !run && f_first) assert (since_start == 32'(f_between) + 32'd1);  // for the induction
        if ($past(clear)) assert (run || state == STUCK);
        if ($past(state) == STUCK) assert (state == STUCK);
        if ($past(stuck) && $past(state) == RUNNING) assert (state == STUCK);
      end

      cover (state == DONE && $past(run));
      cover (clear && pass == first_pass + 1'b1);
      cover (run && cycle == 32'd1 && since_start == 32'd26);  // no pass is shorter
      cover (state == STUCK && $past(run));
    end
  end
`endif
endmodule

`default_nettype wire
