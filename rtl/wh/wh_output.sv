// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The control of a wormhole router's outputs: each gives its channel to one message (worm) at a time, from header to
// tail, in the order of wh_order. Part of wh_router. The flits themselves do not pass here: `choice` tells the router
// which input's flit each output offers.
//
// Latency: none, outputs follow combinationally from the inputs' buffers, from wh_order and, with `paper`, from
// out_empty. out_valid and out_last do not depend on out_ready; in_taken and obs_* do. Throughput: one flit per channel
// and cycle, and the header of the next message in the cycle after the last tail.
//
// Ports:
// - paper: when a header may take a free channel. 0: at once, if there is room in the buffer at the channel's far end.
//   1: only in a cycle in which that buffer is empty; this is the timing of the machine of [Hou01]
//   (docs/references.md). Constant after reset; tie it to 0 unless you compare cycles with it.
// - asked, first: from wh_order. look: which entries of `first` are used in this cycle.
// - in_last, in_valid: heads of the inputs' buffers; a flit stays until in_taken is 1 for its input.
// - choice, out_*: what each channel offers. Once out_valid is 1 it stays, with the same choice and last, until an edge
//   at which out_ready is 1. choice means something only where out_valid is 1.
// - out_empty: nothing is in the buffer at the far end. Where it is 1, out_ready must be 1. Looked at only with paper =
//   1; tie it to 0 with paper = 0.
// - obs_worm, obs_flit: a header, any flit, crosses at this clock edge. For counters only; may be left open.
//
// Reset: rst = 1 at one edge frees all channels. It must go with the reset of wh_input and wh_order: a message cut in
// two by a reset would never give back its channel. Legal parameters: PORTS from 2 to 64.
`default_nettype none

module wh_output #(
    parameter integer PORTS = 9,  // inputs and outputs, 2..64
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,      // 1: a header waits for an empty buffer at the far end; else 0
    // headers that wait, see wh_order
    input  wire  [       PORTS-1:0] asked,
    output logic [       PORTS-1:0] look,       // outputs whose `first` is used in this cycle
    input  wire  [PORTS*PORT_W-1:0] first,
    // the inputs' buffers
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [       PORTS-1:0] in_taken,   // the flit at the head crosses at this edge
    // channels
    output logic [PORTS*PORT_W-1:0] choice,     // input whose flit is offered
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] out_valid,
    input  wire  [       PORTS-1:0] out_ready,
    input  wire  [       PORTS-1:0] out_empty,  // used only with paper = 1, else tie to 0
    // observation
    output logic [       PORTS-1:0] obs_worm,   // a header crosses
    output logic [       PORTS-1:0] obs_flit    // a flit crosses
);
  generate
    if (PORTS < 2 || PORTS > 64) illegal_PORTS u_illegal ();
  endgenerate

  logic [PORTS-1:0] held_q;  // a worm has the channel: its header has crossed, its tail has not
  logic [PORTS-1:0] settled_q;  // owner_q is the input that has the channel or will have it next
  logic [PORTS*PORT_W-1:0] owner_q;

  wire [PORTS-1:0] open = asked & ~held_q & (out_empty | {PORTS{!paper}});  // a header is offered

  // Once a header is first it stays so until it has crossed.
  assign look = ~settled_q;

  always_comb begin : choose
    logic [PORTS*PORT_W-1:0] chosen;
    chosen = owner_q;
    if (|(look & asked))
      for (int o = 0; o < PORTS; o++) if (look[o] && asked[o]) chosen[o*PORT_W+:PORT_W] = first[o*PORT_W+:PORT_W];
    choice = chosen;
  end

  always_comb begin : offer
    logic [PORTS-1:0] valid, last, taken;
    valid = '0;
    last  = '0;
    taken = '0;
    if (|(held_q | open)) begin
      for (int o = 0; o < PORTS; o++) begin
        if ((held_q[o] || open[o]) && in_valid[choice[o*PORT_W+:PORT_W]]) begin
          valid[o] = 1'b1;
          last[o] = in_last[choice[o*PORT_W+:PORT_W]];
          if (out_ready[o]) taken = taken | PORTS'(1) << choice[o*PORT_W+:PORT_W];
        end
      end
    end
    out_valid = valid;
    out_last  = last;
    in_taken  = taken;
  end

  assign obs_flit = out_valid & out_ready;
  assign obs_worm = obs_flit & ~held_q;

  always_ff @(posedge clk) begin
    if (|obs_flit || |(look & asked)) begin
      held_q <= (held_q & ~obs_flit) | (obs_flit & ~out_last);
      settled_q <= (settled_q | asked) & ~(obs_flit & out_last);
      owner_q <= choice;
    end
    if (rst) begin
      held_q <= '0;
      settled_q <= '0;
    end
  end

`ifdef FORMAL
  // One worm at a time, from the header that was first to its tail; what is offered stays. On any output.
  logic f_started = 1'b0;
  logic f_open;  // a header has crossed, its tail has not
  logic [PORT_W-1:0] f_owner;
  logic f_waited;  // a header was asking in the cycle before, and did not cross
  logic [PORT_W-1:0] f_first_q;
  logic [PORTS-1:0] f_taken;
  (* anyconst *) logic [PORT_W-1:0] f_any;
  wire [PORT_W-1:0] f_o = 32'(f_any) < PORTS ? f_any : PORT_W'(0);
  wire [PORT_W-1:0] f_choice = choice[f_o*PORT_W+:PORT_W];
  wire f_valid = out_valid[f_o];
  wire f_crosses = f_valid && out_ready[f_o];
  // Whose turn it is does not change before it has crossed; known while the channel is free.
  wire [PORT_W-1:0] f_first = f_waited ? f_first_q : first[f_o*PORT_W+:PORT_W];

  always_comb begin
    f_taken = '0;
    for (int o = 0; o < PORTS; o++)
      for (int i = 0; i < PORTS; i++)
        if (out_valid[o] && out_ready[o] && choice[o*PORT_W+:PORT_W] == PORT_W'(i)) f_taken[i] = 1'b1;
  end

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) begin
      assume ($stable(paper));
      assume ((out_empty & ~out_ready) == '0);
      if (asked[f_o] && !f_open) assume (32'(f_first) < PORTS && in_valid[f_first]);
      if (f_waited) assume (asked[f_o]);
      if (!$past(rst))
        for (int i = 0; i < PORTS; i++)
          if ($past(in_valid[i]) && !$past(in_taken[i])) assume (in_valid[i] && in_last[i] == $past(in_last[i]));
      // An input's flit is for one output.
      for (int o = 0; o < PORTS; o++)
        if (f_o != PORT_W'(o) && f_valid && out_valid[o]) assume (choice[o*PORT_W+:PORT_W] != f_choice);
    end

    if (f_crosses) begin
      f_open  <= !out_last[f_o];
      f_owner <= f_choice;
    end
    f_waited  <= asked[f_o] && !f_open && !f_crosses;
    f_first_q <= f_first;
    if (rst) begin
      f_open   <= 1'b0;
      f_waited <= 1'b0;
    end

    if (f_started) begin
      assert (in_taken == f_taken);
      if (f_valid) begin
        assert (32'(f_choice) < PORTS && in_valid[f_choice]);
        assert (out_last[f_o] == in_last[f_choice]);
        if (f_open) assert (f_choice == f_owner);
        else assert (f_choice == f_first && asked[f_o] && (!paper || out_empty[f_o]));
      end
      if (f_open) assert (f_valid == in_valid[f_owner]);
      else assert (f_valid == (asked[f_o] && (!paper || out_empty[f_o])));
      if (!f_open && asked[f_o] && !f_waited) assert (look[f_o]);
      if (!$past(rst) && $past(f_valid && !out_ready[f_o])) begin
        assert (f_valid && $stable(f_choice) && $stable(out_last[f_o]));
      end
      assert (obs_flit[f_o] == f_crosses);
      assert (obs_worm[f_o] == (f_crosses && !f_open));

      cover (obs_worm[f_o] && !out_last[f_o] && $past(f_waited, 2));
      cover (obs_worm[f_o] && f_owner != f_choice && $past(obs_flit[f_o] && out_last[f_o] && !obs_worm[f_o]));
      cover (paper && obs_worm[f_o] && $past(asked[f_o] && !f_open && !out_empty[f_o], 2) && !$past(rst));

      // For the induction.
      assert (held_q[f_o] == f_open);
      assert (settled_q[f_o] == (f_open || f_waited));
      if (f_open) assert (owner_q[f_o*PORT_W+:PORT_W] == f_owner && 32'(f_owner) < PORTS);
      if (f_waited) assert (!f_open && owner_q[f_o*PORT_W+:PORT_W] == f_first_q);
    end
  end
`endif
endmodule

`default_nettype wire
