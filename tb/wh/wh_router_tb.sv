// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Routers with one virtual channel, with two on all ports but one, and with three on all, and such with deeper buffers: see
// wh_router_bench.
`default_nettype none

module wh_router_tb;
  localparam integer ROUTERS = 5;
  wire clk, rst;
  integer seed, all;
  wire [31:0] received[ROUTERS];
  wire [ROUTERS-1:0] finished;

  bench u_bench (.clk, .rst, .seed);
  wh_router_bench u_one (
      .clk, .rst, .seed,
      .all_received(received[0]),
      .finished(finished[0])
  );
  wh_router_bench #(.PORTS(3), .V(2), .SINGLE(1), .SALT(100)) u_two (
      .clk, .rst, .seed,
      .all_received(received[1]),
      .finished(finished[1])
  );
  wh_router_bench #(.PORTS(2), .V(3), .SALT(200)) u_three (
      .clk, .rst, .seed,
      .all_received(received[2]),
      .finished(finished[2])
  );
  wh_router_bench #(.PORTS(3), .BUFFERS(7), .SALT(300)) u_deep (
      .clk, .rst, .seed,
      .all_received(received[3]),
      .finished(finished[3])
  );
  wh_router_bench #(.PORTS(3), .V(2), .SINGLE(1), .BUFFERS(3), .SALT(400)) u_deep_two (
      .clk, .rst, .seed,
      .all_received(received[4]),
      .finished(finished[4])
  );

  always @(posedge clk)
    if (&finished) begin
      all = 0;
      for (int i = 0; i < ROUTERS; i++) all = all + received[i];
      $display("PASS wh_router (seed %0d, %0d flits)", seed, all);
      $finish;
    end
endmodule

`default_nettype wire
