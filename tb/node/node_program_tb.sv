// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Loads random programs and map tables, and checks that messages come in order, each once, with the mapped destination.
`default_nettype none

module node_program_tb;
  localparam integer LABEL_W = 4, DEPTH = 16, ROUNDS = 40;
  wire clk, rst;
  integer seed, state, messages, index;
  logic bus_program, bus_map, bus_write, rewind, out_ready, look;
  logic [12:0] bus_address;
  logic [31:0] bus_wdata;
  wire [31:0] bus_rdata;
  logic [4:0] length;
  wire out_valid, out_rule, out_silent, loading;
  logic [LABEL_W-1:0] schedule_first, named;
  logic [15:0] schedule_flits;
  logic skip_self;
  wire [3:0] out_index, out_destination;
  wire [15:0] out_pass, out_flits;
  wire [1:0] out_from, out_keep;
  logic [31:0] word0[DEPTH], word1[DEPTH];
  logic [LABEL_W-1:0] map[1 << LABEL_W];

  bench u_bench (.clk, .rst, .seed);
  node_program #(
      .LABEL_W(LABEL_W), .NODE(node_config::set(node_config::DEFAULT, node_config::PROGRAM_DEPTH, DEPTH))
  ) u_dut (
      .clk, .rst, .bus_program, .bus_map, .bus_write, .bus_address, .bus_wdata, .bus_rdata, .rewind, .length,
      .schedule_first, .schedule_flits, .skip_self,
      .here(4'd6),
      .out_valid, .out_index, .out_pass, .out_flits, .out_destination, .out_rule, .out_silent, .out_from, .out_keep,
      .out_ready, .look, .loading
  );

  task bus(input logic map_table, input logic write, input integer address, input logic [31:0] data);
    bus_program = !map_table;
    bus_map = map_table;
    bus_write = write;
    // The memories ignore higher address bits.
    bus_address = 13'(address) | 13'($random(state)) << (map_table ? LABEL_W : $clog2(2 * DEPTH));
    bus_wdata = data;
    @(negedge clk);
    bus_program = 1'b0;
    bus_map = 1'b0;
  endtask

  initial begin
    {bus_program, bus_map, bus_write, rewind, out_ready, length, messages, look, schedule_first, schedule_flits} = '0;
    skip_self = '0;
    wait (!rst);
    state = seed;
    for (int round = 0; round < ROUNDS; round++) begin
      @(negedge clk);
      for (int i = 0; i < DEPTH; i++) begin
        word0[i] = $random(state);
        word1[i] = $random(state) & 32'h1331000f;
        map[i] = LABEL_W'($random(state));
        bus(1'b0, 1'b1, 2 * i, word0[i]);
        bus(1'b0, 1'b1, 2 * i + 1, word1[i]);
        bus(1'b1, 1'b1, i, 32'(map[i]));
      end
      for (int i = 0; i < DEPTH; i++) begin
        bus(1'b0, 1'b0, 2 * i, '0);
        if (bus_rdata !== word0[i]) $fatal(1, "word 0 of message %0d reads %h, not %h", i, bus_rdata, word0[i]);
        bus(1'b0, 1'b0, 2 * i + 1, '0);
        if (bus_rdata !== word1[i]) $fatal(1, "word 1 of message %0d reads %h, not %h", i, bus_rdata, word1[i]);
        bus(1'b1, 1'b0, i, '0);
        if (bus_rdata !== 32'(map[i])) $fatal(1, "map entry %0d reads %h", i, bus_rdata);
      end
      length = 5'($unsigned($random(state)) % (DEPTH + 1));
      schedule_first = LABEL_W'($random(state));
      schedule_flits = round % 3 == 2 ? 16'($random(state)) | 16'd1 : 16'd0;
      skip_self = 1'($random(state));
      rewind = 1'b1;
      @(negedge clk);
      rewind = 1'b0;
      index = 0;
      for (int cycle = 0; cycle < 100; cycle++) begin
        out_ready = round % 2 == 0 || $unsigned($random(state)) % 2 == 0;
        if (loading !== (index < length && !out_valid)) $fatal(1, "loading is %b at message %0d", loading, index);
        if (cycle >= 2 && index < length && !out_valid) $fatal(1, "a gap before message %0d", index);
        if (out_valid) begin
          if (index >= length || 32'(out_index) != index) $fatal(1, "message %0d, expected %0d", out_index, index);
          named = word1[index][3:0];
          if (schedule_flits != 16'd0) begin
            named = schedule_first ^ 4'(index ^ index / 2);
            if (out_pass !== 16'(index) || out_flits !== schedule_flits) $fatal(1, "wrong pass or length of scheduled %0d", index);
            if ({out_keep, out_from, out_rule} !== 5'd0) $fatal(1, "choices of scheduled message %0d", index);
            if (look && out_silent !== (skip_self && map[named] == 4'd6)) $fatal(1, "silence of scheduled message %0d", index);
          end else begin
            if ({out_pass, out_flits} !== word0[index]) $fatal(1, "wrong pass or length of message %0d", index);
            if ({out_keep, out_from, out_silent, out_rule} !==
                {word1[index][25:24], word1[index][21:20], word1[index][28], word1[index][16]})
              $fatal(1, "wrong choices of message %0d", index);
          end
          if (look && out_destination !== map[named]) $fatal(1, "wrong destination of message %0d", index);
        end
        if (out_valid && out_ready) begin
          index = index + 1;
          messages = messages + 1;
        end
        look = 1'($random(state));
        @(negedge clk);
      end
      if (index != length) $fatal(1, "%0d of %0d messages", index, length);
      out_ready = 1'b0;
    end
    $display("PASS node_program (seed %0d, %0d flits)", seed, messages);
    $finish;
  end
endmodule

`default_nettype wire
