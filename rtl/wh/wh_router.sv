// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Wormhole router: any number of ports, input-buffered, no knowledge of neighbours. A route unit outside turns the
// headers at the heads of the inputs into output ports. A header crosses in one cycle; one flit per channel and cycle.
`default_nettype none

module wh_router #(
    parameter integer PORTS = 9,  // streams in and out, 2..64
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    localparam integer PORT_W = $clog2(PORTS)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,       // see wh_output
    input  wire  [       PORTS-1:0] early,       // order of headers that come together: see arbiter
    // streams in
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [       PORTS-1:0] in_ready,
    output logic [       PORTS-1:0] in_empty,
    // streams out
    output logic [PORTS*FLIT_W-1:0] out_flit,
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] out_valid,
    input  wire  [       PORTS-1:0] out_ready,
    input  wire  [       PORTS-1:0] out_empty,
    // route unit
    output logic [PORTS*FLIT_W-1:0] head_flit,
    output logic [       PORTS-1:0] head_header,
    input  wire  [PORTS*PORT_W-1:0] head_port,   // output for the header at each input
    // observation, per output channel
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic [       PORTS-1:0] obs_blocked,
    output logic                    busy         // a flit is held
);
  generate
    if (PORTS < 2 || PORTS > 64) illegal_PORTS u_illegal ();
  endgenerate

  logic [PORTS-1:0] head_last, head_valid, head_taken;
  logic [ PORTS*PORTS-1:0] request;  // request[o*PORTS+i]: the header at input i wants output o
  logic [PORTS*PORT_W-1:0] choice;
  logic [       PORTS-1:0] taken;

  always_comb begin
    request = '0;
    if (|head_header)
      for (int i = 0; i < PORTS; i++)
        if (head_header[i]) request[head_port[i*PORT_W+:PORT_W]*PORTS+i] = 1'b1;
  end

  always_comb begin
    head_taken = '0;
    if (|taken)
      for (int o = 0; o < PORTS; o++) if (taken[o]) head_taken[choice[o*PORT_W+:PORT_W]] = 1'b1;
  end

  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      wh_input #(
          .FLIT_W(FLIT_W)
      ) u_input (
          .clk(clk),
          .rst(rst),
          .in_flit(in_flit[p*FLIT_W+:FLIT_W]),
          .in_last(in_last[p]),
          .in_valid(in_valid[p]),
          .in_ready(in_ready[p]),
          .in_empty(in_empty[p]),
          .flit(head_flit[p*FLIT_W+:FLIT_W]),
          .last(head_last[p]),
          .valid(head_valid[p]),
          .header(head_header[p]),
          .taken(head_taken[p])
      );

      wh_output #(
          .PORTS (PORTS),
          .FLIT_W(FLIT_W)
      ) u_output (
          .clk(clk),
          .rst(rst),
          .paper(paper),
          .early(early),
          .request(request[p*PORTS+:PORTS]),
          .in_flit(head_flit),
          .in_last(head_last),
          .in_valid(head_valid),
          .choice(choice[p*PORT_W+:PORT_W]),
          .taken(taken[p]),
          .out_flit(out_flit[p*FLIT_W+:FLIT_W]),
          .out_last(out_last[p]),
          .out_valid(out_valid[p]),
          .out_ready(out_ready[p]),
          .out_empty(out_empty[p]),
          .obs_worm(obs_worm[p]),
          .obs_flit(obs_flit[p]),
          .obs_blocked(obs_blocked[p])
      );
    end
  endgenerate

  assign busy = |head_valid;
endmodule

`default_nettype wire
