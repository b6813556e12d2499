// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Takes every flit at once, checks it against what (seed, source, message, flit) asks for, and logs every message.
// Never makes the ejection channel wait; a log that is full counts on and says so.
`default_nettype none

module node_receiver #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter integer FLIT_W = 32,  // bits of a flit, 8..LABEL_W+STATE_W+2
    parameter integer LENGTH_W = 16,  // bits of a message's length, 1..16
    parameter integer LOG_DEPTH = 64,  // messages, a power of two, 2..8192
    parameter integer PASS_W = 14,  // bits of a pass in the log, 1..14
    parameter integer CYCLE_W = 32,  // bits of a cycle in the log, 1..32
    parameter integer COUNT_W = 32,  // bits of a counter, $clog2(LOG_DEPTH)+1..32
    parameter integer STATE_W = 32,  // of the payload, see there: 16, 32
    parameter integer SMALL = 0,  // see node_program
    localparam integer INDEX_W = $clog2(LOG_DEPTH),
    localparam integer ID_W = FLIT_W - 2 * LABEL_W - 3
) (
    input  wire                clk,
    input  wire                rst,
    input  wire  [LABEL_W-1:0] here,
    input  wire  [       31:0] seed,
    input  wire  [ PASS_W-1:0] pass,           // low bits
    input  wire  [CYCLE_W-1:0] cycle,          // low bits; one cycle late, as what the buffer shows is
    // ejection channel
    input  wire  [ FLIT_W-1:0] in_flit,
    input  wire                in_last,
    input  wire                in_valid,
    output logic               in_ready,
    output logic               in_empty,
    // store
    output logic               store_write,
    output logic               store_header,
    output logic [        1:0] store_slot,
    output logic [ FLIT_W-1:0] store_flit,
    // log: message bus_index's word bus_word is in bus_rdata in the cycle after bus_read
    input  wire                bus_read,
    input  wire  [INDEX_W-1:0] bus_index,
    input  wire  [        1:0] bus_word,
    output logic [       31:0] bus_rdata,
    output logic [COUNT_W-1:0] log_count,      // messages received; stops at its largest value, as the next one
    output logic               log_overflow,   // sticky
    output logic [COUNT_W-1:0] corrupt_count,  // flits that were not what they should be
    output logic               busy            // in the middle of a message
);
  generate
    if (LOG_DEPTH < 2 || LOG_DEPTH > 8192 || (1 << INDEX_W) != LOG_DEPTH) illegal_LOG_DEPTH u_illegal ();
    if (FLIT_W < 2 * LABEL_W + 4) illegal_FLIT_W u_illegal ();
    if (PASS_W < 1 || PASS_W > 14) illegal_PASS_W u_illegal ();
    if (CYCLE_W < 1 || CYCLE_W > 32) illegal_CYCLE_W u_illegal ();
    if (COUNT_W <= INDEX_W || COUNT_W > 32) illegal_COUNT_W u_illegal ();
  endgenerate

  localparam integer HEADER_W = FLIT_W < 32 ? FLIT_W : 32;

  logic [FLIT_W-1:0] flit;
  logic last, valid;

  // It never waits, so one register is buffer enough.
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

  logic body_q;
  logic [1:0] slot_q;
  logic [STATE_W-1:0] state_q, start, next;
  logic [LENGTH_W-1:0] flits_q;  // received so far; stays at its largest value
  logic intact_q;

  payload #(
      .NAME_W (ID_W + LABEL_W),
      .STATE_W(STATE_W)
  ) u_payload (
      .seed (seed),
      .name (flit_name),
      .start(start),
      .state(state_q),
      .next (next)
  );

  wire [ID_W+LABEL_W-1:0] flit_name = {flit[2*LABEL_W+3+:ID_W], flit[LABEL_W+:LABEL_W]};
  wire corrupt = body_q && flit != FLIT_W'({64 / STATE_W{next}});
  wire intact = !body_q || (intact_q && !corrupt);
  wire [LENGTH_W-1:0] flits = body_q ? (&flits_q ? flits_q : flits_q + 1'b1) : LENGTH_W'(1);

  assign store_write = valid;
  assign store_header = !body_q;
  assign store_slot = body_q ? slot_q : flit[2*LABEL_W+1+:2];
  assign store_flit = flit;
  assign busy = valid || body_q;

  // The log has two parts: what is known when the header comes, and when the tail does. Two memories, or one if that
  // takes fewer block RAMs of 16 bits.
  localparam integer BEGIN_W = CYCLE_W + HEADER_W, END_W = CYCLE_W + 1 + PASS_W + LENGTH_W;
  localparam integer ONE = (BEGIN_W + END_W + 15) / 16 < (BEGIN_W + 15) / 16 + (END_W + 15) / 16 ? 1 : 0;
  logic [CYCLE_W-1:0] first_cycle_q, last_cycle_q;
  logic [HEADER_W-1:0] header_q;
  logic logged_intact_q;
  logic [PASS_W-1:0] pass_q;
  logic [LENGTH_W-1:0] length_q;
  logic [1:0] bus_word_q;

  wire log_full = |log_count[COUNT_W-1:INDEX_W];
  wire [INDEX_W-1:0] log_at = log_count[INDEX_W-1:0];

  // Nobody reads what is written in the same cycle: without the attribute, logic is spent on it.
  generate
    if (ONE != 0) begin : g_one
      (* no_rw_check *)
      logic [END_W+BEGIN_W-1:0] log_mem[LOG_DEPTH];
      always_ff @(posedge clk) begin
        if (valid && !body_q && !log_full) log_mem[log_at][0+:BEGIN_W] <= {cycle, flit[0+:HEADER_W]};
        if (valid && last && !log_full) log_mem[log_at][BEGIN_W+:END_W] <= {cycle, intact, pass, flits};
      end
      always_ff @(posedge clk) begin
        if (bus_read)
          {last_cycle_q, logged_intact_q, pass_q, length_q, first_cycle_q, header_q} <= log_mem[bus_index];
      end
    end else begin : g_two
      (* no_rw_check *)
      logic [BEGIN_W-1:0] begin_mem[LOG_DEPTH];
      (* no_rw_check *)
      logic [END_W-1:0] end_mem[LOG_DEPTH];
      always_ff @(posedge clk) begin
        if (valid && !body_q && !log_full) begin_mem[log_at] <= {cycle, flit[0+:HEADER_W]};
        if (valid && last && !log_full) end_mem[log_at] <= {cycle, intact, pass, flits};
      end
      always_ff @(posedge clk) begin
        if (bus_read) begin
          {first_cycle_q, header_q} <= begin_mem[bus_index];
          {last_cycle_q, logged_intact_q, pass_q, length_q} <= end_mem[bus_index];
        end
      end
    end
  endgenerate

  always_ff @(posedge clk) if (bus_read || SMALL != 0) bus_word_q <= bus_word;

  always_comb begin
    case (bus_word_q)
      2'd0: bus_rdata = 32'(header_q) << regmap::LOG0_HEADER;
      2'd1:
      bus_rdata = 32'(length_q) << regmap::LOG1_FLITS | 32'(pass_q) << regmap::LOG1_PASS |
          32'(header_q[0+:LABEL_W] == here) << regmap::LOG1_HERE | 32'(logged_intact_q) << regmap::LOG1_INTACT;
      2'd2: bus_rdata = 32'(first_cycle_q) << regmap::LOG2_FIRST;
      default: bus_rdata = 32'(last_cycle_q) << regmap::LOG3_LAST;
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
        if (log_full) log_overflow <= 1'b1;
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
  // One entry (any) of the log as it must be, from what comes over the channel.
  logic f_started = 1'b0;
  (* anyconst *) logic [INDEX_W-1:0] f_at;
  logic [31:0] f_count;  // messages whose tail has come
  logic f_body, f_intact, f_has;
  logic [FLIT_W-1:0] f_header, f_header_d;
  logic [LENGTH_W-1:0] f_flits, f_flits_d;
  logic [31:0] f_state, f_first_cycle;
  (* anyseq *) logic [CYCLE_W-1:0] f_cycle;  // of the pass
  logic [127:0] f_entry;

  function [31:0] f_step(input [31:0] x);
    f_step = x ^ (x << 13);
    f_step = f_step ^ (f_step >> 17);
    f_step = f_step ^ (f_step << 5);
  endfunction

  wire f_good = !f_body || (f_intact && in_flit == FLIT_W'({f_state, f_state}));

  always_comb begin
    f_header_d = f_body ? f_header : in_flit;
    f_flits_d  = !f_body ? LENGTH_W'(1) : &f_flits ? f_flits : f_flits + 1'b1;
  end

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) assume ($stable(here) && $stable(seed) && $stable(pass) && f_cycle == $past(f_cycle) + 1'b1 && cycle == $past(f_cycle));

    if (in_valid) begin
      f_body   <= !in_last;
      f_intact <= f_good;
      f_flits  <= f_flits_d;
      f_header <= f_header_d;
      if (!f_body) f_first_cycle <= f_cycle;
      f_state <= f_step(f_body ? f_state : {1'b1, seed[30:0] ^ 31'({in_flit[2*LABEL_W+3+:ID_W], in_flit[LABEL_W+:LABEL_W]})});
      if (in_last) begin
        f_count <= f_count + 32'd1;
        if (f_count == 32'(f_at)) begin
          f_has <= 1'b1;
          f_entry <= {32'(f_cycle), f_body ? f_first_cycle : 32'(f_cycle), f_good, f_header_d[0+:LABEL_W] == here, 14'(pass),
              16'(f_flits_d), 32'(f_header_d[0+:HEADER_W])};
        end
      end
    end
    if (rst) begin
      f_body  <= 1'b0;
      f_has   <= 1'b0;
      f_count <= '0;
    end

    if (f_started) begin
      assert (in_ready);
      assert (log_overflow == (log_count > LOG_DEPTH));
      if ($past(rst)) assert (log_count == '0 && !busy && !store_write);
      else begin
        assert (32'(log_count) == $past(f_count));
        assert (store_write == $past(in_valid) && busy == ($past(in_valid) || $past(f_body)));
        if (store_write) assert (store_flit == $past(in_flit) && store_header == !$past(f_body));
        if (store_write) assert (store_slot == $past(f_header_d[2*LABEL_W+1+:2]));
        if ($past(f_started && bus_read && bus_index == f_at && f_has && log_count > 32'(f_at)))
          assert (bus_rdata == $past(f_entry[{bus_word, 5'd0}+:32]));
      end

      cover (log_overflow && f_has);
      cover (f_has && f_entry[63] && f_entry[35:32] == 4'd3);
      cover (f_has && !f_entry[63] && !f_entry[62]);
    end
  end
`endif
endmodule

`default_nettype wire
