// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units that look up a set of ports in a memory, for wh_router with ADAPTIVE = 1: one memory for a router, by the input by
// which a header comes and its destination, which a host fills. net_router with ADAPTIVE = 2 has one. So messages can go by any
// rule that asks for where a message is, how it came there and where it goes, on any network. The contents of the memory are the host's
// concern, freedom from deadlock as well.
//
// Latency: the sets follow from the header in the same cycle; a read word is there one cycle after select. In an FPGA the memory becomes
// registers or LUTs, and a reader per lane: 2^(FROM_W+AT_LABEL_W) words of PORTS bits.
//
// Ports:
// - select, write, at, wdata, rdata: the host's side, on clk. select is 1 for one cycle per access; at is {input, destination}: input 0
//   is the local port, q+1 that of link q, destination the lowest AT_LABEL_W bits of a label. Bit 0 of a word is the local port, bit
//   p+1 link p. rdata is the word of the last select.
// - enable: there is a header in this lane. Without it its sets mean nothing. Lane 0 is the local port's, 1 + q*V + v is virtual channel v
//   of link q.
// - destination: of the header; lane i is in bits [i*LABEL_W +: LABEL_W].
// - lanes: bit i*LANES+o: the header in lane i may have output lane o: each lane of each link of its set, and the local port.
//
// A word may be written at any time. A header that comes in the cycle of the write gets the set that was there before, whole; in the next
// cycle, the new one. A header whose set is empty waits for ever.
//
// There is no reset: the memory begins as anything and keeps what was written. Legal parameters: all combinations within the ranges below.
`default_nettype none

module route_sets #(
    parameter integer LABEL_W = 4,  // bits of a label, 1..12
    parameter integer LINKS = 4,  // of the router, 1..24
    parameter integer V = 1,  // virtual channels of a link, 1..8
    localparam integer PORTS = LINKS + 1,
    localparam integer LANES = LINKS * V + 1,
    localparam integer FROM_W = $clog2(PORTS),
    localparam integer AT_LABEL_W = LABEL_W + FROM_W > 12 ? 12 - FROM_W : LABEL_W,  // the window ROUTE has 4096 words
    localparam integer AT_W = FROM_W + AT_LABEL_W
) (
    // host
    input  wire                      clk,
    input  wire                      select,
    input  wire                      write,
    input  wire  [         AT_W-1:0] at,           // input, destination
    input  wire  [        PORTS-1:0] wdata,
    output logic [        PORTS-1:0] rdata,
    // headers
    input  wire  [        LANES-1:0] enable,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [LANES*LABEL_W-1:0] destination,
    // verilator lint_on UNUSEDSIGNAL
    output logic [  LANES*LANES-1:0] lanes
);
  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (LINKS < 1 || LINKS > 24) begin : g_LINKS illegal_LINKS u_illegal (); end
  if (V < 1 || V > 8) begin : g_V illegal_V u_illegal (); end

  logic [PORTS-1:0] set_mem[2**AT_W];

  always_ff @(posedge clk) begin
    if (select && write) set_mem[at] <= wdata;
    if (select) rdata <= set_mem[at];
  end

  // One assignment to the port: see route_order.
  always_comb begin : pick
    logic [LANES*LANES-1:0] found;
    logic [PORTS-1:0] set;
    found = 'x;
    set = '0;
    if (|enable) begin
      for (int i = 0; i < LANES; i++) begin
        if (enable[i]) begin
          set = set_mem[{FROM_W'((i + V - 1) / V), destination[i*LABEL_W+:AT_LABEL_W]}];
          for (int o = 0; o < LANES; o++) found[i*LANES+o] = set[(o+V-1)/V];
        end
      end
    end
    lanes = found;
  end

`ifdef FORMAL
  // One arbitrary word: a header in any lane gets the word written last, the same for each lane of a link, and a read
  // returns it. A header that comes in the cycle of a write gets the set before it, and one that comes in the next
  // cycle the new one, never a mixture.
  logic f_written = 1'b0;
  logic [PORTS-1:0] f_word;
  (* anyconst *) logic [AT_W-1:0] f_at;
  (* anyconst *) logic [7:0] f_any, f_any_out;
  wire [7:0] f_in = 32'(f_any) < LANES ? f_any : 8'd0, f_out = 32'(f_any_out) < LANES ? f_any_out : 8'd0;
  wire [7:0] f_from = f_in == 8'd0 ? 8'd0 : 8'd1 + (f_in - 8'd1) / 8'(V), f_to = f_out == 8'd0 ? 8'd0 : 8'd1 + (f_out - 8'd1) / 8'(V);
  wire [LABEL_W-1:0] f_destination = destination[f_in*LABEL_W+:LABEL_W];
  wire f_may = lanes[f_in*LANES+f_out];
  wire f_looks = enable[f_in] && f_from == 8'(f_at >> AT_LABEL_W) && f_destination[AT_LABEL_W-1:0] == f_at[AT_LABEL_W-1:0];
  wire f_writes = select && write && at == f_at;

  always_ff @(posedge clk) begin
    if (f_writes) begin
      f_written <= 1'b1;
      f_word <= wdata;
    end
    if (!$initstate && $past(select && !write && at == f_at && f_written)) assert (rdata == $past(f_word));
    if (!$initstate && $past(f_writes) && f_looks) assert (f_may == $past(wdata[f_to]));
    if (f_written) assert (set_mem[f_at] == f_word);  // for the induction

    cover (f_written && f_looks && f_may && f_in != 8'd0 && f_out != 8'd0);
    cover (f_written && f_writes && f_looks && f_may != wdata[f_to]);
  end
  always_comb begin
    if (f_written && f_looks) assert (f_may == f_word[f_to]);
  end
`endif
endmodule

`default_nettype wire
