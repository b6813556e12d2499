// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The chip with the 2-cube over Wishbone: see net_host. Every request is acknowledged six cycles later.
`default_nettype none

module fabric_top_tb;
  localparam integer PROGRAM_DEPTH = 8, LOG_DEPTH = 64, SLOT_FLITS = 16, LATENCY = 6;
  wire clk, rst;
  integer seed, received;
  wire stb, we, done, stall, ack, running, stuck;
  wire [31:0] adr, dat_w, dat_r;
  logic [LATENCY-1:0] asked_q;

  bench #(.CYCLES(1000000)) u_bench (.clk, .rst, .seed);
  // The host writes its settings into registers here.
  net_host #(
      .PROGRAM_DEPTH(PROGRAM_DEPTH), .LOG_DEPTH(LOG_DEPTH), .SLOT_FLITS(SLOT_FLITS), .LATENCY(LATENCY), .DIRECT(0)
  ) u_host (
      .clk, .rst,
      .request(stb),
      .write(we),
      .address(adr),
      .wdata(dat_w),
      .rdata(dat_r),
      .ack,
      .state(2'd0),
      .received, .done
  );
  fabric_top #(
      .NODES(4), .LINKS(2),
      .WIRES({24'h801001, 24'h800002, 24'h801000, 24'h800003, 24'h801003, 24'h800000, 24'h801002, 24'h800001}),
      .DIMS(2), .NODE(node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, SLOT_FLITS))
  ) u_dut (
      .clk, .rst,
      .wb_cyc(stb),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r),
      .running, .stuck
  );

  always @(posedge clk) begin
    asked_q <= rst ? '0 : {asked_q[LATENCY-2:0], stb};
    if (!rst && (stall !== 1'b0 || ack !== asked_q[LATENCY-1])) $fatal(1, "stall %b, ack %b", stall, ack);
    if (done) begin
      if (!stuck || running) $fatal(1, "stuck %b, running %b after the deadlock", stuck, running);
      $display("PASS fabric_top (seed %0d, %0d messages)", seed, received);
      $finish;
    end
  end
endmodule

`default_nettype wire
