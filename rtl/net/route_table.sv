// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units that look the route up in a memory, LANES of them side by side. net_router uses them if no rule of
// coordinates serves. There is one memory per router, by rule and destination, which a host fills. Its contents are
// the host's responsibility, freedom from deadlock as well.
//
// Latency: the port follows from the header in the same cycle; a read word is there one cycle after select. In an FPGA
// the memory becomes registers or LUTs, and a reader per lane: 2^(RULE_W+LABEL_W) words of $clog2(PORTS) bits.
//
// Ports:
// - select, write, at, wdata, rdata: the host's side, on clk. select is 1 for one cycle per access; at is
//   {rule, destination}. rdata is the word of the last select.
// - enable, destination, rule, port: enable, destination and port as in route_order. Lane i is in bits
//   [i*LABEL_W +: LABEL_W], [i*RULE_W +: RULE_W], [i*PORT_W +: PORT_W] and bit i. A word that is looked up must be below
//   PORTS: 0 the local port, p+1 link p.
//
// A word may be written at any time. A header that comes in the cycle of the write gets the word that was there before,
// whole; in the next cycle, the new one.
//
// There is no reset: the memory begins as anything and keeps what was written. Legal parameters: all combinations within
// the ranges below.
`default_nettype none

module route_table #(
    parameter integer LABEL_W = 4,  // bits of a label, 1..12
    parameter integer RULE_W = 1,  // bits of a rule that choose the way, 1..4
    parameter integer PORTS = 5,  // of the router, 2..25
    parameter integer LANES = 1,  // headers, >= 1
    localparam integer AT_W = RULE_W + LABEL_W,
    localparam integer PORT_W = $clog2(PORTS)
) (
    // host
    input  wire                      clk,
    input  wire                      select,
    input  wire                      write,
    input  wire  [         AT_W-1:0] at,           // rule, destination
    input  wire  [       PORT_W-1:0] wdata,
    output logic [       PORT_W-1:0] rdata,
    // headers
    input  wire  [        LANES-1:0] enable,       // there is a header; else nothing is looked up
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [ LANES*RULE_W-1:0] rule,
    output logic [ LANES*PORT_W-1:0] port
);
  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (RULE_W < 1 || RULE_W > 4) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (PORTS < 2 || PORTS > 25) begin : g_PORTS illegal_PORTS u_illegal (); end
  if (LANES < 1) begin : g_LANES illegal_LANES u_illegal (); end

  logic [PORT_W-1:0] port_mem[2**AT_W];

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
        if (enable[i]) found[i*PORT_W+:PORT_W] = port_mem[{rule[i*RULE_W+:RULE_W], destination[i*LABEL_W+:LABEL_W]}];
    end
    port = found;
  end

`ifdef FORMAL
  // One arbitrary word: a header in any lane gets the word written last, and a read returns it. A header that comes
  // in the cycle of a write gets the word before it, and one that comes in the next cycle the new one, never a
  // mixture.
  logic f_written = 1'b0;
  logic [PORT_W-1:0] f_word;
  (* anyconst *) logic [AT_W-1:0] f_at;
  (* anyconst *) logic [7:0] f_any;
  wire [7:0] f_lane = 32'(f_any) < LANES ? f_any : 8'd0;
  wire [PORT_W-1:0] f_port = port[f_lane*PORT_W+:PORT_W];
  wire f_looks = enable[f_lane] &&
      {rule[f_lane*RULE_W+:RULE_W], destination[f_lane*LABEL_W+:LABEL_W]} == f_at;
  wire f_writes = select && write && at == f_at;

  always_ff @(posedge clk) begin
    if (f_writes) begin
      f_written <= 1'b1;
      f_word <= wdata;
    end
    if (!$initstate && $past(select && !write && at == f_at && f_written)) assert (rdata == $past(f_word));
    if (!$initstate && $past(f_writes) && f_looks) assert (f_port == $past(wdata));
    if (f_written) assert (port_mem[f_at] == f_word);  // for the induction

    cover (f_written && f_looks && f_port != '0 && $past(f_port == '0));
    cover (f_written && f_writes && f_looks && f_port != wdata);
  end
  always_comb begin
    if (f_written && f_looks) assert (f_port == f_word);
  end
`endif
endmodule

`default_nettype wire
