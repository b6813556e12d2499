// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One place of a direct network for a node of the user's: a net_router, and on its local port an open_node. It is what
// net_fabric wires in place of net_tiles where OPEN is 1, for fabric_open.
//
// Latency: a flit from one tile to the next takes one cycle. Throughput: one flit per cycle and channel. Register read
// data is there three cycles after the request.
//
// Ports: index, here, bus_* with the window ROUTE, in_*, out_*, busy and moved as in net_tile; clear, s_axis_* and m_axis_*
// as in open_node.
//
// Reset and parameters as in net_tile; KNOWN as in axis_packetiser. As in net_tile no function may be declared in here.
`default_nettype none

module open_tile #(
    parameter integer LINKS = 8,  // links of a node, 1..24
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
    parameter [(1<<LABEL_W)-1:0] KNOWN = '1,  // labels that nodes have
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer AT_W = LABEL_W + (V > 2 ? 2 : 1)  // of a route table
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire  [            11:0] index,
    input  wire  [     LABEL_W-1:0] here,
    input  wire                     paper,
    input  wire                     clear,
    // register port
    input  wire                     bus_request,
    input  wire                     bus_write,
    input  wire  [            31:0] bus_address,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [            31:0] bus_wdata,
    // verilator lint_on UNUSEDSIGNAL
    output logic [            31:0] bus_rdata,
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
    // channels of the links, in
    input  wire  [LINKS*FLIT_W-1:0] in_flit,
    input  wire  [       LINKS-1:0] in_last,
    input  wire  [     LINKS*V-1:0] in_valid,
    output logic [     LINKS*V-1:0] in_ready,
    output logic [     LINKS*V-1:0] in_empty,
    // and out
    output logic [LINKS*FLIT_W-1:0] out_flit,
    output logic [       LINKS-1:0] out_last,
    output logic [     LINKS*V-1:0] out_valid,
    input  wire  [     LINKS*V-1:0] out_ready,
    input  wire  [     LINKS*V-1:0] out_empty,
    // state
    output logic                    busy,           // something is under way here
    output logic                    moved           // a flit crossed one of the channels
); /*verilator no_inline_module*/
  generate
    if (TABLE != 0 && AT_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end  // the window ROUTE has 4096 words
  endgenerate

  localparam integer PORTS = LINKS + 1;
  localparam integer PORT_W = $clog2(PORTS);

  // Local port: to_* from the user into the router (injection), from_* out of it (ejection).
  logic [FLIT_W-1:0] to_flit, from_flit;
  logic to_last, to_valid, to_ready, from_last, from_valid, from_ready, from_empty;
  // verilator lint_off UNUSEDSIGNAL
  logic to_empty;
  // verilator lint_on UNUSEDSIGNAL
  logic [PORTS-1:0] worm, flit, blocked;
  logic router_busy, node_busy;
  logic at_table, table_select;
  logic [PORT_W-1:0] table_port, table_answer;
  logic [31:0] node_rdata;

  route_window #(
      .TABLE (TABLE),
      .PORT_W(PORT_W)
  ) u_window (
      .clk, .rst, .index, .bus_request, .bus_write, .bus_address,
      .here(at_table),
      .table_select, .table_port,
      .answer(table_answer)
  );
  assign bus_rdata = node_rdata | 32'(table_answer);

  // Port 0 of the router is the local one, port p+1 is link p.
  net_router #(
      .LINKS(LINKS),
      .LABEL_W(LABEL_W),
      .DIMS(DIMS),
      .EXTENTS(EXTENTS),
      .DIGITS(DIGITS),
      .LINKS_PER_DIM(LINKS_PER_DIM),
      .WRAP(WRAP),
      .TABLE(TABLE),
      .OTIS(OTIS),
      .V(V),
      .RULE_W(NODE[node_config::RULE_W+:32]),
      .FLIT_W(FLIT_W),
      .SMALL(NODE[node_config::SMALL+:32])
  ) u_router (
      .clk, .rst, .paper, .here,
      .table_clk(clk),
      .table_select,
      .table_write(bus_write),
      .table_at(bus_address[AT_W-1:0]),
      .table_wdata(bus_wdata[PORT_W-1:0]),
      .table_rdata(table_port),
      .in_flit({in_flit, to_flit}),
      .in_last({in_last, to_last}),
      .in_valid({in_valid, to_valid}),
      .in_ready({in_ready, to_ready}),
      .in_empty({in_empty, to_empty}),
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

  // The ejection channel is the last one of those the router watches, as in include/flitloom/topo.h.
  open_node #(
      .LABEL_W(LABEL_W),
      .CHANNELS(PORTS),
      .NODE(NODE),
      .KNOWN(KNOWN)
  ) u_node (
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
      .in_empty(from_empty),
      .obs_worm({worm[0], worm[LINKS:1]}),
      .obs_flit({flit[0], flit[LINKS:1]}),
      .obs_blocked({blocked[0], blocked[LINKS:1]}),
      .busy(node_busy),
      .moved
  );

  assign busy = router_busy || node_busy;
endmodule

`default_nettype wire
