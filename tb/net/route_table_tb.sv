// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Writes and reads random words, and looks them up from two lanes at once, in four virtual networks, also during a
// write.
`default_nettype none

module route_table_tb;
  localparam integer LABEL_W = 3, PORTS = 5, PORT_W = 3, RULE_W = 2, WORDS = 1 << LABEL_W + RULE_W, LANES = 2;
  wire clk, rst;
  `include "chance.svh"
  integer seed, looked;
  logic select, write;
  logic [RULE_W+LABEL_W-1:0] at;
  logic [PORT_W-1:0] wdata;
  wire [PORT_W-1:0] rdata;
  logic [LANES-1:0] enable;
  logic [LANES*RULE_W-1:0] rule;
  logic [LANES*LABEL_W-1:0] destination;
  wire [LANES*PORT_W-1:0] port;
  logic [PORT_W-1:0] truth[WORDS];

  bench u_bench (.clk, .rst, .seed);
  route_table #(
      .LABEL_W(LABEL_W), .RULE_W(RULE_W), .PORTS(PORTS), .LANES(LANES)
  ) u_dut (.clk, .select, .write, .at, .wdata, .rdata, .enable, .destination, .rule, .port);

  // Compares two random headers with the current model.
  task look;
    {enable, rule, destination} = $random(state);
    #1;
    for (int i = 0; i < LANES; i++) begin
      if (enable[i] && port[i*PORT_W+:PORT_W] !== truth[{rule[i*RULE_W+:RULE_W], destination[i*LABEL_W+:LABEL_W]}])
        $fatal(1, "lane %0d: port %0d", i, port[i*PORT_W+:PORT_W]);
      looked = looked + 32'(enable[i]);
    end
  endtask

  task access(input writes, input integer where, input integer what);
    {select, write} <= {1'b1, writes};
    at <= (RULE_W + LABEL_W)'(where);
    wdata <= PORT_W'(what);
    @(posedge clk);
    #1;
    select <= 1'b0;
    if (writes) truth[where] = PORT_W'(what);
    look;
    @(posedge clk);
    if (!writes && rdata !== truth[where]) $fatal(1, "word %0d is %0d, not %0d", where, rdata, truth[where]);
  endtask

  // Checks that a header that looks up a word during its write gets the old one.
  task beside(input integer where, input integer what);
    {select, write} = 2'b11;
    at = (RULE_W + LABEL_W)'(where);
    wdata = PORT_W'(what);
    {rule[RULE_W-1:0], destination[LABEL_W-1:0]} = at;
    enable = LANES'(1);
    #1;
    if (port[PORT_W-1:0] !== truth[where]) $fatal(1, "beside a write: port %0d, not %0d", port[PORT_W-1:0], truth[where]);
    @(posedge clk);
    #1;
    select = 1'b0;
    truth[where] = PORT_W'(what);
    if (port[PORT_W-1:0] !== truth[where]) $fatal(1, "behind a write: port %0d, not %0d", port[PORT_W-1:0], truth[where]);
  endtask

  initial begin
    {select, write, at, wdata, enable, rule, destination} = '0;
    looked = 0;
    @(negedge rst);
    state = seed;
    for (int i = 0; i < WORDS; i++) truth[i] = 'x;
    for (int i = 0; i < WORDS; i++) access(1'b1, i, random(PORTS));
    repeat (2000) begin
      if (random(4) == 0) access(1'(random(2)), random(WORDS), random(PORTS));
      else if (random(4) == 0) beside(random(WORDS), random(PORTS));
      look;
      @(posedge clk);
    end
    $display("PASS route_table (seed %0d, %0d headers)", seed, looked);
    $finish;
  end
endmodule

`default_nettype wire
