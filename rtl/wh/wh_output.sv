// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Output of a wormhole router: gives its channel to one worm at a time, first come first served.
// Combinational from the inputs' buffers to the channel; one flit per cycle. With `paper` a header waits until the
// buffer at the channel's far end is empty (the machine of paper 000); else it follows the last tail at once.
`default_nettype none

module wh_output #(
    parameter integer PORTS = 9,  // inputs that may ask for this channel, 2..64
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,
    input  wire  [       PORTS-1:0] early,        // order of headers that come together: see arbiter
    // the inputs' buffers
    input  wire  [       PORTS-1:0] request,      // a header waits for this channel
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [      PORT_W-1:0] choice,       // input whose flit is offered
    output logic                    taken,        // that flit crosses in this cycle
    // channel
    output logic [      FLIT_W-1:0] out_flit,
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
      .taken(obs_worm),
      .winner(winner)
  );

  always_comb begin
    choice    = owner_q;
    out_valid = 1'b0;
    out_flit  = '0;
    out_last  = 1'b0;
    if (held_q) begin
      out_valid = in_valid[owner_q];
    end else if (any) begin
      choice    = winner;
      out_valid = !paper || out_empty;
    end
    if (out_valid) begin
      out_flit = in_flit[choice*FLIT_W+:FLIT_W];
      out_last = in_last[choice];
    end
  end

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
endmodule

`default_nettype wire
