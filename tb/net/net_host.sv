// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The host of a direct network in a testbench: random programs in rounds, run over the register port (host_port); logs and
// counters are compared with what the programs ask for. Every third round sends one message alone, which takes F+h+1 cycles, and
// for light what LIGHT_CYCLES and LIGHT_RATIO make of it. With
// DIRECT there are no global registers: settings and start are ports. With TABLE it fills the route tables first. The
// network must be one whose messages of one rule cannot lock: no ring of more than three nodes, unless it has two virtual
// channels.
`default_nettype none

module net_host #(
    parameter integer NODES = 4,  // this one and the next ones as in fabric; up to three dimensions
    parameter integer LINKS = 2,
    parameter integer DIMS = 2,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LABEL_W = 2,
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer OTIS = 0,
    parameter integer LIGHT_CYCLES = 0,
    parameter integer LIGHT_RATIO = 1,
    parameter integer MIXED = 0,  // 1: both rules in one pass, for networks in which each rule has a virtual network
    parameter integer PROGRAM_DEPTH = 8,
    parameter integer LOG_DEPTH = 64,
    parameter integer SLOT_FLITS = 16,  // at least the longest message
    parameter integer LATENCY = 4,  // cycles from a request to its answer
    parameter integer DIRECT = 1,
    parameter integer ROUNDS = 9,
    parameter integer SHORT = 4  // rounds of a short run (+short); 0: does nothing
) (
    input  wire         clk,
    input  wire         rst,
    // register port
    output wire         request,
    output wire         write,
    output wire  [31:0] address,
    output wire  [31:0] wdata,
    input  wire  [31:0] rdata,
    input  wire         ack,        // DIRECT: 1
    // settings, with DIRECT
    output wire         clean,      // reset of the fabric
    output wire         start,
    output wire         paper,
    output wire  [31:0] salt,
    output wire  [15:0] last_pass,
    input  wire  [ 1:0] state,
    // result
    output integer      received,   // messages
    output logic        done
);
  `include "net_wires.svh"
  localparam integer CHANNELS = LINKS + 2;
  localparam integer MOST = NODES * PROGRAM_DEPTH;
  localparam logic [1:0] DONE = 2'd2, STUCK = 2'd3;

  integer round, now;
  integer counts[NODES];  // messages in the program of a node
  integer map[NODES];
  // Message i of node u at u*PROGRAM_DEPTH+i; origin: the message whose payload it carries.
  integer flits[MOST], passes[MOST], target[MOST], rule[MOST], from[MOST], keep[MOST], origin[MOST];
  logic seen[MOST];
  // The contents of slot k of node u, at 4u+k.
  integer kept_origin[4*NODES], kept_flits[4*NODES], kept_pass[4*NODES];
  logic kept[4*NODES];
  integer worms_at[NODES*CHANNELS], flits_at[NODES*CHANNELS];
  logic [127:0] entry;  // an entry of a log
  logic [31:0] word[4];

  payload_truth u_truth ();

  host_port #(.LATENCY(LATENCY), .DIRECT(DIRECT), .PAUSE(3)) u_port (
      .clk, .request, .write, .address, .wdata, .rdata, .ack, .clean, .start, .paper, .salt, .last_pass, .state
  );

  function integer random(input integer below);
    random = u_port.random(below);
  endfunction

  function [31:0] at_node(input integer node, input integer register);
    at_node = u_port.at_node(node, register);
  endfunction

  task restart;
    u_port.restart;
    for (int u = 0; u < NODES; u++) begin
      counts[u] = 0;
      for (int k = 0; k < 4; k++) kept[4*u+k] = 1'b0;
    end
  endtask

  // Writes a random permutation as the map of all nodes at once.
  task remap;
    integer other, swap;
    for (int v = 0; v < NODES; v++) map[v] = v;
    for (int v = NODES - 1; v > 0; v--) begin
      other = random(v + 1);
      swap = map[v];
      map[v] = map[other];
      map[other] = swap;
    end
    for (int v = 0; v < NODES; v++) u_port.put(at_node(12'hfff, 32'(regmap::MAP) + v), 32'(label(map[v])));
    u_port.check(at_node(random(NODES), 32'(regmap::MAP) + 1), 32'(label(map[1])));
  endtask

  task add(input integer u, input integer pass, input integer virtual_to, input integer by, input integer length);
    integer i, slot;
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
    // Each slot is written once, so the order of arrivals does not matter.
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
  endtask

  task load;
    for (int u = 0; u < NODES; u++) begin
      for (int i = 0; i < counts[u]; i++) begin
        now = u * PROGRAM_DEPTH + i;
        u_port.put_message(u, i, passes[now], flits[now],
            32'(target[now]) | 32'(rule[now]) << regmap::PROGRAM1_RULE |
            32'(from[now]) << regmap::PROGRAM1_FROM | 32'(keep[now]) << regmap::PROGRAM1_KEEP);
      end
      u_port.put(at_node(u, 32'(regmap::PROGRAM_LENGTH)), 32'(counts[u]));
      u_port.check(at_node(u, 32'(regmap::PROGRAM_LENGTH)), 32'(counts[u]));
      if (counts[u] != 0)
        u_port.check(at_node(u, 32'(regmap::PROGRAM)), 32'(passes[u*PROGRAM_DEPTH]) << regmap::PROGRAM0_PASS |
              32'(flits[u*PROGRAM_DEPTH]));
    end
  endtask

  // Computes the counters of the last pass from the programs: links, ejection, injection.
  task count(input integer last);
    integer at, i, d;
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
      u_port.check_channel(now, c - now * CHANNELS, worms_at[c], flits_at[c], round % 3 == 0);
    end
  endtask

  // Checks that every message of the programs is once in one log, as it was sent.
  task compare(input logic alone);
    integer messages, found, sender, distance, late;
    logic [31:0] latest;
    logic [13:0] pass_before;
    for (int u = 0; u < NODES; u++) begin
      messages = 0;
      for (int i = 0; i < MOST; i++)
        if (i % PROGRAM_DEPTH < counts[i/PROGRAM_DEPTH] && map[target[i]] == u) messages = messages + 1;
      u_port.check_node(u, counts[u], found);
      if (found != messages) $fatal(1, "round %0d: the log of node %0d has %0d messages, not %0d", round, u, found, messages);
      latest = 0;
      pass_before = 0;
      for (int m = 0; m < messages; m++) begin
        u_port.get_words(at_node(u, 32'(regmap::LOG) + 4 * m), 4, entry);
        for (int w = 0; w < 4; w++) word[w] = entry[32*w+:32];
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
        u_port.check(at_node(u, 32'(regmap::SIGNATURE) + m), u_truth.signature(
              salt, 32'(origin[found] % PROGRAM_DEPTH) << LABEL_W | 32'(label(origin[found] / PROGRAM_DEPTH)), flits[found]));
        distance = hops(sender, u);
        late = OTIS == 0 ? 0 : optical_hops(sender, u);
        late = late * (LIGHT_CYCLES + LIGHT_RATIO - 1) + (late > 0 ? (flits[found] - 1) * (LIGHT_RATIO - 1) : 0);
        if (word[2] < distance + 2 || word[3] < word[2] + flits[found] - 1)
          $fatal(1, "round %0d: %0d flits over %0d hops in cycles %0d to %0d", round, flits[found], distance, word[2],
                 word[3]);
        if (alone && word[3] !== flits[found] + distance + 1 + late)
          $fatal(1, "round %0d: %0d flits over %0d hops took %0d cycles", round, flits[found], distance, word[3]);
        if (word[1][29:16] < pass_before || (word[1][29:16] == pass_before && word[2] <= latest))
          $fatal(1, "round %0d: the log of node %0d is out of order", round, u);
        latest = word[3];
        pass_before = word[1][29:16];
        received = received + 1;
      end
    end
  endtask

  // Fills every router's table: node by node, then the entries that are the same in all nodes once more for all at
  // once.
  task fill_tables;
    integer port;
    for (int u = 0; u < NODES; u++)
      for (int r = 0; r < 2; r++)
        for (int v = 0; v < NODES; v++) begin
          port = next_link(u, v, r) + 1;
          u_port.put(at_node(u, 32'(regmap::ROUTE) + (r << LABEL_W | v)), 32'(port));
          if (random(4) == 0) u_port.check(at_node(u, 32'(regmap::ROUTE) + (r << LABEL_W | v)), 32'(port));
        end
  endtask

  // Checks the chip's registers about the network.
  task discover;
    u_port.check({24'd0, regmap::SIZE}, 32'(DIMS));
    u_port.check({24'd0, regmap::NODES}, 32'(NODES));
    u_port.check({24'd0, regmap::CHANNELS}, 32'(CHANNELS));
    u_port.check({24'd0, regmap::LABEL_BITS}, 32'(LABEL_W));
    for (int d = 0; d < 16; d++) u_port.check({24'd0, regmap::SHAPE} + d, d < DIMS ? 32'(extent(d)) : 32'd0);
  endtask

  // Sends four worms that wait for each other around a face of the cube.
  task deadlock;
    restart;
    for (int v = 0; v < NODES; v++) map[v] = v;
    for (int v = 0; v < NODES; v++) u_port.put(at_node(12'hfff, 32'(regmap::MAP) + v), 32'(label(v)));
    add(0, 0, 3, 0, SLOT_FLITS);
    add(3, 0, 0, 0, SLOT_FLITS);
    add(1, 0, 2, 1, SLOT_FLITS);
    add(2, 0, 1, 1, SLOT_FLITS);
    load;
    u_port.run(0, STUCK);
    u_port.check({24'd0, regmap::PASS}, 32'd0);
    u_port.check({regmap::SPACE_MONITOR, 28'd3}, 32'd1);
    u_port.check({regmap::SPACE_MONITOR, 28'd7}, 32'd0);
    u_port.check({regmap::SPACE_MONITOR, 12'd1, 16'd7}, 32'd1);
  endtask

  integer last, by, rounds;
  initial begin
    if (!$value$plusargs("seed=%d", now)) now = 1;
    u_port.random_state = now * 1000003 + 11;
    done = 1'b0;
    received = 0;
    @(negedge rst);
    @(posedge clk);
    round = -1;
    repeat (4) @(posedge clk);
    if (DIRECT == 0) discover;
    rounds = $test$plusargs("short") ? SHORT : ROUNDS;
    if (TABLE != 0 && rounds > 0) fill_tables;
    for (round = 0; round < rounds; round = round + 1) begin
      restart;
      remap;
      last = round % 3 == 0 ? 0 : random(3);
      if (round % 3 == 0) add(random(NODES), 0, random(NODES), random(2), 1 + random(SLOT_FLITS));
      else begin
        for (int p = 0; p <= last; p++) begin
          by = random(2);  // both rules in one pass may deadlock, unless they are MIXED
          for (int u = 0; u < NODES; u++)
            repeat (random($test$plusargs("short") ? PROGRAM_DEPTH / 2 : PROGRAM_DEPTH))
              if (counts[u] < PROGRAM_DEPTH)
                add(u, p, random(NODES), MIXED != 0 ? random(2) : by, 1 + random(SLOT_FLITS));
        end
      end
      load;
      u_port.run(last, DONE);
      if (DIRECT == 0) u_port.check({24'd0, regmap::PASS}, 32'(last));
      compare(round % 3 == 0);
      count(last);
    end
    if (DIRECT == 0 && NODES == 4 && LINKS == 2) deadlock;
    done = 1'b1;
  end
endmodule

`default_nettype wire
