// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Starts differ in every bit of the name; what follows is xorshift.
`default_nettype none

module payload_tb;
  localparam integer NAME_W = 24;
  integer seed, state;
  logic [31:0] key, word, after;
  logic [NAME_W-1:0] name;
  wire [31:0] first, next;

  payload #(
      .NAME_W(NAME_W)
  ) u_dut (
      .seed (key),
      .name (name),
      .start(first),
      .state(word),
      .next (next)
  );

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = seed;
    for (int i = 0; i < 5000; i++) begin
      key = $random(state);
      name = NAME_W'($random(state));
      word = $random(state);
      #1 after = next;
      if (first !== {1'b1, key[30:0] ^ 31'(name)}) $fatal(1, "start is %h", first);
      word = word ^ (word << 13);
      word = word ^ (word >> 17);
      word = word ^ (word << 5);
      if (after !== word) $fatal(1, "followed by %h, expected %h", after, word);
    end
    word = 32'd1;
    #1 if (next !== 32'h00042021) $fatal(1, "1 is followed by %h", next);
    $display("PASS payload (seed %0d, 5000 flits)", seed);
    $finish;
  end
endmodule

`default_nettype wire
