// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends random messages, some of them headers alone. The flits behind each header must come out, every one with the
// source that the header names.
`default_nettype none

module axis_depacketiser_tb;
  localparam integer LABEL_W = 4, FLIT_W = 16, MESSAGES = 3000;
  wire clk, rst;
  integer seed, messages = 0, frames = 0, beats = 0, left = 0, expected_beats = 0, expected_frames = 0, empty = 0;
  logic [FLIT_W-1:0] in_flit;
  logic in_last, in_valid, m_tready, header, waits_q;
  wire in_ready, in_empty, m_tlast, m_tvalid, busy;
  wire [FLIT_W-1:0] m_tdata;
  wire [LABEL_W-1:0] m_tuser;
  logic [LABEL_W-1:0] source;
  logic [FLIT_W+LABEL_W:0] offer_q;  // source, last, data

  bench u_bench (.clk, .rst, .seed);
  axis_depacketiser #(
      .LABEL_W(LABEL_W),
      .FLIT_W (FLIT_W)
  ) u_dut (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty,
      .m_axis_tdata(m_tdata),
      .m_axis_tlast(m_tlast),
      .m_axis_tvalid(m_tvalid),
      .m_axis_tready(m_tready),
      .m_axis_tuser(m_tuser),
      .busy
  );

  `include "chance.svh"
  initial seed_by(1, 0);

  always @(posedge clk) begin
    m_tready <= random(3) != 0;
    if (!rst) begin
      if (in_empty !== header || busy !== !header) $fatal(1, "empty %b, busy %b", in_empty, busy);
      if (header && (m_tvalid || !in_ready)) $fatal(1, "a header is a beat, or waits");
      if (waits_q && (!m_tvalid || {m_tuser, m_tlast, m_tdata} !== offer_q)) $fatal(1, "an offer was withdrawn");
      if (in_valid && !header) begin
        if ({m_tvalid, m_tuser, m_tlast, m_tdata} !== {1'b1, source, in_last, in_flit})
          $fatal(1, "beat %h of %h, last %b; expected %h of %h", m_tdata, m_tuser, m_tlast, in_flit, source);
      end
      if (m_tvalid && m_tready) begin
        beats = beats + 1;
        if (m_tlast) frames = frames + 1;
      end
      if (in_valid && in_ready) begin
        if (header) source = in_flit[2*LABEL_W-1:LABEL_W];
        else expected_beats = expected_beats + 1;
        if (in_last) begin
          if (header) empty = empty + 1;
          else expected_frames = expected_frames + 1;
        end
        header <= in_last;
        in_valid <= 1'b0;
      end
      if (!in_valid || in_ready) begin
        if (left == 0 && messages < MESSAGES && random(3) != 0) begin
          left = 1 + random(6);
          messages = messages + 1;
        end
        if (left != 0 && random(4) != 0) begin
          in_valid <= 1'b1;
          in_flit <= FLIT_W'($random(state));
          in_last <= left == 1;
          left = left - 1;
        end else if (messages == MESSAGES && left == 0 && !(in_valid && !in_ready) && header && !in_valid) begin
          if (beats != expected_beats || frames != expected_frames || empty < 100)
            $fatal(1, "%0d beats of %0d, %0d frames of %0d", beats, expected_beats, frames, expected_frames);
          $display("PASS axis_depacketiser (seed %0d, %0d frames, %0d headers alone)", seed, frames, empty);
          $finish;
        end
      end
    end
    waits_q <= m_tvalid && !m_tready && !rst;
    offer_q <= {m_tuser, m_tlast, m_tdata};
    if (rst) begin
      in_valid <= 1'b0;
      header <= 1'b1;
      m_tready <= 1'b0;
    end
  end
endmodule

`default_nettype wire
