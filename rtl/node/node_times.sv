// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Decides when the entries of a node's program begin: not before their cycle AT and, if they wait for a message, not
// before it has arrived. It is between node_program, which presents the entries, and node_sender, which carries them
// out. It also keeps the cycle in which each entry began.
//
// Latency: `open` follows at_hand, cycle and count in the same cycle. AT is fetched as node_program fetches the entry. Read
// data is there in the cycle after the request.
//
// Ports:
// - bus_*: bus_select is 1 for one cycle per access; the low half of the addresses is AT, the upper half RELEASED, as
//   in the space TIME of docs/registers.md. A read of AT invalidates the fetched entry: rewind afterwards.
// - written, written_index, written_at: write a word of AT from elsewhere than the register port, not in the same
//   cycle.
// - rewind, cycle: as in node. fetch, fetch_index: read the memories for the entry that is presented from the next
//   cycle on. index, waits, count, wanted: for the entry that is presented: its number, whether it is a wait, how
//   many of the messages that it waits for have arrived, and how many must arrive.
// - untimed: AT and waits are ignored; constant from rewind on.
// - at_hand: the entry is presented, and no earlier one is under way; it stays until an edge at which taken is 1.
// - open: the entry may begin or, if it is a wait, the wait is over. early: it is at hand, but its cycle has not
//   come. waiting: it is a wait, at hand for longer than a cycle.
//
// Reset: does what rewind does; the memories keep what they hold. Legal parameters: as node_config says of NODE.
`default_nettype none

module node_times #(
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    localparam integer LENGTH_W = NODE[node_config::LENGTH_W+:32],
    localparam integer DEPTH = NODE[node_config::PROGRAM_DEPTH+:32],
    localparam integer INDEX_W = $clog2(DEPTH)
) (
    input  wire                 clk,
    input  wire                 rst,
    // register port
    input  wire                 bus_select,
    input  wire                 bus_write,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        15:0] bus_address,  // some bits are unused where programs are short
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [        31:0] bus_wdata,
    output logic [        31:0] bus_rdata,
    // program
    input  wire                 written,
    input  wire  [ INDEX_W-1:0] written_index,
    input  wire  [        31:0] written_at,
    input  wire                 rewind,
    input  wire                 fetch,
    input  wire  [ INDEX_W-1:0] fetch_index,
    input  wire  [ INDEX_W-1:0] index,
    input  wire                 waits,
    input  wire  [LENGTH_W-1:0] wanted,
    input  wire                 untimed,
    // sender, arrivals
    input  wire  [        31:0] cycle,        // number of the cycle before this one
    input  wire  [        15:0] count,
    input  wire                 at_hand,
    input  wire                 taken,
    output logic                open,
    output logic                early,
    output logic                waiting
);
  // A word is never read in the cycle in which it is written.
  (* no_rw_check *)
  logic [31:0] at_mem[DEPTH];
  (* no_rw_check *)
  logic [31:0] released_mem[DEPTH];
  logic [31:0] at_q, released_q;
  logic begun_q;  // the entry at hand began in an earlier cycle
  logic bus_released_q;

  wire [31:0] now = cycle + 32'd1;
  wire come = untimed || at_q <= now;
  wire here = untimed || !waits || count >= 16'(wanted);
  wire begins = at_hand && come && !begun_q;
  assign open = come && here;
  assign early = at_hand && !come;
  assign waiting = begun_q && waits;

  wire bus_read = bus_select && !bus_write, bus_read_at = bus_read && !bus_address[15];
  wire put = bus_select && bus_write && !bus_address[15];
  always_ff @(posedge clk) begin
    if (put || written) at_mem[written ? written_index : bus_address[INDEX_W-1:0]] <= written ? written_at : bus_wdata;
    if (begins) released_mem[index] <= now;
  end

  always_ff @(posedge clk) begin
    if (fetch || bus_read_at) at_q <= at_mem[bus_read_at ? bus_address[INDEX_W-1:0] : fetch_index];
    if (bus_read) begin
      released_q <= released_mem[bus_address[INDEX_W-1:0]];
      bus_released_q <= bus_address[15];
    end
  end
  assign bus_rdata = bus_released_q ? released_q : at_q;

  always_ff @(posedge clk) begin
    if (taken) begun_q <= 1'b0;
    else if (begins) begun_q <= 1'b1;
    if (rst || rewind) begun_q <= 1'b0;
  end

`ifdef FORMAL
  // One arbitrary entry of the program: the cycle written for it, the one in which it began, and the outputs while it
  // is at hand. Reading AT invalidates the fetched entry; no entry is at hand then until the next rewind.
  (* anyconst *) logic [INDEX_W-1:0] f_entry;
  logic [31:0] f_written, f_at, f_released;  // as in the memory; as fetched
  logic f_had = 1'b0, f_has = 1'b0, f_seen = 1'b0;  // it is known
  logic f_fetched;  // an entry may be at hand
  logic f_begun;  // the entry at hand began in an earlier cycle
  wire f_mine = index == f_entry;
  wire f_in_time = cycle + 32'd1 >= f_at || untimed;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (!written || !bus_select);
    assume (!taken || at_hand && open);
    if (!f_fetched) assume (!at_hand);
    if (fetch) assume (!(written && written_index == fetch_index));
    if (!$initstate) begin
      if ($past(fetch)) assume (index == $past(fetch_index));
      else assume ($stable(index));
      if (!$past(rst || rewind)) assume ($stable(untimed));
      if ($past(at_hand && !taken)) begin
        assume (at_hand && $stable(waits) && $stable(wanted) && !rewind && !rst);
        assume (cycle >= $past(cycle) && count >= $past(count));
      end
    end
    if (at_hand) assume (!(&cycle) && !(fetch && !taken));
    if (bus_select) assume (!at_hand && !fetch);

    if (bus_select && bus_write && bus_address[15] == 1'b0 && bus_address[INDEX_W-1:0] == f_entry) begin
      f_written <= bus_wdata;
      f_had <= 1'b1;
    end
    if (written && written_index == f_entry) begin
      f_written <= written_at;
      f_had <= 1'b1;
    end
    if (fetch && fetch_index == f_entry) begin
      f_at <= f_written;
      f_has <= f_had;
    end
    f_begun <= at_hand && !taken && (f_begun || come);
    if (at_hand && f_mine && f_has && f_in_time && !f_begun) begin
      f_released <= cycle + 32'd1;
      f_seen <= 1'b1;
    end else if (at_hand && f_mine && !f_has && !f_begun) f_seen <= 1'b0;
    if (fetch) f_fetched <= 1'b1;
    else if (taken) f_fetched <= 1'b0;
    if (rst || rewind) begin
      f_fetched <= 1'b0;
      f_begun <= 1'b0;
    end
    if (bus_select && !bus_write && !bus_address[15]) f_fetched <= 1'b0;

    if (!$initstate) begin
      if (at_hand && f_mine && f_has) begin
        assert (early == !f_in_time);
        assert (open == (f_in_time && (untimed || !waits || 32'(count) >= 32'(wanted))));
      end
      if (at_hand) assert (waiting == (f_begun && waits));
      if ($past(bus_select && !bus_write) && $past(bus_address[INDEX_W-1:0]) == f_entry) begin
        if ($past(bus_address[15] && f_seen)) assert (bus_rdata == f_released);
        if ($past(!bus_address[15] && f_had)) assert (bus_rdata == f_written);
      end

      cover (taken && waits && f_mine && f_has && f_begun && $past(early, 2));
      cover ($past(bus_select && !bus_write && bus_address[15] && f_seen) && bus_rdata == 32'd3);
    end
  end
`endif
endmodule

`default_nettype wire
