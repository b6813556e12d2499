// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A wormhole router with the route units of the binary n-cube: port 0 is the local one, port d+1 leads along dimension
// d. Of headers that come together the one from the lowest source goes first: under e-cube a header that came along
// dimension d differs from `here` in no bit above d, so this is an order of ports (those whose bit of `here` is set from
// the highest dimension down, then the local one, then the others from the lowest up). Its address is a port, not a parameter, so that a simulator can share one body among all nodes.
`default_nettype none

module cube_router #(
    parameter integer DIM = 8,  // dimensions, 1..10
    parameter integer FLIT_W = 32,  // bits of a flit, >= 2*DIM+1
    localparam integer PORTS = DIM + 1
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,
    input  wire  [         DIM-1:0] here,
    // streams in
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [       PORTS-1:0] in_ready,
    output logic [       PORTS-1:0] in_empty,
    // streams out
    output logic [PORTS*FLIT_W-1:0] out_flit,
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] out_valid,
    input  wire  [       PORTS-1:0] out_ready,
    input  wire  [       PORTS-1:0] out_empty,
    // observation
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic [       PORTS-1:0] obs_blocked,
    output logic                    busy
); /*verilator no_inline_module*/
  localparam integer PORT_W = $clog2(PORTS);

  generate
    if (FLIT_W < 2 * DIM + 1) illegal_FLIT_W u_illegal ();
  endgenerate

  logic [PORTS*FLIT_W-1:0] head_flit;
  logic [PORTS-1:0] head_header;
  logic [PORTS*PORT_W-1:0] head_port;

  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W)
  ) u_router (
      .clk(clk),
      .rst(rst),
      .paper(paper),
      .early({here, 1'b0}),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .out_flit(out_flit),
      .out_last(out_last),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_empty(out_empty),
      .head_flit(head_flit),
      .head_header(head_header),
      .head_port(head_port),
      .obs_worm(obs_worm),
      .obs_flit(obs_flit),
      .obs_blocked(obs_blocked),
      .busy(busy)
  );

  // Header: destination in the low DIM bits, source above it, then the rule bit.
  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_route
      cube_route #(
          .DIM(DIM)
      ) u_route (
          .enable(head_header[p]),
          .here(here),
          .destination(head_flit[p*FLIT_W+:DIM]),
          .descending(head_flit[p*FLIT_W+2*DIM]),
          .port(head_port[p*PORT_W+:PORT_W])
      );
    end
  endgenerate
endmodule

`default_nettype wire
