// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// All inputs to all outputs; the low bits of a header are the port.
`default_nettype none

module wh_router_tb;
  localparam integer FLIT_W = 32, PORTS = 4, LABEL_W = 2;
  wire clk, rst;
  integer seed, all_sent, all_received;
  integer sent[PORTS], received[PORTS];
  wire [PORTS*FLIT_W-1:0] in_flit, out_flit, spare_flit;
  wire [PORTS-1:0] in_last, in_valid, in_ready, in_empty, out_last, out_valid, out_ready, next_comes, done;
  wire [PORTS-1:0] obs_worm, obs_flit, obs_blocked;
  wire [PORTS*LABEL_W-1:0] next_lane;
  wire busy;

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      // In all other cycles it is anything.
      assign next_lane[p*LABEL_W+:LABEL_W] = !next_comes[p] ? LABEL_W'(3 * p + 1) :
          in_ready[p] ? in_flit[p*FLIT_W+:LABEL_W] : spare_flit[p*FLIT_W+:LABEL_W];
      stream_source #(
          .LABEL_W(LABEL_W),
          .DESTINATIONS(PORTS),
          .WORMS(500),
          .SALT(p)
      ) u_source (
          .clk(clk),
          .rst(rst),
          .here(LABEL_W'(p)),
          .pause(8'(seed * 40)),
          .out_flit(in_flit[p*FLIT_W+:FLIT_W]),
          .out_last(in_last[p]),
          .out_valid(in_valid[p]),
          .out_ready(in_ready[p]),
          .done(done[p]),
          .flits(sent[p])
      );
      stream_sink #(
          .LABEL_W(LABEL_W),
          .SALT(p)
      ) u_sink (
          .clk(clk),
          .rst(rst),
          .here(LABEL_W'(p)),
          .pause(8'd60),
          .in_flit(out_flit[p*FLIT_W+:FLIT_W]),
          .in_last(out_last[p]),
          .in_valid(out_valid[p]),
          .in_ready(out_ready[p]),
          .flits(received[p])
      );
    end
  endgenerate
  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W)
  ) u_dut (
      .clk(clk),
      .rst(rst),
      .paper(seed[0]),
      .early(4'(seed)),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .out_flit(out_flit),
      .out_last(out_last),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_empty(out_ready),
      .spare_flit(spare_flit),
      .next_comes(next_comes),
      .next_lane(next_lane),
      .obs_worm(obs_worm),
      .obs_flit(obs_flit),
      .obs_blocked(obs_blocked),
      .busy(busy)
  );

  always @(posedge clk) begin
    if (!rst && obs_flit !== (out_valid & out_ready)) $fatal(1, "flits are not observed");
    if (!rst && busy !== !(&in_empty)) $fatal(1, "busy is %b", busy);
    if (&done && !busy) begin
      all_sent = 0;
      all_received = 0;
      for (int p = 0; p < PORTS; p++) begin
        all_sent = all_sent + sent[p];
        all_received = all_received + received[p];
      end
      if (all_sent != all_received) $fatal(1, "%0d flits sent, %0d received", all_sent, all_received);
      $display("PASS wh_router (seed %0d, %0d flits)", seed, all_received);
      $finish;
    end
  end
endmodule

`default_nettype wire
