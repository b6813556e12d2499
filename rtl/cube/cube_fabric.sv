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
  endgenerate

  // rx_*: into router u, tx_*: out of it; index 0 is the local port, d+1 dimension d. Arrays and one loop, because a
  // simulator turns them into a loop, and separate wires into a statement each.
  logic [PORTS*FLIT_W-1:0] rx_flit[NODES], tx_flit[NODES];
  logic [PORTS-1:0] rx_last[NODES], rx_valid[NODES], rx_ready[NODES], rx_empty[NODES];
  logic [PORTS-1:0] tx_last[NODES], tx_valid[NODES], tx_ready[NODES], tx_empty[NODES];

  always_comb begin
    for (int u = 0; u < NODES; u++) begin
      rx_flit[u][0+:FLIT_W] = in_flit[u*FLIT_W+:FLIT_W];
      for (int d = 0; d < DIM; d++)
        rx_flit[u][(d+1)*FLIT_W+:FLIT_W] = tx_flit[u^(1<<d)][(d+1)*FLIT_W+:FLIT_W];
    end
  end
  always_comb begin
    for (int u = 0; u < NODES; u++) begin
      rx_last[u]  = PORTS'(in_last[u]);
      rx_valid[u] = PORTS'(in_valid[u]);
      for (int d = 0; d < DIM; d++) begin
        rx_last[u]  = rx_last[u] | tx_last[u^(1<<d)] & PORTS'(2 << d);
        rx_valid[u] = rx_valid[u] | tx_valid[u^(1<<d)] & PORTS'(2 << d);
      end
    end
  end
  always_comb begin
    for (int u = 0; u < NODES; u++) begin
      tx_ready[u] = PORTS'(out_ready[u]);
      tx_empty[u] = PORTS'(out_empty[u]);
      for (int d = 0; d < DIM; d++) begin
        tx_ready[u] = tx_ready[u] | rx_ready[u^(1<<d)] & PORTS'(2 << d);
        tx_empty[u] = tx_empty[u] | rx_empty[u^(1<<d)] & PORTS'(2 << d);
      end
    end
  end

  generate
    for (genvar u = 0; u < NODES; u++) begin : g_node
      wire [PORTS-1:0] worm, flit, blocked;

      cube_router #(
          .DIM(DIM),
          .FLIT_W(FLIT_W)
      ) u_router (
          .clk(clk),
          .rst(rst),
          .paper(paper),
          .here(DIM'(u)),
          .in_flit(rx_flit[u]),
          .in_last(rx_last[u]),
          .in_valid(rx_valid[u]),
          .in_ready(rx_ready[u]),
          .in_empty(rx_empty[u]),
          .out_flit(tx_flit[u]),
          .out_last(tx_last[u]),
          .out_valid(tx_valid[u]),
          .out_ready(tx_ready[u]),
          .out_empty(tx_empty[u]),
          .obs_worm(worm),
          .obs_flit(flit),
          .obs_blocked(blocked),
          .busy(busy[u])
      );

      assign in_ready[u] = rx_ready[u][0];
      assign in_empty[u] = rx_empty[u][0];
      assign out_flit[u*FLIT_W+:FLIT_W] = tx_flit[u][0+:FLIT_W];
      assign out_last[u] = tx_last[u][0];
      assign out_valid[u] = tx_valid[u][0];
      assign obs_worm[u*PORTS+:PORTS] = {worm[0], worm[DIM:1]};
      assign obs_flit[u*PORTS+:PORTS] = {flit[0], flit[DIM:1]};
      assign obs_blocked[u*PORTS+:PORTS] = {blocked[0], blocked[DIM:1]};
    end
  endgenerate
endmodule

`default_nettype wire
