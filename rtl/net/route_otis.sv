// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units of an OTIS-Mesh, LANES of them side by side, as net_router uses them. Each of its n*n groups is a mesh of n by n
// processors, and an optical link leads from processor p of group g to processor g of group p, except where g = p. Routes
// are as short as any: d(p, P) within a group, else the less of d(p, G) + d(P, g) + 1, with one optical hop, and
// d(p, P) + d(g, G) + 2, with two (d: hops of a mesh; from processor p of group g to P of G); the first if both are as long.
//
// A label is g*n*n + p; each of g and p is row*n + column. Port 0 is the local one; of the others 1 leads to the next column,
// 2 to the column before, 3 to the next row, 4 to the row before, and 5 by light. Within a group a header goes along
// its row first (XY) or, when its rule bit is set, along its column.
//
// In group g a header's target is the processor from which the light goes on: G or, for the way with two optical
// hops, P; in group G it is P. The target stays the same until the header has left the group. So the unit needs only
// `here` and the destination.
//
// With V = 2 either rule is free of deadlock: a header goes by virtual channel 1 where g = G or g = P, else by 0, on all
// links. In a group and virtual channel it takes links in dimension order; by light it comes from 0 to 1, or by 1 to its
// end. It never goes from 1 to 0. So of the kinds of channels (a group's links by 0, light by 0, links by 1, light by 1) it
// meets each once at most, in that order: no circle. With V = 1 nothing here prevents one.
//
// Combinational; no clock, no state.
//
// Ports as in route_order, lane i in bits [i*LABEL_W +: LABEL_W], [i*PORT_W +: PORT_W] and bit i: enable, here,
// destination, descending (the header's rule). port: 0 to 5; with V = 2 a lane, as wh_router numbers them where port 0
// is single: 2p-1 virtual channel 0 of port p > 0, 2p virtual channel 1. here and the destination must be different
// nodes for any port but 0; at an edge of a mesh, or where g = p, it never asks for the missing link.
`default_nettype none

module route_otis #(
    parameter integer LABEL_W = 8,  // bits of a label: 4, 8 or 12, for n = 2, 4, 8
    parameter integer V = 1,  // virtual channels of a link, 1 or 2
    parameter integer LANES = 1,  // headers, >= 1
    localparam integer PORT_W = $clog2(5 * V + 1)
) (
    input  wire  [        LANES-1:0] enable,       // there is a header; else nothing is worked out
    input  wire  [      LABEL_W-1:0] here,         // label of this router
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [        LANES-1:0] descending,   // bit 0 of the header's rule: along the column first
    output logic [ LANES*PORT_W-1:0] port
);
  if (LABEL_W != 4 && LABEL_W != 8 && LABEL_W != 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (V < 1 || V > 2) begin : g_V illegal_V u_illegal (); end
  if (LANES < 1) begin : g_LANES illegal_LANES u_illegal (); end

  localparam integer W = LABEL_W / 4;  // of a row or column
  localparam integer SUM_W = W + 3;  // of distances, with a sign

  always_comb begin : pick
    logic [LANES*PORT_W-1:0] found;
    logic [2*W-1:0] p, g, to_p, to_g;
    logic [W-1:0] x, y, aim_x, aim_y;
    logic signed [SUM_W-1:0] more;  // d(p, P) + d(g, G) - d(p, G) - d(P, g)
    logic signed [SUM_W-1:0] pp, gg, pg, gp;
    logic home, along, across;
    found = 'x;
    {g, p} = here;
    {y, x} = p;
    to_p = '0;
    to_g = '0;
    aim_x = '0;
    aim_y = '0;
    more = '0;
    pp = '0;
    gg = '0;
    pg = '0;
    gp = '0;
    home = 1'b0;
    along = 1'b0;
    across = 1'b0;
    if (|enable) begin
      for (int i = 0; i < LANES; i++) begin
        if (enable[i]) begin
          {to_g, to_p} = destination[i*LABEL_W+:LABEL_W];
          home = g == to_g;
          more = '0;
          for (int d = 0; d < 2; d++) begin
            pp = SUM_W'(p[d*W+:W]) - SUM_W'(to_p[d*W+:W]);
            gg = SUM_W'(g[d*W+:W]) - SUM_W'(to_g[d*W+:W]);
            pg = SUM_W'(p[d*W+:W]) - SUM_W'(to_g[d*W+:W]);
            gp = SUM_W'(to_p[d*W+:W]) - SUM_W'(g[d*W+:W]);
            more = more + (pp < 0 ? -pp : pp) + (gg < 0 ? -gg : gg) - (pg < 0 ? -pg : pg) - (gp < 0 ? -gp : gp);
          end
          // It is even, and two optical hops are one more than one.
          {aim_y, aim_x} = home || more < 0 ? to_p : to_g;
          along = x != aim_x;
          across = y != aim_y;
          if (along && !(across && descending[i])) found[i*PORT_W+:PORT_W] = x < aim_x ? PORT_W'(1) : PORT_W'(1 + V);
          else if (across) found[i*PORT_W+:PORT_W] = y < aim_y ? PORT_W'(1 + 2 * V) : PORT_W'(1 + 3 * V);
          else found[i*PORT_W+:PORT_W] = home ? '0 : PORT_W'(1 + 4 * V);
          if (V == 2 && (home ? along || across : g == to_p)) found[i*PORT_W+:PORT_W] = found[i*PORT_W+:PORT_W] + 1'b1;
        end
      end
    end
    port = found;
  end

`ifdef FORMAL
  // One lane (any). The port leads to a node that is there and one hop nearer by Theorem 1 of [Sahni97], and the header goes on
  // from there as the order of channels above says.
  (* anyconst *) logic [7:0] f_any;
  wire [7:0] f_lane = 32'(f_any) < LANES ? f_any : 8'd0;
  wire [PORT_W-1:0] f_port = port[f_lane*PORT_W+:PORT_W];
  wire [7:0] f_link = f_port == '0 ? 8'd0 : (8'(f_port) - 8'd1) / 8'(V) + 8'd1;  // as V = 1 numbers ports
  wire f_second = V == 2 && f_port != '0 && !f_port[0];
  localparam integer F_W = 2 * W;
  wire [F_W-1:0] f_p = here[F_W-1:0], f_g = here[LABEL_W-1:F_W];
  wire [F_W-1:0] f_to_p = destination[f_lane*LABEL_W+:F_W], f_to_g = destination[f_lane*LABEL_W+F_W+:F_W];

  function automatic [7:0] f_way(input [W-1:0] a, input [W-1:0] b);
    f_way = a < b ? 8'(b) - 8'(a) : 8'(a) - 8'(b);
  endfunction
  function automatic [7:0] f_hops(input [F_W-1:0] a, input [F_W-1:0] b);
    f_hops = f_way(a[W-1:0], b[W-1:0]) + f_way(a[F_W-1:W], b[F_W-1:W]);
  endfunction
  function automatic [7:0] f_one(input [F_W-1:0] g, input [F_W-1:0] p);  // with one optical hop
    f_one = f_hops(p, f_to_g) + f_hops(f_to_p, g) + 8'd1;
  endfunction
  function automatic [7:0] f_two(input [F_W-1:0] g, input [F_W-1:0] p);
    f_two = f_hops(p, f_to_p) + f_hops(g, f_to_g) + 8'd2;
  endfunction
  function automatic [7:0] f_distance(input [F_W-1:0] g, input [F_W-1:0] p);
    f_distance = g == f_to_g ? f_hops(p, f_to_p) : f_one(g, p) <= f_two(g, p) ? f_one(g, p) : f_two(g, p);
  endfunction
  function automatic [F_W-1:0] f_aim(input [F_W-1:0] g, input [F_W-1:0] p);
    f_aim = g == f_to_g || f_one(g, p) > f_two(g, p) ? f_to_p : f_to_g;
  endfunction

  // The place to which the port leads.
  logic [F_W-1:0] f_next_g, f_next_p;
  logic f_there;  // there is such a link
  always_comb begin
    f_next_g = f_g;
    f_next_p = f_p;
    f_there = 1'b1;
    if (f_link == 8'd1) begin
      f_next_p[W-1:0] = f_p[W-1:0] + 1'b1;
      f_there = !(&f_p[W-1:0]);
    end else if (f_link == 8'd2) begin
      f_next_p[W-1:0] = f_p[W-1:0] - 1'b1;
      f_there = |f_p[W-1:0];
    end else if (f_link == 8'd3) begin
      f_next_p[F_W-1:W] = f_p[F_W-1:W] + 1'b1;
      f_there = !(&f_p[F_W-1:W]);
    end else if (f_link == 8'd4) begin
      f_next_p[F_W-1:W] = f_p[F_W-1:W] - 1'b1;
      f_there = |f_p[F_W-1:W];
    end else if (f_link == 8'd5) begin
      {f_next_g, f_next_p} = {f_p, f_g};
      f_there = f_g != f_p;
    end
  end
  wire f_home = f_g == f_to_g && f_p == f_to_p, f_arrives = f_next_g == f_to_g && f_next_p == f_to_p;
  wire [7:0] f_left = f_distance(f_g, f_p);
  wire f_next_second = f_next_g == f_to_g || f_next_g == f_to_p;

  always_comb begin
    if (enable[f_lane]) begin
      assert (32'(f_port) <= 5 * V && (f_port == '0) == f_home);
      if (!f_home) begin
        assert (f_there);
        assert (f_distance(f_next_g, f_next_p) == f_left - 8'd1);
        // Row or column first, and the aim stays.
        if (f_link != 8'd5) begin
          assert (f_aim(f_next_g, f_next_p) == f_aim(f_g, f_p));
          if (f_link <= 8'd2 && descending[f_lane]) assert (f_p[F_W-1:W] == f_aim(f_g, f_p) >> W);
          if (f_link > 8'd2 && !descending[f_lane]) assert (f_p[W-1:0] == W'(f_aim(f_g, f_p)));
        end
        // From 1 never to 0; by light to 1, or by 1 to the end.
        if (V == 2) begin
          assert (f_second == (f_g == f_to_g || f_g == f_to_p));
          if (f_second || f_link == 8'd5) assert (f_next_second);
          if (f_link != 8'd5) assert (f_second == f_next_second);
          if (f_second && f_link == 8'd5) assert (f_arrives);
        end
      end
    end

    cover (enable[f_lane] && f_link == 8'd5 && f_left > 8'd2 && f_one(f_g, f_p) > f_two(f_g, f_p));
    cover (enable[f_lane] && f_link == 8'd5 && f_arrives && descending[f_lane]);
    cover (enable[f_lane] && f_link == 8'd2 && f_g != f_to_g && f_one(f_g, f_p) > f_two(f_g, f_p));
    cover (enable[f_lane] && f_link == 8'd4 && f_g == f_to_g);
    cover (enable[f_lane] && f_port == '0);
    if (V == 2) cover (enable[f_lane] && f_link == 8'd5 && !f_second);
  end
`endif
endmodule

`default_nettype wire
