// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The whole chip behind one register port: fabric with nodes and monitors, sequencer and watchdog. A board puts
// link_frame in front of it (board_core), a simulation exported functions (sim_top); any other master on Wishbone B4
// (pipelined, 32-bit words, addressed by word) serves as well. docs/registers.md is its register map; its first
// registers hold kind, shape and widths, by which libflitloom identifies the chip.
//
// Latency: each request that is taken is answered by wb_ack exactly six cycles later, writes too, in order. Throughput:
// one request per cycle; with SMALL = 1 one in 3*(LINKS+2)+2 cycles, by wb_stall. Within the fabric: one cycle per hop
// or stage, one flit per cycle and channel.
//
// Ports:
// - wb_*: a request is taken at an edge at which wb_cyc and wb_stb are 1 and wb_stall is 0. There is no error answer:
//   absent registers read as 0, and writing them does nothing, but see docs/registers.md on the addresses
//   within a node. With SMALL = 1 wb_we, wb_adr and wb_dat_w
//   must keep their values until the answer. A request that is taken is answered even if wb_cyc falls.
// - stream_on, stream_refill, handing: for simulations with STREAM of NODE = 1, else tie the inputs to 0 and leave handing
//   open: as sim_top drives them.
// - running: a pass is under way (it falls for some cycles between two passes). stuck: the watchdog has ended the run;
//   stays until a reset. Both may be left open; STATUS shows the same.
//
// Reset: rst is synchronous, one cycle is enough (two with GATED = 1, whose gates open at a falling edge); the fabric
// inside is reset for one more cycle. CONTROL.RESET resets the fabric and keeps the settings, which rst sets to 0.
// Memories (programs, map tables, switch settings) keep what was written and begin as anything.
//
// The network: LINKS, the links of a node, is not 0 for a direct network; WIRES, DIMS, EXTENTS, LABEL_W, LINKS_PER_DIM, WRAP,
// TABLE, V, OTIS, LIGHT_CYCLES and LIGHT_RATIO are explained in fabric, and `flitloom rtl FABRIC --form parameters` prints
// them for every network that libflitloom knows by name. KIND, which the register KIND says, must be that of the network
// which they make: fabric_shape has the table. With LINKS = 0 it is one of the networks of min_network: KIND 2 to 8, NODES a
// power of two, and the others stay as they are by default; or KIND 18, or 32, optical circuit switches (ocs_network), of which DIMS
// and EXTENTS give the ports of a switch and their number, and PRESET_DEPTH is the slots of a schedule.
//
// The nodes: NODE, whose fields are explained in node_config: SMALL, COUNT_W and others.
//
// Legal parameters, beyond the ranges below: GATED = 1 is for simulation, and for SMALL = 0. SMALL = 1 needs a direct
// network and COUNT_W at most 31 (and at least $clog2(3*(LINKS+2)+3)). In a direct network PRESET_DEPTH and HISTORY_RUNS
// mean nothing. The default flit of 32 bits, with programs of 64 messages, is enough for labels of up to 11 bits. Illegal
// values fail at elaboration, as a missing module whose name is illegal_ and the parameter. Compile the packages first;
// the file list is rtl/fabric_top.f.
//
// Example:
//   // A ring of four nodes: from each a link to the next one (link 0) and to the one before (link 1).
//   fabric_top #(.KIND(10), .NODES(4), .LINKS(2), .LINKS_PER_DIM(2), .WRAP(1), .DIMS(1), .EXTENTS(16'd4), .LABEL_W(2),
//                .WIRES({24'h800002, 24'h801000, 24'h800001, 24'h801003,
//                        24'h800000, 24'h801002, 24'h800003, 24'h801001})) u_chip (
//       .clk(clk), .rst(rst),
//       .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_adr(adr), .wb_dat_w(dat_w),
//       .wb_stall(stall), .wb_ack(ack), .wb_dat_r(dat_r),
//       .stream_on(1'b0), .stream_refill(1'b0), .handing(), .running(), .stuck());
//   // An omega network of 8 nodes.
//   fabric_top #(.KIND(3), .NODES(8), .LINKS(0)) u_omega (
//       .clk(clk), .rst(rst),
//       .wb_cyc(o_cyc), .wb_stb(o_stb), .wb_we(o_we), .wb_adr(o_adr), .wb_dat_w(o_dat_w),
//       .wb_stall(o_stall), .wb_ack(o_ack), .wb_dat_r(o_dat_r),
//       .stream_on(1'b0), .stream_refill(1'b0), .handing(), .running(), .stuck());
`default_nettype none

module fabric_top #(
    parameter integer KIND = 1,  // of the network, as in the register KIND: see fabric_shape
    parameter integer NODES = 2,  // 2..1024
    parameter integer LINKS = 1,  // of a node, 1..24; 0: a multistage network
    parameter [NODES*(LINKS==0?1:LINKS)*24-1:0] WIRES = (NODES * (LINKS == 0 ? 1 : LINKS) * 24)'(48'h800000_800001),
    parameter [NODES*(LINKS==0?1:LINKS)*8-1:0] DELAYS = '0,
    parameter integer DIMS = 1,  // dimensions, 1..12
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'(LINKS == 0 ? NODES : 2)}},
    parameter integer LABEL_W = LINKS == 0 ? $clog2(NODES) : DIMS,  // bits of a label, 1..12
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer V = 1,
    parameter integer OTIS = 0,
    parameter integer LIGHT_CYCLES = 0,
    parameter integer LIGHT_RATIO = 1,
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    // as in min_network; unused in a direct network
    parameter integer PRESET_DEPTH = 0,  // passes for which switches can be set
    parameter integer HISTORY_RUNS = 0,  // entries of a channel's history; 0: no free runs
    parameter integer FAILING = 0,  // 1: links can fail while a pass runs, in simulations: see fabric
    parameter integer GATED = 0,  // 1: clocks stop where nothing is under way, which a simulator runs faster with
    localparam integer PASS_W = NODE[node_config::PASS_W+:32],
    localparam integer CYCLE_W = NODE[node_config::CYCLE_W+:32],
    localparam integer SMALL = NODE[node_config::SMALL+:32],
    localparam integer TIMED = NODE[node_config::TIMED+:32]
) (
    input  wire         clk,
    input  wire         rst,
    // Wishbone B4 pipelined, addressed by word
    input  wire         wb_cyc,
    input  wire         wb_stb,
    input  wire         wb_we,
    input  wire  [31:0] wb_adr,
    input  wire  [31:0] wb_dat_w,
    output logic        wb_stall,
    output logic        wb_ack,
    output logic [31:0] wb_dat_r,
    // streams, in simulations
    input  wire         stream_on,
    input  wire         stream_refill,
    // state, for lamps and interrupts
    output logic        handing,
    output logic        running,
    output logic        stuck
);
  localparam integer BENES = 8, OCS = 18, OCS_BENES = 32;  // kinds without links
  localparam integer CIRCUITS = LINKS == 0 && (KIND == OCS || KIND == OCS_BENES) ? 1 : 0;
  localparam integer SIZE = $clog2(NODES);  // stages of a multistage network
  localparam integer CHANNELS = LINKS != 0 ? LINKS + 2 : CIRCUITS != 0 ? 2 : SIZE + 1;
  localparam integer PRESET_PASSES = LINKS != 0 ? 0 : PRESET_DEPTH;
  localparam integer RUNS = LINKS != 0 || CIRCUITS != 0 ? 0 : HISTORY_RUNS;

  fabric_shape #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LINKS_PER_DIM(LINKS_PER_DIM),
      .WRAP(WRAP), .TABLE(TABLE), .OTIS(OTIS), .CYCLE_W(CYCLE_W), .SMALL(SMALL)
  ) u_shape ();
  if (GATED != 0 && (GATED != 1 || SMALL != 0)) begin : g_GATED illegal_GATED u_illegal (); end

  // Request, registered once for everybody.
  logic taken, request_q, we;
  logic [31:0] adr, dat, fabric_rdata, register_rdata;

  register_port #(.CHANNELS(CHANNELS), .SMALL(SMALL)) u_port (
      .clk, .rst, .wb_cyc, .wb_stb, .wb_we, .wb_adr, .wb_dat_w, .wb_stall, .wb_ack, .wb_dat_r, .taken,
      .request(request_q),
      .write(we),
      .address(adr),
      .wdata(dat),
      .rdata(fabric_rdata | register_rdata)
  );

  logic paper, free, open, start, soft_reset;
  logic [1:0] select;  // of adaptive routers
  logic preset, backward, alternate, record, skip_self;  // of multistage networks
  logic [31:0] seed;
  logic [CYCLE_W-1:0] watchdog;
  logic [PASS_W-1:0] first_pass, last_pass;
  logic log_overflow, store_overflow, busy, moved;
  logic rewind, clear, run;
  logic [PASS_W-1:0] pass;
  logic [31:0] cycle, cycle_q, since_start;
  logic [ 1:0] state;

  wire fabric_rst = rst || soft_reset;

  // All that is under way, and all that decides upon it, is on net_clk; it sleeps between the passes, while the register
  // port looks at what they left behind. Only a write to a global register can begin anything.
  wire net_clk;
  clock_gate #(
      .GATED(GATED),
      .TAIL (16)      // cycles from a start until `busy` is 1, and from the end of `busy` until all has settled
  ) u_net_gate (
      .clk,
      .wake(rst || state[0] || busy || request_q && we && adr[31:28] == regmap::SPACE_GLOBAL),
      .beside(1'b0),
      .out(net_clk)
  );

  fabric_registers #(
      .KIND(KIND), .NODES(NODES), .CHANNELS(CHANNELS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .V(V),
      .LIGHT(OTIS == 0 ? 0 : LIGHT_RATIO << regmap::LIGHT_RATIO | LIGHT_CYCLES << regmap::LIGHT_CYCLES), .NODE(NODE),
      .PRESET_PASSES(PRESET_PASSES), .HISTORY_RUNS(RUNS), .TWO_WAYS(LINKS == 0 && KIND == BENES ? 1 : 0)
  ) u_registers (
      .clk, .net_clk, .rst,
      .request(request_q),
      .write(we),
      .address(adr),
      .wdata(dat),
      .rdata(register_rdata),
      .start, .soft_reset,
      // verilator lint_off PINCONNECTEMPTY
      .clear_counts(),  // of fabric_open
      // verilator lint_on PINCONNECTEMPTY
      .paper, .select, .preset, .free, .backward, .alternate, .record, .skip_self, .open, .seed, .first_pass, .last_pass,
      .watchdog, .state, .log_overflow, .store_overflow, .pass, .cycle, .since_start
  );

  // A run that has begun to hand out goes on until the reset. This is a register: a simulation works out what follows from
  // its inputs without one at both edges of the clock, for each tile.
  always_ff @(posedge net_clk) begin
    if (stream_on) handing <= 1'b1;
    if (fabric_rst) handing <= 1'b0;
  end
  always_ff @(posedge net_clk) cycle_q <= TIMED == 0 || run ? cycle : '0;

  pass_sequencer #(.PASS_W(PASS_W)) u_sequencer (
      .clk(net_clk),
      .rst(fabric_rst),
      .start, .free, .first_pass, .last_pass,
      .busy(busy || open),
      .stuck, .rewind, .clear, .run, .pass, .cycle, .since_start, .state
  );

  watchdog #(.LIMIT_W(CYCLE_W)) u_watchdog (
      .clk(net_clk),
      .rst(fabric_rst),
      .armed(run && busy),
      .moved,
      .limit(watchdog),
      .stuck
  );

  fabric #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE), .PRESET_DEPTH(PRESET_PASSES), .HISTORY_RUNS(RUNS), .GATED(GATED),
      .FAILING(FAILING)
  ) u_fabric (
      .clk, .net_clk,
      .rst(fabric_rst),
      .paper, .select, .preset,
      .backward(backward ^ (alternate && pass[0])),  // pass changes only when nothing is under way
      .free, .record, .skip_self, .seed, .rewind, .clear, .run,
      .pass(16'(pass)),
      .cycle(cycle_q),
      .bus_request(request_q),
      .bus_write(we),
      .bus_address(adr),
      .bus_wdata(dat),
      .early_request(taken),
      .early_write(wb_we),
      .early_address(wb_adr),
      .early_wdata(wb_dat_w),
      .bus_rdata(fabric_rdata),
      .stream_refill,
      .stream_handed(handing),
      // streams of fabric_open
      .s_axis_tdata({NODES * NODE[node_config::FLIT_W+:32]{1'b0}}),
      .s_axis_tlast({NODES{1'b0}}),
      .s_axis_tvalid({NODES{1'b0}}),
      .s_axis_tdest({NODES * LABEL_W{1'b0}}),
      .m_axis_tready({NODES{1'b0}}),
      // verilator lint_off PINCONNECTEMPTY
      .s_axis_tready(),
      .m_axis_tdata(),
      .m_axis_tlast(),
      .m_axis_tvalid(),
      .m_axis_tuser(),
      // verilator lint_on PINCONNECTEMPTY
      .busy, .moved, .log_overflow, .store_overflow
  );

  assign running = run;
endmodule

`default_nettype wire
