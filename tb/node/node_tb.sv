// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A node whose injection channel leads back, through a channel that stalls, to its ejection channel: its log must agree
// with its program. In some rounds one flit is damaged on the way, the log is too short or a message too long to be
// kept; in some a schedule takes the program's place. In the others a second node, as boards have it (SMALL, without
// FREE), gets the same input and does the same in every cycle. A third one, TIMED and fed by a stream, is that of
// node_times_bench.
`default_nettype none

module node_tb;
  localparam integer LABEL_W = 2, FLIT_W = 32, PROGRAM_DEPTH = 16, LOG_DEPTH = 8, SLOT_FLITS = 8, ROUNDS = 40;
  wire clk, rst;
  `include "chance.svh"
  integer seed, received;

  logic clean, scheduled, glances, paper, rewind, run, select, write;
  logic [31:0] salt, cycle, late, wdata;
  logic [15:0] pass, address;
  wire [31:0] rdata;
  wire [1:0] here = 2'(seed);
  wire busy, log_overflow, store_overflow, obs_worm, obs_flit, obs_blocked;

  // The channel: node, gate, buffer, gate, node. A gate shows a flit until it is taken.
  wire [FLIT_W-1:0] a_flit, b_flit;
  wire a_last, a_valid, a_ready, b_last, b_valid, in_ready, in_empty, buffer_ready, buffer_empty;
  logic open_in, open_out, damage;
  integer flit_number, damaged_at, pause;
  // The cycles in which header and tail of each message crossed the ejection channel, in the order of arrival.
  integer arrivals;
  logic [31:0] header_at[PROGRAM_DEPTH], tail_at[PROGRAM_DEPTH];
  logic header_next;
  assign a_ready = open_in && buffer_ready;
  wire b_offer = b_valid && open_out;
  wire [FLIT_W-1:0] back_flit = damage ? b_flit ^ 32'h00010000 : b_flit;
  assign damage = flit_number == damaged_at;

  bench u_bench (.clk, .rst, .seed);
  localparam [node_config::BITS-1:0] NODE =
      node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, SLOT_FLITS);
  node #(.LABEL_W(LABEL_W), .NODE(NODE)) u_dut (
      .clk,
      .rst(rst || clean),
      .paper, .here,
      .seed(salt),
      .skip_self(1'b0),
      .rewind, .run, .pass,
      .cycle(late),
      .bus_select(select),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata),
      .out_flit(a_flit),
      .out_last(a_last),
      .out_valid(a_valid),
      .out_ready(a_ready),
      .out_empty(a_ready && buffer_empty),
      .in_flit(back_flit),
      .in_last(b_last),
      .in_valid(b_offer),
      .in_ready, .in_empty, .obs_worm, .obs_flit, .obs_blocked, .busy, .log_overflow, .store_overflow
  );
  wire [31:0] plain_rdata;
  wire [FLIT_W-1:0] plain_flit;
  wire plain_last, plain_valid, plain_ready, plain_empty, plain_worm, plain_moves, plain_blocked, plain_busy;
  wire plain_log, plain_store;
  node #(.LABEL_W(LABEL_W), .NODE(node_config::set(NODE, node_config::SMALL, 1)), .FREE(0)) u_plain (
      .clk,
      .rst(rst || clean || scheduled),
      .paper, .here,
      .seed(salt),
      .skip_self(1'b0),
      .rewind, .run, .pass,
      .cycle(late),
      .bus_select(select),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(plain_rdata),
      .out_flit(plain_flit),
      .out_last(plain_last),
      .out_valid(plain_valid),
      .out_ready(a_ready),
      .out_empty(a_ready && buffer_empty),
      .in_flit(back_flit),
      .in_last(b_last),
      .in_valid(b_offer),
      .in_ready(plain_ready),
      .in_empty(plain_empty),
      .obs_worm(plain_worm),
      .obs_flit(plain_moves),
      .obs_blocked(plain_blocked),
      .busy(plain_busy),
      .log_overflow(plain_log),
      .store_overflow(plain_store)
  );
  wire differs = {a_valid, in_ready, in_empty, obs_worm, obs_flit, obs_blocked, busy, log_overflow, store_overflow} !==
      {plain_valid, plain_ready, plain_empty, plain_worm, plain_moves, plain_blocked, plain_busy, plain_log, plain_store}
      || a_valid && {a_last, a_flit} !== {plain_last, plain_flit}
      || rdata !== plain_rdata && !glances && (address != regmap::SCHEDULE || plain_rdata !== 32'd0);

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

  wire timed_finished;
  node_times_bench #(.ROUNDS(8)) u_timed (
      .clk, .rst,
      .seed(seed + 100),
      .finished(timed_finished)
  );

  payload_truth u_truth ();

  logic waits_q, asked_q, answers_q;
  logic [FLIT_W:0] offer_q;
  integer worms_seen, flits_seen;
  always @(posedge clk) begin
    open_in  <= random(256) >= pause;
    open_out <= random(256) >= pause;
    cycle <= cycle + 1;
    late <= cycle;
    if (b_offer && in_ready) begin
      flit_number <= flit_number + 1;
      if (header_next) header_at[arrivals] <= cycle;
      if (b_last) tail_at[arrivals] <= cycle;
      header_next <= b_last;
      arrivals <= arrivals + 32'(b_last);
    end
    if (obs_worm === 1'b1) worms_seen <= worms_seen + 1;
    if (obs_flit === 1'b1) flits_seen <= flits_seen + 1;
    // With `paper` an offer may be withdrawn with the far end's `empty`, which the gate sets here.
    if (waits_q && !paper && !rst && !clean && (!a_valid || {a_last, a_flit} !== offer_q)) $fatal(1, "an offer was withdrawn");
    if (!rst && !clean && in_ready !== 1'b1) $fatal(1, "the ejection channel waits");
    if (!rst && !clean && !answers_q && rdata !== 32'd0) $fatal(1, "%h without a request", rdata);
    if (!rst && !clean && !scheduled && differs) $fatal(1, "round %0d: the two nodes differ", round);
    asked_q <= select && !write;
    answers_q <= asked_q;
    waits_q <= !rst && !clean && a_valid && !a_ready;
    offer_q <= {a_last, a_flit};
    if (rst || clean) begin
      flit_number <= 0;
      arrivals <= 0;
      header_next <= 1'b1;
      worms_seen  <= 0;
      flits_seen  <= 0;
    end
  end

  task put(input [15:0] where, input [31:0] what);
    select <= 1'b1;
    write <= 1'b1;
    address <= where;
    wdata <= what;
    @(posedge clk);
    select <= 1'b0;
  endtask

  task check(input [15:0] where, input [31:0] what);
    select <= 1'b1;
    write <= 1'b0;
    address <= where;
    @(posedge clk);
    select <= 1'b0;
    repeat (2) @(posedge clk);
    if (rdata !== what) $fatal(1, "round %0d: %h holds %h, expected %h", round, where, rdata, what);
  endtask

  // True for the writable ones among the registers beside program, map and log.
  function writable(input [15:0] where);
    writable = where == regmap::PROGRAM_LENGTH || where == regmap::SCHEDULE;
  endfunction

  // Writes to a random address of the log or its signatures.
  task put_log;
    put(regmap::SIGNATURE + 16'(random(32'h10000 - 32'(regmap::SIGNATURE))), $random(state));
  endtask

  // Reads anything but the program and ignores the value, because an empty log reads as any value.
  task glance;
    glances <= 1'b1;
    select <= 1'b1;
    write <= 1'b0;
    address <= random(2) == 0 ? 16'(random(256)) :
        regmap::SIGNATURE + 16'(random(32'h10000 - 32'(regmap::SIGNATURE)));
    @(posedge clk);
    select <= 1'b0;
    repeat (3) @(posedge clk);
    glances <= 1'b0;
  endtask

  // Computes the signature of a message that came back with its flit `hit` damaged (0: with none).
  function [31:0] signature(input [31:0] name, input integer n, input integer hit);
    logic [31:0] x;
    x = u_truth.first(salt, name);
    signature = u_truth.unsigned_yet(0);
    for (int k = 1; k < n; k++) begin
      x = u_truth.after(x);
      signature = u_truth.signed_with(signature, u_truth.shown(x) ^ (k == hit ? 32'h00010000 : 32'd0));
    end
  endfunction

  integer round, messages, first, long, total, damaged, hit, number, kept_number[4], kept_flits[4];
  logic [LABEL_W-1:0] schedule_first;
  integer schedule_flits;
  integer flits[PROGRAM_DEPTH], passes[PROGRAM_DEPTH], target[PROGRAM_DEPTH], rule[PROGRAM_DEPTH];
  integer from[PROGRAM_DEPTH], keep[PROGRAM_DEPTH], origin[PROGRAM_DEPTH], map[4];
  logic [31:0] previous;

  initial begin
    seed_by(1000003, 23);
    {clean, scheduled, glances, paper, rewind, run, select, write} = '0;
    cycle = $random(state);
    {salt, wdata, pass, address} = '0;
    pause = 100;
    received = 0;
    damaged_at = -1;
    @(negedge rst);
    for (round = 0; round < ROUNDS; round = round + 1) begin
      clean <= 1'b1;
      scheduled <= round % 5 == 4;
      paper <= 1'(round);
      salt <= $random(state);
      pause = random(200);
      repeat (3) @(posedge clk);
      clean <= 1'b0;
      @(posedge clk);
      for (int at = 0; at < 256; at++) check(16'(at), 32'd0);

      // Pass 0 sends generated data, some of which is kept. Pass 1 sends some of the kept data.
      messages = random(scheduled ? 3 : PROGRAM_DEPTH + 1);
      first = random(messages + 1);
      long = 0;
      total = 0;
      damaged = -1;
      damaged_at = -1;
      hit = 0;
      for (int k = 0; k < 4; k++) kept_flits[k] = 0;
      for (int v = 0; v < 4; v++) begin
        map[v] = random(4);
        put(regmap::MAP + 16'(v), 32'(map[v]));
      end
      for (int i = 0; i < messages; i++) begin
        passes[i] = i < first ? 0 : 1;
        flits[i]  = 1 + random(round % 4 == 0 ? 12 : SLOT_FLITS);
        target[i] = random(4);
        rule[i]   = random(2);
        from[i]   = 0;
        keep[i]   = passes[i] == 0 ? random(4) : 0;
        origin[i] = i;
        if (keep[i] != 0) begin
          kept_number[keep[i]] = i;
          kept_flits[keep[i]]  = flits[i] > SLOT_FLITS ? SLOT_FLITS : flits[i];
          if (flits[i] > SLOT_FLITS) long = 1;
        end
        if (passes[i] == 1) begin
          from[i] = random(4);
          if (from[i] != 0 && kept_flits[from[i]] == 0) from[i] = 0;
          if (from[i] != 0) begin
            origin[i] = kept_number[from[i]];
            flits[i]  = 1 + random(kept_flits[from[i]]);
          end
        end
        // Damages one flit that is no header, in the last pass, so that no damaged data is kept.
        if (passes[i] == 1 && flits[i] > 1 && damaged < 0 && !scheduled && random(3) == 0) begin
          damaged = i;
          hit = 1 + random(flits[i] - 1);
          damaged_at = total + hit;
        end
        total = total + flits[i];
        put(regmap::PROGRAM + 16'(2 * i), 32'(flits[i]) | 32'(passes[i]) << regmap::PROGRAM0_PASS);
        put(regmap::PROGRAM + 16'(2 * i + 1),
            32'(target[i]) | 32'(rule[i]) << regmap::PROGRAM1_RULE | 32'(from[i]) << regmap::PROGRAM1_FROM |
            32'(keep[i]) << regmap::PROGRAM1_KEEP);
      end
      schedule_first = 2'(random(4));
      schedule_flits = scheduled ? 1 + random(12) : 0;
      put(regmap::SCHEDULE, 32'(schedule_first) << regmap::SCHEDULE_FIRST | 32'(schedule_flits) << regmap::SCHEDULE_FLITS);
      put(regmap::PROGRAM_LENGTH, 32'(messages));
      // Read-only registers, and addresses without a register, read as 0 and take no writes.
      for (int at = 0; at < 256; at++) if (!writable(16'(at))) put(16'(at), $random(state));
      repeat (2 * PROGRAM_DEPTH) put_log;
      for (int at = 0; at < 256; at++) if (!writable(16'(at))) check(16'(at), 32'd0);
      check(regmap::SCHEDULE, 32'(schedule_first) << regmap::SCHEDULE_FIRST | 32'(schedule_flits) << regmap::SCHEDULE_FLITS);
      check(regmap::PROGRAM_LENGTH, 32'(messages));
      for (int v = 0; v < 4; v++) check(regmap::MAP + 16'(v), 32'(map[v]));
      for (int i = 0; i < messages; i++)
        check(regmap::PROGRAM + 16'(2 * i), 32'(flits[i]) | 32'(passes[i]) << regmap::PROGRAM0_PASS);

      if (scheduled) begin
        long = 0;
        total = messages * schedule_flits;
        for (int i = 0; i < messages; i++) begin
          passes[i] = i;
          flits[i]  = schedule_flits;
          target[i] = 32'(schedule_first) ^ i ^ i / 2;
          rule[i]   = 0;
          keep[i]   = 0;
          origin[i] = i;
        end
      end

      rewind <= 1'b1;
      @(posedge clk);
      rewind <= 1'b0;
      for (int p = 0; p < 2; p++) begin
        repeat (8) @(posedge clk);
        repeat (4) glance;  // reads change nothing
        @(posedge clk);
        pass <= 16'(p);
        run <= 1'b1;
        repeat (8) @(posedge clk);
        while (busy || !buffer_empty || !in_empty) @(posedge clk);
        run <= 1'b0;
        @(posedge clk);
        if (!log_overflow && 32'(messages) > LOG_DEPTH && p == 1) $fatal(1, "the log of %0d is not full", messages);
      end

      check(regmap::LOG_COUNT, 32'(messages));
      check(regmap::SENT_COUNT, 32'(messages));
      check(regmap::CORRUPT_COUNT, damaged >= 0 ? 32'd1 : 32'd0);
      check(regmap::NODE_STATUS, 32'(messages > LOG_DEPTH) << regmap::NODE_STATUS_LOG_FULL |
            32'(long) << regmap::NODE_STATUS_STORE_FULL);
      if (worms_seen != messages || flits_seen != total) $fatal(1, "%0d worms, %0d flits observed", worms_seen, flits_seen);
      for (int i = 0; i < messages && i < LOG_DEPTH; i++) begin
        number = origin[i];
        check(regmap::LOG + 16'(4 * i), 32'(map[target[i]]) | 32'(here) << LABEL_W | 32'(rule[i]) << 2 * LABEL_W |
              32'(keep[i]) << (2 * LABEL_W + 1) | 32'(number) << (2 * LABEL_W + 3));
        check(regmap::LOG + 16'(4 * i + 1),
              {i != damaged, map[target[i]] == 32'(here), 14'(passes[i]), 16'(flits[i])});
        check(regmap::LOG + 16'(4 * i + 2), header_at[i]);
        check(regmap::LOG + 16'(4 * i + 3), tail_at[i]);
        check(regmap::SIGNATURE + 16'(i), signature(32'(number) << LABEL_W | 32'(here), flits[i], i == damaged ? hit : 0));
        received = received + 1;
      end
    end
    while (!timed_finished) @(posedge clk);
    $display("PASS node (seed %0d, %0d messages)", seed, received);
    $finish;
  end
endmodule

`default_nettype wire
