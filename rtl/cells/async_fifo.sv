// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Queue of words from one clock to another; the two may have any ratio and phase, or be the same. ft245_fifo has one
// for each direction. Each side sees the other's pointer in Gray code through two flip-flops, so late, but never a
// value that the pointer did not have.
//
// Latency: a word comes out three to four cycles of out_clk after it went in. Throughput: one word per cycle on each
// side, the slower clock decides. It holds WORDS words, and one more in the register at its output.
//
// Ports:
// - in_* belongs to in_clk. A word goes in at each rising edge at which in_valid and in_ready are 1; only then is
//   in_data looked at. Because the other side's progress is seen late, in_ready may still be 0 for a few cycles after
//   words were read.
// - in_spare: there is room for SPARE words more. It is for a writer that cannot stop at once; else leave it open.
// - out_* belongs to out_clk. Once out_valid is 1 it stays, with the same word, until an edge at which out_ready is 1.
//
// Reset: each reset is synchronous to its own clock. Both must be 1 together for at least three edges of each clock.
// Never reset one side alone: the pointers would disagree. The proof at the end of this file assumes that both are
// released at the same moment.
//
// On an FPGA or ASIC the bits of write_gray_q and read_gray_q cross to *_first_q: give these paths a maximum delay of
// at most one period of the faster clock (the bits must not be skewed by more), and keep the two flip-flops of a bit
// together.
//
// Legal parameters: every DATA_W >= 1 with every WORDS that is a power of two >= 4; SPARE below WORDS.
//
// Example:
//   async_fifo #(.DATA_W(8), .WORDS(16)) u_cross (
//       .in_clk(clk_a), .in_rst(rst_a), .in_data(a_byte), .in_valid(a_valid), .in_ready(a_ready), .in_spare(),
//       .out_clk(clk_b), .out_rst(rst_b), .out_data(b_byte), .out_valid(b_valid), .out_ready(b_ready));
`default_nettype none

module async_fifo #(
    parameter integer DATA_W = 8,  // bits of a word, >= 1
    parameter integer WORDS = 16,  // a power of two, >= 4
    parameter integer SPARE = 2  // words for which there is room when in_spare is 1, 1..WORDS-1
) (
    // words in
    input  wire               in_clk,
    input  wire               in_rst,
    input  wire  [DATA_W-1:0] in_data,
    input  wire               in_valid,
    output logic              in_ready,
    output logic              in_spare,
    // words out
    input  wire               out_clk,
    input  wire               out_rst,
    output logic [DATA_W-1:0] out_data,
    output logic              out_valid,
    input  wire               out_ready
);
  localparam integer AT_W = $clog2(WORDS);
  if (DATA_W < 1) begin : g_DATA_W illegal_DATA_W u_illegal (); end
  if (WORDS < 4 || (1 << AT_W) != WORDS) begin : g_WORDS illegal_WORDS u_illegal (); end
  if (SPARE < 1 || SPARE >= WORDS) begin : g_SPARE illegal_SPARE u_illegal (); end

  // A word is read at least two cycles of out_clk after it was written, so never while it is being written.
  (* no_rw_check *)logic [DATA_W-1:0] word_mem[WORDS];
  logic [AT_W:0] write_q, write_gray_q;  // words that went in, modulo 2*WORDS
  logic [AT_W:0] read_q, read_gray_q;  // words that were fetched
  logic [AT_W:0] write_first_q, write_seen_q;  // the other side's, in Gray code
  logic [AT_W:0] read_first_q, read_seen_q;

  // From Gray code: every bit is the sum of those from it upward.
  logic [AT_W:0] read_seen;
  for (genvar i = 0; i <= AT_W; i++) begin : g_bit
    assign read_seen[i] = ^(read_seen_q >> i);
  end

  wire [AT_W:0] next_write = write_q + 1'b1;
  wire [AT_W:0] next_read = read_q + 1'b1;
  wire [AT_W:0] held = write_q - read_seen;
  wire push = in_valid && in_ready;
  wire fetch = (!out_valid || out_ready) && read_gray_q != write_seen_q;

  assign in_ready = !held[AT_W];
  assign in_spare = held <= (AT_W + 1)'(WORDS - SPARE);

  always_ff @(posedge in_clk) begin
    if (push) word_mem[write_q[AT_W-1:0]] <= in_data;
  end

  always_ff @(posedge in_clk) begin
    read_first_q <= read_gray_q;
    read_seen_q  <= read_first_q;
    if (push) begin
      write_q <= next_write;
      write_gray_q <= next_write ^ next_write >> 1;
    end
    if (in_rst) begin
      write_q <= '0;
      write_gray_q <= '0;
      read_first_q <= '0;
      read_seen_q <= '0;
    end
  end

  always_ff @(posedge out_clk) begin
    if (fetch) out_data <= word_mem[read_q[AT_W-1:0]];
  end

  always_ff @(posedge out_clk) begin
    write_first_q <= write_gray_q;
    write_seen_q  <= write_first_q;
    if (fetch) begin
      read_q <= next_read;
      read_gray_q <= next_read ^ next_read >> 1;
    end
    if (!out_valid || out_ready) out_valid <= fetch;
    if (out_rst) begin
      read_q <= '0;
      read_gray_q <= '0;
      write_first_q <= '0;
      write_seen_q <= '0;
      out_valid <= 1'b0;
    end
  end

`ifdef FORMAL
  // Two clocks whose edges come in any order: one word (any) comes out as it went in, at its place. What flip-flops
  // do at an edge is what they saw a moment before it.
  (* gclk *) wire f_moment;
  (* anyconst *) logic [4:0] f_pick;
  logic f_started = 1'b0;
  logic [1:0] f_in_edges = 2'd0, f_out_edges = 2'd0;  // during the resets; stays at its largest value
  logic f_in_clk, f_out_clk, f_push, f_pop;
  logic [DATA_W-1:0] f_in_data, f_out_data;
  logic [4:0] f_in = 5'd0, f_out = 5'd0;
  logic f_has = 1'b0;
  logic [DATA_W-1:0] f_word;
  logic [AT_W:0] f_gray;

  wire f_ready = f_in_edges == 2'd3 && f_out_edges == 2'd3;
  wire f_in_edge = f_started && in_clk && !f_in_clk;
  wire f_out_edge = f_started && out_clk && !f_out_clk;
  wire [AT_W:0] f_turned = f_gray ^ write_gray_q;

  always_ff @(posedge f_moment) begin
    f_started <= 1'b1;
    f_in_clk <= in_clk;
    f_out_clk <= out_clk;
    f_push <= in_valid && in_ready && f_ready;
    f_pop <= out_valid && out_ready && f_ready;
    f_in_data <= in_data;
    f_out_data <= out_data;
    f_gray <= write_gray_q;
    assume (in_rst == !f_ready);
    assume (out_rst == !f_ready);
    if (f_in_edge && f_in_edges != 2'd3) f_in_edges <= f_in_edges + 2'd1;
    if (f_out_edge && f_out_edges != 2'd3) f_out_edges <= f_out_edges + 2'd1;

    if (f_in_edge && f_push) begin
      f_in <= f_in + 5'd1;
      if (f_in == f_pick) begin
        f_has  <= 1'b1;
        f_word <= f_in_data;
      end
    end
    if (f_out_edge && f_pop) begin
      f_out <= f_out + 5'd1;
      assert (f_out < f_in);
      if (f_out == f_pick) assert (f_has && f_out_data == f_word);
    end
    if (f_ready) begin
      assert (f_in - f_out <= 5'(WORDS + 1));
      assert ((f_turned & (f_turned - 1'b1)) == '0);
      if (in_spare) assert (f_in - f_out <= 5'(WORDS + 1 - SPARE));
    end

    cover (f_out == 5'd2 && f_in == 5'd4);
    cover (f_ready && !in_ready);
  end
`endif
endmodule

`default_nettype wire
