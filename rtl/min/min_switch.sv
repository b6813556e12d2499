// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Wormhole switches with two inputs and two outputs, side by side: a stage of a multistage network. One block of control
// serves all of them as bit vectors, a bit per line, so that a simulator computes a stage with a few operations on words.
// Lines l and l + SPAN, where l has no bit SPAN, are the upper and the lower one of a switch, as inputs and as outputs. A
// header leaves by the line that bit TAG of its destination names (0: the upper one), or with `preset` straight on or
// `crossed`. Buffers, timing and observation as in wh_router and wh_output: one cycle, one flit per cycle and line; an
// output goes to the header that has waited longest, of two that came together to the one from the upper line.
`default_nettype none

module min_switch #(
    parameter integer SWITCHES = 4,  // a power of two, 1..512
    parameter integer SPAN = 1,  // distance of a switch's lines, a power of two, 1..SWITCHES
    parameter integer TAG = 0,  // bit of a flit, 0..FLIT_W-1
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    localparam integer LINES = 2 * SWITCHES
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,
    input  wire                     preset,      // constant while flits are under way
    input  wire  [       LINES-1:0] crossed,     // with preset: the line's switch is crossed; while a header waits, constant
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
    input  wire  [       LINES-1:0] out_empty,
    // observation, per output
    output logic [       LINES-1:0] obs_worm,
    output logic [       LINES-1:0] obs_flit,
    output logic [       LINES-1:0] obs_blocked,
    output logic                    busy         // a flit is held
);
  generate
    if (SWITCHES < 1 || SWITCHES > 512 || (SWITCHES & (SWITCHES - 1)) != 0) illegal_SWITCHES u_illegal ();
    if (SPAN < 1 || SPAN > SWITCHES || (SPAN & (SPAN - 1)) != 0) illegal_SPAN u_illegal ();
    if (TAG < 0 || TAG >= FLIT_W) illegal_TAG u_illegal ();
  endgenerate

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
    if (!preset && |header) for (int l = 0; l < LINES; l++) if (header[l]) tag[l] = head_flit[l*FLIT_W+TAG];
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
      .LANES (LINES)
  ) u_input (
      .clk(clk),
      .rst(rst),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .flit(head_flit),
      .last(last),
      .valid(valid),
      .header(header),
      .taken(taken)
  );

  generate
    for (genvar l = 0; l < LINES; l++) begin : g_line
      logic [FLIT_W-1:0] crossing;
      always_comb begin
        crossing = '0;
        if (out_valid[l]) crossing = choice[l] ? head_flit[(l^SPAN)*FLIT_W+:FLIT_W] : head_flit[l*FLIT_W+:FLIT_W];
      end
      assign out_flit[l*FLIT_W+:FLIT_W] = crossing;
    end
  endgenerate

`ifdef FORMAL
  // Flits carry the input they came by above bit TAG. What comes by one input (any) leaves as from a queue of two, each worm by
  // the output that its header asks for; on one output (any) worms do not mix, and of two headers that wait for it the
  // first to come goes first.
  localparam integer F_LINE_W = $clog2(LINES);
  logic f_started = 1'b0;
  (* anyconst *) logic [F_LINE_W-1:0] f_from, f_to;
  logic [1:0] f_count;
  logic f_starts;  // the next flit that comes is the first of a worm
  logic [FLIT_W+1:0] f_first, f_second;  // first of a worm, last, flit
  logic [F_LINE_W-1:0] f_way;  // where the worm at the head of the queue went
  logic f_open;  // a worm is crossing the output
  logic [F_LINE_W-1:0] f_owner;
  logic [LINES-1:0] f_offered, f_crosses;

  always_comb begin
    for (int o = 0; o < LINES; o++)
      f_offered[o] = out_valid[o] && out_flit[o*FLIT_W+TAG+1+:F_LINE_W] == f_from;
    f_crosses = f_offered & out_ready;
  end
  wire f_push = in_valid[f_from] && in_ready[f_from];
  wire f_pop = |f_crosses;
  wire [1:0] f_rest = f_count - 2'(f_pop);
  wire [FLIT_W+1:0] f_in = {f_starts, in_last[f_from], in_flit[f_from*FLIT_W+:FLIT_W]};
  wire [F_LINE_W-1:0] f_span = F_LINE_W'(SPAN);
  wire [F_LINE_W-1:0] f_want = preset ? (crossed[f_from] ? f_from ^ f_span : f_from) :
      f_first[TAG] ? f_from | f_span : f_from & ~f_span;

  // The header of the queue waits for its output since f_since cycles; the one of the other input of the same switch since
  // f_other_since, whatever output that one wants.
  logic [3:0] f_since;
  wire f_waits = f_count != 2'd0 && f_first[FLIT_W+1];
  logic f_overtaken;  // since the header waits another one took its output

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    assume ((out_empty & ~out_ready) == '0);
    if (f_started) assume ($stable(paper) && $stable(preset) && $stable(crossed));
    assume (((crossed ^ crossed >> SPAN) & UPPER) == '0);
    for (int i = 0; i < LINES; i++) assume (in_flit[i*FLIT_W+TAG+1+:F_LINE_W] == F_LINE_W'(i));

    f_count <= f_rest + 2'(f_push);
    if (f_pop) f_first <= f_second;
    if (f_push) begin
      f_starts <= in_last[f_from];
      if (f_rest == 2'd0) f_first <= f_in;
      else f_second <= f_in;
    end
    if (f_pop && f_first[FLIT_W+1]) f_way <= f_want;
    if (out_valid[f_to] && out_ready[f_to]) begin
      f_open  <= !out_last[f_to];
      f_owner <= out_flit[f_to*FLIT_W+TAG+1+:F_LINE_W];
    end
    f_since <= !f_waits || f_pop ? 4'd0 : f_since + 4'(!(&f_since));
    f_overtaken <= f_waits && !f_pop && (f_overtaken || obs_worm[f_want]);
    if (rst) begin
      f_count <= 2'd0;
      f_starts <= 1'b1;
      f_open <= 1'b0;
      f_since <= '0;
      f_overtaken <= 1'b0;
    end

    if (f_started) begin
      assert (in_ready[f_from] == (f_count < 2'd2) && in_empty[f_from] == (f_count == 2'd0));
      assert ((f_offered & (f_offered - 1'b1)) == '0);
      for (int o = 0; o < LINES; o++)
        if (f_offered[o]) begin
          assert (f_count != 2'd0);
          assert ({out_last[o], out_flit[o*FLIT_W+:FLIT_W]} == f_first[FLIT_W:0]);
          assert ((f_first[FLIT_W+1] ? f_want : f_way) == F_LINE_W'(o));
        end
      if (out_valid[f_to] && f_open) assert (out_flit[f_to*FLIT_W+TAG+1+:F_LINE_W] == f_owner);
      if (out_valid[f_to] && !f_open && paper) assert (out_empty[f_to]);
      if (!$past(rst) && $past(out_valid[f_to] && !out_ready[f_to])) begin
        assert (out_valid[f_to] && out_last[f_to] == $past(out_last[f_to]));
        assert (out_flit[f_to*FLIT_W+:FLIT_W] == $past(out_flit[f_to*FLIT_W+:FLIT_W]));
      end
      if ($past(rst)) assert (!busy);
      if (f_count != 2'd0) assert (busy);

      assert (obs_flit == (out_valid & out_ready));
      assert (obs_worm[f_to] == (obs_flit[f_to] && !f_open));
      // A header that waits is seen, and it moves if its output is free and nobody else takes it.
      if (f_waits && !f_pop) assert (obs_blocked[f_want]);
      if (f_waits && !f_pop && f_to == f_want && !f_open && out_ready[f_to] && (!paper || out_empty[f_to]))
        assert (obs_worm[f_to]);
      // Whoever comes after it waits for it: one may go first, who came before or with it by the upper line.
      if (f_overtaken && f_waits && obs_worm[f_want]) assert (f_pop);
      if (f_waits && f_since == 4'd0 && obs_worm[f_want] && !f_pop && (f_from & f_span) == '0)
        assert (f_other_since != 4'd0);

      cover (f_pop && f_first[FLIT_W] && !f_first[FLIT_W+1] && f_way == f_to);
      cover (&(out_valid & out_ready));
      cover (f_pop && f_owner != f_from && !f_open && f_first[FLIT_W+1] && |(f_crosses & obs_blocked));
      cover (f_overtaken && f_pop && !preset && paper);
    end
  end

  // The other input of the switch of f_from, the least that the rule of the first needs.
  logic [3:0] f_other_since;
  wire [F_LINE_W-1:0] f_other = f_from ^ f_span;
  wire f_other_goes = |(f_other_offers & out_ready);
  logic [LINES-1:0] f_other_offers;
  logic f_other_starts, f_other_body;
  logic [1:0] f_other_count, f_other_first, f_other_second;  // first of a worm, last
  wire [1:0] f_other_rest = f_other_count - 2'(f_other_goes);
  wire f_other_push = in_valid[f_other] && in_ready[f_other];
  wire f_other_waits = f_other_count != 2'd0 && f_other_first[1];
  always_comb
    for (int o = 0; o < LINES; o++)
      f_other_offers[o] = out_valid[o] && out_flit[o*FLIT_W+TAG+1+:F_LINE_W] == f_other;
  always_ff @(posedge clk) begin
    f_other_count <= f_other_rest + 2'(f_other_push);
    if (f_other_goes) f_other_first <= f_other_second;
    if (f_other_push) begin
      f_other_starts <= in_last[f_other];
      if (f_other_rest == 2'd0) f_other_first <= {f_other_starts, in_last[f_other]};
      else f_other_second <= {f_other_starts, in_last[f_other]};
    end
    f_other_since <= !f_other_waits || f_other_goes ? 4'd0 : f_other_since + 4'(!(&f_other_since));
    if (rst) begin
      f_other_count <= 2'd0;
      f_other_starts <= 1'b1;
      f_other_since <= '0;
    end
    // Of two headers that want one output, the one that has waited longer, or of equals the upper one's.
    if (f_started && f_waits && f_other_waits && f_pop && obs_worm[f_want] && f_other_wants == f_want && !(&f_since))
      assert (f_since > f_other_since || (f_since == f_other_since && (f_from & f_span) == '0));
  end
  wire [F_LINE_W-1:0] f_other_wants = preset ? (crossed[f_other] ? f_other ^ f_span : f_other) :
      f_other_tag ? f_other | f_span : f_other & ~f_span;
  logic f_other_tag, f_other_tag_next;
  always_ff @(posedge clk) begin
    if (f_other_goes) f_other_tag <= f_other_tag_next;
    if (f_other_push) begin
      if (f_other_rest == 2'd0) f_other_tag <= in_flit[f_other*FLIT_W+TAG];
      else f_other_tag_next <= in_flit[f_other*FLIT_W+TAG];
    end
  end
`endif
endmodule

`default_nettype wire
