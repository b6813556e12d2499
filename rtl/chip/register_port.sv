// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A chip's register port: Wishbone outside; inside, one request that goes to all parts, which all answer in the same
// cycle. Part of fabric_top and fabric_open.
//
// Latency: a request that is taken is `request` in the next cycle; its answer is looked at four cycles later and is on
// the port one more cycle later, six cycles after the request was taken. Throughput: one request per cycle; with SMALL = 1
// one in 3*CHANNELS+2 cycles, by wb_stall.
//
// Ports:
// - wb_*: as in fabric_top; with SMALL = 1 wb_we, wb_adr and wb_dat_w must keep their values until the answer.
// - taken: a request is taken at the end of this cycle; its fields are still on wb_*.
// - request, write, address, wdata: the request, a cycle later, for one cycle. rdata: its answer, four cycles after
//   that; 0 for an address without a register.
//
// Reset: synchronous, one cycle.
`default_nettype none

module register_port #(
    parameter integer CHANNELS = 3,  // which one monitor counts, without that of injection, 1..63
    parameter integer SMALL = 0  // 0, or 1: as in node_config
) (
    input  wire         clk,
    input  wire         rst,
    // Wishbone B4 pipelined, addressed by word
    input  wire         wb_cyc,
    input  wire         wb_stb,
    input  wire         wb_we,
    input  wire  [31:0] wb_adr,
    input  wire  [31:0] wb_dat_w,
    output logic        wb_stall,
    output logic        wb_ack,
    output logic [31:0] wb_dat_r,
    // inside
    output logic        taken,
    output logic        request,
    output logic        write,
    output logic [31:0] address,
    output logic [31:0] wdata,
    input  wire  [31:0] rdata
);
  localparam integer LATENCY = 6;
  localparam integer REST = 3 * CHANNELS + 1, REST_W = $clog2(REST + 1);

  if (SMALL != 0 && SMALL != 1) begin : g_SMALL illegal_SMALL u_illegal (); end
  if (CHANNELS < 1 || CHANNELS > 63) begin : g_CHANNELS illegal_CHANNELS u_illegal (); end

  logic [LATENCY-1:0] ack_q;
  logic [REST_W-1:0] rest_q;  // cycles until the next request is taken

  assign taken = wb_cyc && wb_stb && !wb_stall;
  assign wb_ack = ack_q[LATENCY-1];
  assign wb_stall = rest_q != '0;

  always_ff @(posedge clk) begin
    request <= taken;
    ack_q   <= {ack_q[LATENCY-2:0], taken};
    if (rst) begin
      request <= 1'b0;
      ack_q   <= '0;
    end
  end

  if (SMALL != 0) begin : g_held
    always_ff @(posedge clk) begin
      if (taken) rest_q <= REST_W'(REST);
      else if (wb_stall) rest_q <= rest_q - 1'b1;
      if (rst) rest_q <= '0;
    end
    assign write = wb_we;
    assign address = wb_adr;
    assign wdata = wb_dat_w;
  end else begin : g_kept
    always_ff @(posedge clk) begin
      if (taken) begin
        write <= wb_we;
        address <= wb_adr;
        wdata <= wb_dat_w;
      end
    end
    assign rest_q = '0;
  end

  always_ff @(posedge clk) begin
    if (|ack_q) wb_dat_r <= rdata;
  end

`ifdef FORMAL
  // Every request is answered once, LATENCY cycles later, by what rdata was; inside it is seen in the cycle after it was
  // taken.
  logic [LATENCY-1:0] f_asked;
  integer f_since;  // cycles since the last request

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);

    if (!$initstate && SMALL != 0 && f_asked != '0) assume ($stable(wb_we) && $stable(wb_adr) && $stable(wb_dat_w));

    f_asked <= {f_asked[LATENCY-2:0], wb_cyc && wb_stb && !wb_stall};
    if (f_since <= 3 * CHANNELS + 2) f_since <= f_since + 1;
    if (wb_cyc && wb_stb && !wb_stall) f_since <= 1;
    if (rst) begin
      f_asked <= '0;
      f_since <= 3 * CHANNELS + 2;
    end

    if (!$initstate) begin
      assert (wb_stall == (SMALL != 0 && f_since < 3 * CHANNELS + 2));
      assert (wb_ack == f_asked[LATENCY-1]);
      assert (taken == (wb_cyc && wb_stb && !wb_stall));
      if (wb_ack) assert (wb_dat_r == $past(rdata));
      assert (request == f_asked[0]);
      if (request) assert (write == $past(wb_we) && address == $past(wb_adr) && wdata == $past(wb_dat_w));

      cover (wb_ack && $past(wb_ack, SMALL != 0 ? 3 * CHANNELS + 2 : 1) && wb_dat_r == 32'h600dc0de);

      // For the induction.
      if (SMALL != 0) assert (32'(f_since) + 32'(rest_q) == 3 * CHANNELS + 2 || !wb_stall && f_since > 3 * CHANNELS + 1);
      assert (ack_q == f_asked);
    end
  end
`endif
endmodule

`default_nettype wire
