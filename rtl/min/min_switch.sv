// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Wormhole switches with two inputs and two outputs, side by side: a stage of a multistage network (min_network has
// SIZE of them in a row). One block of control serves all of them as bit vectors, a bit per line, so that a simulator
// computes a stage with a few operations on words.
//
// Lines l and l + SPAN, where l has no bit SPAN, are the upper and the lower one of a switch, as inputs and as outputs.
// A header leaves by the line that one of its bits names (0: the upper one): bit TAG, or TAG_BACK with backward = 1.
// With preset = 1 no header is looked at: a message goes straight on, or to the other line where `crossed` is 1. An
// output goes to the header that has waited longest, of two that came together to the one from the upper line, and then
// belongs to that message until its tail has crossed.
//
// Latency: one cycle, as in wh_router. Throughput: one flit per cycle and line. in_ready and in_empty come from
// registers; out_* do not depend on out_ready, but combinationally on crossed, preset, backward and, with paper = 1, on
// out_empty.
//
// Ports, line l in bits [l*FLIT_W +: FLIT_W] of a flit bus and in bit l of the others:
// - in_*, out_*: streams as in wh_router: valid, flit and last of an output stay until they are taken; a message ends
//   with last = 1.
// - paper, out_empty: see wh_output. Tie both to 0 for the plain timing.
// - backward, preset: constant while a flit is held here or offered; a change in mid-message would split it. Tie both
//   to 0 for a network that routes by tag in one direction.
// - crossed: with preset = 1, bit l and bit l + SPAN of a switch must be equal, and must not change while a header
//   waits. Tie to 0 with preset = 0.
// - obs_*: per output and cycle: a header crosses, any flit crosses, a header waits and does not cross. busy: a flit is
//   held. May be left open.
//
// Reset: synchronous, one cycle is enough. Legal parameters: SWITCHES and SPAN powers of two, SPAN at most SWITCHES;
// any TAG and TAG_BACK below FLIT_W. A single switch is SWITCHES = 1, SPAN = 1. File list: rtl/min_switch.f.
//
// Example:
//   // One switch; bit 3 of a header chooses the output.
//   min_switch #(.SWITCHES(1), .SPAN(1), .TAG(3), .FLIT_W(16)) u_switch (
//       .clk(clk), .rst(rst), .paper(1'b0), .backward(1'b0), .preset(1'b0), .crossed(2'b00),
//       .in_flit(a_flit), .in_last(a_last), .in_valid(a_valid), .in_ready(a_ready), .in_empty(),
//       .out_flit(b_flit), .out_last(b_last), .out_valid(b_valid), .out_ready(b_ready), .out_empty(2'b00),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy());
`default_nettype none

module min_switch #(
    parameter integer SWITCHES = 4,  // a power of two, 1..512
    parameter integer SPAN = 1,  // distance of a switch's lines, a power of two, 1..SWITCHES
    parameter integer TAG = 0,  // bit of a header that names the output, 0..FLIT_W-1
    parameter integer TAG_BACK = TAG,  // the same with `backward`
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer BUFFERS = 2,  // flits that the buffer of an input holds, 2..64
    localparam integer LINES = 2 * SWITCHES
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,       // tie to 0, or see wh_output
    input  wire                     backward,    // headers go by bit TAG_BACK; constant while flits are under way
    input  wire                     preset,      // switches are set by `crossed`; constant while flits are under way
    input  wire  [       LINES-1:0] crossed,     // with preset: the line's switch is crossed; constant while a header waits
    // streams in
    input  wire  [LINES*FLIT_W-1:0] in_flit,
    input  wire  [       LINES-1:0] in_last,
    input  wire  [       LINES-1:0] in_valid,
    output logic [       LINES-1:0] in_ready,
    output logic [       LINES-1:0] in_empty,
    // streams out
    output logic [LINES*FLIT_W-1:0] out_flit,
    output logic [       LINES-1:0] out_last,
    output logic [       LINES-1:0] out_valid,
    input  wire  [       LINES-1:0] out_ready,
    input  wire  [       LINES-1:0] out_empty,   // used only with paper = 1, else tie to 0
    // observation, per output
    output logic [       LINES-1:0] obs_worm,
    output logic [       LINES-1:0] obs_flit,
    output logic [       LINES-1:0] obs_blocked,
    output logic                    busy         // a flit is held
);
  if (SWITCHES < 1 || SWITCHES > 512 || (SWITCHES & (SWITCHES - 1)) != 0) begin : g_SWITCHES
    illegal_SWITCHES u_illegal ();
  end
  if (SPAN < 1 || SPAN > SWITCHES || (SPAN & (SPAN - 1)) != 0) begin : g_SPAN illegal_SPAN u_illegal (); end
  if (BUFFERS < 2 || BUFFERS > 64) begin : g_BUFFERS illegal_BUFFERS u_illegal (); end
  if (TAG < 0 || TAG >= FLIT_W || TAG_BACK < 0 || TAG_BACK >= FLIT_W) begin : g_TAG illegal_TAG u_illegal (); end

  localparam logic [LINES-1:0] UPPER = {SWITCHES / SPAN{{SPAN{1'b0}}, {SPAN{1'b1}}}};

  // The bits of each switch's two lines, exchanged.
  function automatic [LINES-1:0] exchange(input [LINES-1:0] lines);
    exchange = (lines & UPPER) << SPAN | (lines >> SPAN) & UPPER;
  endfunction

  logic [LINES*FLIT_W-1:0] head_flit;
  logic [LINES-1:0] last, valid, header;  // at the heads of the inputs
  logic [LINES-1:0] tag;

  // Per output: a worm has it; a header waited for it in the cycle before and waits still. Bits *_across_q tell from
  // which input: 1 is the other line's.
  logic [LINES-1:0] held_q, held_across_q, first_q, first_across_q;

  always_comb begin
    tag = '0;
    if (!preset && |header) for (int l = 0; l < LINES; l++) if (header[l]) tag[l] = head_flit[l*FLIT_W+(backward?TAG_BACK : TAG)];
  end

  wire [LINES-1:0] leaves = preset ? crossed : tag ^ ~UPPER;  // a header here wants the other line
  wire [LINES-1:0] straight = header & ~leaves;  // requests per output
  wire [LINES-1:0] across = exchange(header & leaves);
  wire [LINES-1:0] any = straight | across;

  wire [LINES-1:0] winner = (first_q & first_across_q) | (~first_q & across & ~(straight & UPPER));
  wire [LINES-1:0] choice = (held_q & held_across_q) | (~held_q & winner);
  wire [LINES-1:0] open = paper ? out_empty : {LINES{1'b1}};
  assign out_valid = (held_q & ((valid & ~choice) | (exchange(valid) & choice))) | (~held_q & any & open);
  assign out_last  = out_valid & ((last & ~choice) | (exchange(last) & choice));

  wire [LINES-1:0] crosses = out_valid & out_ready;
  wire [LINES-1:0] taken = (crosses & ~choice) | exchange(crosses & choice);  // per input

  assign obs_flit = crosses;
  assign obs_worm = crosses & ~held_q;
  assign obs_blocked = (any & ~obs_worm) | (straight & across);
  assign busy = |valid;

  always_ff @(posedge clk) begin
    if (|crosses) begin
      held_q <= (held_q & ~crosses) | (crosses & ~out_last);
      held_across_q <= (held_across_q & ~obs_worm) | (winner & obs_worm);
    end
    if (|first_q || |any) begin
      first_q <= obs_blocked;
      first_across_q <= (winner & ~obs_worm) | (across & ~winner & obs_worm);
    end
    if (rst) begin
      held_q  <= '0;
      first_q <= '0;
    end
  end

  wh_input #(
      .FLIT_W(FLIT_W),
      .LANES (LINES),
      .BUFFERS(BUFFERS)
  ) u_input (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty,
      .flit(head_flit),
      .last, .valid, .header, .taken,
      // verilator lint_off PINCONNECTEMPTY
      .spare_full(),
      .spare_flit(),
      .next_comes(),
      .next_at_once(),
      .next_behind(),
      .next_valid()
      // verilator lint_on PINCONNECTEMPTY
  );

  // A loop, because a simulator puts separate wires together one by one.
  always_comb begin
    out_flit = '0;
    for (int l = 0; l < LINES; l++)
      if (out_valid[l])
        out_flit[l*FLIT_W+:FLIT_W] = choice[l] ? head_flit[(l^SPAN)*FLIT_W+:FLIT_W] : head_flit[l*FLIT_W+:FLIT_W];
  end

`ifdef FORMAL
  // One switch (any): each input a queue of BUFFERS whose flits know whether they are the first of a worm, each output free
  // or of one input. What must be offered follows from these, and is compared with what is.
  localparam integer F_LINE_W = $clog2(LINES);
  (* anyconst *) logic [F_LINE_W-1:0] f_line;
  localparam logic [F_LINE_W-1:0] F_SPAN = F_LINE_W'(SPAN);
  wire [F_LINE_W-1:0] f_up = f_line & ~F_SPAN;
  wire [F_LINE_W-1:0] f_low = f_line | F_SPAN;
  localparam integer F_COUNT_W = $clog2(BUFFERS + 1), F_W = FLIT_W + 2;
  logic [F_COUNT_W-1:0] f_count_0, f_count_1;
  logic [1:0] f_starts;  // the next flit that comes by this input is the first of a worm
  logic [BUFFERS*F_W-1:0] f_words_0, f_words_1;  // first of a worm, last, flit; the oldest in the lowest bits
  wire [F_W-1:0] f_head_0 = f_words_0[F_W-1:0], f_head_1 = f_words_1[F_W-1:0];
  wire [F_W-1:0] f_next_0 = f_words_0[2*F_W-1:F_W], f_next_1 = f_words_1[2*F_W-1:F_W];
  logic [1:0] f_new;  // the head was not the head in the cycle before
  logic f_low_first;  // the lower input's head came before the upper one's
  logic [1:0] f_open, f_owner;  // the output has an input's worm: 0 the upper one's

  wire [1:0] f_holds = {f_count_1 != '0, f_count_0 != '0};
  wire [1:0] f_waits = f_holds & {f_head_1[FLIT_W+1], f_head_0[FLIT_W+1]};
  wire [1:0] f_wants = preset ? {~crossed[f_low], crossed[f_up]} :
      backward ? {f_head_1[TAG_BACK], f_head_0[TAG_BACK]} : {f_head_1[TAG], f_head_0[TAG]};
  wire [1:0] f_ready = {out_ready[f_low], out_ready[f_up]};
  wire [1:0] f_empty = {out_empty[f_low], out_empty[f_up]};
  wire [1:0] f_valid = {out_valid[f_low], out_valid[f_up]};
  wire [1:0] f_in_valid = {in_valid[f_low], in_valid[f_up]};
  wire [1:0] f_in_last = {in_last[f_low], in_last[f_up]};
  wire [1:0] f_worm = {obs_worm[f_low], obs_worm[f_up]};
  wire [1:0] f_blocked = {obs_blocked[f_low], obs_blocked[f_up]};

  logic [1:0] f_asked_0, f_choice, f_offers, f_pops, f_push;
  always_comb begin
    f_pops = '0;
    for (int o = 0; o < 2; o++) begin
      f_asked_0[o] = f_waits[0] && f_wants[0] == 1'(o);
      f_choice[o] = f_open[o] ? f_owner[o] : !(f_asked_0[o] && !(f_waits[1] && f_wants[1] == 1'(o) && f_low_first));
      f_offers[o] = f_open[o] ? f_holds[f_owner[o]] :
          (f_asked_0[o] || f_waits[1] && f_wants[1] == 1'(o)) && (!paper || f_empty[o]);
      if (f_offers[o] && f_ready[o]) f_pops[f_choice[o]] = 1'b1;
    end
    f_push = f_in_valid & {32'(f_count_1) != BUFFERS, 32'(f_count_0) != BUFFERS};
  end
  wire [F_COUNT_W-1:0] f_rest_0 = f_count_0 - F_COUNT_W'(f_pops[0]);
  wire [F_COUNT_W-1:0] f_rest_1 = f_count_1 - F_COUNT_W'(f_pops[1]);
  wire [FLIT_W+1:0] f_in_0 = {f_starts[0], f_in_last[0], in_flit[f_up*FLIT_W+:FLIT_W]};
  wire [FLIT_W+1:0] f_in_1 = {f_starts[1], f_in_last[1], in_flit[f_low*FLIT_W+:FLIT_W]};
  wire [1:0] f_comes = {f_pops[1] || f_count_1 == '0, f_pops[0] || f_count_0 == '0};

  (* hierconn *) wire [LINES-1:0] \u_input.body_q ;
  (* hierconn *) wire [LINES*FLIT_W-1:0] \u_input.u_buffer.spare_q ;
  (* hierconn *) wire [LINES-1:0] \u_input.u_buffer.spare_last_q ;
  (* hierconn *) wire [LINES-1:0] \u_input.u_buffer.spare_full_q ;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) assume ($stable(paper) && $stable(preset) && $stable(crossed) && $stable(backward));
    assume ((out_empty & ~out_ready) == '0);
    assume (((crossed ^ crossed >> SPAN) & UPPER) == '0);

    f_count_0 <= f_rest_0 + F_COUNT_W'(f_push[0]);
    f_count_1 <= f_rest_1 + F_COUNT_W'(f_push[1]);
    if (f_pops[0]) f_words_0 <= f_words_0 >> F_W;
    if (f_pops[1]) f_words_1 <= f_words_1 >> F_W;
    if (f_push[0]) f_words_0[f_rest_0*F_W+:F_W] <= f_in_0;
    if (f_push[1]) f_words_1[f_rest_1*F_W+:F_W] <= f_in_1;
    f_starts <= (f_starts & ~f_push) | (f_in_last & f_push);
    f_new <= f_comes;
    if (|f_comes) f_low_first <= f_comes == 2'b01;
    for (int o = 0; o < 2; o++)
      if (f_offers[o] && f_ready[o]) begin
        f_open[o]  <= !(f_choice[o] ? f_head_1[FLIT_W] : f_head_0[FLIT_W]);
        f_owner[o] <= f_choice[o];
      end
    if (rst) begin
      f_count_0 <= '0;
      f_count_1 <= '0;
      f_starts <= '1;
      f_new <= '1;
      f_low_first <= 1'b0;
      f_open <= '0;
    end

    if (!$initstate) begin
      assert ({in_ready[f_low], in_ready[f_up]} == {32'(f_count_1) < BUFFERS, 32'(f_count_0) < BUFFERS});
      assert ({in_empty[f_low], in_empty[f_up]} == ~f_holds);
      assert (f_valid == f_offers);
      if (f_offers[0])
        assert ({out_last[f_up], out_flit[f_up*FLIT_W+:FLIT_W]} == (f_choice[0] ? f_head_1[FLIT_W:0] : f_head_0[FLIT_W:0]));
      if (f_offers[1])
        assert ({out_last[f_low], out_flit[f_low*FLIT_W+:FLIT_W]} == (f_choice[1] ? f_head_1[FLIT_W:0] : f_head_0[FLIT_W:0]));
      assert (!(&f_offers) || f_choice[0] != f_choice[1]);
      assert (obs_flit == (out_valid & out_ready));
      assert (f_worm == (f_offers & f_ready & ~f_open));
      for (int o = 0; o < 2; o++)
        assert (f_blocked[o] == (2'(f_asked_0[o]) + 2'(f_waits[1] && f_wants[1] == 1'(o)) > 2'(f_worm[o])));
      if (|f_holds) assert (busy);
      if ($past(rst)) assert (!busy);
      if (!$past(rst) && $past(out_valid[f_up] && !out_ready[f_up]))
        assert (out_valid[f_up] && out_flit[f_up*FLIT_W+:FLIT_W] == $past(out_flit[f_up*FLIT_W+:FLIT_W]));

      cover (&(out_valid & out_ready) && !preset && f_choice == 2'b01);
      cover (f_worm[0] && f_choice[0] && f_blocked[0] && f_low_first && paper);
      cover (f_worm[0] && !f_choice[0] && f_blocked[0] && &f_new);
      cover (32'(f_count_0) == BUFFERS && 32'(f_count_1) == BUFFERS && &f_pops && preset && crossed[f_up]);

      // For the induction, which is of BUFFERS = 2.
      assert (32'(f_count_0) <= BUFFERS && 32'(f_count_1) <= BUFFERS);
      assert ({\u_input.body_q [f_low], \u_input.body_q [f_up]} ==
              ~{f_holds[1] ? f_head_1[FLIT_W+1] : f_starts[1], f_holds[0] ? f_head_0[FLIT_W+1] : f_starts[0]});
      if (f_holds[0]) assert ({last[f_up], head_flit[f_up*FLIT_W+:FLIT_W]} == f_head_0[FLIT_W:0]);
      if (f_holds[1]) assert ({last[f_low], head_flit[f_low*FLIT_W+:FLIT_W]} == f_head_1[FLIT_W:0]);
      if (32'(f_count_0) == 1) assert (f_starts[0] == f_head_0[FLIT_W]);
      if (32'(f_count_1) == 1) assert (f_starts[1] == f_head_1[FLIT_W]);
      assert ({\u_input.u_buffer.spare_full_q [f_low], \u_input.u_buffer.spare_full_q [f_up]} ==
              {32'(f_count_1) > 1, 32'(f_count_0) > 1});
      if (BUFFERS == 2 && 32'(f_count_0) == 2) begin
        assert (f_next_0[FLIT_W:0] ==
                {\u_input.u_buffer.spare_last_q [f_up], \u_input.u_buffer.spare_q [f_up*FLIT_W+:FLIT_W]});
        assert (f_next_0[FLIT_W+1] == f_head_0[FLIT_W] && f_starts[0] == f_next_0[FLIT_W]);
      end
      if (BUFFERS == 2 && 32'(f_count_1) == 2) begin
        assert (f_next_1[FLIT_W:0] ==
                {\u_input.u_buffer.spare_last_q [f_low], \u_input.u_buffer.spare_q [f_low*FLIT_W+:FLIT_W]});
        assert (f_next_1[FLIT_W+1] == f_head_1[FLIT_W] && f_starts[1] == f_next_1[FLIT_W]);
      end
      // An output's worm is the one that an input is in the middle of.
      assert ({held_q[f_low], held_q[f_up]} == f_open);
      if (f_open[0]) assert (held_across_q[f_up] == f_owner[0]);
      if (f_open[1]) assert (held_across_q[f_low] == !f_owner[1]);
      assert (!(&f_open) || f_owner[0] != f_owner[1]);
      assert ({\u_input.body_q [f_low], \u_input.body_q [f_up]} ==
              {f_open[0] && f_owner[0] || f_open[1] && f_owner[1], f_open[0] && !f_owner[0] || f_open[1] && !f_owner[1]});
      // A message that waits longer than this cycle is known to wait, and so is the one of two that came first.
      for (int o = 0; o < 2; o++) begin
        if (f_asked_0[o] && !f_new[0] || f_waits[1] && f_wants[1] == 1'(o) && !f_new[1])
          assert (o == 0 ? first_q[f_up] : first_q[f_low]);
        if (o == 0 ? first_q[f_up] : first_q[f_low]) begin
          if ((o == 0 ? first_across_q[f_up] : !first_across_q[f_low]))
            assert (f_waits[1] && f_wants[1] == 1'(o) && !f_new[1] && (!f_asked_0[o] || f_low_first));
          else assert (f_asked_0[o] && !f_new[0] && (!(f_waits[1] && f_wants[1] == 1'(o)) || !f_low_first));
        end
      end
      if (&f_new) assert (!f_low_first);
      else if (|f_new) assert (f_low_first == f_new[0]);
    end
  end
`endif
endmodule

`default_nettype wire
