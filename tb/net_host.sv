// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The host of a direct network in a testbench: random programs in rounds, run over the register port; logs and counters are
// compared with what the programs ask for. Every third round sends one message alone, which takes F+h+1 cycles. With
// DIRECT there are no global registers: settings and start are ports. With TABLE it fills the route tables first. The
// network must be one whose messages of one rule cannot lock: no ring of more than three nodes.
`default_nettype none

module net_host #(
    parameter integer NODES = 4,  // this one and the next ones as in net_fabric; up to three dimensions
    parameter integer LINKS = 2,
    parameter integer DIMS = 2,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LABEL_W = 2,
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer PROGRAM_DEPTH = 8,
    parameter integer LOG_DEPTH = 64,
    parameter integer SLOT_FLITS = 16,  // at least the longest message
    parameter integer LATENCY = 4,  // cycles from a request to its answer
    parameter integer DIRECT = 1,
    parameter integer ROUNDS = 9
) (
    input  wire         clk,
    input  wire         rst,
    // register port
    output logic        request,
    output logic        write,
    output logic [31:0] address,
    output logic [31:0] wdata,
    input  wire  [31:0] rdata,
    input  wire         ack,        // DIRECT: 1
    // settings, with DIRECT
    output logic        clean,      // reset of the fabric
    output logic        start,
    output logic        paper,
    output logic [31:0] salt,
    output logic [15:0] last_pass,
    input  wire  [ 1:0] state,
    // result
    output integer      received,   // messages
    output logic        done
);
  `include "net_wires.svh"
  localparam integer CHANNELS = LINKS + 2;
  localparam integer MOST = NODES * PROGRAM_DEPTH;
  localparam logic [1:0] DONE = 2'd2, STUCK = 2'd3;

  integer random_state, round, now, polls;
  integer counts[NODES];  // messages in the program of a node
  integer map[NODES];
  // Message i of node u at u*PROGRAM_DEPTH+i; origin: the message whose payload it carries.
  integer flits[MOST], passes[MOST], target[MOST], rule[MOST], from[MOST], keep[MOST], origin[MOST];
  logic seen[MOST];
  // What slot k of node u holds at 4u+k.
  integer kept_origin[4*NODES], kept_flits[4*NODES], kept_pass[4*NODES];
  logic kept[4*NODES];
  integer worms_at[NODES*CHANNELS], flits_at[NODES*CHANNELS];
  logic [31:0] word[4];

  payload_truth u_truth ();

  function integer random(input integer below);
    random = $unsigned($random(random_state)) % below;
  endfunction

  function [31:0] at_node(input integer node, input integer register);
    at_node = {regmap::SPACE_NODE, 12'(node), 16'(register)};
  endfunction

  task put(input [31:0] where, input [31:0] what);
    begin
      request <= 1'b1;
      write <= 1'b1;
      address <= where;
      wdata <= what;
      @(posedge clk);
      request <= 1'b0;
      repeat (random(3)) @(posedge clk);
    end
  endtask

  task get(input [31:0] where, output [31:0] what);
    begin
      request <= 1'b1;
      write <= 1'b0;
      address <= where;
      @(posedge clk);
      request <= 1'b0;
      repeat (LATENCY) @(posedge clk);
      if (ack !== 1'b1) $fatal(1, "no answer for %h", where);
      what = rdata;
    end
  endtask

  task check(input [31:0] where, input [31:0] what);
    logic [31:0] got;
    begin
      get(where, got);
      if (got !== what) $fatal(1, "round %0d: %h holds %h, expected %h", round, where, got, what);
    end
  endtask

  task restart;
    begin
      if (DIRECT != 0) begin
        clean <= 1'b1;
        @(posedge clk);
        clean <= 1'b0;
      end else put({24'd0, regmap::CONTROL}, 32'd1 << regmap::CONTROL_RESET);
      repeat (4) @(posedge clk);
      paper <= 1'(random(2));
      salt <= $random(random_state);
      @(posedge clk);
      if (DIRECT == 0) begin
        put({24'd0, regmap::CONFIG}, 32'(paper) << regmap::CONFIG_PAPER);
        put({24'd0, regmap::SEED}, salt);
        put({24'd0, regmap::WATCHDOG}, 32'd1000);
        check({24'd0, regmap::SEED}, salt);
      end
      for (int u = 0; u < NODES; u++) begin
        counts[u] = 0;
        for (int k = 0; k < 4; k++) kept[4*u+k] = 1'b0;
      end
    end
  endtask

  // A random permutation, written to all nodes at once.
  task remap;
    integer other, swap;
    begin
      for (int v = 0; v < NODES; v++) map[v] = v;
      for (int v = NODES - 1; v > 0; v--) begin
        other = random(v + 1);
        swap = map[v];
        map[v] = map[other];
        map[other] = swap;
      end
      for (int v = 0; v < NODES; v++) put(at_node(12'hfff, 32'(regmap::MAP) + v), 32'(label(map[v])));
      check(at_node(random(NODES), 32'(regmap::MAP) + 1), 32'(label(map[1])));
    end
  endtask

  task add(input integer u, input integer pass, input integer virtual_to, input integer by, input integer length);
    integer i, slot;
    begin
      i = u * PROGRAM_DEPTH + counts[u];
      slot = random(4);
      flits[i] = length;
      passes[i] = pass;
      target[i] = virtual_to;
      rule[i] = by;
      from[i] = 0;
      origin[i] = i;
      seen[i] = 1'b0;
      if (slot != 0 && kept[4*u+slot] && kept_pass[4*u+slot] < pass) begin
        from[i] = slot;
        origin[i] = kept_origin[4*u+slot];
        if (flits[i] > kept_flits[4*u+slot]) flits[i] = kept_flits[4*u+slot];
      end
      // A slot is written once, so that it does not matter who comes last.
      keep[i] = random(4);
      slot = 4 * map[virtual_to] + keep[i];
      if (kept[slot]) keep[i] = 0;
      else if (keep[i] != 0) begin
        kept[slot] = 1'b1;
        kept_origin[slot] = origin[i];
        kept_flits[slot] = flits[i];
        kept_pass[slot] = pass;
      end
      counts[u] = counts[u] + 1;
    end
  endtask

  task load;
    begin
      for (int u = 0; u < NODES; u++) begin
        for (int i = 0; i < counts[u]; i++) begin
          now = u * PROGRAM_DEPTH + i;
          put(at_node(u, 32'(regmap::PROGRAM) + 2 * i), 32'(passes[now]) << regmap::PROGRAM0_PASS | 32'(flits[now]));
          put(at_node(u, 32'(regmap::PROGRAM) + 2 * i + 1),
              32'(target[now]) | 32'(rule[now]) << regmap::PROGRAM1_RULE |
              32'(from[now]) << regmap::PROGRAM1_FROM | 32'(keep[now]) << regmap::PROGRAM1_KEEP);
        end
        put(at_node(u, 32'(regmap::PROGRAM_LENGTH)), 32'(counts[u]));
        check(at_node(u, 32'(regmap::PROGRAM_LENGTH)), 32'(counts[u]));
        if (counts[u] != 0)
          check(at_node(u, 32'(regmap::PROGRAM)), 32'(passes[u*PROGRAM_DEPTH]) << regmap::PROGRAM0_PASS |
                32'(flits[u*PROGRAM_DEPTH]));
      end
    end
  endtask

  task run(input integer last, input [1:0] expected);
    logic [31:0] status;
    begin
      last_pass <= 16'(last);
      if (DIRECT != 0) begin
        start <= 1'b1;
        @(posedge clk);
        start <= 1'b0;
        repeat (2) @(posedge clk);
        while (state == 2'd1) @(posedge clk);
        if (state != expected) $fatal(1, "round %0d: state %0d", round, state);
      end else begin
        put({24'd0, regmap::FIRST_PASS}, 32'd0);
        put({24'd0, regmap::LAST_PASS}, 32'(last));
        put({24'd0, regmap::CONTROL}, 32'd1 << regmap::CONTROL_START);
        repeat (4) @(posedge clk);
        status = 32'd1;
        polls = 0;
        while (status[1:0] == 2'd1) begin
          get({24'd0, regmap::STATUS}, status);
          polls = polls + 1;
          if (polls > 1000) $fatal(1, "round %0d does not end", round);
        end
        if (status !== 32'(expected)) $fatal(1, "round %0d: status %h", round, status);
        check({24'd0, regmap::PASS}, expected == STUCK ? 32'd0 : 32'(last));
      end
    end
  endtask

  // Counters of the last pass, from the programs: links, ejection, injection.
  task count(input integer last);
    integer at, i, d;
    begin
      for (int c = 0; c < NODES * CHANNELS; c++) begin
        worms_at[c] = 0;
        flits_at[c] = 0;
      end
      for (int u = 0; u < NODES; u++) begin
        for (int n = 0; n < counts[u]; n++) begin
          i = u * PROGRAM_DEPTH + n;
          if (passes[i] == last) begin
            at = u;
            worms_at[u*CHANNELS+LINKS+1] = worms_at[u*CHANNELS+LINKS+1] + 1;
            flits_at[u*CHANNELS+LINKS+1] = flits_at[u*CHANNELS+LINKS+1] + flits[i];
            while (at != map[target[i]]) begin
              d = next_link(at, map[target[i]], rule[i]);
              worms_at[at*CHANNELS+d] = worms_at[at*CHANNELS+d] + 1;
              flits_at[at*CHANNELS+d] = flits_at[at*CHANNELS+d] + flits[i];
              at = neighbour(at, d);
            end
            worms_at[at*CHANNELS+LINKS] = worms_at[at*CHANNELS+LINKS] + 1;
            flits_at[at*CHANNELS+LINKS] = flits_at[at*CHANNELS+LINKS] + flits[i];
          end
        end
      end
      for (int c = 0; c < NODES * CHANNELS; c++) begin
        now = c / CHANNELS;
        at = {regmap::SPACE_MONITOR, 12'(now), 16'(4 * (c - now * CHANNELS))};
        check(at, 32'(worms_at[c]));
        check(at + 1, 32'(flits_at[c]));
        if (round % 3 == 0) check(at + 2, 32'd0);
        check(at + 3, 32'd0);
      end
    end
  endtask

  // Every message of the programs is in one log, once, as it was sent.
  task compare(input logic alone);
    integer messages, found, sender, distance;
    logic [31:0] latest;
    logic [13:0] pass_before;
    begin
      for (int u = 0; u < NODES; u++) begin
        messages = 0;
        for (int i = 0; i < MOST; i++)
          if (i % PROGRAM_DEPTH < counts[i/PROGRAM_DEPTH] && map[target[i]] == u) messages = messages + 1;
        check(at_node(u, 32'(regmap::LOG_COUNT)), 32'(messages));
        check(at_node(u, 32'(regmap::SENT_COUNT)), 32'(counts[u]));
        check(at_node(u, 32'(regmap::CORRUPT_COUNT)), 32'd0);
        check(at_node(u, 32'(regmap::NODE_STATUS)), 32'd0);
        latest = 0;
        pass_before = 0;
        for (int m = 0; m < messages; m++) begin
          for (int w = 0; w < 4; w++) get(at_node(u, 32'(regmap::LOG) + 4 * m + w), word[w]);
          found = -1;
          for (int i = 0; i < MOST; i++)
            if (i % PROGRAM_DEPTH < counts[i/PROGRAM_DEPTH] && map[target[i]] == u && !seen[i] && found < 0 &&
                word[0] === (32'(label(u)) | 32'(label(origin[i] / PROGRAM_DEPTH)) << LABEL_W | 32'(rule[i]) << 2 * LABEL_W |
                             32'(keep[i]) << (2 * LABEL_W + 1) |
                             32'(origin[i] % PROGRAM_DEPTH) << (2 * LABEL_W + 3)) &&
                word[1] === {2'b11, 14'(passes[i]), 16'(flits[i])})
              found = i;
          if (found < 0) $fatal(1, "round %0d: node %0d received %h %h", round, u, word[0], word[1]);
          seen[found] = 1'b1;
          sender = found / PROGRAM_DEPTH;
          check(at_node(u, 32'(regmap::SIGNATURE) + m), u_truth.signature(
                salt, 32'(origin[found] % PROGRAM_DEPTH) << LABEL_W | 32'(label(origin[found] / PROGRAM_DEPTH)), flits[found]));
          distance = hops(sender, u);
          if (word[2] < distance + 2 || word[3] < word[2] + flits[found] - 1)
            $fatal(1, "round %0d: %0d flits over %0d hops in cycles %0d to %0d", round, flits[found], distance, word[2],
                   word[3]);
          if (alone && word[3] !== flits[found] + distance + 1)
            $fatal(1, "round %0d: %0d flits over %0d hops took %0d cycles", round, flits[found], distance, word[3]);
          if (word[1][29:16] < pass_before || (word[1][29:16] == pass_before && word[2] <= latest))
            $fatal(1, "round %0d: the log of node %0d is out of order", round, u);
          latest = word[3];
          pass_before = word[1][29:16];
          received = received + 1;
        end
      end
    end
  endtask

  // Every router's table; node by node, then once more for all nodes what does not differ between them.
  task fill_tables;
    integer port;
    begin
      for (int u = 0; u < NODES; u++)
        for (int r = 0; r < 2; r++)
          for (int v = 0; v < NODES; v++) begin
            port = next_link(u, v, r) + 1;
            put(at_node(u, 32'(regmap::ROUTE) + (r << LABEL_W | v)), 32'(port));
            if (random(4) == 0) check(at_node(u, 32'(regmap::ROUTE) + (r << LABEL_W | v)), 32'(port));
          end
    end
  endtask

  // What the chip says of the network.
  task discover;
    begin
      check({24'd0, regmap::SIZE}, 32'(DIMS));
      check({24'd0, regmap::NODES}, 32'(NODES));
      check({24'd0, regmap::CHANNELS}, 32'(CHANNELS));
      check({24'd0, regmap::LABEL_BITS}, 32'(LABEL_W));
      for (int d = 0; d < 16; d++) check({24'd0, regmap::SHAPE} + d, d < DIMS ? 32'(extent(d)) : 32'd0);
    end
  endtask

  // Four worms which wait for each other around a face of the cube.
  task deadlock;
    begin
      restart;
      for (int v = 0; v < NODES; v++) map[v] = v;
      for (int v = 0; v < NODES; v++) put(at_node(12'hfff, 32'(regmap::MAP) + v), 32'(label(v)));
      add(0, 0, 3, 0, SLOT_FLITS);
      add(3, 0, 0, 0, SLOT_FLITS);
      add(1, 0, 2, 1, SLOT_FLITS);
      add(2, 0, 1, 1, SLOT_FLITS);
      load;
      run(0, STUCK);
      check({regmap::SPACE_MONITOR, 28'd3}, 32'd1);
      check({regmap::SPACE_MONITOR, 28'd7}, 32'd0);
      check({regmap::SPACE_MONITOR, 12'd1, 16'd7}, 32'd1);
    end
  endtask

  integer last, by;
  initial begin
    if (!$value$plusargs("seed=%d", random_state)) random_state = 1;
    random_state = random_state * 1000003 + 11;
    {request, write, clean, start, paper, done} = '0;
    address = '0;
    wdata = '0;
    salt = '0;
    last_pass = '0;
    received = 0;
    @(negedge rst);
    @(posedge clk);
    round = -1;
    repeat (4) @(posedge clk);
    if (DIRECT == 0) discover;
    if (TABLE != 0) fill_tables;
    for (round = 0; round < ROUNDS; round = round + 1) begin
      restart;
      remap;
      last = round % 3 == 0 ? 0 : random(3);
      if (round % 3 == 0) add(random(NODES), 0, random(NODES), random(2), 1 + random(SLOT_FLITS));
      else begin
        for (int p = 0; p <= last; p++) begin
          by = random(2);  // both rules in one pass may deadlock
          for (int u = 0; u < NODES; u++)
            repeat (random(PROGRAM_DEPTH))
              if (counts[u] < PROGRAM_DEPTH) add(u, p, random(NODES), by, 1 + random(SLOT_FLITS));
        end
      end
      load;
      run(last, DONE);
      compare(round % 3 == 0);
      count(last);
    end
    if (DIRECT == 0 && NODES == 4 && LINKS == 2) deadlock;
    done = 1'b1;
  end
endmodule

`default_nettype wire
