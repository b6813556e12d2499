// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends the messages of a node's program when their pass has come: a header, then generated payload or the flits in a
// slot of the store. It is between node_program (in_*), node_store and the injection channel (out_*).
//
// Latency: the header is offered in the first cycle in which run is 1 and the message's pass is not later than `pass`.
// Throughput: one flit per cycle, no gap between messages. A silent message (in_silent) takes as many cycles as it has
// flits, and nothing is sent; in_open may delay a message.
//
// header_fields defines the header. A relayed message (in_from not 0) keeps the source and the number of its stored
// header, so that its receiver can determine the payload. A message of 0 flits is sent as one of 1 flit.
//
// Ports:
// - paper, out_empty: as in wh_output: with paper = 1 a header waits until the buffer at the far end of the injection
//   channel is empty. here, seed: constant while run is 1.
// - run, pass: run stays 1 and pass does not change while busy is 1.
// - in_*: the next message; it must stay until an edge at which in_ready is 1: then its header is taken (or a silent
//   message begins). in_destination and in_silent are valid only while at_hand and in_open are 1. in_open: the
//   message may begin; once 1 it stays until then. at_hand: the message is due, and no earlier one is under way.
//   hushed: a silent message is under way.
// - store_slot, store_next, store_first, store_header, store_flit: to and from node_store, see there; tie store_header
//   and store_flit to 0 if no message is relayed.
// - out_*: the stream; once out_valid is 1 it stays, with flit and last, until it is taken. If out_empty is 1,
//   out_ready must be 1.
// - obs_worm, obs_flit, obs_blocked: a header crosses; any flit crosses; a header waits and does not cross. sent: a
//   tail crosses. busy: messages of this pass are still to be sent.
//
// Reset: synchronous, one cycle; a message under way is cut. Legal parameters: as node_config says of NODE.
`default_nettype none

module node_sender #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer RULE_W = NODE[node_config::RULE_W+:32],
    localparam integer LENGTH_W = NODE[node_config::LENGTH_W+:32],
    localparam integer PASS_W = NODE[node_config::PASS_W+:32],
    localparam integer STATE_W = NODE[node_config::STATE_W+:32],
    localparam integer INDEX_W = $clog2(NODE[node_config::PROGRAM_DEPTH+:32]),
    localparam integer SOURCE_LOW = header_fields::source_low(LABEL_W),
    localparam integer RULE_LOW = header_fields::rule_low(LABEL_W),
    localparam integer SLOT_W = header_fields::slot_w(NODE[node_config::SLOTS+:32]),
    localparam integer SLOT_LOW = header_fields::slot_low(LABEL_W, RULE_W),
    localparam integer ID_LOW = header_fields::number_low(LABEL_W, RULE_W, NODE[node_config::SLOTS+:32]),
    localparam integer ID_W = header_fields::number_w(FLIT_W, ID_LOW, LABEL_W, STATE_W)
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 paper,         // as in wh_output, for the injection channel
    input  wire  [ LABEL_W-1:0] here,
    input  wire  [        31:0] seed,
    input  wire                 run,           // a pass is under way
    input  wire  [  PASS_W-1:0] pass,
    // next message
    input  wire                 in_valid,
    input  wire  [ INDEX_W-1:0] in_index,
    input  wire  [  PASS_W-1:0] in_pass,
    input  wire  [LENGTH_W-1:0] in_flits,
    input  wire  [ LABEL_W-1:0] in_destination,
    input  wire  [  RULE_W-1:0] in_rule,
    input  wire                 in_silent,
    input  wire                 in_open,       // it may begin
    input  wire  [  SLOT_W-1:0] in_from,
    input  wire  [  SLOT_W-1:0] in_keep,
    output logic                in_ready,
    output logic                at_hand,       // the message is next, and its pass has come
    output logic                hushed,        // a silent message takes its time
    // store
    output logic [  SLOT_W-1:0] store_slot,
    // a flit crosses now; in the next cycle store_flit must be the one after it
    output logic                store_next,
    // with store_next: the header crosses, so the first flit behind it is next
    output logic                store_first,
    input  wire  [  FLIT_W-1:0] store_header,  // the header kept in store_slot
    input  wire  [  FLIT_W-1:0] store_flit,
    // injection channel
    output logic [  FLIT_W-1:0] out_flit,
    output logic                out_last,
    output logic                out_valid,
    input  wire                 out_ready,
    input  wire                 out_empty,
    // observation
    output logic                obs_worm,
    output logic                obs_flit,
    output logic                obs_blocked,
    output logic                sent,          // a tail leaves
    output logic                busy           // messages of this pass are still to be sent
);
  if (FLIT_W < 8 || FLIT_W > 512) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (RULE_W < 1 || RULE_W > 16) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (INDEX_W < 1 || INDEX_W > ID_W) begin : g_PROGRAM_DEPTH illegal_PROGRAM_DEPTH u_illegal (); end

  logic body_q;  // the header has gone
  logic silent_q;  // a silent message is under way
  logic [LENGTH_W-1:0] left_q;  // flits still to go
  logic [SLOT_W-1:0] from_q;
  logic [STATE_W-1:0] state_q, start, next;
  logic [FLIT_W-1:0] made;

  payload #(
      .NAME_W (ID_W + LABEL_W),
      .STATE_W(STATE_W), .FLIT_W(FLIT_W)
  ) u_payload (
      .seed,
      .name ({ID_W'(in_index), here}),
      .start,
      .state(state_q),
      .next,
      .flit(made)
  );

  wire due = run && in_valid && in_pass <= pass;
  assign at_hand = due && !body_q && !silent_q;
  wire begins = at_hand && in_open;
  wire hush = begins && in_silent;
  wire offer = begins && !in_silent && (!paper || out_empty);

  always_comb begin
    out_valid = body_q || offer;
    out_flit  = '0;
    out_last  = 1'b0;
    if (body_q) begin
      out_flit = from_q != '0 ? store_flit : made;
      out_last = left_q == LENGTH_W'(1);
    end else if (begins) begin
      if (in_from != '0) out_flit = store_header;
      else begin
        out_flit[SOURCE_LOW+:LABEL_W] = here;
        out_flit[ID_LOW+:ID_W] = ID_W'(in_index);
      end
      out_flit[0+:LABEL_W] = in_destination;
      out_flit[RULE_LOW+:RULE_W] = in_rule;
      out_flit[SLOT_LOW+:SLOT_W] = in_keep;
      out_last = in_flits <= LENGTH_W'(1);
    end
  end

  assign obs_flit = out_valid && out_ready;
  assign obs_worm = obs_flit && !body_q;
  assign obs_blocked = begins && !in_silent && !obs_worm;
  assign in_ready = obs_worm || hush;
  assign sent = obs_flit && out_last;
  assign hushed = silent_q || hush;
  assign busy = body_q || silent_q || due;

  assign store_slot = body_q ? from_q : in_from;
  assign store_next = obs_flit;
  assign store_first = !body_q;

  always_ff @(posedge clk) begin
    if (obs_flit) begin
      body_q <= !out_last;
      if (body_q) begin
        left_q  <= left_q - 1'b1;
        state_q <= next;
      end else begin
        left_q  <= in_flits - 1'b1;
        from_q  <= in_from;
        state_q <= start;
      end
    end
    if (hush) begin
      silent_q <= in_flits > LENGTH_W'(1);
      left_q   <= in_flits - 1'b1;
    end else if (silent_q) begin
      silent_q <= left_q != LENGTH_W'(1);
      left_q   <= left_q - 1'b1;
    end
    if (rst) begin
      body_q   <= 1'b0;
      silent_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // The worm that a message requires, counted and generated again.
  logic f_body;
  logic [LENGTH_W-1:0] f_length, f_sent;
  logic [SLOT_W-1:0] f_from;
  logic [31:0] f_state;

  function [31:0] f_step(input [31:0] x);
    f_step = x ^ (x << 13);
    f_step = f_step ^ (f_step >> 17);
    f_step = f_step ^ (f_step << 5);
  endfunction

  // A state as a flit.
  function [FLIT_W-1:0] f_shown(input [31:0] x);
    for (int b = 0; b < FLIT_W; b++) f_shown[b] = x[(b + 32 - (FLIT_W > 48 ? b / 32 : 0)) % 32];
  endfunction

  logic [LENGTH_W-1:0] f_silent;  // cycles of silence that are left
  wire f_next = run && in_valid && in_pass <= pass;
  wire f_due = f_next && in_open && f_silent == '0 && !in_silent;
  wire f_hush = f_next && in_open && f_silent == '0 && in_silent && !f_body;
  wire f_cross = out_valid && out_ready;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (!out_empty || out_ready);
    if (!$initstate) begin
      assume ($stable(paper) && $stable(here));
      if ($past(!rst && in_valid && !in_ready)) begin
        assume (in_valid && $stable(in_index) && $stable(in_pass) && $stable(in_flits));
        assume ($stable(in_rule) && $stable(in_from) && $stable(in_keep));
      end
      if ($past(!rst && at_hand && in_open && !in_ready)) assume ($stable(in_destination) && $stable(in_silent));
      if ($past(!rst && in_valid && !in_ready && in_open)) assume (in_open);
      if ($past(!rst && (f_next || f_silent != '0) && !in_ready))
        assume (run && $stable(pass) && $stable(store_header));
      if ($past(!store_next)) assume ($stable(store_flit));
    end

    if (f_cross && !f_body) begin
      f_length <= in_flits == '0 ? LENGTH_W'(1) : in_flits;
      f_sent <= LENGTH_W'(1);
      f_from <= in_from;
      f_state <= f_step({1'b1, seed[30:0] ^ 31'({in_index, here})});
    end else if (f_cross) begin
      f_sent  <= f_sent + 1'b1;
      f_state <= f_step(f_state);
    end
    if (f_cross) f_body <= !out_last;
    if (f_hush) f_silent <= in_flits == '0 ? '0 : in_flits - 1'b1;
    else if (f_silent != '0) f_silent <= f_silent - 1'b1;
    if (rst) begin
      f_body   <= 1'b0;
      f_silent <= '0;
    end

    if (!$initstate) begin
      if (f_body) begin
        assert (out_valid);
        assert (out_last == (f_sent + 1'b1 == f_length));
        assert (out_flit == (f_from != '0 ? store_flit : f_shown(f_state)));
        assert (!in_ready && store_slot == f_from);
      end else begin
        assert (out_valid == (f_due && (!paper || out_empty)));
        assert (in_ready == (f_cross || f_hush) && store_slot == in_from);
        if (out_valid) begin
          assert (out_last == (in_flits <= LENGTH_W'(1)));
          assert (out_flit[0+:LABEL_W] == in_destination && out_flit[2*LABEL_W+:RULE_W] == in_rule);
          assert (out_flit[2*LABEL_W+RULE_W+:2] == in_keep);
          if (in_from == '0)
            assert (out_flit[LABEL_W+:LABEL_W] == here && out_flit[2*LABEL_W+RULE_W+2+:ID_W] == ID_W'(in_index));
          else
            assert (out_flit[LABEL_W+:LABEL_W] == store_header[LABEL_W+:LABEL_W] &&
                out_flit[2*LABEL_W+RULE_W+2+:ID_W] == store_header[2*LABEL_W+RULE_W+2+:ID_W]);
        end
      end
      if ($past(!rst && out_valid && !out_ready)) assert (out_valid && $stable(out_flit) && $stable(out_last));
      assert (store_next == f_cross && store_first == !f_body);
      assert (sent == (f_cross && out_last));
      assert (busy == (f_body || f_silent != '0 || f_next));
      assert (at_hand == (f_next && !f_body && f_silent == '0) && hushed == (f_hush || f_silent != '0));
      assert (obs_flit == f_cross && obs_worm == (f_cross && !f_body));
      assert (obs_blocked == (f_due && !f_body && !f_cross));

      cover (sent && f_length == LENGTH_W'(4) && f_from == '0);
      cover (obs_worm && $past(sent) && in_from != '0);

      cover (sent && $past(at_hand && !in_open, 2));
      cover (obs_worm && $past(f_silent) == LENGTH_W'(1) && $past(f_silent, 2) == LENGTH_W'(2));

      // For the induction.
      assert (body_q == f_body && silent_q == (f_silent != '0));
      if (silent_q) assert (left_q == f_silent && !f_body);
      if (f_body) begin
        assert (from_q == f_from && f_step(state_q) == f_state);
        assert (f_sent < f_length && left_q == f_length - f_sent);
      end
    end
  end
`endif
endmodule

`default_nettype wire
