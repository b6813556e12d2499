// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// From AXI-Stream into a network: makes a message of each frame, by a header flit before its beats. A frame is what lies
// between two TLASTs; TDEST, looked at in its first beat, is the label of the node that it is for. A frame for a
// label that no node has is dropped as a whole, because no node would take it from the network, and other frames
// would wait behind it.
//
// Latency: the header goes out in the cycle in which the first beat is offered, the beats from the next cycle on, each in
// the cycle in which it is taken. Throughput: a frame of n beats takes n + 1 cycles.
//
// Ports:
// - here: label of this node, constant; headers name it as the source. Their rule is 0, and so is all above it.
// - s_axis_*: AXI-Stream. TREADY does not depend on the other inputs of this port within a cycle; it is 0 where a frame
//   begins and in a body what out_ready is. No TKEEP: every beat is whole.
// - out_*: to a network, for example to port 0 of net_router. A flit that is offered stays as long as s_axis_* does.
// - obs_*: a header crosses, any flit crosses, a header waits: for `monitor`. dropped: the last beat of a frame that
//   goes nowhere is taken. busy: a frame is under way, between its first beat and its last one. May all be left open.
//
// Reset: synchronous, one cycle is enough, together with the network and with who sends: what comes afterwards is the
// first beat of a frame.
//
// Parameters: KNOWN has a bit for each label, 1 where a node has it. FLIT_W holds a header: header_fields. Compile
// chip/header_fields.sv first; the file list is rtl/axis_packetiser.f.
//
// Example:
//   // Node 5 of eight.
//   axis_packetiser #(.LABEL_W(3), .FLIT_W(32)) u_packetiser (
//       .clk(clk), .rst(rst), .here(3'd5),
//       .s_axis_tdata(tdata), .s_axis_tlast(tlast), .s_axis_tvalid(tvalid), .s_axis_tready(tready), .s_axis_tdest(tdest),
//       .out_flit(flit), .out_last(last), .out_valid(valid), .out_ready(ready),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .dropped(), .busy());
`default_nettype none

module axis_packetiser #(
    parameter integer LABEL_W = 3,  // bits of a label, 1..12
    parameter integer FLIT_W = 32,  // bits of a flit and of a beat, >= 2*LABEL_W+RULE_W
    parameter integer RULE_W = 1,  // bits of a header's rule, 1..4
    parameter [(1<<LABEL_W)-1:0] KNOWN = '1  // labels that nodes have
) (
    input  wire                clk,
    input  wire                rst,
    input  wire  [LABEL_W-1:0] here,           // label of this node, constant
    // AXI-Stream
    input  wire  [ FLIT_W-1:0] s_axis_tdata,
    input  wire                s_axis_tlast,
    input  wire                s_axis_tvalid,
    output logic               s_axis_tready,
    input  wire  [LABEL_W-1:0] s_axis_tdest,
    // into the network
    output logic [ FLIT_W-1:0] out_flit,
    output logic               out_last,
    output logic               out_valid,
    input  wire                out_ready,
    // observation
    output logic               obs_worm,
    output logic               obs_flit,
    output logic               obs_blocked,
    output logic               dropped,
    output logic               busy
);
  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (RULE_W < 1 || RULE_W > 4) begin : g_RULE_W illegal_RULE_W u_illegal (); end
  if (FLIT_W < header_fields::slot_low(LABEL_W, RULE_W)) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  logic body_q;  // the header has gone, the beats follow
  logic swallow_q;  // the beats go nowhere
  wire known = KNOWN[s_axis_tdest];
  wire taken = s_axis_tvalid && s_axis_tready;

  assign s_axis_tready = body_q && out_ready || swallow_q;
  assign out_valid = s_axis_tvalid && !swallow_q && (body_q || known);
  assign out_last = body_q && s_axis_tlast;
  assign out_flit = body_q ? s_axis_tdata : FLIT_W'({here, s_axis_tdest});
  assign obs_flit = out_valid && out_ready;
  assign obs_worm = obs_flit && !body_q;
  assign obs_blocked = out_valid && !out_ready && !body_q;
  assign dropped = swallow_q && taken && s_axis_tlast;
  assign busy = body_q || swallow_q;

  always_ff @(posedge clk) begin
    if (taken && s_axis_tlast) begin
      body_q <= 1'b0;
      swallow_q <= 1'b0;
    end else if (s_axis_tvalid && !body_q && !swallow_q) begin
      body_q <= known && out_ready;
      swallow_q <= !known;
    end
    if (rst) begin
      body_q <= 1'b0;
      swallow_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // Each frame goes out as a header that names its destination and this node, then its beats, and nothing else goes
  // out; an offer stays.
  logic [3:0] f_in, f_out;  // beats of this frame taken, flits gone
  logic f_known;  // of this frame's first beat, as it was offered first
  logic f_offered;  // it has been offered
  logic [LABEL_W-1:0] f_destination;
  logic [7:0] f_frames_in, f_frames_out, f_frames_dropped;
  wire f_known_now = f_offered ? f_known : KNOWN[s_axis_tdest];
  wire [LABEL_W-1:0] f_destination_now = f_offered ? f_destination : s_axis_tdest;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate) begin
      assume ($stable(here));
      if (!$past(rst) && $past(s_axis_tvalid && !s_axis_tready)) begin
        assume (s_axis_tvalid && $stable(s_axis_tdata) && $stable(s_axis_tlast) && $stable(s_axis_tdest));
      end
    end
    // A frame as long as it is counted here.
    if (s_axis_tvalid && f_in == 4'd14) assume (s_axis_tlast);

    if (s_axis_tvalid && !f_offered) begin
      f_offered <= 1'b1;
      f_known <= KNOWN[s_axis_tdest];
      f_destination <= s_axis_tdest;
    end
    if (s_axis_tvalid && s_axis_tready) begin
      f_in <= f_in + 4'd1;
      if (s_axis_tlast) begin
        f_in <= '0;
        f_offered <= 1'b0;
        f_frames_in <= f_frames_in + 8'd1;
      end
    end
    if (out_valid && out_ready) begin
      f_out <= out_last ? '0 : f_out + 4'd1;
      if (out_last) f_frames_out <= f_frames_out + 8'd1;
    end
    if (dropped) f_frames_dropped <= f_frames_dropped + 8'd1;
    if (rst) begin
      f_in <= '0;
      f_out <= '0;
      f_offered <= 1'b0;
      f_frames_in <= '0;
      f_frames_out <= '0;
      f_frames_dropped <= '0;
    end

    if (!$initstate) begin
      if (out_valid) begin
        assert (s_axis_tvalid && f_known_now);
        if (f_out == '0) begin
          assert (out_flit == FLIT_W'({here, f_destination_now}) && !out_last && !s_axis_tready);
        end else begin
          assert (f_in + 4'd1 == f_out);
          assert (out_flit == s_axis_tdata && out_last == s_axis_tlast);
          assert (s_axis_tready == out_ready);
        end
      end
      // A beat of a frame for a node is taken only if it goes out; nothing goes out of any other frame.
      if (s_axis_tvalid && s_axis_tready) assert (f_known_now ? out_valid && out_ready && f_out != '0 : !out_valid);
      if (s_axis_tvalid && f_known_now) assert (out_valid);
      if (s_axis_tvalid && !f_known_now && f_offered) assert (s_axis_tready);
      assert (f_frames_in == f_frames_out + f_frames_dropped);
      assert (dropped == (s_axis_tvalid && s_axis_tready && s_axis_tlast && !f_known_now));
      if (!$past(rst) && !rst && $past(out_valid && !out_ready))
        assert (out_valid && $stable(out_flit) && $stable(out_last));
      if ($past(rst)) assert (!s_axis_tready);
      assert (obs_flit == (out_valid && out_ready));
      assert (obs_worm == (obs_flit && f_out == '0));
      assert (obs_blocked == (out_valid && !out_ready && f_out == '0));
      assert (busy == (f_out != '0 || f_offered && !f_known));

      cover (f_frames_out == 8'd2 && $past(f_in) == 4'd2);
      cover (dropped && f_in == 4'd1 && f_frames_out == 8'd1);

      // For the induction.
      assert (body_q == (f_out != '0));
      assert (swallow_q == (f_offered && !f_known));
      assert (!body_q || f_offered && f_known);
      if (body_q) assert (f_out == f_in + 4'd1);
      if (!f_offered) assert (f_in == '0);
      if (f_offered && f_known && !body_q) assert (f_in == '0);
      assert (f_in <= 4'd14);
      if (f_offered && f_in == '0 && f_known && !body_q)
        assert ($past(s_axis_tvalid && !s_axis_tready) && !$past(rst) && f_destination == $past(s_axis_tdest) &&
                f_known == KNOWN[$past(s_axis_tdest)]);
    end
  end
`endif
endmodule

`default_nettype wire
