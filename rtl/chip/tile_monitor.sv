// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A tile's monitor: `monitor`, or with SMALL = 1 `monitor_memory`. Part of node_tile and open_node. Ports, latency,
// throughput and reset as in those two.
`default_nettype none

module tile_monitor #(
    parameter integer CHANNELS = 10,  // channels watched, 1..64
    parameter integer COUNT_W = 32,  // bits of a counter, 1..32; with SMALL as in monitor_memory
    // verilator lint_off UNUSEDPARAM
    parameter integer WORM_W = COUNT_W,  // bits of a counter of worms, 1..COUNT_W; not used with SMALL
    // verilator lint_on UNUSEDPARAM
    parameter integer SMALL = 0  // 0, or 1 where logic is dear
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire  [CHANNELS-1:0] obs_worm,
    input  wire  [CHANNELS-1:0] obs_flit,
    input  wire  [CHANNELS-1:0] obs_blocked,
    input  wire                 clear,        // all counters to 0
    input  wire                 bus_select,
    input  wire  [         7:0] bus_address,  // 4*channel + word
    output logic [        31:0] bus_rdata,
    output logic                moved         // a flit crosses on some channel
);
  if (SMALL != 0) begin : g_small
    monitor_memory #(
        .CHANNELS(CHANNELS),
        .COUNT_W (COUNT_W)
    ) u_monitor (
        .clk, .rst, .obs_worm, .obs_flit, .obs_blocked, .clear, .bus_select, .bus_address, .bus_rdata, .moved
    );
  end else begin : g_full
    monitor #(
        .CHANNELS(CHANNELS),
        .COUNT_W (COUNT_W),
        .WORM_W  (WORM_W)
    ) u_monitor (
        .clk, .rst, .obs_worm, .obs_flit, .obs_blocked, .clear, .bus_select, .bus_address, .bus_rdata, .moved
    );
  end
endmodule

`default_nettype wire
