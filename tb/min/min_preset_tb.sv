// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A table for 40 switches (two words) with the most passes: compares random writes, reads and passes with a copy.
`default_nettype none

module min_preset_tb;
  localparam integer SWITCHES = 40, DEPTH = 4096;
  wire clk, rst;
  `include "chance.svh"
  integer seed, reads, loads, filled;
  logic load, select, write;
  logic [15:0] pass, address;
  logic [31:0] wdata;
  wire [31:0] rdata;
  wire [SWITCHES-1:0] crossed;
  logic [31:0] table_of[2*DEPTH];
  logic [31:0] expected[3];  // answers to the requests one and two cycles ago

  bench u_bench (.clk, .rst, .seed);
  min_preset #(.SWITCHES(SWITCHES), .DEPTH(DEPTH)) u_dut (
      .clk, .rst, .load, .pass, .crossed,
      .bus_select(select),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .bus_rdata(rdata)
  );

  function [31:0] held(input [15:0] where);
    held = where[15:4] < DEPTH && where[3:0] < 2 ? table_of[2*where[15:4]+where[3:0]] : 32'd0;
  endfunction

  integer shown;
  always @(posedge clk) begin
    if (rst) begin
      state = seed;
      reads = 0;
      loads = 0;
      filled = 0;
      shown = -1;
      {load, select, write} <= '0;
      expected[0] = '0;
      expected[1] = '0;
      expected[2] = '0;
      for (int i = 0; i < 2 * DEPTH; i++) table_of[i] = 'x;
    end else begin
      if (rdata !== expected[1]) $fatal(1, "reads %h, expected %h", rdata, expected[1]);
      if (shown >= 0 && crossed !== {table_of[2*shown+1][7:0], table_of[2*shown]})
        $fatal(1, "pass %0d: %h, expected %h%h", shown, crossed, table_of[2*shown+1][7:0], table_of[2*shown]);
      expected[1] = expected[0];
      expected[0] = select && !write ? held(address) : 32'd0;
      if (select && !write) reads = reads + 1;
      if (select) shown = -1;
      if (select && write && address[15:4] < DEPTH && address[3:0] < 2)
        table_of[2*address[15:4]+address[3:0]] = address[3:0] == 4'd1 ? wdata & 32'hff : wdata;
      if (load) begin
        shown = pass % DEPTH;
        loads = loads + 1;
      end
      // First every word is written, then anything.
      select <= filled < 2 * DEPTH || random(3) == 0;
      write <= filled < 2 * DEPTH || random(2) == 0;
      address <= filled < 2 * DEPTH ? {12'(filled / 2), 4'(filled % 2)} : {12'(random(DEPTH + 2)), 4'(random(3))};
      filled = filled + 1;
      wdata <= $random(state);
      load <= 1'b0;
      if (reads > 20 && random(3) == 0) begin
        load <= 1'b1;
        select <= 1'b0;
      end
      pass <= 16'(random(3 * DEPTH));
      if (loads > 500) begin
        $display("PASS min_preset (seed %0d, %0d passes, %0d reads)", seed, loads, reads);
        $finish;
      end
    end
  end
endmodule

`default_nettype wire
