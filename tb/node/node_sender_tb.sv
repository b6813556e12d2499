// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Random messages: the header's fields, the payload word by word, the length, and no gap when the channel is free. Beside it one
// with flits that are wider than a word of the payload, which has its low bits again above it.
`default_nettype none

module node_sender_tb;
  localparam integer FLIT_W = 32, WIDE = 36, LABEL_W = 4, MESSAGES = 500;
  localparam logic [LABEL_W-1:0] HERE = 4'd9;
  localparam logic [31:0] SEED = 32'h89abcdef;
  wire clk, rst;
  integer seed, state, flits;
  logic run, in_valid, in_rule, out_ready, paper;
  logic [15:0] pass, in_pass, in_flits;
  logic [5:0] in_index;
  logic [LABEL_W-1:0] in_destination;
  logic [1:0] in_from, in_keep;
  wire in_ready, store_next, store_first, out_last, out_valid, obs_worm, obs_flit, obs_blocked, sent, busy;
  wire [1:0] store_slot;
  logic [FLIT_W-1:0] store_flit;
  wire [FLIT_W-1:0] out_flit;
  wire [WIDE-1:0] wide_flit;
  logic [31:0] word;
  logic in_silent;

  bench u_bench (.clk, .rst, .seed);
  node_sender #(.LABEL_W(LABEL_W)) u_dut (
      .clk, .rst, .paper,
      .here(HERE),
      .seed(SEED),
      .run, .pass, .in_valid, .in_index, .in_pass, .in_flits, .in_destination, .in_rule, .in_silent,
      .in_open(1'b1),
      .in_from, .in_keep, .in_ready, .store_slot, .store_next, .store_first,
      .store_header({21'd77, 2'd1, 1'b0, 4'd5, 4'd3}),
      .store_flit, .out_flit, .out_last, .out_valid, .out_ready,
      .out_empty(out_ready),
      .obs_worm, .obs_flit, .obs_blocked, .sent, .busy
  );

  node_sender #(
      .LABEL_W(LABEL_W),
      .NODE(node_config::set(node_config::DEFAULT, node_config::FLIT_W, WIDE))
  ) u_wide (
      .clk, .rst, .paper,
      .here(HERE),
      .seed(SEED),
      .run, .pass, .in_valid, .in_index, .in_pass, .in_flits, .in_destination, .in_rule, .in_silent,
      .in_open(1'b1),
      .in_from, .in_keep,
      .store_header('0),
      .store_flit('0),
      .out_flit(wide_flit),
      .out_ready,
      .out_empty(out_ready)
  );

  // A store which holds 1, 2, 3, ...
  always @(posedge clk) if (store_next) store_flit <= store_first ? 32'd1 : store_flit + 32'd1;

  function [31:0] step(input [31:0] x);
    step = x ^ (x << 13);
    step = step ^ (step >> 17);
    step = step ^ (step << 5);
  endfunction

  task flit(input logic [FLIT_W-1:0] expected, input logic last);
    out_ready = $unsigned($random(state)) % 3 != 0;
    #1;
    while (!out_ready) begin
      if (out_valid !== (!paper || flits_of_worm != 0)) $fatal(1, "valid is %b on a channel which is not ready", out_valid);
      if (out_valid && (out_flit !== expected || out_last !== last)) $fatal(1, "%h offered, expected %h", out_flit, expected);
      @(negedge clk);
      out_ready = $unsigned($random(state)) % 3 != 0;
      #1;
    end
    if (!out_valid) $fatal(1, "a gap before %h", expected);
    if (out_flit !== expected || out_last !== last) $fatal(1, "%h (last %b), expected %h", out_flit, out_last, expected);
    if (in_from == 2'd0 && wide_flit !== (flits_of_worm == 0 ? WIDE'(expected) : {expected[WIDE-FLIT_W-1:0], expected}))
      $fatal(1, "%h in a wide flit, expected %h", wide_flit, expected);
    if (in_ready !== (flits_of_worm == 0) || obs_worm !== in_ready || sent !== last) $fatal(1, "wrong observation");
    flits = flits + 1;
    flits_of_worm = flits_of_worm + 1;
  endtask

  integer flits_of_worm, length;
  initial begin
    {run, in_valid, in_silent, out_ready} = '0;
    pass = 16'd3;
    flits = 0;
    wait (!rst);
    state = seed;
    paper = seed[0];
    @(negedge clk);
    for (int message = 0; message < MESSAGES; message++) begin
      in_valid = 1'b1;
      run = 1'b1;
      in_index = 6'(message);
      in_pass = message % 50 == 0 ? pass + 16'd1 : pass;
      length = 1 + $unsigned($random(state)) % 9;
      in_flits = 16'(length);
      {in_destination, in_rule, in_from, in_keep} = 9'($random(state));
      if (in_pass > pass) begin
        out_ready = 1'b1;
        repeat (5) begin
          #1 if (out_valid || busy) $fatal(1, "sent before its pass");
          @(negedge clk);
        end
        pass = in_pass;
      end
      flits_of_worm = 0;
      in_silent = $unsigned($random(state)) % 4 == 0;
      if (in_silent) begin
        // Silent for as many cycles as flits, then sends the same message.
        out_ready = 1'b1;
        for (int k = 0; k < length; k++) begin
          #1 if (out_valid || !busy || obs_blocked || in_ready !== (k == 0)) $fatal(1, "no silence in cycle %0d", k);
          @(negedge clk);
        end
        in_silent = 1'b0;
      end
      flit(in_from == 2'd0 ? {15'd0, in_index, in_keep, in_rule, HERE, in_destination} :
          {21'd77, in_keep, in_rule, 4'd5, in_destination}, length == 1);
      word = {1'b1, SEED[30:0] ^ 31'({in_index, HERE})};
      for (int k = 1; k < length; k++) begin
        @(negedge clk);
        in_valid = 1'b0;
        word = in_from == 2'd0 ? step(word) : 32'(k);
        flit(word, k == length - 1);
      end
      @(negedge clk);
    end
    $display("PASS node_sender (seed %0d, %0d flits)", seed, flits);
    $finish;
  end
endmodule

`default_nettype wire
