// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Banks of four tiles, one with GATED and one without, each with the same random requests, some in a row and some after
// a pause in which the gated clock falls asleep, and with a network clock that runs now and then. The tiles must see
// every request for the bank on their clock, in its cycle and unchanged, and no other request.
`default_nettype none

module tile_bank_tb;
  localparam integer INDEX_W = 4, BANK_W = 2, CYCLES = 20000;
  localparam [INDEX_W-1:0] BANK = 4'd2;
  wire clk, rst;
  `include "chance.svh"
  integer seed, taken, slept, pause, since, space;
  logic [11:0] tile;
  logic early_request, early_write, bus_request, bus_write, due, net_on;
  logic [31:0] early_address, early_wdata, bus_address, bus_wdata;
  wire [1:0] tile_clk, tile_request, tile_write;
  wire [31:0] tile_address[2], tile_wdata[2];

  bench u_bench (.clk, .rst, .seed);
  for (genvar g = 0; g < 2; g++) begin : g_bank
    tile_bank #(
        .INDEX_W(INDEX_W),
        .BANK_W (BANK_W),
        .GATED  (g)
    ) u_dut (
        .clk,
        .net_clk(clk && net_on),
        .bank(BANK),
        .bus_request, .bus_write, .bus_address, .bus_wdata, .early_request, .early_write, .early_address,
        .early_wdata,
        .tile_clk(tile_clk[g]),
        .tile_request(tile_request[g]),
        .tile_write(tile_write[g]),
        .tile_address(tile_address[g]),
        .tile_wdata(tile_wdata[g])
    );

    // The request that the tiles see at this edge, if it is for this bank.
    logic seen;
    always @(posedge tile_clk[g])
      seen = tile_request[g] && mine(tile_address[g]);
    always @(negedge clk) begin
      if (!rst && seen !== due) $fatal(1, "GATED=%0d: a request is seen: %b, expected %b", g, seen, due);
      seen = 1'b0;
    end
    always @(posedge tile_clk[g])
      if (!rst && tile_request[g] && mine(tile_address[g]) && {tile_write[g], tile_address[g], tile_wdata[g]} !==
          {bus_write, bus_address, bus_wdata})
        $fatal(1, "GATED=%0d: %b %h %h is seen as %b %h %h", g, bus_write, bus_address, bus_wdata, tile_write[g],
               tile_address[g], tile_wdata[g]);
  end

  function mine(input [31:0] address);
    mine = (address[31:28] == regmap::SPACE_NODE || address[31:28] == regmap::SPACE_MONITOR ||
            address[31:28] == regmap::SPACE_TIME) &&
        (address[27:16] == 12'hfff || address[16+:INDEX_W] / 4 == 32'(BANK));
  endfunction

  // Checks a request that was taken in the last cycle, and when the gated clock stops: it runs at the edge that takes a
  // request, at the seven edges after it, and at those of the network's clock.
  always @(posedge clk) begin
    due = bus_request && mine(bus_address);
    taken = taken + 32'(due);
    since = early_request && mine(early_address) ? 0 : since + 1;
    {bus_request, bus_write, bus_address, bus_wdata} <= {early_request, early_write, early_address, early_wdata};
    #1 slept = slept + 32'(tile_clk[1] === 1'b0);
    if (taken != 0 && tile_clk !== {since < 8 || net_on, 1'b1})
      $fatal(1, "clocks %b %0d edges after a request", tile_clk, since);
  end
  always @(negedge clk) net_on = pause > 30 && pause < 33;

  initial begin
    {early_request, early_write, bus_request, bus_write, due, net_on} = '0;
    {early_address, early_wdata, bus_address, bus_wdata} = '0;
    {taken, slept, pause} = '0;
    since = 8;
    @(negedge rst);
    state = seed;
    repeat (CYCLES) begin
      @(posedge clk);
      early_request <= 1'b0;
      if (pause > 0) pause = pause - 1;
      else begin
        if (random(12) == 0) pause = random(2) == 0 ? random(16) : 40;
        early_request <= 1'b1;
        early_write <= 1'(random(2));
        space = random(3) != 0 ? 1 + random(2) : random(8);
        tile = random(8) == 0 ? 12'hfff : 12'(random(16));
        early_address <= {4'(space), tile, 16'($random(state))};
        early_wdata <= $random(state);
      end
    end
    if (slept < CYCLES / 10) $fatal(1, "the clock slept for %0d cycles", slept);
    $display("PASS tile_bank (seed %0d, %0d requests, %0d cycles asleep)", seed, taken, slept);
    $finish;
  end
endmodule

`default_nettype wire
