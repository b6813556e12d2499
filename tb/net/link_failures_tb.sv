// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Writes random marks, runs passes of random lengths, and compares reads with a list of the marks.
`default_nettype none

module link_failures_tb;
  localparam integer NODES = 5, LINKS = 3, PASSES = 400;
  wire clk, rst0;
  integer seed, state, downs, reads;
  logic rst, run, request, write;
  logic [31:0] cycle, address, wdata, from;
  wire [31:0] rdata;
  wire [NODES*LINKS-1:0] down;
  logic [NODES*LINKS-1:0] marked;
  logic failed;

  bench u_bench (
      .clk,
      .rst (rst0),
      .seed
  );
  link_failures #(.NODES(NODES), .LINKS(LINKS)) u_dut (
      .clk, .rst, .run, .cycle,
      .bus_request(request),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata),
      .down
  );

  task automatic ask(input logic is_write, input logic [11:0] node, input logic word, input logic [31:0] data);
    @(negedge clk);
    request = 1'b1;
    write   = is_write;
    address = {regmap::SPACE_FAILURE, node, 15'd0, word};
    wdata   = data;
    @(negedge clk);
    request = 1'b0;
    if (is_write && word) from = data;
    for (int u = 0; u < NODES; u++)
      if (is_write && !word && (32'(node) == u || (&node))) marked[u*LINKS+:LINKS] = data[LINKS-1:0];
    if (!is_write) begin
      repeat (2) @(negedge clk);
      if (rdata !== (word ? from : 32'(marked[32'(node)*LINKS+:LINKS]))) $fatal(1, "node %0d word %0d reads %h", node, word, rdata);
      reads = reads + 1;
      @(negedge clk);
      if (rdata !== 32'd0) $fatal(1, "an answer stays");
    end
  endtask

  initial begin
    {rst, run, request, write, cycle, address, wdata, from, marked, failed} = '0;
    rst = 1'b1;
    downs = 0;
    reads = 0;
    wait (!rst0);
    state = seed;
    for (int pass = 0; pass < PASSES; pass++) begin
      @(negedge clk);
      rst = pass == 0 || $unsigned($random(state)) % 4 == 0;
      if (rst) {from, marked, failed} = '0;
      @(negedge clk);
      rst = 1'b0;
      repeat (3)
        if ($unsigned($random(state)) % 3 == 0)
          ask(1'b1, $unsigned($random(state)) % 8 == 0 ? 12'hfff : 12'($unsigned($random(state)) % NODES), 1'b0, $unsigned($random(state)));
      if ($unsigned($random(state)) % 2 == 0) ask(1'b1, 12'd0, 1'b1, 32'($unsigned($random(state)) % 30));
      repeat (2) ask(1'b0, 12'($unsigned($random(state)) % NODES), 1'($unsigned($random(state))), 32'd0);
      // Addresses of other spaces must have no effect.
      @(negedge clk);
      request = 1'b1;
      write   = 1'b1;
      address = {regmap::SPACE_NODE, 28'd0};
      @(negedge clk);
      request = 1'b0;
      run     = 1'b1;
      cycle   = 32'd0;
      repeat ($unsigned($random(state)) % 40 + 1) begin
        #1;
        failed = failed || (from != 0 && cycle + 1 >= from);
        if (down !== (failed ? marked : '0)) $fatal(1, "cycle %0d of %0d: down %b, marked %b", cycle + 1, from, down, marked);
        if (down != '0) downs = downs + 1;
        @(negedge clk);
        cycle = cycle + 1;
      end
      run = 1'b0;
      #1;
      if (down !== (failed ? marked : '0)) $fatal(1, "after the pass: down %b, marked %b", down, marked);
    end
    if (downs == 0 || reads == 0) $fatal(1, "nothing was down");
    $display("PASS link_failures (seed %0d, %0d cycles)", seed, downs);
    $finish;
  end
endmodule

`default_nettype wire
