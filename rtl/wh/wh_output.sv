// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The outputs of a wormhole router, their control: each gives its channel to one worm at a time, in the order of
// wh_order. The flits themselves pass outside, from the inputs `choice`.
// Combinational from the inputs' buffers to the channels; one flit per channel and cycle. With `paper` a header waits
// until the buffer at the channel's far end is empty (the machine of [Hou01]); else it follows the last tail at once.
`default_nettype none

module wh_output #(
    parameter integer PORTS = 9,  // inputs and outputs, 2..64
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,
    // headers that wait, see wh_order
    input  wire  [       PORTS-1:0] asked,
    output logic [       PORTS-1:0] look,
    input  wire  [PORTS*PORT_W-1:0] first,
    // the inputs' buffers
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [       PORTS-1:0] in_taken,   // the flit at the head crosses in this cycle
    // channels
    output logic [PORTS*PORT_W-1:0] choice,     // input whose flit is offered
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] out_valid,
    input  wire  [       PORTS-1:0] out_ready,
    input  wire  [       PORTS-1:0] out_empty,
    // observation
    output logic [       PORTS-1:0] obs_worm,   // a header crosses
    output logic [       PORTS-1:0] obs_flit    // a flit crosses
);
  generate
    if (PORTS < 2 || PORTS > 64) illegal_PORTS u_illegal ();
  endgenerate

  logic [PORTS-1:0] held_q;  // a worm has the channel: its header has crossed, its tail has not
  logic [PORTS-1:0] settled_q;  // it is known who has the channel, or will have it next: the owner
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
