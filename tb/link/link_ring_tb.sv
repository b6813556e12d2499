// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Rings of 4 and of 64 bytes: the writer overwrites random places of the free part, and then commits more or less of
// it; the reader pauses.
`default_nettype none

module link_ring_tb;
  localparam integer BYTES_OUT = 4000;
  wire clk, rst;
  integer seed;
  wire [1:0] done;
  wire [31:0] counts[2];

  bench_of_parts #(.NAME("link_ring"), .COUNTED("bytes")) u_bench (.clk, .rst, .seed, .done, .counts);
  for (genvar k = 0; k < 2; k++) begin : g_ring
    localparam integer BYTES = k == 0 ? 4 : 64;
    localparam integer AT_W = k == 0 ? 2 : 6;
    logic write, out_ready, finished;
    logic [AT_W-1:0] write_at, end_at;
    logic [7:0] write_byte;
    wire [AT_W-1:0] head_at;
    wire [7:0] out_byte;
    wire out_valid;
    // Bytes in the order of the ring: the writer has committed `last`, and `taken` have come out.
    `include "chance.svh"
    integer last, taken, reach, at, pause, eager;
    logic [7:0] image[BYTES], queue[2*BYTES];
    logic known[BYTES];  // written since the place became free
    logic due, waits;
    logic [7:0] offer;
    assign done[k] = finished;
    assign counts[k] = taken;

    link_ring #(
        .BYTES(BYTES)
    ) u_dut (.clk, .rst, .write, .write_at, .write_byte, .end_at, .head_at, .out_byte, .out_valid, .out_ready);

    always @(posedge clk) begin
      if (rst) begin
        state = seed * 1009 + k;
        {write, out_ready, finished, due, waits} <= '0;
        end_at <= '0;
        write_at <= '0;
        last = 0;
        taken = 0;
        pause = 0;
        eager = 4;
        for (int i = 0; i < BYTES; i++) known[i] = 1'b0;
      end else begin
        if (out_valid && taken >= last) $fatal(1, "ring of %0d: %h does not count", BYTES, out_byte);
        if (out_valid && out_byte !== queue[taken%(2*BYTES)])
          $fatal(1, "ring of %0d: byte %0d is %h, expected %h", BYTES, taken, out_byte, queue[taken%(2*BYTES)]);
        if (due && !out_valid) $fatal(1, "ring of %0d: byte %0d is late", BYTES, taken);
        if (waits && (!out_valid || out_byte !== offer)) $fatal(1, "ring of %0d: an offer was withdrawn", BYTES);
        if (32'(head_at) != (taken + 32'(out_valid)) % BYTES) $fatal(1, "ring of %0d: head %0d", BYTES, head_at);
        waits <= out_valid && !out_ready;
        offer <= out_byte;
        taken = taken + 32'(out_valid && out_ready);
        // Bytes that were committed when this cycle began come in the next one.
        due <= last > taken;

        // The write of the last cycle.
        if (write) begin
          image[write_at] = write_byte;
          known[write_at] = 1'b1;
        end
        // Commits some of the written bytes; one place stays free.
        while (last - taken < BYTES - 1 && known[last%BYTES] && random(eager) == 0) begin
          queue[last%(2*BYTES)] = image[last%BYTES];
          known[last%BYTES] = 1'b0;
          last = last + 1;
        end
        end_at <= AT_W'(last);
        reach = BYTES - (last - taken) - 32'(last != taken);
        write <= 1'b0;
        write_at <= AT_W'($random(state));
        write_byte <= 8'($random(state));
        if (reach > 0 && random(8) != 0) begin
          // The first place that was not written, or any.
          at = 0;
          while (at < reach - 1 && known[(last+at)%BYTES]) at = at + 1;
          if (random(3) == 0) at = random(reach);
          write <= 1'b1;
          write_at <= AT_W'(last + at);
        end
        if (random(200) == 0) begin
          pause = random(4) * 80;
          eager = 1 + random(6);
        end
        out_ready <= random(256) >= pause;
        if (taken >= BYTES_OUT) finished <= 1'b1;
      end
    end
  end
endmodule

`default_nettype wire
