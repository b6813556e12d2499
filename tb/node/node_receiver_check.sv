// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Tests one configuration of node_receiver with random messages, good and damaged ones, and compares it in every cycle
// with a model that sees only the channel. Some messages are longer than the length field can count, some come when the
// log is full, some are cut off by a reset; the log is read while it is written.
`default_nettype none

module node_receiver_check #(
    parameter integer LABEL_W = 8,  // as in node_receiver, all of them
    parameter integer FLIT_W = 32,
    parameter integer LENGTH_W = 16,
    parameter integer LOG_DEPTH = 64,
    parameter integer PASS_W = 14,
    parameter integer CYCLE_W = 32,
    parameter integer COUNT_W = 32,
    parameter integer STATE_W = 32,
    parameter integer SIGNATURE_W = 32,
    parameter integer SMALL = 0,
    parameter integer ONE = 0,  // 1: the log must be one memory
    parameter integer MESSAGES = 80,  // messages of a round
    parameter integer ROUNDS = 6
) (
    input  wire    clk,
    input  wire    rst,
    input  wire    [31:0] seed,
    output integer flits,  // taken so far
    output logic   done
);
  localparam integer INDEX_W = $clog2(LOG_DEPTH), ID_LOW = 2 * LABEL_W + 3;
  localparam logic [63:0] MOST = (64'd1 << COUNT_W) - 64'd1;  // the value at which a counter stops
  localparam integer LONGEST = (1 << LENGTH_W) - 1;

  `include "chance.svh"
  logic clean;
  wire reset = rst || clean;
  logic [LABEL_W-1:0] here;
  logic [31:0] salt, now, late;
  logic [13:0] pass;
  logic [FLIT_W-1:0] in_flit;
  logic in_last, in_valid, bus_read, bus_signature;
  logic [INDEX_W-1:0] bus_index;
  logic [1:0] bus_word;
  wire in_ready, in_empty, store_write, store_header, log_overflow, busy;
  wire [1:0] store_slot;
  wire [FLIT_W-1:0] store_flit;
  wire [31:0] bus_rdata;
  wire [COUNT_W-1:0] log_count, corrupt_count;

  localparam [node_config::BITS-1:0] NODE =
      node_config::field(node_config::RULE_W, 1) | node_config::field(node_config::FLIT_W, FLIT_W) |
      node_config::field(node_config::LENGTH_W, LENGTH_W) | node_config::field(node_config::LOG_DEPTH, LOG_DEPTH) |
      node_config::field(node_config::PASS_W, PASS_W) | node_config::field(node_config::CYCLE_W, CYCLE_W) |
      node_config::field(node_config::TALLY_W, COUNT_W) | node_config::field(node_config::STATE_W, STATE_W) |
      node_config::field(node_config::SIGNATURE_W, SIGNATURE_W) | node_config::field(node_config::SMALL, SMALL);
  node_receiver #(.LABEL_W(LABEL_W), .NODE(NODE)) u_dut (
      .clk,
      .rst(reset),
      .here,
      .seed(salt),
      .pass(pass[PASS_W-1:0]),
      .cycle(late[CYCLE_W-1:0]),
      .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .store_write, .store_header, .store_slot, .store_flit,
      .bus_read, .bus_index, .bus_word, .bus_signature, .bus_rdata, .log_count, .log_overflow, .corrupt_count, .busy
  );

  payload_truth #(.FLIT_W(FLIT_W), .STATE_W(STATE_W), .SIGNATURE_W(SIGNATURE_W)) u_truth ();

  function [31:0] first(input [FLIT_W-1:0] header);
    first = u_truth.first(salt, 32'({header[FLIT_W-1:ID_LOW], header[LABEL_W+:LABEL_W]}));
  endfunction

  // --- Model: it notes a flit at an edge and counts it at the next one ---

  logic [159:0] entries[LOG_DEPTH];  // words 0 to 3 and the signature
  logic p_valid, p_last, m_body, m_good, m_overflow, held;
  logic [FLIT_W-1:0] p_flit, m_header;
  logic [31:0] p_cycle, m_first_cycle, m_state, m_signature, held_word;
  logic [63:0] m_count, m_corrupt;
  integer m_flits;

  task model_flit;
    logic right;
    right = 1'b1;
    if (!m_body) begin
      m_header = p_flit;
      m_first_cycle = p_cycle;
      m_flits = 0;
      m_good = 1'b1;
      m_state = first(p_flit);
      m_signature = u_truth.unsigned_yet(0);
    end else begin
      m_state = u_truth.after(m_state);
      right = p_flit === u_truth.shown(m_state);
      m_signature = u_truth.signed_with(m_signature, p_flit);
    end
    if (m_flits < LONGEST) m_flits = m_flits + 1;
    if (!right) m_good = 1'b0;
    if (!right && m_corrupt < MOST) m_corrupt = m_corrupt + 1;
    if (p_last) begin
      if (m_count < LOG_DEPTH)
        entries[m_count[INDEX_W-1:0]] = {m_signature, p_cycle & (32'hffffffff >> (32 - CYCLE_W)),
            m_first_cycle & (32'hffffffff >> (32 - CYCLE_W)), m_good, m_header[LABEL_W-1:0] == here,
            14'(pass[PASS_W-1:0]), 16'(m_flits), 32'(m_header)};
      else m_overflow = 1'b1;
      if (m_count < MOST) m_count = m_count + 1;
    end
    m_body = !p_last;
  endtask

  always @(posedge clk) begin
    now  <= now + 32'd1;
    late <= now;
    if (!reset) begin
      if (in_ready !== 1'b1) $fatal(1, "the channel has to wait");
      if (in_empty !== !p_valid) $fatal(1, "in_empty is %b", in_empty);
      if (store_write !== p_valid || (p_valid && store_flit !== p_flit)) $fatal(1, "to the store: %b %h", store_write, store_flit);
      if (p_valid && store_header !== !m_body) $fatal(1, "store_header is %b", store_header);
      if (p_valid && store_slot !== (m_body ? m_header[2*LABEL_W+1+:2] : p_flit[2*LABEL_W+1+:2]))
        $fatal(1, "kept in slot %0d", store_slot);
      if (busy !== (p_valid || m_body)) $fatal(1, "busy is %b", busy);
      if (64'(log_count) !== m_count || log_overflow !== m_overflow)
        $fatal(1, "%0d messages, overflow %b; %0d, %b came", log_count, log_overflow, m_count, m_overflow);
      if (64'(corrupt_count) !== m_corrupt) $fatal(1, "%0d corrupt flits, not %0d", corrupt_count, m_corrupt);
      if (held && bus_rdata !== held_word) $fatal(1, "read %h, expected %h", bus_rdata, held_word);
    end
    if (bus_read) begin
      held = 64'(bus_index) < m_count;
      held_word = bus_signature ? entries[bus_index][159:128] : entries[bus_index][32*bus_word+:32];
    end
    if (p_valid) model_flit;
    p_valid = in_valid && !reset;
    if (in_valid) begin
      p_flit  = in_flit;
      p_last  = in_last;
      p_cycle = now;
      flits   = flits + 1;
    end
    if (reset) begin
      {m_body, m_overflow} = '0;
      m_count = '0;
      m_corrupt = '0;
      held = 1'b0;
    end
  end

  // --- Messages and reads ---

  // Reads an entry below the count, or now and then nothing. The data stays whatever the address does; but with SMALL
  // `word` must also stay.
  task ask(input integer at, input integer word);
    bus_read = 1'b1;
    bus_index = INDEX_W'(at);
    bus_word = 2'(word);
    bus_signature = word == 4;
  endtask

  task tick;
    if (m_count != '0 && random(3) != 0) ask(random(m_count < LOG_DEPTH ? 32'(m_count) : LOG_DEPTH), random(5));
    @(negedge clk);
    release_bus;
  endtask

  task release_bus;
    bus_read  = 1'b0;
    bus_index = INDEX_W'($random(state));
    if (SMALL == 0) {bus_word, bus_signature} = 3'($random(state));
  endtask

  task message(input integer length, input integer fault);
    logic [31:0] x;
    logic [FLIT_W-1:0] header;
    integer at;
    header = FLIT_W'({$random(state), $random(state)});
    if (random(4) != 0) header[LABEL_W-1:0] = here;
    at = 1 + random(length);
    for (int k = 0; k < length; k++) begin
      while (random(5) == 0) tick;
      if (k == 0) x = first(header);
      else x = u_truth.after(x);
      if (fault == 2 && k == at) x = u_truth.after(x);  // a flit is lost
      in_flit = k == 0 ? header : u_truth.shown(x);
      if ((fault == 1 && k == at) || (fault == 3 && k >= at)) in_flit[random(FLIT_W)] = !in_flit[random(FLIT_W)];
      if (fault == 1 && k == at) in_flit = u_truth.shown(x) ^ FLIT_W'(1) << random(FLIT_W);
      in_valid = 1'b1;
      in_last = k == length - 1;
      tick;
      in_valid = 1'b0;
      in_last = 1'(random(2));
      in_flit = FLIT_W'($random(state));
    end
  endtask

  initial begin
    {in_valid, in_last, bus_read, bus_signature, clean, done, held, p_valid, m_body} = '0;
    {in_flit, bus_index, bus_word, flits, now, late, here, salt, pass} = '0;
    @(negedge clk);
    state = seed;
    if (u_dut.ONE != ONE) $fatal(1, "the log is %0d memory", u_dut.ONE);
    wait (!rst);
    @(negedge clk);
    for (int round = 0; round < ROUNDS; round++) begin
      clean = 1'b1;
      here = LABEL_W'($random(state));
      in_valid = 1'(round);  // flits during a reset do not count
      tick;
      clean = 1'b0;
      in_valid = 1'b0;
      now = $random(state);
      tick;
      if (round % 3 == 1 && LENGTH_W <= 12) message(LONGEST + random(3), random(4));
      for (int m = 0; m < MESSAGES; m++) begin
        // Settings may change between messages only.
        if (random(3) == 0) begin
          repeat (2) tick;
          salt = $random(state);
          pass = 14'($random(state));
          tick;
        end
        message(1 + (random(4) == 0 ? 0 : random(9)), random(2) * random(4));
      end
      repeat (3) tick;
      for (int m = 0; m < LOG_DEPTH && m < m_count; m++)
        for (int i = 0; i < 5; i++) begin
          ask(m, i);
          @(negedge clk);
          release_bus;
          if (random(4) == 0) @(negedge clk);
        end
      // A reset in the middle of a message: the next flit is a header.
      in_flit = FLIT_W'($random(state));
      {in_valid, in_last} = 2'b10;
      tick;
      in_valid = 1'b0;
      repeat (random(3)) tick;
    end
    done = 1'b1;
  end
endmodule

`default_nettype wire
