// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Merges the answers of all tiles, and of the other parts on the register bus, into one. Part of fabric.
//
// Latency: tiles answer three cycles after a request; one cycle later the answer is here. Throughput: a request in
// every cycle.
//
// Ports:
// - bus_request, bus_address: as in fabric; the tile's number is in bits 27:16 of the address. Reads and writes
//   alike.
// - tile_rdata: tile u at bits 32*u. other_rdata: of the parts that are no tiles. A part that is not addressed
//   answers 0.
// - bus_rdata: the answer, four cycles after a request, which may address one part or none. Without a request it may
//   keep its value.
//
// Reset: synchronous, one cycle.
`default_nettype none

module tile_answers #(
    parameter integer TILES = 2,  // 2..1024
    localparam integer INDEX_W = $clog2(TILES)
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 bus_request,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        31:0] bus_address,
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [TILES*32-1:0] tile_rdata,
    input  wire  [        31:0] other_rdata,
    output logic [        31:0] bus_rdata
);
  if (TILES < 2 || TILES > 1024) begin : g_TILES illegal_TILES u_illegal (); end

  logic [2:0] asked_q;
  logic [INDEX_W-1:0] index_q, index_1_q, index_2_q;

  // A few answers are cheaper to OR; of many it is cheaper to select one by number.
  logic [31:0] answer;
  always_comb begin : pick
    logic [31:0] any;
    any = '0;
    if (TILES > 16) begin
      if (32'(index_2_q) < TILES) any = any | tile_rdata[32*index_2_q+:32];
    end else for (int u = 0; u < TILES; u++) any = any | tile_rdata[u*32+:32];
    answer = any | other_rdata;
  end

  always_ff @(posedge clk) begin
    if (bus_request || |asked_q) begin
      asked_q <= {asked_q[1:0], bus_request};
      index_q <= bus_address[16+:INDEX_W];
      index_1_q <= index_q;
      index_2_q <= index_1_q;
      bus_rdata <= answer;
    end
    if (rst) asked_q <= '0;
  end

`ifdef FORMAL
  // The answer to a request for one tile (any, also one that there is not), seen four cycles later.
  (* anyconst *) logic [INDEX_W-1:0] f_tile;
  logic [3:0] f_asked;  // 1 to 4 cycles ago
  logic [31:0] f_says;  // the tile, in the cycle before
  logic [31:0] f_now;
  logic f_others;  // somebody else says something
  always_comb begin
    f_now = other_rdata;
    f_others = 1'b0;
    for (int u = 0; u < TILES; u++)
      if (INDEX_W'(u) == f_tile) f_now = f_now | tile_rdata[u*32+:32];
      else f_others = f_others || tile_rdata[u*32+:32] != '0;
  end

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    f_asked <= rst ? '0 : {f_asked[2:0], bus_request && bus_address[16+:INDEX_W] == f_tile};
    if (f_asked[2]) assume (!f_others);
    f_says <= f_now;

    if (!$initstate) begin
      if (f_asked[3]) assert (bus_rdata == f_says);
      cover (f_asked[3] && f_asked[2] && bus_rdata == 32'd1 && 32'(f_tile) == TILES - 1);
      // For the induction.
      assert ((f_asked[2:0] & ~asked_q) == '0);
      if (f_asked[0]) assert (index_q == f_tile);
      if (f_asked[1]) assert (index_1_q == f_tile);
      if (f_asked[2]) assert (index_2_q == f_tile);
    end
  end
`endif
endmodule

`default_nettype wire
