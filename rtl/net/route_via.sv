// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Route units for messages that go through a node which their header names, on cubes, lines, rings, meshes and tori:
// oblivious routing. net_router with VIA = 1 has one. Labels, ports and lanes are those of route_order, and so are DIMS,
// EXTENTS, DIGITS, LINKS_PER_DIM and WRAP; V is even.
//
// A route has two parts, each on half of the lanes of each link, virtual channels 0 to V/2-1 and V/2 to V-1. A header
// never changes: the lane by which a message comes shows the part in which it is.
// - In its first part a message goes to `via` by the order of dimensions, the lowest first; in its second part it goes
//   from there to its destination, likewise. A message that begins at `via` has no first part. So the first part waits
//   for both halves, the second one only for its own half, and each half is free of deadlock where route_order is with
//   as many virtual channels.
// - With `corner`, on meshes of two dimensions [Seo05]: a message keeps to one half all the way. If `via` is in the
//   column (coordinate of dimension 0) where it begins and in the row of its destination, it takes the second half and
//   dimension 1 first; else the first half and dimension 0 first.
// Within a half its virtual channel is that of route_order, as if there were no other lanes and each part began at the
// local port.
//
// Combinational; no clock, no state.
//
// Ports, of lane i by which a header comes: enable, here, destination as in route_order; via: a label of the network; corner:
// as said, 0 on other networks. lane: by which it goes, 0 the local port.
`default_nettype none

module route_via #(
    parameter integer DIMS = 8,  // this one and the next ones as in route_order
    parameter integer LABEL_W = DIMS,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter [DIMS*16-1:0] DIGITS = (DIMS * 16)'(192'h010b_010a_0109_0108_0107_0106_0105_0104_0103_0102_0101_0100),
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer V = 2,  // virtual channels of a link, 2, 4, 6 or 8
    localparam integer LANES = DIMS * LINKS_PER_DIM * V + 1,
    localparam integer LANE_W = $clog2(LANES)
) (
    input  wire  [        LANES-1:0] enable,
    input  wire  [      LABEL_W-1:0] here,
    input  wire  [LANES*LABEL_W-1:0] destination,
    input  wire  [LANES*LABEL_W-1:0] via,
    input  wire  [        LANES-1:0] corner,
    output logic [ LANES*LANE_W-1:0] lane
);
  if (V < 2 || V > 8 || V % 2 != 0) begin : g_V illegal_V u_illegal (); end

  localparam integer HALF = V / 2, PART = DIMS * LINKS_PER_DIM * HALF + 1, PART_W = $clog2(PART);
  localparam integer HAS_CORNERS = DIMS == 2 && LINKS_PER_DIM == 2 && WRAP == 0 ? 1 : 0;
  localparam [LABEL_W-1:0] COLUMN = LABEL_W'(((1 << DIGITS[15:8]) - 1) << DIGITS[7:0]);

  // Headers that come by the local port or the first half of the lanes, and those of the second half. of_second: they go on by the second half.
  logic [PART-1:0] first_enable, first_order, first_fresh, of_second, second_enable, second_order;
  logic [PART*LABEL_W-1:0] first_to, second_to;
  logic [PART*PART_W-1:0] first_port, second_port;
  always_comb begin : halves
    logic [LABEL_W-1:0] to, by;
    logic up_first;  // by the second half from the beginning, dimension 1 first
    to = '0;
    by = '0;
    up_first = 1'b0;
    first_enable = '0;
    first_order  = '0;
    first_fresh  = '0;
    of_second = '0;
    first_to = 'x;
    second_enable = '0;
    second_order  = '0;
    second_to = 'x;
    if (|enable) begin
      for (int k = 0; k < PART; k++) begin
        if (enable[k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1]) begin
          first_enable[k] = 1'b1;
          to = destination[(k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1)*LABEL_W+:LABEL_W];
          by = via[(k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1)*LABEL_W+:LABEL_W];
          if (HAS_CORNERS != 0 && corner[k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1]) begin
            up_first = k == 0 && ((by ^ here) & COLUMN) == '0 && ((by ^ to) & ~COLUMN) == '0;
            first_order[k] = up_first;
            of_second[k] = up_first;
            first_to[k*LABEL_W+:LABEL_W] = to;
          end else begin
            of_second[k]   = by == here;
            first_fresh[k] = by == here;
            first_to[k*LABEL_W+:LABEL_W] = by == here ? to : by;
          end
        end
        if (k > 0 && enable[k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1+HALF]) begin
          second_enable[k] = 1'b1;
          second_order[k]  = HAS_CORNERS != 0 && corner[k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1+HALF];
          second_to[k*LABEL_W+:LABEL_W] = destination[(k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1+HALF)*LABEL_W+:LABEL_W];
        end
      end
    end
  end

  route_order #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP),
      .V(HALF), .LANES(PART)
  ) u_first (
      .enable(first_enable),
      .here,
      .destination(first_to),
      .descending(first_order),
      .one_way({PART{1'b0}}),
      .fresh(first_fresh),
      .port(first_port)
  );

  route_order #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP),
      .V(HALF), .LANES(PART)
  ) u_second (
      .enable(second_enable),
      .here,
      .destination(second_to),
      .descending(second_order),
      .one_way({PART{1'b0}}),
      .fresh({PART{1'b0}}),
      .port(second_port)
  );

  always_comb begin : join_halves
    logic [LANES*LANE_W-1:0] found;
    logic [PART_W-1:0] port;
    found = 'x;
    port  = '0;
    // In 8 bits, enough for 193 lanes: Yosys makes a divider of each division, as wide as what it divides.
    if (|enable) begin
      for (int k = 0; k < PART; k++) begin
        if (first_enable[k]) begin
          port = first_port[k*PART_W+:PART_W];
          found[(k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1)*LANE_W+:LANE_W] = port == '0 ? '0 :
              LANE_W'((8'(port) - 8'd1) / 8'(HALF) * 8'(HALF) + 8'(port) + (of_second[k] ? 8'(HALF) : 8'd0));
        end
        if (k > 0 && second_enable[k]) begin
          port = second_port[k*PART_W+:PART_W];
          found[(k==0?0 : (k-1)/HALF*V+(k-1)%HALF+1+HALF)*LANE_W+:LANE_W] =
              port == '0 ? '0 : LANE_W'((8'(port) - 8'd1) / 8'(HALF) * 8'(HALF) + 8'(port) + 8'(HALF));
        end
      end
    end
    lane = found;
  end

`ifdef FORMAL
  // For an arbitrary lane by which a header comes: its present target, the half of the lanes by which it goes on, and
  // the order of dimensions.
  (* anyconst *) logic [7:0] f_any;
  wire [7:0] f_in = 32'(f_any) < LANES ? f_any : 8'd0;
  wire [LABEL_W-1:0] f_to = destination[f_in*LABEL_W+:LABEL_W], f_by = via[f_in*LABEL_W+:LABEL_W];
  wire [LANE_W-1:0] f_out = lane[f_in*LANE_W+:LANE_W];
  wire f_corner = HAS_CORNERS != 0 && corner[f_in];
  wire f_was_second = f_in != 8'd0 && (f_in - 8'd1) % 8'(V) >= 8'(HALF);
  logic f_up_first;
  wire f_second = f_was_second || (f_corner ? f_in == 8'd0 && f_up_first : f_by == here);
  wire [LABEL_W-1:0] f_aim = f_corner || f_second ? f_to : f_by;
  wire [7:0] f_link = (8'(f_out) - 8'd1) / 8'(V), f_vc = (8'(f_out) - 8'd1) % 8'(V), f_came_vc = (f_in - 8'd1) % 8'(V);
  wire [7:0] f_dim = LINKS_PER_DIM == 1 ? f_link : f_link >> 1;
  wire f_minus = LINKS_PER_DIM == 2 && f_link[0];
  logic [DIMS-1:0] f_legal, f_home, f_nearer;
  logic [16*DIMS-1:0] f_leave;
  for (genvar d = 0; d < DIMS; d++) begin : g_f_dim
    localparam integer EXTENT = 32'(EXTENTS[d*16+:16]), LOW = 32'(DIGITS[d*16+:8]), BITS = 32'(DIGITS[d*16+8+:8]);
    wire [15:0] at = 16'(here[LOW+:BITS]), aim = 16'(f_aim[LOW+:BITS]);
    wire [15:0] by_plus = aim >= at ? aim - at : aim + 16'(EXTENT) - at;
    assign f_legal[d] = 32'(at) < EXTENT && 32'(f_to[LOW+:BITS]) < EXTENT && 32'(f_by[LOW+:BITS]) < EXTENT;
    assign f_home[d] = at == aim;
    // The link is the shorter way, plus if both are as long.
    assign f_nearer[d] = at != aim && (LINKS_PER_DIM == 1 || (WRAP != 0 ? f_minus == (2 * 32'(by_plus) > EXTENT) : f_minus == (aim < at)));
    assign f_leave[16*d+:16] = aim;
  end
  if (HAS_CORNERS != 0) begin : g_f_corners
    assign f_up_first = f_by[32'(DIGITS[7:0])+:32'(DIGITS[15:8])] == here[32'(DIGITS[7:0])+:32'(DIGITS[15:8])] &&
        f_by[32'(DIGITS[23:16])+:32'(DIGITS[31:24])] == f_to[32'(DIGITS[23:16])+:32'(DIGITS[31:24])];
  end else begin : g_f_no_corners
    assign f_up_first = 1'b0;
  end
  wire [15:0] f_leaves = f_leave[f_dim*16+:16];
  wire f_last_dim = f_corner && f_second;  // the highest dimension first
  // It goes on in the row along which it came in this part of its way.
  wire f_in_row = f_in != 8'd0 && (f_second == f_was_second) &&
      (LINKS_PER_DIM == 1 ? (f_in - 8'd1) / 8'(V) == f_link : (f_in - 8'd1) / 8'(2 * V) == f_dim);

  always_comb begin
    assume (&f_legal);
    if (DIMS == 2 && LINKS_PER_DIM == 2) assume (((here | f_to | f_by) >> (DIGITS[15:8] + DIGITS[31:24])) == '0);
    if (enable[f_in]) begin
      if (&f_home) assert (f_out == '0 && (f_corner || f_second));
      else begin
        assert (f_out != '0 && 32'(f_out) < LANES);
        // The half: from the first one it may go on to the second, never back.
        assert ((32'(f_vc) >= HALF) == f_second);
        assert (!f_was_second || f_second);
        // The link leads nearer to what it is on its way to, in the first dimension that is left.
        assert (f_nearer[f_dim]);
        for (int d = 0; d < DIMS; d++) if (f_last_dim ? 8'(d) > f_dim : 8'(d) < f_dim) assert (f_home[d]);
        // Within a half, on a mesh: the virtual channel of where it leaves the row in this part of its way; route_order's proof has the rings.
        if (WRAP == 0 && LINKS_PER_DIM == 2) begin
          if (f_in_row) assume (16'(f_came_vc % 8'(HALF)) == f_leaves % 16'(HALF));
          assert (16'(f_vc % 8'(HALF)) == f_leaves % 16'(HALF));
        end
      end
    end

    cover (enable[f_in] && f_in != 8'd0 && !f_was_second && f_second && f_out != '0);
    cover (enable[f_in] && f_in == 8'd0 && !f_second && f_to == here);
    cover (enable[f_in] && f_was_second && f_out == '0);
    if (HAS_CORNERS != 0) cover (enable[f_in] && f_corner && f_second && f_in == 8'd0 && f_dim == 8'd1 && f_out != '0);
    if (HAS_CORNERS != 0) cover (enable[f_in] && f_corner && f_was_second && f_dim == 8'd0 && f_out != '0);
  end
`endif
endmodule

`default_nettype wire
