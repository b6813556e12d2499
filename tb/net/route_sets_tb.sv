// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Writes and reads random sets, and looks them up by headers in all lanes at once, also during a write. There are three
// links with two virtual channels each; and a router whose labels have more bits than its memory has address bits.
`default_nettype none

module route_sets_tb;
  localparam integer LABEL_W = 3, LINKS = 3, PORTS = 4, V = 2, LANES = 7, FROM_W = 2, AT_W = 5, WORDS = 1 << AT_W;
  wire clk, rst;
  `include "chance.svh"
  integer seed, looked;
  logic select, write;
  logic [AT_W-1:0] at;
  logic [PORTS-1:0] wdata;
  wire [PORTS-1:0] rdata;
  logic [LANES-1:0] enable;
  logic [LANES*LABEL_W-1:0] destination;
  wire [LANES*LANES-1:0] lanes;
  logic [PORTS-1:0] truth[WORDS];

  bench u_bench (.clk, .rst, .seed);
  route_sets #(.LABEL_W(LABEL_W), .LINKS(LINKS), .V(V)) u_dut (.clk, .select, .write, .at, .wdata, .rdata, .enable, .destination, .lanes);

  // Labels of 12 bits with 3 links: the memory ignores the two highest bits.
  localparam integer WIDE = 12;
  logic wide_select;
  logic [11:0] wide_at;
  logic [PORTS-1:0] wide_wdata;
  logic [3:0] wide_enable;
  logic [4*WIDE-1:0] wide_destination;
  wire [PORTS-1:0] wide_rdata;
  wire [15:0] wide_lanes;
  route_sets #(.LABEL_W(WIDE), .LINKS(3), .V(1)) u_wide (
      .clk,
      .select(wide_select),
      .write(1'b1),
      .at(wide_at),
      .wdata(wide_wdata),
      .rdata(wide_rdata),
      .enable(wide_enable),
      .destination(wide_destination),
      .lanes(wide_lanes)
  );

  function integer port_of(input integer lane);
    port_of = lane == 0 ? 0 : 1 + (lane - 1) / V;
  endfunction

  // Compares the sets of the headers, lane by lane, with the current model.
  task compare;
    #1;
    for (int i = 0; i < LANES; i++) begin
      for (int o = 0; o < LANES; o++)
        if (enable[i] && lanes[i*LANES+o] !== truth[{FROM_W'(port_of(i)), destination[i*LABEL_W+:LABEL_W]}][port_of(o)])
          $fatal(1, "lane %0d to %0d: %0d", i, o, lanes[i*LANES+o]);
      looked = looked + 32'(enable[i]);
    end
  endtask

  task look;
    {enable, destination} = {$random(state)};
    compare;
  endtask

  task access(input writes, input integer where, input integer what);
    {select, write} <= {1'b1, writes};
    at <= AT_W'(where);
    wdata <= PORTS'(what);
    @(posedge clk);
    #1;
    select <= 1'b0;
    if (writes) truth[where] = PORTS'(what);
    look;
    @(posedge clk);
    if (!writes && rdata !== truth[where]) $fatal(1, "word %0d is %0d, not %0d", where, rdata, truth[where]);
  endtask

  // Checks that headers during a write get the old set, and after it the new one.
  task beside(input integer where, input integer what);
    {select, write} = 2'b11;
    at = AT_W'(where);
    wdata = PORTS'(what);
    enable = '1;
    destination = {LANES{at[LABEL_W-1:0]}};
    compare;
    @(posedge clk);
    #1;
    select = 1'b0;
    truth[where] = PORTS'(what);
    compare;
  endtask

  task wide;
    wide_at = {2'd2, 10'd5};
    wide_wdata = 4'b1010;
    wide_select = 1'b1;
    @(posedge clk);
    #1;
    wide_select = 1'b0;
    wide_enable = 4'b0100;
    wide_destination = {4{12'd3077}};  // 5 in the lowest 10 bits
    #1;
    if (wide_lanes[11:8] !== 4'b1010) $fatal(1, "wide labels: %b", wide_lanes);
  endtask

  initial begin
    {select, write, at, wdata, enable, destination, wide_select, wide_at, wide_wdata, wide_enable, wide_destination} = '0;
    looked = 0;
    @(negedge rst);
    state = seed;
    for (int i = 0; i < WORDS; i++) truth[i] = 'x;
    for (int i = 0; i < WORDS; i++) access(1'b1, i, random(1 << PORTS));
    wide;
    repeat (2000) begin
      if (random(4) == 0) access(1'(random(2)), random(WORDS), random(1 << PORTS));
      else if (random(4) == 0) beside(random(WORDS), random(1 << PORTS));
      look;
      @(posedge clk);
    end
    $display("PASS route_sets (seed %0d, %0d headers)", seed, looked);
    $finish;
  end
endmodule

`default_nettype wire
