// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A tile whose injection channel is its ejection channel, and random pulses on the other channels: what was sent has
// come, the counters say what crossed, and who is not asked answers 0.
`default_nettype none

module node_tile_tb;
  localparam integer LABEL_W = 2, CHANNELS = 3, FLIT_W = 32, DEPTH = 8, HERE = 2, ROUNDS = 12;
  wire clk, rst;
  integer seed, state, messages, length, total, all;
  logic rewind, clear, run, request, write, asked;
  logic [31:0] cycle, address, wdata, got;
  wire [31:0] rdata;
  wire [FLIT_W-1:0] flit;
  wire last, valid, ready, empty, busy, moved, log_overflow, store_overflow;
  logic [CHANNELS-1:0] worm, crosses, blocked, now, late;
  integer lengths[DEPTH], flits[CHANNELS], waits[CHANNELS];
  logic [2:0] asked_q;

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  node_tile #(
      .LABEL_W(LABEL_W),
      .CHANNELS(CHANNELS),
      .NODE(node_config::with_depths(node_config::DEFAULT, DEPTH, DEPTH, 64))
  ) u_dut (
      .clk(clk),
      .rst(rst || rewind),
      .index(12'(HERE)),
      .here(LABEL_W'(HERE)),
      .paper(seed[0]),
      .seed(32'h12345),
      .skip_self(1'b0),
      .rewind(rewind),
      .clear(clear),
      .run(run),
      .pass(16'd0),
      .cycle(cycle),
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
      .busy(busy),
      .moved(moved),
      .log_overflow(log_overflow),
      .store_overflow(store_overflow)
  );

  function integer random(input integer below);
    random = $unsigned($random(state)) % below;
  endfunction

  task put(input [31:0] where, input [31:0] what);
    begin
      {request, write, address, wdata} <= {2'b11, where, what};
      @(posedge clk);
      request <= 1'b0;
    end
  endtask

  task check(input [31:0] where, input [31:0] what);
    begin
      {request, write, address} <= {2'b10, where};
      @(posedge clk);
      request <= 1'b0;
      repeat (3) @(posedge clk);
      if (rdata !== what) $fatal(1, "%h holds %h, expected %h", where, rdata, what);
    end
  endtask

  function [31:0] node_at(input integer register);
    node_at = {regmap::SPACE_NODE, 12'(HERE), 16'(register)};
  endfunction
  function [31:0] count_at(input integer register);
    count_at = {regmap::SPACE_MONITOR, 12'(HERE), 16'(register)};
  endfunction

  initial begin
    {rewind, clear, run, request, write} = '0;
    {cycle, address, wdata} = '0;
    {worm, crosses, blocked} = '0;
    all = 0;
    @(negedge rst);
    state = seed;
    @(posedge clk);
    repeat (ROUNDS) begin
      rewind <= 1'b1;
      @(posedge clk);
      rewind <= 1'b0;
      put({regmap::SPACE_NODE, 12'hfff, regmap::MAP + 16'd1}, 32'(HERE));
      messages = 1 + random(DEPTH);
      total = 0;
      for (int i = 0; i < messages; i++) begin
        lengths[i] = 1 + random(6);
        total = total + lengths[i];
        put(node_at(32'(regmap::PROGRAM) + 2 * i), 32'(lengths[i]));
        put(node_at(32'(regmap::PROGRAM) + 2 * i + 1), 32'd1);
        // The same words for another node must not matter.
        put(node_at(32'(regmap::PROGRAM) + 2 * i) ^ 32'h10000, 32'd9);
      end
      put(node_at(32'(regmap::PROGRAM_LENGTH)), 32'(messages));
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
      // In step with the fabric: what is set in a cycle is what the monitor counts in it.
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
      check(node_at(32'(regmap::SENT_COUNT)), 32'(messages));
      check(node_at(32'(regmap::LOG_COUNT)), 32'(messages));
      check(node_at(32'(regmap::CORRUPT_COUNT)), 32'd0);
      check(count_at(4 * CHANNELS), 32'(messages));
      check(count_at(4 * CHANNELS + 1), 32'(total));
      for (int i = 0; i < messages; i++)
        check(node_at(32'(regmap::LOG) + 4 * i + 1), 32'hc0000000 | 32'(lengths[i]));
      for (int c = 0; c < CHANNELS; c++) begin
        check(count_at(4 * c + 1), 32'(flits[c]));
        check(count_at(4 * c + 2), 32'(waits[c]));
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
