// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Tests a multistage network without nodes: random sources send worms into random sinks, forward and backward, by their
// headers and by presets. min_walk computes where each worm must arrive.
`default_nettype none

module min_network_host #(
    parameter integer KIND = 3,
    parameter integer SIZE = 3  // 1..3
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      total,  // flits
    output logic        done
);
  localparam integer NODES = 1 << SIZE;
  localparam integer SWITCHES = NODES / 2;
  localparam integer CHANNELS = SIZE + 1;  // of a tile; the last is the injection
  localparam integer FLIT_W = 32, NUMBER_LOW = 2 * SIZE + 3;
  localparam integer PRESET_DEPTH = 4, RUNS = SIZE == 3 ? 16 : 0, WORMS = 4;

  logic clean, hold, alone, paper, preset, backward, load, forget, record, by_pass;
  logic [15:0] pass;
  logic [31:0] want;
  wire request, write;
  wire [31:0] address, wdata, rdata;
  logic [7:0] source_pause, sink_pause;
  wire [NODES*FLIT_W-1:0] in_flit, out_flit;
  wire [NODES-1:0] in_last, in_valid, in_ready, in_empty, out_last, out_valid, out_ready, source_done;
  wire [NODES*SIZE-1:0] obs_worm, obs_flit, obs_blocked;
  logic [NODES-1:0] starts, room, took;  // starts: the next flit in is a header; room: the sink may have room
  wire busy;
  integer sent[NODES], received[NODES];

  wire [NODES-1:0] inject_worm = in_valid & in_ready & starts;
  // The network does not report these events; only histories count them.
  wire [NODES-1:0] inject_blocked = inject_worm & {SWITCHES{2'b10}};

  min_network #(.KIND(KIND), .SIZE(SIZE), .FLIT_W(FLIT_W), .PRESET_DEPTH(PRESET_DEPTH), .HISTORY_RUNS(RUNS)) u_dut (
      .clk,
      .net_clk(clk),
      .rst(rst || clean),
      .paper, .preset, .backward, .load, .pass, .forget, .record, .by_pass, .inject_worm, .inject_blocked,
      .bus_request(request),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata),
      .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid, .out_ready,
      .out_empty(out_ready & room),
      .obs_worm, .obs_flit, .obs_blocked, .busy
  );
  min_walk #(.KIND(KIND), .SIZE(SIZE)) u_walk (.backward, .preset);

  // With `alone` single messages come instead of those of the sources, with flits of the same form.
  integer left[NODES], target[NODES], counts[NODES*NODES];
  for (genvar u = 0; u < NODES; u++) begin : g_node
    wire [FLIT_W-1:0] flit, message;
    wire last, valid;
    assign message = {(FLIT_W - NUMBER_LOW - 6)'(counts[NODES*u+target[u]]), 8'(left[u]), 1'b0, SIZE'(u),
        SIZE'(target[u])};
    assign in_flit[u*FLIT_W+:FLIT_W] = alone ? message : flit;
    assign in_last[u] = alone ? left[u] == 1 : last;
    assign in_valid[u] = alone ? left[u] != 0 : valid;
    stream_source #(
        .FLIT_W(FLIT_W), .LABEL_W(SIZE), .DESTINATIONS(NODES), .WORMS(WORMS), .SALT(100 * KIND + 10 * SIZE + u)
    ) u_source (
        .clk,
        .rst(rst || hold),
        .here(SIZE'(u)),
        .pause(source_pause),
        .out_flit(flit),
        .out_last(last),
        .out_valid(valid),
        .out_ready(in_ready[u]),
        .done(source_done[u]),
        .flits(sent[u])
    );
    stream_sink #(.FLIT_W(FLIT_W), .LABEL_W(SIZE), .ANY(1), .SALT(100 * KIND + 10 * SIZE + u)) u_sink (
        .clk,
        .rst(rst || clean),
        .here(SIZE'(u)),
        .pause(sink_pause),
        .in_flit(out_flit[u*FLIT_W+:FLIT_W]),
        .in_last(out_last[u]),
        .in_valid(out_valid[u]),
        .in_ready(out_ready[u]),
        .flits(received[u])
    );
  end

  host_port u_port (
      .clk, .request, .write, .address, .wdata, .rdata,
      .ack(1'b1),
      .state(2'd0)
  );

  function integer random(input integer below);
    random = u_port.random(below);
  endfunction

  // Channel k of a tile is at tile*CHANNELS+k: the observed and the expected counts since `clean`.
  integer worms_seen[NODES*CHANNELS], flits_seen[NODES*CHANNELS], blocked_seen[NODES*CHANNELS];
  integer worms_at[NODES*CHANNELS], flits_at[NODES*CHANNELS], blocked_at[NODES*CHANNELS];
  // Histories, with 8 nodes: entry r of a channel at channel*RUNS+r.
  integer runs[NODES*CHANNELS];
  integer run_number[NODES*CHANNELS*RUNS+1], run_worms[NODES*CHANNELS*RUNS+1];
  integer run_flits[NODES*CHANNELS*RUNS+1], run_blocked[NODES*CHANNELS*RUNS+1];
  // Walked at `restart`: the channel, as above, onto which stage k leads a message from u to v, at
  // (u*NODES+v)*CHANNELS+k.
  integer channels[NODES*NODES*CHANNELS];
  integer route[NODES];  // the place in this table of the channels of the current worm from node u
  integer held, now;
  logic [SIZE*SWITCHES-1:0] crossed, settings[PRESET_DEPTH];

  function integer channel(input integer u, input integer to, input integer k);
    channel = channels[(u*NODES+to)*CHANNELS+k];
  endfunction

  integer c, r, number, from, to;
  logic [31:0] answer[3];  // answers to the requests one, two and three cycles ago
  always @(posedge clk) begin
    now <= now + 1;
    room <= alone ? '1 : NODES'($random(u_port.random_state));
    if (!rst) begin
      if (answer[2] !== 'x && rdata !== answer[2]) $fatal(1, "%m: reads %h, expected %h", rdata, answer[2]);
    end
    answer[2] = answer[1];
    answer[1] = answer[0];
    answer[0] = rst ? 'x : request && !write ? want : '0;

    if (rst || clean) begin
      starts <= '1;
      took <= '0;
      held = 0;
      for (int i = 0; i < NODES * CHANNELS; i++) begin
        {worms_seen[i], flits_seen[i], blocked_seen[i], worms_at[i], flits_at[i], blocked_at[i], runs[i]} = '0;
      end
    end else begin
      if (busy !== (held != 0)) $fatal(1, "%m: busy is %b with %0d flits held", busy, held);
      if ((in_empty & ~in_ready) != '0 || (in_empty & took) != '0 || !busy && in_empty !== '1)
        $fatal(1, "%m: empty %b, ready %b, flits came to %b", in_empty, in_ready, took);
      took <= in_valid & in_ready;
      for (int u = 0; u < NODES; u++) begin
        if (|{obs_worm[u*SIZE+:SIZE], obs_flit[u*SIZE+:SIZE], obs_blocked[u*SIZE+:SIZE]})
          for (int k = 0; k < SIZE; k++) begin
          c = u * CHANNELS + k;
          worms_seen[c] = worms_seen[c] + 32'(obs_worm[u*SIZE+k]);
          flits_seen[c] = flits_seen[c] + 32'(obs_flit[u*SIZE+k]);
          blocked_seen[c] = blocked_seen[c] + 32'(obs_blocked[u*SIZE+k]);
        end
        if (in_valid[u] && in_ready[u]) begin
          held = held + 1;
          total = total + 1;
          starts[u] <= in_last[u];
          if (alone) begin
            left[u] <= left[u] - 1;
            counts[NODES*u+target[u]] <= counts[NODES*u+target[u]] + 1;
          end
          if (starts[u]) route[u] = (u * NODES + 32'(in_flit[u*FLIT_W+:SIZE])) * CHANNELS;
          for (int k = 0; k <= SIZE; k++) begin
            c = channels[route[u]+k];
            worms_at[c] = worms_at[c] + 32'(starts[u]);
            flits_at[c] = flits_at[c] + 1;
            number = by_pass ? 32'(pass) : 32'(in_flit[u*FLIT_W+NUMBER_LOW+:16]);
            if (record && starts[u] && (runs[c] == 0 || run_number[c*RUNS+runs[c]-1] != number)) begin
              r = c * RUNS + runs[c];
              run_number[r] = number;
              {run_worms[r], run_flits[r], run_blocked[r]} = '0;
              if (runs[c] < RUNS - 1) runs[c] = runs[c] + 1;
            end
            if (record) begin
              r = c * RUNS + runs[c] - 1;
              run_worms[r] = run_worms[r] + 32'(starts[u]);
              run_flits[r] = run_flits[r] + 1;
              if (k == SIZE) run_blocked[r] = run_blocked[r] + 32'(inject_blocked[u]);
            end
          end
        end
        if (out_valid[u] && out_ready[u]) begin
          held = held - 1;
          from = 32'(out_flit[u*FLIT_W+SIZE+:SIZE]);
          to = 32'(out_flit[u*FLIT_W+:SIZE]);
          if (channel(from, to, SIZE - 1) != u * CHANNELS + SIZE - 1 || !preset && to != u)
            $fatal(1, "%m: a flit from %0d for %0d comes to %0d", from, to, u);
        end
      end
    end
  end

  // Sends a read. The block above compares the answer when it comes.
  task check(input [31:0] where, input [31:0] what);
    want <= what;
    u_port.ask(1'b0, where, '0);
  endtask

  task restart(input logic by_settings, input logic as_paper, input logic by_hand);
    logic [31:0] where;
    clean <= 1'b1;
    hold <= 1'b1;
    alone <= by_hand;
    preset <= by_settings;
    paper <= as_paper;
    source_pause <= by_hand ? 8'd0 : 8'(random(100));
    sink_pause <= by_hand ? 8'd0 : 8'(random(200));
    for (int i = 0; i < NODES * NODES; i++) counts[i] = 0;
    repeat (2) @(posedge clk);
    clean <= 1'b0;
    if (by_settings) begin
      for (int i = 0; i < PRESET_DEPTH; i++) begin
        settings[i] = (SIZE * SWITCHES)'($random(u_port.random_state));
        for (int s = 0; s < SIZE; s++)
          u_port.put({regmap::SPACE_SWITCH, 12'(s), 16'(regmap::SETTINGS) + 16'(16 * i)},
              32'(settings[i][s*SWITCHES+:SWITCHES]));
      end
      for (int i = 0; i < PRESET_DEPTH; i++)
        for (int s = 0; s <= SIZE; s++)
          check({regmap::SPACE_SWITCH, 12'(s), 16'(regmap::SETTINGS) + 16'(16 * i)},
                s == SIZE ? 32'd0 : 32'(settings[i][s*SWITCHES+:SWITCHES]));
    end
    load <= 1'b1;
    pass <= 16'(random(1000));
    @(posedge clk);
    load <= 1'b0;
    crossed = settings[pass%PRESET_DEPTH];
    for (int u = 0; u < NODES; u++)
      for (int v = 0; v < NODES; v++) begin
        for (int k = 0; k < SIZE; k++)
          channels[(u*NODES+v)*CHANNELS+k] = u_walk.walk(u, v, crossed, k == SIZE - 1 ? SIZE : k) * CHANNELS + k;
        channels[(u*NODES+v)*CHANNELS+SIZE] = u * CHANNELS + SIZE;
      end
    repeat (2) @(posedge clk);
  endtask

  // Checks, when the network is empty, that every channel has carried the expected messages. `waits`: blocked cycles
  // are known, too.
  task check_channels(input logic waits);
    repeat (2) @(posedge clk);
    if (busy) $fatal(1, "%m: flits are left");
    for (int i = 0; i < NODES * CHANNELS; i++)
      if (i % CHANNELS != SIZE) begin
        if (worms_seen[i] != worms_at[i] || flits_seen[i] != flits_at[i] ||
            waits && blocked_seen[i] != blocked_at[i] || worms_at[i] == 0 && blocked_seen[i] != 0)
          $fatal(1, "%m: channel %0d of tile %0d: %0d worms, %0d flits, blocked %0d times, expected %0d, %0d, %0d",
                 i % CHANNELS, i / CHANNELS, worms_seen[i], flits_seen[i], blocked_seen[i], worms_at[i], flits_at[i],
                 blocked_at[i]);
      end
  endtask

  task check_histories;
    logic [31:0] where;
    integer n;
    record <= 1'b0;
    for (int i = 0; i < NODES * CHANNELS; i++) begin
      where = {regmap::SPACE_HISTORY, 12'(i / CHANNELS), 5'(i % CHANNELS), 11'd0};
      check(where + 2047, 32'(runs[i]));
      // Checks one entry of each.
      if (runs[i] != 0) begin
        n = random(runs[i]);
        check(where + 2 * n, {16'(run_number[i*RUNS+n]), 16'(run_worms[i*RUNS+n])});
        check(where + 2 * n + 1, {16'(run_blocked[i*RUNS+n]), 16'(run_flits[i*RUNS+n])});
      end
    end
    check({regmap::SPACE_HISTORY, 12'(NODES), 16'd2047}, 32'd0);
    check({regmap::SPACE_MONITOR, 28'd2047}, 32'd0);
    forget <= 1'b1;
    @(posedge clk);
    forget <= 1'b0;
    for (int i = 0; i < NODES * CHANNELS; i++)
      check({regmap::SPACE_HISTORY, 12'(i / CHANNELS), 5'(i % CHANNELS), 11'd2047}, 32'd0);
    repeat (4) @(posedge clk);
  endtask

  // Begins a message in the next cycle, which is cycle 1 counted from `now`.
  task send(input integer u, input integer v, input integer length);
    target[u] <= v;
    left[u] <= length;
  endtask

  // Checks that the tail of node u's message leaves at node e in cycle `cycle`, counted from `since`.
  task expect_tail(input integer e, input integer u, input integer since, input integer cycle);
    while (now - since < cycle) @(posedge clk);
    if (!(out_valid[e] && out_ready[e] && out_last[e] && out_flit[e*FLIT_W+SIZE+:SIZE] === SIZE'(u)))
      $fatal(1, "%m: the tail from %0d is not at %0d in cycle %0d", u, e, cycle);
  endtask

  // Sends a message alone between every pair of nodes, so that none waits; by settings, which ignore headers, only some
  // pairs. `passes`: histories have a pass for each node, otherwise one for each message number.
  task every_pair(input logic by_settings, input logic passes);
    integer length, since;
    restart(by_settings, 1'(random(2)), 1'b1);
    record <= 1'(RUNS != 0);
    by_pass <= passes;
    for (int u = 0; u < NODES; u++) begin
      if (passes) begin
        pass <= pass + 16'd1;
        load <= 1'b1;
        @(posedge clk);
        load <= 1'b0;
      end
      for (int v = 0; v < NODES; v++) if (!by_settings || (u ^ v) % 4 == 0) begin
        length = 1 + random(8);
        send(u, v, length);
        since = now;
        @(posedge clk);
        expect_tail(u_walk.walk(u, v, crossed, SIZE), u, since, length + SIZE);
      end
    end
    check_channels(1'b1);
    if (RUNS != 0 && !by_settings) check_histories;
  endtask

  // Sends two messages to one node, the second `later` cycles after the first: where they meet the second waits until
  // the first has passed, and nowhere else. If they come together, the one on the upper line is first.
  task meet;
    integer u, v, w, later, length, length_2, k, line, since;
    restart(1'b0, 1'b0, 1'b1);
    for (int n = 0; n < 10; n++) begin
      u = random(NODES);
      w = u ^ (1 + random(NODES - 1));
      v = random(NODES);
      length = 1 + random(9);
      length_2 = 1 + random(9);
      later = random(length);
      k = 0;
      while (channel(u, v, k) != channel(w, v, k)) k = k + 1;
      line = u_walk.link(k, k == 0 ? u : u_walk.walk(u, v, crossed, k - 1));
      if (later == 0 && line % 2 != 0) begin
        {u, w} = {w, u};
        {length, length_2} = {length_2, length};
      end
      c_meet = channel(u, v, k);
      send(u, v, length);
      if (later == 0) send(w, v, length_2);
      since = now;
      for (int i = 1; i < later; i++) @(posedge clk);
      @(posedge clk);
      if (later != 0) send(w, v, length_2);
      expect_tail(v, u, since, length + SIZE);
      expect_tail(v, w, since, length + length_2 + SIZE);
      @(posedge clk);
      blocked_at[c_meet] = blocked_at[c_meet] + length - later;
    end
    check_channels(1'b1);
  endtask

  // Lets all sources send at once, with stalls at both ends.
  task traffic(input logic by_settings, input logic as_paper);
    restart(by_settings, as_paper, 1'b0);
    hold <= 1'b0;
    repeat (2) @(posedge clk);
    while (!(&source_done) || busy) @(posedge clk);
    check_channels(1'b0);
    for (int u = 0; u < NODES; u++) begin
      if (worms_at[u*CHANNELS+SIZE] != WORMS || sent[u] != flits_at[u*CHANNELS+SIZE] ||
          received[u] != flits_at[u*CHANNELS+SIZE-1])
        $fatal(1, "%m: node %0d sent %0d flits, received %0d", u, sent[u], received[u]);
    end
  endtask

  integer c_meet;
  initial begin
    {load, forget, record, by_pass, backward, alone, paper, preset, done} = '0;
    {clean, hold} = '1;
    {pass, want, source_pause, sink_pause} = '0;
    now = 0;
    total = 0;
    for (int u = 0; u < NODES; u++) begin
      left[u] = 0;
      target[u] = 0;
    end
    @(negedge rst);
    u_port.random_state = seed * 1000003 + 100 * KIND + SIZE;
    @(posedge clk);
    for (int way = 0; way <= 32'(KIND == 8); way++) begin
      backward <= 1'(way);
      every_pair(1'b0, 1'b0);
      every_pair(1'b0, 1'b1);
      every_pair(1'b1, 1'b0);
      meet;
      for (int n = 0; n < 3; n++) traffic(1'(n == 2), n == 2 ? 1'(random(2)) : 1'(n));
    end
    done = 1'b1;
  end
endmodule

`default_nettype wire
