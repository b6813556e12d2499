// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units that look the way up in a memory, LANES of them side by side, as net_router uses them where no rule
// of the coordinates serves: one memory for a router, by rule and destination, which a host fills before messages are
// sent. What it holds is the host's concern, freedom from deadlock as well.
//
// Latency: the port follows from the header in the same cycle; a read word is there one cycle after select. In an FPGA
// the memory becomes registers or LUTs, and a reader per lane: 2^(LABEL_W+1) words of $clog2(PORTS) bits.
//
// Ports:
// - select, write, at, wdata, rdata: the host's side, on clk. select is 1 for one cycle per access; at is
//   {rule, destination}. Write only while no header is at the router. rdata is the word of the last select.
// - enable, destination, descending, port: as in route_order; descending is the rule. Lane i is in bits
//   [i*LABEL_W +: LABEL_W], [i*PORT_W +: PORT_W] and bit i. A word for a destination that is looked up must be below
//   PORTS: 0 the local port, p+1 link p.
//
// There is no reset: the memory begins as anything and keeps what was written. Legal parameters: all combinations within
// the ranges below.
`default_nettype none

module route_table #(
    parameter integer LABEL_W = 4,  // bits of a label, 1..12
    parameter integer PORTS = 5,  // of the router, 2..25
    parameter integer LANES = 1,  // headers, >= 1
    localparam integer PORT_W = $clog2(PORTS)
) (
    // host
    input  wire                      clk,
    input  wire                      select,
    input  wire                      write,
    input  wire  [        LABEL_W:0] at,           // rule, destination
    input  wire  [       PORT_W-1:0] wdata,
    output logic [       PORT_W-1:0] rdata,
    // headers
    input  wire  [        LANES-1:0] enable,       // there is a header; else nothing is looked up
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [        LANES-1:0] descending,   // the header's rule bit
    output logic [ LANES*PORT_W-1:0] port
);
  generate
    if (LABEL_W < 1 || LABEL_W > 12) illegal_LABEL_W u_illegal ();
    if (PORTS < 2 || PORTS > 25) illegal_PORTS u_illegal ();
    if (LANES < 1) illegal_LANES u_illegal ();
  endgenerate

  logic [PORT_W-1:0] port_mem[2**(LABEL_W+1)];

  always_ff @(posedge clk) begin
    if (select && write) port_mem[at] <= wdata;
    if (select) rdata <= port_mem[at];
  end

  // One assignment to the port: see route_order.
  always_comb begin : pick
    logic [LANES*PORT_W-1:0] found;
    found = 'x;
    if (|enable) begin
      for (int i = 0; i < LANES; i++)
        if (enable[i]) found[i*PORT_W+:PORT_W] = port_mem[{descending[i], destination[i*LABEL_W+:LABEL_W]}];
    end
    port = found;
  end

`ifdef FORMAL
  // One word (any): what was written last is what a header gets, and what is read.
  logic f_written = 1'b0;
  logic [PORT_W-1:0] f_word;
  logic f_started = 1'b0;
  (* anyconst *) logic [LABEL_W:0] f_at;

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (select && write && at == f_at) begin
      f_written <= 1'b1;
      f_word <= wdata;
    end
    if (f_started && $past(select && !write && at == f_at && f_written)) assert (rdata == $past(f_word));
    if (f_written) assert (port_mem[f_at] == f_word);  // for the induction

    cover (f_written && enable && {descending[0], destination[LABEL_W-1:0]} == f_at && port != '0 && $past(port == '0));
  end
  always_comb begin
    if (f_written && enable[0] && {descending[0], destination[LABEL_W-1:0]} == f_at)
      assert (port[PORT_W-1:0] == f_word);
  end
`endif
endmodule

`default_nettype wire
