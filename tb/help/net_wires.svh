// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Inside a testbench's module: a direct network of up to three dimensions, or an OTIS-Mesh, as the testbench itself understands
// it, by coordinates. The parameters DIMS, EXTENTS, LINKS_PER_DIM, WRAP, TABLE and OTIS are those of fabric.
localparam integer W_WORDS = 512;  // of `wires`: nodes times links

function automatic integer extent(input integer d);
  extent = d < DIMS ? 32'(EXTENTS[d*16+:16]) : 1;
endfunction

function automatic integer bits_of(input integer n);
  bits_of = 1;
  while ((1 << bits_of) < n) bits_of = bits_of + 1;
endfunction

function automatic integer coordinate(input integer node, input integer d);
  coordinate = node;
  for (int k = 0; k < d; k++) coordinate = coordinate / extent(k);
  coordinate = coordinate % extent(d);
endfunction

function automatic integer label(input integer node);
  integer low;
  low = 0;
  label = 0;
  for (int d = 0; d < DIMS; d++) begin
    label = label + (coordinate(node, d) << low);
    low = low + bits_of(extent(d));
  end
  if (TABLE != 0) label = node;
endfunction

// The node at the other end of a link, -1: there is no such link.
function automatic integer neighbour(input integer node, input integer link);
  integer d, way, at, low;
  d = OTIS != 0 && link == 4 ? 0 : link / LINKS_PER_DIM;
  way = LINKS_PER_DIM == 1 ? 1 - 2 * coordinate(node, d) : link % 2 == 0 ? 1 : -1;
  at = coordinate(node, d) + way;
  neighbour = -1;
  if (OTIS != 0 && link == 4) begin  // from column, row of the processor and of the group to these the other way round
    at = -1;
    low = extent(0) * extent(0);
    if (node % low != node / low) neighbour = node % low * low + node / low;
  end
  if (WRAP != 0) at = extent(d) > 2 || way == 1 && extent(d) == 2 ? (at + extent(d)) % extent(d) : -1;
  if (at >= 0 && at < extent(d)) begin
    low = 1;
    for (int k = 0; k < d; k++) low = low * extent(k);
    neighbour = node + (at - coordinate(node, d)) * low;
  end
endfunction

// The link that leads back.
function automatic integer back(input integer node, input integer link);
  back = OTIS != 0 && link == 4 ? 4 : LINKS_PER_DIM == 1 || WRAP != 0 && extent(link / 2) == 2 ? link : link % 2 == 0 ? link + 1 : link - 1;
endfunction

// Hops between two processors of a group of an OTIS-Mesh.
function automatic integer mesh_hops(input integer a, input integer b);
  integer x, y;
  x = a % extent(0) - b % extent(0);
  y = a / extent(0) - b / extent(0);
  mesh_hops = (x < 0 ? -x : x) + (y < 0 ? -y : y);
endfunction

// The link by which a message goes on, -1: it is there. Rule: bit 0 highest dimension first, bit 1 around by plus.
function automatic integer next_link(input integer node, input integer target, input integer rule);
  integer d, left, many, aim;
  next_link = -1;
  many = extent(0) * extent(0);
  aim = target;
  if (OTIS != 0 && node / many != target / many) begin
    // By light from the processor called as the group, or as the processor, that it is for.
    aim = mesh_hops(node % many, target % many) + mesh_hops(node / many, target / many) + 1 <
        mesh_hops(node % many, target / many) + mesh_hops(target % many, node / many) ? target % many : target / many;
    if (node % many == aim) next_link = 4;
    aim = node / many * many + aim;
  end
  for (int k = 0; k < (OTIS != 0 ? next_link == 4 ? 0 : 2 : DIMS); k++) begin
    d = rule % 2 != 0 ? (OTIS != 0 ? 2 : DIMS) - 1 - k : k;
    left = coordinate(aim, d) - coordinate(node, d);
    if (next_link < 0 && left != 0) begin
      if (WRAP != 0) left = rule > 1 || 2 * ((left + extent(d)) % extent(d)) <= extent(d) ? 1 : -1;
      next_link = LINKS_PER_DIM == 1 ? d : left > 0 ? 2 * d : 2 * d + 1;
    end
  end
endfunction

function automatic integer hops(input integer from, input integer to);
  integer at;
  at = from;
  hops = 0;
  while (at != to) begin
    at = neighbour(at, next_link(at, to, 0));
    hops = hops + 1;
  end
endfunction

// Counts those of these hops that go by light.
function automatic integer optical_hops(input integer from, input integer to);
  integer at;
  at = from;
  optical_hops = 0;
  while (at != to) begin
    if (next_link(at, to, 0) == 4) optical_hops = optical_hops + 1;
    at = neighbour(at, next_link(at, to, 0));
  end
endfunction

// The parameter WIRES. It says again what neighbour and back say: Icarus 11 takes no constant function that calls another.
function automatic [W_WORDS*24-1:0] wires(input integer nodes, input integer links);
  integer d, low, many, at, to, way;
  wires = '0;
  for (int u = 0; u < nodes; u++) begin
    for (int p = 0; p < links; p++) begin
      d = p / LINKS_PER_DIM;
      low = 1;
      for (int k = 0; k < d; k++) low = low * EXTENTS[k*16+:16];
      many = EXTENTS[d*16+:16];
      at = (u / low) % many;
      way = LINKS_PER_DIM == 1 ? 1 - 2 * at : 1 - 2 * (p % 2);
      to = at + way;
      if (OTIS != 0 && p == 4) begin  // EXTENTS are all the same
        low = EXTENTS[15:0] * EXTENTS[15:0];
        if (u % low != u / low) wires[(u*links+p)*24+:24] = {1'b1, 2'b00, 9'd4, 12'(u % low * low + u / low)};
        to = -1;
      end
      if (WRAP != 0) to = many > 2 || way == 1 && many == 2 ? (to + many) % many : -1;
      if (to >= 0 && to < many)
        wires[(u*links+p)*24+:24] = {1'b1, 2'b00, LINKS_PER_DIM == 1 || WRAP != 0 && many == 2 ? 9'(p) : 9'(p ^ 1),
                                     12'(u + (to - at) * low)};
    end
  end
endfunction
