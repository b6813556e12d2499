// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Wormhole router: any number of streams in and out, a buffer of BUFFERS flits at each input, any input to any output. It knows
// neither neighbours nor addresses. A route unit outside (combinational logic or a table) tells for each header which
// output it asks for; net_router is this router with such a unit. Each output serves the headers that ask for it in
// the order in which they came, and then belongs to one message until its tail has crossed.
//
// V > 1: each link has V virtual channels, which share its wires flit by flit. Each has a buffer of its own at
// the far end and belongs to one message at a time, so that a message which waits on one leaves the others free. In this
// module an input or output of a virtual channel is called a lane: ports below SINGLE, such as a node's own, have one
// lane each, and lane p is port p; lane SINGLE + (p-SINGLE)*V + v is virtual channel v of port p from SINGLE on. With
// V = 1 lanes are ports.
//
// Latency: one cycle; a flit that is taken at one clock edge is offered at the output after it, if the output is free.
// Throughput: one flit per cycle on every channel. in_ready and in_empty come from registers; out_* are combinational
// from registers and (with paper = 1) out_empty, but not from out_ready nor in_*: a header is routed as it comes to the
// head of its buffer, a cycle before it can leave. So routers may be wired to each other in any way without a
// combinational loop.
//
// Ports, port p in bits [p*FLIT_W +: FLIT_W] of a flit bus, lane p in [p*NEXT_W +: NEXT_W] of next_lane and
// [p*FLIT_W +: FLIT_W] of spare_flit, and bit p of the others:
// - in_*, out_*: streams. A flit passes at each rising edge at which valid and ready are 1. A message (worm) is a
//   header flit, then any number of others, the last one with last = 1; a message of one flit has last = 1 on the
//   header. Once out_valid is 1 it stays, with flit and last, until it is taken; without it flit and last mean nothing.
//   On the input side the router asks for no such thing.
//   If a port has V > 1 lanes, there is one flit and one last for them all, and valid is 1 for one of them at most. Turns
//   (wh_share) decide which one, among those whose ready is 1: so out_valid then depends on out_ready, and a flit is
//   taken in the cycle in which it is offered. A ready that is 1 must stay so until a flit comes; only all lanes of a port
//   together may rest for some cycles, in which no ready is 1, and then each must be as before. in_ready never rests.
// - in_empty, out_empty: nothing is in the buffer at the receiving end of the channel. Wire out_empty to the in_empty
//   of the next router. It is looked at only with paper = 1; with paper = 0 tie it to 0. An endpoint without a buffer
//   gives its own in_ready (where out_empty is 1, out_ready must be 1).
// - in_left: a flit of this input lane leaves its buffer at this edge. For a link whose near end counts what the buffer
//   holds (otis_link with BUFFERS); it depends on out_ready. Otherwise leave it open.
// - paper: 0 unless you want the timing of the machine of [Hou01]: see wh_output. Constant after reset.
// - early: which of several headers that came in the same cycle goes first: see wh_order. Constant after reset; tie it
//   to 0 for "lowest port first". It decides ties only; who came earlier goes first anyway.
// - spare_flit, spare_full, next_comes, next_lane: the route unit. In a cycle in which next_comes[p] is 1 a header comes to
//   the head of input lane p: spare_flit where spare_full[p] is 1, else in_flit of its port; in the same cycle next_lane of
//   lane p must be the number of its output lane, below LANES (with ADAPTIVE = 1 a set: see below). In all other cycles it is
//   not looked at. Freedom from deadlock is the route unit's concern; the router adds none.
// - obs_*: per output port and cycle: a header crosses, any flit crosses, some header waits and does not cross (with V > 1
//   also one whose turn on the wires it is not). For counters such as `monitor`; may be left open. busy: some input holds
//   a flit.
//
// BACK: a router whose messages never leave by the port they came in on is smaller, for each output then has one input
// less to choose from. With BACK[p] = 0 a header at port p that asks for port p nevertheless is never served: it stays
// at the head of its input, and what comes behind it there, or asks for the same output later, waits for ever as well.
// All other messages go on. With V > 1 it holds for all lanes of the port, and nothing but that one input waits.
//
// ADAPTIVE = 1: the route unit names several output lanes for a header, and the router takes one which is free (wh_choose
// says which one). In next_lane there are then 2*LANES bits for each lane: from bit 0 on, which output lanes the header may
// have, at least one; above them, which of these it takes only if no other one is free. A header that finds none free waits,
// is not routed again, and takes the first that it can have. With sets of one lane all is as with ADAPTIVE = 0.
// obs_blocked is 1 for each port of which a waiting header may have a lane.
// - select: the lane it takes of several: 0 the lowest, 1 a random one, 2 the least recently used one, 3 the one with most
//   room at the far end, by out_ready and out_empty, which must then say it also with paper = 0. seed: what random lanes
//   begin with. Both constant after reset; tie them to 0 with ADAPTIVE = 0.
//
// - ESCAPE = 0: the router does not look at the upper half of next_lane, and nothing is tried last. APART = n, above 0: of
//   its ports from SINGLE on a header may have lanes of one at most among the first n, among the next n and so on, and a lane
//   below SINGLE only as the only one. Logic that such headers do not need is left out, and the clock may be faster.
//
// SMALL = 1 is for chips whose logic is dear: the same router cycle by cycle with a multiplexer of less logic (wh_cross),
// which takes longer to simulate. Figures: docs/using-the-rtl.md.
//
// Reset: synchronous, one cycle is enough; reset all routers and endpoints of a network together. Flits offered while
// rst is 1 are lost. Legal parameters: all combinations; unused ports of a router: in_valid to 0, out_ready to 1.
//
// The file list is rtl/wh_router.f; docs/using-the-rtl.md has an example that runs. Over 400 lines because the proof of this
// contract stands at the end.
//
// Example:
//   // Two ports; bit 0 of a header is the number of the output.
//   wire [63:0] a_flit, spare_flit;
//   wire [1:0] spare_full;
//   wire [1:0] next_lane = {spare_full[1] ? spare_flit[32] : a_flit[32], spare_full[0] ? spare_flit[0] : a_flit[0]};
//   wh_router #(.PORTS(2), .FLIT_W(32)) u_router (
//       .clk(clk), .rst(rst), .paper(1'b0), .early(2'b00), .select(2'd0), .seed(16'd0),
//       .in_flit(a_flit), .in_last(a_last), .in_valid(a_valid), .in_ready(a_ready), .in_empty(a_empty), .in_left(),
//       .out_flit(b_flit), .out_last(b_last), .out_valid(b_valid), .out_ready(b_ready), .out_empty(2'b00),
//       .spare_full(spare_full), .spare_flit(spare_flit), .next_comes(next_comes), .next_lane(next_lane),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy());
`default_nettype none

module wh_router #(
    parameter integer PORTS = 9,  // streams in and out, 2..64
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter [PORTS-1:0] BACK = {PORTS{1'b1}},  // bit p: a message may leave by port p that came in by port p
    parameter integer SMALL = 0,  // 1: less logic, slower simulation
    parameter integer BUFFERS = 2,  // flits that the buffer of an input lane holds, 2..64
    parameter integer V = 1,  // virtual channels of a link, 1..8
    parameter integer SINGLE = 0,  // ports below it have one lane whatever V is, 0..PORTS; LANES is 64 at most
    parameter integer ADAPTIVE = 0,  // 1: of several output lanes a header takes one
    parameter integer ESCAPE = 1,  // with ADAPTIVE = 1, as APART: 0: a header has no lanes that are tried last
    parameter integer APART = 0,  // lanes that no header may take both of: see below
    localparam integer LANES = SINGLE + (PORTS - SINGLE) * V,
    localparam integer LANE_W = $clog2(LANES),
    localparam integer NEXT_W = ADAPTIVE != 0 ? 2 * LANES : LANE_W
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,       // tie to 0, or 1 for the timing of [Hou01]: see wh_output
    input  wire  [       LANES-1:0] early,       // lanes that go first when headers come together; tie to 0, or see wh_order
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [             1:0] select,      // used only with ADAPTIVE = 1, as seed is: tie to 0, or see wh_choose
    input  wire  [            15:0] seed,
    // verilator lint_on UNUSEDSIGNAL
    // streams in
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       LANES-1:0] in_valid,
    output logic [       LANES-1:0] in_ready,
    output logic [       LANES-1:0] in_empty,
    output logic [       LANES-1:0] in_left,     // a flit leaves the lane's buffer
    // streams out
    output logic [PORTS*FLIT_W-1:0] out_flit,
    output logic [       PORTS-1:0] out_last,
    output logic [       LANES-1:0] out_valid,
    input  wire  [       LANES-1:0] out_ready,
    input  wire  [       LANES-1:0] out_empty,   // used only with paper = 1 or ADAPTIVE = 1, else tie to 0
    // route unit
    output logic [       LANES-1:0] spare_full,  // there is a flit behind the one at the head
    output logic [LANES*FLIT_W-1:0] spare_flit,  // that flit
    output logic [       LANES-1:0] next_comes,  // a header comes to the head: next_lane is looked at
    input  wire  [LANES*NEXT_W-1:0] next_lane,   // output lane for that header, < LANES, in the same cycle; or the set of them
    // observation, per output channel
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic [       PORTS-1:0] obs_blocked,
    output logic                    busy         // some input holds a flit
);
  if (PORTS < 2 || PORTS > 64) begin : g_PORTS illegal_PORTS u_illegal (); end
  if (SMALL < 0 || SMALL > 1) begin : g_SMALL illegal_SMALL u_illegal (); end
  if (BUFFERS < 2 || BUFFERS > 64) begin : g_BUFFERS illegal_BUFFERS u_illegal (); end
  if (V < 1 || V > 8 || LANES > 64) begin : g_V illegal_V u_illegal (); end
  if (ADAPTIVE < 0 || ADAPTIVE > 1) begin : g_ADAPTIVE illegal_ADAPTIVE u_illegal (); end
  if (ESCAPE < 0 || ESCAPE > 1) begin : g_ESCAPE illegal_ESCAPE u_illegal (); end
  if (APART < 0 || APART > 64) begin : g_APART illegal_APART u_illegal (); end
  if (SINGLE < 0 || SINGLE > PORTS) begin : g_SINGLE illegal_SINGLE u_illegal (); end

  // BACK of each lane's port.
  function automatic [LANES-1:0] lane_back(input integer unused);
    for (int l = 0; l < LANES; l++) lane_back[l] = BACK[l<SINGLE?l : SINGLE+(l-SINGLE)/V];
  endfunction
  localparam [LANES-1:0] LANE_BACK = lane_back(0);

  logic [LANES*FLIT_W-1:0] lane_flit, head_flit;
  logic [LANES-1:0] lane_last, head_last, head_valid, head_header, head_taken;
  logic [LANES*LANES-1:0] ask, asked;  // by input and by output; where `first`, the output is its own
  logic [LANES-1:0] first;
  // For wh_claim, what makes a header come; not looked at with V = 1.
  // verilator lint_off UNUSEDSIGNAL
  // verilator lint_off UNDRIVEN
  logic [LANES-1:0] next_at_once, next_behind, next_valid, able, kept;
  // verilator lint_on UNDRIVEN
  logic [LANES-1:0] out_taken;  // head_taken with V = 1
  // verilator lint_on UNUSEDSIGNAL
  localparam integer AT_W = SMALL != 0 ? 1 + (LANES + 1) / 2 : V > 1 ? LANES : LANE_W;
  logic [LANES*AT_W-1:0] lane_at;
  logic [LANES-1:0] offer_last, offer_valid, offer_open, crosses;  // of the output lanes; a flit crosses if there is one
  logic [LANES-1:0] lane_worm, lane_seen, lane_blocked;

  wh_input #(
      .FLIT_W(FLIT_W),
      .LANES (LANES),
      .BUFFERS(BUFFERS)
  ) u_input (
      .clk, .rst,
      .in_flit(lane_flit),
      .in_last(lane_last),
      .in_valid, .in_ready, .in_empty,
      .flit(head_flit),
      .last(head_last),
      .valid(head_valid),
      .header(head_header),
      .taken(head_taken),
      .spare_full, .spare_flit, .next_comes, .next_valid, .next_at_once, .next_behind
  );

  if (ADAPTIVE != 0) begin : g_choose
    logic [LANES*LANES-1:0] next_set, next_last;
    logic [LANES-1:0] owns;
    // The outputs whose messages have their tails at the heads of their buffers, and those that a flit passes if there is one.
    logic [LANES-1:0] tails;
    wire [LANES-1:0] passes = V == 1 ? offer_open & out_ready : crosses;
    always_comb begin : tail
      logic [LANES-1:0] some;
      some = '0;
      if (|(head_valid & head_last))
        for (int i = 0; i < LANES; i++) if (owns[i] && head_valid[i] && head_last[i]) some = some | ask[i*LANES+:LANES];
      tails = some;
    end
    always_comb begin : sets
      logic [LANES*LANES-1:0] set, late;
      set  = 'x;
      late = 'x;
      if (|next_comes) begin
        for (int i = 0; i < LANES; i++) begin
          set[i*LANES+:LANES]  = next_lane[i*NEXT_W+:LANES];
          late[i*LANES+:LANES] = next_lane[i*NEXT_W+LANES+:LANES];
        end
      end
      next_set  = set;
      next_last = late;
    end
    assign first = V == 1 ? owns : owns & head_valid;

    wh_choose #(
        .LANES(LANES), .V(V), .SINGLE(SINGLE), .ESCAPE(ESCAPE), .APART(APART), .BACK(LANE_BACK)
    ) u_choose (
        .clk, .rst, .early, .select, .seed, .next_comes, .next_set, .next_last,
        .ends(head_taken & head_last),
        .gives(passes & tails),
        .room(out_ready),
        .empty(out_empty),
        .ask, .asked,
        .first(owns)
    );
  end else if (V == 1) begin : g_order
    wh_order #(
        .PORTS(LANES),
        .BACK (LANES'(BACK))
    ) u_order (
        .clk, .rst, .early, .next_comes,
        .next_port(next_lane),
        .ends(head_taken & head_last),
        .ask, .asked, .first
    );
  end else begin : g_claim
    wire [LANES-1:0] gives = crosses & offer_last;

    wh_claim #(.LANES(LANES), .V(V), .SINGLE(SINGLE), .BACK(LANE_BACK)) u_claim (
        .clk, .rst, .early,
        .stirs(|((in_valid & in_empty) | (head_valid & head_last))),
        .next_comes, .next_lane,
        .ends(head_taken & head_last),
        .gives,
        .valid(head_valid),
        .next_valid, .next_at_once, .next_behind, .able, .kept, .ask, .asked, .first
    );
  end

  wh_output #(
      .PORTS(LANES),
      .BACK (LANE_BACK),
      .SMALL(SMALL),
      .SINGLE(SINGLE),
      .V(V),
      .SHARED(V == 1 ? 0 : 1)
  ) u_output (
      .clk, .rst, .paper, .ask, .asked, .first,
      .in_last(head_last),
      .in_valid(head_valid),
      .in_header(head_header),
      .in_taken(out_taken),
      .out_at(lane_at),
      .out_last(offer_last),
      .out_valid(offer_valid),
      .out_open(offer_open),
      .out_ready(crosses),
      .out_empty,
      .obs_worm(lane_worm),
      .obs_flit(lane_seen),
      .obs_blocked(lane_blocked)
  );

  // A port sends what its lane offers if it has one lane, else the flit of the lane whose turn it is.
  if (V == 1) begin : g_ports
    wire unused_open = &{1'b0, offer_open};
    assign head_taken = out_taken;
    assign lane_flit = in_flit;
    assign lane_last = in_last;
    assign crosses = out_ready;
    assign out_valid = offer_valid;
    assign out_last = offer_last;
    assign obs_worm = lane_worm;
    assign obs_flit = lane_seen;
    assign obs_blocked = lane_blocked;
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      wh_cross #(.PORTS(PORTS), .SKIP(BACK[o] ? PORTS : o), .FLIT_W(FLIT_W), .SMALL(SMALL)) u_cross (
          .valid(offer_valid[o]),
          .at(lane_at[o*AT_W+:AT_W]),
          .in_flit(head_flit),
          .out_flit(out_flit[o*FLIT_W+:FLIT_W])
      );
    end
  end else begin : g_shared
    logic [PORTS*AT_W-1:0] port_at;
    logic [PORTS-1:0] port_valid;

    wh_ports #(.PORTS(PORTS), .V(V), .SINGLE(SINGLE), .AT_W(AT_W)) u_ports (
        .clk, .rst, .ask, .offer_valid, .offer_open, .offer_last,
        .offer_at(lane_at),
        .lane_worm,
        .lane_flit(lane_seen),
        .lane_blocked, .crosses, .first, .able, .kept,
        .in_taken(head_taken),
        .out_valid, .out_ready, .out_last, .port_valid, .port_at, .obs_worm, .obs_flit, .obs_blocked
    );

    for (genvar p = 0; p < PORTS; p++) begin : g_port
      localparam integer LOW = p < SINGLE ? p : SINGLE + (p - SINGLE) * V, MANY = p < SINGLE ? 1 : V;
      assign lane_flit[LOW*FLIT_W+:MANY*FLIT_W] = {MANY{in_flit[p*FLIT_W+:FLIT_W]}};
      assign lane_last[LOW+:MANY] = {MANY{in_last[p]}};
      wh_cross #(
          .PORTS(LANES), .SKIP(BACK[p] ? LANES : LOW), .SKIPS(MANY), .FLIT_W(FLIT_W), .SMALL(SMALL), .SHARED(1)
      ) u_cross (
          .valid(port_valid[p]),
          .at(port_at[p*AT_W+:AT_W]),
          .out_flit(out_flit[p*FLIT_W+:FLIT_W]),
          .in_flit(head_flit)
      );
    end
  end

  assign busy = |head_valid;
  assign in_left = head_taken;

`ifdef FORMAL
  wire [LANES-1:0] head_fresh = head_header & f_new;
  logic [LANES-1:0] f_new;  // the head is new in this cycle
  // Flits carry the lane they ask for, the lane they came by, and something else. What comes by one input (any) leaves
  // as from a queue of BUFFERS, each worm by the lane its header asks for; on one output lane (any) worms do not mix. Of two
  // headers (any) that ask for one output the first come goes first, and no output is idle that could be used.
  // With ADAPTIVE = 1 what a header carries is the number of a set (any sets, some lanes of them late): it goes by one lane of it.
  (* anyconst *) logic [LANE_W-1:0] f_from, f_to, f_rival;
  localparam integer F_COUNT_W = $clog2(BUFFERS + 1), F_W = FLIT_W + 2;
  logic [F_COUNT_W-1:0] f_count;
  logic f_starts;  // the next flit that comes is the first of a worm
  logic [BUFFERS*F_W-1:0] f_words;  // first of a worm, last, flit; the oldest in the lowest bits
  wire [F_W-1:0] f_first = f_words[F_W-1:0];
  logic [LANE_W-1:0] f_port;  // where the worm at the head of the queue went
  logic f_open;  // a worm is crossing the output
  logic [LANE_W-1:0] f_owner;
  logic [LANES-1:0] f_offered, f_crosses;
  logic [LANES-1:0] f_waited;  // inputs whose header was there in the cycle before, and did not cross
  logic [LANES-1:0] f_leaves;  // inputs of which a flit crosses
  logic [LANES-1:0] f_asks;  // inputs whose header asks for f_to
  logic f_was_first;  // what waits by f_from came before what waits by f_rival
  wire [LANES-1:0] f_there = head_fresh | f_waited;

  // The signals at the port of each lane.
  logic [LANES*FLIT_W-1:0] f_out;
  logic [LANES-1:0] f_last, f_worm, f_flit, f_blocked;
  logic [LANES-1:0] f_many;  // its port has others
  logic [LANES*LANES-1:0] f_beside;  // bit a*LANES+b: lanes a and b are of one port
  for (genvar l = 0; l < LANES; l++) begin : g_f_lane
    localparam integer P = l < SINGLE ? l : SINGLE + (l - SINGLE) / V;
    assign f_out[l*FLIT_W+:FLIT_W] = out_flit[P*FLIT_W+:FLIT_W];
    assign {f_last[l], f_worm[l], f_flit[l], f_blocked[l]} = {out_last[P], obs_worm[P], obs_flit[P], obs_blocked[P]};
    assign f_many[l] = V > 1 && l >= SINGLE;
    for (genvar m = 0; m < LANES; m++) begin : g_f_beside
      assign f_beside[l*LANES+m] = (m < SINGLE ? m : SINGLE + (m - SINGLE) / V) == P;
    end
  end
  wire [LANES-1:0] f_ours = f_beside[f_to*LANES+:LANES];  // lanes of the port of f_to
  logic [LANES-1:0] f_left_ready, f_left_empty;  // as a lane was, without a flit, when last one of its port was ready
  logic f_could;  // in that cycle f_to could send, and did not
  logic [LANES-1:0] f_asks_port;  // inputs whose header asks for one of these

  // The sets by their numbers; f_alone: each is the lane with that number.
  logic [LANES*LANES-1:0] f_set, f_late;
  if (ADAPTIVE != 0) begin : g_f_sets
    (* anyconst *) logic [LANES*LANES-1:0] any_set, any_late;
    assign f_set  = any_set;
    assign f_late = any_late & any_set;
    always_comb for (int a = 0; a < LANES; a++) assume (any_set[a*LANES+:LANES] != '0);
  end else begin : g_f_lanes
    always_comb for (int a = 0; a < LANES; a++) f_set[a*LANES+:LANES] = LANES'(1) << a;
    assign f_late = '0;
  end
  logic f_alone;
  always_comb begin
    f_alone = 1'b1;
    for (int a = 0; a < LANES; a++) if (f_set[a*LANES+:LANES] != LANES'(1) << a) f_alone = 1'b0;
  end
  logic [LANE_W-1:0] f_by;  // the lane by which a flit of f_from crosses
  always_comb begin
    f_by = '0;
    for (int o = 0; o < LANES; o++) if (f_crosses[o]) f_by = f_by | LANE_W'(o);
  end
  wire [LANES-1:0] f_mine = f_set[head_flit[f_from*FLIT_W+:LANE_W]*LANES+:LANES];  // that f_from may have
  wire [LANES-1:0] f_mine_late = f_late[head_flit[f_from*FLIT_W+:LANE_W]*LANES+:LANES];
  // Nothing but a message can keep f_to from f_from: see `clear` of wh_choose.
  wire f_unguarded = f_mine_late == '0 || f_mine_late[f_to];

  // The number of the lane or set that the header which comes asks for.
  logic [LANES*LANE_W-1:0] f_asked;
  always_comb
    for (int i = 0; i < LANES; i++)
      f_asked[i*LANE_W+:LANE_W] = spare_full[i] ? spare_flit[i*FLIT_W+:LANE_W] : lane_flit[i*FLIT_W+:LANE_W];

  always_comb begin
    f_leaves = '0;
    for (int o = 0; o < LANES; o++) begin
      f_offered[o] = out_valid[o] && f_out[o*FLIT_W+LANE_W+:LANE_W] == f_from;
      for (int i = 0; i < LANES; i++)
        if (out_valid[o] && out_ready[o] && f_out[o*FLIT_W+LANE_W+:LANE_W] == LANE_W'(i)) f_leaves[i] = 1'b1;
    end
    f_crosses = f_offered & out_ready;
    for (int i = 0; i < LANES; i++) begin
      f_asks[i] = f_there[i] && f_set[head_flit[i*FLIT_W+:LANE_W]*LANES+f_to];
      f_asks_port[i] = f_there[i] && (f_set[head_flit[i*FLIT_W+:LANE_W]*LANES+:LANES] & f_ours) != '0;
    end
  end
  wire f_tie = early[f_from] != early[f_rival] ? early[f_from] : early[f_from] ? f_from > f_rival : f_from < f_rival;
  wire f_goes_first = f_waited[f_from] && f_waited[f_rival] ? f_was_first :
      f_waited[f_from] == f_waited[f_rival] ? f_tie : f_waited[f_from];
  wire f_usable = f_open ? !in_empty[f_owner] : f_asks != '0 && (!paper || out_empty[f_to]);
  wire f_push = in_valid[f_from] && in_ready[f_from];
  wire f_pop = |f_crosses;
  wire [F_COUNT_W-1:0] f_rest = f_count - F_COUNT_W'(f_pop);
  wire [FLIT_W+1:0] f_in = {f_starts, lane_last[f_from], lane_flit[f_from*FLIT_W+:FLIT_W]};

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_from) < LANES && 32'(f_to) < LANES && 32'(f_rival) < LANES && f_rival != f_from);
    assume ((out_empty & ~out_ready) == '0);
    if (!$initstate) assume ($stable(paper) && $stable(early) && $stable(select) && $stable(seed));
    for (int i = 0; i < LANES; i++) begin
      if (V == 1 || in_valid[i]) assume (lane_flit[i*FLIT_W+LANE_W+:LANE_W] == LANE_W'(i));
      if (!$initstate && f_many[i] && (out_ready & f_beside[i*LANES+:LANES]) != '0) begin
        assume (!f_left_ready[i] || out_ready[i]);
        assume (!f_left_empty[i] || out_empty[i]);
      end
      if ((out_ready & f_beside[i*LANES+:LANES]) != '0) begin
        f_left_ready[i] <= out_ready[i] && !out_valid[i];
        f_left_empty[i] <= out_empty[i] && !out_valid[i];
      end
      assume (32'(lane_flit[i*FLIT_W+:LANE_W]) < LANES);
      assume (next_lane[i*NEXT_W+:NEXT_W] == (!next_comes[i] ? '0 : ADAPTIVE == 0 ? NEXT_W'(f_asked[i*LANE_W+:LANE_W]) :
              NEXT_W'({f_late[f_asked[i*LANE_W+:LANE_W]*LANES+:LANES], f_set[f_asked[i*LANE_W+:LANE_W]*LANES+:LANES]})));
      assume (LANE_BACK[i] || (f_beside[i*LANES+:LANES] & f_set[lane_flit[i*FLIT_W+:LANE_W]*LANES+:LANES]) == '0);
    end

    f_count <= f_rest + F_COUNT_W'(f_push);
    if (f_pop) f_words <= f_words >> F_W;
    if (f_push) begin
      f_starts <= lane_last[f_from];
      f_words[f_rest*F_W+:F_W] <= f_in;
    end
    if (f_pop && f_first[FLIT_W+1]) f_port <= f_by;
    if (out_valid[f_to] && out_ready[f_to]) begin
      f_open  <= !f_last[f_to];
      f_owner <= f_out[f_to*FLIT_W+LANE_W+:LANE_W];
    end
    f_new <= head_taken | ~head_valid;
    f_waited <= f_there & ~f_leaves;
    f_was_first <= f_goes_first;
    if ((out_ready & f_ours) != '0) f_could <= f_usable && out_ready[f_to] && !out_valid[f_to];
    if (rst) begin
      f_count <= '0;
      f_starts <= 1'b1;
      f_open <= 1'b0;
      f_could <= 1'b0;
      f_left_ready <= '0;
      f_left_empty <= '0;
      f_waited <= '0;
      f_new <= '1;
    end

    if (!$initstate) begin
      assert (in_ready[f_from] == (32'(f_count) < BUFFERS) && in_empty[f_from] == (f_count == '0));
      assert ((f_offered & (f_offered - 1'b1)) == '0);
      for (int o = 0; o < LANES; o++)
        if (f_offered[o]) begin
          assert (f_count != '0);
          assert ({f_last[o], f_out[o*FLIT_W+:FLIT_W]} == f_first[FLIT_W:0]);
          assert (f_first[FLIT_W+1] ? f_set[f_first[LANE_W-1:0]*LANES+o] : f_port == LANE_W'(o));
        end
      if (out_valid[f_to] && f_open) assert (f_out[f_to*FLIT_W+LANE_W+:LANE_W] == f_owner);
      if (!$past(rst) && $past(out_valid[f_to] && !out_ready[f_to])) begin
        assert (out_valid[f_to] && f_last[f_to] == $past(f_last[f_to]));
        assert (f_out[f_to*FLIT_W+:FLIT_W] == $past(f_out[f_to*FLIT_W+:FLIT_W]));
      end
      if (f_count != '0) assert (head_flit[f_from*FLIT_W+:FLIT_W] == f_first[FLIT_W-1:0]);
      assert (head_fresh[f_from] == (f_count != '0 && f_first[FLIT_W+1] && !f_waited[f_from]));
      if (f_alone && f_asks[f_from] && f_asks[f_rival] && f_goes_first) assert (!f_leaves[f_rival]);
      // A header has another lane already if a lane that it may have is idle, or goes to one that came later.
      if (V == 1 && !paper && f_asks[f_from] && f_unguarded && !f_open && !f_offered[f_to] &&
          (!out_valid[f_to] || f_out[f_to*FLIT_W+LANE_W+:LANE_W] == f_rival && f_goes_first))
        assert (f_offered != '0);
      if (!f_many[f_to]) begin
        assert (!out_valid[f_to] || f_usable);
        if (f_alone) assert (out_valid[f_to] == f_usable);
        assert (f_flit[f_to] == (out_valid[f_to] && out_ready[f_to]));
        assert (f_worm[f_to] == (out_valid[f_to] && out_ready[f_to] && !f_open));
      end else begin
        assert (!out_valid[f_to] || f_usable && out_ready[f_to]);
        assert (((out_valid & f_ours) & ((out_valid & f_ours) - 1'b1)) == '0);
        if (f_alone && f_usable && out_ready[f_to]) assert ((out_valid & f_ours) != '0);
        assert (f_flit[f_to] == |(out_valid & f_ours));
        if (out_valid[f_to]) assert (f_worm[f_to] == !f_open);
        // wh_share relies on this: a lane that can send can until it does, whenever its port sends.
        if (f_alone && f_could && (out_ready & f_ours) != '0) assert (f_usable && out_ready[f_to]);
        if ((out_valid & f_ours) == '0) assert (!f_worm[f_to]);
      end
      assert (!f_blocked[f_to] || |(f_asks_port & ~f_leaves));
      if (f_alone) assert (f_blocked[f_to] == |(f_asks_port & ~f_leaves));
      if ($past(rst)) assert (!busy);
      if (f_count != '0) assert (busy);
      assert (in_left[f_from] == f_pop);

      cover (f_pop && f_first[FLIT_W] && !f_first[FLIT_W+1] && f_port == f_to);
      if (V == 1) cover (&(out_valid & out_ready));
      if (V == 1) cover (f_pop && f_owner != f_from && !f_open && f_first[FLIT_W+1] && |(f_crosses & f_blocked));
      // Two worms on one link, flit by flit.
      if (V > 1)
        cover (f_many[f_to] && f_open && |($past(out_valid) & f_ours & ~out_valid) && out_valid[f_to] && f_many[f_from] &&
               f_to != f_port && f_ours[f_port]);
      cover (f_asks[f_from] && f_asks[f_rival] && f_leaves[f_from] && f_was_first && !f_tie && &f_waited);
      // Two headers that may have the same two lanes cross together.
      if (ADAPTIVE != 0 && V == 1)
        cover (f_from != f_rival && f_asks[f_from] && f_asks[f_rival] && f_leaves[f_from] && f_leaves[f_rival] && !f_open &&
               out_valid[f_to] && f_waited[f_from] && f_mine == f_set[head_flit[f_rival*FLIT_W+:LANE_W]*LANES+:LANES]);
    end
  end
`endif
endmodule

`default_nettype wire
