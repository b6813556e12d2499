// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A router, and beside it one with SMALL = 1, which must do the same in each cycle, with a source at each input lane
// and a sink at each output lane. Messages go from all lanes to all lanes; the low bits of a header are the lane.
// wh_router_check knows what must cross in each cycle. Where lanes share a port, one of those that have a flit and room
// sends in each cycle, any of them; and a buffer stands before the sink, because a ready there must stay.
`default_nettype none

module wh_router_bench #(
    parameter integer PORTS = 4,  // as in wh_router, all of them
    parameter integer V = 1,
    parameter integer SINGLE = 0,
    parameter integer BUFFERS = 2,
    parameter integer SALT = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      all_received,  // flits
    output logic        finished
);
  localparam integer FLIT_W = 32, LABEL_W = 3, LANES = SINGLE + (PORTS - SINGLE) * V, LANE_W = $clog2(LANES);
  integer all_sent, all;
  integer sent[LANES], received[LANES];
  logic [PORTS*FLIT_W-1:0] in_flit;
  wire [PORTS*FLIT_W-1:0] out_flit;
  wire [LANES*FLIT_W-1:0] spare_flit, from_flit;
  logic [PORTS-1:0] in_last;
  logic [LANES-1:0] in_valid, turn;
  wire [LANES-1:0] in_ready, in_empty, out_valid, out_ready, next_comes, spare_full, done, from_last, from_valid;
  wire [LANES-1:0] out_empty;
  wire [PORTS-1:0] out_last, obs_worm, obs_flit, obs_blocked;
  wire [LANES*LANE_W-1:0] next_lane;
  wire busy;
  wire paper = seed[0] ^ (SALT == 100);  // the routers of one run have both timings

  // Picks the lane of a port that sends.
  integer state, first, low;
  always @(posedge clk) begin
    if (rst) state = seed + SALT;
    for (int i = 0; i < LANES; i++) turn[i] <= $random(state);
  end
  always_comb begin
    in_valid = from_valid;
    in_flit = '0;
    in_last = '0;
    for (int p = 0; p < PORTS; p++) begin
      low = p < SINGLE ? p : SINGLE + (p - SINGLE) * V;
      first = -1;
      if (p < SINGLE || V == 1) first = low;
      else begin
        for (int v = 0; v < V; v++) begin
          in_valid[low+v] = 1'b0;
          if (from_valid[low+v] && in_ready[low+v] && (first < 0 || turn[low])) first = low + v;
        end
        if (first >= 0) in_valid[first] = 1'b1;
      end
      if (first >= 0) begin
        in_flit[p*FLIT_W+:FLIT_W] = from_flit[first*FLIT_W+:FLIT_W];
        in_last[p] = from_last[first];
      end
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : g_lane
    localparam integer P = l < SINGLE ? l : SINGLE + (l - SINGLE) / V;
    wire [FLIT_W-1:0] flit;
    wire last, valid, ready;
    // In all other cycles the value is arbitrary.
    assign next_lane[l*LANE_W+:LANE_W] = !next_comes[l] ? LANE_W'(3 * l + 1) :
        spare_full[l] ? spare_flit[l*FLIT_W+:LANE_W] : in_flit[P*FLIT_W+:LANE_W];
    stream_source #(.LABEL_W(LABEL_W), .DESTINATIONS(LANES), .WORMS(500), .SHORT(60), .SALT(SALT + l)) u_source (
        .clk, .rst,
        .here(LABEL_W'(l)),
        .pause(8'(seed * 40)),
        .out_flit(from_flit[l*FLIT_W+:FLIT_W]),
        .out_last(from_last[l]),
        .out_valid(from_valid[l]),
        .out_ready(in_ready[l] && (in_valid[l] || !from_valid[l])),
        .done(done[l]),
        .flits(sent[l])
    );
    if (l < SINGLE || V == 1) begin : g_plain
      assign flit = out_flit[P*FLIT_W+:FLIT_W];
      assign last = out_last[P];
      assign valid = out_valid[l];
      assign out_ready[l] = ready;
      assign out_empty[l] = ready;
    end else begin : g_kept
      stream_buffer #(.FLIT_W(FLIT_W)) u_buffer (
          .clk, .rst,
          .in_flit(out_flit[P*FLIT_W+:FLIT_W]),
          .in_last(out_last[P]),
          .in_valid(out_valid[l]),
          .in_ready(out_ready[l]),
          .in_empty(out_empty[l]),
          .out_flit(flit),
          .out_last(last),
          .out_valid(valid),
          .out_ready(ready)
      );
    end
    stream_sink #(.LABEL_W(LABEL_W), .SALT(SALT + l)) u_sink (
        .clk, .rst,
        .here(LABEL_W'(l)),
        .pause(8'd60),
        .in_flit(flit),
        .in_last(last),
        .in_valid(valid),
        .in_ready(ready),
        .flits(received[l])
    );
  end
  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W),
      .BUFFERS(BUFFERS),
      .V(V),
      .SINGLE(SINGLE)
  ) u_dut (
      .clk, .rst, .paper,
      .early(LANES'(seed)),
      .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid, .out_ready, .out_empty,
      .spare_full, .spare_flit, .next_comes, .next_lane, .obs_worm, .obs_flit, .obs_blocked, .busy
  );

  wire [PORTS*FLIT_W-1:0] small_flit;
  wire [LANES*FLIT_W-1:0] small_spare_flit;
  wire [PORTS-1:0] small_last, small_worm, small_seen, small_blocked;
  wire [LANES-1:0] small_ready, small_empty, small_valid, small_comes, small_spare_full;
  wire small_busy;
  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W),
      .SMALL(1),
      .BUFFERS(BUFFERS),
      .V(V),
      .SINGLE(SINGLE)
  ) u_small (
      .clk, .rst, .paper,
      .early(LANES'(seed)),
      .in_flit, .in_last, .in_valid,
      .in_ready(small_ready),
      .in_empty(small_empty),
      .out_flit(small_flit),
      .out_last(small_last),
      .out_valid(small_valid),
      .out_ready, .out_empty,
      .spare_full(small_spare_full),
      .spare_flit(small_spare_flit),
      .next_comes(small_comes),
      .next_lane,
      .obs_worm(small_worm),
      .obs_flit(small_seen),
      .obs_blocked(small_blocked),
      .busy(small_busy)
  );
  always @(posedge clk)
    if (!rst) begin
      if ({small_ready, small_empty, small_valid, small_comes, small_spare_full, small_worm, small_seen, small_blocked, small_busy} !==
          {in_ready, in_empty, out_valid, next_comes, spare_full, obs_worm, obs_flit, obs_blocked, busy})
        $fatal(1, "%m: the small router differs");
      for (int p = 0; p < PORTS; p++)
        if (obs_flit[p] && {small_last[p], small_flit[p*FLIT_W+:FLIT_W]} !== {out_last[p], out_flit[p*FLIT_W+:FLIT_W]})
          $fatal(1, "%m: the small router sends another flit by port %0d", p);
    end

  wh_router_check #(.PORTS(PORTS), .V(V), .SINGLE(SINGLE), .BUFFERS(BUFFERS)) u_check (
      .clk, .rst, .paper,
      .early(LANES'(seed)),
      .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .out_flit, .out_last, .out_valid, .out_ready, .out_empty,
      .obs_worm, .obs_flit, .obs_blocked
  );
  // A lane that shares its port offers nothing if there is no room.
  always @(posedge clk)
    if (!rst)
      for (int l = SINGLE; V > 1 && l < LANES; l++) if (out_valid[l] && !out_ready[l]) $fatal(1, "%m: lane %0d has no room", l);

  always @(posedge clk) begin
    if (!rst && busy !== !(&in_empty)) $fatal(1, "%m: busy is %b", busy);
    finished <= 1'b0;
    if (!rst && &done && !busy) begin
      all_sent = 0;
      all = 0;
      for (int l = 0; l < LANES; l++) begin
        all_sent = all_sent + sent[l];
        all = all + received[l];
      end
      if (all_sent < all) $fatal(1, "%m: %0d flits sent, %0d received", all_sent, all);
      all_received <= all;
      finished <= all_sent == all;
    end
  end
endmodule

`default_nettype wire
