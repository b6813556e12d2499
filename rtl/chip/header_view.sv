// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// For waveforms: shows the message on a channel. Its outputs are the fields of the header, from the cycle in which
// the header is offered to the one in which the tail crosses; 0 while no message is there. Part of a model only when
// it records waveforms (LOOM_WAVES); the outputs are for people, nothing is connected to them.
`default_nettype none

module header_view #(
    parameter integer LABEL_W = 8,  // bits of a node number, 1..16
    parameter integer FLIT_W = 32,  // bits of a flit, > header_fields::number_low
    parameter integer RULE_W = 1,  // bits of a rule, 1..4
    parameter integer SLOTS = 3,  // of a node's store, 1..15
    localparam integer SOURCE_LOW = header_fields::source_low(LABEL_W),
    localparam integer RULE_LOW = header_fields::rule_low(LABEL_W),
    localparam integer SLOT_LOW = header_fields::slot_low(LABEL_W, RULE_W),
    localparam integer NUMBER_LOW = header_fields::number_low(LABEL_W, RULE_W, SLOTS),
    localparam integer SLOT_W = header_fields::slot_w(SLOTS),
    localparam integer NUMBER_W = FLIT_W - NUMBER_LOW < 32 ? FLIT_W - NUMBER_LOW : 32
) (
    input  wire                        clk,
    input  wire                        rst,
    // the channel
    input  wire  [         FLIT_W-1:0] flit,
    input  wire                        last,
    input  wire                        valid,
    input  wire                        ready,
    // its message
    output logic                       active,       // there is one
    output logic                       header,       // its header is offered
    output logic                       crosses,      // a flit of it crosses in this cycle
    output logic [        LABEL_W-1:0] destination,  // node
    output logic [        LABEL_W-1:0] source,       // node whose data it carries
    output logic [         RULE_W-1:0] rule,         // bit 0: 0 e-cube, 1 e^-1-cube
    output logic [         SLOT_W-1:0] slot,         // of the receiver's store that keeps it; 0: none
    output logic [       NUMBER_W-1:0] number       // of the message among its source's, its low 32 bits
);
  if (LABEL_W < 1 || LABEL_W > 16) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (RULE_W < 1 || RULE_W > 16) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (FLIT_W <= NUMBER_LOW) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  logic body_q;  // the header has crossed
  logic [FLIT_W-1:0] header_q;

  assign active  = valid || body_q;
  assign header  = valid && !body_q;
  assign crosses = valid && ready;
  wire [FLIT_W-1:0] shown = body_q ? header_q : valid ? flit : '0;
  assign destination = shown[0+:LABEL_W];
  assign source = shown[SOURCE_LOW+:LABEL_W];
  assign rule = shown[RULE_LOW+:RULE_W];
  assign slot = shown[SLOT_LOW+:SLOT_W];
  assign number = shown[NUMBER_LOW+:NUMBER_W];

  always_ff @(posedge clk) begin
    if (crosses) body_q <= !last;
    if (header) header_q <= flit;
    if (rst) body_q <= 1'b0;
  end

`ifdef FORMAL
  // From its header to its tail a message shows what the header said; nothing is shown when there is none.
  logic f_open;  // a header has crossed, its tail has not
  logic [FLIT_W-1:0] f_header;
  wire [FLIT_W-1:0] f_shown = f_open ? f_header : flit;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && $past(!rst && valid && !ready)) assume (valid && $stable(flit) && $stable(last));

    if (valid && ready) begin
      f_open <= !last;
      if (!f_open) f_header <= flit;
    end
    if (rst) f_open <= 1'b0;

    if (!$initstate) begin
      assert (active == (valid || f_open) && header == (valid && !f_open) && crosses == (valid && ready));
      if (active) begin
        assert (destination == f_shown[LABEL_W-1:0] && source == f_shown[LABEL_W+:LABEL_W]);
        assert (rule == f_shown[2*LABEL_W+:RULE_W] && slot == f_shown[2*LABEL_W+RULE_W+:2]);
        assert (number == f_shown[2*LABEL_W+RULE_W+2+:NUMBER_W]);
      end else assert ({destination, source, rule, slot, number} == '0);

      cover (crosses && last && f_open && $past(f_open && !valid));
      cover (header && $past(crosses && last && f_open) && !$past(rst));

      // For the induction.
      assert (body_q == f_open);
      if (f_open) assert (header_q == f_header);
    end
  end
`endif
endmodule

`default_nettype wire
