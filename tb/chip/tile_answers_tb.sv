// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Tests few tiles and many: the addressed tile returns a random word three cycles later, which must be the answer. Some
// requests address tiles that do not exist, or a space that belongs to no tile.
`default_nettype none

module tile_answers_tb;
  localparam integer CYCLES = 8000;
  wire clk, rst;
  integer seed;
  integer answers[2];
  wire [1:0] done;

  bench u_bench (.clk, .rst, .seed);
  for (genvar g = 0; g < 2; g++) begin : g_size
    localparam integer TILES = g == 0 ? 5 : 21;
    logic bus_request;
    logic [31:0] bus_address, other_rdata, says, expected;
    logic [TILES*32-1:0] tile_rdata;
    wire [31:0] bus_rdata;
    logic [2:0] asked;  // requests 1 to 3 cycles ago
    integer at[3], state;  // the addressed tile; TILES: the space of no tile; above: nothing
    logic known;

    tile_answers #(
        .TILES(TILES)
    ) u_dut (.clk, .rst, .bus_request, .bus_address, .tile_rdata, .other_rdata, .bus_rdata);

    initial begin
      {bus_request, bus_address, tile_rdata, other_rdata, asked, known, expected} = '0;
      answers[g] = 0;
      @(negedge rst);
      state = seed + g;
      repeat (CYCLES) begin
        @(negedge clk);
        if (known && bus_rdata !== expected) $fatal(1, "of %0d tiles: %h, expected %h", TILES, bus_rdata, expected);
        if (known) answers[g] = answers[g] + 1;
        asked = {asked[1:0], bus_request};
        at[2] = at[1];
        at[1] = at[0];
        at[0] = 32'(bus_address[27:16]);
        bus_request = $random(state) % 3 != 0;
        bus_address = {4'($random(state)), 12'($unsigned($random(state)) % (TILES + 3)), 16'($random(state))};
        tile_rdata  = '0;
        other_rdata = '0;
        known = asked[2];
        says  = $random(state);
        if (asked[2] && at[2] < TILES) tile_rdata[at[2]*32+:32] = says;
        if (asked[2] && at[2] == TILES) other_rdata = says;
        expected = at[2] <= TILES ? says : '0;
      end
    end
  end

  initial begin
    @(negedge rst);
    repeat (CYCLES + 2) @(negedge clk);
    $display("PASS tile_answers (seed %0d, %0d answers)", seed, answers[0] + answers[1]);
    $finish;
  end
endmodule

`default_nettype wire
