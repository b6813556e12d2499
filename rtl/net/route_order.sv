// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units in dimension order, LANES of them side by side, as net_router uses them: for cubes, lines, rings, meshes
// and tori. A header goes along the lowest dimension in which it is not yet home (e-cube, XY) or, when its rule bit is
// set, the highest (e^-1-cube, YX); at home it goes to the local port.
//
// A label holds a node's coordinates side by side. Ports: 0 is the local one; in a cube (LINKS_PER_DIM = 1) d+1 leads
// along dimension d, else 2d+1 to coordinate d plus 1 and 2d+2 to coordinate d minus 1. With WRAP = 1 the links go
// around: a header takes the shorter way, and if both are as long the one by plus; or, if its one_way bit is set, always
// the one by plus. Extents of 1 and 2 are as any other.
//
// Without WRAP either rule is free of deadlock by itself; if messages of both are in the network at the same time, or
// with WRAP and V = 1 in an extent of more than 3 (one way: of more than 2), nothing here guarantees it.
//
// With WRAP and V = 2 links have two virtual channels, 0 and 1, and either rule is free of deadlock (a dateline [Dally87]).
// A message that has still to come to the wrap-around link of the ring on which it goes (+: from the last coordinate to 0,
// -: from 0 to the last one) goes by 0. It crosses that link by 1, and goes on by 1 as long as it is on that ring. One that
// does not cross that link goes by the lowest bit of the coordinate where it leaves the ring, so that the load is shared. On
// a ring no message goes from 1 to 0, by 0 none crosses the wrap-around link, and by 1 none comes to it: so no circle.
//
// Combinational; no clock, no state.
//
// Ports, lane i in bits [i*LABEL_W +: LABEL_W], [i*PORT_W +: PORT_W] and bit i:
// - enable: there is a header in this lane. Without it the lane's port means nothing. It keeps idle logic quiet in a
//   simulation and costs no logic; tie it to 1 if you do not care.
// - here: label of this router, the same for all lanes. destination, descending: of the header; descending = 1 asks for
//   the highest dimension first, one_way = 1 for the way by plus; without WRAP tie the latter to 0. A destination must be
//   a label of the network: each coordinate below its extent.
// - port: 0 to DIMS*LINKS_PER_DIM. With V = 2 it is a lane, as wh_router numbers them where port 0 is single: 0 the local
//   port, 2p+1+v virtual channel v of link p. Then the lanes here are those as well: by lane i the header came.
//
// Parameters: EXTENTS has 16 bits for each dimension, the lowest dimension in the lowest bits: nodes in a row. DIGITS
// has 16 bits as well: which bits of a label are the coordinate, the lowest of them in bits 7:0, their number in bits
// 15:8. LINKS_PER_DIM = 1 is for cubes only: all extents 2, one bit of the label each, in order. The defaults are those
// of a cube. Illegal values fail at elaboration.
`default_nettype none

module route_order #(
    parameter integer DIMS = 8,  // dimensions, 1..12
    parameter integer LABEL_W = DIMS,  // bits of a label, 1..12
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},  // nodes along each dimension, 1..1024
    parameter [DIMS*16-1:0] DIGITS = (DIMS * 16)'(192'h010b_010a_0109_0108_0107_0106_0105_0104_0103_0102_0101_0100),
    parameter integer LINKS_PER_DIM = 1,  // 1: a cube, 2: plus and minus
    parameter integer WRAP = 0,  // 1: the links of a dimension make a ring; with LINKS_PER_DIM = 2
    parameter integer V = 1,  // virtual channels of a link, 1, or 2 with WRAP = 1
    parameter integer LANES = V == 1 ? 1 : DIMS * LINKS_PER_DIM * V + 1,  // headers, >= 1; with V = 2 as many as lanes
    localparam integer PORT_W = $clog2(DIMS * LINKS_PER_DIM * V + 1)
) (
    input  wire  [        LANES-1:0] enable,       // there is a header; else nothing is worked out
    input  wire  [      LABEL_W-1:0] here,         // label of this router
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [        LANES-1:0] descending,   // bit 0 of the header's rule: highest dimension first
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        LANES-1:0] one_way,      // bit 1 of it: around a ring always by plus (WRAP = 1)
    // verilator lint_on UNUSEDSIGNAL
    output logic [ LANES*PORT_W-1:0] port
);
  generate
    if (DIMS < 1 || DIMS > 12) begin : g_DIMS illegal_DIMS u_illegal (); end
    if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
    if (LINKS_PER_DIM < 1 || LINKS_PER_DIM > 2 || LINKS_PER_DIM == 1 && LABEL_W != DIMS) begin : g_LINKS_PER_DIM
      illegal_LINKS_PER_DIM u_illegal ();
    end
    if (WRAP < 0 || WRAP > 1 || WRAP == 1 && LINKS_PER_DIM != 2) begin : g_WRAP illegal_WRAP u_illegal (); end
    if (V < 1 || V > 2 || V == 2 && WRAP == 0) begin : g_V illegal_V u_illegal (); end
    if (LANES < 1 || V == 2 && LANES != DIMS * LINKS_PER_DIM * V + 1) begin : g_LANES illegal_LANES u_illegal (); end
    for (genvar d = 0; d < DIMS; d++) begin : g_legal
      localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
      if (EXTENT < 1 || EXTENT > 1024 || LINKS_PER_DIM == 1 && EXTENT != 2) begin : g_EXTENTS
        illegal_EXTENTS u_illegal ();
      end
      if (BITS < 1 || LOW + BITS > LABEL_W || EXTENT > 1 << BITS || LINKS_PER_DIM == 1 && LOW != d) begin : g_DIGITS
        illegal_DIGITS u_illegal ();
      end
    end
  endgenerate

  // One assignment to the port: on two in a row Icarus 11 never comes to rest when the port goes through wh_router.
  generate
    if (LINKS_PER_DIM == 1) begin : g_cube
      always_comb begin : pick
        logic [LANES*PORT_W-1:0] found;
        logic [DIMS-1:0] left;
        found = 'x;
        left  = '0;
        if (|enable) begin
          for (int i = 0; i < LANES; i++) begin
            if (enable[i]) begin
              found[i*PORT_W+:PORT_W] = '0;
              left = here ^ destination[i*LABEL_W+:LABEL_W];
              if (descending[i]) begin
                for (int d = 0; d < DIMS; d++) if (left[d]) found[i*PORT_W+:PORT_W] = PORT_W'(d + 1);
              end else begin
                for (int d = DIMS - 1; d >= 0; d--) if (left[d]) found[i*PORT_W+:PORT_W] = PORT_W'(d + 1);
              end
            end
          end
        end
        port = found;
      end
    end else begin : g_two
      always_comb begin : pick
        logic [LANES*PORT_W-1:0] found;
        logic [DIMS-1:0] left, minus;  // not yet home; the shorter way is by minus
        logic [DIMS-1:0] second;  // by virtual channel 1
        logic [LABEL_W:0] from, to, far;
        logic around, less, beyond;
        found = 'x;
        left  = '0;
        minus = '0;
        second = '0;
        from  = '0;
        to    = '0;
        far   = '0;
        around = 1'b0;
        less  = 1'b0;
        beyond = 1'b0;
        if (|enable) begin
          for (int i = 0; i < LANES; i++) begin
            if (enable[i]) begin
              found[i*PORT_W+:PORT_W] = '0;
              for (int d = 0; d < DIMS; d++) begin
                from = {1'b0, here >> DIGITS[d*16+:8]} & (LABEL_W + 1)'((1 << DIGITS[d*16+8+:8]) - 1);
                to = {1'b0, destination[i*LABEL_W+:LABEL_W] >> DIGITS[d*16+:8]} &
                    (LABEL_W + 1)'((1 << DIGITS[d*16+8+:8]) - 1);
                left[d] = to != from;
                if (WRAP == 0) begin
                  // Bit by bit, for the few bits of a coordinate: a carry chain takes longer to get into than they do.
                  less = 1'b0;
                  for (int b = 0; b < LABEL_W; b++) if (to[b] != from[b]) less = from[b];
                  minus[d] = less;
                end else begin
                  // By plus it is as far as `far` at most, which may lie behind the wrap-around link. What follows from
                  // `here` alone is there early, and comparing bit by bit is quick, as above.
                  far = from + (LABEL_W + 1)'(EXTENTS[d*16+:16] >> 1);
                  around = far >= (LABEL_W + 1)'(EXTENTS[d*16+:16]);
                  if (around) far = far - (LABEL_W + 1)'(EXTENTS[d*16+:16]);
                  less = 1'b0;
                  beyond = 1'b0;
                  for (int b = 0; b < 32'(DIGITS[d*16+8+:8]); b++) begin
                    if (to[b] != from[b]) less = from[b];
                    if (to[b] != far[b]) beyond = to[b];
                  end
                  minus[d] = !one_way[i] && (around ? less && beyond : less || beyond);
                  if (V == 1) second[d] = 1'b0;
                  else if (minus[d] != less) second[d] = from == (minus[d] ? '0 : (LABEL_W + 1)'(EXTENTS[d*16+:16] - 16'd1));
                  else second[d] = to[0] || i > 0 && i % 2 == 0 && (i - 1) / 4 == d;
                end
              end
              if (descending[i]) begin
                for (int d = 0; d < DIMS; d++)
                  if (left[d])
                    found[i*PORT_W+:PORT_W] = second[d] ? (minus[d] ? PORT_W'((2 * d + 2) * V) : PORT_W'((2 * d + 1) * V)) :
                        (minus[d] ? PORT_W'((2 * d + 1) * V + 1) : PORT_W'(2 * d * V + 1));
              end else begin
                for (int d = DIMS - 1; d >= 0; d--)
                  if (left[d])
                    found[i*PORT_W+:PORT_W] = second[d] ? (minus[d] ? PORT_W'((2 * d + 2) * V) : PORT_W'((2 * d + 1) * V)) :
                        (minus[d] ? PORT_W'((2 * d + 1) * V + 1) : PORT_W'(2 * d * V + 1));
              end
            end
          end
        end
        port = found;
      end
    end
  endgenerate

`ifdef FORMAL
  // One lane (any). The port leads along the first dimension, by the rule, in which here and destination differ, and that
  // way is not the longer one, or it is by plus where that is asked for.
  (* anyconst *) logic [7:0] f_any;
  wire [7:0] f_lane = 32'(f_any) < LANES ? f_any : 8'd0;
  wire [LABEL_W-1:0] f_destination = destination[f_lane*LABEL_W+:LABEL_W];
  wire f_descending = descending[f_lane], f_one_way = one_way[f_lane], f_enable = enable[f_lane];
  wire [PORT_W-1:0] f_port = port[f_lane*PORT_W+:PORT_W];
  logic [DIMS-1:0] f_differs;
  logic [DIMS-1:0] f_legal;  // both coordinates are below the extent
  logic [DIMS-1:0] f_by_plus;
  logic [DIMS-1:0] f_ahead, f_end;  // the wrap-around link is still to come; it is the next link
  logic [16*DIMS-1:0] f_done;  // links of the ring behind this one since its wrap-around link, counted in its direction
  generate
    for (genvar d = 0; d < DIMS; d++) begin : g_f_dim
      localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
      wire [15:0] f_here = 16'(here[LOW+:BITS]), f_to = 16'(f_destination[LOW+:BITS]);
      wire [15:0] f_steps = f_to < f_here ? f_to + 16'(EXTENT) - f_here : f_to - f_here;  // by plus, around
      assign f_differs[d] = f_here != f_to;
      assign f_legal[d] = 32'(f_here) < EXTENT && 32'(f_to) < EXTENT;
      assign f_by_plus[d] = LINKS_PER_DIM == 1 || (WRAP != 0 ? f_one_way || 2 * 32'(f_steps) <= EXTENT : f_to > f_here);
      assign f_ahead[d] = f_by_plus[d] ? f_to < f_here : f_to > f_here;
      assign f_end[d] = f_here == (f_by_plus[d] ? 16'(EXTENT - 1) : 16'd0);
      assign f_done[16*d+:16] = f_by_plus[d] ? f_here : 16'(EXTENT - 1) - f_here;
    end
  endgenerate
  wire [7:0] f_link = (8'(f_port) - 8'd1) / 8'(V);
  wire [7:0] f_dim = LINKS_PER_DIM == 1 ? f_link : f_link >> 1;
  wire f_plus = LINKS_PER_DIM == 1 || !f_link[0];

  // The virtual channels of one ring in order: those of 0 in the order of its links, then 1 of the wrap-around link, then
  // the others of 1. A message on the ring only goes up, if it came as these routes make it come.
  wire [7:0] f_in_link = (f_lane - 8'd1) / 8'(V);
  wire f_in_ring = V == 2 && f_lane != 8'd0 && f_in_link >> 1 == f_dim;  // came along the dimension in which it goes on
  wire f_in_second = V == 2 && !f_lane[0], f_second = V == 2 && !f_port[0];
  wire [15:0] f_extent = EXTENTS[f_dim*16+:16], f_at = f_done[f_dim*16+:16];
  wire [15:0] f_came_from = f_at == 16'd0 ? f_extent - 16'd1 : f_at - 16'd1;
  function automatic [16:0] f_height(input second, input [15:0] at);
    f_height = !second ? 17'(at) : at == f_extent - 16'd1 ? 17'(f_extent) : 17'(f_extent) + 17'(at) + 17'd1;
  endfunction

  always_comb begin
    assume (&f_legal);
    if (!f_enable) begin
    end else if (f_differs == '0) assert (f_port == '0);
    else begin
      assert (f_port != '0 && 32'(f_port) <= DIMS * LINKS_PER_DIM * V);
      assert (f_differs[f_dim] && f_plus == f_by_plus[f_dim]);
      for (int d = 0; d < DIMS; d++)
        if (f_descending ? 8'(d) > f_dim : 8'(d) < f_dim) assert (!f_differs[d]);
      if (V == 2) begin
        // It came in the direction in which it goes on, and by 1 only if it has crossed the wrap-around link or never will.
        if (f_in_ring) assume (f_in_link[0] == f_plus && (!f_in_second || !f_ahead[f_dim]));
        // By 0 it had not crossed it, or the link it came by was no other than that one.
        if (f_in_ring && !f_in_second) assume (f_at != 16'd0);
        if (f_in_ring) assert (f_height(f_second, f_at) > f_height(f_in_second, f_came_from));
        if (f_second) assert (!f_ahead[f_dim] || f_end[f_dim]);
        else assert (!f_end[f_dim]);
      end
    end

    cover (f_enable && f_descending && f_port == PORT_W'(1));
    cover (f_enable && !f_descending && f_port == PORT_W'(DIMS * LINKS_PER_DIM * V));
    cover (f_enable && f_port == '0);
    if (WRAP != 0) begin
      cover (f_enable && f_one_way && f_plus && f_port != '0);
      cover (f_enable && !f_one_way && !f_plus && f_port != '0);
    end
    if (V == 2) begin
      cover (f_enable && f_port != '0 && f_second && f_end[f_dim] && !f_plus);
      cover (f_enable && f_port != '0 && f_second && f_in_ring && f_in_second && f_plus);
      cover (f_enable && f_port != '0 && !f_second && !f_ahead[f_dim]);
    end
  end
`endif
endmodule

`default_nettype wire
