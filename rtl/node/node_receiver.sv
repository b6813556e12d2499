// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The receiving end of a node. It takes a flit in every cycle, compares it with the payload that (seed, source,
// message, flit) determine, passes it to the store, and logs every message: header, length, pass, cycles of header
// and tail, whether it is intact, and a signature of the payload as it arrived, so that the check does not depend on
// this module alone.
//
// Over 400 lines because more than a third of them are its contract.
//
// A neighbour may rely on:
// - The ejection channel never stalls: in_ready is 1 in every cycle, and in_empty is 1 if no flit came in the
//   previous cycle. A flit that comes in cycle t is at the store port in cycle t+1 and in the counters in cycle t+2.
// - A message is in the log, whole, from the cycle in which log_count counts it. Entries are in the order of tails
//   and are never overwritten. A full log keeps its entries; log_count goes on, and log_overflow is set.
// - Counters stop at their largest value, and a message's length at the largest value of its field.
// - `busy` is 1 from the cycle after a header until the tail has been counted.
// - arrived, arrived_from: in the cycle after a tail, a message has arrived, and the source in its header; 0 with
//   TIMED of NODE = 0.
// - With STREAM = 1 and `handed` = 1 a message is handed out two cycles after its tail: out_logged is 1 for one
//   cycle, and out_log is its log: the words LOG0 to LOG3 and its signature, LOG0 in the lowest bits. The log need
//   not have room for it.
`default_nettype none

module node_receiver #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer RULE_W = NODE[node_config::RULE_W+:32],
    localparam integer LENGTH_W = NODE[node_config::LENGTH_W+:32],
    localparam integer LOG_DEPTH = NODE[node_config::LOG_DEPTH+:32],
    localparam integer CYCLE_W = NODE[node_config::CYCLE_W+:32],
    localparam integer STATE_W = NODE[node_config::STATE_W+:32],
    localparam integer SIGNATURE_W = NODE[node_config::SIGNATURE_W+:32],
    localparam integer SMALL = NODE[node_config::SMALL+:32],
    localparam integer TIMED = NODE[node_config::TIMED+:32],
    localparam integer STREAM = NODE[node_config::STREAM+:32],
    localparam integer COUNT_W = NODE[node_config::TALLY_W+:32],
    localparam integer PASS_W = NODE[node_config::PASS_W+:32] < 14 ? NODE[node_config::PASS_W+:32] : 14,
    localparam integer INDEX_W = $clog2(LOG_DEPTH),
    localparam integer SOURCE_LOW = header_fields::source_low(LABEL_W),
    localparam integer SLOT_W = header_fields::slot_w(NODE[node_config::SLOTS+:32]),
    localparam integer SLOT_LOW = header_fields::slot_low(LABEL_W, RULE_W),
    localparam integer ID_LOW = header_fields::number_low(LABEL_W, RULE_W, NODE[node_config::SLOTS+:32]),
    localparam integer ID_W = header_fields::number_w(FLIT_W, ID_LOW, LABEL_W, STATE_W)
) (
    input  wire                clk,
    input  wire                rst,
    // Settings, which must not change while a message is under way. `here` is the node's own number; `pass` the low
    // bits of the pass, logged with the tail. `cycle` counts the cycles of the pass, one late: in cycle t it is the
    // number of cycle t-1, in which the flit now behind the input register came.
    input  wire  [LABEL_W-1:0] here,
    input  wire  [       31:0] seed,
    input  wire  [ PASS_W-1:0] pass,
    input  wire  [CYCLE_W-1:0] cycle,
    // Ejection channel. The first flit of a message is its header: see header_fields.
    input  wire  [ FLIT_W-1:0] in_flit,
    input  wire                in_last,
    input  wire                in_valid,
    output logic               in_ready,
    output logic               in_empty,
    // To the store: every flit, once, in order. store_slot is that of the message's header; 0: the message is not
    // kept.
    output logic               store_write,
    output logic               store_header,
    output logic [ SLOT_W-1:0] store_slot,
    output logic [ FLIT_W-1:0] store_flit,
    // Log, read: in the cycle after bus_read, and until the next one, bus_rdata holds word bus_word (0..3, LOG0 to
    // LOG3 of the register map) of message bus_index, or with bus_signature its signature. Entries not below
    // log_count are undefined.
    input  wire                bus_read,
    input  wire  [INDEX_W-1:0] bus_index,
    input  wire  [        1:0] bus_word,
    input  wire                bus_signature,
    output logic [       31:0] bus_rdata,
    // Arrivals, for programs that wait
    output logic               arrived,
    output logic [LABEL_W-1:0] arrived_from,
    // Stream
    // verilator lint_off UNUSEDSIGNAL
    input  wire                handed,
    // verilator lint_on UNUSEDSIGNAL
    output logic               out_logged,
    output logic [      159:0] out_log,
    // Counters and state
    output logic [COUNT_W-1:0] log_count,      // messages received, with those for which there was no room
    output logic               log_overflow,   // a message had no room in the log; stays until rst
    // flits that differed from their expected value; headers are not checked
    output logic [COUNT_W-1:0] corrupt_count,
    output logic               busy            // in the middle of a message, or a flit is in the input register
);
  if (LOG_DEPTH < 2 || LOG_DEPTH > 8192 || (1 << INDEX_W) != LOG_DEPTH) begin : g_LOG_DEPTH
    illegal_LOG_DEPTH u_illegal ();
  end
  if (RULE_W < 1 || RULE_W > 16) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (FLIT_W <= ID_LOW) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (PASS_W < 1) begin : g_PASS_W illegal_PASS_W u_illegal (); end
  if (CYCLE_W < 1 || CYCLE_W > 32) begin : g_CYCLE_W illegal_CYCLE_W u_illegal (); end
  if (COUNT_W <= INDEX_W || COUNT_W > 32) begin : g_TALLY_W illegal_TALLY_W u_illegal (); end

  localparam integer HEADER_W = FLIT_W < 32 ? FLIT_W : 32;

  logic [FLIT_W-1:0] flit;
  logic last, valid;

  // The channel never stalls, so one register is enough of a buffer.
  assign in_ready = 1'b1;
  assign in_empty = !valid;

  always_ff @(posedge clk) begin
    valid <= in_valid;
    if (in_valid) begin
      flit <= in_flit;
      last <= in_last;
    end
    if (rst) valid <= 1'b0;
  end

  if (TIMED != 0) begin : g_arrivals
    logic [LABEL_W-1:0] from_q;
    always_ff @(posedge clk) if (valid) from_q <= arrived_from;
    assign arrived = valid && last;
    assign arrived_from = body_q ? from_q : flit[SOURCE_LOW+:LABEL_W];
  end else begin : g_no_arrivals
    assign arrived = 1'b0;
    assign arrived_from = '0;
  end

  logic body_q;
  logic [SLOT_W-1:0] slot_q;
  logic [STATE_W-1:0] state_q, start, next;
  logic [FLIT_W-1:0] right;
  logic [LENGTH_W-1:0] flits_q;  // flits received so far; stays at its largest value
  logic intact_q;

  payload #(
      .NAME_W (ID_W + LABEL_W),
      .STATE_W(STATE_W), .FLIT_W(FLIT_W)
  ) u_payload (
      .seed,
      .name (flit_name),
      .start,
      .state(state_q),
      .next,
      .flit(right)
  );

  wire [ID_W+LABEL_W-1:0] flit_name = {flit[ID_LOW+:ID_W], flit[SOURCE_LOW+:LABEL_W]};
  wire corrupt = body_q && flit != right;
  wire intact = !body_q || (intact_q && !corrupt);
  wire [LENGTH_W-1:0] flits = body_q ? (&flits_q ? flits_q : flits_q + 1'b1) : LENGTH_W'(1);

  assign store_write = valid;
  assign store_header = !body_q;
  assign store_slot = body_q ? slot_q : flit[SLOT_LOW+:SLOT_W];
  assign store_flit = flit;
  assign busy = valid || body_q;

  // The log has parts: the values known with the header, those known with the tail, and the signature. Each part has
  // a memory of its own, which is fastest in simulation; or all are in one, if that takes fewer block RAMs of 16
  // bits.
  localparam integer BEGIN_W = CYCLE_W + HEADER_W, END_W = CYCLE_W + 1 + PASS_W + LENGTH_W;
  localparam integer TAIL_W = END_W + SIGNATURE_W;
  localparam integer ONE = (BEGIN_W + TAIL_W + 15) / 16 <
      (BEGIN_W + 15) / 16 + (END_W + 15) / 16 + (SIGNATURE_W + 15) / 16 ? 1 : 0;
  logic [CYCLE_W-1:0] first_cycle_q, last_cycle_q;
  logic [HEADER_W-1:0] header_q;
  logic logged_intact_q;
  logic [PASS_W-1:0] pass_q;
  logic [LENGTH_W-1:0] length_q;
  logic [31:0] signature_q;
  logic [1:0] bus_word_q;
  logic bus_signature_q;

  wire log_full = |log_count[COUNT_W-1:INDEX_W];
  wire [INDEX_W-1:0] log_at = log_count[INDEX_W-1:0];
  wire log_begin = valid && !body_q && !log_full;
  wire log_end = valid && last && !log_full;
  wire [BEGIN_W-1:0] begin_d = {cycle, flit[0+:HEADER_W]};
  wire [END_W-1:0] end_d = {cycle, intact, pass, flits};
  wire [31:0] signature_d;  // with this flit

  // A word is never read in the cycle in which it is written; without this attribute, synthesis adds logic for that
  // case.
  if (SIGNATURE_W != 0) begin : g_signature
    logic [SIGNATURE_W-1:0] before_q;
    wire [SIGNATURE_W-1:0] after;
    wire [SIGNATURE_W-1:0] now = body_q ? after : '1;
    signature #(.FLIT_W(FLIT_W), .SIGNATURE_W(SIGNATURE_W)) u_signature (
        .state(before_q),
        .flit,
        .next (after)
    );
    always_ff @(posedge clk) if (valid) before_q <= now;
    assign signature_d = 32'(now);
  end else begin : g_none
    assign signature_d = '0;
  end

  if (ONE != 0) begin : g_one
    (* no_rw_check *)
    logic [TAIL_W+BEGIN_W-1:0] log_mem[LOG_DEPTH];
    logic [TAIL_W-1:0] tail_q;
    wire [TAIL_W-1:0] tail_d = TAIL_W'({signature_d, end_d});
    always_ff @(posedge clk) begin
      if (log_begin) log_mem[log_at][0+:BEGIN_W] <= begin_d;
      if (log_end) log_mem[log_at][BEGIN_W+:TAIL_W] <= tail_d;
    end
    always_ff @(posedge clk) if (bus_read) {tail_q, first_cycle_q, header_q} <= log_mem[bus_index];
    assign {last_cycle_q, logged_intact_q, pass_q, length_q} = tail_q[END_W-1:0];
    assign signature_q = 32'({32'd0, tail_q} >> END_W);
  end else begin : g_each
    (* no_rw_check *)
    logic [BEGIN_W-1:0] begin_mem[LOG_DEPTH];
    (* no_rw_check *)
    logic [END_W-1:0] end_mem[LOG_DEPTH];
    always_ff @(posedge clk) begin
      if (log_begin) begin_mem[log_at] <= begin_d;
      if (log_end) end_mem[log_at] <= end_d;
    end
    always_ff @(posedge clk) begin
      if (bus_read) begin
        {first_cycle_q, header_q} <= begin_mem[bus_index];
        {last_cycle_q, logged_intact_q, pass_q, length_q} <= end_mem[bus_index];
      end
    end
    if (SIGNATURE_W != 0) begin : g_kept
      (* no_rw_check *)
      logic [SIGNATURE_W-1:0] signature_mem[LOG_DEPTH];
      logic [SIGNATURE_W-1:0] kept_q;
      always_ff @(posedge clk) if (log_end) signature_mem[log_at] <= signature_d[SIGNATURE_W-1:0];
      always_ff @(posedge clk) if (bus_read) kept_q <= signature_mem[bus_index];
      assign signature_q = 32'(kept_q);
    end else begin : g_none
      assign signature_q = '0;
    end
  end

  if (STREAM != 0) begin : g_handed
    logic [BEGIN_W-1:0] begin_q;
    always_ff @(posedge clk) begin : hand_out
      logic [BEGIN_W-1:0] begun;
      if (valid && !body_q) begin_q <= begin_d;
      out_logged <= 1'b0;
      if (handed && valid && last) begin
        out_logged <= !rst;
        begun = body_q ? begin_q : begin_d;
        out_log <= {
          signature_d,
          32'(cycle),
          32'(begun[HEADER_W+:CYCLE_W]),
          32'(flits) << regmap::LOG1_FLITS | 32'(pass) << regmap::LOG1_PASS |
              32'(begun[0+:LABEL_W] == here) << regmap::LOG1_HERE | 32'(intact) << regmap::LOG1_INTACT,
          32'(begun[0+:HEADER_W])
        };
      end
    end
  end else begin : g_kept_here
    assign out_logged = 1'b0;
    assign out_log = '0;
  end
  wire given = STREAM != 0 && handed;  // a log without room does not matter

  always_ff @(posedge clk) begin
    if (bus_read || SMALL != 0) begin
      bus_word_q <= bus_word;
      bus_signature_q <= bus_signature;
    end
  end

  always_comb begin
    case ({bus_signature_q, bus_word_q})
      3'd0: bus_rdata = 32'(header_q) << regmap::LOG0_HEADER;
      3'd1:
      bus_rdata = 32'(length_q) << regmap::LOG1_FLITS | 32'(pass_q) << regmap::LOG1_PASS |
          32'(header_q[0+:LABEL_W] == here) << regmap::LOG1_HERE | 32'(logged_intact_q) << regmap::LOG1_INTACT;
      3'd2: bus_rdata = 32'(first_cycle_q) << regmap::LOG2_FIRST;
      3'd3: bus_rdata = 32'(last_cycle_q) << regmap::LOG3_LAST;
      default: bus_rdata = signature_q;
    endcase
  end

  always_ff @(posedge clk) begin
    if (valid) begin
      body_q <= !last;
      flits_q <= flits;
      intact_q <= intact;
      state_q <= body_q ? next : start;
      slot_q <= store_slot;
      if (corrupt && !(&corrupt_count)) corrupt_count <= corrupt_count + 1'b1;
      if (last) begin
        if (!(&log_count)) log_count <= log_count + 1'b1;
        if (log_full && !given) log_overflow <= 1'b1;
      end
    end
    if (rst) begin
      body_q <= 1'b0;
      log_count <= '0;
      log_overflow <= 1'b0;
      corrupt_count <= '0;
    end
  end

`ifdef FORMAL
  // One arbitrary entry of the log, as it must be by the flits of the channel.
  localparam integer F_SIGNED_W = SIGNATURE_W == 0 ? 1 : SIGNATURE_W;
  localparam logic [31:0] F_TERMS = SIGNATURE_W == 12 ? 32'hca0 : SIGNATURE_W == 16 ? 32'hd008 : 32'hedb88320;
  (* anyconst *) logic [INDEX_W-1:0] f_at;
  logic [31:0] f_count, f_corrupt;  // messages whose tail has come, flits that were wrong
  logic f_body, f_intact, f_has;
  logic [FLIT_W-1:0] f_header, f_header_d;
  logic [LENGTH_W-1:0] f_flits, f_flits_d;
  logic [31:0] f_state, f_first_cycle, f_signature, f_signature_d;
  (* anyseq *) logic [CYCLE_W-1:0] f_cycle;  // of the pass
  logic [159:0] f_entry;
  logic f_read;  // the last word read was of the entry
  logic f_ended;  // a tail came in the cycle before
  logic [31:0] f_lost;  // messages that found no room and were not handed out
  logic [159:0] f_last, f_ending;  // the message that ended last
  logic [31:0] f_word;

  function [31:0] f_step(input [31:0] x);
    if (STATE_W == 32) begin
      f_step = x ^ (x << 13);
      f_step = f_step ^ (f_step >> 17);
      f_step = f_step ^ (f_step << 5);
    end else begin
      f_step = {16'd0, x[14:0], 1'b0} ^ (x[15] ? 32'h2d : 32'd0);
    end
  endfunction

  // A state as a flit.
  function [FLIT_W-1:0] f_shown(input [31:0] x);
    for (int b = 0; b < FLIT_W; b++) f_shown[b] = x[(b + STATE_W - (2 * FLIT_W > 3 * STATE_W ? b / STATE_W : 0)) % STATE_W];
  endfunction

  function [31:0] f_sign(input [31:0] x, input [FLIT_W-1:0] word);
    begin
      f_sign = '0;
      for (int b = 0; b < F_SIGNED_W; b++) f_sign[b] = (b + 1 < F_SIGNED_W && x[(b+1)%F_SIGNED_W]) ^ (x[0] && F_TERMS[b]);
      for (int b = 0; b < FLIT_W; b++) f_sign[b%F_SIGNED_W] = f_sign[b%F_SIGNED_W] ^ word[b];
    end
  endfunction

  wire f_right = in_flit == f_shown(f_state);
  wire f_good = !f_body || (f_intact && f_right);
  wire [STATE_W-2:0] f_name = (STATE_W - 1)'({in_flit[2*LABEL_W+RULE_W+2+:ID_W], in_flit[LABEL_W+:LABEL_W]});
  wire [STATE_W-1:0] f_first = {1'b1, seed[STATE_W-2:0] ^ f_name};
  localparam logic [31:0] F_MOST = 32'({32{1'b1}} >> (32 - COUNT_W));

  always_comb begin
    f_header_d = f_body ? f_header : in_flit;
    f_flits_d  = !f_body ? LENGTH_W'(1) : &f_flits ? f_flits : f_flits + 1'b1;
    f_signature_d = SIGNATURE_W == 0 ? '0 : f_body ? f_sign(f_signature, in_flit) : 32'hffffffff >> (32 - SIGNATURE_W);
    f_ending = {f_signature_d, 32'(f_cycle), f_body ? f_first_cycle : 32'(f_cycle), f_good,
        f_header_d[0+:LABEL_W] == here, 14'(pass), 16'(f_flits_d), 32'(f_header_d[0+:HEADER_W])};
  end

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) assume ($stable(here) && f_cycle == $past(f_cycle) + 1'b1 && cycle == $past(f_cycle));
    if (!$initstate && (busy || in_valid)) assume ($stable(seed) && $stable(pass));
    if (!$initstate && SMALL != 0 && !bus_read) assume ($stable(bus_word) && $stable(bus_signature));

    f_ended <= in_valid && in_last && !rst;
    if (in_valid && in_last) f_last <= f_ending;
    if (f_ended && f_count > LOG_DEPTH && !(STREAM != 0 && handed)) f_lost <= f_lost + 32'd1;
    if (in_valid) begin
      f_body   <= !in_last;
      f_intact <= f_good;
      f_flits  <= f_flits_d;
      f_header <= f_header_d;
      f_signature <= f_signature_d;
      if (!f_body) f_first_cycle <= 32'(f_cycle);
      f_state <= f_step(f_body ? f_state : 32'(f_first));
      if (f_body && !f_right) f_corrupt <= f_corrupt + 32'd1;
      if (in_last) begin
        f_count <= f_count + 32'd1;
        if (f_count == 32'(f_at)) begin
          f_has <= 1'b1;
          f_entry <= f_ending;
        end
      end
    end
    if (bus_read) begin
      f_read <= bus_index == f_at && f_has && 32'(log_count) > 32'(f_at);
      f_word <= bus_signature ? f_entry[159:128] : f_entry[{bus_word, 5'd0}+:32];
    end
    if (rst) begin
      f_body  <= 1'b0;
      f_has   <= 1'b0;
      f_read <= 1'b0;
      f_count <= '0;
      f_lost <= '0;
      f_ended <= 1'b0;
      f_corrupt <= '0;
    end

    if (!$initstate) begin
      assert (in_ready);
      if ($past(rst)) assert (log_count == '0 && corrupt_count == '0 && !log_overflow && !busy && !store_write && in_empty);
      else begin
        assert (32'(log_count) == ($past(f_count) > F_MOST ? F_MOST : $past(f_count)));
        assert (32'(corrupt_count) == ($past(f_corrupt) > F_MOST ? F_MOST : $past(f_corrupt)));
        assert (log_overflow == (f_lost != '0));
        assert (out_logged == (STREAM != 0 && $past(f_ended && handed)));
        if (out_logged) assert (out_log == $past(f_last));
        assert (arrived == (TIMED != 0 && $past(in_valid && in_last)));
        if (arrived) assert (arrived_from == $past(f_header_d[LABEL_W+:LABEL_W]));
        assert (in_empty == !$past(in_valid));
        assert (store_write == $past(in_valid) && busy == ($past(in_valid) || $past(f_body)));
        if (store_write) assert (store_flit == $past(in_flit) && store_header == !$past(f_body));
        if (store_write) assert (store_slot == $past(f_header_d[2*LABEL_W+RULE_W+:2]));
        if (f_read) assert (bus_rdata == f_word);
      end

      cover (log_overflow && f_has);
      cover (STREAM == 0 || out_logged && f_count > LOG_DEPTH && !log_overflow);
      cover (f_has && f_entry[63] && f_entry[35:32] == 4'd3);
      cover (f_has && !f_entry[63] && !f_entry[62]);
      cover (f_read && $past(f_read && !bus_read) && f_entry[35:32] == 4'd2);
    end
  end
`endif
endmodule

`default_nettype wire
