// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A model of the chip follows the data sheet's rules and checks that the module does. A system on several clocks sends
// and receives with and without pauses: every byte arrives in both directions, in order, and neither direction starves.
`timescale 1ns / 1ps
`default_nettype none

module ft245_fifo_tb;
  localparam integer SYSTEMS = 3, BYTES = 6000, BURST = 64;
  wire chip_clk, chip_rst;
  integer seed;
  wire [SYSTEMS-1:0] done;

  bench #(.CYCLES(300000)) u_bench (
      .clk (chip_clk),
      .rst (chip_rst),
      .seed
  );

  for (genvar i = 0; i < SYSTEMS; i++) begin : g_system
    localparam real HALF = i == 0 ? 4.1 : i == 1 ? 7.7 : 18.75;
    integer state;
    logic own_clk, rst;
    wire clk = i == 0 ? chip_clk : own_clk;
    initial begin
      if (!$value$plusargs("seed=%d", state)) state = 1;
      state = state * 149 + i;
      own_clk = 1'b0;
      forever #(HALF) own_clk = !own_clk;
    end
    always @(posedge clk) rst <= chip_rst;

    logic rxf_n, txe_n;
    wire [7:0] data_out, rx_byte;
    wire data_drive, rd_n, wr_n, oe_n, rx_valid, tx_ready;
    logic rx_ready, tx_valid;
    logic [7:0] tx_byte;

    // The chip: it drives a received byte while OE# is low, garbage otherwise.
    integer from_chip, to_chip, read_dry, write_dry;
    logic oe_before, drive_before;
    wire calm = from_chip > BYTES / 3 && from_chip < 2 * BYTES / 3;
    logic [7:0] garbage;
    wire [7:0] data_in = !oe_n && !rxf_n ? 8'(from_chip * 7 + (from_chip >> 8)) : garbage;
    always @(posedge chip_clk) begin
      garbage <= $random(state);
      if (!chip_rst) begin
        if (!rd_n && (oe_n || oe_before)) $fatal(1, "%m: RD# without OE# a cycle before");
        if (!oe_n && (data_drive || drive_before)) $fatal(1, "%m: both drive the wires");
        if (data_drive && !oe_before) $fatal(1, "%m: no cycle between the chip's bytes and ours");
        if (!wr_n && !data_drive) $fatal(1, "%m: WR# without data");
        if (!rd_n && !rxf_n) from_chip <= from_chip + 1;
        if (!wr_n && !txe_n) begin
          if (data_out !== 8'(to_chip * 5 + (to_chip >> 8) + 3)) $fatal(1, "%m: byte %0d to the chip is %h", to_chip, data_out);
          to_chip <= to_chip + 1;
        end
        read_dry  <= !rxf_n && rd_n ? read_dry + 1 : 0;
        write_dry <= !txe_n && wr_n ? write_dry + 1 : 0;
        if (i == 0 && calm && (read_dry > BURST + 12)) $fatal(1, "%m: reading starves");
        if (i == 0 && calm && (write_dry > BURST + 12)) $fatal(1, "%m: writing starves");
      end
      rxf_n <= from_chip >= BYTES - 1 || !calm && $unsigned($random(state)) % (rxf_n ? 20 : 8) == 0 ? 1'b1 :
          calm || $unsigned($random(state)) % 3 == 0 ? 1'b0 : rxf_n;
      txe_n <= !calm && $unsigned($random(state)) % 10 == 0 ? 1'b1 : calm || $unsigned($random(state)) % 3 == 0 ? 1'b0 : txe_n;
      oe_before <= oe_n;
      drive_before <= data_drive;
      if (chip_rst) begin
        {from_chip, to_chip, read_dry, write_dry} <= '0;
        rxf_n <= 1'b1;
        txe_n <= 1'b1;
        oe_before <= 1'b1;
        drive_before <= 1'b0;
      end
    end

    // The system.
    integer received, sent;
    always @(posedge clk) begin
      rx_ready <= calm || $unsigned($random(state)) % 4 != 0;
      if (rst === 1'b0) begin
        if (rx_valid && rx_ready) begin
          if (rx_byte !== 8'(received * 7 + (received >> 8))) $fatal(1, "%m: byte %0d from the chip is %h", received, rx_byte);
          received <= received + 1;
        end
        if (tx_valid && tx_ready) begin
          sent <= sent + 1;
          tx_valid <= 1'b0;
        end
        if ((!tx_valid || tx_ready) && (calm || $unsigned($random(state)) % 3 == 0)) begin
          tx_valid <= 1'b1;
          tx_byte  <= 8'((sent + (tx_valid ? 1 : 0)) * 5 + ((sent + (tx_valid ? 1 : 0)) >> 8) + 3);
        end
      end else begin
        {received, sent, rx_ready, tx_valid} <= '0;
      end
    end
    ft245_fifo #(.BURST(BURST)) u_dut (
        .clk,
        .rst(rst !== 1'b0),
        .rx_byte, .rx_valid, .rx_ready, .tx_byte, .tx_valid, .tx_ready, .chip_clk, .chip_rst, .rxf_n, .txe_n,
        .data_in, .data_out, .data_drive, .rd_n, .wr_n, .oe_n
    );
    assign done[i] = received >= BYTES - 2 && received == from_chip && to_chip >= BYTES / 2;
  end

  always @(posedge chip_clk) begin
    if (&done) begin
      $display("PASS ft245_fifo (seed %0d, %0d and %0d bytes)", seed, g_system[0].received, g_system[0].to_chip);
      $finish;
    end
  end
endmodule

`default_nettype wire
