// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Writes random schedules, reads them back, and compares them cycle by cycle with a table of the slot that has the
// light.
`default_nettype none

module ocs_schedule_tb;
  localparam integer PORTS = 5, DEPTH = 16, TO_W = 3, ROUNDS = 40, LONGEST = 2000;
  wire clk, rst;
  `include "chance.svh"
  integer seed;
  logic load, run, select, write;
  logic [23:0] address;
  logic [31:0] wdata;
  wire [31:0] rdata, now;
  wire [PORTS-1:0] lit;
  wire [PORTS*TO_W-1:0] to;
  wire [11:0] slot;

  bench u_bench (.clk, .rst, .seed);
  ocs_schedule #(.PORTS(PORTS), .DEPTH(DEPTH)) u_dut (
      .clk, .rst, .load, .run, .lit, .to, .now, .slot,
      .bus_select(select),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata)
  );

  integer cycles[DEPTH], dark, slots, length, at, t;
  logic [31:0] word[DEPTH*PORTS];
  integer of[LONGEST];  // slot that has the light in cycle 1 + t; -1: none

  task automatic put(input [23:0] where, input [31:0] what);
    @(negedge clk);
    {select, write, address, wdata} = {2'b11, where, what};
    @(negedge clk);
    select = 1'b0;
  endtask

  task automatic get(input [23:0] where, input [31:0] what);
    @(negedge clk);
    {select, write, address} = {2'b10, where};
    @(negedge clk);
    select = 1'b0;
    @(negedge clk);
    if (rdata !== what) $fatal(1, "%h reads %h, expected %h", where, rdata, what);
    @(negedge clk);
    if (rdata !== '0) $fatal(1, "an answer to nothing");
  endtask

  initial begin
    {load, run, select, write} = '0;
    @(negedge rst);
    state = seed;
    for (int round = 0; round < ROUNDS; round++) begin
      slots = round == 0 ? DEPTH : 1 + random(DEPTH);
      dark  = random(4) == 0 ? 0 : random(7);
      put(24'h801, dark);
      length = 0;
      for (int t = 0; t < LONGEST; t++) of[t] = -1;
      for (int s = 0; s < DEPTH; s++) begin
        cycles[s] = s < slots ? 1 + random(9) : 0;
        put({12'(s), 12'h800}, cycles[s]);
        for (int p = 0; p < PORTS; p++) begin
          word[s*PORTS+p] = {1'(random(4) != 0), 31'(random(PORTS))};
          put({12'(s), 12'(p)}, word[s*PORTS+p]);
        end
        if (s != 0) length = length + dark;
        for (int c = 0; c < cycles[s]; c++) of[length+c] = s;
        length = length + cycles[s];
      end
      put({12'(DEPTH), 12'h800}, 32'd7);  // there is no such slot
      for (int i = 0; i < 12; i++) begin
        at = random(DEPTH);
        get({12'(at), 12'h800}, cycles[at]);
        get({12'(at), 12'h801}, dark);
        get({12'(at), 12'(PORTS)}, '0);
        get({12'(DEPTH), 12'h800}, '0);
        t = random(PORTS);
        get({12'(at), 12'(t)}, word[at*PORTS+t]);
      end
      @(negedge clk);
      if (lit !== '0) $fatal(1, "light between passes");
      load = 1'b1;
      @(negedge clk);
      load = 1'b0;
      run  = 1'b1;
      length = random(2) == 0 ? length + 5 : 1 + random(length);
      for (int c = 0; c < length; c++) begin
        #1;
        if (now !== 32'(c + 1)) $fatal(1, "cycle %0d calls itself %0d", c + 1, now);
        for (int p = 0; p < PORTS; p++) begin
          if (lit[p] !== (of[c] >= 0 && word[of[c]*PORTS+p][31])) $fatal(1, "cycle %0d: light of %0d is %b", c + 1, p, lit[p]);
          if (lit[p] && 32'(to[p*TO_W+:TO_W]) !== 32'(word[of[c]*PORTS+p][30:0]))
            $fatal(1, "cycle %0d: light of %0d leads to %0d", c + 1, p, to[p*TO_W+:TO_W]);
        end
        @(negedge clk);
      end
      run = 1'b0;
      // The next pass begins from the start, wherever this one ended; some begin after a reset.
      if (lit !== '0 || round % 3 == 0) begin
        force u_dut.rst = 1'b1;
        @(negedge clk);
        release u_dut.rst;
      end
    end
    $display("PASS ocs_schedule (seed %0d, %0d schedules)", seed, ROUNDS);
    $finish;
  end
endmodule

`default_nettype wire
