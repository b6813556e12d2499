// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One otis_link between sources and sinks: every flit arrives, never early, and exactly in time and at full rate if
// nothing waits. A lane whose far end stalls does not stop the other. The near end sends as wh_ports does, and the far
// end has a stream_buffer for each lane, as in a router.
`default_nettype none

module otis_link_bench #(
    parameter integer V = 1,  // this one and the next ones as in otis_link
    parameter integer LIGHT_CYCLES = 4,
    parameter integer LIGHT_RATIO = 1,
    parameter integer SALT = 0  // makes benches differ
) (
    input  wire    clk,
    input  wire    rst,
    output integer flits,  // flits that have arrived
    output logic   done
);
  localparam integer FLIT_W = 32, DELAY = LIGHT_CYCLES + LIGHT_RATIO - 1;
  localparam integer PHASE = 512, SETTLED = 320, ROUNDS = 2;

  // Phases: 0 both ends pause, 1 only sinks, 2 only sources, 3 none, 4 and 5 the sink of lane 0, of lane 1 stands still, 6
  // the sources are silent.
  integer now, phase, since_phase, round;
  logic [7:0] pause_in, pause_out;
  logic [V-1:0] still;
  always @* begin
    phase = now / PHASE % 7;
    round = now / PHASE / 7;
    since_phase = now % PHASE;
    pause_in = phase == 0 || phase == 2 ? 8'd120 : 8'd0;
    pause_out = phase < 2 ? 8'd120 : 8'd0;
    still = phase == 4 ? V'(1) : phase == 5 ? V'(2) : '0;
  end

  wire [V*FLIT_W-1:0] from_flit;
  wire [V-1:0] from_last, from_valid, stored, sink_valid, sink_ready;
  wire [V*FLIT_W-1:0] sink_flit;
  wire [V-1:0] sink_last;
  wire [V-1:0] in_valid, in_ready, in_empty, out_valid, out_ready, out_empty;
  wire [FLIT_W-1:0] in_flit, out_flit;
  wire in_last, out_last, busy, moving;
  wire [31:0] sent[V], received[V];
  wire [V-1:0] speaks = phase == 6 ? '0 : from_valid;

  if (V == 1) begin : g_one
    assign in_valid = speaks;
    assign {in_last, in_flit} = {from_last, from_flit};
  end else begin : g_two
    wh_share #(.V(V)) u_share (
        .clk, .rst,
        .asked(speaks),
        .has(speaks),
        .room(in_ready),
        .may(in_valid)
    );
    assign {in_last, in_flit} = in_valid[0] ? {from_last[0], from_flit[FLIT_W-1:0]} : {from_last[V-1], from_flit[V*FLIT_W-1-:FLIT_W]};
  end
  for (genvar v = 0; v < V; v++) begin : g_lane
    stream_source #(.WORMS(1000000), .SALT(2 * SALT + v)) u_source (
        .clk, .rst,
        .here(3'd5),
        .pause(pause_in),
        .out_flit(from_flit[v*FLIT_W+:FLIT_W]),
        .out_last(from_last[v]),
        .out_valid(from_valid[v]),
        .out_ready(in_valid[v] && in_ready[v]),
        .flits(sent[v])
    );
    stream_buffer #(.FLIT_W(FLIT_W)) u_buffer (
        .clk, .rst,
        .in_flit(out_flit),
        .in_last(out_last),
        .in_valid(out_valid[v]),
        .in_ready(out_ready[v]),
        .in_empty(out_empty[v]),
        .out_flit(sink_flit[v*FLIT_W+:FLIT_W]),
        .out_last(sink_last[v]),
        .out_valid(stored[v]),
        .out_ready(sink_ready[v] && !still[v])
    );
    assign sink_valid[v] = stored[v] && !still[v];
    stream_sink #(.ANY(1), .SALT(2 * SALT + v)) u_sink (
        .clk, .rst,
        .here(3'd0),
        .pause(pause_out),
        .in_flit(sink_flit[v*FLIT_W+:FLIT_W]),
        .in_last(sink_last[v]),
        .in_valid(sink_valid[v]),
        .in_ready(sink_ready[v]),
        .flits(received[v])
    );
  end

  otis_link #(.FLIT_W(FLIT_W), .V(V), .LIGHT_CYCLES(LIGHT_CYCLES), .LIGHT_RATIO(LIGHT_RATIO)) u_dut (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid, .out_ready,
      .out_empty, .busy, .moving
  );

  integer sent_at[V*256];  // the cycles of the last 256 flits of each lane
  integer n_in[V], n_out[V], last_sent, under_way, delay;
  always @(posedge clk) begin
    now <= rst ? 0 : now + 1;
    if (rst) begin
      last_sent = -1000;
      done <= 1'b0;
      for (int v = 0; v < V; v++) begin
        n_in[v]  = 0;
        n_out[v] = 0;
      end
    end else begin
      under_way = 0;
      for (int v = 0; v < V; v++) begin
        if (in_valid[v] && in_ready[v]) begin
          if (now - last_sent < LIGHT_RATIO) $fatal(1, "%m: flits %0d cycles apart", now - last_sent);
          sent_at[v*256+n_in[v]%256] = now;
          n_in[v] = n_in[v] + 1;
        end
        // No flit of this lane waited for a while: it may send when the light is free.
        if (since_phase > SETTLED && (phase == 2 || phase == 3 || phase > 3 && !still[v]) && DELAY > 0 &&
            in_ready[v] !== (now - last_sent >= LIGHT_RATIO))
          $fatal(1, "%m: lane %0d ready %b, %0d cycles after the last flit, phase %0d", v, in_ready[v], now - last_sent, phase);
        if (out_valid[v] && out_ready[v]) begin
          delay = now - sent_at[v*256+n_out[v]%256];
          if (n_out[v] == n_in[v] || delay < DELAY) $fatal(1, "%m: after %0d cycles", delay);
          if (since_phase > SETTLED && (phase == 2 || phase == 3) && delay != DELAY)
            $fatal(1, "%m: after %0d cycles, not %0d, phase %0d", delay, DELAY, phase);
          n_out[v] = n_out[v] + 1;
        end
        if (in_empty[v] && DELAY > 0 && (n_in[v] - (in_valid[v] && in_ready[v]) != n_out[v] || !out_empty[v]))
          $fatal(1, "%m: lane %0d is said to be empty", v);
        under_way = under_way + n_in[v] - n_out[v];
      end
      for (int v = 0; v < V; v++) if (in_valid[v] && in_ready[v]) last_sent = now;
      if (DELAY > 0 && phase == 6 && since_phase > SETTLED && (busy || moving || !(&in_empty) || under_way != 0))
        $fatal(1, "%m: busy %b, moving %b, empty %b, %0d under way, in the end", busy, moving, in_empty, under_way);
      flits = 0;
      for (int v = 0; v < V; v++) flits = flits + received[v];
      if (round == ROUNDS && !done) begin
        for (int v = 0; v < V; v++)
          if (sent[v] != received[v] || received[v] < 2 * PHASE / LIGHT_RATIO / V)
            $fatal(1, "%m: lane %0d: %0d flits sent, %0d received", v, sent[v], received[v]);
        done <= 1'b1;
      end
    end
  end
endmodule

`default_nettype wire
