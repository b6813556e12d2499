// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All ways of a network through nodes, made one number of: `digest`. Every pair of nodes, every node in between; in a mesh of two
// dimensions also turning at each of the two corners. A way passes the node and ends at its destination, with as many hops as its two parts have, and goes from
// the first half of the lanes to the second once at most. A short run leaves out networks of more than eight nodes by seed 1, of more than 15 by others: `routes` is 0.
`default_nettype none

module route_via_walk #(
    parameter [95:0] NETWORK = 96'h00_02_0000_0000_0000_0002_0002  // see networks.svh
) (
    output logic [63:0] digest,
    output integer      routes,
    output logic        done
);
  `include "networks.svh"
  `include "network_shape.svh"
  localparam integer TABLE = 0, OTIS = 0;
  localparam integer LANES = DIMS * LINKS_PER_DIM * V + 1;
  localparam integer LANE_W = $clog2(LANES);
  `include "net_wires.svh"
  logic corner;
  logic [LANES-1:0] enable;
  logic [LABEL_W-1:0] here, destination, via;
  wire [LANES*LANE_W-1:0] lanes;
  integer lane;  // by which the header came to this node
  wire [LANE_W-1:0] lane_out = lanes[lane*LANE_W+:LANE_W];
  wire [31:0] link = (32'(lane_out) - 1) / V, vc = (32'(lane_out) - 1) % V;
  integer at, hops_made, least, there, column, row, seed, nodes;
  logic passed, second;

  route_via #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .V(V)
  ) u_dut (
      .enable, .here,
      .destination({LANES{destination}}),
      .via({LANES{via}}),
      .corner({LANES{corner}}),
      .lane(lanes)
  );

  function automatic integer distance(input integer from, input integer to);
    integer around, many;
    distance = 0;
    for (int d = 0; d < DIMS; d++) begin
      many = extent(d);
      around = (coordinate(to, d) - coordinate(from, d) + many) % many;
      if (LINKS_PER_DIM == 1 || WRAP != 0) distance = distance + (2 * around <= many ? around : many - around);
      else distance = distance + (coordinate(to, d) > coordinate(from, d) ? coordinate(to, d) - coordinate(from, d) : coordinate(from, d) - coordinate(to, d));
    end
  endfunction

  task add(input logic [63:0] word);
    digest = (digest ^ word) * 64'h100000001b3;
  endtask

  task walk(input integer u, input integer v, input integer w);
    lane = 0;
    enable = LANES'(1);
    at = u;
    destination = LABEL_W'(label(v));
    via = LABEL_W'(label(w));
    here = LABEL_W'(label(at));
    passed = u == w;
    second = 1'b0;
    hops_made = 0;
    least = distance(u, w) + distance(w, v);
    #1;
    while (lane_out != '0 && hops_made <= least) begin
      if (second && vc < V / 2) $fatal(1, "%m: from %0d through %0d to %0d: back to the first half at %0d", u, w, v, at);
      second = vc >= V / 2;
      add(64'(lane_out));
      there = neighbour(at, link);
      if (there < 0) $fatal(1, "%m: %0d has no link %0d", at, link);
      lane = 1 + back(at, link) * V + vc;
      enable = LANES'(1) << lane;
      at = there;
      here = LABEL_W'(label(at));
      passed = passed || at == w;
      hops_made = hops_made + 1;
      #1;
    end
    add('0);
    if (at != v || !passed || hops_made != least)
      $fatal(1, "%m: %0d hops from %0d through %0d to %0d, not %0d", hops_made, u, w, v, least);
    routes = routes + 1;
  endtask

  initial begin
    digest = 64'hcbf29ce484222325;
    {routes, done, corner, enable} = '0;
    {here, destination, via} = '0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    nodes = $test$plusargs("short") && NODES > (seed == 1 ? 8 : 15) ? 0 : NODES;
    #1;
    for (int u = 0; u < nodes; u++)
      for (int v = 0; v < nodes; v++)
        for (int w = 0; w < nodes; w++) if (u != v) walk(u, v, w);
    corner = 1'b1;
    for (int u = 0; u < nodes; u++)
      for (int v = 0; v < nodes; v++)
        if (u != v && NETWORK[95:88] == MESH && DIMS == 2) begin
          column = extent(0);
          row = v / column * column + u % column;  // first y
          walk(u, v, row);
          walk(u, v, u / column * column + v % column);
        end
    done = 1'b1;
  end
endmodule

`default_nettype wire
