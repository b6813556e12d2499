// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A tile whose injection channel is its ejection channel, with random pulses on the other channels: all messages
// arrive, the counters count what crossed, and a tile that is not addressed answers 0. The same bus has a tile whose
// programs wait: the cycles of its entries have a separate address space, which the first tile lacks.
`default_nettype none

module node_tile_tb;
  localparam integer LABEL_W = 2, CHANNELS = 3, FLIT_W = 32, DEPTH = 8, HERE = 2, TIMED_HERE = 5, ROUNDS = 12;
  wire clk, rst;
  integer seed, state, messages, length, total, all;
  logic rewind, clear, run, asked;
  logic [31:0] cycle;
  wire request, write;
  wire [31:0] address, wdata, rdata, timed_rdata;
  wire [FLIT_W-1:0] flit;
  wire last, valid, ready, empty, busy, moved, log_overflow, store_overflow;
  logic [CHANNELS-1:0] worm, crosses, blocked, now, late;
  logic [31:0] at[DEPTH];
  integer lengths[DEPTH], flits[CHANNELS], waits[CHANNELS];
  logic [2:0] asked_q;

  bench u_bench (.clk, .rst, .seed);
  node_tile #(
      .LABEL_W(LABEL_W), .CHANNELS(CHANNELS), .NODE(node_config::with_depths(node_config::DEFAULT, DEPTH, DEPTH, 64))
  ) u_dut (
      .clk,
      .rst(rst || rewind),
      .index(12'(HERE)),
      .here(LABEL_W'(HERE)),
      .paper(seed[0]),
      .seed(32'h12345),
      .skip_self(1'b0),
      .rewind, .clear, .run,
      .pass(16'd0),
      .cycle,
      .bus_request(request),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata),
      .out_flit(flit),
      .out_last(last),
      .out_valid(valid),
      .out_ready(ready),
      .out_empty(empty),
      .in_flit(flit),
      .in_last(last),
      .in_valid(valid),
      .in_ready(ready),
      .in_empty(empty),
      .obs_worm(worm),
      .obs_flit(crosses),
      .obs_blocked(blocked),
      .busy, .moved, .log_overflow, .store_overflow
  );

  node_tile #(
      .LABEL_W(LABEL_W), .CHANNELS(CHANNELS),
      .NODE(node_config::set(
          node_config::with_depths(node_config::DEFAULT, DEPTH, DEPTH, 64), node_config::TIMED, 1
      ))
  ) u_timed (
      .clk,
      .rst(rst || rewind),
      .index(12'(TIMED_HERE)),
      .here(LABEL_W'(0)),
      .paper(1'b0),
      .seed(32'd0),
      .skip_self(1'b0),
      .rewind, .clear,
      .run(1'b0),
      .pass(16'd0),
      .cycle(32'd0),
      .bus_request(request),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(timed_rdata),
      .out_flit(),
      .out_last(),
      .out_valid(),
      .out_ready(1'b0),
      .out_empty(1'b1),
      .in_flit({FLIT_W{1'b0}}),
      .in_last(1'b0),
      .in_valid(1'b0),
      .in_ready(),
      .in_empty(),
      .obs_worm({CHANNELS{1'b0}}),
      .obs_flit({CHANNELS{1'b0}}),
      .obs_blocked({CHANNELS{1'b0}}),
      .busy(),
      .moved(),
      .log_overflow(),
      .store_overflow()
  );

  host_port #(.LATENCY(3)) u_port (
      .clk, .request, .write, .address, .wdata,
      .rdata(rdata | timed_rdata),
      .ack(1'b1),
      .state(2'd0)
  );

  function [31:0] node_at(input integer register);
    node_at = u_port.at_node(HERE, register);
  endfunction
  function [31:0] count_at(input integer register);
    count_at = {regmap::SPACE_MONITOR, 12'(HERE), 16'(register)};
  endfunction

  function [31:0] time_at(input integer node, input integer entry);
    time_at = {regmap::SPACE_TIME, 12'(node), regmap::AT + 16'(entry)};
  endfunction

  // Tests the cycles of entries: writes them for all tiles at once, then another one for one entry. The first tile has
  // none.
  task check_times;
    begin
      for (int i = 0; i < DEPTH; i++) begin
        at[i] = $random(state);
        u_port.put(time_at(i == 3 ? TIMED_HERE : 4095, 32'(i)), at[i]);
      end
      u_port.put(time_at(TIMED_HERE, 4) ^ (32'h10000 << u_port.random(12)), ~at[4]);
      for (int i = 0; i < DEPTH; i++) begin
        u_port.check(time_at(TIMED_HERE, 32'(i)), at[i]);
        u_port.check(time_at(HERE, 32'(i)), 32'd0);
      end
    end
  endtask

  initial begin
    {rewind, clear, run} = '0;
    cycle = '0;
    {worm, crosses, blocked} = '0;
    all = 0;
    @(negedge rst);
    state = seed;
    u_port.random_state = seed;
    @(posedge clk);
    repeat (ROUNDS) begin
      rewind <= 1'b1;
      @(posedge clk);
      rewind <= 1'b0;
      u_port.put({regmap::SPACE_NODE, 12'hfff, regmap::MAP + 16'd1}, 32'(HERE));
      messages = 1 + u_port.random(DEPTH);
      total = 0;
      for (int i = 0; i < messages; i++) begin
        lengths[i] = 1 + u_port.random(6);
        total = total + lengths[i];
        u_port.put(node_at(32'(regmap::PROGRAM) + 2 * i), 32'(lengths[i]));
        u_port.put(node_at(32'(regmap::PROGRAM) + 2 * i + 1), 32'd1);
        // The same words for another node must have no effect, whichever bit of the index differs.
        u_port.put(node_at(32'(regmap::PROGRAM) + 2 * i) ^ (32'h10000 << u_port.random(12)), 32'd9);
      end
      u_port.put(node_at(32'(regmap::PROGRAM_LENGTH)), 32'(messages));
      check_times();
      repeat (8) @(posedge clk);
      clear <= 1'b1;
      @(posedge clk);
      clear <= 1'b0;
      run   <= 1'b1;
      cycle <= 32'd1;
      for (int c = 0; c < CHANNELS; c++) begin
        flits[c] = 0;
        waits[c] = 0;
      end
      // In step with the fabric: the monitor counts the events that are set in a cycle in that cycle.
      for (int i = 0; i < 2 * total + 20; i++) begin
        now = CHANNELS'($random(state));
        late = CHANNELS'($random(state));
        crosses <= now;
        worm <= now & CHANNELS'($random(state));
        blocked <= late;
        for (int c = 0; c < CHANNELS; c++) begin
          flits[c] = flits[c] + 32'(now[c]);
          waits[c] = waits[c] + 32'(late[c]);
        end
        @(posedge clk);
        cycle <= cycle + 32'd1;
      end
      {worm, crosses, blocked} <= '0;
      @(posedge clk);
      if (busy) $fatal(1, "%0d flits take too long", total);
      run <= 1'b0;
      @(posedge clk);
      u_port.check(node_at(32'(regmap::SENT_COUNT)), 32'(messages));
      u_port.check(node_at(32'(regmap::LOG_COUNT)), 32'(messages));
      u_port.check(node_at(32'(regmap::CORRUPT_COUNT)), 32'd0);
      u_port.check(count_at(4 * CHANNELS), 32'(messages));
      u_port.check(count_at(4 * CHANNELS + 1), 32'(total));
      for (int i = 0; i < messages; i++)
        u_port.check(node_at(32'(regmap::LOG) + 4 * i + 1), 32'hc0000000 | 32'(lengths[i]));
      for (int c = 0; c < CHANNELS; c++) begin
        u_port.check(count_at(4 * c + 1), 32'(flits[c]));
        u_port.check(count_at(4 * c + 2), 32'(waits[c]));
      end
      all = all + messages;
    end
    $display("PASS node_tile (seed %0d, %0d messages)", seed, all);
    $finish;
  end

  always @(posedge clk) begin
    asked = request && (address[27:16] == 12'(HERE) || &address[27:16]);
    asked_q <= rst ? '0 : {asked_q[1:0], asked};
    if (!rst && moved !== (|crosses || valid && ready)) $fatal(1, "a flit moves and nobody says so");
    if (!rst && !asked_q[2] && rdata !== 32'd0) $fatal(1, "answers unasked");
  end
endmodule

`default_nettype wire
