// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The registers of a network with every feature, and of a small mesh: see fabric_registers_check.
`default_nettype none

module fabric_registers_tb;
  wire clk, rst;
  integer seed;
  wire integer full_reads, small_reads;
  wire full_done, small_done;

  bench u_bench (.clk, .rst, .seed);

  fabric_registers_check #(
      .KIND(8), .NODES(8), .CHANNELS(4), .EXTENTS(16'd8), .LABEL_W(3), .PRESET_PASSES(16), .HISTORY_RUNS(32),
      .TWO_WAYS(1)
  ) u_full (
      .clk, .rst, .seed,
      .reads(full_reads),
      .done(full_done)
  );
  fabric_registers_check #(
      .V(2), .KIND(11), .NODES(6), .CHANNELS(6), .DIMS(2), .EXTENTS({16'd3, 16'd2}), .LABEL_W(3),
      .NODE(node_config::set(node_config::set(node_config::of_ice40(13, 1), node_config::SMALL, 1), node_config::ADAPTIVE, 1))
  ) u_small (
      .clk, .rst, .seed,
      .reads(small_reads),
      .done(small_done)
  );

  initial begin
    wait (full_done && small_done);
    if (full_reads < 1000 || small_reads < 200) $fatal(1, "%0d and %0d reads", full_reads, small_reads);
    $display("PASS fabric_registers (seed %0d, %0d reads)", seed, full_reads + small_reads);
    $finish;
  end
endmodule

`default_nettype wire
