// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A node's router in the binary n-cube: wh_router with the route units of cube_route. Port 0 is the local one, for an
// endpoint; port d+1 leads along dimension d, to port d+1 of the node whose address differs in bit d. cube_tile puts a
// node on port 0, cube_fabric wires 2^DIM of them.
//
// Latency, throughput, handshake, reset and observation are those of wh_router: one cycle per router, one flit per
// cycle and channel.
//
// A header's low bits are, from bit 0: destination (DIM bits), source (DIM bits), rule (0 e-cube, 1 e^-1-cube). The
// router reads destination and rule and changes nothing; the bits above, and all bits of the flits behind the header,
// are the user's. Deadlock cannot occur as long as all messages that are under way have the same rule, and every
// endpoint goes on taking what comes to it.
//
// Of headers that come together the one from the lowest source goes first. Under e-cube a header that came along
// dimension d differs from `here` in no bit above d, so this is an order of ports: those whose bit of `here` is set,
// from the highest dimension down; then the local one; then the others, from the lowest up.
//
// Ports as in wh_router, and:
// - here: this router's address, constant after reset. It is a port and not a parameter so that a simulator can share
//   one body among all nodes; tie it to a constant.
// - paper: tie to 0 unless you compare cycles with [Hou01] (see wh_output); out_empty of unconnected or plain
//   endpoints then to 0.
//
// Unused ports (a smaller network, an edge of an incomplete cube): in_valid to 0, out_ready to 1; then no message may
// be sent whose route would take that port, as it would be lost.
//
// Legal parameters: DIM from 1 to 10 with any FLIT_W that holds a header, 2*DIM+1 bits. File list: rtl/cube_router.f.
//
// Example:
//   // Node 5 of a 3-cube: four ports.
//   cube_router #(.DIM(3), .FLIT_W(16)) u_router (
//       .clk(clk), .rst(rst), .paper(1'b0), .here(3'd5),
//       .in_flit(in_flit), .in_last(in_last), .in_valid(in_valid), .in_ready(in_ready), .in_empty(in_empty),
//       .out_flit(out_flit), .out_last(out_last), .out_valid(out_valid), .out_ready(out_ready), .out_empty(4'b0000),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy());
`default_nettype none

module cube_router #(
    parameter integer DIM = 8,  // dimensions, 1..10
    parameter integer FLIT_W = 32,  // bits of a flit, >= 2*DIM+1
    localparam integer PORTS = DIM + 1
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     paper,        // tie to 0, or see wh_output
    input  wire  [         DIM-1:0] here,         // address of this router, constant
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
    input  wire  [       PORTS-1:0] out_empty,    // used only with paper = 1, else tie to 0
    // observation
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic [       PORTS-1:0] obs_blocked,
    output logic                    busy
);
  localparam integer PORT_W = $clog2(PORTS);

  generate
    if (FLIT_W < 2 * DIM + 1) illegal_FLIT_W u_illegal ();
  endgenerate

  logic [PORTS*FLIT_W-1:0] head_flit;
  logic [PORTS-1:0] head_fresh;
  logic [PORTS*PORT_W-1:0] head_port;

  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W)
  ) u_router (
      .clk(clk),
      .rst(rst),
      .paper(paper),
      .early({here, 1'b0}),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .out_flit(out_flit),
      .out_last(out_last),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_empty(out_empty),
      .head_flit(head_flit),
      .head_fresh(head_fresh),
      .head_port(head_port),
      .obs_worm(obs_worm),
      .obs_flit(obs_flit),
      .obs_blocked(obs_blocked),
      .busy(busy)
  );

  // Header: destination in the low DIM bits, source above it, then the rule bit.
  logic [PORTS*DIM-1:0] head_destination;
  logic [PORTS-1:0] head_descending;
  always_comb begin : header
    logic [PORTS*DIM-1:0] destination;
    logic [PORTS-1:0] descending;
    destination = '0;
    descending  = '0;
    if (|head_fresh) begin
      for (int p = 0; p < PORTS; p++) begin
        destination[p*DIM+:DIM] = head_flit[p*FLIT_W+:DIM];
        descending[p] = head_flit[p*FLIT_W+2*DIM];
      end
    end
    head_destination = destination;
    head_descending  = descending;
  end

  cube_route #(
      .DIM  (DIM),
      .LANES(PORTS)
  ) u_route (
      .enable(head_fresh),
      .here(here),
      .destination(head_destination),
      .descending(head_descending),
      .port(head_port)
  );

`ifdef FORMAL
  // As wh_router, but the header asks for a node. Above the rule bit a flit carries the input it came by.
  logic f_started = 1'b0;
  (* anyconst *) logic [PORT_W-1:0] f_from, f_to;
  logic [1:0] f_count;
  logic f_starts;  // the next flit that comes is the first of a worm
  logic [FLIT_W+1:0] f_first, f_second;  // first of a worm, last, flit
  logic [PORT_W-1:0] f_port;  // where the worm at the head of the queue went
  logic f_open;  // a worm is crossing the output
  logic [PORT_W-1:0] f_owner;
  logic [PORTS-1:0] f_offered, f_crosses;

  always_comb begin
    for (int o = 0; o < PORTS; o++)
      f_offered[o] = out_valid[o] && out_flit[o*FLIT_W+2*DIM+1+:PORT_W] == f_from;
    f_crosses = f_offered & out_ready;
  end
  wire f_push = in_valid[f_from] && in_ready[f_from];
  wire f_pop = |f_crosses;
  wire [1:0] f_rest = f_count - 2'(f_pop);

  // Port by the rule in the header.
  wire [DIM-1:0] f_left = f_first[DIM-1:0] ^ here;
  logic [PORT_W-1:0] f_want;
  always_comb begin
    f_want = '0;
    for (int d = 0; d < DIM; d++) if (f_left[d] && (f_want == '0 || f_first[2*DIM])) f_want = PORT_W'(d + 1);
  end

  // The order of ports is the order of sources: of any two headers that came by e-cube.
  (* anyseq *) logic [DIM-1:0] f_source_a, f_source_b;
  wire [PORTS-1:0] f_early = {here, 1'b0};
  wire f_a_goes = f_early[f_from] != f_early[f_to] ? f_early[f_from] :
      f_early[f_from] ? f_from > f_to : f_from < f_to;
  wire [DIM-1:0] f_way_a = f_source_a ^ here, f_way_b = f_source_b ^ here;
  wire f_legal_a = f_from == '0 ? f_way_a == '0 : f_way_a[f_from-1] && f_way_a >> f_from == '0;
  wire f_legal_b = f_to == '0 ? f_way_b == '0 : f_way_b[f_to-1] && f_way_b >> f_to == '0;

  wire [FLIT_W+1:0] f_in = {f_starts, in_last[f_from], in_flit[f_from*FLIT_W+:FLIT_W]};

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    assume (32'(f_from) < PORTS && 32'(f_to) < PORTS);
    assume ((out_empty & ~out_ready) == '0);
    if (f_started) assume ($stable(paper) && $stable(here));
    for (int i = 0; i < PORTS; i++)
      assume (in_flit[i*FLIT_W+2*DIM+1+:PORT_W] == PORT_W'(i));

    f_count <= f_rest + 2'(f_push);
    if (f_pop) f_first <= f_second;
    if (f_push) begin
      f_starts <= in_last[f_from];
      if (f_rest == 2'd0) f_first <= f_in;
      else f_second <= f_in;
    end
    if (f_pop && f_first[FLIT_W+1]) f_port <= f_want;
    if (out_valid[f_to] && out_ready[f_to]) begin
      f_open  <= !out_last[f_to];
      f_owner <= out_flit[f_to*FLIT_W+2*DIM+1+:PORT_W];
    end
    if (rst) begin
      f_count <= 2'd0;
      f_starts <= 1'b1;
      f_open <= 1'b0;
    end

    if (f_started) begin
      assert (in_ready[f_from] == (f_count < 2'd2) && in_empty[f_from] == (f_count == 2'd0));
      assert ((f_offered & (f_offered - 1'b1)) == '0);
      for (int o = 0; o < PORTS; o++)
        if (f_offered[o]) begin
          assert (f_count != 2'd0);
          assert ({out_last[o], out_flit[o*FLIT_W+:FLIT_W]} == f_first[FLIT_W:0]);
          assert ((f_first[FLIT_W+1] ? f_want : f_port) == PORT_W'(o));
        end
      if (out_valid[f_to] && f_open) assert (out_flit[f_to*FLIT_W+2*DIM+1+:PORT_W] == f_owner);
      if (!$past(rst) && $past(out_valid[f_to] && !out_ready[f_to])) begin
        assert (out_valid[f_to] && out_last[f_to] == $past(out_last[f_to]));
        assert (out_flit[f_to*FLIT_W+:FLIT_W] == $past(out_flit[f_to*FLIT_W+:FLIT_W]));
      end
      if (f_legal_a && f_legal_b && f_from != f_to) assert (f_a_goes == (f_source_a < f_source_b));
      if ($past(rst)) assert (!busy);
      if (f_count != 2'd0) assert (busy);

      cover (f_pop && f_first[FLIT_W] && !f_first[FLIT_W+1] && f_port == f_to);
      cover (&(out_valid & out_ready));
      cover (f_pop && f_owner != f_from && !f_open && f_first[FLIT_W+1] && |(f_crosses & obs_blocked));
    end
  end
`endif
endmodule

`default_nettype wire
