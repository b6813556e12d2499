// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Binary n-cube of wormhole routers: wiring only. Node u's port d leads to node u xor 2^d; the local streams are
// brought out. Per node, in the order of the node numbers; obs_* are per node: dimensions, then the ejection channel.
`default_nettype none

module cube_fabric #(
    parameter integer DIM = 8,  // dimensions, 1..10
    parameter integer FLIT_W = 32,  // bits of a flit, >= 2*DIM+1
    localparam integer NODES = 1 << DIM,
    localparam integer PORTS = DIM + 1
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,
    // injection, a stream per node
    input  wire  [NODES*FLIT_W-1:0] in_flit,
    input  wire  [       NODES-1:0] in_last,
    input  wire  [       NODES-1:0] in_valid,
    output logic [       NODES-1:0] in_ready,
    output logic [       NODES-1:0] in_empty,
    // ejection, a stream per node
    output logic [NODES*FLIT_W-1:0] out_flit,
    output logic [       NODES-1:0] out_last,
    output logic [       NODES-1:0] out_valid,
    input  wire  [       NODES-1:0] out_ready,
    input  wire  [       NODES-1:0] out_empty,
    // observation
    output logic [ NODES*PORTS-1:0] obs_worm,
    output logic [ NODES*PORTS-1:0] obs_flit,
    output logic [ NODES*PORTS-1:0] obs_blocked,
    output logic [       NODES-1:0] busy
);
  generate
    if (DIM < 1 || DIM > 10) illegal_DIM u_illegal ();

    for (genvar u = 0; u < NODES; u++) begin : g_node
      // rx_*: into this router, tx_*: out of it; index 0 is the local port, d+1 dimension d
      wire [PORTS*FLIT_W-1:0] rx_flit, tx_flit;
      wire [PORTS-1:0] rx_last, rx_valid, rx_ready, rx_empty;
      wire [PORTS-1:0] worm, flit, blocked;
      wire [PORTS-1:0] tx_last, tx_valid, tx_ready, tx_empty;

      cube_router #(
          .DIM(DIM),
          .FLIT_W(FLIT_W)
      ) u_router (
          .clk(clk),
          .rst(rst),
          .paper(paper),
          .here(DIM'(u)),
          .in_flit(rx_flit),
          .in_last(rx_last),
          .in_valid(rx_valid),
          .in_ready(rx_ready),
          .in_empty(rx_empty),
          .out_flit(tx_flit),
          .out_last(tx_last),
          .out_valid(tx_valid),
          .out_ready(tx_ready),
          .out_empty(tx_empty),
          .obs_worm(worm),
          .obs_flit(flit),
          .obs_blocked(blocked),
          .busy(busy[u])
      );

      assign obs_worm[u*PORTS+:PORTS] = {worm[0], worm[DIM:1]};
      assign obs_flit[u*PORTS+:PORTS] = {flit[0], flit[DIM:1]};
      assign obs_blocked[u*PORTS+:PORTS] = {blocked[0], blocked[DIM:1]};

      for (genvar d = 0; d < DIM; d++) begin : g_dim
        assign rx_flit[(d+1)*FLIT_W+:FLIT_W] = g_node[u^(1<<d)].tx_flit[(d+1)*FLIT_W+:FLIT_W];
        assign rx_last[d+1] = g_node[u^(1<<d)].tx_last[d+1];
        assign rx_valid[d+1] = g_node[u^(1<<d)].tx_valid[d+1];
        assign tx_ready[d+1] = g_node[u^(1<<d)].rx_ready[d+1];
        assign tx_empty[d+1] = g_node[u^(1<<d)].rx_empty[d+1];
      end

      assign rx_flit[0+:FLIT_W] = in_flit[u*FLIT_W+:FLIT_W];
      assign rx_last[0] = in_last[u];
      assign rx_valid[0] = in_valid[u];
      assign in_ready[u] = rx_ready[0];
      assign in_empty[u] = rx_empty[0];
      assign out_flit[u*FLIT_W+:FLIT_W] = tx_flit[0+:FLIT_W];
      assign out_last[u] = tx_last[0];
      assign out_valid[u] = tx_valid[0];
      assign tx_ready[0] = out_ready[u];
      assign tx_empty[0] = out_empty[u];
    end
  endgenerate
endmodule

`default_nettype wire
