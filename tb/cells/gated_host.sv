// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A chip with stopped clocks beside one without gets the same requests. In every cycle the host compares all outputs,
// and the values that a read of the status would return. A round writes maps and programs, for random nodes or for all
// at once, and runs passes, with reads of all kinds of registers during and after them. Some rounds have a reset in the
// middle, logs and slots that are too small, or pauses in which all clocks stop, also behind a single write, whose
// effects must not wait for the next one.
`default_nettype none

module gated_host #(
    parameter integer KIND = 1,  // 1: a cube
    parameter integer SIZE = 2,  // 2^SIZE nodes
    parameter integer ROUNDS = 6,
    parameter integer SHORT = 2,  // rounds of a short run (+short)
    parameter integer SENDERS = 1 << SIZE  // nodes that get a program in a round
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      slept,    // cycles in which the network's clock stood still
    output integer      answers,
    output logic        done
);
  localparam integer NODES = 1 << SIZE, LINKS = KIND == 1 ? SIZE : 0;
  localparam integer DIMS = KIND == 1 ? SIZE : 1, LINKS_PER_DIM = 1, WRAP = 0, TABLE = 0, OTIS = 0;
  localparam [DIMS*16-1:0] EXTENTS = {DIMS{16'(KIND == 1 ? 2 : NODES)}};
  `include "net_wires.svh"
  localparam integer WORDS = NODES * (LINKS == 0 ? 1 : LINKS);
  localparam [WORDS*24-1:0] WIRES = (WORDS * 24)'(wires(NODES, LINKS));

  wire stb, we;
  wire [31:0] adr, dat;
  wire [31:0] rdata[2];
  wire [1:0] stall, ack, running, stuck;

  for (genvar g = 0; g < 2; g++) begin : g_chip
    fabric_top #(
        .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(SIZE),
        .NODE(node_config::with_depths(node_config::DEFAULT, 8, 8, 8)), .PRESET_DEPTH(KIND == 1 ? 0 : 4),
        .HISTORY_RUNS(KIND == 1 ? 0 : 4), .GATED(g)
    ) u_dut (
        .clk, .rst,
        .wb_cyc(stb),
        .wb_stb(stb),
        .wb_we(we),
        .wb_adr(adr),
        .wb_dat_w(dat),
        .wb_stall(stall[g]),
        .wb_ack(ack[g]),
        .wb_dat_r(rdata[g]),
        .running(running[g]),
        .stuck(stuck[g])
    );
  end

  host_port u_port (
      .clk,
      .request(stb),
      .write(we),
      .address(adr),
      .wdata(dat),
      .rdata(rdata[0]),
      .ack(ack[0]),
      .state(2'd0)
  );
  logic up;

  function integer random(input integer below);
    random = u_port.random(below);
  endfunction

  task ask(input write, input [31:0] where, input [31:0] what);
    u_port.ask(write, where, what);
    if (random(4) == 0) repeat (random(12)) @(posedge clk);
  endtask

  task put(input [31:0] where, input [31:0] what);
    ask(1'b1, where, what);
  endtask

  task put_global(input [7:0] where, input [31:0] what);
    put({24'd0, where}, what);
    if (random(3) == 0) repeat (60) @(posedge clk);
  endtask

  function [31:0] at_node(input integer node, input integer register);
    at_node = u_port.at_node(node, register);
  endfunction

  // Reads a random register.
  task look;
    integer word, what;
    word = random(64);
    what = random(8);
    case (what)
      0: ask(1'b0, {24'd0, 8'(word)}, '0);
      1: ask(1'b0, {regmap::SPACE_MONITOR, 12'(random(NODES)), 16'(word)}, '0);
      2: ask(1'b0, {regmap::SPACE_HISTORY, 12'(random(NODES)), 5'(random(SIZE + 1)), word[0] ? 11'd2047 : 11'(word)}, '0);
      3: ask(1'b0, {regmap::SPACE_SWITCH, 12'(random(SIZE)), 16'(word)}, '0);
      4: ask(1'b0, at_node(random(NODES), 32'(regmap::LOG) + word), '0);
      default: ask(1'b0, at_node(random(NODES), random(6)), '0);
    endcase
  endtask

  // Reads a program or a map, which is allowed only while nothing runs.
  task look_idle;
    if (random(3) == 0) ask(1'b0, at_node(random(NODES), 32'(regmap::PROGRAM) + random(16)), '0);
    else if (random(3) == 0) ask(1'b0, at_node(random(NODES), 32'(regmap::MAP) + random(NODES)), '0);
    else look;
  endtask

  task load(input integer last);
    integer length, pass, u;
    put_global(regmap::CONTROL, 32'd1 << regmap::CONTROL_RESET);
    put_global(regmap::CONFIG, 32'(random(128)) & ~(32'd1 << regmap::CONFIG_SKIP_SELF));
    put_global(regmap::SEED, $random(u_port.random_state));
    put_global(regmap::WATCHDOG, 32'd200);
    put_global(regmap::FIRST_PASS, 32'd0);
    put_global(regmap::LAST_PASS, 32'(last));
    // Gives every node a whole map and every switch a setting, because an unknown value in a flit would hide all later
    // differences.
    for (int v = 0; v < NODES; v++) begin
      put(at_node(12'hfff, 32'(regmap::MAP) + v), 32'(v ^ random(NODES)));
      if (random(2) == 0) put(at_node(random(NODES), 32'(regmap::MAP) + v), 32'(v ^ random(NODES)));
    end
    if (KIND != 1)
      for (int i = 0; i < 4 * SIZE; i++) put({regmap::SPACE_SWITCH, 12'(i / 4), 12'(i % 4), 4'd0}, $random(u_port.random_state));
    for (int sender = 0; sender < SENDERS; sender++) begin
      u = (sender * 5 + random(2) * (SENDERS < NODES)) % NODES;
      length = random(9);
      pass = 0;
      for (int i = 0; i < length; i++) begin
        if (pass < last && random(3) == 0) pass = pass + 1;
        put(at_node(u, 32'(regmap::PROGRAM) + 2 * i), 32'(pass) << regmap::PROGRAM0_PASS | 1 + random(12));
        put(at_node(u, 32'(regmap::PROGRAM) + 2 * i + 1), 32'(random(NODES)) |
            32'(random(2)) << regmap::PROGRAM1_RULE | 32'(random(4)) << regmap::PROGRAM1_KEEP);
      end
      put(at_node(u, 32'(regmap::PROGRAM_LENGTH)), 32'(length));
    end
  endtask

  initial begin
    done = 1'b0;
    slept = 0;
    answers = 0;
    @(negedge rst);
    u_port.random_state = seed * 7919 + KIND * 31 + SIZE;
    @(posedge clk);
    for (int round = 0; round < ($test$plusargs("short") ? SHORT : ROUNDS); round++) begin
      load(random(3));
      repeat (random(20)) look_idle;
      repeat (random(2) * 100) @(posedge clk);
      put_global(regmap::CONTROL, 32'd1 << regmap::CONTROL_START);
      repeat (12) @(posedge clk);  // the nodes have their programs now
      for (int polls = 0; running[0] && polls < 400 && (round % 7 != 3 || polls < 5); polls++) look;
      if (round % 7 != 3) begin
        while (running[0]) @(posedge clk);
        repeat (random(2) * 100) @(posedge clk);
        repeat (30 + random(30)) look_idle;
        // Runs the next passes of the same programs.
        put_global(regmap::FIRST_PASS, 32'd3);
        put_global(regmap::LAST_PASS, 32'd3);
        put_global(regmap::CONTROL, 32'd1 << regmap::CONTROL_START);
        repeat (60) @(posedge clk);
        repeat (30) look;
      end
    end
    repeat (10) @(posedge clk);
    done = 1'b1;
  end

  always @(negedge clk) up = 1'b0;
  always @(posedge g_chip[1].u_dut.net_clk) up = 1'b1;

  // The signals that make up STATUS, PASS and CYCLE.
  wire [51:0] status[2];
  for (genvar g = 0; g < 2; g++) begin : g_status
    assign status[g] = {g_chip[g].u_dut.state, g_chip[g].u_dut.log_overflow, g_chip[g].u_dut.store_overflow,
                        g_chip[g].u_dut.pass, g_chip[g].u_dut.cycle};
  end

  always @(negedge clk) begin
    if (!rst) begin
      if (^status[0] === 1'bx) $fatal(1, "%m: the status is unknown: %h", status[0]);
      if (status[1] !== status[0]) $fatal(1, "%m: status %h with stopped clocks, %h without", status[1], status[0]);
      if (!up && !done) slept = slept + 1;
      if (ack[0] === 1'b1) answers = answers + 1;
      if (ack[1] !== ack[0] || stall[1] !== stall[0] || running[1] !== running[0] || stuck[1] !== stuck[0] ||
          rdata[1] !== rdata[0])
        $fatal(1, "%m: ack %b %h with stopped clocks, %b %h without; running %b, stuck %b", ack[1], rdata[1], ack[0],
               rdata[0], running, stuck);
    end
  end
endmodule

`default_nettype wire
