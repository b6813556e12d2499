// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The output ports of a wormhole router whose links have virtual channels: which lane's flit each port sends, and what is
// observed of the port. Part of wh_router with V > 1, behind wh_output, whose outputs are lanes. A port below SINGLE is one
// lane; each of the others is V lanes, of which wh_share lets one send at a time. wh_router says how lanes are numbered.
//
// Latency: none. Ports are those of wh_output and wh_router by the same names:
// - ask: by input lane, which output lane its message asks for. offer_*: what lanes offer (where open), and from which input lane,
//   in whatever form wh_output names it and wh_cross takes it: only ANDed and ORed here.
// - crosses: a flit of this lane crosses.
// - port_valid, port_at: a flit may be on the port's wires, and from which input lane; for wh_cross.
//
// Reset as in wh_share. Legal parameters: as in wh_router, V at least 2.
`default_nettype none

module wh_ports #(
    parameter integer PORTS = 3,  // as in wh_router
    parameter integer V = 2,
    parameter integer SINGLE = 1,
    localparam integer LANES = SINGLE + (PORTS - SINGLE) * V,
    parameter integer AT_W = $clog2(LANES)  // bits of out_at of wh_output
) (
    input  wire                     clk,
    input  wire                     rst,
    // lanes
    input  wire  [ LANES*LANES-1:0] ask,
    input  wire  [       LANES-1:0] offer_valid,
    input  wire  [       LANES-1:0] offer_open,
    input  wire  [       LANES-1:0] offer_last,
    input  wire  [  LANES*AT_W-1:0] offer_at,
    input  wire  [       LANES-1:0] lane_worm,
    input  wire  [       LANES-1:0] lane_flit,
    input  wire  [       LANES-1:0] lane_blocked,
    output logic [       LANES-1:0] crosses,
    // ports
    output logic [       LANES-1:0] out_valid,
    input  wire  [       LANES-1:0] out_ready,
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] port_valid,
    output logic [  PORTS*AT_W-1:0] port_at,
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic [       PORTS-1:0] obs_blocked
);
  logic [LANES-SINGLE-1:0] link_asked, may;
  wire [LANES-1:0] room = out_ready & offer_open;

  wh_share #(
      .LINKS(PORTS - SINGLE),
      .V(V)
  ) u_share (
      .clk(clk),
      .rst(rst),
      .asked(link_asked),
      .has(offer_valid[LANES-1:SINGLE]),
      .room(room[LANES-1:SINGLE]),
      .may(may)
  );

  always_comb begin : who_asks
    logic [LANES-1:0] any;
    any = '0;
    for (int i = 0; i < LANES; i++) any = any | ask[i*LANES+:LANES];
    link_asked = any[LANES-1:SINGLE];
  end

  generate
    if (SINGLE == 0) begin : g_shared
      assign crosses = may;
      assign out_valid = may;
    end else begin : g_both
      assign crosses = {may, offer_valid[SINGLE-1:0] & room[SINGLE-1:0]};
      assign out_valid = {may, offer_valid[SINGLE-1:0] & offer_open[SINGLE-1:0]};
    end
  endgenerate

  always_comb begin : select
    logic [PORTS*AT_W-1:0] at;
    logic [AT_W-1:0] one;
    logic [PORTS-1:0] last, valid, worm, flit, blocked;
    at = '0;
    one = '0;
    last = offer_last[PORTS-1:0];
    valid = offer_valid[PORTS-1:0];
    worm = lane_worm[PORTS-1:0];
    flit = lane_flit[PORTS-1:0];
    blocked = lane_blocked[PORTS-1:0];
    for (int p = 0; p < SINGLE; p++) at[p*AT_W+:AT_W] = offer_at[p*AT_W+:AT_W];
    for (int p = SINGLE; p < PORTS; p++) begin
      one = '0;
      for (int v = 0; v < V; v++)
        one = one | ({AT_W{may[(p-SINGLE)*V+v]}} & offer_at[(SINGLE+(p-SINGLE)*V+v)*AT_W+:AT_W]);
      at[p*AT_W+:AT_W] = one;
      last[p] = |(offer_last[SINGLE+(p-SINGLE)*V+:V] & may[(p-SINGLE)*V+:V]);
      valid[p] = |may[(p-SINGLE)*V+:V];
      worm[p] = |lane_worm[SINGLE+(p-SINGLE)*V+:V];
      flit[p] = |lane_flit[SINGLE+(p-SINGLE)*V+:V];
      blocked[p] = |lane_blocked[SINGLE+(p-SINGLE)*V+:V];
    end
    port_at = at;
    port_valid = valid;
    out_last = last;
    obs_worm = worm;
    obs_flit = flit;
    obs_blocked = blocked;
  end
endmodule

`default_nettype wire
