// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The receiver in each configuration that ships: as in tools/model.sh, and as rtl/boards/ has it; and with wide flits.
`default_nettype none

module node_receiver_tb;
  wire clk, rst, model_done, hx8k_done, icebreaker_done, ulx3s_done, wide_done;
  integer seed;
  wire [31:0] model_flits, hx8k_flits, icebreaker_flits, ulx3s_flits, wide_flits;

  bench u_bench (.clk, .rst, .seed);

  node_receiver_check #(.LABEL_W(4), .LOG_DEPTH(64)) u_model (
      .clk, .rst, .seed,
      .flits(model_flits),
      .done(model_done)
  );
  node_receiver_check #(
      .LABEL_W(2), .FLIT_W(11), .LENGTH_W(8), .LOG_DEPTH(16), .PASS_W(4), .CYCLE_W(14), .COUNT_W(6), .STATE_W(16),
      .SIGNATURE_W(12), .ONE(1)
  ) u_hx8k (
      .clk, .rst,
      .seed(seed + 1000),
      .flits(hx8k_flits),
      .done(hx8k_done)
  );
  node_receiver_check #(
      .LABEL_W(2), .FLIT_W(11), .LENGTH_W(8), .LOG_DEPTH(16), .PASS_W(4), .CYCLE_W(12), .COUNT_W(6), .STATE_W(16),
      .SIGNATURE_W(0), .SMALL(1), .ONE(1)
  ) u_icebreaker (
      .clk, .rst,
      .seed(seed + 2000),
      .flits(icebreaker_flits),
      .done(icebreaker_done)
  );
  node_receiver_check #(
      .LABEL_W(4), .FLIT_W(19), .LENGTH_W(12), .LOG_DEPTH(256), .PASS_W(8), .CYCLE_W(20), .COUNT_W(12), .STATE_W(16),
      .SIGNATURE_W(16), .ONE(1), .MESSAGES(300), .ROUNDS(3)
  ) u_ulx3s (
      .clk, .rst,
      .seed(seed + 3000),
      .flits(ulx3s_flits),
      .done(ulx3s_done)
  );
  node_receiver_check #(.LABEL_W(4), .FLIT_W(128), .LOG_DEPTH(64)) u_wide (
      .clk, .rst,
      .seed(seed + 4000),
      .flits(wide_flits),
      .done(wide_done)
  );

  initial begin
    wait (model_done && hx8k_done && icebreaker_done && ulx3s_done && wide_done);
    $display("PASS node_receiver (seed %0d, %0d flits)", seed,
             model_flits + hx8k_flits + icebreaker_flits + ulx3s_flits + wide_flits);
    $finish;
  end
endmodule

`default_nettype wire
