// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// First come, first served: of the requests the one that rose first wins. Of those that rose together, first the ones
// in `early` from the highest number down, then the others from the lowest up. A request stays up until it is taken; only the winner is ever taken.
// Latency none (combinational from request to winner). A request waits for at most N-1 others.
`default_nettype none

module arbiter #(
    parameter integer N = 9,  // requesters, 2..64
    localparam integer INDEX_W = $clog2(N)
) (
    input  wire                clk,
    input  wire                rst,
    input  wire  [      N-1:0] early,    // constant
    input  wire  [      N-1:0] request,
    input  wire                taken,    // the winner is served in this cycle
    output logic [INDEX_W-1:0] winner    // meaningful while any request is up
);
  generate
    if (N < 2 || N > 64) illegal_N u_illegal ();
  endgenerate

  logic [N-1:0] seen_q;  // requests that were up in the cycle before
  logic [N*N-1:0] rose_before;  // bit i*N+j: j rose before i (true only while both are up)

  wire [N-1:0] fresh = request & ~seen_q;
  wire [N-1:0] known = request & seen_q;
  wire [N-1:0] served = taken ? N'(1) << winner : '0;

  always_comb begin
    winner = '0;
    if (|known) begin
      for (int i = 0; i < N; i++) if (known[i] && (rose_before[i*N+:N] & known) == '0) winner = INDEX_W'(i);
    end else if (|(request & early)) begin
      for (int i = 0; i < N; i++) if (request[i] && early[i]) winner = INDEX_W'(i);
    end else if (|request) begin
      for (int i = N - 1; i >= 0; i--) if (request[i]) winner = INDEX_W'(i);
    end
  end

  generate
    for (genvar i = 0; i < N; i++) begin : g_row
      localparam logic [N-1:0] BELOW = (N'(1) << i) - N'(1);
      localparam logic [N-1:0] ABOVE = ~BELOW & ~(N'(1) << i);

      logic [N-1:0] before_q;
      assign rose_before[i*N+:N] = before_q;

      always_ff @(posedge clk) begin
        if (fresh[i]) before_q <= (known | (fresh & (early[i] ? early & ABOVE : early | BELOW))) & ~served;
        else if (taken) before_q <= before_q & ~served;
      end
    end
  endgenerate

  always_ff @(posedge clk) begin
    if (request != seen_q || taken) seen_q <= request & ~served;
    if (rst) seen_q <= '0;
  end
endmodule

`default_nettype wire
