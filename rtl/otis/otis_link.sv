// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A channel of light between two routers: a flit takes LIGHT_CYCLES cycles longer than over a wire, and the light carries
// one every LIGHT_RATIO cycles. Flits under way cannot be stopped. So for each lane there is a buffer at the far end, and
// the near end sends a flit only where it knows of room: it has credits, of which each goes back when a flit leaves that
// buffer, as slowly as light goes. What stands in one lane never stops the other. fabric puts one on each optical link
// of an OTIS network.
//
// Latency: a flit that comes in at one clock edge can go out at the edge LIGHT_CYCLES + LIGHT_RATIO - 1 cycles later (the
// last part of it is that long under way), and does unless a flit before it in its lane, the far end, or with V = 2 a flit of
// the other lane keeps it. Throughput: a flit every LIGHT_RATIO cycles, over all lanes. A lane whose flits nothing
// kept since it was last empty sends at this rate: credits that are still on their way back never slow it down.
// With LIGHT_CYCLES = 0 and LIGHT_RATIO = 1 this is a wire.
//
// BUFFERS > 0 is for a link of any sort that is LIGHT_CYCLES cycles long and has nothing but wires and registers: the credits
// are then those of the far router's own buffers, of BUFFERS flits a lane, and each goes back when a flit leaves that buffer
// (out_left). BACK_CYCLES of these cycles are the link's and make the credits as late; the rest are stages of the router at
// the near end, behind its buffers, which credits do not go through. Throughput: a flit in each cycle if BUFFERS is
// LIGHT_CYCLES + BACK_CYCLES + 2 or more and the router keeps none waiting, else BUFFERS of a lane in that number of cycles.
// LIGHT_RATIO is 1, V 1 to 8; in_empty says that all credits are at home, so that the far buffer is empty.
//
// Ports, bit v of valid, ready and empty for lane (virtual channel) v; flit and last are shared by all lanes:
// - in_*: the near end, wired to the out_* of a wh_router, whose handshake it is: a flit passes at an edge at which valid
//   and ready of its lane are 1; valid is 1 for one lane at most. in_ready does not look at in_valid. Once it is 1 it
//   stays so until a flit comes, with one exception: with LIGHT_RATIO > 1, after a flit of either lane, it is 0
//   for both for LIGHT_RATIO - 1 cycles, and then 1 again where it was.
// - in_empty: as far as the near end knows, nothing of this lane is under way, and the buffer of the router at the far end
//   is empty (out_empty, as old as light takes). It is then so indeed. For `paper` timing, see wh_output.
// - out_*: the far end, wired to the in_* of a wh_router. With V = 1 a flit that is offered stays until it is taken. With
//   V = 2 out_valid is 1 only where out_ready is, for one lane by turns (wh_share). out_ready that is 1 must stay so until
//   a flit comes; with out_empty = 1 too, and out_empty then must be 1 until a flit comes.
// - out_left: with BUFFERS > 0 the in_left of the far router; out_ready, which is then 1 whenever a flit comes, and out_empty
//   are ignored. Otherwise tie it to 0.
// - busy: flits are under way. moving: something is, be it only credits; for a watchdog.
//
// Reset: synchronous, one cycle; together with both routers, or while they are empty and nothing is under way. In an FPGA
// a lane's buffer is 2*LIGHT_CYCLES+1 words (LIGHT_CYCLES+1 if LIGHT_RATIO is above 1). A flit lies there from the moment
// in which it is sent; what takes time is that the far end learns of it.
//
// Over 400 lines because the proof of this contract stands at the end.
`default_nettype none

module otis_link #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer V = 1,  // lanes, 1 or 2; with BUFFERS 1..8
    parameter integer LIGHT_CYCLES = 4,  // cycles that light takes longer than a wire, 0..63; with BUFFERS 1..78
    parameter integer LIGHT_RATIO = 1,  // cycles of a flit on its way out of the near end, 1..16
    parameter integer BACK_CYCLES = LIGHT_CYCLES,  // with BUFFERS: cycles that credits take longer, 0..LIGHT_CYCLES
    parameter integer BUFFERS = 0  // flits that the far router's buffer holds, 2..64, if credits count these; else 0
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire               clk,
    input  wire               rst,
    // verilator lint_on UNUSEDSIGNAL
    // near end
    input  wire  [FLIT_W-1:0] in_flit,
    input  wire               in_last,
    input  wire  [     V-1:0] in_valid,
    output logic [     V-1:0] in_ready,
    output logic [     V-1:0] in_empty,
    // far end
    output logic [FLIT_W-1:0] out_flit,
    output logic              out_last,
    output logic [     V-1:0] out_valid,
    input  wire  [     V-1:0] out_ready,
    input  wire  [     V-1:0] out_empty,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [     V-1:0] out_left,  // a flit leaves the far router's buffer
    // verilator lint_on UNUSEDSIGNAL
    // state
    output logic              busy,      // flits are under way
    output logic              moving     // flits or credits are
); /*verilator no_inline_module*/
  if (FLIT_W < 1) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end
  if (V < 1 || V > (BUFFERS != 0 ? 8 : 2)) begin : g_V illegal_V u_illegal (); end
  if (LIGHT_CYCLES < 0 || LIGHT_CYCLES > (BUFFERS != 0 ? 78 : 63)) begin : g_LIGHT_CYCLES illegal_LIGHT_CYCLES u_illegal (); end
  if (BACK_CYCLES != LIGHT_CYCLES && (BUFFERS == 0 || BACK_CYCLES < 0 || BACK_CYCLES > LIGHT_CYCLES)) begin : g_BACK_CYCLES
    illegal_BACK_CYCLES u_illegal ();
  end
  if (BUFFERS != 0 && (BUFFERS < 2 || BUFFERS > 64 || LIGHT_CYCLES == 0)) begin : g_BUFFERS illegal_BUFFERS u_illegal (); end
  if (LIGHT_RATIO < 1 || LIGHT_RATIO > (BUFFERS != 0 ? 1 : 16)) begin : g_LIGHT_RATIO illegal_LIGHT_RATIO u_illegal (); end

  localparam integer DELAY = LIGHT_CYCLES + LIGHT_RATIO - 1;
  // Room for what a lane sends until the first credit is back; and one more than the credits that may be under way, so
  // that they need not be waited for (see Throughput).
  localparam integer DEPTH = LIGHT_RATIO == 1 ? 2 * LIGHT_CYCLES + 1 : LIGHT_CYCLES + 1;
  localparam integer AT_W = DEPTH <= 2 ? 1 : $clog2(DEPTH), COUNT_W = $clog2(DEPTH + 1);
  localparam integer FLIGHT = (DELAY < 2 ? 1 : DELAY - 1) * V, WAY = (LIGHT_CYCLES < 1 ? 1 : LIGHT_CYCLES) * V;

  if (DELAY == 0) begin : g_wire
    assign in_ready = out_ready;
    assign in_empty = out_empty;
    assign out_flit = in_flit;
    assign out_last = in_last;
    assign out_valid = in_valid;
    assign busy = 1'b0;
    assign moving = 1'b0;
  end
  if (DELAY != 0 && BUFFERS != 0) begin : g_far
    localparam integer FAR_W = $clog2(BUFFERS + 1);
    // The first V bits of flight_q and back_q, and the first word of words_q: of the last cycle.
    localparam integer BACK = (BACK_CYCLES < 1 ? 1 : BACK_CYCLES) * V;
    logic [LIGHT_CYCLES*V-1:0] flight_q;
    logic [BACK-1:0] back_q;
    logic [LIGHT_CYCLES*(FLIT_W+1)-1:0] words_q;
    logic [V*FAR_W-1:0] credits_q;
    wire [V-1:0] sent = in_valid & in_ready, home = BACK_CYCLES == 0 ? out_left : back_q[BACK-1-:V];
    wire unused_far = &{1'b0, out_ready, out_empty};

    always_ff @(posedge clk) begin
      if (|{in_valid, out_left, flight_q, back_q}) begin
        flight_q <= (LIGHT_CYCLES * V)'({flight_q, sent});
        back_q <= BACK_CYCLES == 0 ? {BACK{1'b0}} : BACK'({back_q, out_left});
        words_q <= (LIGHT_CYCLES * (FLIT_W + 1))'({words_q, in_last, in_flit});
        for (int v = 0; v < V; v++)
          if (sent[v] != home[v])
            credits_q[v*FAR_W+:FAR_W] <= home[v] ? credits_q[v*FAR_W+:FAR_W] + 1'b1 : credits_q[v*FAR_W+:FAR_W] - 1'b1;
      end
      if (rst) begin
        flight_q <= '0;
        back_q <= '0;
        credits_q <= {V{FAR_W'(BUFFERS)}};
      end
    end

    for (genvar v = 0; v < V; v++) begin : g_lane
      assign in_ready[v] = credits_q[v*FAR_W+:FAR_W] != '0;
      assign in_empty[v] = credits_q[v*FAR_W+:FAR_W] == FAR_W'(BUFFERS);
    end
    assign out_valid = flight_q[LIGHT_CYCLES*V-1-:V];
    assign {out_last, out_flit} = words_q[LIGHT_CYCLES*(FLIT_W+1)-1-:FLIT_W+1];
    assign busy = |flight_q;
    assign moving = |{flight_q, back_q};
  end
  if (DELAY != 0 && BUFFERS == 0) begin : g_light
    // A lane's bit in the first V of flight_q: a flit was sent in the last cycle; of back_q: one left the buffer.
    logic [FLIGHT-1:0] flight_q;
    logic [WAY-1:0] back_q, far_q;
    logic [3:0] gap_q;  // cycles until the light is free
    logic [V-1:0] held, full;  // there are flits at the far end; all credits are at home
    logic [V*(FLIT_W+1)-1:0] head;
    wire [V-1:0] sent = in_valid & in_ready, taken = out_valid & out_ready;
    wire [V-1:0] comes, home, far;
    wire stirs = |in_valid || moving || |held || gap_q != '0 || !(&far_q) || !(&out_empty);

    if (DELAY == 1) begin : g_comes_now
      assign comes = sent;
    end else begin : g_comes
      assign comes = flight_q[FLIGHT-V+:V];
    end
    if (LIGHT_CYCLES == 0) begin : g_home_now
      assign home = taken;
      assign far = out_empty;
    end else begin : g_home
      assign home = back_q[WAY-V+:V];
      assign far = far_q[WAY-V+:V];
    end

    always_ff @(posedge clk) begin
      if (stirs) begin
        flight_q <= DELAY == 1 ? {FLIGHT{1'b0}} : FLIGHT'({flight_q, sent});
        back_q <= LIGHT_CYCLES == 0 ? {WAY{1'b0}} : WAY'({back_q, taken});
        far_q <= LIGHT_CYCLES == 0 ? {WAY{1'b1}} : WAY'({far_q, out_empty});
        if (sent != '0) gap_q <= 4'(LIGHT_RATIO - 1);
        else if (gap_q != '0) gap_q <= gap_q - 1'b1;
      end
      if (rst) begin
        flight_q <= '0;
        back_q <= '0;
        far_q <= '1;
        gap_q <= '0;
      end
    end

    for (genvar v = 0; v < V; v++) begin : g_lane
      logic [FLIT_W:0] words[2**AT_W];
      logic [AT_W-1:0] put_q, get_q;  // of the next flit that is sent, and that leaves
      logic [COUNT_W-1:0] credits_q, held_q;
      always_ff @(posedge clk) begin
        if (stirs) begin
          if (sent[v]) words[put_q] <= {in_last, in_flit};
          if (sent[v]) put_q <= put_q + 1'b1;
          if (taken[v]) get_q <= get_q + 1'b1;
          if (comes[v] != taken[v]) held_q <= comes[v] ? held_q + 1'b1 : held_q - 1'b1;
          if (sent[v] != home[v]) credits_q <= home[v] ? credits_q + 1'b1 : credits_q - 1'b1;
        end
        if (rst) begin
          put_q <= '0;
          get_q <= '0;
          held_q <= '0;
          credits_q <= COUNT_W'(DEPTH);
        end
      end
      assign in_ready[v] = gap_q == '0 && credits_q != '0;
      assign full[v] = credits_q == COUNT_W'(DEPTH);
      assign held[v] = held_q != '0;
      assign head[v*(FLIT_W+1)+:FLIT_W+1] = words[get_q];
    end

    if (V == 1) begin : g_one
      assign out_valid = held;
      assign {out_last, out_flit} = head;
    end else begin : g_two
      wh_share #(.LINKS(1), .V(V)) u_share (
          .clk, .rst,
          .asked(held),
          .has(held),
          .room(out_ready),
          .may(out_valid),
          // verilator lint_off PINCONNECTEMPTY
          .keeps()  // the early crossings are not needed here
          // verilator lint_on PINCONNECTEMPTY
      );
      assign {out_last, out_flit} = out_valid[0] ? head[FLIT_W:0] : head[V*(FLIT_W+1)-1-:FLIT_W+1];
    end

    assign in_empty = in_ready & full & far;
    assign busy = |flight_q || |held;
    assign moving = |flight_q || |back_q;
  end

`ifdef FORMAL
  // All that goes into one lane (any) comes out, in order, whole and once; one flit of it (any) is followed. The other
  // lane's ends may do anything at any time.
  logic f_started = 1'b0;
  (* anyconst *) logic f_any;
  wire f_v = V > 1 && f_any;
  wire f_other = V > 1 && !f_any;
  wire f_push = in_valid[f_v] && in_ready[f_v], f_pop = out_valid[f_v] && out_ready[f_v];
  wire f_push_other = V > 1 && in_valid[f_other] && in_ready[f_other];
  wire f_pop_other = V > 1 && out_valid[f_other] && out_ready[f_other];
  logic [7:0] f_count, f_count_other;  // flits of a lane that are in here
  logic [7:0] f_since;  // cycles since a flit was sent, of any lane; 255: or more, or none
  logic [7:0] f_quiet;  // cycles for which nothing of the lane was in here and the far end was empty
  logic f_kept;  // since the lane was last empty some flit of it could have gone out and did not
  logic [V-1:0] f_was;  // ready when one was last, and no flit came
  // The flit that is followed.
  (* anyseq *) logic f_choose;
  logic f_follows;
  logic [FLIT_W:0] f_flit;
  logic [7:0] f_ahead, f_age;  // flits before it; cycles since it came in

  if (DELAY == 0) begin : g_f_wire
    always_comb begin
      assert (in_ready == out_ready && in_empty == out_empty && out_valid == in_valid && !busy && !moving);
      assert ({out_last, out_flit} == {in_last, in_flit});
      cover (out_valid[0] && in_ready[0]);
    end
  end
  if (DELAY != 0 && BUFFERS != 0) begin : g_f_far
    // The far buffer of one lane (any); of the others it is anything that holds no more than it can. Flits that go in come out
    // LIGHT_CYCLES later, whole, and finds room.
    (* anyconst *) logic [2:0] f_lane;
    logic [V*8-1:0] f_far, f_flying;  // flits in the buffer of each lane; under way
    logic [7:0] f_quick;  // cycles for which each flit in the buffer has left in the cycle after it came
    logic [V*8-1:0] f_returning;
    wire [V-1:0] f_in = in_valid & in_ready, f_out = out_valid;
    localparam integer F_BACK = BACK_CYCLES < 1 ? 1 : BACK_CYCLES;
    wire [LIGHT_CYCLES*V-1:0] f_flight = g_far.flight_q;
    wire [F_BACK*V-1:0] f_back = g_far.back_q;
    wire [V*$clog2(BUFFERS+1)-1:0] f_credits = g_far.credits_q;
    localparam integer F_FAR_W = $clog2(BUFFERS + 1);
    always_ff @(posedge clk) begin
      f_started <= 1'b1;
      if (!f_started) assume (rst);
      assume (32'(f_lane) < V);
      assume ((in_valid & (in_valid - 1'b1)) == '0);
      for (int v = 0; v < V; v++) begin
        if (f_started) assume (!out_left[v] || f_far[v*8+:8] != '0);
        f_far[v*8+:8] <= rst ? '0 : f_far[v*8+:8] + 8'(f_out[v]) - 8'(out_left[v]);
        f_flying[v*8+:8] <= rst ? '0 : f_flying[v*8+:8] + 8'(f_in[v]) - 8'(f_out[v]);
        f_returning[v*8+:8] <= rst ? '0 : f_returning[v*8+:8] + 8'(out_left[v]) - 8'(g_far.home[v]);
      end
      f_quick <= rst ? 8'hff : out_left[f_lane] != (f_far[f_lane*8+:8] != '0) ? 8'd0 : &f_quick ? f_quick : f_quick + 8'd1;
      if (f_started) begin
        for (int v = 0; v < V; v++) begin
          assert (32'(f_far[v*8+:8]) + 32'(f_flying[v*8+:8]) + 32'(f_returning[v*8+:8]) +
                  32'(f_credits[v*F_FAR_W+:F_FAR_W]) == BUFFERS);
          assert (in_empty[v] == (f_far[v*8+:8] + f_flying[v*8+:8] + f_returning[v*8+:8] == 8'd0));
          if (out_valid[v]) assert (32'(f_far[v*8+:8]) < BUFFERS);
        end
        assert ((out_valid & (out_valid - 1'b1)) == '0);
        assert (busy == (f_flying != '0) && moving == ({f_flying, f_returning} != '0));
        if (!$past(rst) && in_ready[f_lane] == 1'b0) assert (!$past(in_ready[f_lane]) || $past(in_valid[f_lane]));
        // Nothing kept: as many credits as the way there and back is long are enough for a flit in each cycle.
        if (BUFFERS >= LIGHT_CYCLES + BACK_CYCLES + 2 && (&f_quick)) assert (in_ready[f_lane]);
        cover (!in_ready[f_lane] && f_flying[f_lane*8+:8] == '0 && 32'(f_far[f_lane*8+:8]) == BUFFERS);
        cover (f_in[f_lane] && out_left[f_lane]);
      end
    end
    for (genvar k = 0; k < LIGHT_CYCLES; k++) begin : g_f_place  // for the induction, and for what comes out
      localparam integer F_LOW = k * (FLIT_W + 1);
      wire [FLIT_W:0] f_word = g_far.words_q[F_LOW+:FLIT_W+1];
      logic [FLIT_W:0] f_sent;
      always_ff @(posedge clk) if (f_started && !$past(rst) && |f_flight[k*V+:V]) assert (f_word == f_sent);
      if (k == 0) begin : g_first
        always_ff @(posedge clk) f_sent <= {in_last, in_flit};
      end else begin : g_next
        always_ff @(posedge clk) f_sent <= g_f_place[k-1].f_sent;
      end
    end
    logic [V*8-1:0] f_sum_flight, f_sum_back;
    always_comb begin
      for (int v = 0; v < V; v++) begin
        f_sum_flight[v*8+:8] = '0;
        f_sum_back[v*8+:8] = '0;
        for (int k = 0; k < LIGHT_CYCLES; k++) begin
          f_sum_flight[v*8+:8] = f_sum_flight[v*8+:8] + 8'(f_flight[k*V+v]);
          if (k < F_BACK) f_sum_back[v*8+:8] = f_sum_back[v*8+:8] + 8'(f_back[k*V+v]);
        end
      end
    end
    always_ff @(posedge clk)
      if (f_started)
        for (int v = 0; v < V; v++) assert (f_flying[v*8+:8] == f_sum_flight[v*8+:8] && f_returning[v*8+:8] == f_sum_back[v*8+:8]);
  end
  if (DELAY != 0 && BUFFERS == 0) begin : g_f_light
    // The lane's places in the delay line, the youngest in bit 0.
    logic [FLIGHT/V-1:0] f_flight;
    logic [7:0] f_before;
    wire [COUNT_W-1:0] f_held = f_v ? g_light.g_lane[V-1].held_q : g_light.g_lane[0].held_q;
    wire [AT_W-1:0] f_put = f_v ? g_light.g_lane[V-1].put_q : g_light.g_lane[0].put_q;
    wire [AT_W-1:0] f_get = f_v ? g_light.g_lane[V-1].get_q : g_light.g_lane[0].get_q;
    wire [AT_W-1:0] f_at = f_get + AT_W'(f_ahead);
    wire [FLIT_W:0] f_word = f_v ? g_light.g_lane[V-1].words[f_at] : g_light.g_lane[0].words[f_at];
    wire [V-1:0] f_sums, f_has_credit;  // of each lane: what it has of credits and flits is right; has credits
    for (genvar v = 0; v < V; v++) begin : g_f_lane
      logic [7:0] sum, flits;
      always_comb begin
        flits = 8'(g_light.g_lane[v].held_q);
        for (int i = 0; i < FLIGHT / V; i++) flits = flits + 8'(g_light.flight_q[i*V+v]);
        sum = flits + 8'(g_light.g_lane[v].credits_q);
        for (int i = 0; i < WAY / V; i++) sum = sum + 8'(g_light.back_q[i*V+v]);
      end
      assign f_sums[v] = 32'(sum) == DEPTH && flits == (v == 32'(f_v) ? f_count : f_count_other);
      assign f_has_credit[v] = g_light.g_lane[v].credits_q != '0;
    end
    wire f_free = 32'(f_since) >= LIGHT_RATIO;
    always_comb begin
      f_before = '0;
      for (int i = 0; i < FLIGHT / V; i++) begin
        f_flight[i] = g_light.flight_q[i*V+32'(f_v)];
        if (i >= 32'(f_age)) f_before = f_before + 8'(f_flight[i]);
      end
    end

    always_ff @(posedge clk) begin
      f_started <= 1'b1;
      if (!f_started) assume (rst);
      assume ((in_valid & (in_valid - 1'b1)) == '0);
      assume ((out_empty & ~out_ready) == '0);
      if (f_started && $past(rst)) assume (&out_empty);
      if (f_started && !$past(rst)) begin
        if (V > 1) assume (($past(out_ready & ~out_valid) & ~out_ready) == '0);
        assume (($past(out_empty & ~(out_valid & out_ready)) & ~out_empty) == '0);
      end

      f_count <= f_count + 8'(f_push) - 8'(f_pop);
      f_count_other <= f_count_other + 8'(f_push_other) - 8'(f_pop_other);
      if (f_push || f_push_other) f_since <= 8'd1;
      else if (!(&f_since)) f_since <= f_since + 8'd1;
      f_quiet <= f_count != '0 || f_push || !out_empty[f_v] ? '0 : &f_quiet ? f_quiet : f_quiet + 8'd1;
      f_kept <= f_count != '0 && (f_kept || f_held != '0 && !f_pop);
      if (|in_ready) f_was <= in_ready & ~in_valid;
      if (f_push && f_choose && (!f_follows || f_pop && f_ahead == '0)) begin
        f_follows <= 1'b1;
        f_flit <= {in_last, in_flit};
        f_ahead <= f_count - 8'(f_pop);
        f_age <= 8'd1;
      end else if (f_follows) begin
        if (f_pop && f_ahead == '0) f_follows <= 1'b0;
        if (f_pop) f_ahead <= f_ahead - 8'd1;
        if (!(&f_age)) f_age <= f_age + 8'd1;
      end
      if (rst) begin
        f_count <= '0;
        f_count_other <= '0;
        f_since <= '1;
        f_quiet <= '0;
        f_kept <= 1'b0;
        f_was <= '0;
        f_follows <= 1'b0;
      end

      if (f_started) begin
        assert (32'(f_count) <= DEPTH);
        assert (busy == (f_count != '0 || f_count_other != '0));
        if (busy) assert (moving || |g_light.held);
        // Nothing comes of nothing, and of two lanes one at a time, where there is room.
        if (out_valid[f_v]) assert (f_count != '0);
        if (V > 1) assert ((out_valid & ~out_ready) == '0 && (out_valid & (out_valid - 1'b1)) == '0);
        if (V == 1 && !$past(rst) && $past(out_valid[0] && !out_ready[0])) begin
          assert (out_valid[0]);
          assert ({out_last, out_flit} == $past({out_last, out_flit}));
        end
        if (f_follows) begin
          assert (f_ahead < f_count);
          if (out_valid[f_v] && f_ahead == '0) begin
            assert ({out_last, out_flit} == f_flit);
            assert (32'(f_age) >= DELAY);
          end
          // At its time it goes, if it is the first of its lane, there is room, and it is not the other lane's turn.
          if (f_ahead == '0 && 32'(f_age) >= DELAY)
            assert (out_valid[f_v] || V > 1 && (!out_ready[f_v] || out_valid[f_other]));
        end
        // It sends no faster than light takes flits, and no slower where nothing is kept, whatever the other lane does.
        if (in_ready[f_v]) assert (f_free);
        if (!f_kept) assert (in_ready[f_v] == f_free);
        if (|in_ready) assert ((f_was & ~in_ready) == '0);
        if (in_empty[f_v]) assert (in_ready[f_v] && f_count == '0 && out_empty[f_v]);
        if (f_free && 32'(f_quiet) > LIGHT_CYCLES) assert (in_empty[f_v]);

        if (DEPTH > 1) cover (f_follows && f_pop && f_ahead == '0 && 32'(f_age) == DELAY && f_kept);
        cover (f_free && !in_ready[f_v] && f_count == 8'(DEPTH));
        cover (f_push && 32'(f_since) == LIGHT_RATIO && !f_kept && $past(f_count) == $past(f_count, LIGHT_RATIO));
        if (LIGHT_CYCLES > 0) cover (f_push && $past(f_count == '0 && moving));
        if (V > 1) cover (f_pop && 32'(f_count_other) == DEPTH && !out_ready[f_other] && f_kept == 1'b0 && f_age == 8'(DELAY));

        // For the induction.
        assert (&f_sums && (f_was & ~f_has_credit) == '0);
        if (V == 1) assert (f_count_other == '0);
        assert (AT_W'(f_put - f_get) == AT_W'(f_count));
        assert (32'(g_light.gap_q) == (f_free ? 0 : LIGHT_RATIO - 32'(f_since)));
        assert (f_since != '0);
        if (DELAY == 1) assert (g_light.flight_q == '0);
        if (LIGHT_CYCLES == 0) assert (g_light.back_q == '0 && &g_light.far_q);
        if (!f_kept) assert (32'(f_held) <= 1);
        if (f_follows) begin
          assert (f_word == f_flit && f_age != '0);
          if (32'(f_age) < DELAY) assert (f_flight[f_age-8'd1] && f_ahead == f_before + 8'(f_held));
          else assert (f_ahead < 8'(f_held));
        end
        for (int i = 0; i < FLIGHT / V; i++) begin
          if (i + 1 < 32'(f_since)) assert (g_light.flight_q[i*V+:V] == '0);
          for (int k = 0; k < i; k++)
            if (i - k < LIGHT_RATIO && |g_light.flight_q[i*V+:V]) assert (g_light.flight_q[k*V+:V] == '0);
        end
      end
    end
  end
`endif
endmodule

`default_nettype wire
