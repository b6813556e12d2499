// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of nodes of an OTIS-Mesh, both rules, to every SHARE-th destination, from that of the seed on: the route ends at the destination after as many hops as a search finds
// that goes out from the destination over all links, takes no missing link, and goes by the virtual channels in order.
// The search knows nothing of formulas.
`default_nettype none

module route_otis_walk #(
    parameter integer N = 2,  // rows and columns of a group
    parameter integer V = 1,
    parameter integer SHARE = 1,
    localparam integer GROUP = N * N,
    localparam integer NODES = GROUP * GROUP,
    localparam integer LABEL_W = $clog2(NODES),
    localparam integer PORT_W = $clog2(5 * V + 1)
) (
    output integer routes,
    output logic   done
);
  logic enable, descending;
  logic [LABEL_W-1:0] here, destination;
  wire [PORT_W-1:0] port;

  route_otis #(.LABEL_W(LABEL_W), .V(V)) u_dut (.enable, .here, .destination, .descending, .port);

  // Returns the node at the other end of a link, -1: there is no such link.
  function automatic integer neighbour(input integer node, input integer link);
    integer p, g;
    p = node % GROUP;
    g = node / GROUP;
    case (link)
      0: neighbour = p % N < N - 1 ? node + 1 : -1;
      1: neighbour = p % N > 0 ? node - 1 : -1;
      2: neighbour = p / N < N - 1 ? node + N : -1;
      3: neighbour = p / N > 0 ? node - N : -1;
      default: neighbour = g != p ? p * GROUP + g : -1;
    endcase
  endfunction

  integer far[NODES], queue[NODES];  // hops to the destination
  integer seed, first, many, at, there, hops_made, link, lane, kind, last_kind, last_link;
  task automatic search(input integer target);
    for (int u = 0; u < NODES; u++) far[u] = -1;
    far[target] = 0;
    queue[0] = target;
    first = 0;
    many = 1;
    while (first < many) begin
      at = queue[first];
      first = first + 1;
      for (int l = 0; l < 5; l++) begin
        there = neighbour(at, l);
        if (there >= 0 && far[there] < 0) begin
          far[there] = far[at] + 1;
          queue[many] = there;
          many = many + 1;
        end
      end
    end
  endtask

  initial begin
    routes = 0;
    done   = 1'b0;
    enable = 1'b1;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    for (int v = seed % SHARE; v < NODES; v = v + SHARE) begin
      search(v);
      for (int u = 0; u < 2 * NODES; u++) begin
        descending = u >= NODES;
        at = u % NODES;
        here = LABEL_W'(at);
        destination = LABEL_W'(v);
        hops_made = 0;
        last_kind = 0;
        last_link = -1;
        #1;
        while (port != '0 && hops_made <= far[u%NODES]) begin
          link = (32'(port) - 1) / V;
          lane = (32'(port) - 1) % V;
          // The order: electronic links on channel 0, light on 0, electronic on 1, light on 1; among electronic links
          // row or column first.
          kind = 2 * lane + (link == 4 ? 1 : 0);
          if (V == 2 && (kind < last_kind || kind == last_kind && link == 4 && hops_made > 0))
            $fatal(1, "%m: from %0d to %0d by %0d after %0d", u % NODES, v, kind, last_kind);
          if (link < 4 && last_link >= 0 && last_link < 4 && link != last_link && (descending ? link / 2 != 0 : link / 2 != 1))
            $fatal(1, "%m: from %0d to %0d link %0d after %0d", u % NODES, v, link, last_link);
          last_kind = kind;
          last_link = link;
          there = neighbour(at, link);
          if (there < 0) $fatal(1, "%m: %0d has no link %0d", at, link);
          at = there;
          here = LABEL_W'(at);
          hops_made = hops_made + 1;
          #1;
        end
        if (at != v || hops_made != far[u%NODES])
          $fatal(1, "%m: %0d hops from %0d to %0d, not %0d", hops_made, u % NODES, v, far[u%NODES]);
        routes = routes + 1;
      end
    end
    done = 1'b1;
  end
endmodule

`default_nettype wire
