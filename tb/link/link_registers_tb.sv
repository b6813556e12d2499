// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Causes random events, also two of a kind in one cycle, reads words byte by byte at random times, and compares them
// with counts of its own; then runs one counter up to its end.
`default_nettype none

module link_registers_tb;
  localparam integer CLOCK_HZ = 19660801, BAUD = 3000001, READS = 3000, STOP = 32768;
  wire clk, rst;
  `include "chance.svh"
  integer seed, reads, rate, at_stop, fresh;
  logic damaged, malformed, refused, lost, unanswered, both;
  logic [2:0] index;
  logic [1:0] at;
  wire [7:0] data;
  integer counts[4];  // as of this cycle
  logic [31:0] word;  // its value at the time of its lowest byte
  logic flood;

  bench u_bench (.clk, .rst, .seed);
  link_registers #(
      .CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)
  ) u_dut (.clk, .rst, .damaged, .malformed, .refused, .lost, .unanswered, .index, .at, .data);

  task add(input integer counter);
    if (counts[counter] < STOP) counts[counter] = counts[counter] + 1;
  endtask

  always @(posedge clk) begin
    if (rst) begin
      state = seed;
      reads = 0;
      rate = 3;
      {fresh, at_stop, flood, both} = '0;
      {damaged, malformed, refused, lost, unanswered, index, at} <= '0;
      for (int i = 0; i < 4; i++) counts[i] = 0;
    end else begin
      if (at == 2'd0) begin
        fresh = 1;
        case (index)
          3'd0: word = "KNIL";
          3'd1: word = 32'd1;
          3'd2: word = CLOCK_HZ;
          3'd3: word = BAUD;
          default: word = 32'(counts[index[1:0]]);
        endcase
      end
      if (fresh != 0 && data !== word[8*at+:8])
        $fatal(1, "register %0d: byte %0d is %h, expected that of %h", index, at, data, word);
      if (at == 2'd3 && index == 3'd6 && word == STOP) at_stop = at_stop + 1;

      // Two events in one cycle are counted in two cycles, so the second one shows a cycle later.
      if (damaged) add(0);
      if (malformed || refused || both) add(1);
      both = malformed && refused;
      if (lost) add(2);
      if (unanswered) add(3);

      if (random(300) == 0) rate = 1 + random(10);
      damaged <= random(rate) == 0;
      lost <= flood || random(rate) == 0;
      unanswered <= random(rate) == 0;
      malformed <= 1'b0;
      refused <= 1'b0;
      if (!(malformed && refused)) begin
        malformed <= random(rate) == 0;
        refused   <= random(rate) == 0;
      end
      // The next byte, or for a while the same.
      if (random(3) != 0) begin
        at <= at + 2'd1;
        if (at == 2'd3) begin
          index <= 3'(random(8));
          reads = reads + 1;
        end
      end
      if (reads == READS) flood = 1'b1;
      if (at_stop > 10) begin
        $display("PASS link_registers (seed %0d, %0d words)", seed, reads);
        $finish;
      end
    end
  end
endmodule

`default_nettype wire
