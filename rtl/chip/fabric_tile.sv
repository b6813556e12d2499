// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A tile of a fabric: a node_tile, that is a node with its monitor, or with OPEN = 1 an open_node, that is a place for a
// node of the user's. In a direct network there is a net_router, too, with the node on its local port; a multistage
// network (LINKS = 0) has its switches outside. The module fabric wires tiles. A design with endpoints of its own uses
// fabric_open, or net_router and puts them on port 0: the local port is a plain stream each way.
//
// Latency: a flit from one tile to the next takes one cycle, without a router none. Throughput: one flit per cycle and
// channel. Register read data is there three cycles after the request.
//
// Ports:
// - clk, net_clk: tie both to the same clock. fabric_top with GATED = 1, which only simulation sets, stops net_clk between
//   the passes (clock_gate).
// - index: number of this node on the register port. here: its label, as headers name it (see net_router). Both constant;
//   they are ports and not parameters, so that a simulator can share one body among all nodes. paper, select, seed: settings,
//   constant while a pass runs. rewind, clear, run, pass, cycle: from pass_sequencer, the same for all tiles; see node.
// - bus_*: register port, as in node_tile: no wait states; read data is 0 from a tile that the address does not name,
//   so that a fabric can OR the tiles' answers. With TABLE = 1 the window ROUTE is the table of net_router: word
//   rule << LABEL_W | destination holds a port, 0 the local one, p+1 link p. With V > 1 the rule is a virtual network (see
//   net_router). With ADAPTIVE = 2 of NODE it has net_router's sets. Node number 0xfff writes the same word in all tiles.
// - s_axis_*, m_axis_*: with OPEN = 1 as in open_node; else tie them to 0 and leave them open. With OPEN = 1 clear is as in
//   open_node, too, of the sequencer's and the stream's ports no other one is looked at, and net_clk must be clk.
// - in_*, out_*: LINKS channels; index p is link p, out to a neighbour and in from the same one; index p*V+v of valid,
//   ready and empty is its virtual channel v. Handshake as in wh_router. With LINKS = 0 one channel each way, between the
//   node and the network; in_empty is then on clk, so that the network has to find out by itself (fabric does).
// - obs_*, inject_*: with LINKS = 0 as in node_tile, STAGES channels of the network; else tie them to 0 and leave them
//   open. inject_* are 0 with OPEN = 1.
// - busy, moved: see node_tile; busy is also 1 while a router in here holds a flit. Both belong to the cycle in which they
//   are seen, no register is between. log_overflow, store_overflow: see node_tile; 0 with OPEN = 1.
//
// Reset as in wh_router; all tiles together; a route table is kept. Parameters as in fabric_top; DIGITS as in
// net_router, KNOWN as in axis_packetiser. A missing link: in_valid to 0, out_ready to 1.
//
// No function may be declared in here nor in anything that a tile contains: Verilator 5.006 then makes a copy of the
// body for each tile, and a model of 256 nodes never gets built (tests/e2e/test_tile_sharing.sh).
`default_nettype none

module fabric_tile #(
    parameter integer LINKS = 8,  // links of a node, 1..24; 0: a multistage network
    parameter integer LABEL_W = 8,  // this one and the next ones as in net_router
    parameter integer DIMS = 8,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter [DIMS*16-1:0] DIGITS = (DIMS * 16)'(192'h010b_010a_0109_0108_0107_0106_0105_0104_0103_0102_0101_0100),
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer OTIS = 0,
    parameter integer V = 1,
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer OPEN = 0,  // 1: the node is the user's
    parameter integer STAGES = LABEL_W,  // with LINKS = 0: channels of the network that this tile counts
    // one of these two is for each kind of node; the other kind does not use it
    // verilator lint_off UNUSEDPARAM
    parameter integer FREE = 0,  // as in node, with OPEN = 0
    parameter [(1<<LABEL_W)-1:0] KNOWN = '1,  // with OPEN: labels that nodes have
    // verilator lint_on UNUSEDPARAM
    localparam integer RULE_W = NODE[node_config::RULE_W+:32],
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer SMALL = NODE[node_config::SMALL+:32],
    localparam integer ADAPTIVE = NODE[node_config::ADAPTIVE+:32],
    localparam integer VIA = RULE_W > 4 ? 1 : 0,  // messages go through a node
    localparam integer FROM_W = LABEL_W + $clog2(LINKS + 1),
    localparam integer AT_W = ADAPTIVE == 2 ? (FROM_W > 12 ? 12 : FROM_W) : LABEL_W + (V > 4 ? 3 : V > 2 ? 2 : 1),  // of a route table
    localparam integer ENDS = LINKS != 0 ? LINKS : 1  // channels in, and out
) (
    input  wire                     clk,                 // of the node
    // verilator lint_off UNUSEDSIGNAL
    input  wire                     net_clk,             // of the router: clk, or less of it
    // verilator lint_on UNUSEDSIGNAL
    input  wire                     rst,
    input  wire  [            11:0] index,
    input  wire  [     LABEL_W-1:0] here,
    // settings and sequencer
    // verilator lint_off UNUSEDSIGNAL
    input  wire                     paper,
    input  wire  [             1:0] select,
    input  wire  [            31:0] seed,
    input  wire                     skip_self,
    input  wire                     rewind,
    input  wire                     clear,
    input  wire                     run,
    input  wire  [            15:0] pass,
    input  wire  [            31:0] cycle,               // number of the cycle before this one: see node
    // register port
    input  wire                     bus_request,
    input  wire                     bus_write,
    input  wire  [            31:0] bus_address,
    input  wire  [            31:0] bus_wdata,
    output logic [            31:0] bus_rdata,
    // stream, as in node_tile
    input  wire                     stream_refill,
    input  wire                     stream_handed,
    // the user's streams
    input  wire  [      FLIT_W-1:0] s_axis_tdata,
    input  wire                     s_axis_tlast,
    input  wire                     s_axis_tvalid,
    output logic                    s_axis_tready,
    input  wire  [     LABEL_W-1:0] s_axis_tdest,
    output logic [      FLIT_W-1:0] m_axis_tdata,
    output logic                    m_axis_tlast,
    output logic                    m_axis_tvalid,
    input  wire                     m_axis_tready,
    output logic [     LABEL_W-1:0] m_axis_tuser,
    // observation of the network's channels and of the injection channel
    input  wire  [      STAGES-1:0] obs_worm,
    input  wire  [      STAGES-1:0] obs_flit,
    input  wire  [      STAGES-1:0] obs_blocked,
    output logic                    inject_worm,
    output logic                    inject_blocked,
    // channels, in
    input  wire  [ ENDS*FLIT_W-1:0] in_flit,
    input  wire  [        ENDS-1:0] in_last,
    input  wire  [      ENDS*V-1:0] in_valid,
    output logic [      ENDS*V-1:0] in_ready,
    output logic [      ENDS*V-1:0] in_empty,
    output logic [      ENDS*V-1:0] in_left,             // for links with a delay: as in wh_router; 0 without a router
    // and out
    output logic [ ENDS*FLIT_W-1:0] out_flit,
    output logic [        ENDS-1:0] out_last,
    output logic [      ENDS*V-1:0] out_valid,
    input  wire  [      ENDS*V-1:0] out_ready,
    input  wire  [      ENDS*V-1:0] out_empty,
    // verilator lint_on UNUSEDSIGNAL
    // state
    output logic                    busy,                // something is under way here
    output logic                    moved,               // a flit crossed one of the channels, or time passes: see node_tile
    output logic                    log_overflow,        // a message found the log full; stays 1 until reset
    output logic                    store_overflow       // a message did not fit into its slot; stays 1 until reset
);
  if (TABLE != 0 && ADAPTIVE != 2 && AT_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end  // the window ROUTE has 4096 words
  if (ADAPTIVE == 2 && TABLE == 0 && FROM_W > 12) begin : g_LABEL_W_2 illegal_LABEL_W u_illegal (); end  // labels need all their bits
  if (ADAPTIVE != 0 && LINKS == 0) begin : g_ADAPTIVE illegal_ADAPTIVE u_illegal (); end
  if (VIA != 0 && LINKS == 0) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (OPEN != 0 && OPEN != 1) begin : g_OPEN illegal_OPEN u_illegal (); end

  localparam integer PORTS = LINKS + 1;
  localparam integer PORT_W = LINKS != 0 ? $clog2(PORTS) : 1;
  localparam integer WORD_W = ADAPTIVE == 2 ? PORTS : PORT_W;  // of a route table
  localparam integer CHANNELS = LINKS != 0 ? PORTS : STAGES;

  // Local port: to_* from the node into the network (injection), from_* out of it (ejection).
  logic [FLIT_W-1:0] to_flit, from_flit;
  logic to_last, to_valid, to_ready;
  logic from_last, from_valid, from_ready;
  // verilator lint_off UNUSEDSIGNAL
  logic to_empty, from_empty, to_left;
  logic node_empty;  // from_empty on the node's clock; the proof compares them
  // verilator lint_on UNUSEDSIGNAL
  logic [CHANNELS-1:0] watch_worm, watch_flit, watch_blocked;
  logic router_busy, node_busy;

  // The route table's window of the register port, and its answer, which comes when the node's does. The node sees no
  // request for it.
  // verilator lint_off UNUSEDSIGNAL
  logic at_table, table_select;
  logic [WORD_W-1:0] table_port, table_answer;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] node_rdata;
  assign bus_rdata = node_rdata | 32'(table_answer);

  if (LINKS != 0) begin : g_router
    logic [PORTS-1:0] worm, flit, blocked;
    // This node's random lanes begin with it.
    wire [15:0] lanes_seed = ADAPTIVE != 0 ? 16'h1d0f ^ 16'(index) * 16'h9e37 : '0;

    route_window #(
        .TABLE (TABLE != 0 || ADAPTIVE == 2 ? 1 : 0),
        .PORT_W(WORD_W)
    ) u_window (
        .clk, .rst, .index, .bus_request, .bus_write, .bus_address,
        .here(at_table),
        .table_select, .table_port,
        .answer(table_answer)
    );

    // Port 0 of the router is the local one, port p+1 is link p.
    net_router #(
        .LINKS(LINKS), .LABEL_W(LABEL_W), .DIMS(DIMS), .EXTENTS(EXTENTS), .DIGITS(DIGITS),
        .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .OTIS(OTIS), .V(V), .RULE_W(RULE_W),
        .FLIT_W(FLIT_W), .BUFFERS(NODE[node_config::BUFFERS+:32]), .SMALL(SMALL), .VIA(VIA), .ADAPTIVE(ADAPTIVE)
    ) u_router (
        .clk(net_clk),
        .rst, .paper, .here, .select,
        .seed(lanes_seed),
        .table_clk(clk),
        .table_select,
        .table_write(bus_write),
        .table_at(bus_address[AT_W-1:0]),
        .table_wdata(bus_wdata[WORD_W-1:0]),
        .table_rdata(table_port),
        .in_flit({in_flit, to_flit}),
        .in_last({in_last, to_last}),
        .in_valid({in_valid, to_valid}),
        .in_ready({in_ready, to_ready}),
        .in_empty({in_empty, to_empty}),
        .in_left({in_left, to_left}),
        .out_flit({out_flit, from_flit}),
        .out_last({out_last, from_last}),
        .out_valid({out_valid, from_valid}),
        .out_ready({out_ready, from_ready}),
        .out_empty({out_empty, from_empty}),
        .obs_worm(worm),
        .obs_flit(flit),
        .obs_blocked(blocked),
        .busy(router_busy)
    );

    // The ejection channel is the last one of those watched, as in include/flitloom/topo.h.
    assign watch_worm = {worm[0], worm[LINKS:1]};
    assign watch_flit = {flit[0], flit[LINKS:1]};
    assign watch_blocked = {blocked[0], blocked[LINKS:1]};
    if (OPEN != 0) begin : g_open
      assign from_empty = node_empty;
    end else begin : g_node
      // The node holds the flit that it took in the last cycle, if any: on the network's clock, for the router waits for it.
      always_ff @(posedge net_clk) from_empty <= rst || !from_valid;
    end
  end else begin : g_no_router
    assign {out_flit, out_last, out_valid, to_ready, to_empty} = {to_flit, to_last, to_valid, out_ready, out_empty};
    assign {from_flit, from_last, from_valid, in_ready, in_empty} = {in_flit, in_last, in_valid, from_ready, node_empty};
    assign {watch_worm, watch_flit, watch_blocked} = {obs_worm, obs_flit, obs_blocked};
    assign {at_table, table_select, table_port, table_answer, router_busy, from_empty, to_left, in_left} = '0;
  end

  if (OPEN != 0) begin : g_open
    open_node #(.LABEL_W(LABEL_W), .CHANNELS(CHANNELS), .NODE(NODE), .KNOWN(KNOWN)) u_node (
        .clk, .rst, .index, .here, .clear,
        .bus_request(bus_request && !at_table),
        .bus_write, .bus_address,
        .bus_rdata(node_rdata),
        .s_axis_tdata, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready, .s_axis_tdest, .m_axis_tdata, .m_axis_tlast,
        .m_axis_tvalid, .m_axis_tready, .m_axis_tuser,
        .out_flit(to_flit),
        .out_last(to_last),
        .out_valid(to_valid),
        .out_ready(to_ready),
        .in_flit(from_flit),
        .in_last(from_last),
        .in_valid(from_valid),
        .in_ready(from_ready),
        .in_empty(node_empty),
        .obs_worm(watch_worm),
        .obs_flit(watch_flit),
        .obs_blocked(watch_blocked),
        .busy(node_busy),
        .moved
    );
    assign {inject_worm, inject_blocked, log_overflow, store_overflow} = '0;
  end else begin : g_node
    // A pass has no more worms than all programs have messages; but programs that are fed while it runs have no end.
    localparam integer COUNT_W = NODE[node_config::COUNT_W+:32];
    localparam integer ALL_W = LABEL_W + $clog2(NODE[node_config::PROGRAM_DEPTH+:32]) + 1;
    localparam integer WORM_W = LINKS != 0 && NODE[node_config::STREAM+:32] == 0 && ALL_W < COUNT_W ? ALL_W : COUNT_W;
    node_tile #(.LABEL_W(LABEL_W), .CHANNELS(CHANNELS), .NODE(NODE), .WORM_W(WORM_W), .FREE(FREE)) u_node (
        .clk, .rst, .index, .here, .paper, .seed, .skip_self, .rewind, .clear, .run, .pass, .cycle,
        .bus_request(bus_request && !at_table),
        .bus_write, .bus_address, .bus_wdata,
        .bus_rdata(node_rdata),
        .stream_refill, .stream_handed,
        .out_flit(to_flit),
        .out_last(to_last),
        .out_valid(to_valid),
        .out_ready(to_ready),
        .out_empty(to_empty),
        .in_flit(from_flit),
        .in_last(from_last),
        .in_valid(from_valid),
        .in_ready(from_ready),
        .in_empty(node_empty),
        .inject_worm, .inject_blocked,
        .obs_worm(watch_worm),
        .obs_flit(watch_flit),
        .obs_blocked(watch_blocked),
        .busy(node_busy),
        .moved, .log_overflow, .store_overflow
    );
    assign {s_axis_tready, m_axis_tdata, m_axis_tlast, m_axis_tvalid, m_axis_tuser} = '0;
  end

  assign busy = router_busy || node_busy;

`ifdef LOOM_WAVES
  // verilator lint_off PINMISSING
  for (genvar p = 0; p < LINKS; p++) begin : g_link
    header_view #(
        .LABEL_W(LABEL_W),
        .RULE_W(RULE_W),
        .SLOTS(NODE[node_config::SLOTS+:32]),
        .FLIT_W (FLIT_W)
    ) view_out (
        .clk, .rst,
        .flit(out_flit[p*FLIT_W+:FLIT_W]),
        .last(out_last[p]),
        .valid(|out_valid[p*V+:V]),
        .ready(|(out_valid[p*V+:V] & out_ready[p*V+:V]))
    );
  end
  // verilator lint_on PINMISSING
`endif

`ifdef FORMAL
  // Offers stay; LOG_COUNT read over the register port is the number of tails ejected; who is not asked answers 0.
  logic [3:0] f_age = 4'd0;  // cycles, 15 or more: 15
  logic [31:0] f_received;
  logic [LINKS*V-1:0] f_left_ready, f_left_empty;  // as a lane was, without a flit, when last one of its link was ready
  (* anyconst *) logic [6:0] f_lane;  // a virtual channel of a link
  wire [6:0] f_link = f_lane / 7'(V);
  (* anyconst *) logic [AT_W-1:0] f_at;  // a word of the route table
  logic f_has_port;
  logic [PORT_W-1:0] f_port;
  wire f_asked = bus_request && (bus_address[31:28] == regmap::SPACE_NODE || bus_address[31:28] == regmap::SPACE_MONITOR) &&
      (bus_address[27:16] == index || (&bus_address[27:16]));

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 4'd1;
    if (f_age == 4'd0) assume (rst);
    assume (32'(f_lane) < LINKS * V);
    // With virtual channels a flit is for one of them, and a ready stays until a flit comes, but for rests of all of a link.
    for (int l = 0; V > 1 && l < LINKS * V; l++) begin
      for (int m = 0; m < LINKS * V; m++) if (l / V == m / V && l != m) assume (!in_valid[l] || !in_valid[m]);
      if (out_ready[l/V*V+:V] != '0) begin
        if (f_age != 4'd0) assume (({f_left_ready[l], f_left_empty[l]} & ~{out_ready[l], out_empty[l]}) == 2'b00);
        f_left_ready[l] <= out_ready[l] && !out_valid[l];
        f_left_empty[l] <= out_empty[l] && !out_valid[l];
      end
    end
    if (rst) begin
      f_left_ready <= '0;
      f_left_empty <= '0;
    end
    assume ((out_empty & ~out_ready) == '0);
    if (f_age != 4'd0) assume ($stable(paper) && $stable(here) && $stable(index) && $stable(seed));

    if (table_select && bus_write && bus_address[AT_W-1:0] == f_at) begin
      f_has_port <= 1'b1;
      f_port <= bus_wdata[PORT_W-1:0];
    end
    if (f_age == 4'd0) f_has_port <= 1'b0;
    if (TABLE != 0 && f_age > 4'd4 && !$past(rst) && !$past(rst, 2) && !$past(rst, 3) &&
        $past(table_select && !bus_write && f_has_port && bus_address[AT_W-1:0] == f_at, 3))
      assert (bus_rdata == 32'($past(f_port, 3)));
    if (from_valid && from_ready && from_last) f_received <= f_received + 32'd1;
    if (rst) f_received <= '0;

    if (f_age != 4'd0) begin
      if (!$past(rst) && $past(out_valid[f_lane] && !out_ready[f_lane])) begin
        assert (out_valid[f_lane] && out_last[f_link] == $past(out_last[f_link]));
        assert (out_flit[f_link*FLIT_W+:FLIT_W] == $past(out_flit[f_link*FLIT_W+:FLIT_W]));
      end
      if (V > 1) assert ((out_valid & ~out_ready) == '0);
      if (!(&in_empty)) assert (busy);
      if (|(out_valid & out_ready)) assert (moved);
      assert (from_ready && node_empty == from_empty);
      if ($past(rst)) assert (out_valid == '0);
    end
    if (f_age > 4'd4 && !$past(rst) && !$past(rst, 2) && !$past(rst, 3)) begin
      if (!$past(f_asked, 3)) assert (bus_rdata == '0);
      if ($past(bus_request && !bus_write && bus_address == {regmap::SPACE_NODE, index, regmap::LOG_COUNT}, 3))
        assert (bus_rdata == $past(f_received, 3));
    end

    cover (f_age > 4'd2 && !$past(rst) && f_received == 32'd1 && $past(out_valid[0] && out_last[0] && out_ready[0]));
    cover (f_age > 4'd4 && bus_rdata == 32'd1 && f_received == 32'd1 &&
           $past(bus_request && !bus_write && bus_address == {regmap::SPACE_NODE, index, regmap::LOG_COUNT}, 3));
  end
`endif
endmodule

`default_nettype wire
