// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A memory behind Wishbone, which stalls and answers at random times, and a master that pauses on all five channels,
// reads and writes at the same time, and draws strobes at random. Addresses and data come in any order. A read must
// return the result of the writes that were answered before it began, or of those still under way.
`default_nettype none

module axil_wishbone_tb;
  localparam integer WORDS = 16, ACCESSES = 2000;
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;
  wire clk, rst;
  integer seed, n_written = 0, n_refused = 0, n_read = 0;
  logic [31:0] awaddr, wdata, araddr;
  logic [3:0] wstrb;
  logic awvalid, wvalid, bready, arvalid, rready;
  wire awready, wready, bvalid, arready, rvalid;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata;
  wire cyc, stb, we, stall, ack;
  wire [31:0] adr, dat_w;
  logic [31:0] dat_r;

  bench #(.CYCLES(200000)) u_bench (.clk, .rst, .seed);
  axil_wishbone u_dut (
      .clk, .rst,
      .s_axil_awaddr(awaddr),
      .s_axil_awprot(3'd0),
      .s_axil_awvalid(awvalid),
      .s_axil_awready(awready),
      .s_axil_wdata(wdata),
      .s_axil_wstrb(wstrb),
      .s_axil_wvalid(wvalid),
      .s_axil_wready(wready),
      .s_axil_bresp(bresp),
      .s_axil_bvalid(bvalid),
      .s_axil_bready(bready),
      .s_axil_araddr(araddr),
      .s_axil_arprot(3'd0),
      .s_axil_arvalid(arvalid),
      .s_axil_arready(arready),
      .s_axil_rdata(rdata),
      .s_axil_rresp(rresp),
      .s_axil_rvalid(rvalid),
      .s_axil_rready(rready),
      .wb_cyc(cyc),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r)
  );

  `include "chance.svh"
  initial seed_by(1, 0);

  // The memory: one request at a time, answered after 0 to 7 cycles; its words begin as their addresses.
  logic [31:0] memory[0:WORDS-1];
  integer left = -1;  // cycles until the answer, -1: no request
  logic may;
  logic held_we;
  logic [31:0] held_adr, held_dat;
  assign stall = !may || left >= 0;
  assign ack = left == 0;
  always @(posedge clk) begin
    may <= random(3) != 0;
    if (left >= 0) begin
      if (!cyc) $fatal(1, "cyc falls before the answer");
      if ({we, adr, dat_w} !== {held_we, held_adr, held_dat}) $fatal(1, "the request changes before the answer");
      left <= left - 1;
    end
    dat_r <= 32'hxxxxxxxx;
    if (cyc && stb && !stall) begin
      if (adr >= WORDS) $fatal(1, "address %h", adr);
      if (we) memory[adr[3:0]] <= dat_w;
      {held_we, held_adr, held_dat} <= {we, adr, dat_w};
      left <= random(8);
    end
    if (left == 1 || cyc && stb && !stall) dat_r <= memory[cyc && stb && !stall ? adr[3:0] : held_adr[3:0]];
    if (rst) begin
      left <= -1;
      for (int i = 0; i < WORDS; i++) memory[i] <= 32'(i);
    end
  end
  always @(posedge clk) if (left > 1) dat_r <= 32'hxxxxxxxx;

  // Writes: address and data at times of their own, the next pair once both have been taken. The master knows what each
  // word holds, or may hold while a write is under way.
  logic [31:0] holds[0:WORDS-1];
  logic have_aw, have_w;  // address and data of the current write, not taken yet
  logic [31:0] queue_addr[0:3], queue_data[0:3];
  logic [3:0] queue_strb[0:3];
  integer n_queued = 0, writes = 0;
  logic b_waits;
  logic [1:0] b_offer;
  always @(posedge clk) begin
    bready <= random(3) != 0;
    if (b_waits && (!bvalid || bresp !== b_offer)) $fatal(1, "a response to a write was withdrawn");
    b_waits <= bvalid && !bready && !rst;
    b_offer <= bresp;
    if (!rst) begin
      if (bvalid && bready) begin
        if (n_queued == 0) $fatal(1, "a response to no write");
        if ((have_aw || have_w) && n_queued == 1) $fatal(1, "a response before address and data");
        if (bresp !== (queue_strb[0] == 4'hf || queue_strb[0] == 4'h0 ? OKAY : SLVERR))
          $fatal(1, "response %b to strobes %b", bresp, queue_strb[0]);
        if (queue_strb[0] == 4'hf) holds[queue_addr[0][5:2]] = queue_data[0];
        n_written = n_written + 32'(queue_strb[0] == 4'hf);
        n_refused = n_refused + 32'(bresp == SLVERR);
        n_queued = n_queued - 1;
        for (int i = 0; i < 3; i++) begin
          queue_addr[i] = queue_addr[i+1];
          queue_data[i] = queue_data[i+1];
          queue_strb[i] = queue_strb[i+1];
        end
      end
      if (awvalid && awready) begin
        awvalid <= 1'b0;
        have_aw = 1'b0;
      end
      if (wvalid && wready) begin
        wvalid <= 1'b0;
        have_w = 1'b0;
      end
      // Now and then the bridge is idle, and one of the two comes long before the other.
      if (!have_aw && !have_w && n_queued < (writes % 64 < 32 ? 1 : 4) && writes < ACCESSES) begin
        writes = writes + 1;
        have_aw = 1'b1;
        have_w = 1'b1;
        queue_addr[n_queued] = 4 * random(WORDS) + random(4);
        queue_data[n_queued] = $random(state);
        queue_strb[n_queued] = random(2) != 0 ? 4'hf : 4'(random(16));
        n_queued = n_queued + 1;
      end
      if (have_aw && !(awvalid && !awready) && random(16) < (writes % 4 == 0 ? 1 : 10)) begin
        awvalid <= 1'b1;
        awaddr  <= queue_addr[n_queued-1];
      end
      if (have_w && !(wvalid && !wready) && random(16) < (writes % 4 == 1 ? 1 : 10)) begin
        wvalid <= 1'b1;
        wdata  <= queue_data[n_queued-1];
        wstrb  <= queue_strb[n_queued-1];
      end
    end
    if (rst) begin
      {awvalid, wvalid, have_aw, have_w} = 4'd0;
      for (int i = 0; i < WORDS; i++) holds[i] = 32'(i);
    end
  end

  // Reads, one at a time: a word must have its value, or that of a write to it that is under way.
  logic [31:0] at, was;
  logic reading, touched, r_waits;
  logic [31:0] r_offer;
  integer reads = 0;
  always @(posedge clk) begin
    rready <= random(3) != 0;
    if (r_waits && (!rvalid || rdata !== r_offer)) $fatal(1, "an answer to a read was withdrawn");
    r_waits <= rvalid && !rready && !rst;
    r_offer <= rdata;
    if (!rst) begin
      for (int i = 0; i < 4; i++) if (reading && i < n_queued && queue_addr[i][5:2] == at[5:2]) touched = 1'b1;
      if (rvalid && rready) begin
        if (!reading || arvalid) $fatal(1, "an answer to no read");
        if (rresp !== OKAY) $fatal(1, "response %b", rresp);
        if (!touched && rdata !== was) $fatal(1, "read %h at %h, expected %h", rdata, at, was);
        if (!touched) n_read = n_read + 1;
        reading <= 1'b0;
      end else if (!reading && reads < ACCESSES && random(3) != 0) begin
        reads = reads + 1;
        at = 4 * random(WORDS) + random(4);
        was = holds[at[5:2]];
        touched = 1'b0;
        for (int i = 0; i < 4; i++) if (i < n_queued && queue_addr[i][5:2] == at[5:2]) touched = 1'b1;
        reading <= 1'b1;
        arvalid <= 1'b1;
        araddr  <= at;
      end
      if (arvalid && arready) arvalid <= 1'b0;
      if (writes == ACCESSES && n_queued == 0 && reads == ACCESSES && !reading) begin
        for (int i = 0; i < WORDS; i++)
          if (memory[i] !== holds[i]) $fatal(1, "word %0d is %h, expected %h", i, memory[i], holds[i]);
        if (n_written < 500 || n_refused < 200 || n_read < 500)
          $fatal(1, "%0d written, %0d refused, %0d read", n_written, n_refused, n_read);
        $display("PASS axil_wishbone (seed %0d, %0d written, %0d refused, %0d read)", seed, n_written, n_refused, n_read);
        $finish;
      end
    end
    if (rst) begin
      arvalid <= 1'b0;
      reading <= 1'b0;
      touched <= 1'b0;
    end
  end
endmodule

`default_nettype wire
