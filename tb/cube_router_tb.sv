// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One router of the 3-cube: every worm leaves along the dimension its rule asks for.
`default_nettype none

module cube_router_tb;
  localparam integer FLIT_W = 32, DIM = 3, PORTS = DIM + 1;
  wire clk, rst;
  integer seed, all_sent, all_received;
  integer sent[PORTS], received[PORTS];
  wire [DIM-1:0] here = DIM'(seed + 2);
  wire [PORTS*FLIT_W-1:0] in_flit, out_flit;
  wire [PORTS-1:0] in_last, in_valid, in_ready, in_empty, out_last, out_valid, out_ready, done;
  wire [PORTS-1:0] obs_worm, obs_flit, obs_blocked;
  wire busy;

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      wire [DIM-1:0] left = out_flit[p*FLIT_W+:DIM] ^ here;
      wire down = out_flit[p*FLIT_W+2*DIM];
      always @(posedge clk)
        if (!rst && obs_worm[p]) begin
          if (p == 0 ? left != 0 : !left[p-1]) $fatal(1, "%h leaves by port %0d", out_flit[p*FLIT_W+:FLIT_W], p);
          if (p != 0 && (down ? left >> p != 0 : (left & ((1 << (p - 1)) - 1)) != 0))
            $fatal(1, "%h leaves by port %0d, against its rule", out_flit[p*FLIT_W+:FLIT_W], p);
        end
      stream_source #(
          .LABEL_W(DIM),
          .DESTINATIONS(1 << DIM),
          .WORMS(500),
          .SALT(p)
      ) u_source (
          .clk(clk),
          .rst(rst),
          .here(DIM'(p)),
          .pause(8'(seed * 40)),
          .out_flit(in_flit[p*FLIT_W+:FLIT_W]),
          .out_last(in_last[p]),
          .out_valid(in_valid[p]),
          .out_ready(in_ready[p]),
          .done(done[p]),
          .flits(sent[p])
      );
    end
  endgenerate

  // The rule is by worm, so flits to one node may leave by two ports: the sinks count, and only one worm at a time.
  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_sink
      logic [7:0] left_q;
      logic [2*DIM:0] name_q;
      wire [7:0] left = out_flit[p*FLIT_W+2*DIM+1+:8];
      wire [2*DIM:0] name = out_flit[p*FLIT_W+:2*DIM+1];
      integer count;
      integer state;
      logic ready;
      assign out_ready[p] = ready;
      assign received[p] = count;
      always @(posedge clk) begin
        ready <= $unsigned($random(state)) % 4 != 0;
        if (out_valid[p] && ready) begin
          count <= count + 1;
          if (left_q != 8'd0 && (left !== left_q || name !== name_q)) $fatal(1, "worms mix on port %0d", p);
          if (out_last[p] !== (left == 8'd1)) $fatal(1, "wrong last on port %0d", p);
          left_q <= left - 8'd1;
          name_q <= name;
        end
        if (rst) begin
          state = seed + p;
          count <= 0;
          left_q <= 8'd0;
          ready <= 1'b0;
        end
      end
    end
  endgenerate
  cube_router #(
      .DIM(DIM),
      .FLIT_W(FLIT_W)
  ) u_dut (
      .clk(clk),
      .rst(rst),
      .paper(seed[0]),
      .here(here),
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
      .obs_worm(obs_worm),
      .obs_flit(obs_flit),
      .obs_blocked(obs_blocked),
      .busy(busy)
  );

  always @(posedge clk)
    if (!rst && &done && !busy) begin
      all_sent = 0;
      all_received = 0;
      for (int p = 0; p < PORTS; p++) begin
        all_sent = all_sent + sent[p];
        all_received = all_received + received[p];
      end
      if (all_sent != all_received) $fatal(1, "%0d flits sent, %0d received", all_sent, all_received);
      $display("PASS cube_router (seed %0d, %0d flits)", seed, all_received);
      $finish;
    end
endmodule

`default_nettype wire
