// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Inside a testbench's module with a parameter NETWORK (see networks.svh): the parameters of fabric that it stands for. Labels
// have no more digits than the extents need, the first dimension's lowest.
function automatic [79:0] digits_of(input [79:0] extents);
  integer low, bits;
  low = 0;
  digits_of = '0;
  for (int d = 0; d < 5; d++) begin
    bits = 1;
    while ((1 << bits) < extents[d*16+:16]) bits = bits + 1;
    digits_of[d*16+:16] = {8'(bits), 8'(low)};
    low = low + bits;
  end
endfunction

function automatic integer nodes_of(input [79:0] extents);
  nodes_of = 1;
  for (int d = 0; d < 5; d++) if (extents[d*16+:16] != '0) nodes_of = nodes_of * extents[d*16+:16];
endfunction

localparam integer V = NETWORK[87:80];
localparam integer LINKS_PER_DIM = NETWORK[95:88] == CUBE ? 1 : 2;
localparam integer WRAP = NETWORK[95:88] == TORUS ? 1 : 0;
localparam integer NODES = nodes_of(NETWORK[79:0]);
localparam integer DIMS = 1 + 32'(NETWORK[31:16] != '0) + 32'(NETWORK[47:32] != '0) + 32'(NETWORK[63:48] != '0) + 32'(NETWORK[79:64] != '0);
localparam [DIMS*16-1:0] EXTENTS = NETWORK[DIMS*16-1:0];
localparam [79:0] ALL_DIGITS = digits_of(NETWORK[79:0]);
localparam [DIMS*16-1:0] DIGITS = ALL_DIGITS[DIMS*16-1:0];
localparam integer LABEL_W = DIGITS[DIMS*16-16+:8] + DIGITS[DIMS*16-8+:8];
