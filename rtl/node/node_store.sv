// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A few message slots of a node, so that a message of one pass can be sent on in a later one. node_receiver writes,
// node_sender reads. The header of each slot is in registers, the flits behind it in a memory with one write and one
// read port.
//
// Latency: read_flit is there one cycle after read_next, and stays until the next one; read_header follows read_slot in
// the same cycle. Throughput: one flit written and one read per cycle.
//
// Ports:
// - write, write_header, write_slot, write_flit: write is 1 for each flit of one message, in order, with write_header
//   on the first. write_slot stays for the whole message; with slot 0 the message is not kept, and nothing is
//   written.
// - overflow: this flit is not kept, because the slot is full or there is no such slot. Combinational from write_*; the
//   header and flits before it are kept.
// - read_slot: 1 to SLOTS, constant from the header to the last flit of a message. read_next: give the next flit of
//   the slot; read_first with it: begin with the first flit behind the header. For slot 0 read_header is undefined.
//
// A slot must not be written while it is read, nor read beyond its contents. The module does not check this; a plan
// does. Reset: the next flit written must be a header; the contents stay. Legal parameters: all combinations of SLOTS
// from 1 to 15 and SLOT_FLITS, a power of two >= 2.
`default_nettype none

module node_store #(
    parameter integer FLIT_W = 32,  // bits of a flit, >= 1
    parameter integer SLOTS = 3,  // 1..15
    parameter integer SLOT_FLITS = 64,  // flits of a slot, header included, a power of two, >= 2
    localparam integer SLOT_W = header_fields::slot_w(SLOTS),
    localparam integer FLIT_INDEX_W = $clog2(SLOT_FLITS)
) (
    input  wire               clk,
    input  wire               rst,
    // from the receiver: flits of one message, in order
    input  wire               write,
    input  wire               write_header,
    input  wire  [SLOT_W-1:0] write_slot,    // 1 to SLOTS; 0: not kept
    input  wire  [FLIT_W-1:0] write_flit,
    output logic              overflow,      // this flit is not kept: the slot is full, or there is no such slot
    // to the sender
    input  wire  [SLOT_W-1:0] read_slot,
    input  wire               read_next,
    input  wire               read_first,
    output logic [FLIT_W-1:0] read_header,
    output logic [FLIT_W-1:0] read_flit
);
  if (SLOTS < 1 || SLOTS > 15) begin : g_SLOTS illegal_SLOTS u_illegal (); end
  if (SLOT_FLITS < 2 || (1 << FLIT_INDEX_W) != SLOT_FLITS) begin : g_SLOT_FLITS illegal_SLOT_FLITS u_illegal (); end

  // Word 0 of every slot's region would be the header's. It stays unused, which saves an adder. A slot is not read
  // while it is written; without this attribute, synthesis adds logic for that case.
  (* no_rw_check *)
  logic [FLIT_W-1:0] flit_mem[SLOT_FLITS<<SLOT_W];
  logic [FLIT_W-1:0] header_q[SLOTS];
  logic [FLIT_INDEX_W:0] write_index_q;  // the place of the next flit; the top bit: the slot is full
  logic [FLIT_INDEX_W-1:0] read_index_q;  // the index of the flit in read_flit

  wire kept = write && write_slot != '0;
  wire legal = 32'(write_slot) <= SLOTS;
  wire full = write_index_q[FLIT_INDEX_W] && !write_header;
  wire [FLIT_INDEX_W-1:0] read_at = read_first ? FLIT_INDEX_W'(1) : read_index_q + 1'b1;

  assign overflow = kept && (full || !legal);
  always_comb begin : pick
    read_header = header_q[0];
    for (int s = 1; s < SLOTS; s++) if (read_slot == SLOT_W'(s + 1)) read_header = header_q[s];
  end

  always_ff @(posedge clk) begin
    if (kept && !overflow) begin
      if (!write_header) flit_mem[{write_slot, write_index_q[FLIT_INDEX_W-1:0]}] <= write_flit;
    end
    if (kept && !overflow && write_header) begin
      for (int s = 0; s < SLOTS; s++) if (write_slot == SLOT_W'(s + 1)) header_q[s] <= write_flit;
    end
    if (kept) begin
      if (write_header) write_index_q <= (FLIT_INDEX_W + 1)'(1);
      else if (!full) write_index_q <= write_index_q + 1'b1;
    end
    if (rst) write_index_q <= '0;
  end

  always_ff @(posedge clk) begin
    if (read_next && read_slot != '0) begin
      read_flit <= flit_mem[{read_slot, read_at}];
      read_index_q <= read_at;
    end
  end

`ifdef FORMAL
  // One arbitrary slot and one arbitrary flit of it, shadowed; and one walk of the sender through a slot.
  (* anyconst *) logic [SLOT_W-1:0] f_slot;
  (* anyconst *) logic [FLIT_INDEX_W-1:0] f_at;  // header: 0
  logic [FLIT_W-1:0] f_flit, f_header;
  logic f_has, f_has_header;
  logic f_writes, f_reads;  // a message is being written, read
  logic [FLIT_INDEX_W:0] f_write_at;  // in its message, of the flit written now; stays at its largest value
  logic [SLOT_W-1:0] f_write_slot;
  logic [FLIT_INDEX_W:0] f_read_at;  // the index of the flit in read_flit
  logic [SLOT_W-1:0] f_read_slot;

  wire [FLIT_INDEX_W:0] f_write_now = write_header ? '0 : f_write_at;
  wire f_fits = 32'(write_slot) <= SLOTS && !f_write_now[FLIT_INDEX_W];
  wire [FLIT_INDEX_W:0] f_read_now = read_first ? (FLIT_INDEX_W + 1)'(1) : f_read_at + 1'b1;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (f_slot != '0 && 32'(f_slot) <= SLOTS);
    if (!$initstate && write && !write_header) assume (f_writes && write_slot == f_write_slot);
    if (!$initstate && read_next && !read_first) assume (f_reads && read_slot == f_read_slot);
    if (write) f_writes <= 1'b1;
    if (read_next) f_reads <= 1'b1;

    if (write) begin
      f_write_slot <= write_slot;
      f_write_at   <= f_write_now[FLIT_INDEX_W] ? f_write_now : f_write_now + 1'b1;
      if (write_slot == f_slot && f_fits && f_write_now == '0) begin
        f_has_header <= 1'b1;
        f_header <= write_flit;
      end
      if (write_slot == f_slot && f_fits && f_write_now != '0 && f_write_now == {1'b0, f_at}) begin
        f_has  <= 1'b1;
        f_flit <= write_flit;
      end
    end
    if (read_next) begin
      f_read_slot <= read_slot;
      if (!f_read_at[FLIT_INDEX_W] || read_first) f_read_at <= f_read_now;
    end
    if (rst) begin
      f_writes <= 1'b0;
      f_reads <= 1'b0;
      f_has <= 1'b0;
      f_has_header <= 1'b0;
      f_write_at <= '0;
    end

    if (!$initstate) begin
      assert (overflow == (write && write_slot != '0 && !f_fits));
      if (read_slot == f_slot && f_has_header) assert (read_header == f_header);
      if ($past(!$initstate && f_has && !rst && read_next && read_slot == f_slot && (read_first || !f_read_at[FLIT_INDEX_W])) &&
          f_read_at == {1'b0, f_at} && f_at != '0)
        assert (read_flit == $past(f_flit));

      cover (f_has && $past(read_next && read_slot == f_slot) && f_read_at == (FLIT_INDEX_W + 1)'(3) && f_at == '1);
      cover (overflow && write_slot == f_slot);
    end
  end
`endif
endmodule

`default_nettype wire
