// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The example of docs/open-fabric.md: two endpoints with AXI-Streams, each on a router of its own, and a link between the
// routers: the smallest cube. Each endpoint sends FRAMES frames of 1 to 8 beats, by turns to the other one and to itself,
// and takes a beat in three of four cycles. It checks that every frame is whole, in the order in which its source
// sent it, and that TUSER names that source on every beat. Ends in "PASS two_axis_endpoints ..." or in $fatal.
//
// A beat here: bits 31:24 number of the frame at its source, bits 23:16 beats that follow it, bits 15:8 destination, bits
// 7:0 source.
`default_nettype none

module two_axis_endpoints;
  localparam integer DATA_W = 32, FRAMES = 40;
  logic clk = 1'b0, rst = 1'b1;
  integer cycles = 0;

  // Index 0 and 1 are the two nodes. link_*: out of node u, into the other one.
  wire [DATA_W-1:0] s_tdata[2], m_tdata[2], link_flit[2];
  wire [1:0] s_tlast, s_tvalid, s_tready, s_tdest, m_tlast, m_tvalid, m_tready, m_tuser;
  wire [1:0] link_last, link_valid, link_ready, busy, done;

  generate
    for (genvar u = 0; u < 2; u++) begin : g_node
      wire [DATA_W-1:0] to_flit, from_flit;
      wire to_last, to_valid, to_ready, from_last, from_valid, from_ready;

      frame_endpoint #(
          .HERE(u),
          .FRAMES(FRAMES)
      ) u_endpoint (
          .clk(clk),
          .rst(rst),
          .m_axis_tdata(s_tdata[u]),
          .m_axis_tlast(s_tlast[u]),
          .m_axis_tvalid(s_tvalid[u]),
          .m_axis_tready(s_tready[u]),
          .m_axis_tdest(s_tdest[u]),
          .s_axis_tdata(m_tdata[u]),
          .s_axis_tlast(m_tlast[u]),
          .s_axis_tvalid(m_tvalid[u]),
          .s_axis_tready(m_tready[u]),
          .s_axis_tuser(m_tuser[u]),
          .done(done[u])
      );
      axis_packetiser #(
          .LABEL_W(1),
          .FLIT_W (DATA_W)
      ) u_packetiser (
          .clk(clk),
          .rst(rst),
          .here(1'(u)),
          .s_axis_tdata(s_tdata[u]),
          .s_axis_tlast(s_tlast[u]),
          .s_axis_tvalid(s_tvalid[u]),
          .s_axis_tready(s_tready[u]),
          .s_axis_tdest(s_tdest[u]),
          .out_flit(to_flit),
          .out_last(to_last),
          .out_valid(to_valid),
          .out_ready(to_ready),
          .obs_worm(),  // for counters, which nobody has here
          .obs_flit(),
          .obs_blocked(),
          .dropped(),
          .busy()
      );
      axis_depacketiser #(
          .LABEL_W(1),
          .FLIT_W (DATA_W)
      ) u_depacketiser (
          .clk(clk),
          .rst(rst),
          .in_flit(from_flit),
          .in_last(from_last),
          .in_valid(from_valid),
          .in_ready(from_ready),
          .in_empty(),
          .m_axis_tdata(m_tdata[u]),
          .m_axis_tlast(m_tlast[u]),
          .m_axis_tvalid(m_tvalid[u]),
          .m_axis_tready(m_tready[u]),
          .m_axis_tuser(m_tuser[u]),
          .busy()
      );
      // Port 0 is the endpoint's, port 1 the link to the other node.
      net_router #(
          .LINKS(1),
          .LABEL_W(1),
          .DIMS(1),
          .FLIT_W(DATA_W)
      ) u_router (
          .clk(clk),
          .rst(rst),
          .paper(1'b0),
          .here(1'(u)),
          .select(2'd0),
          .seed(16'd0),
          .table_clk(1'b0),
          .table_select(1'b0),
          .table_write(1'b0),
          .table_at(2'd0),
          .table_wdata(1'd0),
          .table_rdata(),
          .in_flit({link_flit[1-u], to_flit}),
          .in_last({link_last[1-u], to_last}),
          .in_valid({link_valid[1-u], to_valid}),
          .in_ready({link_ready[u], to_ready}),
          .in_empty(),
          .in_left(),
          .out_flit({link_flit[u], from_flit}),
          .out_last({link_last[u], from_last}),
          .out_valid({link_valid[u], from_valid}),
          .out_ready({link_ready[1-u], from_ready}),
          .out_empty(2'b00),
          .obs_worm(),
          .obs_flit(),
          .obs_blocked(),
          .busy(busy[u])
      );
    end
  endgenerate

  always #5 clk <= !clk;

  always @(posedge clk) begin
    cycles <= cycles + 1;
    if (cycles == 2) rst <= 1'b0;
    if (!rst && &done && busy == 2'b00) begin
      $display("PASS two_axis_endpoints %0d frames in %0d cycles", 2 * FRAMES, cycles - 3);
      $finish;
    end
    if (cycles == 10000) $fatal(1, "not done after %0d cycles", cycles);
  end
endmodule

// Any endpoint with AXI-Streams would do in its place.
module frame_endpoint #(
    parameter integer HERE = 0,  // label of its node, 0 or 1
    parameter integer FRAMES = 2  // to send, an even number up to 256
) (
    input  wire        clk,
    input  wire        rst,
    // out of the endpoint
    output wire [31:0] m_axis_tdata,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire        m_axis_tdest,
    // and in
    input  wire [31:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire        s_axis_tuser,
    output wire        done            // all is sent, and as much has come
);
  // Sender: frame f has 1 + (5 f mod 8) beats. An even one goes to the other node, an odd one here.
  integer frame, place;
  wire [2:0] following = 3'(5 * frame) - 3'(place);

  assign m_axis_tvalid = frame < FRAMES;
  assign m_axis_tdest = HERE[0] ^ !frame[0];
  assign m_axis_tlast = following == 3'd0;
  assign m_axis_tdata = {frame[7:0], 8'(following), 8'(m_axis_tdest), HERE[7:0]};

  always @(posedge clk) begin
    if (m_axis_tvalid && m_axis_tready) begin
      place <= m_axis_tlast ? 0 : place + 1;
      if (m_axis_tlast) frame <= frame + 1;
    end
    if (rst) begin
      frame <= 0;
      place <= 0;
    end
  end

  // Receiver: from each source it gets every second frame.
  integer received, pause;
  integer next[0:1];  // number of the next frame from each source
  reg [2:0] left;  // beats that are to follow, if `in_frame`
  reg in_frame;
  wire [2:0] here_left = in_frame ? left : 3'(5 * next[s_axis_tuser]);

  assign s_axis_tready = pause != 0;
  assign done = frame == FRAMES && received == FRAMES;

  always @(posedge clk) begin
    pause <= pause == 3 ? 0 : pause + 1;
    if (s_axis_tvalid && s_axis_tready) begin
      if (s_axis_tdata != {8'(next[s_axis_tuser]), 8'(here_left), HERE[7:0], 8'(s_axis_tuser)} ||
          s_axis_tlast != (here_left == 3'd0))
        $fatal(1, "node %0d: beat %h, last %b, from %0d", HERE, s_axis_tdata, s_axis_tlast, s_axis_tuser);
      left <= here_left - 3'd1;
      in_frame <= !s_axis_tlast;
      if (s_axis_tlast) begin
        received <= received + 1;
        next[s_axis_tuser] <= next[s_axis_tuser] + 2;
      end
    end
    if (rst) begin
      pause <= 0;
      received <= 0;
      in_frame <= 1'b0;
      next[HERE] <= 1;  // the first frame goes to the other endpoint, the second one here
      next[1-HERE] <= 0;
    end
  end
endmodule

`default_nettype wire
