// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Two links side by side: one line has flow control, full speed and small rings; the other, as a UART, has no flow
// control.
`default_nettype none

module link_frame_tb;
  localparam integer CLOCK_HZ = 25000000, BAUD = 3000000;
  wire clk, rst;
  integer seed;
  wire [1:0] done;
  wire [31:0] counts[2];

  bench_of_parts #(.NAME("link_frame"), .COUNTED("answers"), .CYCLES(3000000)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );

  for (genvar i = 0; i < 2; i++) begin : g_link
    localparam integer WORDS = i == 0 ? 5 : 64;
    localparam integer RING = i == 0 ? 64 : 512;
    wire [7:0] down, up;
    wire down_valid, down_ready, down_error, up_valid, up_ready, fault, activity;
    wire cyc, stb, we, stall, ack;
    wire [31:0] adr, dat_w, dat_r;

    link_host #(
        .CLOCK_HZ(CLOCK_HZ), .BAUD(i * BAUD), .MAX_WORDS(WORDS), .RX_BYTES(RING), .TIMEOUT(16), .GAP(i * 12),
        .ROUNDS(i == 0 ? 60 : 12), .SALT(i)
    ) u_host (
        .clk, .rst,
        .out_byte(down),
        .out_valid(down_valid),
        .out_ready(down_ready),
        .out_error(down_error),
        .in_byte(up),
        .in_valid(up_valid),
        .in_ready(up_ready),
        .wb_cyc(cyc),
        .wb_stb(stb),
        .wb_we(we),
        .wb_adr(adr),
        .wb_dat_w(dat_w),
        .wb_stall(stall),
        .wb_ack(ack),
        .wb_dat_r(dat_r),
        .fault,
        .done(done[i]),
        .answers(counts[i])
    );
    link_frame #(
        .CLOCK_HZ(CLOCK_HZ), .BAUD(i * BAUD), .MAX_WORDS(WORDS), .RX_BYTES(RING), .TX_BYTES(RING), .TIMEOUT(16)
    ) u_dut (
        .clk, .rst,
        .rx_byte(down),
        .rx_valid(down_valid),
        .rx_ready(down_ready),
        .rx_error(down_error),
        .tx_byte(up),
        .tx_valid(up_valid),
        .tx_ready(up_ready),
        .wb_cyc(cyc),
        .wb_stb(stb),
        .wb_we(we),
        .wb_adr(adr),
        .wb_dat_w(dat_w),
        .wb_stall(stall),
        .wb_ack(ack),
        .wb_dat_r(dat_r),
        .activity, .fault
    );
  end
endmodule

`default_nettype wire
