// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends the messages of the program whose pass has come: a header, then generated payload or what a slot of the
// store holds. The header is offered in the first cycle of the pass; one flit per cycle, no gap between messages.
//
// Header, from bit 0: destination, source, rule, keep (2 bits), message number. A relayed message keeps the source and
// number of its origin, so that whoever receives it can tell what its payload must be.
`default_nettype none

module node_sender #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter integer FLIT_W = 32,  // bits of a flit, 16..64
    parameter integer INDEX_W = 6,  // bits of a message number, 1..FLIT_W-2*LABEL_W-3
    parameter integer LENGTH_W = 16,  // bits of a message's length, 1..16
    localparam integer ID_W = FLIT_W - 2 * LABEL_W - 3
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 paper,         // see wh_output; holds for the injection channel too
    input  wire  [ LABEL_W-1:0] here,
    input  wire  [        31:0] seed,
    input  wire                 run,           // a pass is under way
    input  wire  [        15:0] pass,
    // next message
    input  wire                 in_valid,
    input  wire  [ INDEX_W-1:0] in_index,
    input  wire  [        15:0] in_pass,
    input  wire  [LENGTH_W-1:0] in_flits,
    input  wire  [ LABEL_W-1:0] in_destination,
    input  wire                 in_rule,
    input  wire  [         1:0] in_from,
    input  wire  [         1:0] in_keep,
    output logic                in_ready,
    // store
    output logic [         1:0] store_slot,
    output logic                store_next,    // have the flit after this one ready in the next cycle
    output logic                store_first,   // ... which is the first one after the header
    input  wire  [  FLIT_W-1:0] store_header,  // of store_slot
    input  wire  [  FLIT_W-1:0] store_flit,
    // injection channel
    output logic [  FLIT_W-1:0] out_flit,
    output logic                out_last,
    output logic                out_valid,
    input  wire                 out_ready,
    input  wire                 out_empty,
    // observation
    output logic                obs_worm,
    output logic                obs_flit,
    output logic                obs_blocked,
    output logic                sent,          // a tail leaves
    output logic                busy           // something of this pass is still to be sent
);
  generate
    if (FLIT_W < 16 || FLIT_W > 64) illegal_FLIT_W u_illegal ();
    if (INDEX_W < 1 || INDEX_W > ID_W) illegal_INDEX_W u_illegal ();
  endgenerate

  logic body_q;  // the header has gone
  logic [LENGTH_W-1:0] left_q;  // flits still to go
  logic [1:0] from_q;
  logic [31:0] state_q, first, next;

  payload #(
      .NAME_W(ID_W + LABEL_W)
  ) u_payload (
      .seed (seed),
      .name ({ID_W'(in_index), here}),
      .state(state_q),
      .first(first),
      .next (next)
  );

  wire due = run && in_valid && in_pass <= pass;
  wire offer = due && !body_q && (!paper || out_empty);

  always_comb begin
    out_valid = body_q || offer;
    out_flit  = '0;
    out_last  = 1'b0;
    if (body_q) begin
      out_flit = from_q != 2'd0 ? store_flit : FLIT_W'({2{state_q}});
      out_last = left_q == LENGTH_W'(1);
    end else if (due) begin
      if (in_from != 2'd0) out_flit = store_header;
      else begin
        out_flit[LABEL_W+:LABEL_W] = here;
        out_flit[2*LABEL_W+3+:ID_W] = ID_W'(in_index);
      end
      out_flit[0+:LABEL_W] = in_destination;
      out_flit[2*LABEL_W] = in_rule;
      out_flit[2*LABEL_W+1+:2] = in_keep;
      out_last = in_flits <= LENGTH_W'(1);
    end
  end

  assign obs_flit = out_valid && out_ready;
  assign obs_worm = obs_flit && !body_q;
  assign obs_blocked = due && !body_q && !obs_worm;
  assign in_ready = obs_worm;
  assign sent = obs_flit && out_last;
  assign busy = body_q || due;

  assign store_slot = body_q ? from_q : in_from;
  assign store_next = obs_flit;
  assign store_first = !body_q;

  always_ff @(posedge clk) begin
    if (obs_flit) begin
      body_q <= !out_last;
      if (body_q) begin
        left_q  <= left_q - 1'b1;
        state_q <= next;
      end else begin
        left_q  <= in_flits - 1'b1;
        from_q  <= in_from;
        state_q <= first;
      end
    end
    if (rst) body_q <= 1'b0;
  end
endmodule

`default_nettype wire
