// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Output of a wormhole router, its control: gives the channel to one worm at a time, first come first served. The
// flits themselves pass outside, from the input `choice`.
// Combinational from the inputs' buffers to the channel; one flit per cycle. With `paper` a header waits until the
// buffer at the channel's far end is empty (the machine of paper 000); else it follows the last tail at once.
`default_nettype none

module wh_output #(
    parameter integer PORTS = 9,  // inputs that may ask for this channel, 2..64
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,
    input  wire  [       PORTS-1:0] early,        // order of headers that come together: see arbiter
    // the inputs' buffers
    input  wire  [       PORTS-1:0] request,      // a header waits for this channel
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [      PORT_W-1:0] choice,       // input whose flit is offered
    output logic                    taken,        // that flit crosses in this cycle
    // channel
    output logic                    out_last,
    output logic                    out_valid,
    input  wire                     out_ready,
    input  wire                     out_empty,
    // observation
    output logic                    obs_worm,     // a header crosses
    output logic                    obs_flit,     // a flit crosses
    output logic                    obs_blocked   // a header waits and does not cross
);
  logic held_q;  // a worm has the channel: its header has crossed, its tail has not
  logic [PORT_W-1:0] owner_q;
  logic [PORT_W-1:0] winner;

  wire any = |request;

  arbiter #(
      .N(PORTS)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .early(early),
      .request(request),
      .look(!held_q),
      .taken(obs_worm),
      .winner(winner)
  );

  assign choice = held_q ? owner_q : winner;
  assign out_valid = held_q ? in_valid[owner_q] : any && (!paper || out_empty);
  assign out_last = out_valid && in_last[choice];
  assign taken = out_valid && out_ready;
  assign obs_flit = taken;
  assign obs_worm = taken && !held_q;
  assign obs_blocked = obs_worm ? |(request & ~(PORTS'(1) << choice)) : any;

  always_ff @(posedge clk) begin
    if (taken) begin
      held_q  <= !out_last;
      owner_q <= choice;
    end
    if (rst) held_q <= 1'b0;
  end

`ifdef FORMAL
  // One worm at a time, from the header that was granted to its tail; what is offered stays.
  logic f_started = 1'b0;
  logic f_open;  // a header has crossed, its tail has not
  logic [PORT_W-1:0] f_owner;

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) begin
      assume ($stable(paper) && $stable(early));
      assume (!out_empty || out_ready);
      assume ((request & ~in_valid) == '0);
      assume (!f_open || !request[f_owner]);
      if (!$past(rst))
        for (int i = 0; i < PORTS; i++)
          if ($past(in_valid[i]) && !($past(taken) && $past(choice) == PORT_W'(i))) begin
            assume (in_valid[i] && in_last[i] == $past(in_last[i]));
            if ($past(request[i])) assume (request[i]);
          end
    end

    if (taken) begin
      f_open  <= !out_last;
      f_owner <= choice;
    end
    if (rst) f_open <= 1'b0;

    if (f_started) begin
      assert (taken == (out_valid && out_ready));
      if (out_valid) begin
        assert (32'(choice) < PORTS && in_valid[choice]);
        assert (out_last == in_last[choice]);
        if (f_open) assert (choice == f_owner);
        else assert (request[choice] && (!paper || out_empty));
      end
      if (f_open) assert (out_valid == in_valid[f_owner]);
      else assert (out_valid == (|request && (!paper || out_empty)));
      if (!$past(rst) && $past(out_valid && !out_ready)) begin
        assert (out_valid && $stable(choice) && $stable(out_last));
      end
      assert (obs_flit == taken);
      assert (obs_worm == (taken && !f_open));
      assert (obs_blocked == |(request & ~(obs_worm ? PORTS'(1) << choice : PORTS'(0))));

      cover (obs_worm && !out_last && |(request & ~(PORTS'(1) << choice)));
      cover (obs_worm && f_owner != choice && $past(taken && out_last && !obs_worm));
      cover (paper && obs_worm && $past(obs_blocked && !out_empty, 2) && !$past(rst));

      // For the induction.
      assert (held_q == f_open);
      if (f_open) assert (owner_q == f_owner && 32'(f_owner) < PORTS);
    end
  end
`endif
endmodule

`default_nettype wire
