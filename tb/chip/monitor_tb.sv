// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Counts random events beside the module, and compares every register, also when counters reach their end.
`default_nettype none

module monitor_tb;
  localparam integer CHANNELS = 5, COUNT_W = 8, CYCLES = 20000, MOST = 255;
  wire clk, rst;
  integer seed, state, reads, channel, word;
  logic [CHANNELS-1:0] obs_worm, obs_flit, obs_blocked;
  logic clear, bus_select;
  logic [7:0] bus_address;
  wire [31:0] bus_rdata;
  wire moved;
  integer counts[4*CHANNELS];  // as in the register map
  logic [31:0] expected, expected_d;
  logic due, due_d;

  bench u_bench (.clk, .rst, .seed);
  monitor #(
      .CHANNELS(CHANNELS),
      .COUNT_W (COUNT_W)
  ) u_dut (.clk, .rst, .obs_worm, .obs_flit, .obs_blocked, .clear, .bus_select, .bus_address, .bus_rdata, .moved);

  initial begin
    clear = 1'b1;
    {bus_select, obs_worm, obs_flit, obs_blocked, due, due_d, reads} = '0;
    wait (!rst);
    state = seed;
    for (int cycle = 0; cycle < CYCLES; cycle++) begin
      @(negedge clk);
      // Compares what is read in the cycle that ends here, whose request is one cycle old, and counts the cycle's events.
      if (due_d && bus_rdata !== expected_d) $fatal(1, "reads %0d, expected %0d", bus_rdata, expected_d);
      for (int c = 0; c < CHANNELS; c++) begin
        if (clear) for (int i = 0; i < 3; i++) counts[4*c+i] = 0;
        else begin
          if (obs_worm[c] && counts[4*c] < MOST) counts[4*c] = counts[4*c] + 1;
          if (obs_flit[c] && counts[4*c+1] < MOST) counts[4*c+1] = counts[4*c+1] + 1;
          if (obs_blocked[c] && counts[4*c+2] < MOST) counts[4*c+2] = counts[4*c+2] + 1;
        end
        counts[4*c+3] = 32'(obs_blocked[c]);
      end
      due_d = bus_select;
      channel = 32'(bus_address[7:2]);
      expected_d = channel < CHANNELS ? counts[bus_address] : 0;
      clear = cycle % 700 == 0;
      obs_flit = CHANNELS'($random(state));
      obs_worm = obs_flit & CHANNELS'($random(state));
      obs_blocked = CHANNELS'($random(state));
      bus_select = $unsigned($random(state)) % 2 == 0;
      bus_address = 8'($unsigned($random(state)) % (4 * CHANNELS + 4));
      reads = reads + due_d;
      #1 if (moved !== |obs_flit) $fatal(1, "moved is %b", moved);
    end
    $display("PASS monitor (seed %0d, %0d flits)", seed, reads);
    $finish;
  end
endmodule

`default_nettype wire
