// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Optical circuit switches side by side (ocs_switch), each with NODES / SWITCHES inputs and outputs. Inputs and outputs are
// plain streams; fabric puts a node at each. A computer with a port on each switch has a node, with its program and its
// receiver, for each of these ports: switch k has nodes k*N to k*N + N - 1, of which node k*N + u is computer u's. No
// message goes from one switch to another one.
//
// Latency: one cycle, as in ocs_switch. Throughput: one flit per cycle and node. Register read data is there three cycles
// after the request.
//
// Ports, node u in bits [u*FLIT_W +: FLIT_W] of a flit bus and in bit u of the others:
// - in_*, out_*, obs_*, busy, clk, net_clk, blind, load, run: as in ocs_switch. The low LABEL_W bits of a header are the number
//   of a node, of the same switch.
// - bus_*: bus_request is 1 for one cycle per access, in the space CIRCUIT of docs/registers.md: the switch in bits 27:24 of
//   the address, the rest as in ocs_switch.
//
// Reset: as in ocs_switch. Legal parameters: SWITCHES from 1 to 16 divides NODES, which is at most 1024, into at least 2
// each; DEPTH a power of two up to 4096; BENES as in ocs_switch. Compile chip/regmap.sv before this file; the file
// list is rtl/ocs_network.f.
//
// Example:
//   // Two switches of 8 ports each.
//   ocs_network #(.NODES(16), .SWITCHES(2), .FLIT_W(16), .DEPTH(64)) u_network (
//       .clk(clk), .net_clk(clk), .rst(rst), .blind(1'b0), .load(load), .run(run),
//       .bus_request(request), .bus_write(write), .bus_address(address), .bus_wdata(wdata), .bus_rdata(rdata),
//       .in_flit(in_flit), .in_last(in_last), .in_valid(in_valid), .in_ready(in_ready),
//       .out_flit(out_flit), .out_last(out_last), .out_valid(out_valid), .obs_worm(), .obs_flit(), .busy());
`default_nettype none

module ocs_network #(
    parameter integer NODES = 8,  // of all switches, 2..1024
    parameter integer SWITCHES = 1,  // 1..16
    parameter integer FLIT_W = 32,  // bits of a flit
    parameter integer DEPTH = 256,  // slots of a schedule, a power of two up to 4096
    parameter integer BENES = 0,  // 1: 2x2 switches instead of crossbars, as in ocs_switch
    localparam integer LABEL_W = $clog2(NODES)
) (
    input  wire                     clk,
    input  wire                     net_clk,
    input  wire                     rst,
    input  wire                     blind,        // no guards
    input  wire                     load,         // a pass begins in the next cycle
    input  wire                     run,
    // register port
    input  wire                     bus_request,
    input  wire                     bus_write,
    input  wire  [            31:0] bus_address,
    input  wire  [            31:0] bus_wdata,
    output logic [            31:0] bus_rdata,
    // streams in, by node
    input  wire  [NODES*FLIT_W-1:0] in_flit,
    input  wire  [       NODES-1:0] in_last,
    input  wire  [       NODES-1:0] in_valid,
    output logic [       NODES-1:0] in_ready,
    // out, by node
    output logic [NODES*FLIT_W-1:0] out_flit,
    output logic [       NODES-1:0] out_last,
    output logic [       NODES-1:0] out_valid,
    // observation of what comes out, by node
    output logic [       NODES-1:0] obs_worm,
    output logic [       NODES-1:0] obs_flit,
    output logic                    busy
);
  if (SWITCHES < 1 || SWITCHES > 16) begin : g_SWITCHES illegal_SWITCHES u_illegal (); end
  if (NODES < 2 || NODES > 1024 || NODES % SWITCHES != 0 || NODES / SWITCHES < 2) begin : g_NODES
    illegal_NODES u_illegal ();
  end

  localparam integer PORTS = NODES / SWITCHES;

  logic [SWITCHES-1:0] holds;
  logic [31:0] rdata[SWITCHES];

  for (genvar k = 0; k < SWITCHES; k++) begin : g_switch
    ocs_switch #(
        .PORTS(PORTS), .FLIT_W(FLIT_W), .LABEL_W(LABEL_W), .FIRST(k * PORTS), .DEPTH(DEPTH), .BENES(BENES)
    ) u_switch (
        .clk, .net_clk, .rst, .blind, .load, .run,
        .in_flit(in_flit[k*PORTS*FLIT_W+:PORTS*FLIT_W]),
        .in_last(in_last[k*PORTS+:PORTS]),
        .in_valid(in_valid[k*PORTS+:PORTS]),
        .in_ready(in_ready[k*PORTS+:PORTS]),
        .out_flit(out_flit[k*PORTS*FLIT_W+:PORTS*FLIT_W]),
        .out_last(out_last[k*PORTS+:PORTS]),
        .out_valid(out_valid[k*PORTS+:PORTS]),
        .obs_worm(obs_worm[k*PORTS+:PORTS]),
        .obs_flit(obs_flit[k*PORTS+:PORTS]),
        .busy(holds[k]),
        .bus_select(bus_request && bus_address[31:28] == regmap::SPACE_CIRCUIT && bus_address[27:24] == 4'(k)),
        .bus_write,
        .bus_address(bus_address[23:0]),
        .bus_wdata,
        .bus_rdata(rdata[k])
    );
  end

  assign busy = |holds;

  logic [31:0] any;
  always_comb begin
    any = '0;
    for (int k = 0; k < SWITCHES; k++) any = any | rdata[k];
  end
  always_ff @(posedge clk) bus_rdata <= any;
endmodule

`default_nettype wire
