// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Out of a network onto AXI-Stream: takes the header off each message and gives the flits behind it as the beats of a
// frame, with the label of its source as TUSER on every one of them. It is the other end of axis_packetiser.
//
// Latency: a flit is offered as a beat in the cycle in which the network offers it; the header takes a cycle before.
// Throughput: a message of n + 1 flits, which is a frame of n beats, takes n + 1 cycles.
//
// Ports:
// - in_*: from a network, for example from port 0 of net_router. in_ready does not depend on in_valid. in_empty: the
//   next flit is a header; for a network with `paper` = 1, else leave it open.
// - m_axis_*: AXI-Stream. TVALID does not wait for TREADY, and a beat stays until it is taken. A message that is a header
//   alone is taken and gives no frame.
// - busy: a frame is under way, between its header and its last beat. May be left open.
//
// Reset: synchronous, one cycle is enough, together with the network and with who receives.
//
// Legal parameters as in axis_packetiser. Compile chip/header_fields.sv first; the file list is rtl/axis_depacketiser.f.
//
// Example:
//   axis_depacketiser #(.LABEL_W(3), .FLIT_W(32)) u_depacketiser (
//       .clk(clk), .rst(rst),
//       .in_flit(flit), .in_last(last), .in_valid(valid), .in_ready(ready), .in_empty(),
//       .m_axis_tdata(tdata), .m_axis_tlast(tlast), .m_axis_tvalid(tvalid), .m_axis_tready(tready), .m_axis_tuser(tuser),
//       .busy());
`default_nettype none

module axis_depacketiser #(
    parameter integer LABEL_W = 3,  // bits of a label, 1..12
    parameter integer FLIT_W = 32  // bits of a flit and of a beat, >= 2*LABEL_W
) (
    input  wire                clk,
    input  wire                rst,
    // out of the network
    input  wire  [ FLIT_W-1:0] in_flit,
    input  wire                in_last,
    input  wire                in_valid,
    output logic               in_ready,
    output logic               in_empty,
    // AXI-Stream
    output logic [ FLIT_W-1:0] m_axis_tdata,
    output logic               m_axis_tlast,
    output logic               m_axis_tvalid,
    input  wire                m_axis_tready,
    output logic [LABEL_W-1:0] m_axis_tuser,   // label of the source
    output logic               busy
);
  localparam integer SOURCE_LOW = header_fields::source_low(LABEL_W);

  if (LABEL_W < 1 || LABEL_W > 12) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end
  if (FLIT_W < SOURCE_LOW + LABEL_W) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  logic body_q;  // the header has come
  logic [LABEL_W-1:0] source_q;

  assign in_ready = !body_q || m_axis_tready;
  assign in_empty = !body_q;
  assign m_axis_tdata = in_flit;
  assign m_axis_tlast = in_last;
  assign m_axis_tvalid = body_q && in_valid;
  assign m_axis_tuser = source_q;
  assign busy = body_q;

  always_ff @(posedge clk) begin
    if (in_valid && in_ready) body_q <= !in_last;
    if (in_valid && !body_q) source_q <= in_flit[SOURCE_LOW+:LABEL_W];
    if (rst) body_q <= 1'b0;
  end

`ifdef FORMAL
  // Every flit behind a header is a beat, as it was, with the source that the header named; a header is none.
  logic [3:0] f_flits;  // of this message that have come; stays at its largest value
  logic [LABEL_W-1:0] f_source;
  logic [7:0] f_frames;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && !$past(rst) && $past(in_valid && !in_ready))
      assume (in_valid && $stable(in_flit) && $stable(in_last));

    if (in_valid && in_ready) begin
      if (f_flits == '0) f_source <= in_flit[2*LABEL_W-1:LABEL_W];
      if (!(&f_flits)) f_flits <= f_flits + 4'd1;
      if (in_last) f_flits <= '0;
      if (in_last && f_flits != '0) f_frames <= f_frames + 8'd1;
    end
    if (rst) begin
      f_flits  <= '0;
      f_frames <= '0;
    end

    if (!$initstate) begin
      if (f_flits == '0) assert (in_ready && in_empty && !m_axis_tvalid && !busy);
      else begin
        assert (m_axis_tvalid == in_valid && in_ready == m_axis_tready && !in_empty && busy);
        assert (m_axis_tuser == f_source);
        if (m_axis_tvalid) assert (m_axis_tdata == in_flit && m_axis_tlast == in_last);
      end
      if (!$past(rst) && $past(m_axis_tvalid && !m_axis_tready))
        assert (m_axis_tvalid && $stable(m_axis_tdata) && $stable(m_axis_tlast) && $stable(m_axis_tuser));
      if ($past(rst)) assert (!m_axis_tvalid);

      cover (f_frames == 8'd2 && $past(f_flits) == 4'd3 && f_source == '1);
      cover (f_flits == 4'd2 && $past(m_axis_tvalid && !m_axis_tready, 2));
    end
  end
`endif
endmodule

`default_nettype wire
