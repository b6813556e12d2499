// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A direct network with a sequencer and a host, for a testbench: see net_host.
`default_nettype none

module net_bench #(
    parameter [95:0] NETWORK = 96'h00_01_0000_0000_0000_0002_0002,  // see networks.svh
    parameter integer TABLE = 0,  // this one and the next one as in fabric
    parameter integer OTIS = 0,  // 1: light takes 3 cycles, and a flit 2
    parameter integer ROUNDS = 9,  // this one and the next one as in net_host
    parameter integer SHORT = 2
) (
    input  wire    clk,
    input  wire    rst,
    output integer received,  // messages
    output wire    done
);
  `include "networks.svh"
  `include "network_shape.svh"
  `include "net_wires.svh"
  localparam integer LINKS = OTIS != 0 ? 5 : DIMS * LINKS_PER_DIM;
  localparam integer LIGHT_CYCLES = OTIS != 0 ? 3 : 0, LIGHT_RATIO = OTIS != 0 ? 2 : 1;
  localparam integer PROGRAM_DEPTH = 8, LOG_DEPTH = 64, SLOT_FLITS = 16;
  localparam [NODES*LINKS*24-1:0] WIRES = (NODES * LINKS * 24)'(wires(NODES, LINKS));
  wire request, write, clean, start, paper;
  wire [31:0] address, wdata, rdata, salt, cycle;
  wire [15:0] last_pass, pass;
  wire [1:0] state;
  wire rewind, clear, run, busy, moved, log_overflow, store_overflow;

  net_host #(
      .NODES(NODES), .LINKS(LINKS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .LINKS_PER_DIM(LINKS_PER_DIM),
      .WRAP(WRAP), .TABLE(TABLE), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES), .LIGHT_RATIO(LIGHT_RATIO),
      .MIXED(TABLE != 0 && V > 1 ? 1 : 0), .PROGRAM_DEPTH(PROGRAM_DEPTH), .LOG_DEPTH(LOG_DEPTH),
      .SLOT_FLITS(SLOT_FLITS), .LATENCY(4), .ROUNDS(ROUNDS), .SHORT(SHORT)
  ) u_host (
      .clk, .rst, .request, .write, .address, .wdata, .rdata,
      .ack(1'b1),
      .clean, .start, .paper, .salt, .last_pass, .state, .received, .done
  );
  host_sequencer u_sequencer (
      .clk, .rst, .clean, .start, .last_pass, .state, .rewind, .clear, .run, .pass, .cycle, .busy, .moved,
      .log_overflow, .store_overflow
  );
  fabric #(
      .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO),
      .NODE(node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, SLOT_FLITS))
  ) u_dut (
      .clk,
      .net_clk(clk),
      .rst(rst || clean),
      .paper,
      .preset(1'b0),
      .backward(1'b0),
      .free(1'b0),
      .record(1'b0),
      .skip_self(1'b0),
      .seed(salt),
      .rewind, .clear, .run, .pass, .cycle,
      .bus_request(request),
      .bus_write(write),
      .bus_address(address),
      .bus_wdata(wdata),
      .early_request(1'b0),
      .early_write(1'b0),
      .early_address('0),
      .early_wdata('0),
      .bus_rdata(rdata),
      .busy, .moved, .log_overflow, .store_overflow
  );
endmodule

`default_nettype wire
