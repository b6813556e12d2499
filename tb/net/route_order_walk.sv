// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks the routes of every pair of nodes of a network by all rules: a route ends at the destination and takes the
// dimensions in order. In each it goes the shorter way, in the plus direction if both are equally long, or always in
// the plus direction, with no more hops than that. With V > 1 it takes the virtual channels that route_order names. A
// short run with seed 1 leaves out networks of more than 13 nodes.
`default_nettype none

module route_order_walk #(
    parameter [95:0] NETWORK = 96'h00_01_0000_0000_0000_0002_0002  // see networks.svh
) (
    output integer routes,
    output logic   done
);
  `include "networks.svh"
  `include "network_shape.svh"
  localparam integer TABLE = 0, OTIS = 0;
  localparam integer LANES = V == 1 ? 1 : DIMS * LINKS_PER_DIM * V + 1;
  localparam integer PORT_W = $clog2(DIMS * LINKS_PER_DIM * V + 1);
  `include "net_wires.svh"
  logic descending, one_way;
  logic [LANES-1:0] enable;
  logic [LABEL_W-1:0] here, destination;
  wire [LANES*PORT_W-1:0] ports;
  integer lane;  // by which the header came to this node
  wire [PORT_W-1:0] lane_out = ports[lane*PORT_W+:PORT_W];
  wire [31:0] port = lane_out == '0 ? 32'd0 : (32'(lane_out) - 1) / V + 1;  // 0 or a link's number plus 1
  integer seed, nodes;
  integer at, hops_made, least, d, last_d, there, way, from, to;
  integer first;  // of two virtual channels, or the only one
  logic ahead, crossed, wraps;  // the wrap-around link of this ring is still to come, has been crossed, is crossed now

  route_order #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP),
      .V(V)
  ) u_dut (
      .enable, .here,
      .destination({LANES{destination}}),
      .descending({LANES{descending}}),
      .one_way({LANES{one_way}}),
      .fresh({LANES{1'b0}}),
      .port(ports)
  );

  // Returns the hops along a dimension, the shorter way or in the plus direction.
  function automatic integer distance(input integer from, input integer to, input integer many);
    integer around;
    around = (to - from + many) % many;
    distance = WRAP == 0 ? (to > from ? to - from : from - to) :
        one_way || 2 * around <= many ? around : many - around;
  endfunction

  // Returns the sum of a number's digits to base 2, 4 or 8.
  function automatic integer digits(input integer number);
    integer base, rest;
    base = V > 4 ? 8 : V > 2 ? 4 : 2;
    digits = 0;
    for (rest = number; rest > 0; rest = rest / base) digits = digits + rest % base;
  endfunction

  initial begin
    routes = 0;
    done   = 1'b0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    nodes = $test$plusargs("short") && seed == 1 && NODES > 13 ? 0 : NODES;
    for (int rule = 0; rule < (WRAP != 0 ? 4 : 2); rule++)
      for (int u = 0; u < nodes; u++)
        for (int v = 0; v < nodes; v++) begin
          {one_way, descending} = 2'(rule);
          lane = 0;
          enable = LANES'(1);
          at = u;
          destination = LABEL_W'(label(v));
          least = 0;
          for (int k = 0; k < DIMS; k++) least = least + distance(coordinate(u, k), coordinate(v, k), extent(k));
          hops_made = 0;
          last_d = descending ? DIMS : -1;
          here = LABEL_W'(label(at));
          #1;
          while (port != '0 && hops_made <= least) begin
            d = (32'(port) - 1) / LINKS_PER_DIM;
            if (descending ? d > last_d : d < last_d) $fatal(1, "%m: dimension %0d after %0d", d, last_d);
            way = (coordinate(v, d) - coordinate(at, d) + extent(d)) % extent(d);
            if (WRAP != 0 && 2 * way == extent(d) && port % 2 == 0) $fatal(1, "%m: by minus, half around");
            if (one_way && port % 2 == 0) $fatal(1, "%m: by minus, one way");
            from = coordinate(at, d);
            to = coordinate(v, d);
            wraps = from == (port % 2 != 0 ? extent(d) - 1 : 0);
            if (d != last_d) {ahead, crossed} = {port % 2 != 0 ? to < from : to > from, 1'b0};
            if (d != last_d) first = WRAP != 0 && ahead ? 2 * (to % (V / 2)) : to % V;
            if (LINKS_PER_DIM == 1) first = digits(v) % V;
            if (V > 1 && (32'(lane_out) - 1) % V != first + (WRAP != 0 && (crossed || ahead && wraps) ? 1 : 0))
              $fatal(1, "%m: from %0d at %0d to %0d by lane %0d", u, at, v, lane_out);
            if (WRAP != 0 && ahead && wraps) {ahead, crossed} = 2'b01;
            last_d = d;
            there = neighbour(at, 32'(port) - 1);
            if (there < 0) $fatal(1, "%m: %0d has no link %0d", at, port - 1);
            if (V > 1) lane = 1 + back(at, 32'(port) - 1) * V + (32'(lane_out) - 1) % V;
            enable = LANES'(1) << lane;
            at = there;
            here = LABEL_W'(label(at));
            hops_made = hops_made + 1;
            #1;
          end
          if (at != v || hops_made != least) $fatal(1, "%m: %0d hops from %0d to %0d, not %0d", hops_made, u, at, least);
          routes = routes + 1;
        end
    done = 1'b1;
  end
endmodule

`default_nettype wire
