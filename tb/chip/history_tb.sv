// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends random worms over a few channels, and numbers passes by the worms or by `pass`. The entries that are read must
// be those of the bench's own lists, also after an overflow.
`default_nettype none

module history_tb;
  localparam integer CHANNELS = 3, RUNS = 8, FLIT_W = 16, NUMBER_LOW = 10, ROUNDS = 60;
  wire clk, rst;
  integer seed, state, entries;
  logic clear, record, by_pass, bus_select;
  logic [15:0] pass;
  logic [CHANNELS*FLIT_W-1:0] flit;
  logic [CHANNELS-1:0] worm, moves, blocked;
  logic [1:0] bus_channel;
  logic [10:0] bus_word;
  wire [31:0] bus_rdata;
  integer runs[CHANNELS], number[CHANNELS * 64], worms[CHANNELS * 64], flits[CHANNELS * 64], waits[CHANNELS * 64];
  integer left[CHANNELS], held[CHANNELS], at, next;

  bench u_bench (.clk, .rst, .seed);
  history #(.CHANNELS(CHANNELS), .RUNS(RUNS), .FLIT_W(FLIT_W), .NUMBER_LOW(NUMBER_LOW)) u_dut (
      .clk, .rst, .clear, .record, .by_pass, .pass, .flit,
      .obs_worm(worm),
      .obs_flit(moves),
      .obs_blocked(blocked),
      .bus_select, .bus_channel, .bus_word, .bus_rdata
  );

  task read(input integer channel, input integer word, input logic [31:0] expected);
    bus_select = 1'b1;
    bus_channel = 2'(channel);
    bus_word = 11'(word);
    @(negedge clk);
    bus_select = 1'b0;
    @(negedge clk);
    if (bus_rdata !== expected) $fatal(1, "channel %0d word %0d reads %h, not %h", channel, word, bus_rdata, expected);
    @(negedge clk);
    if (bus_rdata !== '0) $fatal(1, "an answer to nobody: %h", bus_rdata);
  endtask

  initial begin
    {clear, record, by_pass, bus_select} = '0;
    pass = '0;
    {worm, moves, blocked} = '0;
    entries = 0;
    wait (!rst);
    state = seed;
    for (int round = 0; round < ROUNDS; round++) begin
      @(negedge clk);
      by_pass = 1'(round % 2);
      pass = 16'($random(state));
      clear = 1'b1;
      @(negedge clk);
      clear = 1'b0;
      for (int c = 0; c < CHANNELS; c++) begin
        runs[c] = 0;
        left[c] = 0;
        held[c] = 0;
      end
      record = 1'b1;
      for (int cycle = 0; cycle < 30 + 5 * round; cycle++) begin
        flit = {$random(state), $random(state)};
        if ($unsigned($random(state)) % 8 == 0) pass = by_pass ? pass + 16'd1 : 16'($random(state));
        for (int c = 0; c < CHANNELS; c++) begin
          moves[c] = $unsigned($random(state)) % 3 != 0;
          worm[c] = moves[c] && left[c] == 0;
          blocked[c] = left[c] == 0 && !worm[c] && $unsigned($random(state)) % 2 == 0;
          // Now and then the pass does not change.
          if (by_pass) next = 32'(pass);
          else if (worm[c]) begin
            next = runs[c] == 0 || $unsigned($random(state)) % 3 != 0 ? $unsigned($random(state)) % 5 : number[c*64+runs[c]-1];
            flit[c*FLIT_W+NUMBER_LOW+:6] = 6'(next);
          end
          if (by_pass ? moves[c] || blocked[c] : worm[c]) begin
            if (runs[c] == 0 || number[c*64+runs[c]-1] != next) begin
              number[c*64+runs[c]] = next;
              worms[c*64+runs[c]] = 0;
              flits[c*64+runs[c]] = 0;
              waits[c*64+runs[c]] = runs[c] == 0 ? held[c] : 0;
              if (runs[c] < 63) runs[c] = runs[c] + 1;
            end
          end
          if (worm[c]) left[c] = 1 + $unsigned($random(state)) % 6;
          at = c * 64 + runs[c] - 1;
          if (runs[c] == 0) held[c] = held[c] + 32'(blocked[c]);
          else begin
            worms[at] = worms[at] + 32'(worm[c]);
            flits[at] = flits[at] + 32'(moves[c]);
            waits[at] = waits[at] + 32'(blocked[c]);
          end
          if (moves[c]) left[c] = left[c] - 1;
        end
        @(negedge clk);
        for (int c = 0; c < CHANNELS; c++) if (runs[c] > 60) cycle = 1000;
      end
      record = 1'b0;
      // Worms of another run, which must not be recorded.
      worm = '1;
      moves = '1;
      @(negedge clk);
      {worm, moves, blocked} = '0;
      for (int c = 0; c < CHANNELS; c++) begin
        read(c, 2047, 32'(runs[c]));
        for (int r = 0; r < runs[c] && r < RUNS; r++) begin
          at = c * 64 + r;
          read(c, 2 * r, {16'(number[at]), 16'(worms[at])});
          read(c, 2 * r + 1, {16'(waits[at]), 16'(flits[at])});
          entries = entries + 1;
        end
      end
    end
    $display("PASS history (seed %0d, %0d flits)", seed, entries);
    $finish;
  end
endmodule

`default_nettype wire
