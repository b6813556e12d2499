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
    input  wire                look,     // the winner matters in this cycle; idle logic stays quiet
    input  wire                taken,    // the winner is served in this cycle
    output logic [INDEX_W-1:0] winner    // meaningful while any request is up, and `look`
);
  generate
    if (N < 2 || N > 64) illegal_N u_illegal ();
  endgenerate

  localparam integer PAIRS = N * (N - 1) / 2;

  logic [N-1:0] seen_q;  // requests that were up in the cycle before
  logic [PAIRS-1:0] earlier_q;  // bit i*(i-1)/2 + j, j < i: j rose before i (matters while both are up)

  wire [N-1:0] fresh = request & ~seen_q;
  wire [N-1:0] known = request & seen_q;

  always_comb begin : pick
    logic [N-1:0] beaten;
    beaten = '0;
    winner = '0;
    if (look && |known) begin
      for (int i = 0; i < N; i++) begin
        for (int j = 0; j < i; j++) begin
          if (known[i] && known[j]) begin
            if (earlier_q[i*(i-1)/2+j]) beaten[i] = 1'b1;
            else beaten[j] = 1'b1;
          end
        end
      end
      for (int i = 0; i < N; i++) if (known[i] && !beaten[i]) winner = INDEX_W'(i);
    end else if (look && |(request & early)) begin
      for (int i = 0; i < N; i++) if (request[i] && early[i]) winner = INDEX_W'(i);
    end else if (look && |request) begin
      for (int i = N - 1; i >= 0; i--) if (request[i]) winner = INDEX_W'(i);
    end
  end

  always_ff @(posedge clk) begin
    if (|fresh) begin
      for (int i = 0; i < N; i++) begin
        for (int j = 0; j < i; j++) begin
          if (fresh[i] && fresh[j]) earlier_q[i*(i-1)/2+j] <= early[i] == early[j] ? !early[j] : early[j];
          else if (fresh[i] || fresh[j]) earlier_q[i*(i-1)/2+j] <= fresh[i];
        end
      end
    end
    if (|fresh || taken) begin
      seen_q <= request;
      if (taken) seen_q[winner] <= 1'b0;
    end
    if (rst) seen_q <= '0;
  end

`ifdef FORMAL
  // j rose before i, of two different ones that wait.
  function automatic f_before(input [INDEX_W-1:0] j, input [INDEX_W-1:0] i);
    f_before = j < i ? earlier_q[32'(i)*(32'(i)-1)/2+32'(j)] : !earlier_q[32'(j)*(32'(j)-1)/2+32'(i)];
  endfunction

  // Of any two that wait, the one that rose first; N-1 others at most go before a requester, because none goes twice.
  logic f_started = 1'b0;
  logic f_a_first;  // a is to go before b; meaningful while both are up
  logic f_overtaken;  // b was served while a waited
  logic [N-1:0] f_waiting;  // up in the cycle before, and not served
  (* anyconst *) logic [INDEX_W-1:0] f_any_a, f_any_b;
  wire [INDEX_W-1:0] f_a = 32'(f_any_a) < N ? f_any_a : INDEX_W'(0);
  wire [INDEX_W-1:0] f_b = 32'(f_any_b) < N && f_any_b != f_a ? f_any_b : f_a == '0 ? INDEX_W'(1) : INDEX_W'(0);

  wire f_a_up = request[f_a];
  wire f_b_up = request[f_b];
  wire f_tie = early[f_a] != early[f_b] ? early[f_a] : early[f_a] ? f_a > f_b : f_a < f_b;
  wire f_a_goes = f_waiting[f_a] && f_waiting[f_b] ? f_a_first : f_waiting[f_a] == f_waiting[f_b] ? f_tie : f_waiting[f_a];

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (f_started) assume ($stable(early) && (!taken || look && |request));

    f_waiting <= request & ~(taken ? N'(1) << winner : N'(0));
    f_a_first <= f_a_goes;
    f_overtaken <= f_a_up && !(taken && winner == f_a) && (f_overtaken || (taken && winner == f_b));
    if (rst) begin
      f_waiting <= '0;
      f_overtaken <= 1'b0;
    end

    if (f_started) begin
      assume ((f_waiting & ~request) == '0);
      if (look && |request) assert (request[winner]);
      if (look && f_a_up && f_b_up) assert (winner != (f_a_goes ? f_b : f_a));
      if (f_overtaken) assert (!f_b_up || !f_waiting[f_b] || f_a_first);
      assert (!(f_overtaken && taken && winner == f_b && f_a_up));
      if (look && |f_waiting && $past(look && !taken && !rst) && |($past(request))) assert (winner == $past(winner));

      cover (f_overtaken && taken && winner == f_a);
      cover (&request && taken && early == N'(2));
    end

    // For the induction: what waits is strictly and totally ordered, as the model says.
    if (f_started) begin
      assert (seen_q == f_waiting);
      if (f_waiting[f_a] && f_waiting[f_b]) assert (f_before(f_a, f_b) == f_a_first);
      for (int i = 0; i < N; i++) begin
        for (int j = 0; j < N; j++) begin
          for (int k = 0; k < N; k++)
            if (seen_q[i] && seen_q[j] && seen_q[k] && i != j && j != k && i != k)
              if (f_before(INDEX_W'(k), INDEX_W'(j)) && f_before(INDEX_W'(j), INDEX_W'(i)))
                assert (f_before(INDEX_W'(k), INDEX_W'(i)));
        end
      end
    end
  end
`endif
endmodule

`default_nettype wire
