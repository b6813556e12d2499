// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The output ports of a wormhole router whose links have virtual channels: which lane's flit each port sends, and what is
// observed of the port. Part of wh_router with V > 1, behind wh_output, whose outputs are lanes. A port below SINGLE is one
// lane; each of the others is V lanes, of which wh_share lets one send at a time. wh_router says how lanes are numbered.
//
// Latency: none. Ports are those of wh_output and wh_router by the same names:
// - ask: by input lane, which output lane its message asks for. offer_*: what lanes offer (where open), and from which input
//   lane, in whatever form wh_output names it and wh_cross takes it: only ANDed and ORed here.
// - crosses: a flit of this output lane crosses.
// - first: of the message at this input lane an output lane is its own, and it has a flit at the head (wh_claim). in_taken:
//   that flit crosses, which is able & ~kept. It is worked out from `first`, not from `crosses`, which would be later. able:
//   there is room for it; kept: another lane of that link has a flit and goes before it. 0 where `ask` is 0.
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
    input  wire  [       LANES-1:0] first,
    output logic [       LANES-1:0] able,
    output logic [       LANES-1:0] kept,
    output logic [       LANES-1:0] in_taken,
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
  localparam integer LINK_LANES = LANES - SINGLE;
  // Bit d*LANES+o: o is one of the lowest d lanes of a link.
  function automatic [V*LANES-1:0] lowest(input integer unused);
    for (int d = 0; d < V; d++)
      for (int o = 0; o < LANES; o++) lowest[d*LANES+o] = o >= SINGLE && (o - SINGLE) % V < d;
  endfunction
  localparam [V*LANES-1:0] LOW = lowest(0);

  logic [LINK_LANES-1:0] link_asked, may;
  logic [(V-1)*LINK_LANES-1:0] keeps;
  logic [(V-1)*LANES-1:0] keeps_it;  // the same by lane
  wire [LANES-1:0] room = out_ready & offer_open;

  wh_share #(.LINKS(PORTS - SINGLE), .V(V)) u_share (
      .clk, .rst,
      .asked(link_asked),
      .has(offer_valid[LANES-1:SINGLE]),
      .room(room[LANES-1:SINGLE]),
      .may, .keeps
  );

  for (genvar d = 0; d < V - 1; d++) begin : g_keeps
    assign keeps_it[d*LANES+:LANES] = LANES'(keeps[d*LINK_LANES+:LINK_LANES]) << SINGLE;
  end

  always_comb begin : take
    logic [LANES-1:0] mine, others, has_room, has_others;
    mine = '0;
    others = '0;
    has_room = '0;
    has_others = '0;
    for (int i = 0; i < LANES; i++) begin
      mine   = ask[i*LANES+:LANES];
      others = '0;  // output lanes that keep this input waiting if they have a flit
      for (int d = 1; d < V; d++)
        others = others | (keeps_it[(d-1)*LANES+:LANES] &
            (((mine << d) & ~LOW[d*LANES+:LANES]) | ((mine >> (V - d)) & LOW[d*LANES+:LANES])));
      has_room[i]   = (mine & room) != '0;
      has_others[i] = (others & offer_valid) != '0;
    end
    able = first & has_room;
    kept = has_others;
  end
  assign in_taken = able & ~kept;

  always_comb begin : who_asks
    logic [LANES-1:0] any;
    any = '0;
    for (int i = 0; i < LANES; i++) any = any | ask[i*LANES+:LANES];
    link_asked = any[LANES-1:SINGLE];
  end

  if (SINGLE == 0) begin : g_shared
    assign crosses = may;
    assign out_valid = may;
  end else begin : g_both
    assign crosses = {may, offer_valid[SINGLE-1:0] & room[SINGLE-1:0]};
    assign out_valid = {may, offer_valid[SINGLE-1:0] & offer_open[SINGLE-1:0]};
  end

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
