// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Inside a testbench's module: cubes, meshes and tori (lines and rings are those of one dimension) as numbers, which a bench lists
// and network_shape.svh takes apart.
localparam integer NETWORK_W = 96;
localparam [7:0] CUBE = 8'd0, MESH = 8'd1, TORUS = 8'd2;

// A network with v virtual channels; the extents are those of up to five dimensions, the first one lowest.
function automatic [NETWORK_W-1:0] network(input [7:0] sort, input [7:0] v, input [79:0] extents);
  network = {sort, v, extents};
endfunction
