// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A packetiser and, behind a channel that pauses at random, a depacketiser: every frame comes out with the source's
// label, except frames to labels that no node has. The bench checks headers on the channel. TDEST is random behind the
// first beat of a frame.
`default_nettype none

module axis_packetiser_tb;
  localparam integer LABEL_W = 3, FLIT_W = 32;
  localparam [7:0] KNOWN = 8'b1101_0111;
  localparam [LABEL_W-1:0] HERE = 3'd4;
  wire clk, rst;
  integer seed, frames = 0, nowhere = 0, beats_in = 0, flits = 0, headers = 0, waits = 0, worms = 0;
  wire [31:0] beats_out;
  integer state, dropped_frames = 0, cycles = 0, since = 0;
  wire [FLIT_W-1:0] s_tdata, flit, m_tdata;
  wire s_tlast, s_tvalid, s_tready, last, valid, m_tlast, m_tvalid, m_tready, in_ready, all_gone;
  wire [LABEL_W-1:0] m_tuser;
  wire obs_worm, obs_flit, obs_blocked, dropped, sending, receiving;
  logic in_frame, in_message, open_q, waits_q;
  logic [FLIT_W:0] offer_q;
  logic [LABEL_W-1:0] noise;
  wire ready = open_q && in_ready;
  wire [LABEL_W-1:0] s_tdest = in_frame ? noise : s_tdata[LABEL_W-1:0];

  bench u_bench (.clk, .rst, .seed);
  stream_source #(.FLIT_W(FLIT_W), .LABEL_W(LABEL_W), .WORMS(2000)) u_source (
      .clk, .rst,
      .here(HERE),
      .pause(8'd64),
      .out_flit(s_tdata),
      .out_last(s_tlast),
      .out_valid(s_tvalid),
      .out_ready(s_tready),
      .done(all_gone)
  );
  axis_packetiser #(.LABEL_W(LABEL_W), .FLIT_W(FLIT_W), .KNOWN(KNOWN)) u_packetiser (
      .clk, .rst,
      .here(HERE),
      .s_axis_tdata(s_tdata),
      .s_axis_tlast(s_tlast),
      .s_axis_tvalid(s_tvalid),
      .s_axis_tready(s_tready),
      .s_axis_tdest(s_tdest),
      .out_flit(flit),
      .out_last(last),
      .out_valid(valid),
      .out_ready(ready),
      .obs_worm, .obs_flit, .obs_blocked, .dropped,
      .busy(sending)
  );
  axis_depacketiser #(
      .LABEL_W(LABEL_W),
      .FLIT_W (FLIT_W)
  ) u_depacketiser (
      .clk, .rst,
      .in_flit(flit),
      .in_last(last),
      .in_valid(valid && open_q),
      .in_ready,
      .m_axis_tdata(m_tdata),
      .m_axis_tlast(m_tlast),
      .m_axis_tvalid(m_tvalid),
      .m_axis_tready(m_tready),
      .m_axis_tuser(m_tuser),
      .busy(receiving)
  );
  stream_sink #(.FLIT_W(FLIT_W), .LABEL_W(LABEL_W), .ANY(1)) u_sink (
      .clk, .rst,
      .here(HERE),
      .pause(8'd64),
      .in_flit(m_tdata),
      .in_last(m_tlast),
      .in_valid(m_tvalid),
      .in_ready(m_tready),
      .flits(beats_out)
  );

  initial if (!$value$plusargs("seed=%d", state)) state = 1;

  always @(posedge clk) begin
    // A channel that opens stays open until a flit has passed, so that its offers stay, too.
    open_q <= open_q && valid && !ready || $unsigned($random(state)) % 4 != 0;
    if (!rst) begin
      cycles = cycles + 1;
      since = since + 1;
      if (waits_q && (!valid || {last, flit} !== offer_q)) $fatal(1, "an offer was withdrawn");
      if (valid && !in_message && (flit !== FLIT_W'({HERE, s_tdest}) || last || s_tready))
        $fatal(1, "header %h, last %b, ready %b for %h", flit, last, s_tready, s_tdest);
      if (obs_flit !== (valid && ready) || obs_worm !== (valid && ready && !in_message) ||
          obs_blocked !== (valid && !ready && !in_message))
        $fatal(1, "observed %b%b%b", obs_worm, obs_flit, obs_blocked);
      if (m_tvalid && m_tuser !== HERE) $fatal(1, "source %h", m_tuser);
      if ((in_message || in_frame) && !sending || !in_message && !in_frame && !s_tvalid && sending) $fatal(1, "busy %b", sending);
      if (s_tvalid && s_tready) begin
        since = 0;
        noise <= LABEL_W'($random(state));
        in_frame <= !s_tlast;
        if (KNOWN[s_tdata[LABEL_W-1:0]]) begin
          beats_in = beats_in + 1;
          if (s_tlast) frames = frames + 1;
        end else if (s_tlast) begin
          nowhere = nowhere + 1;
          if (!dropped) $fatal(1, "a frame for %h was not counted", s_tdata[LABEL_W-1:0]);
        end
      end
      if (dropped) dropped_frames = dropped_frames + 1;
      if (valid && ready) begin
        flits = flits + 1;
        in_message <= !last;
        if (!in_message) headers = headers + 1;
      end
      if (obs_blocked) waits = waits + 1;
      if (obs_worm) worms = worms + 1;
      if (all_gone && since > 8) begin
        if (beats_out != beats_in || flits != beats_in + frames || headers != frames || worms != frames ||
            dropped_frames != nowhere || nowhere < 100 || waits < 100 || sending || receiving)
          $fatal(1, "%0d frames of %0d beats: %0d beats came; %0d flits, %0d headers; %0d of %0d frames dropped",
                 frames, beats_in, beats_out, flits, headers, dropped_frames, nowhere);
        $display("PASS axis_packetiser (seed %0d, %0d frames, %0d swallowed)", seed, frames, nowhere);
        $finish;
      end
    end
    waits_q <= valid && !ready && !rst;
    offer_q <= {last, flit};
    if (rst) begin
      open_q <= 1'b0;
      in_frame <= 1'b0;
      in_message <= 1'b0;
    end
  end
endmodule

`default_nettype wire
