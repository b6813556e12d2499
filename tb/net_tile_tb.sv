// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Two tiles back to back, which make the 1-cube: see net_host. Whoever is not asked must answer 0.
`default_nettype none

module net_tile_tb;
  localparam integer FLIT_W = 32, PROGRAM_DEPTH = 8, LOG_DEPTH = 64, SLOT_FLITS = 16;
  wire clk, rst;
  integer seed, received;
  wire request, write, clean, start, paper, done;
  wire [31:0] address, wdata, salt, cycle;
  logic [31:0] late;
  always @(posedge clk) late <= cycle;
  wire [15:0] last_pass, pass;
  wire [1:0] state;
  wire rewind, clear, run;
  wire [31:0] rdata[2];
  wire [FLIT_W-1:0] flit[2];  // out of tile u, into the other one
  wire [1:0] last, valid, ready, empty, busy, moved, log_overflow, store_overflow;
  logic [2:0] asked_q[2];

  bench #(
      .CYCLES(1000000)
  ) u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  net_host #(
      .NODES(2),
      .LINKS(1),
      .DIMS(1),
      .LABEL_W(1),
      .PROGRAM_DEPTH(PROGRAM_DEPTH),
      .LOG_DEPTH(LOG_DEPTH),
      .SLOT_FLITS(SLOT_FLITS),
      .LATENCY(3),
      .ROUNDS(18)
  ) u_host (
      .clk(clk),
      .rst(rst),
      .request(request),
      .write(write),
      .address(address),
      .wdata(wdata),
      .rdata(rdata[0] | rdata[1]),
      .ack(1'b1),
      .clean(clean),
      .start(start),
      .paper(paper),
      .salt(salt),
      .last_pass(last_pass),
      .state(state),
      .received(received),
      .done(done)
  );
  pass_sequencer u_sequencer (
      .clk(clk),
      .rst(rst || clean),
      .start(start),
      .free(1'b0),
      .first_pass(16'd0),
      .last_pass(last_pass),
      .busy(|busy),
      .stuck(1'b0),
      .rewind(rewind),
      .clear(clear),
      .run(run),
      .pass(pass),
      .cycle(cycle),
      .state(state)
  );
  generate
    for (genvar u = 0; u < 2; u++) begin : g_tile
      net_tile #(
          .LINKS(1),
          .LABEL_W(1),
          .DIMS(1),
          .NODE(node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, SLOT_FLITS))
      ) u_dut (
          .clk(clk),
          .net_clk(clk),
          .rst(rst || clean),
          .index(12'(u)),
          .here(1'(u)),
          .paper(paper),
          .seed(salt),
          .rewind(rewind),
          .clear(clear),
          .run(run),
          .pass(pass),
          .cycle(late),
          .bus_request(request),
          .bus_write(write),
          .bus_address(address),
          .bus_wdata(wdata),
          .bus_rdata(rdata[u]),
          .in_flit(flit[1-u]),
          .in_last(last[1-u]),
          .in_valid(valid[1-u]),
          .in_ready(ready[u]),
          .in_empty(empty[u]),
          .out_flit(flit[u]),
          .out_last(last[u]),
          .out_valid(valid[u]),
          .out_ready(ready[1-u]),
          .out_empty(empty[1-u]),
          .busy(busy[u]),
          .moved(moved[u]),
          .log_overflow(log_overflow[u]),
          .store_overflow(store_overflow[u])
      );
    end
  endgenerate

  always @(posedge clk) begin
    if (!rst && !clean && !run && |moved) $fatal(1, "a flit moves outside of a pass");
    if (|log_overflow === 1'b1 || |store_overflow === 1'b1) $fatal(1, "overflow");
    for (int u = 0; u < 2; u++) begin
      asked_q[u] <= rst ? '0 : {asked_q[u][1:0], request && (address[27:16] == 12'(u) || &address[27:16])};
      if (!rst && !clean && !asked_q[u][2] && rdata[u] !== 32'd0) $fatal(1, "tile %0d answers unasked", u);
    end
    if (done) begin
      $display("PASS net_tile (seed %0d, %0d messages)", seed, received);
      $finish;
    end
  end
endmodule

`default_nettype wire
