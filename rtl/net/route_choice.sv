// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units that leave a choice: for each header a set of output lanes, for wh_router with ADAPTIVE = 1, on cubes, lines,
// rings, meshes and tori. Every lane of a set brings the message nearer to its destination; at home the set is the local
// port. net_router with ADAPTIVE = 1 has one. Labels, ports and lanes are those of route_order, and so are DIMS, EXTENTS,
// DIGITS, LINKS_PER_DIM, WRAP and V.
//
// The rules, by the number in the header. A direction is negative if the coordinate becomes less by it; in a cube, if a bit
// becomes 0.
// - 0 to 3: those of route_order; the set is one lane. Rules that are not listed here, or not defined on this
//   network, are treated in the same way, by their two lowest bits.
// - 4, negative first (on cubes: p-cube), 5, west first, 6, north last, without WRAP: the directions are divided into
//   two parts. As long as a direction of the first part leads nearer, a message takes such a one. The first part has:
//   with rule 4 all negative directions; with rule 5 those, except that of the highest dimension; with rule 6 the
//   negative ones and the positive one of dimension 0. The set has all lanes of such a link.
// - 7, odd-even, on meshes of two dimensions [Chiu00]: in a column (coordinate of dimension 0) with an even number no
//   message turns from going up in dimension 0 into dimension 1; in a column with an odd number none turns from
//   dimension 1 to going down in dimension 0. So messages that go up in dimension 0 leave for dimension 1 only in odd
//   columns or in their source's column, and stay in dimension 0 unless they are one column before an even one in
//   which they must stop; messages that go down leave for dimension 1 in even columns. The set has all lanes of such
//   a link.
// - 8, two kinds of lanes [Duato93]: the upper lanes of all links that lead nearer; and, tried last, an escape: the
//   link of the lowest dimension in which the message is not home yet, on one of the lower lanes. Around a ring the
//   escape goes the shorter way or, of two equal ways, the one that does not cross the ring's end. There is one lower
//   lane, 0; with WRAP and more than 4 nodes in some dimension there are two: the escape is on lane 0 as long as the
//   ring's end is still to come; else, and over the end, on lane 1. The rule needs one lane more than that: with
//   fewer there is only the escape.
//
// Combinational; no clock, no state. Freedom from deadlock: docs/adaptive.md.
//
// Ports, of lane i by which a header comes:
// - enable: there is a header in this lane. Without it its sets are undefined.
// - here: label of this router. source, destination, rule: of the header; the labels are those of nodes of the
//   network. Only the column of source is used, with rule 7.
// - lanes: bit i*LANES+o: it may have output lane o. late: only if no other one is free; a part of lanes.
`default_nettype none

module route_choice #(
    parameter integer DIMS = 8,  // this one and the next ones as in route_order
    parameter integer LABEL_W = DIMS,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter [DIMS*16-1:0] DIGITS = (DIMS * 16)'(192'h010b_010a_0109_0108_0107_0106_0105_0104_0103_0102_0101_0100),
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer V = 1,
    localparam integer LANES = DIMS * LINKS_PER_DIM * V + 1
) (
    input  wire  [        LANES-1:0] enable,
    input  wire  [      LABEL_W-1:0] here,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [LANES*LABEL_W-1:0] source,
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [      LANES*4-1:0] rule,
    output logic [  LANES*LANES-1:0] lanes,
    output logic [  LANES*LANES-1:0] late
);
  localparam integer LANE_W = $clog2(LANES);
  // Lanes of a link that are for the escape: 2 if some extent is 5 or more.
  localparam integer ESCAPES = WRAP != 0 && ((EXTENTS + {DIMS{16'h7ffb}}) & {DIMS{16'h8000}}) != '0 ? 2 : 1;
  localparam integer HAS_TURNS = WRAP == 0 ? 1 : 0, HAS_COLUMNS = WRAP == 0 && DIMS == 2 && LINKS_PER_DIM == 2 ? 1 : 0;
  localparam [3:0] NEGATIVE_FIRST = 4'd4, WEST_FIRST = 4'd5, NORTH_LAST = 4'd6, ODD_EVEN = 4'd7, DUATO = 4'd8;

  // The headers that go by the order of dimensions.
  logic [LANES-1:0] in_order, low, high;
  logic [LANES*LANE_W-1:0] lane;
  always_comb begin : order
    logic [LANES-1:0] by_order, descending, one_way;
    by_order = 'x;
    descending = 'x;
    one_way = 'x;
    if (|enable) begin
      for (int i = 0; i < LANES; i++) begin
        case (rule[i*4+:4])
          NEGATIVE_FIRST, WEST_FIRST, NORTH_LAST: by_order[i] = HAS_TURNS == 0;
          ODD_EVEN: by_order[i] = HAS_COLUMNS == 0;
          DUATO: by_order[i] = 1'b0;
          default: by_order[i] = 1'b1;
        endcase
        descending[i] = rule[i*4];
        one_way[i] = rule[i*4+1];
      end
    end
    in_order = by_order;
    low = descending;
    high = one_way;
  end

  route_order #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP),
      .V(V), .LANES(LANES)
  ) u_order (
      .enable(enable & in_order),
      .here, .destination,
      .descending(low),
      .one_way(high),
      .fresh({LANES{1'b0}}),
      .port(lane)
  );

  always_comb begin : pick
    logic [LANES*LANES-1:0] found, escape;
    logic [LANES-1:0] one;
    logic [DIMS-1:0] plus, minus, up, down;  // that bring it nearer; that it may take
    logic [LABEL_W:0] from, to, steps;
    logic [3:0] by;
    logic less, next, first, back, ahead;  // no dimension before this one is left; the escape goes by minus, on lane 0
    found = '0;
    escape = '0;
    one   = '0;
    plus  = '0;
    minus = '0;
    up    = '0;
    down  = '0;
    from  = '0;
    to    = '0;
    steps = '0;
    by    = '0;
    less  = 1'b0;
    next  = 1'b0;
    first = 1'b0;
    back  = 1'b0;
    ahead = 1'b0;
    if (|enable) begin
      for (int i = 0; i < LANES; i++) begin
        if (enable[i]) begin
          one = '0;
          by  = rule[i*4+:4];
          if (in_order[i]) begin
            for (int o = 0; o < LANES; o++) one[o] = lane[i*LANE_W+:LANE_W] == LANE_W'(o);
          end else begin
            first = 1'b1;
            for (int d = 0; d < DIMS; d++) begin
              from = {1'b0, here >> DIGITS[d*16+:8]} & (LABEL_W + 1)'((1 << DIGITS[d*16+8+:8]) - 1);
              to = {1'b0, destination[i*LABEL_W+:LABEL_W] >> DIGITS[d*16+:8]} &
                  (LABEL_W + 1)'((1 << DIGITS[d*16+8+:8]) - 1);
              // Bit by bit, as in route_order.
              less = 1'b0;
              for (int b = 0; b < 32'(DIGITS[d*16+8+:8]); b++) if (to[b] != from[b]) less = from[b];
              plus[d]  = to != from && !less;
              minus[d] = less;
              back  = minus[d];
              ahead = 1'b1;
              if (WRAP != 0) begin
                // Twice the steps by plus have one bit more than a coordinate.
                steps = minus[d] ? to + (LABEL_W + 1)'(EXTENTS[d*16+:16]) - from : to - from;
                minus[d] = to != from && EXTENTS[d*16+:16] > 16'd2 && {steps, 1'b0} >= (LABEL_W + 2)'(EXTENTS[d*16+:16]);
                plus[d]  = to != from && {steps, 1'b0} <= (LABEL_W + 2)'(EXTENTS[d*16+:16]);
                if (!plus[d] || !minus[d]) back = minus[d];
                ahead = ESCAPES == 1 || (back ? to > from : to < from) &&
                    from != (back ? '0 : (LABEL_W + 1)'(EXTENTS[d*16+:16] - 16'd1));
              end
              if (by == DUATO && first && to != from) begin
                first = 1'b0;
                for (int way = 0; way < LINKS_PER_DIM; way++)
                  for (int v = 0; v < V && v < 2; v++)
                    escape[i*LANES+(LINKS_PER_DIM*d+way)*V+1+v] =
                        (LINKS_PER_DIM == 1 || back == (way == 1)) && (V == 1 || ahead == (v == 0));
              end
            end
            up   = plus;
            down = minus;
            case (by)
              NEGATIVE_FIRST: if (minus != '0) up = '0;
              WEST_FIRST:
              if ((minus << 1) != '0) begin  // the highest one apart
                up = '0;
                down[DIMS-1] = 1'b0;
              end
              NORTH_LAST: if (minus != '0 || plus[0]) up = up & DIMS'(1);
              ODD_EVEN: begin
                if (HAS_COLUMNS != 0) begin
                  from = {1'b0, here >> DIGITS[7:0]} & (LABEL_W + 1)'((1 << DIGITS[15:8]) - 1);
                  to = {1'b0, destination[i*LABEL_W+:LABEL_W] >> DIGITS[7:0]} & (LABEL_W + 1)'((1 << DIGITS[15:8]) - 1);
                  steps = {1'b0, source[i*LABEL_W+:LABEL_W] >> DIGITS[7:0]} & (LABEL_W + 1)'((1 << DIGITS[15:8]) - 1);
                  if (plus[0] && !from[0] && from != steps || minus[0] && from[0]) begin
                    up   = up & DIMS'(1);
                    down = down & DIMS'(1);
                  end
                  // The next column, bit by bit as well.
                  next = 1'b1;
                  less = 1'b1;
                  for (int b = 0; b < 32'(DIGITS[8+:8]); b++) begin
                    next = next && to[b] == (from[b] ^ less);
                    less = less && from[b];
                  end
                  if (plus[0] && !to[0] && next && (plus | minus) >> 1 != '0) up[0] = 1'b0;
                end
              end
              default: ;
            endcase
            for (int d = 0; d < DIMS; d++) begin
              for (int v = 0; v < V; v++) begin
                if (by != DUATO || v >= ESCAPES) begin
                  one[LINKS_PER_DIM*d*V+1+v] = up[d] || LINKS_PER_DIM == 1 && down[d];
                  if (LINKS_PER_DIM == 2) one[(LINKS_PER_DIM*d+LINKS_PER_DIM-1)*V+1+v] = down[d];
                end
              end
            end
            one[0] = (plus | minus) == '0;
          end
          found[i*LANES+:LANES] = one | escape[i*LANES+:LANES];
        end
      end
    end
    lanes = found;
    late  = escape;
  end

`ifdef FORMAL
  // For an arbitrary lane by which a header comes, and an arbitrary lane by which it may go: it may go if the rule,
  // in other words, allows it.
  (* anyconst *) logic [7:0] f_any, f_any_out;
  wire [7:0] f_i = 32'(f_any) < LANES ? f_any : 8'd0, f_o = 32'(f_any_out) < LANES ? f_any_out : 8'd0;
  wire [LABEL_W-1:0] f_source = source[f_i*LABEL_W+:LABEL_W], f_to = destination[f_i*LABEL_W+:LABEL_W];
  wire [3:0] f_rule = rule[f_i*4+:4];
  wire f_set = lanes[f_i*LANES+f_o], f_last = late[f_i*LANES+f_o];
  wire [LANES-1:0] f_all = lanes[f_i*LANES+:LANES];
  // For each dimension: links from here to the destination by plus and by minus, around where it wraps; and whether one step makes
  // them fewer.
  logic [DIMS-1:0] f_legal, f_nearer_plus, f_nearer_minus, f_home, f_escape_minus, f_over;
  for (genvar d = 0; d < DIMS; d++) begin : g_f_dim
    localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
    wire [15:0] at = 16'(here[LOW+:BITS]), to = 16'(f_to[LOW+:BITS]), begun = 16'(f_source[LOW+:BITS]);
    wire [15:0] by_plus = to >= at ? to - at : to + 16'(EXTENT) - at;
    wire [15:0] by_minus = at >= to ? at - to : at + 16'(EXTENT) - to;
    assign f_legal[d] = 32'(at) < EXTENT && 32'(to) < EXTENT && 32'(begun) < EXTENT;
    assign f_home[d] = at == to;
    assign f_nearer_plus[d] = at != to && (WRAP != 0 ? by_plus <= by_minus : to > at);
    assign f_nearer_minus[d] = at != to && (WRAP != 0 ? by_minus <= by_plus && EXTENT != 2 : to < at);
    assign f_escape_minus[d] = WRAP == 0 ? to < at : by_minus < by_plus && EXTENT != 2 || by_minus == by_plus && EXTENT != 2 && to < at;
    // The end of the ring has still to come, and is not the next link.
    assign f_over[d] = f_escape_minus[d] ? to > at && at != 16'd0 : to < at && 32'(at) != EXTENT - 1;
  end
  wire [15:0] f_x = 16'(here & LABEL_W'((1 << DIGITS[15:8]) - 1)), f_x_to = 16'(f_to & LABEL_W'((1 << DIGITS[15:8]) - 1)),
      f_x_source = 16'(f_source & LABEL_W'((1 << DIGITS[15:8]) - 1));
  wire [7:0] f_link = (f_o - 8'd1) / 8'(V), f_vc = (f_o - 8'd1) % 8'(V);
  wire [7:0] f_dim = LINKS_PER_DIM == 1 ? f_link : f_link >> 1;
  wire f_minus = LINKS_PER_DIM == 1 ? f_nearer_minus[f_dim] : f_link[0];
  wire f_nearer = f_o != 8'd0 && (f_minus ? f_nearer_minus[f_dim] : f_nearer_plus[f_dim]);
  // The first part of the directions, by plus and by minus.
  logic [DIMS-1:0] f_part_plus, f_part_minus;
  always_comb begin
    f_part_plus  = '0;
    f_part_minus = '1;
    if (f_rule == WEST_FIRST) f_part_minus[DIMS-1] = 1'b0;
    if (f_rule == NORTH_LAST) f_part_plus[0] = 1'b1;
  end
  wire f_in_part = f_minus ? f_part_minus[f_dim] : f_part_plus[f_dim];
  wire f_part_left = ((f_part_plus & f_nearer_plus) | (f_part_minus & f_nearer_minus)) != '0;
  // Odd-even: the message to the east has some way to go across its row, or none.
  wire f_east = f_x_to > f_x, f_west = f_x_to < f_x, f_rows = DIMS > 1 && f_home[DIMS-1] == 1'b0;
  logic f_expect, f_expect_last;
  logic f_lower;  // all dimensions below that of the link are home
  always_comb begin
    f_lower = 1'b1;
    for (int d = 0; d < DIMS; d++) if (8'(d) < f_dim && !f_home[d]) f_lower = 1'b0;
  end
  always_comb begin
    f_expect_last = 1'b0;
    if (f_home == '1) f_expect = f_o == 8'd0;
    else if (f_o == 8'd0) f_expect = 1'b0;
    else if (f_rule == ODD_EVEN)
      if (f_dim == 8'd0) f_expect = f_nearer && !(f_east && f_rows && !f_x_to[0] && f_x_to - f_x == 16'd1);
      else f_expect = f_nearer && (!f_east && !f_west || f_west && !f_x[0] || f_east && (f_x[0] || f_x == f_x_source));
    else if (f_rule == DUATO) begin
      f_expect_last = f_lower && !f_home[f_dim] && (LINKS_PER_DIM == 1 || f_minus == f_escape_minus[f_dim]) &&
          (V == 1 || f_vc == (ESCAPES == 2 && !f_over[f_dim] ? 8'd1 : 8'd0));
      f_expect = f_expect_last || f_nearer && 32'(f_vc) >= ESCAPES;
    end else f_expect = f_nearer && (f_in_part || !f_part_left);
  end

  always_comb begin
    assume (&f_legal);
    if (enable[f_i]) begin
      assert (f_all != '0);
      assert (!f_last || f_set);
      // Only the rules that choose leave a choice.
      if (f_rule < 4'd4 || f_rule > 4'd8 || (WRAP != 0 && f_rule < 4'd8) || (HAS_COLUMNS == 0 && f_rule == ODD_EVEN)) begin
        assert (!f_last && (f_all & (f_all - 1'b1)) == '0);
        if (f_set) assert (f_o == 8'(lane[f_i*LANE_W+:LANE_W]));
        assert (low[f_i] == f_rule[0] && high[f_i] == f_rule[1]);
      end else begin
        assert (f_set == f_expect && f_last == f_expect_last);
        // Each link brings the message nearer.
        if (f_set && f_o != 8'd0) assert (f_nearer);
      end
    end

    cover (enable[f_i] && f_rule == DUATO && f_set && !f_last && f_last == f_expect_last && f_dim != 8'd0);
    cover (enable[f_i] && f_rule == DUATO && f_last);
    if (HAS_TURNS != 0) cover (enable[f_i] && f_rule == WEST_FIRST && f_set && !f_in_part);
    if (HAS_TURNS != 0) cover (enable[f_i] && f_rule == NORTH_LAST && f_set && f_in_part);
    if (HAS_COLUMNS != 0) cover (enable[f_i] && f_rule == ODD_EVEN && f_set && f_dim == 8'd1 && f_east);
  end
`endif
endmodule

`default_nettype wire
