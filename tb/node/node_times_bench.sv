// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Programs that wait, in a whole node whose injection channel leads back, through a channel that stalls, to its ejection
// channel; on the way the source in a header is changed to a random one. The bench computes when each entry begins and
// ends from the cycles in which tails cross the two channels: S(0) = max(1, at(0)), S(i) = max(F(i-1) + 1, at(i)), a
// delay of d cycles is done in S + d - 1, a wait in max(S, T + 2). Every other round is streamed: the program is longer
// than its memory, and entries are fed when there is room, or a while later; messages are then handed out. Some rounds
// end at a wait for a message that no node sends; others run their program twice, with a log that may get full and no
// reset in between.
`default_nettype none

module node_times_bench #(
    parameter integer ROUNDS = 60
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      checked,  // entries
    output logic        finished
);
  localparam integer LABEL_W = 2, FLIT_W = 32, DEPTH = 8, LOG_DEPTH = 4, MOST = 60, SENDERS = 1 << LABEL_W;
  localparam [node_config::BITS-1:0] NODE = node_config::set(node_config::set(
      node_config::with_depths(node_config::DEFAULT, DEPTH, LOG_DEPTH, 8), node_config::TIMED, 1), node_config::STREAM, 1);
  `include "chance.svh"

  logic clean, paper, rewind, run, select, space, write, offers, streamed;
  logic [31:0] salt, cycle, late, wdata;
  logic [15:0] address;
  logic [95:0] fed;
  wire [31:0] rdata;
  wire takes, logged, busy, passes, log_overflow, store_overflow, obs_worm, obs_flit, obs_blocked;
  wire [159:0] log_entry;
  integer round;
  localparam logic [LABEL_W-1:0] HERE = 2'd2;

  wire [FLIT_W-1:0] a_flit, b_flit;
  wire a_last, a_valid, b_last, b_valid, in_ready, in_empty, buffer_ready, buffer_empty;
  logic open_in, open_out, header_next;
  logic [LABEL_W-1:0] sources[MOST];  // the new source of message n, in the order of arrival
  wire [FLIT_W-1:0] back_flit = header_next ? b_flit & ~(32'd3 << LABEL_W) | 32'(sources[arrivals]) << LABEL_W : b_flit;

  node #(.LABEL_W(LABEL_W), .NODE(NODE), .FREE(0)) u_dut (
      .clk,
      .rst(rst || clean),
      .paper,
      .here(HERE),
      .seed(salt),
      .skip_self(1'b0),
      .rewind, .run,
      .pass(16'd0),
      .cycle(late),
      .bus_select(select),
      .bus_time(space),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata),
      .feed_valid(offers),
      .feed_entry(fed),
      .log_handed(streamed),
      .feed_ready(takes),
      .logged, .log_entry,
      .out_flit(a_flit),
      .out_last(a_last),
      .out_valid(a_valid),
      .out_ready(open_in && buffer_ready),
      .out_empty(open_in && buffer_ready && buffer_empty),
      .in_flit(back_flit),
      .in_last(b_last),
      .in_valid(b_valid && open_out),
      .in_ready, .in_empty, .obs_worm, .obs_flit, .obs_blocked, .busy, .passes, .log_overflow, .store_overflow
  );
  stream_buffer #(.FLIT_W(FLIT_W)) u_channel (
      .clk,
      .rst(rst || clean),
      .in_flit(a_flit),
      .in_last(a_last),
      .in_valid(a_valid && open_in),
      .in_ready(buffer_ready),
      .in_empty(buffer_empty),
      .out_flit(b_flit),
      .out_last(b_last),
      .out_valid(b_valid),
      .out_ready(in_ready && open_out)
  );

  // The record of events: cycles in which tails crossed the channels, and messages that were handed out.
  integer sent, arrivals, given, pause, passing;
  logic [31:0] sent_at[MOST], header_at[MOST], tail_at[MOST];
  always @(posedge clk) begin
    open_in  <= random(256) >= pause;
    open_out <= random(256) >= pause;
    cycle <= run ? cycle + 1 : 32'd1;
    late <= run ? cycle : 32'd0;
    if (obs_flit && a_last) begin
      sent_at[sent] <= cycle;
      sent <= sent + 1;
    end
    if (b_valid && open_out) begin
      if (header_next) header_at[arrivals] <= cycle;
      header_next <= b_last;
      if (b_last) begin
        tail_at[arrivals] <= cycle;
        arrivals <= arrivals + 1;
      end
    end
    if (passes) passing <= passing + 1;
    if (logged) begin
      if (log_entry[95:64] !== header_at[given] || log_entry[127:96] !== tail_at[given])
        $fatal(1, "message %0d is handed out as of cycles %0d to %0d", given, log_entry[95:64], log_entry[127:96]);
      if (log_entry[LABEL_W+:LABEL_W] !== sources[given] || log_entry[62] !== (log_entry[LABEL_W-1:0] == HERE) ||
          log_entry[47:32] !== 16'(flits_of[given]) || log_entry[63] !== (sources[given] == HERE || flits_of[given] == 1))
        $fatal(1, "message %0d is handed out as %h", given, log_entry);
      given <= given + 1;
    end
    if (rst || clean || rewind) begin
      {sent, arrivals, given, passing} <= '0;
      header_next <= 1'b1;
    end
  end

  task access(input writes, input in_time, input [15:0] where, input [31:0] what);
    select <= 1'b1;
    write <= writes;
    space <= in_time;
    address <= where;
    wdata <= what;
    @(posedge clk);
    select <= 1'b0;
    if (!writes) repeat (2) @(posedge clk);
  endtask
  task check(input in_time, input [15:0] where, input [31:0] what);
    access(1'b0, in_time, where, 32'd0);
    if (rdata !== what)
      $fatal(1, "round %0d: %s %h holds %0d, expected %0d", round, in_time ? "TIME" : "NODE", where, rdata, what);
  endtask

  // --- A program ---------------------------------------------------------------------------------------------------

  localparam integer SEND = 0, DELAY = 1, WAIT = 2;
  integer entries, messages, kind[MOST], flits[MOST], source[MOST], flits_of[MOST], map[SENDERS], coming[SENDERS];
  logic [31:0] at[MOST], fed_at[MOST], begins, done, arrived;
  integer base, dead;

  function [31:0] word0(input integer i);
    word0 = 32'(flits[i]) << regmap::PROGRAM0_FLITS;
  endfunction
  function [31:0] word1(input integer i);
    word1 = 32'(source[i]) << regmap::PROGRAM1_DESTINATION | 32'(kind[i] == DELAY) << regmap::PROGRAM1_SILENT |
        32'(kind[i] == WAIT) << regmap::PROGRAM1_WAIT;
  endfunction

  // Returns the cycle in which the nth message from a source arrived.
  function [31:0] cycle_of(input integer label, input integer n);
    integer seen;
    seen = 0;
    cycle_of = '1;
    for (int m = 0; m < arrivals; m++)
      if (32'(sources[m]) == label) begin
        seen = seen + 1;
        if (seen == n) cycle_of = tail_at[m];
      end
  endfunction

  // Makes a program. Waits are for messages that were sent before, except the last wait of a round that must get stuck.
  task make_program;
    integer s, newest;
    entries = streamed ? DEPTH + random(MOST - DEPTH) : random(2) == 0 ? DEPTH : 1 + random(DEPTH);
    dead = !streamed && random(4) == 0 ? 1 : 0;
    messages = 0;
    base = 0;
    for (int v = 0; v < SENDERS; v++) begin
      map[v] = random(SENDERS);
      coming[v] = 0;
    end
    for (int i = 0; i < entries; i++) begin
      source[i] = random(SENDERS);
      kind[i] = random(3);
      // Half of the waits are for the last message that was sent, if its source is a node.
      newest = messages > 0 && random(2) == 0 ? 1 : 0;
      if (kind[i] == WAIT && newest != 0)
        for (int v = 0; v < SENDERS; v++) if (map[v] == 32'(sources[messages-1])) source[i] = v;
      s = map[source[i]];
      if (kind[i] == WAIT && coming[s] == 0) kind[i] = DELAY;
      base = base + random(20);
      at[i] = random(3) != 0 ? 32'd0 : 32'(base);
      flits[i] = kind[i] == WAIT && newest != 0 ? coming[s] : 1 + random(kind[i] == WAIT ? coming[s] : 6);
      if (kind[i] == SEND) begin
        sources[messages] = LABEL_W'(random(SENDERS));
        coming[sources[messages]] = coming[sources[messages]] + 1;
        flits_of[messages] = flits[i];
        messages = messages + 1;
      end
    end
    if (dead != 0) begin
      kind[entries-1] = WAIT;
      flits[entries-1] = 100;
    end
  endtask

  task load_program;
    for (int i = 0; i < entries; i++) begin
      // A write of the first word clears an old AT.
      if (random(2) == 0) access(1'b1, 1'b1, regmap::AT + 16'(i), $random(state));
      access(1'b1, 1'b0, regmap::PROGRAM + 16'(2 * i), word0(i));
      access(1'b1, 1'b0, regmap::PROGRAM + 16'(2 * i + 1), word1(i));
      if (at[i] != 0) access(1'b1, 1'b1, regmap::AT + 16'(i), at[i]);
      fed_at[i] = 32'd0;
    end
    access(1'b1, 1'b0, regmap::PROGRAM_LENGTH, 32'(entries));
    access(1'b1, 1'b1, regmap::RELEASED, 32'd77);  // a write has no effect
    for (int i = 0; i < entries; i++) begin
      check(1'b1, regmap::AT + 16'(i), at[i]);
      check(1'b0, regmap::PROGRAM + 16'(2 * i), word0(i));
      check(1'b0, regmap::PROGRAM + 16'(2 * i + 1), word1(i));
    end
    check(1'b0, regmap::WAITING, 32'd0);
  endtask

  // Feeds entries. Before the run (`early`) the host also reads registers: in the cycle of an access no entry is taken.
  task feed_program(input integer from, input integer to, input logic early);
    for (int i = from; i < to; i++) begin
      offers <= 1'b0;
      while (random(8) == 0) @(posedge clk);
      offers <= 1'b1;
      fed <= {at[i], word1(i), word0(i)};
      if (early) begin
        select <= 1'(random(2));
        {write, space} <= 2'b00;
        address <= regmap::PROGRAM_LENGTH;
      end
      @(posedge clk);
      while (!takes) begin
        if (early && !select) $fatal(1, "round %0d: entry %0d is not taken", round, i);
        if (early) select <= 1'(random(2));
        @(posedge clk);
      end
      if (select) $fatal(1, "round %0d: entry %0d is taken in the cycle of an access", round, i);
      fed_at[i] = early ? 32'd0 : cycle;
    end
    offers <= 1'b0;
    select <= 1'b0;
    @(posedge clk);
    if (early) check(1'b0, regmap::PROGRAM_LENGTH, 32'(to));
  endtask

  integer n, runs, logs, still, fed_early;
  logic [31:0] ready, times;  // ready: the first cycle of an entry without an AT; times: cycles that time alone ended
  initial begin
    finished = 1'b0;
    {clean, paper, rewind, run, select, space, write, offers, streamed} = '0;
    {salt, wdata, address, fed} = '0;
    pause = 100;
    checked = 0;
    @(negedge rst);
    state = seed * 1000003 + 41;
    for (round = 0; round < ROUNDS; round = round + 1) begin
      clean <= 1'b1;
      paper <= 1'(random(2));
      streamed <= 1'(round);
      salt <= $random(state);
      pause = random(3) == 0 ? 0 : random(200);
      repeat (3) @(posedge clk);
      clean <= 1'b0;
      @(posedge clk);
      make_program;
      for (int v = 0; v < SENDERS; v++) access(1'b1, 1'b0, regmap::MAP + 16'(v), 32'(map[v]));
      if (!streamed) load_program;

      logs = 0;
      runs = !streamed && dead == 0 && random(4) != 0 ? 2 : 1;
      for (int again = 0; again < runs; again = again + 1) begin
        rewind <= 1'b1;
        @(posedge clk);
        rewind <= 1'b0;
        fed_early = streamed ? random(DEPTH + 1) : 0;
        if (streamed) feed_program(0, fed_early, 1'b1);
        repeat (8) @(posedge clk);
        run <= 1'b1;
        @(posedge clk);
        if (streamed) feed_program(fed_early, entries, 1'b0);
        repeat (4) @(posedge clk);
        still = 0;
        while ((busy || !buffer_empty || !in_empty) && still < 400) begin
          @(posedge clk);
          still = dead != 0 && !obs_flit && !passes && !b_valid ? still + 1 : 0;
        end
        if (dead != 0) begin
          if (still != 400) $fatal(1, "a wait for what nobody sends is over");
          run <= 1'b0;
          check(1'b0, regmap::WAITING, 32'd1 << regmap::WAITING_WAITS | 32'(entries - 1));
        end
        run <= 1'b0;
        repeat (4) @(posedge clk);

        // Checks what each entry did.
        done = 32'd0;
        n = 0;
        times = 32'd0;
        for (int i = 0; i < entries; i++) begin
          ready = done + 1;
          if (streamed && fed_at[i] != 0 && fed_at[i] + 2 > ready) ready = fed_at[i] + 2;
          begins = ready > at[i] ? ready : at[i];
          times = times + begins - ready;
          if (!streamed) check(1'b1, regmap::RELEASED + 16'(i), begins);
          else if (i >= entries - DEPTH) check(1'b1, regmap::RELEASED + 16'(i % DEPTH), begins);
          if (kind[i] == SEND) begin
            if (n >= sent || sent_at[n] < begins + flits[i] - 1 || pause == 0 && !paper && sent_at[n] != begins + flits[i] - 1)
              $fatal(1, "round %0d: entry %0d began in cycle %0d and has %0d flits: %0d", round, i, begins, flits[i], sent_at[n]);
            done = sent_at[n];
            n = n + 1;
          end else if (kind[i] == DELAY) begin
            done = begins + flits[i] - 1;
            times = times + flits[i];
          end else if (!(dead != 0 && i == entries - 1)) begin
            arrived = cycle_of(map[source[i]], flits[i]);
            done = begins > arrived + 2 ? begins : arrived + 2;
            times = times + 1;  // its last cycle
          end
          checked = checked + 1;
        end
        if (n != sent || streamed && given != arrivals || !streamed && given != 0) $fatal(1, "%0d sent, %0d given", sent, given);
        if (passing != times) $fatal(1, "round %0d: time passed in %0d cycles, expected %0d", round, passing, times);
        logs = logs + arrivals;
        check(1'b0, regmap::LOG_COUNT, 32'(logs));
        if (log_overflow != (!streamed && logs > LOG_DEPTH)) $fatal(1, "round %0d: log_overflow is %b", round, log_overflow);
      end
    end
    finished = 1'b1;
  end
endmodule

`default_nettype wire
