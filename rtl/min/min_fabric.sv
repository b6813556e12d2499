// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A multistage network with a node at each input and output: the wiring of 2^SIZE node_tiles and one min_network, and
// nothing else. Node u sends into input u and receives from output u. It is what fabric_top instantiates for KIND 2 to
// 8. With OPEN = 1, as fabric_open has it, there are open_nodes in place of node_tiles.
//
// Latency: one cycle per stage. Throughput: one flit per cycle and line. Register read data is there four cycles after
// the request; requests may follow each other in every cycle.
//
// Ports:
// - clk, net_clk: tie both to the same clock. fabric_top with GATED = 1, which only simulation sets, stops net_clk between
//   the passes (clock_gate).
// - paper, preset, backward, free, record, skip_self, seed: settings, as in the register CONFIG of docs/registers.md and SEED.
//   They may change only while no pass runs. Tie preset to 0 without PRESET_DEPTH, free, record and skip_self to 0 without
//   HISTORY_RUNS, backward to 0 unless KIND is 8.
// - rewind, clear, run, pass, cycle: from pass_sequencer, see there. cycle must come through one register more than run
//   and pass: see node. clear also loads the switches' settings for `pass`.
// - bus_*: as in net_fabric, and besides the spaces SWITCH and HISTORY. Reads of what is not here give 0.
// - stream_*: as in node_tile; tie both to 0 with STREAM of NODE = 0.
// - s_axis_*, m_axis_*: as in net_fabric. With OPEN = 1 only paper, backward, clear and bus_* of the ports above mean
//   something, and there are no presets or histories.
// - busy, moved, log_overflow, store_overflow: the OR over all nodes, one cycle late; busy also while a switch holds a
//   flit.
//
// Reset: synchronous, one cycle; programs, map tables and switch settings are kept, all else is empty afterwards.
// Parameters as in fabric_top; nodes have silent messages and generated schedules (FREE of node) where HISTORY_RUNS is
// not 0.
`default_nettype none

module min_fabric #(
    parameter integer KIND = 3,  // as in min_network, 2..8
    parameter integer SIZE = 8,  // stages, 1..10
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer PRESET_DEPTH = 0,
    parameter integer HISTORY_RUNS = 0,
    parameter integer GATED = 0,
    parameter integer OPEN = 0,  // 1: the nodes are the user's; then PRESET_DEPTH and HISTORY_RUNS are 0
    localparam integer USERS = OPEN != 0 ? 1 << SIZE : 1,
    localparam integer RULE_W = NODE[node_config::RULE_W+:32],
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32]
) (
    input  wire         clk,
    input  wire         net_clk,     // clk, or less of it: of the network and all that a pass consists of
    input  wire         rst,
    // verilator lint_off UNUSEDSIGNAL
    // settings and sequencer
    input  wire         paper,
    input  wire         preset,
    input  wire         backward,
    input  wire         free,        // a run has no barriers between its passes
    input  wire         record,      // histories are kept of a run with barriers, too
    input  wire         skip_self,
    input  wire  [31:0] seed,
    input  wire         rewind,
    input  wire         clear,
    input  wire         run,
    input  wire  [15:0] pass,
    input  wire  [31:0] cycle,       // number of the cycle before this one: see node
    // register port
    input  wire         bus_request,
    input  wire         bus_write,
    input  wire  [31:0] bus_address,
    input  wire  [31:0] bus_wdata,
    // the same a cycle earlier, looked at instead where GATED: each bank of nodes keeps it on its own clock
    input  wire         early_request,
    input  wire         early_write,
    input  wire  [31:0] early_address,
    input  wire  [31:0] early_wdata,
    output logic [31:0] bus_rdata,
    // stream, as in node_tile
    input  wire         stream_refill,
    input  wire         stream_handed,
    // with OPEN, node u at bits u*FLIT_W, u, u*SIZE
    input  wire  [USERS*FLIT_W-1:0] s_axis_tdata,
    input  wire  [       USERS-1:0] s_axis_tlast,
    input  wire  [       USERS-1:0] s_axis_tvalid,
    output logic [       USERS-1:0] s_axis_tready,
    input  wire  [  USERS*SIZE-1:0] s_axis_tdest,
    output logic [USERS*FLIT_W-1:0] m_axis_tdata,
    output logic [       USERS-1:0] m_axis_tlast,
    output logic [       USERS-1:0] m_axis_tvalid,
    input  wire  [       USERS-1:0] m_axis_tready,
    output logic [  USERS*SIZE-1:0] m_axis_tuser,
    // verilator lint_on UNUSEDSIGNAL
    // state, of any node or switch
    output logic        busy,
    output logic        moved,
    output logic        log_overflow,
    output logic        store_overflow
);
  localparam integer NODES = 1 << SIZE;
  // Nodes which share a clock: few are asked together, many make few clocks.
  localparam integer BANK_W = SIZE < 6 ? 0 : SIZE / 2 - 2, BANK = 1 << BANK_W;

  // to_*: from node u into the network; from_*: out of it.
  logic [FLIT_W-1:0] node_flit[NODES];
  logic [NODES*FLIT_W-1:0] to_flit, from_flit;
  logic [NODES-1:0] to_last, to_valid, to_ready, to_empty, from_last, from_valid, from_ready, from_empty;
  // verilator lint_off UNUSEDSIGNAL
  logic [NODES-1:0] node_empty;  // from_empty on the nodes' clocks; the proof compares them
  // verilator lint_on UNUSEDSIGNAL
  logic [NODES*SIZE-1:0] worm, flit, blocked;
  logic [NODES-1:0] inject_worm, inject_blocked;
  logic network_busy;
  logic [31:0] network_rdata;

  logic [31:0] tile_rdata[NODES];
  // Side by side. By a loop: of parts that are connected one by one a simulator makes the whole anew for each of them.
  logic [NODES*32-1:0] rdata;
  always_comb for (int u = 0; u < NODES; u++) rdata[u*32+:32] = tile_rdata[u];
  logic [3:0] state[NODES];  // busy, moved, log and store overflow

  // A loop, because a simulator that puts separate wires together copies all of them for each; not always_comb, which
  // Icarus 11 evaluates for ever here.
  always @* begin : gather
    logic [NODES*FLIT_W-1:0] flits;
    flits = '0;
    for (int u = 0; u < NODES; u++) if (to_valid[u]) flits[u*FLIT_W+:FLIT_W] = node_flit[u];
    to_flit = flits;
  end

  always_ff @(posedge net_clk) begin : collect
    logic [3:0] any;
    any = {3'd0, network_busy};
    for (int u = 0; u < NODES; u++) any = any | state[u];
    {store_overflow, log_overflow, moved, busy} <= any;
  end

  tile_answers #(
      .TILES(NODES)
  ) u_answers (
      .clk, .rst, .bus_request, .bus_address,
      .tile_rdata(rdata),
      .other_rdata(network_rdata),
      .bus_rdata
  );

  min_network #(
      .KIND(KIND),
      .SIZE(SIZE),
      .RULE_W(RULE_W),
      .SLOTS(NODE[node_config::SLOTS+:32]),
      .FLIT_W(FLIT_W),
      .PRESET_DEPTH(PRESET_DEPTH),
      .HISTORY_RUNS(HISTORY_RUNS)
  ) u_network (
      .clk, .net_clk, .rst, .paper, .preset, .backward,
      .load(clear),
      .pass,
      .forget(rewind),
      .record((free || record) && run),
      .by_pass(!free),
      .inject_worm, .inject_blocked, .bus_request, .bus_write, .bus_address, .bus_wdata,
      .bus_rdata(network_rdata),
      .in_flit(to_flit),
      .in_last(to_last),
      .in_valid(to_valid),
      .in_ready(to_ready),
      .in_empty(to_empty),
      .out_flit(from_flit),
      .out_last(from_last),
      .out_valid(from_valid),
      .out_ready(from_ready),
      .out_empty(from_empty),
      .obs_worm(worm),
      .obs_flit(flit),
      .obs_blocked(blocked),
      .busy(network_busy)
  );

  // A node holds the flit that it took in the last cycle, if any: on the network's clock, for the network waits for it.
  always_ff @(posedge net_clk) from_empty <= rst ? '1 : ~from_valid;

  generate
    if (OPEN != 0 && OPEN != 1) begin : g_OPEN illegal_OPEN u_illegal (); end
  endgenerate

  // Two levels, also because Verilator takes a long generate loop for an endless one.
  generate
    for (genvar bank = 0; bank < NODES; bank = bank + BANK) begin : g_bank
      wire bank_clk, request, write;
      wire [31:0] address, wdata;
      tile_bank #(
          .INDEX_W(SIZE),
          .BANK_W(BANK_W),
          .GATED(GATED)
      ) u_bank (
          .clk, .net_clk,
          .bank(SIZE'(bank / BANK)),
          .bus_request, .bus_write, .bus_address, .bus_wdata, .early_request, .early_write, .early_address,
          .early_wdata,
          .tile_clk(bank_clk),
          .tile_request(request),
          .tile_write(write),
          .tile_address(address),
          .tile_wdata(wdata)
      );
      for (genvar u = bank; u < bank + BANK && u < NODES; u++) begin : g_tile
        if (OPEN != 0) begin : g_open
          open_node #(
              .LABEL_W(SIZE),
              .CHANNELS(SIZE),
              .NODE(NODE)
          ) u_node (
              .clk(bank_clk),
              .rst,
              .index(12'(u)),
              .here(SIZE'(u)),
              .clear,
              .bus_request(request),
              .bus_write(write),
              .bus_address(address),
              .bus_rdata(tile_rdata[u]),
              .s_axis_tdata(s_axis_tdata[u*FLIT_W+:FLIT_W]),
              .s_axis_tlast(s_axis_tlast[u]),
              .s_axis_tvalid(s_axis_tvalid[u]),
              .s_axis_tready(s_axis_tready[u]),
              .s_axis_tdest(s_axis_tdest[u*SIZE+:SIZE]),
              .m_axis_tdata(m_axis_tdata[u*FLIT_W+:FLIT_W]),
              .m_axis_tlast(m_axis_tlast[u]),
              .m_axis_tvalid(m_axis_tvalid[u]),
              .m_axis_tready(m_axis_tready[u]),
              .m_axis_tuser(m_axis_tuser[u*SIZE+:SIZE]),
              .out_flit(node_flit[u]),
              .out_last(to_last[u]),
              .out_valid(to_valid[u]),
              .out_ready(to_ready[u]),
              .in_flit(from_flit[u*FLIT_W+:FLIT_W]),
              .in_last(from_last[u]),
              .in_valid(from_valid[u]),
              .in_ready(from_ready[u]),
              .in_empty(node_empty[u]),
              .obs_worm(worm[u*SIZE+:SIZE]),
              .obs_flit(flit[u*SIZE+:SIZE]),
              .obs_blocked(blocked[u*SIZE+:SIZE]),
              .busy(state[u][0]),
              .moved(state[u][1])
          );
          assign inject_worm[u] = 1'b0;
          assign inject_blocked[u] = 1'b0;
          assign state[u][3:2] = 2'b00;
        end else begin : g_node
          node_tile #(
              .LABEL_W(SIZE),
              .CHANNELS(SIZE),
              .NODE(NODE),
              .FREE(HISTORY_RUNS != 0 ? 1 : 0)
          ) u_node (
              .clk(bank_clk),
              .rst,
              .index(12'(u)),
              .here(SIZE'(u)),
              .paper, .seed, .skip_self, .rewind, .clear, .run, .pass, .cycle,
              .bus_request(request),
              .bus_write(write),
              .bus_address(address),
              .bus_wdata(wdata),
              .bus_rdata(tile_rdata[u]),
              .stream_refill, .stream_handed,
              .out_flit(node_flit[u]),
              .out_last(to_last[u]),
              .out_valid(to_valid[u]),
              .out_ready(to_ready[u]),
              .out_empty(to_empty[u]),
              .in_flit(from_flit[u*FLIT_W+:FLIT_W]),
              .in_last(from_last[u]),
              .in_valid(from_valid[u]),
              .in_ready(from_ready[u]),
              .in_empty(node_empty[u]),
              .inject_worm(inject_worm[u]),
              .inject_blocked(inject_blocked[u]),
              .obs_worm(worm[u*SIZE+:SIZE]),
              .obs_flit(flit[u*SIZE+:SIZE]),
              .obs_blocked(blocked[u*SIZE+:SIZE]),
              .busy(state[u][0]),
              .moved(state[u][1]),
              .log_overflow(state[u][2]),
              .store_overflow(state[u][3])
          );
        end
      end
    end
    if (OPEN == 0) begin : g_no_streams
      assign s_axis_tready = '0;
      assign m_axis_tdata = '0;
      assign m_axis_tlast = '0;
      assign m_axis_tvalid = '0;
      assign m_axis_tuser = '0;
    end
  endgenerate

`ifdef FORMAL
  // The length of one node's (any) program is read back as it was written last, four cycles after the request; what
  // is for no node and no switch is answered by 0.
  localparam integer F_LENGTH_W = $clog2(NODE[node_config::PROGRAM_DEPTH+:32]) + 1;
  logic [3:0] f_age = 4'd0;  // cycles, 15 or more: 15
  (* anyconst *) logic [SIZE-1:0] f_node;
  logic [F_LENGTH_W-1:0] f_length;
  wire f_known = bus_address[31:28] == regmap::SPACE_NODE || bus_address[31:28] == regmap::SPACE_MONITOR ||
      bus_address[31:28] == regmap::SPACE_SWITCH && 32'(bus_address[27:16]) < SIZE &&
      32'(bus_address[15:4]) < PRESET_DEPTH && 32'(bus_address[3:0]) < (NODES + 63) / 64;
  // Bits 12 to 8 of a node's register are not looked at.
  wire f_register = bus_address[31:28] == regmap::SPACE_NODE && bus_address[15:13] == 3'd0 && bus_address[7:0] == 8'd0;
  wire f_here = f_register && bus_address[27:16] == 12'(f_node);
  wire f_all = f_register && (&bus_address[27:16]);

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 4'd1;
    assume (rst == (f_age < 4'd1));
    if (f_age != 4'd0) assume ($stable(paper) && $stable(preset) && $stable(seed));

    if (bus_request && bus_write && (f_here || f_all)) f_length <= bus_wdata[F_LENGTH_W-1:0];
    if (rst) f_length <= '0;

    if (f_age != 4'd0) assert (node_empty == from_empty);
    if (f_age > 4'd5) begin
      if ($past(bus_request && !bus_write && f_here, 4)) assert (bus_rdata == 32'($past(f_length, 4)));
      if ($past(bus_request && !f_known, 4)) assert (bus_rdata == '0);
    end

    cover (f_age > 4'd5 && bus_rdata == 32'd2 && $past(bus_request && !bus_write && f_here, 4));
    cover (f_age > 4'd5 && bus_rdata == 32'd1 && $past(bus_request && f_known && bus_address[29], 4));
  end
`endif
endmodule

`default_nettype wire
