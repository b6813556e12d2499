// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The 2-cube with a sequencer: see cube_host.
`default_nettype none

module cube_fabric_tb;
  localparam integer DIM = 2, PROGRAM_DEPTH = 8, LOG_DEPTH = 64, SLOT_FLITS = 16;
  wire clk, rst;
  integer seed, received;
  wire request, write, clean, start, paper, done;
  wire [31:0] address, wdata, rdata, salt, cycle;
  logic [31:0] late;
  always @(posedge clk) late <= cycle;
  wire [15:0] last_pass, pass;
  wire [1:0] state;
  wire rewind, clear, run, busy, moved, log_overflow, store_overflow;

  bench #(
      .CYCLES(1000000)
  ) u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  cube_host #(
      .DIM(DIM),
      .PROGRAM_DEPTH(PROGRAM_DEPTH),
      .LOG_DEPTH(LOG_DEPTH),
      .SLOT_FLITS(SLOT_FLITS),
      .LATENCY(4)
  ) u_host (
      .clk(clk),
      .rst(rst),
      .request(request),
      .write(write),
      .address(address),
      .wdata(wdata),
      .rdata(rdata),
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
      .busy(busy),
      .stuck(1'b0),
      .rewind(rewind),
      .clear(clear),
      .run(run),
      .pass(pass),
      .cycle(cycle),
      .state(state)
  );
  cube_fabric #(
      .DIM(DIM),
      .PROGRAM_DEPTH(PROGRAM_DEPTH),
      .LOG_DEPTH(LOG_DEPTH),
      .SLOT_FLITS(SLOT_FLITS)
  ) u_dut (
      .clk(clk),
      .net_clk(clk),
      .rst(rst || clean),
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
      .early_request(1'b0),
      .early_write(1'b0),
      .early_address('0),
      .early_wdata('0),
      .bus_rdata(rdata),
      .busy(busy),
      .moved(moved),
      .log_overflow(log_overflow),
      .store_overflow(store_overflow)
  );

  always @(posedge clk) begin
    if (!rst && !run && moved && !clean) $fatal(1, "a flit moves outside of a pass");
    if (log_overflow === 1'b1 || store_overflow === 1'b1) $fatal(1, "overflow");
    if (done) begin
      $display("PASS cube_fabric (seed %0d, %0d messages)", seed, received);
      $finish;
    end
  end
endmodule

`default_nettype wire
