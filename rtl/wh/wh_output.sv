// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The control of a wormhole router's outputs: each gives its channel to one message (worm) at a time, from header to
// tail, in the order of wh_order. Part of wh_router. The flits themselves do not pass here but through wh_cross.
//
// Latency: none, outputs follow combinationally from the inputs' buffers, from wh_order and, with `paper`, from
// out_empty. out_valid does not depend on out_ready; in_taken and obs_* do. Throughput: one flit per channel and cycle,
// and the header of the next message in the cycle after the last tail.
//
// Ports:
// - paper: when a header may take a free channel. 0: at once, if there is room in the buffer at the channel's far end.
//   1: only in a cycle in which that buffer is empty; this is the timing of the machine of [Hou01]
//   (docs/references.md). Constant after reset; tie it to 0 unless you compare cycles with it.
// - ask, first: from wh_order. A channel belongs to the message that asks for it and is first. With SHARED = 1 first is 1
//   only where in_valid is, too (wh_claim). A message that is not first may ask for several (wh_choose).
// - in_valid, in_header: heads of the inputs' buffers; a flit stays until in_taken is 1 for its input. With SHARED = 1
//   in_taken is 0: wh_ports says it earlier.
// - out_valid: once it is 1 it stays until an edge at which out_ready is 1. out_at, as
//   wh_cross takes it, and out_last mean something only where it is 1.
// - out_open: with SHARED = 1 a flit may cross where out_valid and out_open are 1, and out_ready is 1 only where it does:
//   what comes late is then in one term only. Otherwise out_valid has out_open in it.
// - out_empty: nothing is in the buffer at the far end. Where it is 1, out_ready must be 1, but not with SHARED. Looked at
//   only with paper = 1; tie it to 0 with paper = 0.
// - obs_worm, obs_flit, obs_blocked: a header, any flit, crosses at this clock edge; a header waits for this output and
//   does not cross. For counters only; may be left open.
//
// Reset: rst = 1 at one edge frees all channels. It must go with the reset of wh_input and wh_order: a message cut in
// two by a reset would never give back its channel. Legal parameters: PORTS from 2 to 64.
`default_nettype none

module wh_output #(
    parameter integer PORTS = 9,  // inputs and outputs, 2..64
    parameter [PORTS-1:0] BACK = {PORTS{1'b1}},  // bit p: messages of input p may have output p
    parameter integer SMALL = 0,  // 1: less logic, slower simulation: see wh_cross
    parameter integer SINGLE = 0,  // as in wh_router
    parameter integer V = 1,
    parameter integer SHARED = 0,  // 1: out_ready depends on out_valid (wh_share); a simulator then wants them apart
    localparam integer AT_W = SMALL == 0 && SHARED != 0 ? PORTS : SMALL != 0 ? 1 + (PORTS + 1) / 2 : $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,      // 1: a header waits for an empty buffer at the far end; else 0
    // messages at the inputs, see wh_order
    input  wire  [ PORTS*PORTS-1:0] ask,
    input  wire  [ PORTS*PORTS-1:0] asked,
    input  wire  [       PORTS-1:0] first,
    // the inputs' buffers
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [       PORTS-1:0] in_header,    // the flit at the head is a header; with SHARED not looked at
    // verilator lint_on UNUSEDSIGNAL
    output logic [       PORTS-1:0] in_taken,     // the flit at the head crosses at this edge; with SHARED 0
    // channels; whose flit it is, see wh_cross
    output logic [  PORTS*AT_W-1:0] out_at,
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] out_valid,
    output logic [       PORTS-1:0] out_open,   // with SHARED: a flit of out_valid may cross
    input  wire  [       PORTS-1:0] out_ready,
    input  wire  [       PORTS-1:0] out_empty,  // used only with paper = 1, else tie to 0
    // observation
    output logic [       PORTS-1:0] obs_worm,   // a header crosses
    output logic [       PORTS-1:0] obs_flit,   // a flit crosses
    output logic [       PORTS-1:0] obs_blocked  // some header waits for this output and does not cross
);
  if (PORTS < 2 || PORTS > 64) begin : g_PORTS illegal_PORTS u_illegal (); end
  if (SMALL < 0 || SMALL > 1) begin : g_SMALL illegal_SMALL u_illegal (); end

  logic [PORTS-1:0] held_q;  // a worm has the channel: its header has crossed, its tail has not

  // The message that was the first to ask may send, a header only if `paper` lets it.
  wire [PORTS-1:0] open = held_q | out_empty | {PORTS{!paper}};
  wire [PORTS-1:0] flows = SHARED == 0 ? first & in_valid : first;

  if (SHARED == 0) begin : g_alone
    wire [PORTS-1:0] pass = open & out_ready;
    always_comb begin : offer
      logic [PORTS-1:0] valid, taken;
      valid = '0;
      taken = '0;
      if (|in_valid) begin
        for (int i = 0; i < PORTS; i++) begin
          valid = valid | (ask[i*PORTS+:PORTS] & {PORTS{flows[i]}});
          taken = taken | PORTS'(flows[i] && (ask[i*PORTS+:PORTS] & pass) != '0) << i;
        end
      end
      out_valid = valid & open;
      in_taken  = taken;
    end
  end else begin : g_shared
    always_comb begin : offer
      logic [PORTS-1:0] valid;
      valid = '0;
      for (int i = 0; i < PORTS; i++) valid = valid | (ask[i*PORTS+:PORTS] & {PORTS{flows[i]}});
      out_valid = valid;
    end
    assign in_taken = '0;
  end

  // Input i is at place i of the multiplexer; where an output leaves those of its own port out, the last ones are in their place.
  if (SMALL != 0) begin : g_small
    // Only the first of an output's messages flows: no other place is chosen.
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      localparam integer LOW = o < SINGLE ? o : o - (o - SINGLE) % V, MANY = o < SINGLE ? 1 : V;
      logic [PORTS-1:0] from;
      logic [AT_W-1:0] at;
      always_comb begin : select
        from = asked[o*PORTS+:PORTS] & flows;
        if (!BACK[o]) begin
          from[LOW+:MANY] = from[PORTS-1-:MANY];
          from[PORTS-1-:MANY] = '0;
        end
        at = '0;
        for (int i = 0; i < PORTS; i++) at = at | AT_W'(from[i]) << (1 + i / 2) | AT_W'(from[i] && i % 2 == 1);
      end
      assign out_at[o*AT_W+:AT_W] = at;
      wh_cross #(.PORTS(PORTS), .SKIP(BACK[o] ? PORTS : LOW), .SKIPS(MANY), .FLIT_W(1), .SMALL(1)) u_last (
          .valid(out_valid[o]),
          .at,
          .in_flit(in_last),
          .out_flit(out_last[o])
      );
    end
  end else if (SHARED != 0) begin : g_shared_at
    assign out_at = asked & {PORTS{flows}};
    always_comb begin : select
      logic [PORTS-1:0] last;
      last = 'x;
      for (int o = 0; o < PORTS; o++) if (out_valid[o]) last[o] = |(asked[o*PORTS+:PORTS] & (flows & in_last));
      out_last = last;
    end
  end else begin : g_quick
    localparam [6*64-1:0] PLACES = {  // bit k*64+i: bit k of i
        64'hffffffff00000000, 64'hffff0000ffff0000, 64'hff00ff00ff00ff00, 64'hf0f0f0f0f0f0f0f0, 64'hcccccccccccccccc,
        64'haaaaaaaaaaaaaaaa};
    always_comb begin : select
      logic [PORTS*AT_W-1:0] at;
      logic [PORTS-1:0] last, from;
      logic [AT_W-1:0] place;
      place = '0;
      at   = 'x;
      last = 'x;
      from = '0;
      if (|out_valid) begin
        for (int o = 0; o < PORTS; o++) begin
          if (out_valid[o]) begin
            from = asked[o*PORTS+:PORTS] & first;
            last[o] = |(from & in_last);
            if (!BACK[o]) begin
              if (o < SINGLE) begin
                from[o] = from[PORTS-1];
                from[PORTS-1] = 1'b0;
              end else begin
                from[o-(o-SINGLE)%V+:V] = from[PORTS-1-:V];
                from[PORTS-1-:V] = '0;
              end
            end
            place = '0;
            for (int k = 0; k < AT_W; k++) place = place | AT_W'((from & PLACES[k*64+:PORTS]) != '0) << k;
            at[o*AT_W+:AT_W] = place;
          end
        end
      end
      out_at   = at;
      out_last = last;
    end
  end

  assign out_open = open;
  assign obs_flit = SHARED != 0 ? out_ready : out_valid & out_ready;
  assign obs_worm = obs_flit & ~held_q;

  if (SHARED == 0) begin : g_alone_blocked
    wire [PORTS-1:0] waits = in_header & ~in_taken;
    always_comb begin : stay
      logic [PORTS-1:0] left;
      left = '0;
      if (|waits)
        for (int i = 0; i < PORTS; i++) left = left | (ask[i*PORTS+:PORTS] & {PORTS{waits[i]}});
      obs_blocked = left;
    end
  end else begin : g_shared_blocked
    // A message without the turn waits; it is known late if the one with the turn does. Its flit is a header if no worm has
    // the channel.
    always_comb begin : stay
      logic [PORTS-1:0] others;
      others = '0;
      for (int i = 0; i < PORTS; i++) others = others | (ask[i*PORTS+:PORTS] & {PORTS{in_valid[i] && !first[i]}});
      obs_blocked = others | (out_valid & ~held_q & ~out_ready);
    end
  end

  always_ff @(posedge clk) begin
    held_q <= (held_q & ~obs_flit) | (obs_flit & ~out_last);
    if (rst) held_q <= '0;
  end

`ifdef FORMAL
  // One message at a time, from the header that was first to its tail; what is offered stays. On any output.
  logic f_open;  // a header has crossed, its tail has not
  (* anyconst *) logic [$clog2(PORTS)-1:0] f_any;
  localparam integer F_W = $clog2(PORTS);
  wire [F_W-1:0] f_o = 32'(f_any) < PORTS ? f_any : F_W'(0);
  logic [PORTS-1:0] f_asks;  // inputs whose message asks for it
  logic [PORTS-1:0] f_taken;  // the flit at the head crosses
  always_comb
    for (int i = 0; i < PORTS; i++) begin
      f_asks[i]  = ask[i*PORTS+f_o];
      f_taken[i] = SHARED != 0 ? first[i] && (ask[i*PORTS+:PORTS] & out_ready) != '0 : in_taken[i];
    end
  function automatic [AT_W-1:0] f_at(input [31:0] place);
    f_at = SMALL != 0 ? AT_W'(2) << (place / 2) | AT_W'(place % 2) : AT_W'(place);
  endfunction
  wire [PORTS-1:0] f_turn = f_asks & first;
  wire [31:0] f_many = 32'(f_o) < SINGLE ? 32'd1 : V, f_low = 32'(f_o) < SINGLE ? 32'(f_o) : 32'(f_o) - (32'(f_o) - SINGLE) % V;
  wire f_may = f_open || !paper || out_empty[f_o];
  wire f_valid = (f_turn & in_valid) != '0 && f_may;
  wire f_crosses = f_valid && out_ready[f_o];

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) begin
      assume ($stable(paper));
      if (SHARED == 0) assume ((out_empty & ~out_ready) == '0);
      else begin
        assume ((first & ~in_valid) == '0 && (out_ready & ~(out_valid & out_open)) == '0);
        for (int i = 0; i < PORTS; i++) if (f_asks[i] && in_valid[i]) assume (in_header[i] == !(first[i] && f_open));
      end
      assume ((f_turn & (f_turn - 1'b1)) == '0 && (SHARED != 0 || f_turn != '0 || f_asks == '0));
      for (int v = 0; v < V; v++) if (v < f_many) assume (BACK[f_o] || !f_asks[f_low+v]);
      for (int i = 0; i < PORTS; i++) for (int o = 0; o < PORTS; o++) assume (asked[o*PORTS+i] == ask[i*PORTS+o]);
      for (int i = 0; i < PORTS; i++) begin
        if (first[i]) assume ((ask[i*PORTS+:PORTS] & (ask[i*PORTS+:PORTS] - 1'b1)) == '0);
        if (in_header[i]) assume (in_valid[i]);
        if (in_valid[i]) assume (ask[i*PORTS+:PORTS] != '0);
        if (!$past(rst) && $past(in_valid[i]) && !$past(f_taken[i])) begin
          assume (in_valid[i] && in_header[i] == $past(in_header[i]) && in_last[i] == $past(in_last[i]));
          assume ((ask[i*PORTS+:PORTS] & ~$past(ask[i*PORTS+:PORTS])) == '0);
          if ($past(first[i])) assume (first[i] && ask[i*PORTS+:PORTS] == $past(ask[i*PORTS+:PORTS]));
        end
      end
    end

    if (f_crosses) f_open <= !out_last[f_o];
    if (rst) f_open <= 1'b0;

    if (!$initstate) begin
      assert ((out_valid[f_o] && (SHARED == 0 || out_open[f_o])) == f_valid);
      for (int i = 0; i < PORTS; i++)
        if (f_asks[i]) assert (f_taken[i] == (f_crosses && f_turn[i]));
        else if (ask[i*PORTS+:PORTS] == '0) assert (!f_taken[i]);
      if (f_valid)
        for (int i = 0; i < PORTS; i++)
          if (f_turn[i]) begin
            assert (out_last[f_o] == in_last[i]);
            if (SHARED != 0 && SMALL == 0) assert (out_at[f_o*AT_W+:AT_W] == f_turn);
            else assert (out_at[f_o*AT_W+:AT_W] == f_at(BACK[f_o] || i < PORTS - f_many ? i : f_low + i - PORTS + f_many));
          end
      if (!$past(rst) && $past(f_valid && !out_ready[f_o])) assert ($stable(out_last[f_o]));
      assert (obs_flit[f_o] == f_crosses);
      assert (obs_worm[f_o] == (f_crosses && !f_open));
      assert (obs_blocked[f_o] == |(f_asks & in_header & ~f_taken));
      if (!$past(rst) && $past(f_valid && !out_ready[f_o])) assert (out_valid[f_o]);

      cover (obs_worm[f_o] && !out_last[f_o] && obs_blocked[f_o]);
      cover (f_crosses && f_open && out_last[f_o] && $past(f_open && f_asks != '0 && !f_valid));
      cover (paper && obs_worm[f_o] && $past(f_asks != '0 && !f_open && !out_empty[f_o], 2) && !$past(rst));

      // For the induction.
      assert (held_q[f_o] == f_open);
    end
  end
`endif
endmodule

`default_nettype wire
