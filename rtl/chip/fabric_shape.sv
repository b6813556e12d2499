// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Checks the parameters that fabric_top and fabric_open have in common; it has no logic. The register KIND tells
// libflitloom the kind of network, and libflitloom computes links and routes from KIND and the shape. So KIND must be
// that of the network which the other parameters make; if it is not, elaboration fails, as illegal_KIND for example.
//
// Legal parameters: LINKS = 0: KIND 2 to 8, NODES a power of two; or 18, or 32. Otherwise, by KIND (docs/registers.md):
//   KIND            LINKS_PER_DIM  WRAP  TABLE  OTIS  DIMS
//   1 cube                1          0     0      0   any   EXTENTS are 2
//   9 line                2          0     0      0    1
//   10 ring               2          1     0      0    1
//   11 mesh               2          0     0      0   any
//   12 torus              2          1     0      0   any
//   13 table-mesh         2          0     1      0   any
//   14 table-torus        2          1     1      0   any
//   15 table-cube         1          0     1      0   any   EXTENTS are 2
//   16 graph             any       any     1      0    5    the lowest extent is NODES
//   17 OTIS-Mesh          2          0     0      1    4
//   18 circuit switches: LINKS is 0, DIMS 1 or 2; the extents are the ports of a switch, 2 or more, and the switches, 1 to 16
//   32 the same of 2x2 switches: the ports of a switch are a power of two
//   19 to 31 (kinds of the user's own, docs/adding-a-topology.md): any shape that fabric takes
// and but for a graph and own kinds NODES is the product of the EXTENTS, and LINKS is DIMS*LINKS_PER_DIM, or 5 with OTIS = 1.
`default_nettype none

module fabric_shape #(
    parameter integer KIND = 1,  // this one and the next ones as in fabric_top
    parameter integer NODES = 2,
    parameter integer LINKS = 1,
    parameter integer DIMS = 1,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer OTIS = 0,
    parameter integer CYCLE_W = 32,  // the fields of NODE
    parameter integer SMALL = 0
);
  localparam integer CUBE = 1, BASELINE = 2, BENES = 8, LINE = 9, RING = 10, TORUS = 12, TABLE_MESH = 13, TABLE_TORUS = 14;
  localparam integer TABLE_CUBE = 15, GRAPH = 16, OTIS_MESH = 17, OCS = 18, OWN = 19, OWN_LAST = 31, OCS_BENES = 32;
  localparam integer WRAPS = KIND == RING || KIND == TORUS || KIND == TABLE_TORUS ? 1 : 0;
  localparam integer TABLES = KIND >= TABLE_MESH && KIND <= GRAPH ? 1 : 0;
  localparam integer BINARY = KIND == CUBE || KIND == TABLE_CUBE ? 1 : 0;

  // Counts the nodes of a fabric of these extents; if they are more than a fabric may have: any number above that.
  function automatic integer nodes_of(input integer dims);
    nodes_of = 1;
    for (int d = 0; d < dims; d++) if (nodes_of <= 1024) nodes_of = nodes_of * 32'(EXTENTS[d*16+:16]);
  endfunction

  if (LINKS == 0 && (KIND == OCS || KIND == OCS_BENES)) begin : g_circuits
    if (KIND == OCS_BENES && (EXTENTS[15:0] & (EXTENTS[15:0] - 16'd1)) != '0) begin : g_EXTENTS_4 illegal_EXTENTS u_illegal (); end
    if (NODES < 2 || NODES > 1024 || DIMS > 2 || EXTENTS[15:0] < 16'd2 || NODES != nodes_of(DIMS) ||
        NODES / 32'(EXTENTS[15:0]) > 16) begin : g_EXTENTS_3
      illegal_EXTENTS u_illegal ();
    end
  end else if (LINKS == 0) begin : g_min
    if (KIND < BASELINE || KIND > BENES) begin : g_KIND illegal_KIND u_illegal (); end
    if (NODES < 2 || NODES > 1024 || NODES != 1 << $clog2(NODES)) begin : g_NODES illegal_NODES u_illegal (); end
  end else if (KIND < OWN || KIND > OWN_LAST) begin : g_net
    if (KIND != CUBE && (KIND < LINE || KIND > OTIS_MESH)) begin : g_KIND_2 illegal_KIND u_illegal (); end
    if (TABLE != TABLES || OTIS != (KIND == OTIS_MESH ? 1 : 0)) begin : g_KIND_3 illegal_KIND u_illegal (); end
    if (KIND != GRAPH && (LINKS_PER_DIM != 2 - BINARY || WRAP != WRAPS)) begin : g_KIND_4 illegal_KIND u_illegal (); end
    if ((KIND == LINE || KIND == RING) && DIMS != 1 || KIND == GRAPH && DIMS != 5) begin : g_KIND_5 illegal_KIND u_illegal (); end
    if (BINARY != 0 && EXTENTS != {DIMS{16'd2}}) begin : g_EXTENTS illegal_EXTENTS u_illegal (); end
    if (NODES != (KIND == GRAPH ? 32'(EXTENTS[15:0]) : nodes_of(DIMS))) begin : g_EXTENTS_2 illegal_EXTENTS u_illegal (); end
    if (KIND != GRAPH && LINKS != (OTIS != 0 ? 5 : DIMS * LINKS_PER_DIM)) begin : g_LINKS illegal_LINKS u_illegal (); end
  end
  if (CYCLE_W < 8 || CYCLE_W > 32) begin : g_CYCLE_W illegal_CYCLE_W u_illegal (); end
  if (SMALL != 0 && (SMALL != 1 || LINKS == 0)) begin : g_SMALL illegal_SMALL u_illegal (); end
endmodule

`default_nettype wire
