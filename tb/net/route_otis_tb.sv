// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Routes of OTIS-Meshes of 2x2 and 4x4 processors a group, one virtual channel and two: see route_otis_walk.
`default_nettype none

module route_otis_tb;
  integer seed, all;
  wire [31:0] routes[4];
  wire [3:0] done;

  for (genvar i = 0; i < 4; i++) begin : g_network
    route_otis_walk #(.N(i < 2 ? 2 : 4), .V(1 + i % 2), .SHARE(i < 2 ? 1 : 16)) u_walk (
        .routes(routes[i]),
        .done(done[i])
    );
  end

  always @(done)
    if (&done) begin
      if (!$value$plusargs("seed=%d", seed)) seed = 1;
      all = routes[0] + routes[1] + routes[2] + routes[3];
      $display("PASS route_otis (seed %0d, %0d routes)", seed, all);
      $finish;
    end
endmodule

`default_nettype wire
