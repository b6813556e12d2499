// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Four switches whose lines are 1, 2 or 4 apart: whole worms cross to the output in their headers, or by the preset of
// the switch, in the order of their requests, and with `paper` only into an empty buffer.
`default_nettype none

module min_switch_tb;
  localparam integer FLIT_W = 32, WIDTH = 8, SETS = 6, WORMS = 50, TAG = 1;
  wire clk, rst;
  integer seed;
  wire [SETS-1:0] finished;
  wire [31:0] counts[SETS];

  bench_of_parts #(.NAME("min_switch"), .COUNTED("flits"), .PARTS(SETS)) u_bench (
      .clk, .rst, .seed,
      .done(finished),
      .counts
  );

  for (genvar k = 0; k < SETS; k++) begin : g_set
    localparam integer SPAN = 1 << k % 3;
    localparam logic PRESET = k >= 3;
    wire paper = seed[0];
    wire [WIDTH*FLIT_W-1:0] in_flit, out_flit;
    wire [WIDTH-1:0] in_last, in_valid, in_ready, in_empty, out_last, out_valid, out_ready, done;
    wire [WIDTH-1:0] obs_worm, obs_flit, obs_blocked;
    logic [WIDTH-1:0] crossed, out_empty;
    wire busy;
    integer sent[WIDTH], received[WIDTH];

    for (genvar i = 0; i < WIDTH; i++) begin : g_line
      stream_source #(
          .WORMS(WORMS),
          .SALT (WIDTH * k + i)
      ) u_source (
          .clk, .rst,
          .here(3'(i)),
          .pause(8'd30),
          .out_flit(in_flit[i*FLIT_W+:FLIT_W]),
          .out_last(in_last[i]),
          .out_valid(in_valid[i]),
          .out_ready(in_ready[i]),
          .done(done[i]),
          .flits(sent[i])
      );
      stream_sink #(
          .ANY (1),
          .SALT(WIDTH * k + i)
      ) u_sink (
          .clk, .rst,
          .here(3'(i)),
          .pause(8'(seed % 3 * 60)),
          .in_flit(out_flit[i*FLIT_W+:FLIT_W]),
          .in_last(out_last[i]),
          .in_valid(out_valid[i]),
          .in_ready(out_ready[i]),
          .flits(received[i])
      );
    end
    min_switch #(.SWITCHES(WIDTH / 2), .SPAN(SPAN), .TAG(TAG), .FLIT_W(FLIT_W)) u_dut (
        .clk, .rst, .paper,
        .backward(1'b0),
        .preset(PRESET),
        .crossed, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid, .out_ready,
        .out_empty(out_ready & out_empty),
        .obs_worm, .obs_flit, .obs_blocked, .busy
    );

    // A model of every input: a queue of two flits, with the cycle in which each flit came to its head.
    logic [FLIT_W:0] queue[2*WIDTH];
    integer count[WIDTH], since[WIDTH], worms, now, total;
    logic starts[WIDTH];  // the head of the queue is a header
    integer owner[WIDTH];  // of the output: the input whose worm it carries, -1 for none
    logic ended;
    integer state, from, other, best, wait_for;
    assign finished[k] = ended;
    assign counts[k] = total;

    function integer target(input integer line);  // the output of the header at the head
      target = PRESET ? (crossed[line] ? line ^ SPAN : line) :
          queue[2*line][TAG] ? line | SPAN : line & ~SPAN;
    endfunction

    always @(posedge clk) begin
      if (rst) begin
        state = seed * 1000 + k;
        now   = 0;
        worms = 0;
        ended <= 1'b0;
        out_empty <= '0;
        for (int i = 0; i < WIDTH; i++) begin
          count[i]  = 0;
          starts[i] = 1'b1;
          owner[i]  = -1;
        end
        for (int i = 0; i < WIDTH; i++) if ((i & SPAN) == 0) begin
          crossed[i] <= $random(state);
        end
        for (int i = 0; i < WIDTH; i++) if ((i & SPAN) != 0) crossed[i] <= crossed[i-SPAN];
      end else begin
        now = now + 1;
        out_empty <= $random(state);
        if (obs_flit !== (out_valid & out_ready)) $fatal(1, "set %0d: obs_flit", k);
        for (int o = 0; o < WIDTH; o++) begin
          // The owner's flit may cross; without an owner the first of the headers that request o, and of equals the
          // upper one.
          from = owner[o];
          other = o ^ SPAN;
          wait_for = 0;
          for (int n = 0; n < 2; n++) begin
            best = n == 0 ? (o & ~SPAN) : (o | SPAN);
            if (count[best] != 0 && starts[best] && target(best) == o) begin
              wait_for = wait_for + 1;
              if (owner[o] < 0 && (from < 0 || since[best] < since[from])) from = best;
            end
          end
          if (owner[o] < 0 && paper && !(out_empty[o] && out_ready[o])) from = -1;
          if (from >= 0 && count[from] == 0) from = -1;
          if (out_valid[o] !== (from >= 0)) $fatal(1, "set %0d: output %0d: valid %b, input %0d", k, o, out_valid[o], from);
          if (from >= 0 && {out_last[o], out_flit[o*FLIT_W+:FLIT_W]} !== queue[2*from])
            $fatal(1, "set %0d: output %0d offers %h, not input %0d's %h", k, o, out_flit[o*FLIT_W+:FLIT_W], from, queue[2*from]);
          if (obs_worm[o] !== (out_valid[o] && out_ready[o] && owner[o] < 0)) $fatal(1, "set %0d: obs_worm", k);
          if (obs_blocked[o] !== (wait_for - 32'(obs_worm[o]) > 0)) $fatal(1, "set %0d: obs_blocked of %0d", k, o);
          worms = worms + 32'(obs_worm[o]);
        end
        if (busy !== (|(~in_empty))) $fatal(1, "set %0d: busy", k);
        for (int o = 0; o < WIDTH; o++) begin
          if (out_valid[o] && out_ready[o]) begin
            from = out_flit[o*FLIT_W+3+:3];  // the source is the input
            owner[o] = out_last[o] ? -1 : from;
            starts[from] = out_last[o];
            count[from] = count[from] - 1;
            queue[2*from] = queue[2*from+1];
            since[from] = now;
          end
        end
        for (int i = 0; i < WIDTH; i++) begin
          if (in_valid[i] && in_ready[i]) begin
            queue[2*i+count[i]] = {in_last[i], in_flit[i*FLIT_W+:FLIT_W]};
            if (count[i] == 0) since[i] = now;
            count[i] = count[i] + 1;
          end
          if (count[i] > 2) $fatal(1, "set %0d: input %0d takes too much", k, i);
        end
        if (&done && !busy && !ended) begin
          total = 0;
          for (int i = 0; i < WIDTH; i++) total = total + sent[i] - received[i];
          if (total != 0 || worms != WIDTH * WORMS) $fatal(1, "set %0d: something is lost", k);
          for (int i = 0; i < WIDTH; i++) total = total + sent[i];
          ended <= 1'b1;
        end
      end
    end
  end
endmodule

`default_nettype wire
