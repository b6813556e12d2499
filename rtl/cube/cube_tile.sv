// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One node of the binary n-cube with all that belongs to it: a cube_router, and on its local port a node_tile, that is
// a node with its monitor. cube_fabric wires 2^DIM of these. A design with endpoints of its own uses cube_router and
// puts them on port 0: the local port is a plain stream each way.
//
// Latency: a flit from one tile to the next takes one cycle. Throughput: one flit per cycle and channel. Register read
// data is there three cycles after the request.
//
// Ports:
// - clk, net_clk: tie both to the same clock. fabric_top with GATED = 1, which only simulation sets, stops net_clk between
//   the passes (clock_gate).
// - here: address of this node, constant. paper, seed: settings, constant while a pass runs. rewind, clear, run, pass,
//   cycle: from pass_sequencer, the same for all tiles; see node.
// - bus_*: register port, as in node_tile: no wait states; read data is 0 from a tile that the address does not name,
//   so that a fabric can OR the tiles' answers.
// - in_*, out_*: DIM channels, index d along dimension d, to and from index d of the tile whose address differs in bit
//   d. Handshake as in wh_router.
// - busy, moved: see node_tile; busy is also 1 while the router holds a flit. Both belong to the cycle in which they
//   are seen, no register is between.
//
// Reset as in wh_router; all tiles together. Parameters as in fabric_top; unused dimensions of an incomplete cube as in
// cube_router.
`default_nettype none

module cube_tile #(
    parameter integer DIM = 8,  // dimensions, 1..10
    parameter integer FLIT_W = 32,  // as in fabric_top, all of them
    parameter integer LENGTH_W = 16,
    parameter integer PROGRAM_DEPTH = 64,
    parameter integer LOG_DEPTH = 64,
    parameter integer SLOTS = 3,
    parameter integer SLOT_FLITS = 64,
    parameter integer COUNT_W = 32,
    parameter integer PASS_W = 16,
    parameter integer CYCLE_W = 32,
    parameter integer TALLY_W = 32,
    parameter integer STATE_W = 32,
    parameter integer SIGNATURE_W = 32,
    parameter integer SMALL = 0
) (
    input  wire                   clk,             // of the node
    input  wire                   net_clk,         // of the router: clk, or less of it
    input  wire                   rst,
    input  wire  [       DIM-1:0] here,
    // settings and sequencer
    input  wire                   paper,
    input  wire  [          31:0] seed,
    input  wire                   rewind,
    input  wire                   clear,
    input  wire                   run,
    input  wire  [          15:0] pass,
    input  wire  [          31:0] cycle,           // number of the cycle before this one: see node
    // register port
    input  wire                   bus_request,
    input  wire                   bus_write,
    input  wire  [          31:0] bus_address,
    input  wire  [          31:0] bus_wdata,
    output logic [          31:0] bus_rdata,
    // channels along the dimensions, in
    input  wire  [DIM*FLIT_W-1:0] in_flit,
    input  wire  [       DIM-1:0] in_last,
    input  wire  [       DIM-1:0] in_valid,
    output logic [       DIM-1:0] in_ready,
    output logic [       DIM-1:0] in_empty,
    // and out
    output logic [DIM*FLIT_W-1:0] out_flit,
    output logic [       DIM-1:0] out_last,
    output logic [       DIM-1:0] out_valid,
    input  wire  [       DIM-1:0] out_ready,
    input  wire  [       DIM-1:0] out_empty,
    // state
    output logic                  busy,            // something is under way here
    output logic                  moved,           // a flit crossed one of the channels
    output logic                  log_overflow,    // a message found the log full; stays 1 until reset
    output logic                  store_overflow   // a message did not fit into its slot; stays 1 until reset
); /*verilator no_inline_module*/
  localparam integer PORTS = DIM + 1;
  // A pass has no more worms than all programs have messages.
  localparam integer ALL_W = DIM + $clog2(PROGRAM_DEPTH) + 1;

  // Local port: to_* from the node into the router (injection), from_* out of it (ejection).
  logic [FLIT_W-1:0] to_flit, from_flit;
  logic to_last, to_valid, to_ready, to_empty;
  logic from_last, from_valid, from_ready, from_empty;
  // verilator lint_off UNUSEDSIGNAL
  logic node_empty;  // from_empty on the node's clock; the proof compares them
  // verilator lint_on UNUSEDSIGNAL
  logic [PORTS-1:0] worm, flit, blocked;
  logic router_busy, node_busy;

  // Port 0 of the router is the local one, port d+1 leads along dimension d.
  cube_router #(
      .DIM(DIM),
      .FLIT_W(FLIT_W)
  ) u_router (
      .clk(net_clk),
      .rst(rst),
      .paper(paper),
      .here(here),
      .in_flit({in_flit, to_flit}),
      .in_last({in_last, to_last}),
      .in_valid({in_valid, to_valid}),
      .in_ready({in_ready, to_ready}),
      .in_empty({in_empty, to_empty}),
      .out_flit({out_flit, from_flit}),
      .out_last({out_last, from_last}),
      .out_valid({out_valid, from_valid}),
      .out_ready({out_ready, from_ready}),
      .out_empty({out_empty, from_empty}),
      .obs_worm(worm),
      .obs_flit(flit),
      .obs_blocked(blocked),
      .busy(router_busy)
  );

  // The ejection channel is the last one of those the router watches, as in include/flitloom/topo.h.
  node_tile #(
      .LABEL_W(DIM),
      .CHANNELS(PORTS),
      .FLIT_W(FLIT_W),
      .LENGTH_W(LENGTH_W),
      .PROGRAM_DEPTH(PROGRAM_DEPTH),
      .LOG_DEPTH(LOG_DEPTH),
      .SLOTS(SLOTS),
      .SLOT_FLITS(SLOT_FLITS),
      .COUNT_W(COUNT_W),
      .WORM_W(ALL_W < COUNT_W ? ALL_W : COUNT_W),
      .PASS_W(PASS_W),
      .CYCLE_W(CYCLE_W),
      .TALLY_W(TALLY_W),
      .STATE_W(STATE_W),
      .SIGNATURE_W(SIGNATURE_W),
      .SMALL(SMALL)
  ) u_node (
      .clk(clk),
      .rst(rst),
      .here(here),
      .paper(paper),
      .seed(seed),
      .skip_self(1'b0),  // there are no free runs
      .rewind(rewind),
      .clear(clear),
      .run(run),
      .pass(pass),
      .cycle(cycle),
      .bus_request(bus_request),
      .bus_write(bus_write),
      .bus_address(bus_address),
      .bus_wdata(bus_wdata),
      .bus_rdata(bus_rdata),
      .out_flit(to_flit),
      .out_last(to_last),
      .out_valid(to_valid),
      .out_ready(to_ready),
      .out_empty(to_empty),
      .in_flit(from_flit),
      .in_last(from_last),
      .in_valid(from_valid),
      .in_ready(from_ready),
      .in_empty(node_empty),
      // verilator lint_off PINCONNECTEMPTY
      .inject_worm(),
      .inject_blocked(),
      // verilator lint_on PINCONNECTEMPTY
      .obs_worm({worm[0], worm[DIM:1]}),
      .obs_flit({flit[0], flit[DIM:1]}),
      .obs_blocked({blocked[0], blocked[DIM:1]}),
      .busy(node_busy),
      .moved(moved),
      .log_overflow(log_overflow),
      .store_overflow(store_overflow)
  );

  assign busy = router_busy || node_busy;

`ifdef LOOM_WAVES
  // verilator lint_off PINMISSING
  generate
    for (genvar d = 0; d < DIM; d++) begin : g_dim
      header_view #(
          .LABEL_W(DIM),
          .FLIT_W (FLIT_W)
      ) view_out (
          .clk(clk),
          .rst(rst),
          .flit(out_flit[d*FLIT_W+:FLIT_W]),
          .last(out_last[d]),
          .valid(out_valid[d]),
          .ready(out_ready[d])
      );
    end
  endgenerate
  // verilator lint_on PINMISSING
`endif

  // The node holds the flit that it took in the last cycle, if any: on the network's clock, for the router waits for it.
  always_ff @(posedge net_clk) from_empty <= rst || !from_valid;

`ifdef FORMAL
  // Offers stay; LOG_COUNT read over the register port is the number of tails ejected; who is not asked answers 0.
  logic [3:0] f_age = 4'd0;  // cycles, 15 or more: 15
  logic [31:0] f_received;
  (* anyconst *) logic [$clog2(DIM)-(DIM==1?0:1):0] f_dim;
  wire f_asked = bus_request && (bus_address[31:28] == regmap::SPACE_NODE || bus_address[31:28] == regmap::SPACE_MONITOR) &&
      (bus_address[27:16] == 12'(here) || (&bus_address[27:16]));

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 4'd1;
    if (f_age == 4'd0) assume (rst);
    assume (32'(f_dim) < DIM);
    assume ((out_empty & ~out_ready) == '0);
    if (f_age != 4'd0) assume ($stable(paper) && $stable(here) && $stable(seed));

    if (from_valid && from_ready && from_last) f_received <= f_received + 32'd1;
    if (rst) f_received <= '0;

    if (f_age != 4'd0) begin
      if (!$past(rst) && $past(out_valid[f_dim] && !out_ready[f_dim])) begin
        assert (out_valid[f_dim] && out_last[f_dim] == $past(out_last[f_dim]));
        assert (out_flit[f_dim*FLIT_W+:FLIT_W] == $past(out_flit[f_dim*FLIT_W+:FLIT_W]));
      end
      if (!(&in_empty)) assert (busy);
      if (|(out_valid & out_ready)) assert (moved);
      assert (from_ready && node_empty == from_empty);
      if ($past(rst)) assert (out_valid == '0);
    end
    if (f_age > 4'd4 && !$past(rst) && !$past(rst, 2) && !$past(rst, 3)) begin
      if (!$past(f_asked, 3)) assert (bus_rdata == '0);
      if ($past(bus_request && !bus_write && bus_address == {regmap::SPACE_NODE, 12'(here), regmap::LOG_COUNT}, 3))
        assert (bus_rdata == $past(f_received, 3));
    end

    cover (f_age > 4'd2 && !$past(rst) && f_received == 32'd1 && $past(out_valid[0] && out_last[0] && out_ready[0]));
    cover (f_age > 4'd4 && bus_rdata == 32'd1 && f_received == 32'd1 &&
           $past(bus_request && !bus_write && bus_address == {regmap::SPACE_NODE, 12'(here), regmap::LOG_COUNT}, 3));
  end
`endif
endmodule

`default_nettype wire
