// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// COBS with the standard runs and a ring of 512 bytes, and with runs of at most 3 and a ring of 32: see link_feeder.
`default_nettype none

module cobs_encode_tb;
  wire clk, rst;
  integer seed;
  wire [1:0] done;
  wire [31:0] counts[2];

  bench_of_parts #(.NAME("cobs_encode"), .COUNTED("bytes")) u_bench (.clk, .rst, .seed, .done, .counts);
  for (genvar k = 0; k < 2; k++) begin : g_size
    localparam integer BYTES = k == 0 ? 512 : 32;
    localparam integer LONGEST = k == 0 ? 254 : 3;
    wire [7:0] frame_byte, line_byte;
    wire frame_end, frame_valid, frame_ready, line_valid, line_ready;
    link_feeder #(.BYTES(BYTES), .LONGEST(LONGEST), .FRAMES(k == 0 ? 24 : 150), .SALT(k)) u_feeder (
        .clk, .rst, .frame_byte, .frame_end, .frame_valid, .frame_ready, .line_byte, .line_valid, .line_ready,
        .done(done[k]),
        .bytes(counts[k])
    );
    cobs_encode #(.BYTES(BYTES), .LONGEST(LONGEST)) u_dut (
        .clk, .rst,
        .in_byte(frame_byte),
        .in_end(frame_end),
        .in_valid(frame_valid),
        .in_ready(frame_ready),
        .out_byte(line_byte),
        .out_valid(line_valid),
        .out_ready(line_ready)
    );
  end
endmodule

`default_nettype wire
