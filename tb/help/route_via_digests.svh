// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that all ways of a network make (route_via_walk). They are those of the C library's loom_route_next by rules valiant and o1turn:
// tests/unit/topo/test_via.c.
function [63:0] route_via_digest(input integer network);
  case (network)
    0: route_via_digest = 64'ha4f507035cb02c65;  // cube:3v2
    1: route_via_digest = 64'h0a6db99e19e31e15;  // cube:4v4
    2: route_via_digest = 64'hae5a0e4dfeb11ca1;  // mesh:3x5v2
    3: route_via_digest = 64'h2169678d23434abd;  // mesh:4x4v4
    4: route_via_digest = 64'h2f52b0ec8a869ed7;  // line:7v6
    5: route_via_digest = 64'h1b666eb4d2509d91;  // torus:4x4v4
    6: route_via_digest = 64'ha5f52c5194466739;  // torus:5x3v6
    7: route_via_digest = 64'h94acfe9a8d5556ed;  // ring:6v8
    default: route_via_digest = '0;
  endcase
endfunction
