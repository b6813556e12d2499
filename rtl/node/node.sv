// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The node on a router's local port in flitloom's own fabrics: program, map table, sender, store, receiver and log, behind a
// register port. It sends the messages of its program, checks every flit that it receives, and logs every message. With TIMED
// of NODE = 1 the program may also wait, for cycles and for messages. It also serves as a traffic source and checker on other
// networks: both channels are plain streams.
//
// Over 400 lines because it only wires: most of them are ports and the connections of seven modules.
//
// Latency: the first header is offered in the first cycle in which run is 1. Throughput: one flit per cycle in and out
// at the same time; the ejection channel never waits (in_ready is always 1). Register read data is there two cycles
// after the request, and 0 in all cycles in which nothing is answered.
//
// Ports:
// - here: number of this node, constant. seed, paper, skip_self: settings, constant while run is 1; the seed must be
//   the same in all nodes. skip_self has an effect with FREE = 1 only; else tie it to 0. paper: tie it to 0 for the
//   usual timing (see wh_output).
// - rewind, run, pass, cycle: from the sequencer, see pass_sequencer. rewind is 1 for one cycle, at least two cycles
//   before run. run is 1 during a pass; run and pass stay until busy is 0 in all nodes. cycle is the number of the
//   previous cycle, 1 for the first of the pass: the receiver examines a flit one cycle after it crossed, and logs
//   the cycle in which it crossed. Tie cycle to 0 if no times are needed.
// - bus_*: bus_select is 1 for one cycle per access, with no wait states; address and fields are those of space NODE
//   in docs/registers.md. Access it only while run is 0 and not in the cycle before it rises. A read of the program
//   invalidates the entry that was fetched from it: rewind afterwards. With TIMED = 1 bus_time selects the space
//   TIME, and entries may be written, and PROGRAM_LENGTH may grow, while run is 1. Otherwise tie bus_time to 0.
// - feed_*: with STREAM of NODE = 1 a stream of entries that are appended to the program: PROGRAM0, PROGRAM1, AT,
//   with PROGRAM0 in the lowest bits. feed_ready is 1 if an entry is offered and there is room; none is taken in the
//   cycle of an access. log_handed, logged, log_entry: as handed, out_logged, out_log in node_receiver. With STREAM =
//   0 tie the inputs to 0 and leave the outputs open.
// - out_*: injection channel, a stream into the network; out_valid, flit and last stay until they are taken.
//   out_empty: see wh_output; used only with paper = 1, else tie it to 0.
// - in_*: ejection channel. A message must come whole and not mixed with another; headers are those of node_sender.
//   in_empty may be left open.
// - obs_*: observation of the injection channel, for a monitor. busy: messages of this pass are still to be sent, or
//   a message is being received. passes: the program waits for a cycle, or a silent message is under way; only time
//   ends that. log_overflow, store_overflow: stay 1 until reset.
//
// Reset: synchronous, one cycle; lengths, counts and log are 0 afterwards, the memories of program and map keep what
// was written. Bring map and program in over the register port before the first run.
//
// Legal parameters: as node_config says of NODE; STATE_W must be the same in all nodes. COUNT_W means nothing here.
// Compile the packages first; the file list is rtl/node.f.
//
// Example:
//   // Node 3 of 8, without passes of its own to keep: run stays 1 until all is sent.
//   node #(.LABEL_W(3), .NODE(node_config::set(node_config::DEFAULT, node_config::FLIT_W, 24))) u_node (
//       .clk(clk), .rst(rst), .paper(1'b0), .here(3'd3), .seed(32'd1), .skip_self(1'b0),
//       .rewind(rewind), .run(run), .pass(16'd0), .cycle(32'd0),
//       .bus_select(bus_select), .bus_time(1'b0), .bus_write(bus_write), .bus_address(bus_address),
//       .bus_wdata(bus_wdata), .bus_rdata(bus_rdata),
//       .feed_valid(1'b0), .feed_entry(96'd0), .log_handed(1'b0), .feed_ready(), .logged(), .log_entry(),
//       .out_flit(a_flit), .out_last(a_last), .out_valid(a_valid), .out_ready(a_ready), .out_empty(1'b0),
//       .in_flit(b_flit), .in_last(b_last), .in_valid(b_valid), .in_ready(b_ready), .in_empty(),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy(busy), .passes(), .log_overflow(), .store_overflow());
`default_nettype none

module node #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer FREE = 1,  // as in node_program
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer RULE_W = NODE[node_config::RULE_W+:32],
    localparam integer LENGTH_W = NODE[node_config::LENGTH_W+:32],
    localparam integer PROGRAM_DEPTH = NODE[node_config::PROGRAM_DEPTH+:32],
    localparam integer LOG_DEPTH = NODE[node_config::LOG_DEPTH+:32],
    localparam integer PASS_W = NODE[node_config::PASS_W+:32],
    localparam integer CYCLE_W = NODE[node_config::CYCLE_W+:32],
    localparam integer TALLY_W = NODE[node_config::TALLY_W+:32],
    localparam integer SLOTS = NODE[node_config::SLOTS+:32],
    localparam integer SLOT_W = header_fields::slot_w(SLOTS),
    localparam integer SMALL = NODE[node_config::SMALL+:32],
    localparam integer TIMED = NODE[node_config::TIMED+:32],
    localparam integer STREAM = NODE[node_config::STREAM+:32]
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                paper,
    input  wire  [LABEL_W-1:0] here,
    input  wire  [       31:0] seed,
    input  wire                skip_self,  // a generated message to `here` is silent: see node_program
    // sequencer
    input  wire                rewind,
    input  wire                run,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [       15:0] pass,  // only the low PASS_W bits of pass and CYCLE_W bits of cycle are used
    // number of the previous cycle, in which the flit that the receiver sees now crossed
    input  wire  [       31:0] cycle,
    // verilator lint_on UNUSEDSIGNAL
    // register port
    input  wire                bus_select,
    // verilator lint_off UNUSEDSIGNAL
    input  wire                bus_time,   // to the space TIME
    // verilator lint_on UNUSEDSIGNAL
    input  wire                bus_write,
    input  wire  [       15:0] bus_address,
    input  wire  [       31:0] bus_wdata,
    output logic [       31:0] bus_rdata,
    // stream
    // verilator lint_off UNUSEDSIGNAL
    input  wire                feed_valid,
    input  wire  [       95:0] feed_entry,
    input  wire                log_handed,
    // verilator lint_on UNUSEDSIGNAL
    output logic               feed_ready,
    output logic               logged,
    output logic [      159:0] log_entry,
    // injection channel
    output logic [ FLIT_W-1:0] out_flit,
    output logic               out_last,
    output logic               out_valid,
    input  wire                out_ready,
    input  wire                out_empty,
    // ejection channel
    input  wire  [ FLIT_W-1:0] in_flit,
    input  wire                in_last,
    input  wire                in_valid,
    output logic               in_ready,
    output logic               in_empty,
    // observation of the injection channel
    output logic               obs_worm,
    output logic               obs_flit,
    output logic               obs_blocked,
    output logic               busy,
    output logic               passes,         // the program waits, and only time ends that
    output logic               log_overflow,   // a message found the log full; stays 1 until reset
    output logic               store_overflow  // a message did not fit into its slot; stays 1 until reset
);
  localparam integer INDEX_W = $clog2(PROGRAM_DEPTH);
  localparam integer LOG_INDEX_W = $clog2(LOG_DEPTH);
  localparam integer LOG_PASS_W = PASS_W < 14 ? PASS_W : 14;

  if (TALLY_W <= INDEX_W || TALLY_W <= LOG_INDEX_W || TALLY_W > 32) begin : g_TALLY_W
    illegal_TALLY_W u_illegal ();
  end

  logic next_valid, next_silent, next_wait, next_ready, next_look, next_open;
  logic [RULE_W-1:0] next_rule;
  logic [ INDEX_W-1:0] next_index;
  logic [  PASS_W-1:0] next_pass;
  logic [LENGTH_W-1:0] next_flits;
  logic [ LABEL_W-1:0] next_destination;
  logic [SLOT_W-1:0] next_from, next_keep;
  logic [SLOT_W-1:0] read_slot, write_slot;
  logic read_next, read_first, write, write_header, overflow;
  logic [FLIT_W-1:0] read_header, read_flit, write_flit;
  logic [31:0] program_rdata, log_rdata;
  logic [TALLY_W-1:0] log_count, corrupt_count;
  logic sent, sending, loading, receiving;
  logic feed, waiting;
  // verilator lint_off UNUSEDSIGNAL
  logic next_at_hand, next_scheduled, hushed, arrived, fetch, room;  // for programs that wait, and for streams
  logic [INDEX_W-1:0] fetch_index;
  logic [LABEL_W-1:0] arrived_from;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] time_rdata;

  // Register port: one of five windows by the address's high bits, or the space TIME.
  logic [INDEX_W:0] length_q;
  logic [LABEL_W-1:0] schedule_first_q;
  logic [LENGTH_W-1:0] schedule_flits_q;
  logic [TALLY_W-1:0] sent_q;
  logic [31:0] status_rdata;
  logic [7:0] status_at_q;
  logic [2:0] window_q;
  logic selected_q, answered_q, time_q;

  // Selects the part that is accessed. A simulator evaluates statements only as far as needed.
  logic to_status, to_program, to_map, to_times, reads_log;
  wire at_log = bus_address[15];
  always_comb begin : choose
    {to_status, to_program, to_map, to_times, reads_log} = '0;
    if (bus_select) begin
      to_times = TIMED != 0 && bus_time;
      to_status = !to_times && bus_write && bus_address[15:13] == regmap::PROGRAM_LENGTH[15:13];
      to_program = !to_times && bus_address[15:13] == regmap::PROGRAM[15:13];
      to_map = !to_times && bus_address[15:13] == regmap::MAP[15:13];
      reads_log = !to_times && !bus_write && (at_log || bus_address[15:13] == regmap::SIGNATURE[15:13]);
    end
  end

  node_program #(
      .LABEL_W (LABEL_W),
      .NODE(NODE),
      .FREE    (FREE)
  ) u_program (
      .clk, .rst,
      .bus_program(to_program),
      .bus_map(to_map),
      .bus_write,
      .bus_address(bus_address[12:0]),
      .bus_wdata,
      .bus_rdata(program_rdata),
      .rewind,
      .length(length_q),
      .feed,
      .feed_word0(feed_entry[31:0]),
      .feed_word1(feed_entry[63:32]),
      .room,
      .schedule_first(schedule_first_q),
      .schedule_flits(schedule_flits_q),
      .skip_self, .here,
      .out_valid(next_valid),
      .out_index(next_index),
      .out_pass(next_pass),
      .out_flits(next_flits),
      .out_destination(next_destination),
      .out_rule(next_rule),
      .out_silent(next_silent),
      .out_wait(next_wait),
      .out_scheduled(next_scheduled),
      .out_from(next_from),
      .out_keep(next_keep),
      .out_ready(next_ready),
      .look(next_look),
      .loading, .fetch, .fetch_index
  );

  if (TIMED != 0) begin : g_timed
    logic [15:0] count;
    logic early;
    arrival_counts #(.LABEL_W(LABEL_W)) u_arrivals (
        .clk, .rst,
        .forget(rewind),
        .arrived,
        .source(arrived_from),
        .ask(next_look && next_wait),
        .asked(next_destination),
        .count
    );
    // An entry of the program begins without an AT when it is written.
    node_times #(.NODE(NODE)) u_times (
        .clk, .rst,
        .bus_select(to_times),
        .bus_write, .bus_address, .bus_wdata,
        .bus_rdata(time_rdata),
        .written(feed || to_program && bus_write && !bus_address[0]),
        .written_index(feed ? length_q[INDEX_W-1:0] : bus_address[INDEX_W:1]),
        .written_at(feed ? feed_entry[95:64] : 32'd0),
        .rewind, .fetch, .fetch_index,
        .index(next_index),
        .waits(next_wait),
        .wanted(next_flits),
        .untimed(next_scheduled),
        .cycle, .count,
        .at_hand(next_at_hand),
        .taken(next_ready),
        .open(next_open),
        .early, .waiting
    );
    assign passes = early || hushed;
    assign next_look = next_at_hand && !early;
  end else begin : g_untimed
    assign time_rdata = '0;
    assign next_open = 1'b1;
    assign next_look = next_at_hand;
    assign waiting = 1'b0;
    assign passes = 1'b0;
  end
  if (STREAM != 0) begin : g_stream
    always_comb begin
      feed_ready = 1'b0;
      if (feed_valid) feed_ready = room && !bus_select;
    end
    assign feed = feed_ready;
  end else begin : g_no_stream
    assign feed = 1'b0;
    assign feed_ready = 1'b0;
  end

  node_sender #(
      .LABEL_W (LABEL_W),
      .NODE(NODE)
  ) u_sender (
      .clk, .rst, .paper, .here, .seed, .run,
      .pass(pass[PASS_W-1:0]),
      .in_valid(next_valid),
      .in_index(next_index),
      .in_pass(next_pass),
      .in_flits(next_wait ? LENGTH_W'(1) : next_flits),
      .in_destination(next_destination),
      .in_rule(next_rule),
      .in_silent(next_silent || next_wait),
      .in_open(next_open),
      .in_from(next_from),
      .in_keep(next_keep),
      .in_ready(next_ready),
      .at_hand(next_at_hand),
      .hushed,
      .store_slot(read_slot),
      .store_next(read_next),
      .store_first(read_first),
      .store_header(read_header),
      .store_flit(read_flit),
      .out_flit, .out_last, .out_valid, .out_ready, .out_empty, .obs_worm, .obs_flit, .obs_blocked, .sent,
      .busy(sending)
  );

  node_store #(.FLIT_W(FLIT_W), .SLOTS(SLOTS), .SLOT_FLITS(NODE[node_config::SLOT_FLITS+:32])) u_store (
      .clk, .rst, .write, .write_header, .write_slot, .write_flit, .overflow, .read_slot, .read_next, .read_first,
      .read_header, .read_flit
  );

  node_receiver #(
      .LABEL_W  (LABEL_W),
      .NODE(NODE)
  ) u_receiver (
      .clk, .rst, .here, .seed,
      .pass(pass[LOG_PASS_W-1:0]),
      .cycle(cycle[CYCLE_W-1:0]),
      .in_flit, .in_last, .in_valid, .in_ready, .in_empty,
      .store_write(write),
      .store_header(write_header),
      .store_slot(write_slot),
      .store_flit(write_flit),
      .bus_read(reads_log),
      .bus_index(at_log ? bus_address[2+:LOG_INDEX_W] : bus_address[0+:LOG_INDEX_W]),
      .bus_word(bus_address[1:0]),
      .bus_signature(!at_log),
      .bus_rdata(log_rdata),
      .arrived, .arrived_from,
      .handed(log_handed),
      .out_logged(logged),
      .out_log(log_entry),
      .log_count, .log_overflow, .corrupt_count,
      .busy(receiving)
  );

  // A message of this pass which is still on its way out of the program counts as busy.
  assign busy = sending || receiving || loading;

  always_comb begin
    status_rdata = '0;
    case ({
      8'd0, status_at_q
    })
      regmap::PROGRAM_LENGTH: status_rdata = 32'(length_q);
      regmap::SCHEDULE:
      status_rdata = 32'(schedule_first_q) << regmap::SCHEDULE_FIRST |
          32'(schedule_flits_q) << regmap::SCHEDULE_FLITS;
      regmap::LOG_COUNT: status_rdata = 32'(log_count);
      regmap::SENT_COUNT: status_rdata = 32'(sent_q);
      regmap::CORRUPT_COUNT: status_rdata = 32'(corrupt_count);
      regmap::WAITING:
      status_rdata = 32'(waiting) << regmap::WAITING_WAITS |
          (waiting ? 32'(next_index) << regmap::WAITING_INDEX : 32'd0);
      regmap::NODE_STATUS:
      status_rdata = 32'(log_overflow) << regmap::NODE_STATUS_LOG_FULL |
          32'(store_overflow) << regmap::NODE_STATUS_STORE_FULL;
      default: status_rdata = '0;
    endcase
  end

  always_ff @(posedge clk) begin
    selected_q <= bus_select && !bus_write;
    time_q <= TIMED != 0 && bus_time;
    if (bus_select || SMALL != 0) begin
      status_at_q <= bus_address[7:0];
      window_q <= bus_address[15:13];
    end
    answered_q <= selected_q;
    if (selected_q) begin
      if (time_q) bus_rdata <= time_rdata;
      else if (window_q[2] || window_q == regmap::SIGNATURE[15:13]) bus_rdata <= log_rdata;
      else if (window_q == regmap::PROGRAM_LENGTH[15:13]) bus_rdata <= status_rdata;
      else bus_rdata <= program_rdata;
    end else if (answered_q) begin
      bus_rdata <= '0;
    end
    if (to_status && bus_address[7:0] == regmap::PROGRAM_LENGTH[7:0]) length_q <= bus_wdata[INDEX_W:0];
    if (feed) length_q <= length_q + 1'b1;
    if (FREE != 0 && to_status && bus_address[7:0] == regmap::SCHEDULE[7:0]) begin
      schedule_first_q <= bus_wdata[regmap::SCHEDULE_FIRST+:LABEL_W];
      schedule_flits_q <= bus_wdata[regmap::SCHEDULE_FLITS+:LENGTH_W];
    end
    if (sent && !(&sent_q)) sent_q <= sent_q + 1'b1;
    if (overflow) store_overflow <= 1'b1;
    if (rst || FREE == 0) begin
      schedule_first_q <= '0;
      schedule_flits_q <= '0;
    end
    if (rst) begin
      length_q <= '0;
      sent_q <= '0;
      store_overflow <= 1'b0;
      bus_rdata <= '0;
    end
  end

`ifdef FORMAL
  // Offers stay, the ejection channel never stalls, and messages are counted as they leave and arrive. A slot that is
  // read is not written at the same time; the program is not accessed while a pass runs.
  logic [31:0] f_sent, f_received;  // tails that have crossed the channels
  logic f_receiving;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (!out_empty || out_ready);
    assume (!run || (!rewind && !bus_select));
    if (!$initstate) assume (!run || !$past(bus_select));
    assume (!write || write_slot != read_slot);
    assume (32'(read_slot) <= SLOTS);
    if (!$initstate) begin
      assume ($stable(paper) && $stable(here) && $stable(seed) && $stable(skip_self));
      if ($past(!rst && run && busy)) assume (run && $stable(pass));
      if (TIMED != 0 && run && $past(run)) assume (cycle == $past(cycle) + 32'd1 && !(&cycle));
    end

    if (out_valid && out_ready && out_last) f_sent <= f_sent + 32'd1;
    if (in_valid && in_ready) f_receiving <= !in_last;
    if (in_valid && in_ready && in_last) f_received <= f_received + 32'd1;
    if (rst) begin
      f_sent <= '0;
      f_received <= '0;
      f_receiving <= 1'b0;
    end

    if (!$initstate) begin
      assert (in_ready);
      assert (32'(sent_q) == f_sent);
      if (!$past(rst)) assert (32'(log_count) == $past(f_received));
      if (f_receiving) assert (busy);
      if ($past(rst)) assert (!out_valid && log_count == '0 && !log_overflow && !store_overflow);
      if (!$past(rst) && $past(out_valid && !out_ready)) assert (out_valid && $stable(out_flit) && $stable(out_last));

      cover (f_sent == 32'd2 && out_valid == 1'b0);
      cover (log_count == TALLY_W'(1) && store_overflow);
      cover (out_valid && !out_last && read_slot != '0 && log_count == TALLY_W'(1));
    end
  end
`endif
endmodule

`default_nettype wire
