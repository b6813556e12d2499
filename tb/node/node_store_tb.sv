// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Writes messages to random slots and reads them back; one that is too long raises the overflow and keeps the flits
// that fit.
`default_nettype none

module node_store_tb;
  localparam integer FLIT_W = 16, SLOTS = 9, SLOT_FLITS = 8, ROUNDS = 500;
  wire clk, rst;
  integer seed, state, flits, length, overflows;
  logic write, write_header, read_next, read_first;
  logic [3:0] write_slot, read_slot;
  logic [FLIT_W-1:0] write_flit;
  wire overflow;
  wire [FLIT_W-1:0] read_header, read_flit;
  logic [FLIT_W-1:0] model[16*SLOT_FLITS];
  integer held[16];

  bench u_bench (.clk, .rst, .seed);
  node_store #(.FLIT_W(FLIT_W), .SLOTS(SLOTS), .SLOT_FLITS(SLOT_FLITS)) u_dut (
      .clk, .rst, .write, .write_header, .write_slot, .write_flit, .overflow, .read_slot, .read_next, .read_first,
      .read_header, .read_flit
  );

  initial begin
    {write, read_next, read_slot, flits, overflows} = '0;
    for (int s = 0; s < 16; s++) held[s] = 0;
    wait (!rst);
    state = seed;
    @(negedge clk);
    for (int round = 0; round < ROUNDS; round++) begin
      write_slot = 4'($random(state));
      length = 1 + $unsigned($random(state)) % (SLOT_FLITS + 2);
      for (int k = 0; k < length; k++) begin
        write = 1'b1;
        write_header = k == 0;
        write_flit = FLIT_W'($random(state));
        #1;
        if (overflow !== (write_slot != 0 && (32'(write_slot) > SLOTS || k >= SLOT_FLITS)))
          $fatal(1, "overflow is %b at flit %0d of slot %0d", overflow, k, write_slot);
        overflows = overflows + overflow;
        if (k < SLOT_FLITS) model[write_slot*SLOT_FLITS+k] = write_flit;
        flits = flits + 1;
        @(negedge clk);
        write = 1'b0;
        if ($unsigned($random(state)) % 4 == 0) @(negedge clk);
      end
      held[write_slot] = length < SLOT_FLITS ? length : SLOT_FLITS;
      read_slot = 4'(1 + $unsigned($random(state)) % SLOTS);
      for (int k = 0; k < held[read_slot]; k++) begin
        #1;
        if (k == 0 && read_header !== model[read_slot*SLOT_FLITS]) $fatal(1, "header of slot %0d", read_slot);
        if (k != 0 && read_flit !== model[read_slot*SLOT_FLITS+k])
          $fatal(1, "flit %0d of slot %0d is %h, not %h", k, read_slot, read_flit, model[read_slot*SLOT_FLITS+k]);
        if ($unsigned($random(state)) % 4 == 0) @(negedge clk);
        read_next = 1'b1;
        read_first = k == 0;
        @(negedge clk);
        read_next = 1'b0;
      end
    end
    if (overflows == 0) $fatal(1, "no message was too long");
    $display("PASS node_store (seed %0d, %0d flits)", seed, flits);
    $finish;
  end
endmodule

`default_nettype wire
