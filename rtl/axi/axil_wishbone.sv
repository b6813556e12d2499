// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// From AXI4-Lite to a register port of flitloom's (fabric_open, fabric_top): a bridge to Wishbone B4, pipelined. Registers
// are words of 32 bits, so a byte address is four times the address in docs/registers.md; its low two bits are not looked at.
//
// Latency: an answer is there one cycle after the port's, nine cycles after address and data were taken where the port does
// not stall. Throughput: one access at a time, in nine cycles each; address and data of the next are taken meanwhile. A read
// and a write that wait take turns.
//
// Ports:
// - s_axil_*: AXI4-Lite, data of 32 bits. No output depends on an input within a cycle. A write is answered SLVERR and
//   does nothing if it has strobes for some bytes only; without any strobe it does nothing and is answered OKAY. Everything
//   else is answered OKAY: reads of absent registers give 0. *prot are not looked at.
// - wb_*: to the register port. Request, address and data stay until the answer.
//
// Reset: rst is synchronous and active high, for at least one cycle: where there is an ARESETn, its inverse.
//
// Legal parameters: ADDR_W from 3 to 34. 32 is enough for fabric_open, and reaches the spaces GLOBAL, NODE, MONITOR and
// SWITCH; HISTORY and TIME of fabric_top need 34. The file list is rtl/axil_wishbone.f.
//
// Example:
//   axil_wishbone u_bridge (
//       .clk(clk), .rst(!aresetn),
//       .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
//       .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
//       .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
//       .s_axil_araddr(araddr), .s_axil_arprot(arprot), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
//       .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
//       .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_adr(adr), .wb_dat_w(dat_w),
//       .wb_stall(stall), .wb_ack(ack), .wb_dat_r(dat_r));
`default_nettype none

module axil_wishbone #(
    parameter integer ADDR_W = 32  // bits of a byte address, 3..34
) (
    input  wire               clk,
    input  wire               rst,
    // verilator lint_off UNUSEDSIGNAL
    // AXI4-Lite: writes
    input  wire  [ADDR_W-1:0] s_axil_awaddr,
    input  wire  [       2:0] s_axil_awprot,
    input  wire               s_axil_awvalid,
    output logic              s_axil_awready,
    input  wire  [      31:0] s_axil_wdata,
    input  wire  [       3:0] s_axil_wstrb,
    input  wire               s_axil_wvalid,
    output logic              s_axil_wready,
    output logic [       1:0] s_axil_bresp,
    output logic              s_axil_bvalid,
    input  wire               s_axil_bready,
    // and reads
    input  wire  [ADDR_W-1:0] s_axil_araddr,
    input  wire  [       2:0] s_axil_arprot,
    input  wire               s_axil_arvalid,
    output logic              s_axil_arready,
    // verilator lint_on UNUSEDSIGNAL
    output logic [      31:0] s_axil_rdata,
    output logic [       1:0] s_axil_rresp,
    output logic              s_axil_rvalid,
    input  wire               s_axil_rready,
    // Wishbone B4 pipelined, addressed by word
    output logic              wb_cyc,
    output logic              wb_stb,
    output logic              wb_we,
    output logic [      31:0] wb_adr,
    output logic [      31:0] wb_dat_w,
    input  wire               wb_stall,
    input  wire               wb_ack,
    input  wire  [      31:0] wb_dat_r
);
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  if (ADDR_W < 3 || ADDR_W > 34) begin : g_ADDR_W illegal_ADDR_W u_illegal (); end

  // Requests that have been taken and not been begun.
  logic have_aw_q, have_w_q, have_ar_q;
  logic [ADDR_W-3:0] awaddr_q, araddr_q;
  logic [31:0] wdata_q;
  logic [3:0] wstrb_q;

  logic asks_q;  // a request is on the port
  logic waits_q;  // it has been taken and has no answer yet
  logic turn_q;  // of both kinds the write goes first
  wire idle = !asks_q && !waits_q && !s_axil_bvalid && !s_axil_rvalid;
  wire begin_write = idle && have_aw_q && have_w_q && (turn_q || !have_ar_q);
  wire begin_read = idle && have_ar_q && !begin_write;
  wire answered = (asks_q && !wb_stall || waits_q) && wb_ack;

  assign s_axil_awready = !have_aw_q;
  assign s_axil_wready = !have_w_q;
  assign s_axil_arready = !have_ar_q;
  assign s_axil_rresp = OKAY;
  assign wb_cyc = asks_q || waits_q;
  assign wb_stb = asks_q;

  always_ff @(posedge clk) begin
    if (s_axil_awvalid && s_axil_awready) begin
      have_aw_q <= 1'b1;
      awaddr_q  <= s_axil_awaddr[ADDR_W-1:2];
    end
    if (s_axil_wvalid && s_axil_wready) begin
      have_w_q <= 1'b1;
      wdata_q  <= s_axil_wdata;
      wstrb_q  <= s_axil_wstrb;
    end
    if (s_axil_arvalid && s_axil_arready) begin
      have_ar_q <= 1'b1;
      araddr_q  <= s_axil_araddr[ADDR_W-1:2];
    end

    if (begin_write) begin
      have_aw_q <= 1'b0;
      have_w_q <= 1'b0;
      turn_q <= 1'b0;
      wb_we <= 1'b1;
      wb_adr <= 32'(awaddr_q);
      wb_dat_w <= wdata_q;
      asks_q <= &wstrb_q;
      s_axil_bvalid <= !(&wstrb_q);
      s_axil_bresp <= wstrb_q == 4'd0 || (&wstrb_q) ? OKAY : SLVERR;
    end
    if (begin_read) begin
      have_ar_q <= 1'b0;
      turn_q <= 1'b1;
      wb_we <= 1'b0;
      wb_adr <= 32'(araddr_q);
      asks_q <= 1'b1;
    end

    if (asks_q && !wb_stall) begin
      asks_q  <= 1'b0;
      waits_q <= 1'b1;
    end
    if (answered) begin
      waits_q <= 1'b0;
      s_axil_bvalid <= wb_we;
      s_axil_rvalid <= !wb_we;
      s_axil_rdata <= wb_dat_r;
    end
    if (s_axil_bvalid && s_axil_bready) s_axil_bvalid <= 1'b0;
    if (s_axil_rvalid && s_axil_rready) s_axil_rvalid <= 1'b0;

    if (rst) begin
      have_aw_q <= 1'b0;
      have_w_q <= 1'b0;
      have_ar_q <= 1'b0;
      asks_q <= 1'b0;
      waits_q <= 1'b0;
      turn_q <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end
  end

`ifdef FORMAL
  // One response for each request, after it; responses stay; a write with all strobes is one request on the port, with its
  // address and data, another one none; what a read is answered is what the port said. Requests are counted as they are
  // taken; at most one of each kind is on its way, and one more waits. None that waits is overtaken twice by the other kind.
  logic [1:0] f_aw, f_w, f_ar;  // taken, without an answer
  logic [1:0] f_writes, f_reads;  // requests on the port for which no answer has been given by AXI
  logic [1:0] f_pending;  // requests on the port that have no answer from it
  logic [ADDR_W-3:0] f_awaddr, f_araddr;  // of the oldest one without an answer
  logic [ADDR_W-3:0] f_awaddr_1, f_araddr_1;  // and of the next one
  logic [31:0] f_wdata, f_wdata_1, f_rdata;
  logic [3:0] f_wstrb, f_wstrb_1;
  wire f_aw_in = s_axil_awvalid && s_axil_awready, f_w_in = s_axil_wvalid && s_axil_wready;
  wire f_ar_in = s_axil_arvalid && s_axil_arready;
  wire f_b_out = s_axil_bvalid && s_axil_bready, f_r_out = s_axil_rvalid && s_axil_rready;
  wire f_taken = wb_cyc && wb_stb && !wb_stall;
  logic f_read_overtaken, f_write_overtaken;  // one that waits has been

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && !$past(rst)) begin
      if ($past(s_axil_awvalid && !s_axil_awready)) assume (s_axil_awvalid && $stable(s_axil_awaddr));
      if ($past(s_axil_wvalid && !s_axil_wready))
        assume (s_axil_wvalid && $stable(s_axil_wdata) && $stable(s_axil_wstrb));
      if ($past(s_axil_arvalid && !s_axil_arready)) assume (s_axil_arvalid && $stable(s_axil_araddr));
    end
    if (f_pending == 2'd0 && !f_taken) assume (!wb_ack);

    f_aw <= f_aw + 2'(f_aw_in) - 2'(f_b_out);
    f_w <= f_w + 2'(f_w_in) - 2'(f_b_out);
    f_ar <= f_ar + 2'(f_ar_in) - 2'(f_r_out);
    f_pending <= f_pending + 2'(f_taken) - 2'(wb_ack);
    f_writes <= f_writes + 2'(f_taken && wb_we) - 2'(f_b_out && &f_wstrb);
    f_reads <= f_reads + 2'(f_taken && !wb_we) - 2'(f_r_out);
    if (wb_ack) f_rdata <= wb_dat_r;
    f_read_overtaken <= (f_read_overtaken || begin_write && have_ar_q) && !begin_read;
    f_write_overtaken <= (f_write_overtaken || begin_read && have_aw_q && have_w_q) && !begin_write;
    if (f_b_out) begin
      f_awaddr <= f_awaddr_1;
      {f_wdata, f_wstrb} <= {f_wdata_1, f_wstrb_1};
    end
    if (f_r_out) f_araddr <= f_araddr_1;
    if (f_aw_in && f_aw - 2'(f_b_out) == 2'd0) f_awaddr <= s_axil_awaddr[ADDR_W-1:2];
    if (f_aw_in && f_aw - 2'(f_b_out) == 2'd1) f_awaddr_1 <= s_axil_awaddr[ADDR_W-1:2];
    if (f_w_in && f_w - 2'(f_b_out) == 2'd0) {f_wdata, f_wstrb} <= {s_axil_wdata, s_axil_wstrb};
    if (f_w_in && f_w - 2'(f_b_out) == 2'd1) {f_wdata_1, f_wstrb_1} <= {s_axil_wdata, s_axil_wstrb};
    if (f_ar_in && f_ar - 2'(f_r_out) == 2'd0) f_araddr <= s_axil_araddr[ADDR_W-1:2];
    if (f_ar_in && f_ar - 2'(f_r_out) == 2'd1) f_araddr_1 <= s_axil_araddr[ADDR_W-1:2];
    if (rst) begin
      f_aw <= '0;
      f_w <= '0;
      f_ar <= '0;
      f_writes <= '0;
      f_reads <= '0;
      f_pending <= '0;
      f_read_overtaken <= 1'b0;
      f_write_overtaken <= 1'b0;
    end

    if (!$initstate) begin
      assert (!(begin_write && f_read_overtaken) && !(begin_read && f_write_overtaken));
      // Responses: each after what it answers, and they stay.
      if (s_axil_bvalid) begin
        assert (f_aw != '0 && f_w != '0);
        assert (s_axil_bresp == (&f_wstrb || f_wstrb == '0 ? OKAY : SLVERR));
        assert (f_writes == 2'(&f_wstrb) && f_pending == '0);
      end
      if (s_axil_rvalid) assert (f_ar != '0 && f_reads == 2'd1 && f_pending == '0 && s_axil_rdata == f_rdata);
      assert (s_axil_rresp == OKAY);
      if (!$past(rst)) begin
        if ($past(s_axil_bvalid && !s_axil_bready)) assert (s_axil_bvalid && $stable(s_axil_bresp));
        if ($past(s_axil_rvalid && !s_axil_rready)) assert (s_axil_rvalid && $stable(s_axil_rdata));
        if ($past(wb_stb && wb_stall)) assert (wb_stb && $stable(wb_we) && $stable(wb_adr) && $stable(wb_dat_w));
        if ($past(f_pending != '0) && f_pending != '0) assert ($stable(wb_we) && $stable(wb_adr) && $stable(wb_dat_w));
      end else assert (!s_axil_bvalid && !s_axil_rvalid && !wb_stb);

      // The port: as it was asked, once each.
      if (wb_stb) begin
        assert (wb_cyc && f_pending == '0);
        if (wb_we) assert (f_aw != '0 && f_w != '0 && &f_wstrb && f_writes == '0 &&
                           wb_adr == 32'(f_awaddr) && wb_dat_w == f_wdata);
        else assert (f_ar != '0 && f_reads == '0 && wb_adr == 32'(f_araddr));
      end
      if (f_pending != '0) assert (wb_cyc && f_pending == 2'd1);
      assert (f_aw <= 2'd2 && f_w <= 2'd2 && f_ar <= 2'd2);

      cover (f_b_out && s_axil_bresp == SLVERR && f_aw == 2'd2);
      cover (f_r_out && s_axil_rdata == 32'h600dc0de && $past(f_r_out, 4));
      cover (f_b_out && &f_wstrb && f_ar == 2'd1 && f_reads == '0);

      // For the induction.
      if (f_read_overtaken) assert (have_ar_q && !turn_q);
      if (f_write_overtaken) assert (have_aw_q && have_w_q && turn_q);
      assert (f_pending == 2'(waits_q));
      assert (!asks_q || !waits_q);
      assert (!(wb_cyc && (s_axil_bvalid || s_axil_rvalid)) && !(s_axil_bvalid && s_axil_rvalid));
      assert (f_aw == 2'(have_aw_q) + 2'(wb_cyc && wb_we || s_axil_bvalid));
      assert (f_w == 2'(have_w_q) + 2'(wb_cyc && wb_we || s_axil_bvalid));
      assert (f_ar == 2'(have_ar_q) + 2'(wb_cyc && !wb_we || s_axil_rvalid));
      assert (f_writes == 2'(waits_q && wb_we || s_axil_bvalid && &f_wstrb));
      assert (f_reads == 2'(waits_q && !wb_we || s_axil_rvalid));
      if (wb_cyc && wb_we) assert (&f_wstrb && s_axil_bresp == OKAY);
      if (have_aw_q) assert (awaddr_q == (f_aw == 2'd2 ? f_awaddr_1 : f_awaddr));
      if (have_w_q) assert ({wdata_q, wstrb_q} == (f_w == 2'd2 ? {f_wdata_1, f_wstrb_1} : {f_wdata, f_wstrb}));
      if (have_ar_q) assert (araddr_q == (f_ar == 2'd2 ? f_araddr_1 : f_araddr));
    end
  end
`endif
endmodule

`default_nettype wire
