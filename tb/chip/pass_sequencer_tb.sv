// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Runs several passes with work of random length, and checks the begin and end of each.
`default_nettype none

module pass_sequencer_tb;
  wire clk, rst;
  integer seed, state, work, runs, passes, settle;
  logic start, free, stuck, running_q, clear_q;
  logic [15:0] first_pass, last_pass, expected;
  wire rewind, clear, run;
  wire [15:0] pass;
  wire [31:0] cycle, since_start;
  integer since, between;  // since: cycles since the start; between: cycles of `run` = 0 since then or since the last pass
  wire [1:0] status;
  wire busy = work > 0;

  logic reset = 1'b0;  // in addition to the bench's reset

  bench u_bench (.clk, .rst, .seed);
  pass_sequencer u_dut (
      .clk,
      .rst(rst || reset),
      .start, .free, .first_pass, .last_pass, .busy, .stuck, .rewind, .clear, .run, .pass, .cycle, .since_start,
      .state(status)
  );

  always @(posedge clk) begin
    running_q <= run;
    clear_q <= clear;
    if (run && work > 0) work <= work - 1;
    if (run && !running_q && !rst && !reset) begin
      if (cycle !== 32'd1 || !clear_q) $fatal(1, "pass %0d begins with cycle %0d, clear %b", pass, cycle, clear_q);
      if (pass !== expected) $fatal(1, "pass %0d, expected %0d", pass, expected);
      expected <= expected + 16'd1;
      passes <= passes + 1;
    end
    if (!run && running_q && busy && !stuck && !reset) $fatal(1, "pass %0d ends too early", pass);
    since <= start && !status[0] ? 1 : status == 2'd1 ? since + 1 : since;
    between <= status != 2'd1 || run ? 0 : between + 1;
    if (!reset && status != 2'd0 && since_start !== since) $fatal(1, "since_start %0d, %0d after the start", since_start, since);
    if (run && !running_q && !rst && !reset && between !== 8) $fatal(1, "pass %0d begins after %0d cycles", pass, between);
    if (clear) work <= 1 + $unsigned($random(state)) % 60;
    if (rst || reset) begin
      {work, running_q, clear_q, since, between} <= '0;
    end
    if (rst) passes <= 0;
  end

  initial begin
    start = 1'b0;
    free = 1'b0;
    stuck = 1'b0;
    state = 1;
    wait (!rst);
    state = seed;
    for (runs = 0; runs < 50; runs = runs + 1) begin
      @(negedge clk);
      first_pass = 16'($unsigned($random(state)) % 4);
      last_pass = first_pass + 16'($unsigned($random(state)) % 4);
      free = 1'($random(state));
      expected = free ? last_pass : first_pass;
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      if (status !== 2'd1 || rewind !== (first_pass == 16'd0)) $fatal(1, "state %0d, rewind %b", status, rewind);
      while (status == 2'd1) @(negedge clk);
      if (status !== 2'd2 || pass !== last_pass || expected !== last_pass + 16'd1) $fatal(1, "ends at pass %0d", pass);
    end
    // A reset at any moment removes all state of the pass that it interrupts.
    for (int i = 0; i < 30; i++) begin
      first_pass = 16'(1 + i % 3);
      last_pass = first_pass;
      free = 1'b0;
      expected = first_pass;
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      repeat (i) @(negedge clk);
      reset = 1'b1;
      @(negedge clk);
      if (status !== 2'd0 || run || clear || rewind || pass !== 16'd0 || cycle !== 32'd0 || since_start !== 32'd0)
        $fatal(1, "after a reset: state %0d, pass %0d, cycle %0d", status, pass, cycle);
      reset = 1'b0;
    end
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    stuck = 1'b1;
    @(negedge clk);
    start = 1'b1;
    repeat (5) @(negedge clk);
    if (status !== 2'd3 || run) $fatal(1, "not stuck");
    $display("PASS pass_sequencer (seed %0d, %0d flits)", seed, passes);
    $finish;
  end
endmodule

`default_nettype wire
