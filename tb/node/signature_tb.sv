// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares signatures of each width with the register map's text, with flits narrower and wider than the signature; and
// checks for the narrowest that the register takes all 2^12 - 1 states before it comes back.
`default_nettype none

module signature_tb;
  integer seed, state, length;
  logic [31:0] held;
  logic [39:0] flit;
  wire [11:0] after_12;
  wire [15:0] after_16;
  wire [31:0] after_32, after_wide;

  signature #(.FLIT_W(11), .SIGNATURE_W(12)) u_12 (
      .state(held[11:0]),
      .flit (flit[10:0]),
      .next (after_12)
  );
  signature #(.FLIT_W(19), .SIGNATURE_W(16)) u_16 (
      .state(held[15:0]),
      .flit (flit[18:0]),
      .next (after_16)
  );
  signature u_32 (
      .state(held),
      .flit (flit[31:0]),
      .next (after_32)
  );
  signature #(.FLIT_W(40)) u_wide (
      .state(held),
      .flit,
      .next (after_wide)
  );
  payload_truth #(.FLIT_W(11), .SIGNATURE_W(12)) u_truth_12 ();
  payload_truth #(.FLIT_W(19), .SIGNATURE_W(16)) u_truth_16 ();
  payload_truth u_truth_32 ();
  payload_truth #(.FLIT_W(40)) u_truth_wide ();

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = seed;
    for (int i = 0; i < 5000; i++) begin
      held = $random(state);
      flit   = {$random(state), $random(state)};
      #1;
      if (32'(after_12) !== u_truth_12.signed_with(32'(held[11:0]), flit[10:0])) $fatal(1, "12 bits: %h", after_12);
      if (32'(after_16) !== u_truth_16.signed_with(32'(held[15:0]), flit[18:0])) $fatal(1, "16 bits: %h", after_16);
      if (after_32 !== u_truth_32.signed_with(held, flit[31:0])) $fatal(1, "32 bits: %h", after_32);
      if (after_wide !== u_truth_wide.signed_with(held, flit)) $fatal(1, "32 bits, wide flits: %h", after_wide);
    end
    held = 32'hffffffff;
    flit   = 40'h0000_0001;
    #1 if (after_32 !== 32'h92477cde) $fatal(1, "all ones and 1 give %h", after_32);
    held = 32'd1;
    flit   = '0;
    length = 0;
    do begin
      #1 held = 32'(after_12);
      length = length + 1;
    end while (held != 32'd1 && length <= 4096);
    if (length != 4095) $fatal(1, "12 bits come back after %0d steps", length);
    $display("PASS signature (seed %0d, 5000 flits)", seed);
    $finish;
  end
endmodule

`default_nettype wire
