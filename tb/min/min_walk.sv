// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Functions for testbenches: the multistage networks by the definitions of [Yang00], on whole line numbers. Switch k of
// a stage has lines 2k and 2k+1.
`default_nettype none

module min_walk #(
    parameter integer KIND = 3,  // as in min_network
    parameter integer SIZE = 3,  // stages, 1..6
    localparam integer SWITCHES = 1 << SIZE - 1
) (
    input wire backward,  // with KIND 8
    input wire preset     // 1: switches have their settings; 0: headers set them
);
  wire [3:0] kind = KIND != 8 ? 4'(KIND) : backward ? 4'd6 : 4'd3;

  // Rotate the low w bits of x left, right; exchange two bits.
  function integer left(input integer x, input integer w);
    left = (x >> w << w) | ((x << 1) & ((1 << w) - 1)) | ((x >> (w - 1)) & 1);
  endfunction
  function integer right(input integer x, input integer w);
    right = (x >> w << w) | ((x & ((1 << w) - 1)) >> 1) | ((x & 1) << (w - 1));
  endfunction
  function integer swap(input integer x, input integer a);
    swap = (x & ~(1 | 1 << a)) | ((x >> a) & 1) | ((x & 1) << a);
  endfunction

  // (2) to (4): the line to which x leads before stage s, or with s = SIZE after the last stage; and the bit of the
  // destination that stage s uses.
  function integer link(input integer s, input integer x);
    case (kind)
      2: link = s > 0 && s < SIZE ? right(x, SIZE - (s - 1)) : x;
      3: link = s < SIZE ? left(x, SIZE) : x;
      4: link = s > 0 && s < SIZE ? swap(x, s) : x;
      5: link = s > 0 && s < SIZE ? left(x, s + 1) : x;
      6: link = s > 0 ? right(x, SIZE) : x;
      default: link = s > 0 && s < SIZE ? swap(x, SIZE - s) : x;
    endcase
  endfunction
  function integer tag_bit(input integer s);
    tag_bit = kind == 6 ? s : kind == 4 ? (s + 1) % SIZE : SIZE - 1 - s;
  endfunction

  // Returns the line on which a message from node u to node `to` leaves stage s, or with s = SIZE the node that it
  // reaches. Switch k of stage n is crossed if bit n*SWITCHES+k of `crossed` is 1.
  function integer walk(input integer u, input integer to, input [SIZE*SWITCHES-1:0] crossed, input integer s);
    integer x, n;
    x = u;
    for (n = 0; n <= s && n < SIZE; n = n + 1) begin
      x = link(n, x);
      if (preset) x = x ^ 32'(crossed[n*SWITCHES+x/2]);
      else x = (x & ~1) | ((to >> tag_bit(n)) & 1);
    end
    walk = s == SIZE ? link(SIZE, x) : x;
  endfunction

  // The first row of the Latin square: all straight.
  function integer row0(input integer u);
    integer n, x;
    x = u;
    for (n = 0; n <= SIZE; n = n + 1) x = link(n, x);
    row0 = x;
  endfunction
endmodule

`default_nettype wire
