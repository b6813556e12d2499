// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks one fabric_registers with random requests against a list of the words that each address must read, and of the
// settings. Its state inputs are random in every cycle; some requests address other spaces. With SMALL of NODE a
// request comes only when the one before has been answered, and its address stays.
`default_nettype none

module fabric_registers_check #(
    parameter integer KIND = 1,
    parameter integer NODES = 2,
    parameter integer CHANNELS = 3,
    parameter integer DIMS = 1,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LABEL_W = 1,
    parameter integer V = 1,
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,
    parameter integer PRESET_PASSES = 0,
    parameter integer HISTORY_RUNS = 0,
    parameter integer TWO_WAYS = 0,
    parameter integer ROUNDS = 4000
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      reads,  // reads in this space that were answered
    output logic        done
);
  localparam integer PASS_W = NODE[node_config::PASS_W+:32], CYCLE_W = NODE[node_config::CYCLE_W+:32];
  localparam integer SMALL = NODE[node_config::SMALL+:32];

  integer state;
  logic request, write, log_overflow, store_overflow;
  logic [31:0] address, wdata, cycle, since_start;
  logic [PASS_W-1:0] pass;
  logic [1:0] status;
  wire [1:0] select;
  wire start, soft_reset, paper, preset, free, backward, alternate, record, skip_self;
  wire [31:0] rdata, salt;
  wire [PASS_W-1:0] first_pass, last_pass;
  wire [CYCLE_W-1:0] watchdog;

  logic [31:0] settings[8];  // by the low bits of their addresses 0x21 to 0x25
  logic [1:0] commands;  // start and reset, of the request in the cycle before
  logic [3:0] asked;  // requests of this space, 1 to 4 cycles ago
  logic [31:0] at;  // their addresses, a byte each

  fabric_registers #(
      .KIND(KIND), .NODES(NODES), .CHANNELS(CHANNELS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .NODE(NODE),
      .PRESET_PASSES(PRESET_PASSES), .HISTORY_RUNS(HISTORY_RUNS), .V(V), .TWO_WAYS(TWO_WAYS)
  ) u_dut (
      .clk,
      .net_clk(clk),
      .rst, .request, .write, .address, .wdata, .rdata, .start, .soft_reset, .paper, .select, .preset, .free, .backward,
      .alternate, .record, .skip_self,
      .seed(salt),
      .first_pass, .last_pass, .watchdog,
      .state(status),
      .log_overflow, .store_overflow, .pass, .cycle, .since_start
  );

  function [31:0] node_field(input integer name);
    node_field = NODE[name+:32];
  endfunction

  // Gives the word that an address reads now.
  function [31:0] truth(input logic [7:0] a);
    case (a)
      8'h00: truth = "MOOL";  // in the order of address, the low byte first, it says LOOM
      8'h01: truth = 32'd5;
      8'h02: truth = KIND;
      8'h03: truth = DIMS;
      8'h04, 8'h05: truth = NODES;
      8'h06: truth = CHANNELS;
      8'h07: truth = node_field(node_config::FLIT_W);
      8'h08: truth = LABEL_W;
      8'h09: truth = node_field(node_config::PROGRAM_DEPTH);
      8'h0a: truth = node_field(node_config::LOG_DEPTH);
      8'h0b: truth = node_field(node_config::SLOTS);
      8'h0c: truth = node_field(node_config::SLOT_FLITS);
      8'h0d: truth = node_field(node_config::LENGTH_W);
      8'h0e: truth = node_field(node_config::RULE_W);
      8'h0f: truth = node_field(node_config::COUNT_W);
      8'h10: truth = PRESET_PASSES;
      8'h11: truth = CYCLE_W;
      8'h12: truth = PASS_W;
      8'h13: truth = HISTORY_RUNS;
      8'h14: truth = node_field(node_config::SIGNATURE_W);
      8'h15: truth = node_field(node_config::STATE_W);
      8'h16: truth = 32'(V);
      8'h1a: truth = node_field(node_config::BUFFERS);
      8'h1b: truth = node_field(node_config::LINK_DELAY);
      8'h1e: truth = node_field(node_config::LINK_DELAYS);
      8'h1c: truth = node_field(node_config::ROUTER_DELAY);
      8'h1d: truth = node_field(node_config::ADAPTIVE);
      8'h21: truth = {settings[1][9:8] & {2{node_field(node_config::ADAPTIVE) != '0}}, 1'b0, settings[1][6] && HISTORY_RUNS != 0, settings[1][5] && TWO_WAYS != 0, settings[1][4] && HISTORY_RUNS != 0,
                      settings[1][3] && TWO_WAYS != 0,
                      settings[1][2] && HISTORY_RUNS != 0, settings[1][1] && PRESET_PASSES != 0, settings[1][0]};
      8'h22: truth = settings[2];
      8'h23: truth = settings[3][PASS_W-1:0];
      8'h24: truth = settings[4][PASS_W-1:0];
      8'h25: truth = settings[5][CYCLE_W-1:0];
      8'h26: truth = {store_overflow, log_overflow, 2'd0, status};
      8'h27: truth = pass;
      8'h28: truth = cycle;
      8'h29: truth = since_start;
      default: begin
        truth = '0;
        if (a[7:4] == 4'h3) for (int d = 0; d < DIMS; d++) if (a[3:0] == 4'(d)) truth = EXTENTS[d*16+:16];
      end
    endcase
  endfunction

  task offer;
    request = SMALL == 0 ? $random(state) % 3 != 0 : asked == '0 && $random(state) % 3 != 0;
    if (SMALL == 0 || request) address = {4'd0, 20'($random(state)), 8'($unsigned($random(state)) % ($random(state) % 4 == 0 ? 256 : 64))};
    if (request && $random(state) % 5 == 0) address[31:28] = 4'($random(state));
    write = $random(state) % 3 == 0;
    wdata = $random(state);
  endtask

  initial begin
    done = 1'b0;
    reads = 0;
    {request, write, asked, commands} = '0;
    {address, wdata, at} = '0;
    {cycle, since_start} = '0;
    {pass, status, log_overflow, store_overflow} = '0;
    for (int i = 0; i < 8; i++) settings[i] = '0;
    wait (!rst);
    state = seed;
    @(negedge clk);
    for (int round = 0; round < ROUNDS; round++) begin
      offer;
      @(posedge clk);
      commands = request && write && address[31:28] == 4'd0 && address[7:0] == 8'h20 ? wdata[1:0] : 2'd0;
      if (request && write && address[31:28] == 4'd0 && address[7:3] == 5'b00100) settings[address[2:0]] = wdata;
      asked = {asked[2:0], request && address[31:28] == 4'd0};
      at = {at[23:0], address[7:0]};
      @(negedge clk);
      {cycle, since_start} = {$random(state), $random(state)};
      pass = PASS_W'($random(state));
      {status, log_overflow, store_overflow} = 4'($random(state));
      #1;
      if (rdata !== (asked[3] ? truth(at[31:24]) : 32'd0)) $fatal(1, "%m: address %h reads %h", at[31:24], rdata);
      if (asked[3]) reads = reads + 1;
      if ({soft_reset, start} !== commands) $fatal(1, "%m: reset and start are %b%b", soft_reset, start);
      if (32'({select, 1'b0, record, alternate, skip_self, backward, free, preset, paper}) !== truth(8'h21)) $fatal(1, "%m: choices");
      if (salt !== truth(8'h22)) $fatal(1, "%m: seed");
      if (32'(first_pass) !== truth(8'h23) || 32'(last_pass) !== truth(8'h24)) $fatal(1, "%m: passes");
      if (32'(watchdog) !== truth(8'h25)) $fatal(1, "%m: watchdog");
    end
    done = 1'b1;
  end
endmodule

`default_nettype wire
