// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Three inputs, whose headers all request channel 1: whole worms cross, and with `paper` only into an empty buffer. The
// small variant does the same, and encodes the same input differently.
`default_nettype none

module wh_output_tb;
  localparam integer FLIT_W = 32, PORTS = 3;
  wire clk, rst;
  integer seed, received;
  integer sent[PORTS];
  wire paper = seed[0];
  wire [PORTS*FLIT_W-1:0] in_flit, head_flit;
  wire [PORTS-1:0] in_last, in_valid, in_ready, in_empty, head_last, head_valid, header, done;
  wire [PORTS-1:0] next_comes;
  wire [PORTS*PORTS-1:0] ask, asked;
  wire [PORTS*2-1:0] places;
  wire [PORTS-1:0] first, blocked, head_taken, lasts, valids, worms_seen, flits_seen;
  wire [1:0] choice = places[3:2];
  wire [FLIT_W-1:0] out_flit = head_flit[choice*FLIT_W+:FLIT_W];
  wire out_ready;
  wire out_last = lasts[1], out_valid = valids[1], obs_worm = worms_seen[1], obs_flit = flits_seen[1];
  wire taken = out_valid && out_ready;

  bench u_bench (.clk, .rst, .seed);
  for (genvar i = 0; i < PORTS; i++) begin : g_input
    stream_source #(.DESTINATIONS(1), .WORMS(400), .SALT(i)) u_source (
        .clk, .rst,
        .here(3'(i)),
        .pause(8'd200),
        .out_flit(in_flit[i*FLIT_W+:FLIT_W]),
        .out_last(in_last[i]),
        .out_valid(in_valid[i]),
        .out_ready(in_ready[i]),
        .done(done[i]),
        .flits(sent[i])
    );
    wh_input #(.FLIT_W(FLIT_W)) u_input (
        .clk, .rst,
        .in_flit(in_flit[i*FLIT_W+:FLIT_W]),
        .in_last(in_last[i]),
        .in_valid(in_valid[i]),
        .in_ready(in_ready[i]),
        .in_empty(in_empty[i]),
        .flit(head_flit[i*FLIT_W+:FLIT_W]),
        .last(head_last[i]),
        .valid(head_valid[i]),
        .header(header[i]),
        .taken(head_taken[i]),
        .next_comes(next_comes[i])
    );
  end
  wh_order #(.PORTS(PORTS)) u_order (
      .clk, .rst,
      .early(3'(seed)),
      .next_comes,
      .next_port({PORTS{2'd1}}),
      .ends(head_taken & head_last),
      .ask, .asked, .first
  );
  wh_output #(.PORTS(PORTS)) u_dut (
      .clk, .rst, .paper, .ask, .asked, .first,
      .in_last(head_last),
      .in_valid(head_valid),
      .in_header(header),
      .in_taken(head_taken),
      .out_at(places),
      .out_last(lasts),
      .out_valid(valids),
      .out_ready({PORTS{out_ready}}),
      .out_empty({PORTS{out_ready && !busy}}),
      .obs_worm(worms_seen),
      .obs_flit(flits_seen),
      .obs_blocked(blocked)
  );
  wire [PORTS*3-1:0] small_places;
  wire [PORTS-1:0] small_taken, small_lasts, small_valids, small_worms, small_flits, small_blocked;
  wh_output #(.PORTS(PORTS), .SMALL(1)) u_small (
      .clk, .rst, .paper, .ask, .asked, .first,
      .in_last(head_last),
      .in_valid(head_valid),
      .in_header(header),
      .in_taken(small_taken),
      .out_at(small_places),
      .out_last(small_lasts),
      .out_valid(small_valids),
      .out_ready({PORTS{out_ready}}),
      .out_empty({PORTS{out_ready && !busy}}),
      .obs_worm(small_worms),
      .obs_flit(small_flits),
      .obs_blocked(small_blocked)
  );
  stream_sink u_sink (
      .clk, .rst,
      .here(3'd0),
      .pause(8'd60),
      .in_flit(out_flit),
      .in_last(out_last),
      .in_valid(out_valid),
      .in_ready(out_ready),
      .flits(received)
  );

  // The buffer at the far end is full now and then.
  integer state, worms;
  logic busy;
  always @(posedge clk) begin
    if (rst) begin
      state = seed;
      busy <= 1'b0;
      worms <= 0;
    end else begin
      busy <= $unsigned($random(state)) % 2 == 0;
      worms <= worms + obs_worm;
      if (paper && obs_worm && busy) $fatal(1, "a header crosses to a buffer which is not empty");
      if (obs_flit !== taken || obs_worm !== (taken && header[choice]) || head_taken !== (taken ? 3'd1 << choice : 3'd0)) $fatal(1, "wrong observation");
      if (blocked[1] !== |(header & ~(obs_worm ? 3'd1 << choice : 3'd0))) $fatal(1, "wrong blocked");
      if (valids[0] || valids[2] || blocked[0] || blocked[2]) $fatal(1, "another channel is in use");
      if ({small_taken, small_valids, small_worms, small_flits, small_blocked} !== {head_taken, valids, worms_seen, flits_seen, blocked})
        $fatal(1, "the small variant does something else");
      if (out_valid && (small_lasts[1] !== out_last || small_places[5:3] !== (3'd2 << choice / 2 | 3'(choice % 2))))
        $fatal(1, "the small variant takes place %b, not %0d", small_places[5:3], choice);
      if (&done && &in_empty) begin
        if (sent[0] + sent[1] + sent[2] != received || worms != PORTS * 400) $fatal(1, "something is lost");
        $display("PASS wh_output (seed %0d, %0d flits)", seed, received);
        $finish;
      end
    end
  end
endmodule

`default_nettype wire
