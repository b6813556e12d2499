// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Program and map table of a node. After `rewind` it presents the program's messages to node_sender one after the
// other, with the physical destination from the map table. In place of the program it can generate a schedule (FREE =
// 1): message i goes to the virtual node schedule_first xor gray(i) in pass i, gray(i) = i xor i/2. With TIMED of
// NODE = 1 the program is a ring, and entries may be waits; node_times decides when an entry may begin.
//
// Latency: the first message is there in the second cycle after rewind (rewind is 1 in one cycle, in the next one the
// memory is read). Throughput: one message per cycle if they are taken. Register read data is there in the cycle after
// the request.
//
// Ports:
// - bus_*: bus_program or bus_map, never both, is 1 for one cycle per access. bus_address is 2*message + word for the
//   program, the virtual number for the map; fields as PROGRAM and MAP in docs/registers.md. Any access invalidates
//   the message that is being presented: access the program only while no pass runs, and rewind afterwards. With
//   TIMED = 1 a write invalidates nothing; entries behind those that have been fetched may be written at any time.
// - feed, feed_word0, feed_word1: with STREAM of NODE = 1 entry `length` is written, not in the same cycle as over the port;
//   else tie them to 0. room: another entry may be written.
// - rewind: 1 for one cycle: begin again with message 0. length: messages in the program, at most DEPTH; it may
//   change only before a rewind. With TIMED = 1 it counts modulo 2*DEPTH, and may grow at any time after its messages
//   were written, as long as it is at most DEPTH ahead of the entries fetched.
// - schedule_first, schedule_flits, skip_self, here: constant from rewind on. With schedule_flits = 0 the program is
//   used. Tie schedule_* and skip_self to 0 with FREE = 0.
// - out_*: the next message; it stays, with out_valid, until an edge at which out_ready is 1. out_rule, out_from
//   (slot of the store to send from, 0: generated) and out_keep (slot of the receiver's store, 0: none) are 0 in a
//   schedule. out_destination, and in a schedule out_silent, are valid only while look is 1; look must not depend on
//   them. out_wait: the entry waits for out_flits messages from out_destination. out_scheduled: a schedule replaces
//   the program.
// - fetch, fetch_index: message fetch_index is presented from the next cycle on.
// - loading: a message is left, but none is presented yet. Without this signal a pass could seem finished too early.
//
// Reset: as rewind; memories keep their contents. Legal parameters: all combinations within the ranges below; a map
// table of 2^LABEL_W words is read without a clock, so it is made of logic or distributed RAM.
`default_nettype none

module node_program #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer FREE = 1,  // 1: with schedules, 0: without. FREE or TIMED adds silent messages
    localparam integer LENGTH_W = NODE[node_config::LENGTH_W+:32],
    localparam integer PASS_W = NODE[node_config::PASS_W+:32],
    localparam integer RULE_W = NODE[node_config::RULE_W+:32],
    localparam integer SLOT_W = header_fields::slot_w(NODE[node_config::SLOTS+:32]),
    localparam integer SMALL = NODE[node_config::SMALL+:32],
    localparam integer TIMED = NODE[node_config::TIMED+:32],
    localparam integer STREAM = NODE[node_config::STREAM+:32],
    localparam integer DEPTH = NODE[node_config::PROGRAM_DEPTH+:32],
    localparam integer INDEX_W = $clog2(DEPTH)
) (
    input  wire                 clk,
    input  wire                 rst,
    // register port: a word of the program, or of the map table; read data is there in the next cycle
    input  wire                 bus_program,
    input  wire                 bus_map,
    input  wire                 bus_write,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        12:0] bus_address,  // the high bits are unused where memories are small
    // verilator lint_on UNUSEDSIGNAL
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        31:0] bus_wdata,  // some bits are unused where fields are narrow
    // verilator lint_on UNUSEDSIGNAL
    output logic [        31:0] bus_rdata,
    // sequencer
    input  wire                 rewind,
    input  wire  [   INDEX_W:0] length,       // messages in the program
    // verilator lint_off UNUSEDSIGNAL
    // stream
    input  wire                 feed,
    input  wire  [        31:0] feed_word0,
    input  wire  [        31:0] feed_word1,
    // verilator lint_on UNUSEDSIGNAL
    output logic                room,
    // schedule
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [ LABEL_W-1:0] schedule_first,
    input  wire  [LENGTH_W-1:0] schedule_flits,  // 0: no schedule, the program is used
    input  wire                 skip_self,       // a message of the schedule to `here` is silent
    input  wire  [ LABEL_W-1:0] here,
    // verilator lint_on UNUSEDSIGNAL
    // next message
    output logic                out_valid,
    output logic [ INDEX_W-1:0] out_index,
    output logic [  PASS_W-1:0] out_pass,
    output logic [LENGTH_W-1:0] out_flits,
    output logic [ LABEL_W-1:0] out_destination,
    output logic [  RULE_W-1:0] out_rule,
    output logic                out_silent,    // takes its time, but is not sent
    output logic                out_wait,      // waits for messages, and is not sent
    output logic [  SLOT_W-1:0] out_from,
    output logic [  SLOT_W-1:0] out_keep,
    input  wire                 out_ready,
    // verilator lint_off UNUSEDSIGNAL
    input  wire                 look,          // out_destination and out_silent are being used
    // verilator lint_on UNUSEDSIGNAL
    output logic                out_scheduled,
    output logic                loading,       // there is a message which is not presented yet
    output logic                fetch,
    output logic [ INDEX_W-1:0] fetch_index
);
  if (LABEL_W < 1 || LABEL_W > 16) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (DEPTH < 2 || DEPTH > 4096 || (1 << INDEX_W) != DEPTH) begin : g_PROGRAM_DEPTH
    illegal_PROGRAM_DEPTH u_illegal ();
  end
  if (LENGTH_W < 1 || LENGTH_W > 16) begin : g_LENGTH_W illegal_LENGTH_W u_illegal (); end
  if (PASS_W < 1 || PASS_W > (RULE_W > 4 ? 4 : 16)) begin : g_PASS_W illegal_PASS_W u_illegal (); end
  if (RULE_W < 1 || RULE_W > 16) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (FREE < 0 || FREE > 1) begin : g_FREE illegal_FREE u_illegal (); end
  if (TIMED < 0 || TIMED > 1) begin : g_TIMED illegal_TIMED u_illegal (); end
  if (STREAM < 0 || STREAM > TIMED) begin : g_STREAM illegal_STREAM u_illegal (); end

  localparam integer MAP_DEPTH = 1 << LABEL_W;
  localparam integer CHOICE_W = (RULE_W > 4 ? 4 : RULE_W) + 2 * SLOT_W;  // rule, from, keep
  localparam integer SILENT_W = FREE != 0 || TIMED != 0 ? 1 : 0;
  localparam integer SILENT_AT = LABEL_W + CHOICE_W, WAIT_AT = SILENT_AT + SILENT_W;
  localparam integer WORD1_W = WAIT_AT + TIMED;  // destination, these, silent, wait
  // A rule of more than 4 bits has the upper ones in word 0, above the pass.
  localparam integer LOW_RULE_W = RULE_W > 4 ? 4 : RULE_W, VIA_W = RULE_W - LOW_RULE_W, WORD0_W = VIA_W + PASS_W + LENGTH_W;

  // A word is never read in the cycle in which it is written; without this attribute, synthesis adds logic for that
  // case.
  (* no_rw_check *)
  logic [WORD0_W-1:0] word0_mem[DEPTH];
  (* no_rw_check *)
  logic [WORD1_W-1:0] word1_mem[DEPTH];
  logic [LABEL_W-1:0] map_mem[MAP_DEPTH];  // read without a clock: a table, not a block of memory

  logic [INDEX_W:0] fetch_q;  // the next message to fetch
  logic valid_q;  // message index_q is in the words below
  logic [INDEX_W-1:0] index_q;
  logic [WORD0_W-1:0] word0_q;
  logic [WORD1_W-1:0] word1_q;
  logic [LABEL_W-1:0] map_at_q;  // the entry for the register port
  logic bus_map_q, bus_odd_q;

  wire more = fetch_q != length;
  wire borrowed = bus_program && !(TIMED != 0 && bus_write);  // the register port has the memories' read ports
  assign fetch = more && (!valid_q || out_ready);
  assign fetch_index = fetch_q[INDEX_W-1:0];
  wire [PASS_W-1:0] program_pass = word0_q[LENGTH_W+:PASS_W];
  wire [LENGTH_W-1:0] program_flits = word0_q[0+:LENGTH_W];
  wire [LABEL_W-1:0] program_named = word1_q[LABEL_W-1:0];
  wire [CHOICE_W-1:0] program_choice = word1_q[LABEL_W+:CHOICE_W];
  logic scheduled, program_silent, program_wait;
  logic [LABEL_W-1:0] gray;
  logic [LOW_RULE_W-1:0] low_rule;
  logic [31:0] word0_via;
  if (FREE != 0) begin : g_free
    assign scheduled = schedule_flits != '0;
    wire [INDEX_W-1:0] code = index_q ^ index_q >> 1;
    assign gray = LABEL_W'(code);
  end else begin : g_bound
    assign scheduled = 1'b0;
    assign gray = '0;
  end
  if (SILENT_W != 0) begin : g_silent
    assign program_silent = word1_q[SILENT_AT];
  end else begin : g_no_silent
    assign program_silent = 1'b0;
  end
  if (TIMED != 0) begin : g_wait
    assign program_wait = word1_q[WAIT_AT];
  end else begin : g_no_wait
    assign program_wait = 1'b0;
  end
  if (VIA_W != 0) begin : g_via
    wire [VIA_W-1:0] program_via = word0_q[PASS_W+LENGTH_W+:VIA_W];
    assign out_rule = {scheduled ? '0 : program_via, low_rule};
    assign word0_via = 32'(program_via) << regmap::PROGRAM0_VIA;
  end else begin : g_no_via
    assign out_rule = low_rule;
    assign word0_via = '0;
  end
  if (STREAM != 0) begin : g_room
    assign room = {~length[INDEX_W], length[INDEX_W-1:0]} != fetch_q;
  end else begin : g_no_room
    assign room = 1'b0;
  end
  wire [LABEL_W-1:0] named = scheduled ? schedule_first ^ gray : program_named;
  // The table is read only when needed: with a table in each of many nodes, few are in a simulating processor's
  // cache.
  logic [LABEL_W-1:0] mapped;
  always_comb begin
    mapped = 'x;
    if (look || bus_map_q) mapped = map_mem[bus_map_q ? map_at_q : named];
  end

  assign out_valid = valid_q;
  assign out_index = index_q;
  assign out_pass = scheduled ? PASS_W'(index_q) : program_pass;
  assign out_flits = scheduled ? schedule_flits : program_flits;
  assign {out_keep, out_from, low_rule} = scheduled ? '0 : program_choice;
  assign out_silent = scheduled ? skip_self && mapped == here : program_silent;
  assign out_wait = !scheduled && program_wait;
  assign out_scheduled = scheduled;
  assign out_destination = mapped;
  assign loading = !valid_q && more;

  wire bus_read = !bus_write && (bus_program || bus_map);
  wire [31:0] word0 = 32'(program_flits) << regmap::PROGRAM0_FLITS | 32'(program_pass) << regmap::PROGRAM0_PASS;
  wire [31:0] word1 = 32'(program_named) << regmap::PROGRAM1_DESTINATION |
      32'(program_choice[0+:LOW_RULE_W]) << regmap::PROGRAM1_RULE |
      32'(program_choice[LOW_RULE_W+:SLOT_W]) << regmap::PROGRAM1_FROM |
      32'(program_choice[LOW_RULE_W+SLOT_W+:SLOT_W]) << regmap::PROGRAM1_KEEP | 32'(program_silent) << regmap::PROGRAM1_SILENT |
      32'(program_wait) << regmap::PROGRAM1_WAIT;

  assign bus_rdata = bus_map_q ? 32'(mapped) : bus_odd_q ? word1 : word0 | word0_via;

  wire put = bus_program && bus_write, fed = STREAM != 0 && feed;
  always_ff @(posedge clk) begin : store
    logic [INDEX_W-1:0] at;
    // verilator lint_off UNUSEDSIGNAL
    logic [31:0] w0, w1;
    // verilator lint_on UNUSEDSIGNAL
    if (put || fed) begin
      at = fed ? length[INDEX_W-1:0] : bus_address[INDEX_W:1];
      w0 = fed ? feed_word0 : bus_wdata;
      w1 = fed ? feed_word1 : bus_wdata;
      if (fed || bus_address[0])
        word1_mem[at] <= WORD1_W'({
          w1[regmap::PROGRAM1_WAIT],
          w1[regmap::PROGRAM1_SILENT],
          w1[regmap::PROGRAM1_KEEP+:SLOT_W],
          w1[regmap::PROGRAM1_FROM+:SLOT_W],
          w1[regmap::PROGRAM1_RULE+:LOW_RULE_W],
          w1[LABEL_W-1:0]
        });
      if (fed || !bus_address[0])
        word0_mem[at] <=
            WORD0_W'({w0[31:regmap::PROGRAM0_VIA], w0[regmap::PROGRAM0_PASS+:PASS_W], w0[regmap::PROGRAM0_FLITS+:LENGTH_W]});
    end
    if (bus_map && bus_write) map_mem[bus_address[LABEL_W-1:0]] <= bus_wdata[LABEL_W-1:0];
  end

  // A read over the register port uses the memories' read ports, and so invalidates the fetched entry: the host reads
  // only before a start at pass 0, which rewinds.
  always_ff @(posedge clk) begin : take
    logic [INDEX_W-1:0] at;
    if (fetch || borrowed) begin
      at = borrowed ? bus_address[INDEX_W:1] : fetch_index;
      word0_q <= word0_mem[at];
      word1_q <= word1_mem[at];
    end
  end

  always_ff @(posedge clk) begin
    if (bus_read || SMALL != 0) begin
      map_at_q  <= bus_address[LABEL_W-1:0];
      bus_odd_q <= bus_address[0];
    end
    bus_map_q <= bus_read && bus_map;
    if (fetch) begin
      fetch_q <= fetch_q + 1'b1;
      index_q <= fetch_q[INDEX_W-1:0];
      valid_q <= 1'b1;
    end else if (out_ready) begin
      valid_q <= 1'b0;
    end
    if (rst || rewind) begin
      fetch_q <= '0;
      valid_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // One arbitrary message of the program and one arbitrary entry of the map, shadowed. Reading or writing over the
  // register port, or a new length, invalidates the fetched entry until the next rewind; no message is taken then.
  // With TIMED = 1 writing to the program does not, and the length may grow.
  (* anyconst *) logic [INDEX_W-1:0] f_at;
  (* anyconst *) logic [LABEL_W-1:0] f_map_at;
  logic [31:0] f_word0, f_word1, f_wrote0, f_wrote1;  // as fetched; as in the memory
  logic [LABEL_W-1:0] f_map;
  logic f_has_word0 = 1'b0, f_has_word1 = 1'b0, f_has_map = 1'b0, f_had_word0 = 1'b0, f_had_word1 = 1'b0;
  logic f_spoiled;
  logic [INDEX_W:0] f_index;  // of the next message, since rewind
  logic [2:0] f_since;  // cycles since rewind, 7 or more: 7
  wire f_scheduled = FREE != 0 && schedule_flits != '0;
  wire f_spoils = bus_map || bus_program && !(TIMED != 0 && bus_write);
  wire [INDEX_W:0] f_then = f_index + (INDEX_W + 1)'(out_valid && out_ready);
  wire [INDEX_W:0] f_ahead = length - fetch_q, f_written = {1'b0, bus_address[INDEX_W:1] - fetch_index};

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (TIMED == 0 || rewind) assume (32'(length) <= DEPTH);
    assume (!bus_program || !bus_map);
    if (STREAM == 0) assume (!feed);
    else assume (!feed || room && !bus_program && !bus_map && !rewind);
    if (TIMED != 0 && !f_spoiled) begin
      assume (32'(f_ahead) <= DEPTH);
      if (bus_program && bus_write) assume (f_written >= f_ahead);
    end

    if (bus_program && bus_write && bus_address[INDEX_W:1] == f_at) begin
      if (bus_address[0]) begin
        f_wrote1 <= bus_wdata;
        f_had_word1 <= 1'b1;
      end else begin
        f_wrote0 <= bus_wdata;
        f_had_word0 <= 1'b1;
      end
    end
    if (feed && length[INDEX_W-1:0] == f_at) begin
      {f_wrote0, f_wrote1} <= {feed_word0, feed_word1};
      {f_had_word0, f_had_word1} <= 2'b11;
    end
    if (fetch && fetch_index == f_at || bus_program && !bus_write) begin
      {f_word0, f_word1} <= {f_wrote0, f_wrote1};
      {f_has_word0, f_has_word1} <= {f_had_word0, f_had_word1};
    end
    if (bus_map && bus_write && bus_address[LABEL_W-1:0] == f_map_at) begin
      f_map <= bus_wdata[LABEL_W-1:0];
      f_has_map <= 1'b1;
    end

    f_since <= &f_since ? f_since : f_since + 1'b1;
    if (out_valid && out_ready) f_index <= f_index + 1'b1;
    if (rst || rewind) begin
      f_since   <= '0;
      f_index   <= '0;
      f_spoiled <= 1'b0;
    end
    if (f_spoils) f_spoiled <= 1'b1;

    if (!$initstate) begin
      assume ($stable(schedule_first) && $stable(schedule_flits) && $stable(skip_self) && $stable(here));
      if (f_spoiled || f_spoils) assume (!out_ready);
      if (TIMED == 0 && !f_spoiled && !$past(rst || rewind)) assume ($stable(length));
      if ($past(feed)) assume (length == $past(length) + 1'b1);

      if (!f_spoiled) begin
        if (TIMED == 0) assert (f_index <= length);
        assert (!out_valid || f_index != length);
        if (f_since >= 3'd1 && $past(f_then != length)) assert (out_valid);
        assert (loading == (!out_valid && f_index != length));
        assert (room == (STREAM != 0 && 32'(f_ahead) != DEPTH));
        if (out_valid) begin
          assert (out_index == f_index[INDEX_W-1:0]);
          if (f_scheduled) begin
            assert (out_pass == PASS_W'(f_index) && out_flits == schedule_flits);
            assert (out_rule == '0 && out_from == '0 && out_keep == '0 && !out_wait);
            if (look && f_has_map && (schedule_first ^ LABEL_W'(f_index[INDEX_W-1:0] ^ f_index[INDEX_W-1:0] >> 1)) == f_map_at) begin
              assert (out_destination == f_map);
              assert (out_silent == (skip_self && f_map == here));
            end
          end
          if (!f_scheduled && out_index == f_at && f_has_word0) begin
            assert (out_pass == f_word0[regmap::PROGRAM0_PASS+:PASS_W]);
            assert (out_flits == f_word0[regmap::PROGRAM0_FLITS+:LENGTH_W]);
            if (VIA_W != 0) assert (out_rule >> 4 == RULE_W'(f_word0[regmap::PROGRAM0_VIA+:12] & 12'((1 << VIA_W) - 1)));
          end
          if (!f_scheduled && out_index == f_at && f_has_word1) begin
            assert (out_silent == ((FREE != 0 || TIMED != 0) && f_word1[regmap::PROGRAM1_SILENT]));
            assert (out_wait == (TIMED != 0 && f_word1[regmap::PROGRAM1_WAIT]));
            assert (out_rule[LOW_RULE_W-1:0] == f_word1[regmap::PROGRAM1_RULE+:LOW_RULE_W]);
            assert (out_from == f_word1[regmap::PROGRAM1_FROM+:SLOT_W]);
            assert (out_keep == f_word1[regmap::PROGRAM1_KEEP+:SLOT_W]);
            if (look && f_has_map && f_word1[LABEL_W-1:0] == f_map_at) assert (out_destination == f_map);
          end
        end
        if (!$past(rst || rewind || f_spoiled) && $past(out_valid && !out_ready)) begin
          assert (out_valid && $stable(out_index) && $stable(out_pass) && $stable(out_flits));
          assert ($stable(out_rule) && $stable(out_from) && $stable(out_keep) && $stable(out_wait));
          if (look && $past(look)) assert ($stable(out_destination) && $stable(out_silent));
        end
      end
      if ($past(bus_program && !bus_write) && $past(bus_address[INDEX_W:1]) == f_at) begin
        if ($past(!bus_address[0] && f_has_word0)) begin
          assert (bus_rdata[15:0] == 16'(f_word0[LENGTH_W-1:0]));
          assert (bus_rdata[31:16] == (16'(f_word0[regmap::PROGRAM0_PASS+:PASS_W]) |
              (VIA_W != 0 ? 16'((1 << VIA_W) - 1) << 4 & f_word0[31:16] : '0)));
        end
        if ($past(bus_address[0] && f_has_word1))
          assert (bus_rdata == (f_word1 & ((TIMED != 0 ? 32'h33300000 : FREE != 0 ? 32'h13300000 : 32'h03300000) |
              32'((1 << LOW_RULE_W) - 1) << 16 | 32'((1 << LABEL_W) - 1))));
      end
      if ($past(bus_map && !bus_write && f_has_map) && $past(bus_address[LABEL_W-1:0]) == f_map_at)
        assert (bus_rdata == 32'(f_map));

      cover (f_index == 2 && out_valid && out_ready && $past(out_ready) && out_index == f_at && f_has_word1 && f_has_map);
      cover (!loading && !out_valid && f_index == length && length == 3);
      cover (TIMED == 0 || f_index == 5 && out_valid && out_index == f_at && f_has_word0);  // around the ring
      cover (FREE == 0 || f_scheduled && out_valid && out_silent && f_index == 1 && f_has_map);
    end
  end
`endif
endmodule

`default_nettype wire
