// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Every pair of nodes, both rules: the route ends at the destination and is as long as the distance.
`default_nettype none

module cube_route_tb;
  localparam integer DIM = 5;
  integer seed, hops, distance, routes, last_port;
  logic enable, descending;
  logic [DIM-1:0] here, destination;
  wire [2:0] port;

  cube_route #(
      .DIM(DIM)
  ) u_dut (
      .enable(enable),
      .here(here),
      .destination(destination),
      .descending(descending),
      .port(port)
  );

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    routes = 0;
    for (int i = 0; i < 2 << 2 * DIM; i++) begin
      enable = 1'b1;
      {descending, here, destination} = (2 * DIM + 1)'(i);
      distance = 0;
      for (int d = 0; d < DIM; d++) distance = distance + (here[d] ^ destination[d]);
      last_port = descending ? DIM + 1 : 0;
      hops = 0;
      #1;
      while (port != 3'd0 && hops <= DIM) begin
        if (descending ? port >= last_port : port <= last_port) $fatal(1, "port %0d after %0d", port, last_port);
        last_port = port;
        here = here ^ (DIM'(1) << (port - 1));
        hops = hops + 1;
        #1;
      end
      if (here !== destination || hops != distance) $fatal(1, "%0d hops to %0d", hops, here);
      routes = routes + 1;
      enable = 1'b0;
      #1;
      if (port !== 3'd0) $fatal(1, "a port without a header");
    end
    $display("PASS cube_route (seed %0d, %0d flits)", seed, routes);
    $finish;
  end
endmodule

`default_nettype wire
