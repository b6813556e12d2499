// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A multistage network with nodes, a sequencer and a host (host_port): every message is walked through the network (min_walk) and
// compared with logs and counters.
`default_nettype none

module min_host #(
    parameter integer KIND = 3,
    parameter integer SIZE = 3  // 1..3
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      received,  // messages
    output logic        done
);
  localparam integer NODES = 1 << SIZE;
  localparam integer SWITCHES = NODES / 2;  // switches of a stage
  localparam integer PROGRAM_DEPTH = 16, LOG_DEPTH = 128;
  localparam logic [1:0] DONE = 2'd2;

  logic preset;
  wire clean, start, paper, request, write;
  wire [31:0] salt, address, wdata, rdata, cycle;
  wire [15:0] last_pass, pass;
  wire [1:0] state;
  wire rewind, clear, run, busy, moved, log_overflow, store_overflow;

  host_sequencer u_sequencer (
      .clk, .rst, .clean, .start, .last_pass, .state, .rewind, .clear, .run, .pass, .cycle, .busy, .moved,
      .log_overflow, .store_overflow
  );
  fabric #(
      .KIND(KIND), .NODES(NODES), .LINKS(0),
      .NODE(node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, 16)), .PRESET_DEPTH(8)
  ) u_dut (
      .clk,
      .net_clk(clk),
      .rst(rst || clean),
      .paper, .preset,
      .backward(1'b0),
      .free(1'b0),
      .record(1'b0),
      .skip_self(1'b0),
      .seed(salt),
      .rewind, .clear, .run, .pass, .cycle,
      .bus_request(request),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .early_request(1'b0),
      .early_write(1'b0),
      .early_address('0),
      .early_wdata('0),
      .bus_rdata(rdata),
      .busy, .moved, .log_overflow, .store_overflow
  );

  // Message i of node u at u*PROGRAM_DEPTH+i.
  integer counts[NODES];
  integer flits[NODES*PROGRAM_DEPTH], passes[NODES*PROGRAM_DEPTH], target[NODES*PROGRAM_DEPTH];
  logic seen[NODES*PROGRAM_DEPTH];
  logic [SIZE*SWITCHES-1:0] settings[8];  // of a pass, as in min_walk
  integer worms_at[NODES*(SIZE+1)], flits_at[NODES*(SIZE+1)];
  logic [127:0] entry;  // an entry of a log
  logic [31:0] word[4];

  payload_truth u_truth ();

  host_port #(.LATENCY(4)) u_port (
      .clk, .request, .write, .address, .wdata, .rdata,
      .ack(1'b1),
      .clean, .start, .paper, .salt, .last_pass, .state
  );

  function integer random(input integer below);
    random = u_port.random(below);
  endfunction

  function [31:0] at_node(input integer node, input integer register);
    at_node = u_port.at_node(node, register);
  endfunction

  min_walk #(.KIND(KIND), .SIZE(SIZE)) u_walk (
      .backward(1'b0),
      .preset
  );

  function integer walk(input integer u, input integer to, input integer in_pass, input integer s);
    walk = u_walk.walk(u, to, settings[in_pass], s);
  endfunction

  task restart(input logic by_settings);
    preset <= by_settings;
    u_port.restart;
    for (int u = 0; u < NODES; u++) begin
      counts[u] = 0;
      u_port.put(at_node(12'hfff, 32'(regmap::MAP) + u), 32'(u));
    end
  endtask

  task set(input integer stage, input integer in_pass, input [31:0] bits);
    logic [31:0] where;
    settings[in_pass][stage*SWITCHES+:SWITCHES] = SWITCHES'(bits);
    where = {regmap::SPACE_SWITCH, 12'(stage), 16'(regmap::SETTINGS) + 16'(16 * in_pass)};
    u_port.put(where, bits);
    u_port.check(where, 32'(settings[in_pass][stage*SWITCHES+:SWITCHES]));
    u_port.check(where + 1, 32'd0);
  endtask

  task add(input integer u, input integer in_pass, input integer to, input integer length);
    integer i;
    i = u * PROGRAM_DEPTH + counts[u];
    flits[i] = length;
    passes[i] = in_pass;
    target[i] = to;
    seen[i] = 1'b0;
    u_port.put_message(u, counts[u], in_pass, length, 32'(to));
    counts[u] = counts[u] + 1;
  endtask

  // Runs all passes, and checks that every arrival is a message at the end of its walk. `alone`: in the cycle of a
  // message that never waits; `names`: with the node in its header.
  task run_all(input integer last, input logic alone, input logic names);
    integer n, source, number, i;
    for (int u = 0; u < NODES; u++) u_port.put(at_node(u, 32'(regmap::PROGRAM_LENGTH)), 32'(counts[u]));
    u_port.run(last, DONE);
    for (int u = 0; u < NODES; u++) begin
      u_port.check_node(u, counts[u], n);
      for (int m = 0; m < n; m++) begin
        u_port.get_words(at_node(u, 32'(regmap::LOG) + 4 * m), 4, entry);
        for (int w = 0; w < 4; w++) word[w] = entry[32*w+:32];
        source = (word[0] >> SIZE) & (NODES - 1);
        number = word[0] >> (2 * SIZE + 3);
        i = source * PROGRAM_DEPTH + number;
        if (number >= counts[source] || seen[i]) $fatal(1, "%m: node %0d received %h", u, word[0]);
        seen[i] = 1'b1;
        if (word[1][29:16] !== 14'(passes[i]) || word[1][15:0] !== 16'(flits[i]) || !word[1][31] ||
            word[1][30] !== (target[i] == u) || names && !word[1][30])
          $fatal(1, "%m: node %0d received %h %h", u, word[0], word[1]);
        if (walk(source, target[i], passes[i], SIZE) != u)
          $fatal(1, "%m: %0d to %0d in pass %0d ends at %0d", source, target[i], passes[i], u);
        if (word[2] < SIZE + 1 || word[3] < word[2] + flits[i] - 1 || alone && word[3] !== flits[i] + SIZE)
          $fatal(1, "%m: %0d flits from %0d to %0d in cycles %0d to %0d", flits[i], source, u, word[2], word[3]);
        u_port.check(at_node(u, 32'(regmap::SIGNATURE) + m), u_truth.signature(salt, 32'(number) << SIZE | 32'(source), flits[i]));
        received = received + 1;
      end
    end
    for (int u = 0; u < NODES; u++)
      for (int m = 0; m < counts[u]; m++) if (!seen[u*PROGRAM_DEPTH+m]) $fatal(1, "%m: %0d of node %0d is lost", m, u);
    count(last, alone);
  endtask

  // Checks the counters of the last pass.
  task count(input integer last, input logic alone);
    integer i, c;
    for (int n = 0; n < NODES * (SIZE + 1); n++) begin
      worms_at[n] = 0;
      flits_at[n] = 0;
    end
    for (int u = 0; u < NODES; u++) begin
      for (int m = 0; m < counts[u]; m++) begin
        i = u * PROGRAM_DEPTH + m;
        if (passes[i] == last) begin
          for (int k = 0; k <= SIZE; k++) begin
            c = k == SIZE ? u : walk(u, target[i], last, k == SIZE - 1 ? SIZE : k);
            c = c * (SIZE + 1) + k;
            worms_at[c] = worms_at[c] + 1;
            flits_at[c] = flits_at[c] + flits[i];
          end
        end
      end
    end
    for (int n = 0; n < NODES * (SIZE + 1); n++)
      u_port.check_channel(n / (SIZE + 1), n % (SIZE + 1), worms_at[n], flits_at[n], alone);
  endtask

  integer length, gray;
  initial begin
    {preset, done} = '0;
    received = 0;
    @(negedge rst);
    u_port.random_state = seed * 1000003 + 100 * KIND + SIZE;
    @(posedge clk);

    // Every pair alone.
    restart(1'b0);
    for (int u = 0; u < NODES; u++)
      for (int v = 0; v < NODES; v++) add(u, NODES * u + v, v, 1 + random(6));
    run_all(NODES * NODES - 1, 1'b1, 1'b1);

    // The rows of the Latin square, all messages of a row together; then by settings, with random destinations in
    // headers.
    for (int by = 0; by < 2; by++) begin
      restart(1'(by));
      length = 1 + random(9);
      for (int i = 0; i < NODES; i++) begin
        gray = i ^ i >> 1;
        if (by != 0) for (int s = 0; s < SIZE; s++) set(s, i, ((gray >> u_walk.tag_bit(s)) & 1) != 0 ? 32'hffffffff : 32'd0);
        for (int u = 0; u < NODES; u++) begin
          add(u, i, by != 0 ? random(NODES) : u_walk.row0(u) ^ gray, length);
          if (walk(u, u_walk.row0(u) ^ gray, i, SIZE) != (u_walk.row0(u) ^ gray)) $fatal(1, "%m: row %0d, column %0d", i, u);
        end
      end
      run_all(NODES - 1, 1'b1, by == 0);
    end

    // Random settings.
    restart(1'b1);
    for (int i = 0; i < 8; i++) begin
      for (int s = 0; s < SIZE; s++) set(s, i, $random(u_port.random_state));
      for (int u = 0; u < NODES; u++) add(u, i, random(NODES), 1 + random(6));
    end
    run_all(7, 1'b1, 1'b0);

    // Random messages, with conflicts.
    restart(1'b0);
    for (int u = 0; u < NODES; u++)
      for (int i = 0; i < PROGRAM_DEPTH; i++) add(u, i / 8, random(NODES), 1 + random(9));
    run_all(1, 1'b0, 1'b1);
    done = 1'b1;
  end
endmodule

`default_nettype wire
