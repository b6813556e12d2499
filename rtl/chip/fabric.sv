// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A network with a node in each tile: the wiring of its tiles, and nothing else. With LINKS not 0 it is a direct network:
// which links there are is the parameter WIRES, and the shape of the coordinates is DIMS and EXTENTS: cube, line, ring, mesh,
// torus, or with TABLE = 1 any other network of nodes, or with OTIS = 1 an OTIS-Mesh, whose last link of each node is an
// otis_link; so are all other links with LINK_DELAY or ROUTER_DELAY of NODE. With LINKS = 0 it is a multistage network, one
// min_network: node u sends into its input u and receives from its output u; or with KIND = 18 or 32 circuit switches, one
// ocs_network, in the same way. It is what fabric_top instantiates; take it alone if you have a sequencer and a register bus
// of your own. With OPEN = 1, as in fabric_open, the nodes are the user's.
//
// Over 400 lines because it only wires: most of them are parameters, ports and connections.
//
// Latency: one cycle per hop or stage, by light LIGHT_CYCLES + LIGHT_RATIO - 1 more, by another link LINK_DELAY +
// ROUTER_DELAY more. Throughput: one flit per cycle and channel, by light one in LIGHT_RATIO cycles, by a link with a delay
// BUFFERS in 2*LINK_DELAY + ROUTER_DELAY + 2 cycles if these are more. Register read data is there four cycles after the
// request; requests may follow each other in every cycle (with SMALL = 1, reads of counters 3*(LINKS+2)+2 cycles apart: see
// monitor_memory).
//
// Ports:
// - clk, net_clk: tie both to the same clock. fabric_top with GATED = 1, which only simulation sets, stops net_clk between
//   the passes (clock_gate).
// - paper, select, preset, backward, free, record, skip_self, seed: settings, as in the register CONFIG of docs/registers.md
//   and SEED. They may change only while no pass runs. Tie preset to 0 without PRESET_DEPTH, select to 0 without ADAPTIVE of
//   NODE, free, record and skip_self to 0 without HISTORY_RUNS, backward to 0 unless KIND is 8.
// - rewind, clear, run, pass, cycle: from pass_sequencer, see there. cycle must come through one register more than run
//   and pass: see node. clear also loads the switches' settings for `pass`.
// - bus_*: bus_request for one cycle with the other three; address as in docs/registers.md: space in bits 31:28, node in bits
//   27:16 (0xfff writes all nodes), register in bits 15:0. There are no wait states. Reads of what is not here give 0; so do
//   all requests outside the spaces NODE and MONITOR, and of multistage networks SWITCH and HISTORY, of circuit switches
//   CIRCUIT.
// - stream_*: as in node_tile; tie both to 0 with STREAM of NODE = 0.
// - s_axis_*, m_axis_*: with OPEN = 1 the streams of fabric_open; else tie them to 0 and leave them open. With OPEN = 1 only
//   paper, select, backward, clear and bus_* of the ports above mean something, and clear may come at any time.
// - busy, moved, log_overflow, store_overflow: the OR over all tiles, one cycle late. busy is what pass_sequencer waits
//   for, and also 1 while flits are in a switch or in the light; moved is what watchdog asks for, and 1 while flits or
//   credits are.
//
// Reset: synchronous, one cycle; programs, map and route tables and switch settings are kept, all else is empty
// afterwards.
//
// Parameters, of which `flitloom rtl FABRIC --form parameters` prints all that belong to a network by name:
// - WIRES: a word of 24 bits for each link, link p of node u at word u*LINKS + p, the lowest bits first. Bit 23: there is
//   such a link; then bits 11:0 are the node at its other end, and bits 20:12 the link of that node which leads back.
//   As hexadecimal digits: 8qqvvv, with an even first digit of q. Channels run both ways, unless bit 21 says that
//   nothing comes in by it, or bit 22 that nothing leaves; at its other end it is the other bit.
// - DELAYS, with LINK_DELAYS of NODE not 0, else as anything: a word of 8 bits for each link in the order of WIRES, the cycles
//   that what leaves by it is longer under way: LINK_DELAY of NODE, the most of them, or fewer; 0: the link is a wire.
// - EXTENTS: 16 bits for each dimension, the lowest dimension in the lowest bits. LABEL_W: the sum over all dimensions of
//   the bits that hold a coordinate, at least one each; a node's label is its coordinates side by side, and node numbers
//   count along the lowest dimension first. With TABLE = 1 a label is the node's number, or any other number of LABEL_W
//   bits (at least $clog2(NODES), and few enough for the tables of all V to have 4096 words or less) that the tables know.
// - OTIS = 1: n*n groups of n*n nodes, n = 2 or 4: DIMS is 4, all EXTENTS are n (column and row in the group, column and
//   row of the group), and WIRES must have the links that route_otis says. LIGHT_CYCLES and LIGHT_RATIO: as in otis_link.
// - FAILING = 1, in simulations: registers FAILS and FAILS_FROM have links fail in a cycle of a pass.
// - LINKS_PER_DIM, WRAP, TABLE, V as in net_router, the others as in fabric_top; nodes have silent messages and generated
//   schedules (FREE of node) where HISTORY_RUNS is not 0, which it is not, nor PRESET_DEPTH, with OPEN = 1 or a direct network.
// With LINKS = 0 KIND, NODES and NODE count of those which say what network it is; LABEL_W is $clog2(NODES) then. With KIND =
// 18 or 32 DIMS and EXTENTS do, too: the ports of a switch, and with DIMS = 2 the number of switches; PRESET_DEPTH is the slots of
// a schedule (0: 1), preset = 1 takes the guards away, and HISTORY_RUNS and OPEN are 0. Parameters that do not fit together
// fail at elaboration, for example as illegal_WIRES.
`default_nettype none

module fabric #(
    parameter integer KIND = 3,  // without links: of a multistage network, as in min_network, 2..8; or 18, or 32
    parameter integer NODES = 2,  // 2..1024
    parameter integer LINKS = 1,  // of a node, 1..24; 0: a multistage network
    parameter [NODES*(LINKS==0?1:LINKS)*24-1:0] WIRES =
        (NODES * (LINKS == 0 ? 1 : LINKS) * 24)'(48'h800000_800001),  // where each link leads
    parameter [NODES*(LINKS==0?1:LINKS)*8-1:0] DELAYS = '0,  // with LINK_DELAYS of NODE: the delay of each link
    parameter integer DIMS = 1,  // dimensions, 1..12
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'(LINKS == 0 ? NODES : 2)}},  // nodes along each dimension, 1..1024
    parameter integer LABEL_W = LINKS == 0 ? $clog2(NODES) : DIMS,  // bits of a label, 1..12
    parameter integer LINKS_PER_DIM = 1,  // as in net_router
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer V = 1,
    parameter integer OTIS = 0,  // 1: link LINKS-1 of each node is light
    parameter integer LIGHT_CYCLES = 0,  // of it, 0..63
    parameter integer LIGHT_RATIO = 1,  // 1..16
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer PRESET_DEPTH = 0,  // this one and the next one as in min_network
    parameter integer HISTORY_RUNS = 0,
    parameter integer GATED = 0,
    parameter integer OPEN = 0,  // 1: the nodes are the user's
    parameter integer FAILING = 0,  // 1: links can fail while a pass runs: see link_failures; direct networks without light or delay
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer LINK_DELAY = NODE[node_config::LINK_DELAY+:32],
    localparam integer ROUTER_DELAY = NODE[node_config::ROUTER_DELAY+:32],
    localparam integer MIXED = NODE[node_config::LINK_DELAYS+:32] != 0 ? 1 : 0,  // links differ: LINK_DELAY is the most
    localparam integer OCS = 18, OCS_BENES = 32,
    localparam integer CIRCUITS = LINKS == 0 && (KIND == OCS || KIND == OCS_BENES) ? 1 : 0,
    localparam integer STAGES = CIRCUITS != 0 ? 1 : LABEL_W,  // channels of a tile without a router
    localparam integer FAR = LINK_DELAY + ROUTER_DELAY  // cycles that a flit takes longer from router to router, at most
) (
    input  wire         clk,
    input  wire         net_clk,         // clk, or less of it: of the network and all that a pass consists of
    input  wire         rst,
    // verilator lint_off UNUSEDSIGNAL
    // settings and sequencer
    input  wire         paper,
    input  wire  [ 1:0] select,
    input  wire         preset,
    input  wire         backward,
    input  wire         free,            // a run has no barriers between its passes
    input  wire         record,          // histories are kept of a run with barriers, too
    input  wire         skip_self,
    input  wire  [31:0] seed,
    input  wire         rewind,
    input  wire         clear,
    input  wire         run,
    input  wire  [15:0] pass,
    input  wire  [31:0] cycle,           // number of the cycle before this one: see node
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
    // with OPEN, node u at bits u*FLIT_W, u, u*LABEL_W
    input  wire  [ NODES*FLIT_W-1:0] s_axis_tdata,
    input  wire  [        NODES-1:0] s_axis_tlast,
    input  wire  [        NODES-1:0] s_axis_tvalid,
    output logic [        NODES-1:0] s_axis_tready,
    input  wire  [NODES*LABEL_W-1:0] s_axis_tdest,
    output logic [ NODES*FLIT_W-1:0] m_axis_tdata,
    output logic [        NODES-1:0] m_axis_tlast,
    output logic [        NODES-1:0] m_axis_tvalid,
    input  wire  [        NODES-1:0] m_axis_tready,
    output logic [NODES*LABEL_W-1:0] m_axis_tuser,
    // verilator lint_on UNUSEDSIGNAL
    // state, of any tile
    output logic        busy,
    output logic        moved,
    output logic        log_overflow,
    output logic        store_overflow
);
  localparam integer INDEX_W = $clog2(NODES);
  // Nodes which share a clock: few are asked together, many make few clocks.
  localparam integer BANK_W = INDEX_W < 6 ? 0 : INDEX_W / 2 - 2, BANK = 1 << BANK_W;

  // Gives the places of the coordinates in a label, as net_router wants them.
  function automatic [DIMS*16-1:0] digits_of(input integer first);
    integer low, bits;
    low = first;
    digits_of = '0;
    for (int d = 0; d < DIMS; d++) begin
      bits = EXTENTS[d*16+:16] < 16'd2 ? 1 : $clog2(EXTENTS[d*16+:16]);
      digits_of[d*16+:16] = {8'(bits), 8'(low)};
      low = low + bits;
    end
  endfunction
  localparam [DIMS*16-1:0] DIGITS = digits_of(0);

  // The labels of all nodes, 12 bits each. (A constant function that calls another one is none to Icarus.)
  function automatic [NODES*12-1:0] labels_of(input integer nodes);
    integer rest;
    labels_of = '0;
    for (int u = 0; u < nodes; u++) begin
      rest = u;
      if (TABLE != 0 || LINKS == 0) labels_of[u*12+:12] = 12'(u);
      for (int d = 0; d < DIMS && TABLE == 0 && LINKS != 0; d++) begin
        labels_of[u*12+:12] = labels_of[u*12+:12] | 12'(rest % 32'(EXTENTS[d*16+:16]) << DIGITS[d*16+:8]);
        rest = rest / 32'(EXTENTS[d*16+:16]);
      end
    end
  endfunction
  localparam [NODES*12-1:0] LABELS = labels_of(NODES);

  // Marks the labels that nodes have.
  function automatic [(1<<LABEL_W)-1:0] known_labels(input integer nodes);
    known_labels = '0;
    for (int u = 0; u < nodes; u++) known_labels = known_labels | (1 << LABEL_W)'(1) << LABELS[u*12+:12];
  endfunction
  localparam [(1<<LABEL_W)-1:0] KNOWN = OPEN != 0 ? known_labels(NODES) : {(1 << LABEL_W) {1'b1}};

  if (NODES < 2 || NODES > 1024) begin : g_NODES illegal_NODES u_illegal (); end
  if (LINKS < 0 || LINKS > 24) begin : g_LINKS illegal_LINKS u_illegal (); end
  if (DIMS < 1 || DIMS > 12) begin : g_DIMS illegal_DIMS u_illegal (); end
  if (LINKS == 0 ? LABEL_W != INDEX_W : TABLE != 0 ? LABEL_W < INDEX_W : LABEL_W !=
      32'(DIGITS[(DIMS-1)*16+:8]) + 32'(DIGITS[(DIMS-1)*16+8+:8])) begin : g_LABEL_W
    illegal_LABEL_W u_illegal ();
  end
  if (OTIS != 0 && (DIMS != 4 || EXTENTS != {DIMS{EXTENTS[15:0]}} || NODES != 32'(EXTENTS[15:0]) ** 4)) begin : g_EXTENTS
    illegal_EXTENTS u_illegal ();
  end
  if (FAILING != 0 && (FAILING != 1 || LINKS == 0 || LIGHT_CYCLES != 0 || LIGHT_RATIO != 1 || FAR != 0)) begin : g_FAILING
    illegal_FAILING u_illegal ();
  end
  if (OPEN != 0 && (OPEN != 1 || CIRCUITS != 0)) begin : g_OPEN illegal_OPEN u_illegal (); end
  if (OTIS == 0 && LIGHT_CYCLES != 0) begin : g_LIGHT_CYCLES illegal_LIGHT_CYCLES u_illegal (); end
  if (OTIS == 0 && LIGHT_RATIO != 1) begin : g_LIGHT_RATIO illegal_LIGHT_RATIO u_illegal (); end
  if (LINK_DELAY < 0 || LINK_DELAY > 63 || LINKS == 0 && LINK_DELAY != 0) begin : g_LINK_DELAY
    illegal_LINK_DELAY u_illegal ();
  end
  if (MIXED != 0 && (LINKS == 0 || OTIS != 0 || LINK_DELAY == 0)) begin : g_LINK_DELAYS illegal_LINK_DELAYS u_illegal (); end
  if (ROUTER_DELAY < 0 || ROUTER_DELAY > 15 || LINKS == 0 && ROUTER_DELAY != 0) begin : g_ROUTER_DELAY
    illegal_ROUTER_DELAY u_illegal ();
  end
  // With a latency of 0 and a ratio of 1 light is a wire as any other.
  localparam integer LIGHT = LIGHT_CYCLES != 0 || LIGHT_RATIO != 1 ? 1 : 0;
  localparam integer SLOW = LIGHT != 0 || FAR != 0 ? 1 : 0, LIT = SLOW != 0 ? NODES : 1;

  // rx_*: into tile u, tx_*: out of it; index p is the link, of a multistage network there is one. Arrays, and one
  // assignment for each link: a simulator finds both ends of it when it builds the model.
  localparam integer ENDS = LINKS != 0 ? LINKS : 1;
  logic [ENDS*FLIT_W-1:0] rx_flit[NODES], tx_flit[NODES];
  logic [ENDS-1:0] rx_last[NODES], tx_last[NODES];
  // verilator lint_off UNUSEDSIGNAL
  logic [ENDS*V-1:0] rx_valid[NODES], rx_ready[NODES], rx_empty[NODES], rx_left[NODES];
  // verilator lint_on UNUSEDSIGNAL
  logic [ENDS*V-1:0] tx_valid[NODES], tx_ready[NODES], tx_empty[NODES];
  // Observation of a multistage network, for tile u.
  logic [STAGES-1:0] worm[NODES], flit[NODES], blocked[NODES];
  // verilator lint_off UNUSEDSIGNAL
  logic [NODES-1:0] inject_worm, inject_blocked;
  // verilator lint_on UNUSEDSIGNAL
  logic network_busy;
  logic [31:0] network_rdata;

  // verilator lint_off UNUSEDSIGNAL
  logic [NODES*ENDS-1:0] down;  // channels that carry nothing any more; with FAILING = 0 never read
  // verilator lint_on UNUSEDSIGNAL

  logic [31:0] tile_rdata[NODES];
  // Side by side. By a loop: of parts that are connected one by one a simulator makes the whole anew for each of them.
  logic [NODES*32-1:0] rdata;
  always_comb for (int u = 0; u < NODES; u++) rdata[u*32+:32] = tile_rdata[u];
  logic tile_busy[NODES], tile_moved[NODES], tile_log_overflow[NODES], tile_store_overflow[NODES];
  logic [ENDS-1:0] light_busy[LIT], light_moving[LIT];  // what comes into node u by light, or by a link with a delay

  always_ff @(posedge net_clk) begin : collect
    logic [3:0] any;
    any = {3'd0, network_busy};
    for (int u = 0; u < NODES; u++) any = any | {tile_store_overflow[u], tile_log_overflow[u], tile_moved[u], tile_busy[u]};
    for (int u = 0; u < LIT; u++) any = any | {2'b00, |light_moving[u], |light_busy[u]};
    {store_overflow, log_overflow, moved, busy} <= any;
  end

  tile_answers #(.TILES(NODES)) u_answers (
      .clk, .rst, .bus_request, .bus_address,
      .tile_rdata(rdata),
      .other_rdata(network_rdata),
      .bus_rdata
  );

  // Two levels, also because Verilator takes a long generate loop for an endless one.
  for (genvar bank = 0; bank < NODES; bank = bank + BANK) begin : g_bank
    wire bank_clk, request, write;
    wire [31:0] address, wdata;
    tile_bank #(.INDEX_W(INDEX_W), .BANK_W(BANK_W), .GATED(GATED)) u_bank (
        .clk, .net_clk,
        .bank(INDEX_W'(bank / BANK)),
        .bus_request, .bus_write, .bus_address, .bus_wdata, .early_request, .early_write, .early_address,
        .early_wdata,
        .tile_clk(bank_clk),
        .tile_request(request),
        .tile_write(write),
        .tile_address(address),
        .tile_wdata(wdata)
    );
    for (genvar u = bank; u < bank + BANK && u < NODES; u++) begin : g_tile
      localparam [11:0] LABEL = LABELS[u*12+:12];
      if (LINKS != 0) begin : g_net
        localparam [LINKS*24-1:0] MINE = WIRES[u*LINKS*24+:LINKS*24];
        for (genvar p = 0; p < LINKS; p++) begin : g_link
          localparam integer U = 32'(MINE[p*24+:12]), Q = 32'(MINE[p*24+12+:9]);
          // Cycles of what comes in by it longer under way from wire to wire, and of what leaves by it.
          localparam integer BACK = MIXED != 0 ? 32'(DELAYS[(MINE[p*24+23]?U*LINKS+Q:0)*8+:8]) : LINK_DELAY;
          localparam integer FAR_IN = BACK + ROUTER_DELAY;
          localparam integer FAR_OUT = (MIXED != 0 ? 32'(DELAYS[(u*LINKS+p)*8+:8]) : LINK_DELAY) + ROUTER_DELAY;
          if (MIXED != 0 && FAR_OUT > FAR) begin : g_DELAYS illegal_DELAYS u_illegal (); end
          if (MINE[p*24+23]) begin : g_wired
            if (U >= NODES || Q >= LINKS ||
                WIRES[(U*LINKS+Q)*24+:24] != {1'b1, MINE[p*24+21], MINE[p*24+22], 9'(p), 12'(u)}) begin : g_WIRES
              illegal_WIRES u_illegal ();
            end
          end
          if (MINE[p*24+23] && LIGHT != 0 && p == LINKS - 1) begin : g_light
            if (Q != p || MINE[p*24+21+:2] != 2'b00) begin : g_WIRES_2 illegal_WIRES u_illegal (); end
            otis_link #(.FLIT_W(FLIT_W), .V(V), .LIGHT_CYCLES(LIGHT_CYCLES), .LIGHT_RATIO(LIGHT_RATIO)) u_light (
                .clk(net_clk),
                // Between passes nothing is under way: it need not be told so by light.
                .rst(rst || OPEN == 0 && clear),
                .in_flit(tx_flit[U][p*FLIT_W+:FLIT_W]),
                .in_last(tx_last[U][p]),
                .in_valid(tx_valid[U][p*V+:V]),
                .in_ready(tx_ready[U][p*V+:V]),
                .in_empty(tx_empty[U][p*V+:V]),
                .out_flit(rx_flit[u][p*FLIT_W+:FLIT_W]),
                .out_last(rx_last[u][p]),
                .out_valid(rx_valid[u][p*V+:V]),
                .out_ready(rx_ready[u][p*V+:V]),
                .out_empty(rx_empty[u][p*V+:V]),
                .out_left({V{1'b0}}),
                .busy(light_busy[u][p]),
                .moving(light_moving[u][p])
            );
          end else if (MINE[p*24+23] && !MINE[p*24+21] && FAR_IN != 0) begin : g_slow
            otis_link #(
                .FLIT_W(FLIT_W), .V(V), .LIGHT_CYCLES(FAR_IN), .LIGHT_RATIO(1), .BACK_CYCLES(BACK),
                .BUFFERS(NODE[node_config::BUFFERS+:32])
            ) u_link (
                .clk(net_clk),
                .rst(rst || OPEN == 0 && clear),
                .in_flit(tx_flit[U][Q*FLIT_W+:FLIT_W]),
                .in_last(tx_last[U][Q]),
                .in_valid(tx_valid[U][Q*V+:V]),
                .in_ready(tx_ready[U][Q*V+:V]),
                .in_empty(tx_empty[U][Q*V+:V]),
                .out_flit(rx_flit[u][p*FLIT_W+:FLIT_W]),
                .out_last(rx_last[u][p]),
                .out_valid(rx_valid[u][p*V+:V]),
                .out_ready(rx_ready[u][p*V+:V]),
                .out_empty(rx_empty[u][p*V+:V]),
                .out_left(rx_left[u][p*V+:V]),
                .busy(light_busy[u][p]),
                .moving(light_moving[u][p])
            );
          end else if (MINE[p*24+23] && !MINE[p*24+21]) begin : g_in
            assign rx_flit[u][p*FLIT_W+:FLIT_W] = tx_flit[U][Q*FLIT_W+:FLIT_W];
            assign rx_last[u][p] = tx_last[U][Q];
            if (FAILING != 0) begin : g_fails
              assign rx_valid[u][p*V+:V] = tx_valid[U][Q*V+:V] & {V{!down[U*LINKS+Q]}};
            end else begin : g_works
              assign rx_valid[u][p*V+:V] = tx_valid[U][Q*V+:V];
            end
          end else begin : g_no_in
            assign rx_flit[u][p*FLIT_W+:FLIT_W] = '0;
            assign rx_last[u][p] = 1'b0;
            assign rx_valid[u][p*V+:V] = '0;
          end
          if (MINE[p*24+23] && (LIGHT != 0 && p == LINKS - 1 || !MINE[p*24+22] && FAR_OUT != 0)) begin : g_into_light
          end else if (MINE[p*24+23] && !MINE[p*24+22]) begin : g_out
            if (FAILING != 0) begin : g_fails
              assign tx_ready[u][p*V+:V] = rx_ready[U][Q*V+:V] & {V{!down[u*LINKS+p]}};
              assign tx_empty[u][p*V+:V] = rx_empty[U][Q*V+:V] & {V{!down[u*LINKS+p]}};
            end else begin : g_works
              assign tx_ready[u][p*V+:V] = rx_ready[U][Q*V+:V];
              assign tx_empty[u][p*V+:V] = rx_empty[U][Q*V+:V];
            end
          end else begin : g_no_out
            assign tx_ready[u][p*V+:V] = '1;
            assign tx_empty[u][p*V+:V] = '1;
          end
          // Nothing is under way where a link is a wire.
          if (u < LIT && !(MINE[p*24+23] && (LIGHT != 0 && p == LINKS - 1 || !MINE[p*24+21] && FAR_IN != 0))) begin : g_dark
            assign light_busy[u][p] = 1'b0;
            assign light_moving[u][p] = 1'b0;
          end
        end
        assign {worm[u], flit[u], blocked[u]} = '0;
      end else if (u < LIT) begin : g_no_light
        assign light_busy[u] = '0;
        assign light_moving[u] = '0;
      end
      fabric_tile #(
          .LINKS(LINKS), .LABEL_W(LABEL_W), .DIMS(DIMS), .EXTENTS(EXTENTS), .DIGITS(DIGITS),
          .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .OTIS(OTIS), .V(V), .NODE(NODE),
          .FREE(HISTORY_RUNS != 0 ? 1 : 0), .OPEN(OPEN), .KNOWN(KNOWN), .STAGES(STAGES)
      ) u_tile (
          .clk(bank_clk),
          .net_clk, .rst,
          .index(12'(u)),
          .here(LABEL[LABEL_W-1:0]),
          .paper, .select, .seed, .skip_self, .rewind, .clear, .run, .pass, .cycle,
          .bus_request(request),
          .bus_write(write),
          .bus_address(address),
          .bus_wdata(wdata),
          .bus_rdata(tile_rdata[u]),
          .stream_refill, .stream_handed,
          .s_axis_tdata(s_axis_tdata[u*FLIT_W+:FLIT_W]),
          .s_axis_tlast(s_axis_tlast[u]),
          .s_axis_tvalid(s_axis_tvalid[u]),
          .s_axis_tready(s_axis_tready[u]),
          .s_axis_tdest(s_axis_tdest[u*LABEL_W+:LABEL_W]),
          .m_axis_tdata(m_axis_tdata[u*FLIT_W+:FLIT_W]),
          .m_axis_tlast(m_axis_tlast[u]),
          .m_axis_tvalid(m_axis_tvalid[u]),
          .m_axis_tready(m_axis_tready[u]),
          .m_axis_tuser(m_axis_tuser[u*LABEL_W+:LABEL_W]),
          .obs_worm(worm[u]),
          .obs_flit(flit[u]),
          .obs_blocked(blocked[u]),
          .inject_worm(inject_worm[u]),
          .inject_blocked(inject_blocked[u]),
          .in_flit(rx_flit[u]),
          .in_last(rx_last[u]),
          .in_valid(rx_valid[u]),
          .in_ready(rx_ready[u]),
          .in_empty(rx_empty[u]),
          .in_left(rx_left[u]),
          .out_flit(tx_flit[u]),
          .out_last(tx_last[u]),
          .out_valid(tx_valid[u]),
          .out_ready(tx_ready[u]),
          .out_empty(tx_empty[u]),
          .busy(tile_busy[u]),
          .moved(tile_moved[u]),
          .log_overflow(tile_log_overflow[u]),
          .store_overflow(tile_store_overflow[u])
      );
    end
  end

  if (LINKS == 0) begin : g_min
    assign down = '0;
    // to_*: from node u into the network; from_*: out of it.
    logic [NODES*FLIT_W-1:0] to_flit, from_flit;
    logic [NODES-1:0] to_last, to_valid, to_ready, to_empty, from_last, from_valid, from_ready, from_empty;
    logic [NODES*STAGES-1:0] all_worm, all_flit, all_blocked;

    // A loop, because a simulator that puts separate wires together copies all of them for each; not always_comb, which
    // Icarus 11 evaluates for ever here.
    always @* begin : gather
      logic [NODES*FLIT_W-1:0] flits;
      flits = '0;
      for (int u = 0; u < NODES; u++) if (to_valid[u]) flits[u*FLIT_W+:FLIT_W] = tx_flit[u];
      to_flit = flits;
    end
    // A node holds the flit that it took in the last cycle, if any: on the network's clock, for the network waits for it.
    always_ff @(posedge net_clk) from_empty <= rst ? '1 : ~from_valid;

    for (genvar u = 0; u < NODES; u++) begin : g_end
      assign {to_last[u], to_valid[u]} = {tx_last[u], tx_valid[u]};
      assign {tx_ready[u], tx_empty[u]} = {to_ready[u], to_empty[u]};
      assign rx_flit[u] = from_flit[u*FLIT_W+:FLIT_W];
      assign {rx_last[u], rx_valid[u]} = {from_last[u], from_valid[u]};
      assign from_ready[u] = rx_ready[u];
      assign worm[u] = all_worm[u*STAGES+:STAGES];
      assign flit[u] = all_flit[u*STAGES+:STAGES];
      assign blocked[u] = all_blocked[u*STAGES+:STAGES];
    end

    if (CIRCUITS != 0 && OPEN == 0) begin : g_circuits
      ocs_network #(
          .NODES(NODES), .SWITCHES(DIMS == 1 ? 1 : NODES / 32'(EXTENTS[15:0])), .FLIT_W(FLIT_W),
          .DEPTH(PRESET_DEPTH == 0 ? 1 : PRESET_DEPTH), .BENES(KIND == OCS_BENES ? 1 : 0)
      ) u_network (
          .clk, .net_clk, .rst,
          .blind(preset),
          .load(clear),
          .run, .bus_request, .bus_write, .bus_address, .bus_wdata,
          .bus_rdata(network_rdata),
          .in_flit(to_flit),
          .in_last(to_last),
          .in_valid(to_valid),
          .in_ready(to_ready),
          .out_flit(from_flit),
          .out_last(from_last),
          .out_valid(from_valid),
          .obs_worm(all_worm),
          .obs_flit(all_flit),
          .busy(network_busy)
      );
      assign to_empty = '1;  // nothing is kept on the way
      assign all_blocked = '0;
    end else begin : g_stages
      min_network #(
          .KIND(KIND), .SIZE(INDEX_W), .RULE_W(NODE[node_config::RULE_W+:32]), .SLOTS(NODE[node_config::SLOTS+:32]),
          .FLIT_W(FLIT_W), .BUFFERS(NODE[node_config::BUFFERS+:32]), .PRESET_DEPTH(PRESET_DEPTH),
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
          .obs_worm(all_worm),
          .obs_flit(all_flit),
          .obs_blocked(all_blocked),
          .busy(network_busy)
      );
    end
  end else begin : g_direct
    assign network_busy = 1'b0;
    if (FAILING != 0) begin : g_failures
      link_failures #(.NODES(NODES), .LINKS(LINKS)) u_failures (
          .clk, .rst, .run, .cycle, .bus_request, .bus_write, .bus_address, .bus_wdata,
          .bus_rdata(network_rdata),
          .down
      );
    end else begin : g_no_failures
      assign network_rdata = '0;
      assign down = '0;
    end
  end

`ifdef FORMAL
  // The length of one node's (any) program is read back as it was written last, four cycles after the request; what
  // is for no tile and no switch is answered by 0.
  localparam integer F_LENGTH_W = $clog2(NODE[node_config::PROGRAM_DEPTH+:32]) + 1;
  logic [3:0] f_age = 4'd0;  // cycles, 15 or more: 15
  (* anyconst *) logic [INDEX_W-1:0] f_node;
  logic [F_LENGTH_W-1:0] f_length;
  wire f_switch = LINKS == 0 && bus_address[31:28] == regmap::SPACE_SWITCH && 32'(bus_address[27:16]) < INDEX_W &&
      32'(bus_address[15:4]) < PRESET_DEPTH && 32'(bus_address[3:0]) < (NODES + 63) / 64;
  wire f_known = bus_address[31:28] == regmap::SPACE_NODE || bus_address[31:28] == regmap::SPACE_MONITOR || f_switch;
  // Bits 12 to 8 of a node's register are not looked at.
  wire f_register = bus_address[31:28] == regmap::SPACE_NODE && bus_address[15:13] == 3'd0 && bus_address[7:0] == 8'd0;
  wire f_here = f_register && bus_address[27:16] == 12'(f_node);
  wire f_all = f_register && (&bus_address[27:16]);

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 4'd1;
    assume (rst == (f_age < 4'd1));
    assume (32'(f_node) < NODES);
    if (f_age != 4'd0) assume ($stable(paper) && $stable(preset) && $stable(seed));

    if (bus_request && bus_write && (f_here || f_all)) f_length <= bus_wdata[F_LENGTH_W-1:0];
    if (rst) f_length <= '0;

    if (f_age > 4'd5) begin
      if ($past(bus_request && !bus_write && f_here, 4)) assert (bus_rdata == 32'($past(f_length, 4)));
      if ($past(bus_request && !f_known, 4)) assert (bus_rdata == '0);
    end

    cover (f_age > 4'd5 && bus_rdata == 32'd2 && $past(bus_request && !bus_write && f_here, 4));
  end

  if (LINKS == 0) begin : g_f_min
    always_ff @(posedge clk) begin
      if (f_age != 4'd0) for (int u = 0; u < NODES; u++) assert (rx_empty[u] == g_min.from_empty[u]);
      cover (f_age > 4'd5 && bus_rdata == 32'd1 && $past(bus_request && f_switch, 4));
    end
  end
`endif
endmodule

`default_nettype wire
