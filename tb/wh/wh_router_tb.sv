// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Routers with one virtual channel, with two on all ports but one, with three on all, and with deeper buffers: see
// wh_router_bench.
`default_nettype none

module wh_router_tb;
  localparam integer ROUTERS = 5;
  // PORTS, V, SINGLE and BUFFERS, 4 bits each
  localparam [0:ROUTERS*16-1] ROW = {16'h4102, 16'h3212, 16'h2302, 16'h3107, 16'h3213};
  wire clk, rst;
  integer seed;
  wire [31:0] counts[ROUTERS];
  wire [ROUTERS-1:0] done;

  bench_of_parts #(.NAME("wh_router"), .COUNTED("flits"), .PARTS(ROUTERS)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );
  for (genvar k = 0; k < ROUTERS; k++) begin : g_router
    localparam [15:0] SORT = ROW[k*16+:16];
    wh_router_bench #(
        .PORTS(32'(SORT[15:12])), .V(32'(SORT[11:8])), .SINGLE(32'(SORT[7:4])), .BUFFERS(32'(SORT[3:0])),
        .SALT(100 * k)
    ) u_router (
        .clk, .rst, .seed,
        .all_received(counts[k]),
        .finished(done[k])
    );
  end
endmodule

`default_nettype wire
