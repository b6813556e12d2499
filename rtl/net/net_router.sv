// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A node's router in a direct network: wh_router with route units. Port 0 is the local one, for an endpoint; port p+1 is
// link p, out to a neighbour and in from the same one. fabric_tile puts a node on port 0, fabric wires the tiles.
//
// Latency, throughput, handshake, reset and observation are those of wh_router: one cycle per router, one flit per
// cycle and channel.
//
// From bit 0 a header holds destination and source (LABEL_W bits each) and rule (RULE_W bits): see header_fields.
// The router reads destination and rule (bits 1:0) and changes nothing; the bits above, and all bits of the flits
// behind the header, are the user's.
//
// How it routes, by parameter:
// - TABLE = 0: route_order, one dimension after the other, for cubes, lines, rings, meshes and tori. A label is the
//   node's coordinates side by side: see there for DIMS, EXTENTS, DIGITS, LINKS_PER_DIM and WRAP. Rule 0 corrects the
//   lowest dimension first (e-cube, XY), rule 1 the highest. With WRAP and RULE_W > 1 rules 2 and 3 are like these,
//   but go around rings by plus, where the others take the shorter way. Without wrap-around links deadlock cannot
//   occur as long as all messages under way have the same rule, and every endpoint keeps accepting the flits that
//   come to it. Around a ring of more than three nodes (one way: of more than two) messages can wait for each other
//   in a circle. There the choice of messages must prevent it, or V > 1: several virtual channels on each link, with
//   datelines (see route_order). The local port has one lane even so: no message waits for another on its way to an
//   injection channel, and a message that has the ejection channel waits only for its own flits, which come by lanes
//   that are already its own.
// - TABLE = 1: route_table, a memory by rule and destination, for any other network; DIMS and the rest are ignored. A
//   destination then is any label in the tables. With V = 1 there is a table for each value of bit 0 of the rule.
//   With V > 1 the rule, below V, is the number of a virtual network, which has a table of its own: by it a message
//   goes from injection to ejection on virtual channel `rule` of each link. So messages of two networks never wait
//   for each other; deadlock inside one network is the responsibility of the host, which fills the tables. The table
//   is read once for each message, when its header comes to the head of its buffer. So words may be written while
//   messages are under way: each message goes whole by one output, by the old word or by the new one.
//
// - OTIS = 1: route_otis, for an OTIS-Mesh: the four links of a mesh, and link 4 by light. A label is as described
//   there; EXTENTS and the rest are ignored. Rule 0 goes along rows first, rule 1 along columns. With V = 2 either
//   rule is free of deadlock.
//
// - ADAPTIVE = 1: route_choice, with TABLE and OTIS 0: rules 4 to 8 give a header several lanes, and the router takes
//   a free one: see there, and `select` of wh_router. The rules 0 to 3 are as with ADAPTIVE = 0. RULE_W must be 4.
// - ADAPTIVE = 2: route_sets, with OTIS 0, for any rule: a memory has a set of links for each input and destination.
//   DIMS and the rest are ignored; only, with TABLE = 0, they give the order of headers that come together. RULE_W
//   must be 4.
//
// - VIA = 1: route_via, with TABLE, OTIS and ADAPTIVE 0 and V even: each message goes through a node. RULE_W must
//   be 4 + LABEL_W: the rule is in the low 4 bits of the header's rule, and that node's label above them. Rule 9 is
//   route_via's `corner`, any other one its usual way.
//
// No route goes back by the link along which the message came, in dimension order and on an OTIS-Mesh; with VIA = 1
// one may, at the node through which the message goes. With a table in which a route did, the message would go back
// and forth for ever. Such a message instead waits at the head of its input for ever, as do all messages behind it,
// and those that request the same output later (see BACK in wh_router). The local port may send to itself.
//
// If headers come together, the one from the lowest port goes first. With LINKS_PER_DIM = 1, a cube, it is the one
// from the lowest source: under e-cube a header that came along dimension d differs from `here` in no bit above d. So
// this is an order of ports: those whose bit of `here` is set, from the highest dimension down; then the local one;
// then the others, from the lowest up.
//
// Ports as in wh_router with SINGLE = 1, and:
// - here: this router's label, constant after reset. It is a port and not a parameter so that a simulator can share
//   one body among all nodes; tie it to a constant. It is ignored with TABLE = 1.
// - paper: tie to 0 unless you compare cycles with [Hou01] (see wh_output); out_empty of unconnected or plain
//   endpoints then to 0.
// - select, seed: as in wh_router; tie them to 0 with ADAPTIVE = 0.
// - table_*: as in route_table, with ADAPTIVE = 2 as in route_sets, with a clock of their own, which must be clk or run with it. With
//   TABLE = 0 and another ADAPTIVE tie them to 0.
//
// Size and clock on an iCE40: docs/using-the-rtl.md. Over 400 lines because the proof of this contract stands at the end.
//
// Unused ports (the edge of a mesh, an incomplete cube): tie in_valid to 0, out_ready to 1; then no message may be
// sent whose route would take that port, because it would be lost.
//
// Legal parameters: FLIT_W holds destination, source and rule; with TABLE = 0 LINKS is DIMS*LINKS_PER_DIM; with OTIS = 1
// TABLE is 0, LINKS 5, LABEL_W 4 or 8 or 12, LINKS_PER_DIM 2 and V 1 or 2; with TABLE = 1 RULE_W is at least
// NET_W; LINKS*V is below 64; with VIA = 1 V is even. The defaults of EXTENTS and DIGITS are those of a cube. Compile
// chip/header_fields.sv first; the file list is rtl/net_router.f.
//
// Example:
//   // Node 5 of a 3-cube: four ports.
//   net_router #(.LINKS(3), .LABEL_W(3), .DIMS(3), .FLIT_W(16)) u_router (
//       .clk(clk), .rst(rst), .paper(1'b0), .here(3'd5), .select(2'd0), .seed(16'd0),
//       .table_clk(1'b0), .table_select(1'b0), .table_write(1'b0), .table_at(4'd0), .table_wdata(2'd0), .table_rdata(),
//       .in_flit(in_flit), .in_last(in_last), .in_valid(in_valid), .in_ready(in_ready), .in_empty(in_empty), .in_left(),
//       .out_flit(out_flit), .out_last(out_last), .out_valid(out_valid), .out_ready(out_ready), .out_empty(4'b0000),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy());
//   // Row 2, column 4 of a mesh of 3 rows and 5 columns (x in bits 2:0 of a label, y in bits 4:3): five ports.
//   net_router #(.LINKS(4), .LABEL_W(5), .DIMS(2), .EXTENTS({16'd3, 16'd5}), .DIGITS({16'h0203, 16'h0300}),
//                .LINKS_PER_DIM(2), .FLIT_W(16)) u_mesh_router (
//       .clk(clk), .rst(rst), .paper(1'b0), .here({2'd2, 3'd4}), .select(2'd0), .seed(16'd0),
//       .table_clk(1'b0), .table_select(1'b0), .table_write(1'b0), .table_at(6'd0), .table_wdata(3'd0), .table_rdata(),
//       .in_flit(m_flit), .in_last(m_last), .in_valid(m_valid), .in_ready(m_ready), .in_empty(m_empty), .in_left(),
//       .out_flit(n_flit), .out_last(n_last), .out_valid(n_valid), .out_ready(n_ready), .out_empty(5'b00000),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy());
`default_nettype none

module net_router #(
    parameter integer LINKS = 8,  // links of a node, 1..24
    parameter integer LABEL_W = 8,  // bits of a node's label, 1..12
    parameter integer DIMS = 8,  // this one and the next ones as in route_order, with TABLE = 0
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter [DIMS*16-1:0] DIGITS = (DIMS * 16)'(192'h010b_010a_0109_0108_0107_0106_0105_0104_0103_0102_0101_0100),
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,  // 1: the way is looked up in a table (route_table), 0: route_order
    parameter integer OTIS = 0,  // 1: an OTIS-Mesh (route_otis)
    parameter integer V = 1,  // virtual channels of a link, 1..8; with OTIS = 1 1 or 2
    parameter integer FLIT_W = 32,  // bits of a flit, >= 2*LABEL_W+RULE_W
    parameter integer RULE_W = 1,  // bits of a header's rule, 1..4; with VIA = 1 4 + LABEL_W
    parameter integer BUFFERS = 2,  // flits that the buffer of an input lane holds, 2..64
    parameter integer SMALL = 0,  // 1: less logic, slower simulation: see wh_router
    parameter integer VIA = 0,  // 1: messages go through a node (route_via); with TABLE = 0, OTIS = 0, ADAPTIVE = 0
    parameter integer ADAPTIVE = 0,  // 1: a header may have several ways (route_choice); with TABLE = 0, OTIS = 0, RULE_W = 4; 2: by route_sets
    localparam integer PORTS = LINKS + 1,
    localparam integer LANES = LINKS * V + 1,
    localparam integer PORT_W = $clog2(PORTS),
    localparam integer LANE_W = $clog2(LANES),
    localparam integer NEXT_W = ADAPTIVE != 0 ? 2 * LANES : LANE_W,
    localparam integer NET_W = V > 4 ? 3 : V > 2 ? 2 : 1,  // bits of the rule that a table is chosen by
    localparam integer FROM_W = PORT_W + LABEL_W > 12 ? 12 : PORT_W + LABEL_W,  // of a word of sets: input, destination
    localparam integer AT_W = ADAPTIVE == 2 ? FROM_W : NET_W + LABEL_W,
    localparam integer WORD_W = ADAPTIVE == 2 ? PORTS : PORT_W
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,        // tie to 0, or see wh_output
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [     LABEL_W-1:0] here,         // label of this router, constant
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [             1:0] select,       // used only with ADAPTIVE = 1, as seed is: tie to 0, or see wh_router
    input  wire  [            15:0] seed,
    // verilator lint_off UNUSEDSIGNAL
    // route table
    input  wire                     table_clk,
    input  wire                     table_select,
    input  wire                     table_write,
    input  wire  [        AT_W-1:0] table_at,     // rule, destination; or input, destination
    input  wire  [      WORD_W-1:0] table_wdata,
    // verilator lint_on UNUSEDSIGNAL
    output logic [      WORD_W-1:0] table_rdata,
    // streams in
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       LANES-1:0] in_valid,
    output logic [       LANES-1:0] in_ready,
    output logic [       LANES-1:0] in_empty,
    output logic [       LANES-1:0] in_left,
    // streams out
    output logic [PORTS*FLIT_W-1:0] out_flit,
    output logic [       PORTS-1:0] out_last,
    output logic [       LANES-1:0] out_valid,
    input  wire  [       LANES-1:0] out_ready,
    input  wire  [       LANES-1:0] out_empty,    // used only with paper = 1 or ADAPTIVE = 1, else tie to 0
    // observation
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic [       PORTS-1:0] obs_blocked,
    output logic                    busy
);
  if (LINKS < 1 || LINKS > 24 || TABLE == 0 && LINKS != (OTIS != 0 ? 5 : DIMS * LINKS_PER_DIM)) begin : g_LINKS
    illegal_LINKS u_illegal ();
  end
  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (RULE_W < 1 || RULE_W > 4 && VIA == 0 || TABLE != 0 && RULE_W < NET_W) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (FLIT_W < header_fields::slot_low(LABEL_W, RULE_W)) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (BUFFERS < 2 || BUFFERS > 64) begin : g_BUFFERS illegal_BUFFERS u_illegal (); end
  if (TABLE != 0 && TABLE != 1) begin : g_TABLE illegal_TABLE u_illegal (); end
  if (OTIS != 0 && (OTIS != 1 || TABLE != 0 || LINKS_PER_DIM != 2)) begin : g_OTIS illegal_OTIS u_illegal (); end
  if (ADAPTIVE != 0 && (ADAPTIVE != 1 && ADAPTIVE != 2 || ADAPTIVE == 1 && TABLE != 0 || OTIS != 0 || RULE_W != 4)) begin : g_ADAPTIVE
    illegal_ADAPTIVE u_illegal ();
  end
  if (VIA != 0 && (VIA != 1 || TABLE != 0 || OTIS != 0 || ADAPTIVE != 0 || RULE_W != 4 + LABEL_W)) begin : g_VIA
    illegal_VIA u_illegal ();
  end
  if (V < 1 || VIA != 0 && V % 2 != 0 || V > (OTIS != 0 ? 2 : 8)) begin : g_V illegal_V u_illegal (); end

  // The order of ports for headers that come together: in a cube by source.
  logic [LANES-1:0] early;
  if (TABLE == 0 && LINKS_PER_DIM == 1) begin : g_by_source
    // The same for all lanes of a link.
    assign early[0] = 1'b0;
    for (genvar i = 1; i < LANES; i++) begin : g_lane
      assign early[i] = here[(i-1)/V];
    end
  end else begin : g_by_port
    assign early = '0;
  end

  logic [LANES*FLIT_W-1:0] spare_flit;
  logic [LANES-1:0] spare_full, next_comes;
  logic [LANES*NEXT_W-1:0] next_lane;

  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W),
      // else no message goes back along its link; a node may send to itself
      .BACK(VIA != 0 ? {PORTS{1'b1}} : PORTS'(1)),
      .SMALL(SMALL),
      .BUFFERS(BUFFERS),
      .V(V),
      .SINGLE(1),
      .ADAPTIVE(ADAPTIVE != 0 ? 1 : 0),
      .ESCAPE(ADAPTIVE == 1 && V > 1 ? 1 : 0),  // a lane that is alone in its set needs none
      .APART(ADAPTIVE == 1 && LINKS_PER_DIM == 2 && WRAP == 0 ? 2 : 1)  // the two links of a dimension, where it has no ring
  ) u_router (
      .clk, .rst, .paper, .early, .select, .seed, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .in_left, .out_flit, .out_last,
      .out_valid, .out_ready, .out_empty, .spare_full, .spare_flit, .next_comes, .next_lane, .obs_worm, .obs_flit, .obs_blocked,
      .busy
  );

  // The route depends on the destination and on bits 1:0 of the rule; with a table and V > 4 on bit 2 as well.
  localparam integer SOURCE_LOW = header_fields::source_low(LABEL_W);
  localparam integer RULE_LOW = header_fields::rule_low(LABEL_W), RULE_HIGH = RULE_LOW + (RULE_W > 1 ? 1 : 0);
  logic [LANES*LABEL_W-1:0] next_destination;
  // verilator lint_off UNUSEDSIGNAL
  logic [LANES-1:0] next_low, next_high;  // bits of the rule; of a link's lane a table with V > 1 knows it
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin : header
    logic [LANES*LABEL_W-1:0] destination;
    logic [LANES-1:0] low, high;
    destination = 'x;
    low  = 'x;
    high = 'x;
    if (|next_comes) begin
      for (int i = 0; i < LANES; i++) begin
        if (next_comes[i]) begin
          destination[i*LABEL_W+:LABEL_W] =
              spare_full[i] ? spare_flit[i*FLIT_W+:LABEL_W] : in_flit[(i+V-1)/V*FLIT_W+:LABEL_W];
          low[i] = spare_full[i] ? spare_flit[i*FLIT_W+RULE_LOW] : in_flit[(i+V-1)/V*FLIT_W+RULE_LOW];
          high[i] =
              RULE_W > 1 && (spare_full[i] ? spare_flit[i*FLIT_W+RULE_HIGH] : in_flit[(i+V-1)/V*FLIT_W+RULE_HIGH]);
        end
      end
    end
    next_destination = destination;
    next_low  = low;
    next_high = high;
  end

  if (ADAPTIVE == 2) begin : g_sets
    logic [LANES*LANES-1:0] lanes;
    route_sets #(.LABEL_W(LABEL_W), .LINKS(LINKS), .V(V)) u_route (
        .clk(table_clk),
        .select(table_select),
        .write(table_write),
        .at(table_at),
        .wdata(table_wdata),
        .rdata(table_rdata),
        .enable(next_comes),
        .destination(next_destination),
        .lanes
    );
    always_comb begin : sets
      logic [LANES*NEXT_W-1:0] both;
      both = 'x;
      if (|next_comes) for (int i = 0; i < LANES; i++) both[i*NEXT_W+:NEXT_W] = {{LANES{1'b0}}, lanes[i*LANES+:LANES]};
      next_lane = both;
    end
  end else if (ADAPTIVE != 0) begin : g_choice
    // The whole rule, and the source, for rules that ask for it.
    logic [LANES*4-1:0] next_rule;
    logic [LANES*LABEL_W-1:0] next_source;
    logic [LANES*LANES-1:0] lanes, late;
    always_comb begin : more
      logic [LANES*4-1:0] rule;
      logic [LANES*LABEL_W-1:0] source;
      rule   = 'x;
      source = 'x;
      if (|next_comes) begin
        for (int i = 0; i < LANES; i++) begin
          if (next_comes[i]) begin
            rule[i*4+:4] = spare_full[i] ? spare_flit[i*FLIT_W+RULE_LOW+:4] : in_flit[(i+V-1)/V*FLIT_W+RULE_LOW+:4];
            source[i*LABEL_W+:LABEL_W] = spare_full[i] ? spare_flit[i*FLIT_W+SOURCE_LOW+:LABEL_W] :
                in_flit[(i+V-1)/V*FLIT_W+SOURCE_LOW+:LABEL_W];
          end
        end
      end
      next_rule   = rule;
      next_source = source;
    end
    route_choice #(
        .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM),
        .WRAP(WRAP), .V(V)
    ) u_route (
        .enable(next_comes),
        .here,
        .source(next_source),
        .destination(next_destination),
        .rule(next_rule),
        .lanes, .late
    );
    always_comb begin : sets
      logic [LANES*NEXT_W-1:0] both;
      both = 'x;
      if (|next_comes) for (int i = 0; i < LANES; i++) both[i*NEXT_W+:NEXT_W] = {late[i*LANES+:LANES], lanes[i*LANES+:LANES]};
      next_lane = both;
    end
    assign table_rdata = '0;
  end else if (OTIS != 0) begin : g_otis
    route_otis #(.LABEL_W(LABEL_W), .V(V), .LANES(LANES)) u_route (
        .enable(next_comes),
        .here,
        .destination(next_destination),
        .descending(next_low),
        .port(next_lane)
    );
    assign table_rdata = '0;
  end else if (VIA != 0) begin : g_via
    localparam [3:0] O1TURN = 4'd9;
    logic [LANES-1:0] corner;
    logic [LANES*LABEL_W-1:0] next_via;
    always_comb begin : more
      logic [LANES-1:0] is_corner;
      logic [LANES*LABEL_W-1:0] via;
      is_corner = '0;
      via = 'x;
      if (|next_comes) begin
        for (int i = 0; i < LANES; i++) begin
          if (next_comes[i]) begin
            is_corner[i] = (spare_full[i] ? spare_flit[i*FLIT_W+RULE_LOW+:4] : in_flit[(i+V-1)/V*FLIT_W+RULE_LOW+:4]) == O1TURN;
            via[i*LABEL_W+:LABEL_W] = spare_full[i] ? spare_flit[i*FLIT_W+RULE_LOW+4+:LABEL_W] :
                in_flit[(i+V-1)/V*FLIT_W+RULE_LOW+4+:LABEL_W];
          end
        end
      end
      corner   = is_corner;
      next_via = via;
    end
    route_via #(
        .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM),
        .WRAP(WRAP), .V(V)
    ) u_route (
        .enable(next_comes),
        .here,
        .destination(next_destination),
        .via(next_via),
        .corner,
        .lane(next_lane)
    );
    assign table_rdata = '0;
  end else if (TABLE == 0) begin : g_order
    route_order #(
        .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM),
        .WRAP(WRAP), .V(V), .LANES(LANES)
    ) u_route (
        .enable(next_comes),
        .here,
        .destination(next_destination),
        .descending(next_low),
        .one_way(next_high),
        .fresh({LANES{1'b0}}),
        .port(next_lane)
    );
    assign table_rdata = '0;
  end else begin : g_table
    logic [LANES*NET_W-1:0] network;
    logic [LANES*PORT_W-1:0] next_port;
    if (V == 1) begin : g_port
      assign network = next_low;
      assign next_lane = next_port;
    end else begin : g_lane
      // A header comes by a link on the lane of its network; at the local port its rule gives the network.
      wire next_top;
      if (V > 4) begin : g_top
        assign next_top = spare_full[0] ? spare_flit[RULE_LOW+2] : in_flit[RULE_LOW+2];
      end else begin : g_no_top
        assign next_top = 1'b0;
      end
      for (genvar i = 0; i < LANES; i++) begin : g_network
        assign network[i*NET_W+:NET_W] = i > 0 ? NET_W'((i - 1) % V) : NET_W'({next_top, next_high[0], next_low[0]});
      end
      always_comb begin : number
        logic [LANES*LANE_W-1:0] found;
        found = 'x;
        if (|next_comes) begin
          for (int i = 0; i < LANES; i++)
            if (next_comes[i])
              found[i*LANE_W+:LANE_W] = next_port[i*PORT_W+:PORT_W] == '0 ? '0 :
                  (LANE_W'(next_port[i*PORT_W+:PORT_W]) - LANE_W'(1)) * LANE_W'(V) + LANE_W'(network[i*NET_W+:NET_W]) + LANE_W'(1);
        end
        next_lane = found;
      end
    end
    route_table #(.LABEL_W(LABEL_W), .RULE_W(NET_W), .PORTS(PORTS), .LANES(LANES)) u_route (
        .clk(table_clk),
        .select(table_select),
        .write(table_write),
        .at(table_at),
        .wdata(table_wdata),
        .rdata(table_rdata),
        .enable(next_comes),
        .destination(next_destination),
        .rule(network),
        .port(next_port)
    );
  end

`ifdef FORMAL
  // As wh_router, but the header asks for a node. Above the rule a flit carries the lane it came by. A header that has a choice
  // goes nearer to its destination; with a node in between it goes to that one first, and then on the other half of the lanes.
  (* anyconst *) logic [LANE_W-1:0] f_from, f_to;
  localparam integer F_COUNT_W = $clog2(BUFFERS + 1), F_W = FLIT_W + 2;
  logic [F_COUNT_W-1:0] f_count;
  logic f_starts;  // the next flit that comes is the first of a worm
  logic [BUFFERS*F_W-1:0] f_words;  // first of a worm, last, flit; the oldest in the lowest bits
  wire [F_W-1:0] f_first = f_words[F_W-1:0], f_second = f_words[2*F_W-1:F_W];
  logic [LANE_W-1:0] f_port;  // the output of the worm at the head of the queue
  logic f_open;  // a worm is crossing the output
  logic [LANE_W-1:0] f_owner;
  logic [LANES-1:0] f_offered, f_crosses;
  logic [LANES-1:0] f_left_ready, f_left_empty;  // as a lane was, without a flit, when last one of its port was ready

  // The signals at the port of each lane.
  logic [LANES*FLIT_W-1:0] f_lane_in, f_lane_out;
  logic [LANES-1:0] f_last_in, f_last_out, f_blocked;
  for (genvar l = 0; l < LANES; l++) begin : g_f_lane
    localparam integer P = (l + V - 1) / V;
    assign f_lane_in[l*FLIT_W+:FLIT_W] = in_flit[P*FLIT_W+:FLIT_W];
    assign f_lane_out[l*FLIT_W+:FLIT_W] = out_flit[P*FLIT_W+:FLIT_W];
    assign {f_last_in[l], f_last_out[l], f_blocked[l]} = {in_last[P], out_last[P], obs_blocked[P]};
  end

  always_comb begin
    for (int o = 0; o < LANES; o++)
      f_offered[o] = out_valid[o] && f_lane_out[o*FLIT_W+2*LABEL_W+RULE_W+:LANE_W] == f_from;
    f_crosses = f_offered & out_ready;
  end
  wire f_push = in_valid[f_from] && in_ready[f_from];
  wire f_pop = |f_crosses;
  wire [F_COUNT_W-1:0] f_rest = f_count - F_COUNT_W'(f_pop);
  wire [FLIT_W+1:0] f_in = {f_starts, f_last_in[f_from], f_lane_in[f_from*FLIT_W+:FLIT_W]};

  // The lane that the header at the head of the queue asks for: by the rule of its dimensions, or by what its network's table had
  // for its label (any; all messages have it) as it came to the head, whatever is written meanwhile and later.
  logic [LANE_W-1:0] f_want;
  logic f_chooses;  // of several lanes; f_ways: of these, as the rule lets it
  logic [LANES-1:0] f_ways;
  logic f_rewritten;  // the table has another word now
  logic [DIMS-1:0] f_differs, f_minus;
  if (ADAPTIVE == 2) begin : g_f_sets
    // The set that its input and its label (any; all messages have it) had as it came to the head.
    (* anyconst *) logic [LABEL_W-1:0] f_label;
    logic [PORTS*PORTS-1:0] f_sets;  // by input
    logic [PORTS-1:0] f_filled, f_mine;
    wire [PORT_W-1:0] f_at = table_at[LABEL_W+:PORT_W], f_by = PORT_W'((32'(f_from) + V - 1) / V);
    wire [PORTS-1:0] f_now = f_sets[f_by*PORTS+:PORTS];
    always_ff @(posedge clk) begin
      if (table_select && table_write && table_at[LABEL_W-1:0] == f_label) begin
        f_filled[f_at] <= 1'b1;
        f_sets[f_at*PORTS+:PORTS] <= table_wdata;
      end
      if (f_rest == '0 ? f_push : f_pop) f_mine <= f_now;
      if ($initstate) f_filled <= '0;
      if (table_select && table_write) assume (32'(f_at) < PORTS && (!table_wdata[0] || table_wdata == PORTS'(1)));
      if (!$initstate && |(in_valid & in_ready)) assume (&f_filled);
      for (int i = 0; i < PORTS; i++) assume (in_flit[i*FLIT_W+:LABEL_W] == f_label);
    end
    always_comb begin
      assume (table_clk == clk);
      for (int o = 0; o < LANES; o++)
        f_ways[o] = f_mine[(o+V-1)/V] && (f_by == '0 || f_by != PORT_W'((o + V - 1) / V));
    end
    assign f_rewritten = !f_now[(32'(f_port)+V-1)/V];
    assign f_chooses = 1'b1;
    assign f_want = '0;
    assign f_differs = '0;
    assign f_minus = '0;
  end else if (TABLE != 0) begin : g_f_table
    (* anyconst *) logic [LABEL_W-1:0] f_label;
    logic [LANE_W*2**NET_W-1:0] f_words;  // of each table, as a lane
    logic [2**NET_W-1:0] f_filled;
    wire [FLIT_W+1:0] f_head = f_rest == '0 ? f_in : f_second;  // at the head of the queue if one comes there
    wire [NET_W-1:0] f_said = f_head[RULE_LOW+:NET_W], f_by = NET_W'(f_from - 1'b1);
    wire [NET_W-1:0] f_network = V > 1 && f_from != '0 ? f_by : f_said;
    wire [NET_W-1:0] f_at = table_at[LABEL_W+:NET_W];
    logic [NET_W-1:0] f_mine;
    always_ff @(posedge clk) begin
      if (table_select && table_write && table_at[LABEL_W-1:0] == f_label) begin
        f_filled[f_at] <= 1'b1;
        f_words[f_at*LANE_W+:LANE_W] <=
            table_wdata == '0 ? '0 : LANE_W'((32'(table_wdata) - 1) * V + 1) + (V == 1 ? '0 : LANE_W'(f_at));
      end
      if (f_rest == '0 ? f_push : f_pop) begin
        f_want <= f_words[f_network*LANE_W+:LANE_W];
        f_mine <= f_network;
      end
      if ($initstate) f_filled <= '0;
      if (table_select && table_write) assume (32'(table_wdata) < PORTS);
      if (!$initstate && |(in_valid & in_ready)) assume (&f_filled[(V > 1 ? V : 2)-1:0]);
      for (int i = 0; i < PORTS; i++) assume (in_flit[i*FLIT_W+:LABEL_W] == f_label);
      if (V > 1) assume (32'(in_flit[RULE_LOW+:NET_W]) < V);
    end
    always_comb assume (table_clk == clk);
    assign f_rewritten = f_words[f_mine*LANE_W+:LANE_W] != f_port;
    assign f_differs = '0;
    assign f_minus = '0;
    assign f_chooses = 1'b0;
    assign f_ways = '0;
  end else begin : g_f_order
    localparam integer RULE_TOP = RULE_LOW + (RULE_W > 3 ? 3 : 0), VIA_LOW = RULE_LOW + (VIA != 0 ? 4 : 0);
    wire f_second = VIA != 0 && (f_from != '0 && 32'(f_from - 1'b1) % V >= V / 2 || f_first[VIA_LOW+:LABEL_W] == here);
    wire [LABEL_W-1:0] f_aim = VIA != 0 && !f_second ? f_first[VIA_LOW+:LABEL_W] : f_first[LABEL_W-1:0];
    wire [3:0] f_rule = 4'(f_first[RULE_TOP:RULE_LOW]);
    assign f_rewritten = 1'b0;
    wire f_one_way = RULE_W > 1 && f_first[RULE_HIGH];
    for (genvar d = 0; d < DIMS; d++) begin : g_f_dim
      localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
      wire [15:0] f_here = 16'(here[LOW+:BITS]), f_dest = 16'(f_aim[LOW+:BITS]);
      wire [15:0] f_steps = f_dest < f_here ? f_dest + 16'(EXTENT) - f_here : f_dest - f_here;  // by plus, around
      assign f_differs[d] = f_here != f_dest;
      assign f_minus[d] = LINKS_PER_DIM == 2 &&
          (WRAP != 0 ? !f_one_way && 2 * 32'(f_steps) > EXTENT : f_dest < f_here);
      always_comb begin
        assume (32'(f_here) < EXTENT);
        for (int i = 0; i < PORTS; i++) begin
          assume (32'(in_flit[i*FLIT_W+LOW+:BITS]) < EXTENT);
          if (VIA != 0) assume (32'(in_flit[i*FLIT_W+VIA_LOW+LOW+:BITS]) < EXTENT);
          if (ADAPTIVE != 0) assume (32'(in_flit[i*FLIT_W+SOURCE_LOW+LOW+:BITS]) < EXTENT);
        end
      end
    end
    always_comb begin
      f_want = '0;
      for (int d = 0; d < DIMS; d++)
        if (f_differs[d] && (f_want == '0 || VIA == 0 && f_first[2*LABEL_W]))
          f_want = LANE_W'((LINKS_PER_DIM * d + 32'(f_minus[d])) * V + 1) + (f_second ? LANE_W'(V / 2) : '0);
    end
    // Rule 4 (negative first) takes, in a network with V = 1, a link that leads down while there is one, else one that leads up.
    assign f_chooses = ADAPTIVE != 0 && WRAP == 0 && f_rule == 4'd4;
    wire [DIMS-1:0] f_down = LINKS_PER_DIM == 1 ? f_differs & DIMS'(here) : f_minus;
    always_comb begin
      f_ways = '0;
      if (f_differs == '0) f_ways[0] = 1'b1;
      for (int d = 0; d < DIMS; d++)
        if (f_differs[d] && (f_down[d] || f_down == '0))
          for (int v = 0; v < V; v++) f_ways[(LINKS_PER_DIM*d+32'(f_minus[d]))*V+1+v] = 1'b1;
    end
  end

  logic [LANE_W-1:0] f_gone;  // the lane by which a flit of f_from crosses
  always_comb begin
    f_gone = '0;
    for (int o = 0; o < LANES; o++) if (f_crosses[o]) f_gone = f_gone | LANE_W'(o);
  end

  // In a cube the order of ports is the order of sources: of any two headers that came by e-cube.
  (* anyseq *) logic [LABEL_W-1:0] f_source_a, f_source_b;
  wire f_a_goes = early[f_from] != early[f_to] ? early[f_from] : early[f_from] ? f_from > f_to : f_from < f_to;
  wire [LABEL_W-1:0] f_way_a = f_source_a ^ here, f_way_b = f_source_b ^ here;
  wire f_legal_a = f_from == '0 ? f_way_a == '0 : f_way_a[f_from-1] && f_way_a >> f_from == '0;
  wire f_legal_b = f_to == '0 ? f_way_b == '0 : f_way_b[f_to-1] && f_way_b >> f_to == '0;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_from) < LANES && 32'(f_to) < LANES);
    assume ((out_empty & ~out_ready) == '0);
    if (!$initstate) assume ($stable(paper) && $stable(here) && $stable(select) && $stable(seed));
    // Rules of one way, and one of several; with VIA = 1 any.
    if (ADAPTIVE == 1)
      for (int i = 0; i < PORTS; i++)
        assume (in_flit[i*FLIT_W+RULE_HIGH+1+:2] == 2'd0 || WRAP == 0 && in_flit[i*FLIT_W+RULE_LOW+:4] == 4'd4);
    for (int i = 0; i < LANES; i++) begin
      if (V == 1 || in_valid[i]) assume (f_lane_in[i*FLIT_W+2*LABEL_W+RULE_W+:LANE_W] == LANE_W'(i));
      if (V > 1 && i > 0 && out_ready[(i-1)/V*V+1+:V] != '0) begin
        if (!$initstate) assume (({f_left_ready[i], f_left_empty[i]} & ~{out_ready[i], out_empty[i]}) == 2'b00);
        f_left_ready[i] <= out_ready[i] && !out_valid[i];
        f_left_empty[i] <= out_empty[i] && !out_valid[i];
      end
    end

    f_count <= f_rest + F_COUNT_W'(f_push);
    if (f_pop) f_words <= f_words >> F_W;
    if (f_push) begin
      f_starts <= f_last_in[f_from];
      f_words[f_rest*F_W+:F_W] <= f_in;
    end
    if (f_pop && f_first[FLIT_W+1]) f_port <= f_chooses ? f_gone : f_want;
    if (out_valid[f_to] && out_ready[f_to]) begin
      f_open  <= !f_last_out[f_to];
      f_owner <= f_lane_out[f_to*FLIT_W+2*LABEL_W+RULE_W+:LANE_W];
    end
    if (rst) begin
      f_count <= '0;
      f_starts <= 1'b1;
      f_open <= 1'b0;
      f_left_ready <= '0;
      f_left_empty <= '0;
    end

    if (!$initstate) begin
      assert (in_ready[f_from] == (32'(f_count) < BUFFERS) && in_empty[f_from] == (f_count == '0));
      assert ((f_offered & (f_offered - 1'b1)) == '0);
      for (int o = 0; o < LANES; o++)
        if (f_offered[o]) begin
          assert (f_count != '0);
          assert ({f_last_out[o], f_lane_out[o*FLIT_W+:FLIT_W]} == f_first[FLIT_W:0]);
          assert (f_first[FLIT_W+1] && f_chooses ? f_ways[o] : (f_first[FLIT_W+1] ? f_want : f_port) == LANE_W'(o));
        end
      if (out_valid[f_to] && f_open) assert (f_lane_out[f_to*FLIT_W+2*LABEL_W+RULE_W+:LANE_W] == f_owner);
      if (!$past(rst) && $past(out_valid[f_to] && !out_ready[f_to])) begin
        assert (out_valid[f_to] && f_last_out[f_to] == $past(f_last_out[f_to]));
        assert (f_lane_out[f_to*FLIT_W+:FLIT_W] == $past(f_lane_out[f_to*FLIT_W+:FLIT_W]));
      end
      if (TABLE == 0 && V == 1 && LINKS_PER_DIM == 1 && f_legal_a && f_legal_b && f_from != f_to)
        assert (f_a_goes == (f_source_a < f_source_b));
      if (TABLE != 0 || LINKS_PER_DIM == 2) assert (early == '0);
      if ($past(rst)) assert (!busy);
      if (f_count != '0) assert (busy);

      cover (f_pop && f_first[FLIT_W] && !f_first[FLIT_W+1] && f_port == f_to);
      if (TABLE == 0 && V == 1) cover (&(out_valid & out_ready));
      if (VIA != 0) cover (f_pop && f_first[FLIT_W+1] && f_from != '0 && 32'(f_from - 1'b1) % V < V / 2 && 32'(f_gone - 1'b1) % V >= V / 2 && f_gone != '0);
      if (ADAPTIVE == 2 || ADAPTIVE != 0 && DIMS > 1) cover (f_pop && f_first[FLIT_W+1] && f_chooses && (f_ways & (f_ways - 1'b1)) != '0);
      cover (f_pop && f_owner != f_from && !f_open && f_first[FLIT_W+1] && |(f_crosses & f_blocked));
      if (TABLE != 0) cover (f_pop && !f_first[FLIT_W+1] && f_rewritten);
    end
  end
`endif
endmodule

`default_nettype wire
