// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The receiver in each configuration that is used: by tools/model.sh and in rtl/boards/; and with wide flits.
`default_nettype none

module node_receiver_tb;
  wire clk, rst;
  wire [4:0] done;
  integer seed;
  wire [31:0] counts[5];

  bench_of_parts #(.NAME("node_receiver"), .COUNTED("flits"), .PARTS(5)) u_bench (.clk, .rst, .seed, .done, .counts);

  node_receiver_check #(.LABEL_W(4), .LOG_DEPTH(64)) u_model (
      .clk, .rst, .seed,
      .flits(counts[0]),
      .done(done[0])
  );
  node_receiver_check #(
      .LABEL_W(2), .FLIT_W(11), .LENGTH_W(8), .LOG_DEPTH(16), .PASS_W(4), .CYCLE_W(14), .COUNT_W(6), .STATE_W(16),
      .SIGNATURE_W(12), .ONE(1)
  ) u_hx8k (
      .clk, .rst,
      .seed(seed + 1000),
      .flits(counts[1]),
      .done(done[1])
  );
  node_receiver_check #(
      .LABEL_W(2), .FLIT_W(11), .LENGTH_W(8), .LOG_DEPTH(16), .PASS_W(4), .CYCLE_W(12), .COUNT_W(6), .STATE_W(16),
      .SIGNATURE_W(0), .SMALL(1), .ONE(1)
  ) u_icebreaker (
      .clk, .rst,
      .seed(seed + 2000),
      .flits(counts[2]),
      .done(done[2])
  );
  node_receiver_check #(
      .LABEL_W(4), .FLIT_W(19), .LENGTH_W(12), .LOG_DEPTH(256), .PASS_W(8), .CYCLE_W(20), .COUNT_W(12), .STATE_W(16),
      .SIGNATURE_W(16), .ONE(1), .MESSAGES(300), .ROUNDS(3)
  ) u_ulx3s (
      .clk, .rst,
      .seed(seed + 3000),
      .flits(counts[3]),
      .done(done[3])
  );
  node_receiver_check #(.LABEL_W(4), .FLIT_W(128), .LOG_DEPTH(64)) u_wide (
      .clk, .rst,
      .seed(seed + 4000),
      .flits(counts[4]),
      .done(done[4])
  );
endmodule

`default_nettype wire
