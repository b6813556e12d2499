// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares both kinds of payload with the register map's text: names that differ in any bit have different first
// states, each state has the right successor, and narrow and wide flits show it correctly. The 16-bit register takes
// all 2^16 - 1 states before it comes back.
`default_nettype none

module payload_tb;
  localparam integer NAME_W = 24, SHORT_NAME_W = 15;
  integer seed, state, length;
  logic [31:0] key, word;
  logic [NAME_W-1:0] name;
  wire [31:0] first, next;
  wire [15:0] first_16, next_16;
  wire [31:0] flit;
  wire [127:0] flit_16;
  wire [511:0] flit_wide;
  wire [47:0] flit_long;

  payload #(.NAME_W(NAME_W)) u_32 (
      .seed (key),
      .name,
      .start(first),
      .state(word),
      .next, .flit
  );
  payload #(.NAME_W(NAME_W), .FLIT_W(48)) u_long (
      .seed (key),
      .name,
      .state(word),
      .flit(flit_long)
  );
  payload #(.NAME_W(NAME_W), .FLIT_W(512)) u_wide (
      .seed (key),
      .name,
      .state(word),
      .flit(flit_wide)
  );
  payload #(
      .NAME_W (SHORT_NAME_W),
      .STATE_W(16), .FLIT_W(128)
  ) u_16 (
      .seed (key),
      .name (name[SHORT_NAME_W-1:0]),
      .start(first_16),
      .state(word[15:0]),
      .next (next_16),
      .flit (flit_16)
  );
  payload_truth u_truth_32 ();
  payload_truth #(.STATE_W(16), .FLIT_W(128)) u_truth_16 ();
  payload_truth #(.FLIT_W(48)) u_truth_long ();
  payload_truth #(.FLIT_W(512)) u_truth_wide ();

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = seed;
    for (int i = 0; i < 5000; i++) begin
      key = $random(state);
      name = NAME_W'($random(state));
      word = $random(state);
      #1;
      if (first !== u_truth_32.first(key, 32'(name))) $fatal(1, "start is %h", first);
      if (next !== u_truth_32.after(word)) $fatal(1, "%h is followed by %h", word, next);
      if (32'(first_16) !== u_truth_16.first(key, 32'(name[SHORT_NAME_W-1:0]))) $fatal(1, "start of 16 bits is %h", first_16);
      if (32'(next_16) !== u_truth_16.after(32'(word[15:0]))) $fatal(1, "%h of 16 bits is followed by %h", word[15:0], next_16);
      if (flit !== u_truth_32.shown(next) || flit_long !== u_truth_long.shown(next)) $fatal(1, "%h is shown as %h", next, flit_long);
      if (flit_wide !== u_truth_wide.shown(next)) $fatal(1, "%h is shown as %h", next, flit_wide);
      if (flit_16 !== u_truth_16.shown(32'(next_16))) $fatal(1, "%h is shown as %h", next_16, flit_16);
    end
    word = 32'd1;
    #1 if (next !== 32'h00042021) $fatal(1, "1 is followed by %h", next);
    length = 0;
    do begin
      #1 word = 32'(next_16);
      length = length + 1;
    end while (word != 32'd1 && length <= 65536);
    if (length != 65535) $fatal(1, "16 bits come back after %0d steps", length);
    $display("PASS payload (seed %0d, 5000 flits)", seed);
    $finish;
  end
endmodule

`default_nettype wire
