// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// FTDI's FT232H and FT2232H as a synchronous FIFO ("245 synchronous FIFO mode"; "FT1248" is another one): bytes both
// ways on eight wires at the chip's clock of 60 MHz, and two byte streams at the system's clock. In front of link_frame
// with BAUD = 0. The host must have put the chip into this mode.
//
// A byte passes at every rising edge of chip_clk at which RD# and RXF#, or WR# and TXE#, are both low. OE# goes low a
// cycle before RD#; between the two directions the wires are undriven for a cycle. The directions take turns of at
// most BURST bytes while both have something to send; otherwise the one that has keeps the line. A byte for the chip
// stays on data_out until the chip has taken it.
//
// Latency: through the queue between the clocks (async_fifo) three to four cycles of the clock on its far side, a few
// cycles of chip_clk, and the other direction's turn, at most BURST bytes and some cycles. Throughput: one byte per
// cycle of chip_clk in one direction at a time.
//
// Ports:
// - rx_*, tx_*: at clk: a byte passes at each rising edge at which valid and ready are 1. Once rx_valid is 1 it stays,
//   with its byte, until it is taken.
// - chip_clk, chip_rst, rxf_n, txe_n, data_*, rd_n, wr_n, oe_n: at the chip's clock. The board's wrapper makes the
//   tristate from data_out and data_drive (1: drive the wires). rxf_n, txe_n and data_in go straight in, with no
//   synchroniser; keep the registers behind the outputs in I/O cells and constrain the pins to the chip's data sheet.
//
// Reset: rst is synchronous to clk, chip_rst to chip_clk; both must be 1 together for at least three edges of each
// clock, as async_fifo asks. CLKOUT runs only in this mode: hold both resets until it does. SIWU# of the chip is not
// driven here: tie it high.
//
// Unused: tx_valid to 0, rx_ready to 1, rxf_n and txe_n to 1. Legal parameters: BURST a power of two >= 2, WORDS a
// power of two >= 16. File list: rtl/ft245_fifo.f.
//
// Example:
//   ft245_fifo u_fifo (
//       .clk(clk), .rst(rst), .rx_byte(a_byte), .rx_valid(a_valid), .rx_ready(a_ready),
//       .tx_byte(b_byte), .tx_valid(b_valid), .tx_ready(b_ready),
//       .chip_clk(chip_clk), .chip_rst(chip_rst), .rxf_n(rxf_n), .txe_n(txe_n),
//       .data_in(data_in), .data_out(data_out), .data_drive(data_drive), .rd_n(rd_n), .wr_n(wr_n), .oe_n(oe_n));
`default_nettype none

module ft245_fifo #(
    parameter integer BURST = 256,  // bytes of a turn, a power of two, >= 2
    parameter integer WORDS = 16  // bytes of each queue between the clocks, a power of two, >= 16
) (
    // system clock
    input  wire        clk,
    input  wire        rst,
    output logic [7:0] rx_byte,     // from the host
    output logic       rx_valid,
    input  wire        rx_ready,
    input  wire  [7:0] tx_byte,     // to the host
    input  wire        tx_valid,
    output logic       tx_ready,
    // the chip, all of it at its clock
    input  wire        chip_clk,    // CLKOUT of the chip, 60 MHz
    input  wire        chip_rst,
    input  wire        rxf_n,       // 0: the chip has a byte for us
    input  wire        txe_n,       // 0: the chip takes a byte
    input  wire  [7:0] data_in,
    output logic [7:0] data_out,
    output logic       data_drive,  // 1: drive the eight wires with data_out
    output logic       rd_n,
    output logic       wr_n,
    output logic       oe_n
);
  localparam integer BURST_W = $clog2(BURST);
  if (BURST < 2 || (1 << BURST_W) != BURST) begin : g_BURST illegal_BURST u_illegal (); end
  if (WORDS < 16) begin : g_WORDS illegal_WORDS u_illegal (); end

  localparam logic [1:0] IDLE = 2'd0, READ = 2'd1, WRITE = 2'd2;

  logic [1:0] state_q;
  logic wrote_q;  // the last turn was a write's
  logic [BURST_W-1:0] left_q;  // bytes of this turn less 1

  // Bytes taken from the chip. RD# goes on only while the queue has room for three: the one that goes into it now, the
  // one that comes at this edge, and the one at the next.
  logic [7:0] got_q;
  logic got_valid_q, room, taken;
  // Bytes for the chip.
  logic [7:0] next_byte;
  logic next_valid, next_ready, tx_spare;

  wire got = !rd_n && !rxf_n;
  wire gone = !wr_n && !txe_n;
  wire can_read = !rxf_n && room;
  wire over = left_q == '0;

  // The byte on the wires stays until the chip has taken it, through turns of the other direction as well.
  logic kept_q;  // data_out is yet to go
  assign next_ready = !kept_q || gone;

  always_ff @(posedge chip_clk) begin
    got_q <= data_in;
    got_valid_q <= got;
    if (next_ready) begin
      data_out <= next_byte;
      kept_q   <= next_valid;
    end
    if (got || gone) left_q <= left_q - 1'b1;
    case (state_q)
      IDLE: begin
        left_q <= '1;
        if (can_read && (wrote_q || txe_n || !kept_q)) begin
          state_q <= READ;
          oe_n    <= 1'b0;
        end else if (!txe_n && kept_q) begin
          state_q <= WRITE;
          data_drive <= 1'b1;
          wr_n <= 1'b0;
        end
      end
      READ:
      // The cycle after OE# is the first in which RD# may go low; at the end OE# goes up with it.
      if (can_read && !(got && over && kept_q && !txe_n)) rd_n <= 1'b0;
      else begin
        rd_n <= 1'b1;
        oe_n <= 1'b1;
        wrote_q <= 1'b0;
        state_q <= IDLE;
      end
      default:
      if (txe_n || gone && (!next_valid || over && can_read)) begin
        wr_n <= 1'b1;
        data_drive <= 1'b0;
        wrote_q <= 1'b1;
        state_q <= IDLE;
      end
    endcase
    if (chip_rst) begin
      state_q <= IDLE;
      wrote_q <= 1'b0;
      kept_q <= 1'b0;
      got_valid_q <= 1'b0;
      data_drive <= 1'b0;
      rd_n <= 1'b1;
      wr_n <= 1'b1;
      oe_n <= 1'b1;
    end
  end

  async_fifo #(
      .DATA_W(8),
      .WORDS (WORDS),
      .SPARE (3)
  ) u_from_chip (
      .in_clk(chip_clk),
      .in_rst(chip_rst),
      .in_data(got_q),
      .in_valid(got_valid_q),
      .in_ready(taken),
      .in_spare(room),
      .out_clk(clk),
      .out_rst(rst),
      .out_data(rx_byte),
      .out_valid(rx_valid),
      .out_ready(rx_ready)
  );
  async_fifo #(
      .DATA_W(8),
      .WORDS (WORDS)
  ) u_to_chip (
      .in_clk(clk),
      .in_rst(rst),
      .in_data(tx_byte),
      .in_valid(tx_valid),
      .in_ready(tx_ready),
      .in_spare(tx_spare),
      .out_clk(chip_clk),
      .out_rst(chip_rst),
      .out_data(next_byte),
      .out_valid(next_valid),
      .out_ready(next_ready)
  );
  wire unused = &{1'b0, taken, tx_spare};

`ifdef FORMAL
  // The chip's rules, and that the queues, which are anything here, see every byte once.
  localparam integer F_LIMIT = BURST + 8;
  logic f_kept;  // a byte was taken from the queue and not by the chip
  logic [7:0] f_byte;
  logic [7:0] f_read_wait, f_write_wait;

  always_ff @(posedge chip_clk) begin
    if ($initstate) assume (chip_rst);
    if (!$initstate && $past(next_valid && !next_ready && !chip_rst)) assume (next_valid && $stable(next_byte));

    if (gone) f_kept <= 1'b0;
    if (next_valid && next_ready) begin
      f_kept <= 1'b1;
      f_byte <= next_byte;
    end
    f_read_wait  <= can_read && !got ? f_read_wait + 8'd1 : '0;
    f_write_wait <= !txe_n && f_kept && !gone ? f_write_wait + 8'd1 : '0;
    if (chip_rst) begin
      f_kept <= 1'b0;
      f_read_wait <= '0;
      f_write_wait <= '0;
    end

    if (!$initstate && !$past(chip_rst)) begin
      // OE# a cycle before RD#; one cycle in between in which the wires are undriven.
      if (!rd_n) assert (!oe_n && !$past(oe_n));
      if (data_drive) assert (oe_n && $past(oe_n));
      if (!oe_n) assert (!$past(data_drive));
      if (!wr_n) assert (data_drive);
      // From the chip: every byte, and none without room.
      if (!$initstate && $past(!$initstate)) assert (got_valid_q == $past(got));
      if (got_valid_q) assert (got_q == $past(data_in));
      if (!rd_n) assert ($past(room));
      // To the chip: every byte, once, and it holds until it is taken.
      assert (kept_q == f_kept);
      if (!wr_n) assert (f_kept && data_out == f_byte);
      if (f_kept) assert (data_out == f_byte);
      // Neither direction waits for more than one turn of the other.
      assert (f_read_wait <= 8'(F_LIMIT));
      assert (f_write_wait <= 8'(F_LIMIT));

      cover (gone && $past(gone));
      cover (got && $past(gone, 3));
      cover (gone && $past(got, 3));
    end
  end
`endif
endmodule

`default_nettype wire
