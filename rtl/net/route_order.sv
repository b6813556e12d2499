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
// Without WRAP either rule alone is free of deadlock; if messages of both are in the network at the same time, or
// with WRAP and V = 1 in an extent of more than 3 (one way: of more than 2), nothing here guarantees it.
//
// With V > 1 links have V virtual channels, and a header's route determines its virtual channel, so that they share
// the load:
// - In a cube a header keeps to one virtual channel from injection on: the sum, modulo V, of the digits of its
//   destination to a base of 2, 4 or 8, the least of these that is not below V.
// - Elsewhere it keeps to one on each row of a dimension: the coordinate where it leaves the row, modulo V.
// - But with WRAP it uses two of them, 2 k and 2 k + 1, if it crosses the wrap-around link of the ring (+: from the last
//   coordinate to 0, -: from 0 to the last one); k is that coordinate modulo V / 2, rounded down. Before that link it
//   goes by 2 k. It crosses the link by 2 k + 1, and keeps to that on the rest of the ring. So on a ring no message goes
//   from 2 k + 1 to another virtual channel, none crosses the wrap-around link by an even one (if V is odd, the last one
//   has only messages that do not cross that link), and none comes to that link by an odd one. Hence there is no circle,
//   and either rule is free of deadlock (datelines [Dally87]).
//
// Combinational; no clock, no state.
//
// Ports, lane i in bits [i*LABEL_W +: LABEL_W], [i*PORT_W +: PORT_W] and bit i:
// - enable: there is a header in this lane. Without it the lane's port is undefined. The signal keeps idle logic
//   quiet in a simulation and costs no logic; tie it to 1 if you do not need it.
// - here: label of this router, the same for all lanes. destination, descending: of the header; descending = 1
//   selects the highest dimension first, one_way = 1 the way by plus; without WRAP tie the latter to 0. A destination
//   must be a label of the network: each coordinate below its extent.
// - fresh: the route begins here, wherever the header came from; tie it to 0 if only routes from the local port begin
//   here.
// - port: 0 to DIMS*LINKS_PER_DIM. With V > 1 it is a lane, as wh_router numbers them where port 0 is single: 0 the local
//   port, p*V+1+v virtual channel v of link p. Then the lanes here are those as well: by lane i the header came, and where it
//   keeps to a virtual channel it goes on by that of lane i.
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
    parameter integer V = 1,  // virtual channels of a link, 1..8
    parameter integer LANES = V == 1 ? 1 : DIMS * LINKS_PER_DIM * V + 1,  // headers, >= 1; with V > 1 as many as lanes
    localparam integer PORT_W = $clog2(DIMS * LINKS_PER_DIM * V + 1)
) (
    input  wire  [        LANES-1:0] enable,       // there is a header; else nothing is worked out
    input  wire  [      LABEL_W-1:0] here,         // label of this router
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [        LANES-1:0] descending,   // bit 0 of the header's rule: highest dimension first
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        LANES-1:0] one_way,      // bit 1 of it: around a ring always by plus (WRAP = 1)
    input  wire  [        LANES-1:0] fresh,        // with V > 1: it goes on as if it came from the local port
    // verilator lint_on UNUSEDSIGNAL
    output logic [ LANES*PORT_W-1:0] port
);
  if (DIMS < 1 || DIMS > 12) begin : g_DIMS illegal_DIMS u_illegal (); end
  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (LINKS_PER_DIM < 1 || LINKS_PER_DIM > 2 || LINKS_PER_DIM == 1 && LABEL_W != DIMS) begin : g_LINKS_PER_DIM
    illegal_LINKS_PER_DIM u_illegal ();
  end
  if (WRAP < 0 || WRAP > 1 || WRAP == 1 && LINKS_PER_DIM != 2) begin : g_WRAP illegal_WRAP u_illegal (); end
  if (V < 1 || V > 8) begin : g_V illegal_V u_illegal (); end
  if (LANES < 1 || V > 1 && LANES != DIMS * LINKS_PER_DIM * V + 1) begin : g_LANES illegal_LANES u_illegal (); end
  for (genvar d = 0; d < DIMS; d++) begin : g_legal
    localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
    if (EXTENT < 1 || EXTENT > 1024 || LINKS_PER_DIM == 1 && EXTENT != 2) begin : g_EXTENTS
      illegal_EXTENTS u_illegal ();
    end
    if (BITS < 1 || LOW + BITS > LABEL_W || EXTENT > 1 << BITS || LINKS_PER_DIM == 1 && LOW != d) begin : g_DIGITS
      illegal_DIGITS u_illegal ();
    end
  end

  localparam integer V_W = V > 4 ? 3 : V > 2 ? 2 : 1;  // bits of a virtual channel's number, and of a digit in a cube

  // There is only one assignment to the port: with two in a row Icarus 11 never comes to rest if the port goes
  // through wh_router.
  if (LINKS_PER_DIM == 1) begin : g_cube
    always_comb begin : pick
      logic [LANES*PORT_W-1:0] found;
      logic [DIMS-1:0] left;
      logic [PORT_W-1:0] keeps;  // the virtual channel
      logic [6:0] sum;
      found = 'x;
      left  = '0;
      keeps = '0;
      sum   = '0;
      if (|enable) begin
        for (int i = 0; i < LANES; i++) begin
          if (enable[i]) begin
            found[i*PORT_W+:PORT_W] = '0;
            if (V > 1) begin
              keeps = PORT_W'((i - 1) % V);
              if (i == 0 || fresh[i]) begin
                sum = '0;
                for (int b = 0; b < DIMS; b = b + V_W) sum = sum + 7'(V_W'(destination[i*LABEL_W+:LABEL_W] >> b));
                keeps = PORT_W'(sum % 7'(V));
              end
            end
            left = here ^ destination[i*LABEL_W+:LABEL_W];
            if (descending[i]) begin
              for (int d = 0; d < DIMS; d++) if (left[d]) found[i*PORT_W+:PORT_W] = PORT_W'(d * V + 1) + keeps;
            end else begin
              for (int d = DIMS - 1; d >= 0; d--) if (left[d]) found[i*PORT_W+:PORT_W] = PORT_W'(d * V + 1) + keeps;
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
      logic [DIMS*PORT_W-1:0] by;  // the way along each dimension
      logic second, keeps, across;  // by virtual channel 1; came along this row; the wrap-around link is still to come
      logic [V_W-1:0] lane;  // by this virtual channel
      logic [LABEL_W:0] from, to, far;
      logic around, less, beyond;
      found = 'x;
      left  = '0;
      minus = '0;
      by = '0;
      second = 1'b0;
      keeps = 1'b0;
      across = 1'b0;
      lane = '0;
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
              end
              keeps = V > 1 && i > 0 && !fresh[i] && (i - 1) / (2 * V) == d;
              across = V > 1 && WRAP != 0 && minus[d] != less;
              second = from == (minus[d] ? '0 : (LABEL_W + 1)'(EXTENTS[d*16+:16] - 16'd1));
              if (V <= 2) begin
                if (!across) second = V > 1 && (to[0] || keeps && i % 2 == 0);
                by[d*PORT_W+:PORT_W] = second ? (minus[d] ? PORT_W'((2 * d + 2) * V) : PORT_W'((2 * d + 1) * V)) :
                    (minus[d] ? PORT_W'((2 * d + 1) * V + 1) : PORT_W'(2 * d * V + 1));
              end else begin
                if (across) lane = V_W'(to % (LABEL_W + 1)'(V / 2) << 1) | V_W'(second);
                else lane = keeps ? V_W'((i - 1) % V) : V_W'(to % (LABEL_W + 1)'(V));
                by[d*PORT_W+:PORT_W] =
                    (minus[d] ? PORT_W'((2 * d + 1) * V + 1) : PORT_W'(2 * d * V + 1)) + PORT_W'(lane);
              end
            end
            if (descending[i]) begin
              for (int d = 0; d < DIMS; d++) if (left[d]) found[i*PORT_W+:PORT_W] = by[d*PORT_W+:PORT_W];
            end else begin
              for (int d = DIMS - 1; d >= 0; d--) if (left[d]) found[i*PORT_W+:PORT_W] = by[d*PORT_W+:PORT_W];
            end
          end
        end
      end
      port = found;
    end
  end

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
  logic [16*DIMS-1:0] f_leave;  // coordinate where it leaves the row
  logic [16*DIMS-1:0] f_done;  // links of the ring behind this one since its wrap-around link, counted in its direction
  for (genvar d = 0; d < DIMS; d++) begin : g_f_dim
    localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
    wire [15:0] f_here = 16'(here[LOW+:BITS]), f_to = 16'(f_destination[LOW+:BITS]);
    wire [15:0] f_steps = f_to < f_here ? f_to + 16'(EXTENT) - f_here : f_to - f_here;  // by plus, around
    assign f_differs[d] = f_here != f_to;
    assign f_legal[d] = 32'(f_here) < EXTENT && 32'(f_to) < EXTENT;
    assign f_by_plus[d] = LINKS_PER_DIM == 1 || (WRAP != 0 ? f_one_way || 2 * 32'(f_steps) <= EXTENT : f_to > f_here);
    assign f_ahead[d] = f_by_plus[d] ? f_to < f_here : f_to > f_here;
    assign f_end[d] = f_here == (f_by_plus[d] ? 16'(EXTENT - 1) : 16'd0);
    assign f_leave[16*d+:16] = f_to;
    assign f_done[16*d+:16] = f_by_plus[d] ? f_here : 16'(EXTENT - 1) - f_here;
  end
  wire [7:0] f_link = (8'(f_port) - 8'd1) / 8'(V);
  wire [7:0] f_dim = LINKS_PER_DIM == 1 ? f_link : f_link >> 1;
  wire f_plus = LINKS_PER_DIM == 1 || !f_link[0];

  // A pair of virtual channels of one ring in order: those of the even one in the order of its links, then the odd one of the
  // wrap-around link, then the others of that. A message on the ring keeps to its pair and only goes up, if it came as these
  // routes make it come.
  wire [7:0] f_in_link = (f_lane - 8'd1) / 8'(V), f_in_vc = (f_lane - 8'd1) % 8'(V), f_vc = (8'(f_port) - 8'd1) % 8'(V);
  // Came along the dimension in which it goes on.
  wire f_in_row = V > 1 && f_lane != 8'd0 && !fresh[f_lane] && (LINKS_PER_DIM == 1 ? f_in_link : f_in_link >> 1) == f_dim;
  wire f_in_ring = WRAP != 0 && f_in_row, f_in_second = f_in_vc[0], f_second = f_vc[0];
  wire [15:0] f_extent = EXTENTS[f_dim*16+:16], f_at = f_done[f_dim*16+:16], f_leaves = f_leave[f_dim*16+:16];
  wire [7:0] f_mine = 8'(f_leaves % 16'(V)), f_pair = V > 1 ? 8'(f_leaves % 16'(V > 1 ? V / 2 : 1)) : 8'd0;
  // By weights: 2^b is 2^(b mod 1, 2 or 3) as a digit.
  logic [7:0] f_digits;
  always_comb begin
    f_digits = '0;
    for (int b = 0; b < LABEL_W; b++)
      if (f_destination[b]) f_digits = f_digits + (8'd1 << (b % (V > 4 ? 3 : V > 2 ? 2 : 1)));
    f_digits = f_digits % 8'(V);
  end
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
      if (V > 1 && LINKS_PER_DIM == 1) begin
        if (f_lane != 8'd0 && !fresh[f_lane]) assume (f_in_vc == f_digits);
        assert (f_vc == f_digits);
      end else if (V > 1 && WRAP == 0) begin
        if (f_in_row) assume (f_in_vc == f_mine);
        assert (f_vc == f_mine);
      end else if (V > 1) begin
        // It came in the direction in which it goes on, and by an odd one only if it has crossed the wrap-around link or never will.
        if (f_in_ring) assume (f_in_link[0] == f_plus && (!f_in_second || !f_ahead[f_dim]));
        if (f_in_ring && f_ahead[f_dim]) assume (f_in_vc == 8'd2 * f_pair);
        // By an even one it had not crossed it, or the link it came by was no other than that one.
        if (f_in_ring && !f_in_second) assume (f_at != 16'd0);
        if (f_in_ring) assert (f_height(f_second, f_at) > f_height(f_in_second, f_came_from));
        if (f_in_ring) assert (f_vc >> 1 == f_in_vc >> 1);
        if (f_second) assert (!f_ahead[f_dim] || f_end[f_dim]);
        else assert (!f_end[f_dim]);
        if (f_ahead[f_dim]) assert (f_vc >> 1 == f_pair);
        else if (!f_in_ring) assert (f_vc == f_mine);
      end
    end

    cover (f_enable && f_descending && f_port == PORT_W'(1));
    cover (f_enable && !f_descending && f_port != '0 && 32'(f_link) == DIMS * LINKS_PER_DIM - 1);
    cover (f_enable && f_port == '0);
    if (WRAP != 0) begin
      cover (f_enable && f_one_way && f_plus && f_port != '0);
      cover (f_enable && !f_one_way && !f_plus && f_port != '0);
    end
    if (V > 1 && WRAP != 0) begin
      cover (f_enable && f_port != '0 && f_second && f_end[f_dim] && !f_plus);
      cover (f_enable && f_port != '0 && f_second && f_in_ring && f_in_second && f_plus);
      cover (f_enable && f_port != '0 && !f_second && !f_ahead[f_dim]);
      if (V > 2) cover (f_enable && f_port != '0 && 32'(f_vc) == V - 1 && f_in_ring);
    end
    if (V > 1) cover (f_enable && f_port != '0 && f_lane == 8'd0 && 32'(f_vc) == V - 1);
  end
`endif
endmodule

`default_nettype wire
