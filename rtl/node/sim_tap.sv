// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Connects a simulated node to the C program that streams: it fetches entries of the node's program and hands out
// messages that arrived, by functions in tools/model_stream.c. Part of node_tile if STREAM of NODE is 1. Not for
// synthesis: for other tools than Verilator this file is empty.
//
// A node makes a call only if there is an entry or a message. Ports for the data of all nodes, with functions that
// reach them from outside, would copy all data in every cycle. The calls are pieces of C++ ($c): for functions that
// are declared, even in a package, Verilator numbers the places that call them, and gives each tile a body of its
// own.
//
// Latency: an entry is offered in the cycle after it was fetched. Throughput: one entry and one log per cycle.
//
// Ports: index: that of the node. active: 0: nothing is done, and refill is ignored. refill: a change of it says that
// there may be entries; the node then asks for them until there is none. feed_*, logged, log_entry: to and from node,
// see there. Reset: synchronous, one cycle; an entry that was fetched is lost.
`ifdef VERILATOR
`default_nettype none

module sim_tap (
    input  wire          clk,
    input  wire          rst,
    input  wire  [ 11:0] index,
    input  wire          active,
    input  wire          refill,
    output logic         feed_valid,
    output logic [ 95:0] feed_entry,
    input  wire          feed_ready,
    input  wire          logged,
    input  wire  [159:0] log_entry
);
  logic refill_q, hungry_q;
  // Tiles lie one behind the other in the simulator's memory, and their own memories make them about 2^17 bytes long.
  // At that distance the same variables of all tiles share a few sets of the processor's cache, and a cycle takes
  // twice as long (measured: cube:8, where it is exactly 2^17). This padding avoids that.
  // verilator lint_off UNDRIVEN
  logic [31:0] apart[2368]  /*verilator public_flat_rd*/;
  // verilator lint_on UNDRIVEN

  // To count coverage, Verilator splits blocks and evaluates conditions again; calls of C must be made once.
  // verilator coverage_off
  always_ff @(posedge clk) begin
    if (active) begin
      if (feed_ready) feed_valid <= 1'b0;
      if (hungry_q && (!feed_valid || feed_ready)) begin
        $c("bool loom_sim_next(unsigned node); unsigned loom_sim_word(unsigned which);");
        if ($c1("loom_sim_next(", index, ")")) begin
          feed_valid <= 1'b1;
          feed_entry <= {32'($c32("loom_sim_word(2)")), 32'($c32("loom_sim_word(1)")), 32'($c32("loom_sim_word(0)"))};
        end else hungry_q <= 1'b0;
      end
      if (refill != refill_q) begin
        refill_q <= refill;
        hungry_q <= 1'b1;
      end
      if (logged) begin
        $c("void loom_sim_take(unsigned node, unsigned, unsigned, unsigned, unsigned, unsigned signature);");
        $c("loom_sim_take(", index, ", ", log_entry[31:0], ", ", log_entry[63:32], ", ", log_entry[95:64], ", ",
           log_entry[127:96], ", ", log_entry[159:128], ");");
      end
    end
    if (rst) begin
      refill_q <= refill;
      hungry_q <= 1'b0;
      feed_valid <= 1'b0;
    end
  end
  // verilator coverage_on
endmodule

`default_nettype wire
`endif
