// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that all sets of lanes of a network make (route_choice_walk). They are those of the C library's loom_rule_choice:
// tests/unit/topo/test_choice_digests.c holds it to this file, which is the one place that has them.
function [63:0] route_choice_digest(input integer network);
  case (network)
    0: route_choice_digest = 64'hc9a0b066870d9052;  // cube:4
    1: route_choice_digest = 64'h850ef9f0a8560fa2;  // cube:3v3
    2: route_choice_digest = 64'h2288a408a922b755;  // mesh:3x5
    3: route_choice_digest = 64'h515c420a84ee9fa5;  // mesh:4x4v2
    4: route_choice_digest = 64'h6e1fd69819408565;  // mesh:3x2x4v2
    5: route_choice_digest = 64'hfd7f7f1823afd2e6;  // line:7v2
    6: route_choice_digest = 64'h704f782d26478125;  // torus:4x4v2
    7: route_choice_digest = 64'hc4ce0b34131fa339;  // torus:5x3v3
    8: route_choice_digest = 64'h77569072a961a33f;  // ring:6v4
    9: route_choice_digest = 64'h9c5e549d3b54cf0d;  // torus:2x8v3
    default: route_choice_digest = '0;
  endcase
endfunction
