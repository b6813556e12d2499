// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Raises `stuck` after `limit` cycles of `armed` without `moved`; it stays until reset. A limit of 0 never does.
`default_nettype none

module watchdog #(
    parameter integer LIMIT_W = 32  // bits of the limit, 1..32
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                armed,
    input  wire                moved,
    input  wire  [LIMIT_W-1:0] limit,  // cycles
    output logic               stuck
);
  generate
    if (LIMIT_W < 1 || LIMIT_W > 32) illegal_LIMIT_W u_illegal ();
  endgenerate

  logic [LIMIT_W-1:0] still_q;

  always_ff @(posedge clk) begin
    if (!armed || moved) begin
      if (still_q != '0) still_q <= '0;
    end else if (limit != '0 && !stuck) begin
      still_q <= still_q + 1'b1;
      if (still_q >= limit - 1'b1) stuck <= 1'b1;
    end
    if (rst) begin
      still_q <= '0;
      stuck   <= 1'b0;
    end
  end
endmodule

`default_nettype wire
