// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The part that every fabric has for each node: the node itself, a monitor of its channels, and their place on the
// register port. fabric_tile has it. The channels of the network are observed from
// outside, the injection channel inside; it is the monitor's last one.
//
// Latency: register read data is there three cycles after the request, and 0 in all cycles in which nothing is
// answered, so that the answers of all tiles can be ORed. Throughput: one flit per cycle in and out.
//
// Ports:
// - index: number of this node on the register port, constant. here: its label in headers, constant; in a cube and in
//   a multistage network the two are the same number. paper, seed, skip_self, rewind, run, pass, cycle: as in node.
//   clear: 1 for one cycle before a pass begins: the monitor's counters are set to 0.
// - bus_*: bus_request is 1 for one cycle per access, with no wait states. The tile answers if bits 27:16 of the
//   address are `index` and bits 31:28 are the space NODE or MONITOR, or with TIMED of NODE = 1 TIME
//   (docs/registers.md); node number 0xfff writes all nodes. stream_*: with STREAM = 1, which is for simulation,
//   entries and messages go through sim_tap; else tie both to 0. With SMALL = 1 reads of the monitor must be
//   3*(CHANNELS+1)+2 cycles apart and the address must stay for a cycle: see monitor_memory.
// - out_*, in_*: injection and ejection channel, as in node.
// - obs_*: the CHANNELS network channels that this tile counts, in each cycle, as from wh_router; the ejection
//   channel is the last one. Tie them to 0 if nothing is to be counted. inject_worm, inject_blocked: for the
//   injection channel, for a history; else leave them open.
// - busy: the node is sending or receiving. moved: a flit crosses one of the CHANNELS channels or the injection
//   channel in this cycle, or only time passes: see `passes` in node. log_overflow, store_overflow: stay 1 until
//   reset.
//
// Reset as in node; the counters are 0 afterwards. Legal parameters as in node, and LABEL_W at most 12; with SMALL = 1
// WORM_W is not used. Compile the packages first; the file list is
// rtl/node_tile.f.
`default_nettype none

module node_tile #(
    parameter integer LABEL_W = 8,  // bits of a node's label, 1..12
    parameter integer CHANNELS = 9,  // channels of the network that the monitor watches, ejection the last of them, 1..63
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer WORM_W = NODE[node_config::COUNT_W+:32],  // bits of a counter of messages, as in monitor
    parameter integer FREE = 0,  // as in node
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer COUNT_W = NODE[node_config::COUNT_W+:32],
    localparam integer SMALL = NODE[node_config::SMALL+:32],
    localparam integer TIMED = NODE[node_config::TIMED+:32],
    // verilator lint_off UNUSEDPARAM
    localparam integer STREAM = NODE[node_config::STREAM+:32]
    // verilator lint_on UNUSEDPARAM
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire  [        11:0] index,           // on the register port
    input  wire  [ LABEL_W-1:0] here,            // in headers
    // settings and sequencer
    input  wire                 paper,
    input  wire  [        31:0] seed,
    input  wire                 skip_self,
    input  wire                 rewind,
    input  wire                 clear,
    input  wire                 run,
    input  wire  [        15:0] pass,
    input  wire  [        31:0] cycle,           // number of the cycle before this one: see node
    // register port
    input  wire                 bus_request,
    input  wire                 bus_write,
    input  wire  [        31:0] bus_address,
    input  wire  [        31:0] bus_wdata,
    output logic [        31:0] bus_rdata,
    // stream
    // verilator lint_off UNUSEDSIGNAL
    input  wire                 stream_refill,   // changes: there may be entries for the program
    // verilator lint_on UNUSEDSIGNAL
    input  wire                 stream_handed,   // hand out the messages that arrive
    // injection channel
    output logic [  FLIT_W-1:0] out_flit,
    output logic                out_last,
    output logic                out_valid,
    input  wire                 out_ready,
    input  wire                 out_empty,
    // ejection channel
    input  wire  [  FLIT_W-1:0] in_flit,
    input  wire                 in_last,
    input  wire                 in_valid,
    output logic                in_ready,
    output logic                in_empty,
    // observation of the injection channel
    output logic                inject_worm,
    output logic                inject_blocked,
    // observation of the network's channels
    input  wire  [CHANNELS-1:0] obs_worm,
    input  wire  [CHANNELS-1:0] obs_flit,
    input  wire  [CHANNELS-1:0] obs_blocked,
    // state
    output logic                busy,            // the node is sending or receiving
    output logic                moved,           // a flit crossed one of the channels, or time passes
    output logic                log_overflow,    // a message found the log full; stays 1 until reset
    output logic                store_overflow   // a message did not fit into its slot; stays 1 until reset
);
  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (CHANNELS < 1 || CHANNELS > 63) begin : g_CHANNELS illegal_CHANNELS u_illegal (); end

  logic inject_flit, flit_moved, passes;
  logic feed_valid;
  logic [95:0] feed_entry;
  // verilator lint_off UNUSEDSIGNAL
  logic feed_ready, logged;
  logic [159:0] log_entry;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] node_rdata, monitor_rdata;

  // A simulator evaluates statements only as far as needed, and there is hardly ever a request.
  logic for_node, for_time, for_monitor;
  always_comb begin : choose
    logic mine, everybody;
    {for_node, for_time, for_monitor, mine, everybody} = '0;
    if (bus_request) begin
      mine = bus_address[27:16] == index;
      everybody = bus_write && (&bus_address[27:16]);
      for_node = bus_address[31:28] == regmap::SPACE_NODE && (mine || everybody);
      for_time = TIMED != 0 && bus_address[31:28] == regmap::SPACE_TIME && (mine || everybody);
      for_monitor = bus_address[31:28] == regmap::SPACE_MONITOR && mine;
    end
  end

  node #(.LABEL_W(LABEL_W), .NODE(NODE), .FREE(FREE)) u_node (
      .clk, .rst, .paper, .here, .seed, .skip_self, .rewind, .run, .pass, .cycle,
      .bus_select(for_node || for_time),
      .bus_time(for_time),
      .bus_write,
      .bus_address(bus_address[15:0]),
      .bus_wdata,
      .bus_rdata(node_rdata),
      .feed_valid, .feed_entry, .feed_ready,
      .log_handed(stream_handed),
      .logged, .log_entry, .out_flit, .out_last, .out_valid, .out_ready, .out_empty, .in_flit, .in_last, .in_valid,
      .in_ready, .in_empty,
      .obs_worm(inject_worm),
      .obs_flit(inject_flit),
      .obs_blocked(inject_blocked),
      .busy, .passes, .log_overflow, .store_overflow
  );

`ifdef VERILATOR
  if (STREAM != 0) begin : g_stream
    sim_tap u_tap (
        .clk, .rst, .index,
        .active(stream_handed),
        .refill(stream_refill),
        .feed_valid, .feed_entry, .feed_ready, .logged, .log_entry
    );
  end else begin : g_no_stream
    assign feed_valid = 1'b0;
    assign feed_entry = '0;
  end
`else
  assign feed_valid = 1'b0;
  assign feed_entry = '0;
`endif

  assign moved = flit_moved || passes;
  tile_monitor #(
      .CHANNELS(CHANNELS + 1),
      .COUNT_W (COUNT_W),
      .WORM_W  (WORM_W),
      .SMALL   (SMALL)
  ) u_monitor (
      .clk, .rst,
      .obs_worm({inject_worm, obs_worm}),
      .obs_flit({inject_flit, obs_flit}),
      .obs_blocked({inject_blocked, obs_blocked}),
      .clear,
      .bus_select(for_monitor && !bus_write),
      .bus_address(bus_address[7:0]),
      .bus_rdata(monitor_rdata),
      .moved(flit_moved)
  );

`ifdef LOOM_WAVES
  // verilator lint_off PINMISSING
  header_view #(
      .LABEL_W(LABEL_W),
      .RULE_W(NODE[node_config::RULE_W+:32]),
      .SLOTS(NODE[node_config::SLOTS+:32]),
      .FLIT_W (FLIT_W)
  ) view_inject (
      .clk, .rst,
      .flit(out_flit),
      .last(out_last),
      .valid(out_valid),
      .ready(out_ready)
  );
  header_view #(
      .LABEL_W(LABEL_W),
      .RULE_W(NODE[node_config::RULE_W+:32]),
      .SLOTS(NODE[node_config::SLOTS+:32]),
      .FLIT_W (FLIT_W)
  ) view_eject (
      .clk, .rst,
      .flit(in_flit),
      .last(in_last),
      .valid(in_valid),
      .ready(in_ready)
  );
  // verilator lint_on PINMISSING
`endif

  // A part that is not addressed answers 0.
  always_ff @(posedge clk) bus_rdata <= node_rdata | monitor_rdata;

`ifdef FORMAL
  // Offers stay; LOG_COUNT read over the register port is the number of tails ejected; FLITS of the injection channel
  // is the number of flits sent since the pass began; a tile that is not addressed answers 0.
  logic [3:0] f_age = 4'd0;  // cycles, 15 or more: 15
  logic [31:0] f_received;
  logic [COUNT_W-1:0] f_injected;
  wire f_asked = bus_request && (bus_address[31:28] == regmap::SPACE_NODE || bus_address[31:28] == regmap::SPACE_MONITOR) &&
      (bus_address[27:16] == index || (&bus_address[27:16]));
  wire f_log = bus_request && !bus_write && bus_address == {regmap::SPACE_NODE, index, regmap::LOG_COUNT};
  wire f_counter = bus_request && !bus_write &&
      bus_address == {regmap::SPACE_MONITOR, index, 16'(4 * CHANNELS + 1)};

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 4'd1;
    if (f_age == 4'd0) assume (rst);
    assume (!out_empty || out_ready);
    assume ((obs_worm & ~obs_flit) == '0);
    assume (!run || !rewind && !bus_request);
    if (f_age != 4'd0) begin
      assume ($stable(paper) && $stable(here) && $stable(index) && $stable(seed) && $stable(skip_self));
      if ($past(!rst && run && busy)) assume (run && $stable(pass));
    end

    if (in_valid && in_ready && in_last) f_received <= f_received + 32'd1;
    if (out_valid && out_ready && !(&f_injected)) f_injected <= f_injected + 1'b1;
    if (clear) f_injected <= '0;
    if (rst) begin
      f_received <= '0;
      f_injected <= '0;
    end

    if (f_age != 4'd0) begin
      if (!$past(rst) && $past(out_valid && !out_ready)) assert (out_valid && $stable(out_last));
      assert (moved == (|obs_flit || out_valid && out_ready));
      assert (in_ready);
      if ($past(rst)) assert (!out_valid);
    end
    if (f_age > 4'd4 && !$past(rst) && !$past(rst, 2) && !$past(rst, 3)) begin
      if (!$past(f_asked, 3)) assert (bus_rdata == '0);
      if ($past(f_log, 3)) assert (bus_rdata == $past(f_received, 3));
      if (SMALL == 0 && $past(f_counter, 3)) assert (bus_rdata == 32'($past(f_injected, 2)));
      if (SMALL != 0 && $past(f_counter, 3)) assert (bus_rdata == 32'($past(f_injected)));
    end

    cover (f_age > 4'd4 && bus_rdata == 32'd1 && f_received == 32'd1 && $past(f_log, 3));
    cover (f_age > 4'd4 && bus_rdata == 32'd2 && $past(f_counter, 3));
  end
`endif
endmodule

`default_nettype wire
