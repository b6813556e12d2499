// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A bank of tiles beside the register bus: the clock which they share, and the requests as they see them. With GATED =
// 1, which only simulation sets, that clock sleeps with the network's unless a request is for a tile of the bank, and
// the bank keeps the request in registers of its own, on the clock on which it is looked at; else all of it is wires.
// Part of fabric.
//
// Latency: what the tiles see is in time with bus_*, a cycle after early_*. Of a request for a tile of the bank every
// edge of clk comes through from the one that takes it to the seventh after that: for the answer, and for a node to
// fetch a message. Throughput: a request in every cycle.
//
// Ports:
// - clk, net_clk: as in fabric.
// - bank: which one, constant. Bank b has the tiles b << BANK_W and up, 2^BANK_W of them.
// - bus_*, early_*: as in fabric.
// - tile_*: to the tiles of the bank. With GATED = 1 they may see a request for others late, or again.
`default_nettype none

module tile_bank #(
    parameter integer INDEX_W = 1,  // bits of a tile's number, 1..11
    parameter integer BANK_W = 0,  // bits of it that tell the tiles of a bank apart, 0..INDEX_W
    parameter integer GATED = 0  // 0, 1
) (
    input  wire                clk,
    input  wire                net_clk,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [INDEX_W-1:0] bank,
    // register port
    input  wire                bus_request,
    input  wire                bus_write,
    input  wire  [       31:0] bus_address,
    input  wire  [       31:0] bus_wdata,
    // the same a cycle earlier
    input  wire                early_request,
    input  wire                early_write,
    input  wire  [       31:0] early_address,
    input  wire  [       31:0] early_wdata,
    // verilator lint_on UNUSEDSIGNAL
    // to the tiles
    output wire                tile_clk,
    output logic               tile_request,
    output logic               tile_write,
    output logic [       31:0] tile_address,
    output logic [       31:0] tile_wdata
);
  if (INDEX_W < 1 || INDEX_W > 11) begin : g_INDEX_W illegal_INDEX_W u_illegal (); end
  if (BANK_W < 0 || BANK_W > INDEX_W) begin : g_BANK_W illegal_BANK_W u_illegal (); end

  wire asked = early_request &&
      (early_address[31:28] == regmap::SPACE_NODE || early_address[31:28] == regmap::SPACE_MONITOR ||
       early_address[31:28] == regmap::SPACE_TIME) &&
      (early_address[16+:INDEX_W] >> BANK_W == bank || (&early_address[27:16]));

  clock_gate #(
      .GATED(GATED),
      .TAIL (7)
  ) u_gate (
      .clk,
      .wake(asked),
      .beside(net_clk),
      .out(tile_clk)
  );
  if (GATED != 0) begin : g_kept
    always_ff @(posedge tile_clk) begin
      tile_request <= early_request;
      if (early_request) begin
        tile_write <= early_write;
        tile_address <= early_address;
        tile_wdata <= early_wdata;
      end
    end
  end else begin : g_shared
    assign {tile_request, tile_write, tile_address, tile_wdata} = {bus_request, bus_write, bus_address, bus_wdata};
  end

`ifdef FORMAL
  // Moment by moment: a request for the bank's tiles is seen by them with the edge after the one that takes it, as it
  // was, and no other one is.
  (* gclk *) wire f_moment;
  logic f_started = 1'b0, f_was_up = 1'b0, f_clocked = 1'b0, f_ran = 1'b0;  // there was an edge of clk, of tile_clk
  logic f_clk, f_net_clk, f_tile_clk, f_request, f_tile_request;
  logic [64:0] f_words, f_tile_words, f_taken_words;  // write, address, data
  logic f_taken = 1'b0, f_asked = 1'b0;  // by the last edge of clk, by any: a request for the bank's tiles
  logic [3:0] f_since = 4'd15;  // edges of clk since such a one, 15 or more: 15
  wire f_up = f_started && clk && !f_clk, f_down = f_started && !clk && f_clk;
  wire f_tile_up = f_started && tile_clk && !f_tile_clk;
  function automatic f_mine(input logic [31:0] address);
    f_mine = (address[31:28] == regmap::SPACE_NODE || address[31:28] == regmap::SPACE_MONITOR ||
        address[31:28] == regmap::SPACE_TIME) &&
        (&address[27:16] || address[16+:INDEX_W] >> BANK_W == bank);
  endfunction

  always_ff @(posedge f_moment) begin
    f_started <= 1'b1;
    f_was_up <= f_up;
    {f_clk, f_net_clk, f_tile_clk} <= {clk, net_clk, tile_clk};
    {f_request, f_words} <= {early_request, early_write, early_address, early_wdata};
    {f_tile_request, f_tile_words} <= {tile_request, tile_write, tile_address, tile_wdata};
    if (!f_started) assume (!clk);
    assume (!(f_down && f_was_up));  // the clock is up for as long as early_* take to change
    assume (!net_clk || clk);
    if (!f_clocked) assume (!early_request);
    if (f_started) begin
      assume ($stable(bank));
      if (!f_was_up) assume ($stable(early_request) && $stable({early_write, early_address, early_wdata}));
      if (clk && f_clk) assume (net_clk == f_net_clk);
    end
    if (f_up) begin
      f_taken <= f_request && f_mine(f_words[63:32]);
      f_taken_words <= f_words;
      if (f_request && f_mine(f_words[63:32])) f_asked <= 1'b1;
      f_since <= f_request && f_mine(f_words[63:32]) ? 4'd1 : &f_since ? f_since : f_since + 4'd1;
    end
    if (f_up) f_clocked <= 1'b1;
    if (f_tile_up) f_ran <= 1'b1;

    if (GATED == 0) begin
      assert (tile_clk == clk);
      assert ({tile_request, tile_write, tile_address, tile_wdata} == {bus_request, bus_write, bus_address, bus_wdata});
      cover (f_tile_up && tile_request);
    end else if (f_started) begin
      assert (!tile_clk || clk);
      assert (!net_clk || tile_clk);
      if (f_up && f_since <= 4'd7) assert (f_tile_up);
      if (f_up && f_asked && f_since > 4'd7 && !(f_request && f_mine(f_words[63:32])) && !net_clk) assert (!tile_clk);
      if (f_up && f_taken) assert (f_tile_up && f_tile_request && f_tile_words == f_taken_words);
      if (f_tile_up && f_ran && f_tile_request && f_mine(f_tile_words[63:32])) assert (f_taken);
      if (f_tile_up) assert (f_up);
      cover (f_tile_up && f_taken && f_taken_words[63:60] == regmap::SPACE_MONITOR);
      cover (f_up && !f_tile_up && f_ran);
    end
  end
`endif
endmodule

`default_nettype wire
