// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A board for simulation under Verilator, by its pins: the clock is the only port, the two wires of the UART go through
// C functions (DPI), which host/links/vline.c calls: loom_pins_rx sets the line from the host, loom_pins_tx reads the
// line to it, both once per clock cycle. Behind them is board_core; or, with NETLIST = 1, a module `netlist` that was
// got back from a bitstream (tools/netlist.py), with its own reset, network and rate. tools/model.sh builds the model. It
// is not for synthesis, and Icarus cannot take it.
//
// loom_sim_trace begins a waveform in a model that was built with tracing. Reset comes from power_on_reset. Parameters
// as in board_core; with NETLIST = 1 the others mean nothing.
`default_nettype none

module sim_pins #(
    parameter integer NETLIST = 0,  // 1: a module `netlist` instead of board_core; the other parameters then mean nothing
    parameter integer CLOCK_HZ = 12000000,  // this one and the next ones as in board_core
    parameter integer BAUD = 3000000,
    parameter integer KIND = 1,
    parameter integer NODES = 2,
    parameter integer LINKS = 1,
    parameter [NODES*LINKS*24-1:0] WIRES = (NODES * LINKS * 24)'(48'h800000_800001),
    parameter [NODES*LINKS*8-1:0] DELAYS = '0,
    parameter integer DIMS = 1,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LABEL_W = DIMS,
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer V = 1,
    parameter integer OTIS = 0,
    parameter integer LIGHT_CYCLES = 0,
    parameter integer LIGHT_RATIO = 1,
    parameter [node_config::BITS-1:0] NODE = node_config::with_depths(node_config::DEFAULT, 1024, 2048, 64)
) (
    input bit clk
);
  bit rx = 1'b1;
  logic tx;

  if (NETLIST != 0) begin : g_netlist
    netlist u_board (.clk, .rx, .tx);
  end else begin : g_rtl
    logic rst;
    // verilator lint_off UNUSEDSIGNAL
    logic activity, fault, running;  // lamps
    // verilator lint_on UNUSEDSIGNAL

    power_on_reset u_reset (.clk, .rst);

    board_core #(
        .CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD), .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS),
        .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V),
        .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES), .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE)
    ) u_core (.clk, .rst, .rx, .tx, .activity, .fault, .running);
  end

  export "DPI-C" function loom_pins_rx;
  export "DPI-C" function loom_pins_tx;
  export "DPI-C" function loom_sim_trace;

  function void loom_pins_rx(input bit level);
    rx = level;
  endfunction

  function bit loom_pins_tx();
    loom_pins_tx = tx;
  endfunction

  function void loom_sim_trace(input string file);
    $dumpfile(file);
    $dumpvars;
  endfunction
endmodule

`default_nettype wire
