// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A port for a node of the user's. It takes the place of node_tile, with a pair of AXI-Streams instead of the node.
// axis_packetiser and axis_depacketiser are between the two streams and the network, and a monitor counts on the
// channels. fabric_tile has it, for fabric_open.
//
// Latency, throughput and handshake of the streams: see axis_packetiser and axis_depacketiser. Register read data is there
// three cycles after the request, and 0 in all cycles in which nothing is answered.
//
// Ports:
// - index, here: as in node_tile. clear: the counters are set to 0; what happens in that cycle is not counted.
// - bus_*: as in node_tile; the space MONITOR, and of the space NODE the register DROPPED. Nothing can be written.
// - s_axis_*, m_axis_*: as in axis_packetiser and axis_depacketiser.
// - out_*, in_*, obs_*: injection channel, ejection channel, and the CHANNELS network channels that are counted here, as in
//   node_tile.
// - busy: a frame is under way here. moved: a flit crosses one of the channels in this cycle.
//
// Reset as in axis_packetiser; the counters are 0 afterwards. Legal parameters as in node_tile, of NODE those fields that
// flits and counters have. Compile the packages first.
`default_nettype none

module open_node #(
    parameter integer LABEL_W = 8,  // bits of a node's label, 1..12
    parameter integer CHANNELS = 9,  // channels of the network that the monitor watches, ejection the last of them, 1..63
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter [(1<<LABEL_W)-1:0] KNOWN = '1,  // as in axis_packetiser
    localparam integer FLIT_W = NODE[node_config::FLIT_W+:32],
    localparam integer COUNT_W = NODE[node_config::COUNT_W+:32]
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire  [        11:0] index,          // on the register port
    input  wire  [ LABEL_W-1:0] here,           // in headers
    input  wire                 clear,
    // register port
    input  wire                 bus_request,
    input  wire                 bus_write,
    input  wire  [        31:0] bus_address,
    output logic [        31:0] bus_rdata,
    // the user's streams
    input  wire  [  FLIT_W-1:0] s_axis_tdata,
    input  wire                 s_axis_tlast,
    input  wire                 s_axis_tvalid,
    output logic                s_axis_tready,
    input  wire  [ LABEL_W-1:0] s_axis_tdest,
    output logic [  FLIT_W-1:0] m_axis_tdata,
    output logic                m_axis_tlast,
    output logic                m_axis_tvalid,
    input  wire                 m_axis_tready,
    output logic [ LABEL_W-1:0] m_axis_tuser,
    // injection channel
    output logic [  FLIT_W-1:0] out_flit,
    output logic                out_last,
    output logic                out_valid,
    input  wire                 out_ready,
    // ejection channel
    input  wire  [  FLIT_W-1:0] in_flit,
    input  wire                 in_last,
    input  wire                 in_valid,
    output logic                in_ready,
    output logic                in_empty,
    // observation of the network's channels
    input  wire  [CHANNELS-1:0] obs_worm,
    input  wire  [CHANNELS-1:0] obs_flit,
    input  wire  [CHANNELS-1:0] obs_blocked,
    // state
    output logic                busy,
    output logic                moved
);
  if (CHANNELS < 1 || CHANNELS > 63) begin : g_CHANNELS illegal_CHANNELS u_illegal (); end

  logic inject_worm, inject_flit, inject_blocked, dropped, sending, receiving;
  logic [31:0] monitor_rdata;

  axis_packetiser #(
      .LABEL_W(LABEL_W), .FLIT_W(FLIT_W), .RULE_W(NODE[node_config::RULE_W+:32]), .KNOWN(KNOWN)
  ) u_packetiser (
      .clk, .rst, .here, .s_axis_tdata, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready, .s_axis_tdest, .out_flit,
      .out_last, .out_valid, .out_ready,
      .obs_worm(inject_worm),
      .obs_flit(inject_flit),
      .obs_blocked(inject_blocked),
      .dropped,
      .busy(sending)
  );

  axis_depacketiser #(
      .LABEL_W(LABEL_W),
      .FLIT_W (FLIT_W)
  ) u_depacketiser (
      .clk, .rst, .in_flit, .in_last, .in_valid, .in_ready, .in_empty, .m_axis_tdata, .m_axis_tlast, .m_axis_tvalid,
      .m_axis_tready, .m_axis_tuser,
      .busy(receiving)
  );

  assign busy = sending || receiving;

  wire mine = bus_request && !bus_write && bus_address[27:16] == index;

  tile_monitor #(
      .CHANNELS(CHANNELS + 1),
      .COUNT_W (COUNT_W),
      .SMALL(NODE[node_config::SMALL+:32])
  ) u_monitor (
      .clk, .rst,
      .obs_worm({inject_worm, obs_worm}),
      .obs_flit({inject_flit, obs_flit}),
      .obs_blocked({inject_blocked, obs_blocked}),
      .clear,
      .bus_select(mine && bus_address[31:28] == regmap::SPACE_MONITOR),
      .bus_address(bus_address[7:0]),
      .bus_rdata(monitor_rdata),
      .moved
  );

  // Frames that went nowhere.
  logic [COUNT_W-1:0] dropped_q;
  logic asked_q;
  logic [COUNT_W-1:0] dropped_rdata;

  always_ff @(posedge clk) begin
    if (dropped && !(&dropped_q)) dropped_q <= dropped_q + 1'b1;
    asked_q <= mine && bus_address[31:28] == regmap::SPACE_NODE && bus_address[15:0] == regmap::DROPPED;
    dropped_rdata <= asked_q ? dropped_q : '0;
    bus_rdata <= monitor_rdata | 32'(dropped_rdata);
    if (clear || rst) dropped_q <= '0;
    if (rst) asked_q <= 1'b0;
  end

`ifdef FORMAL
  // Offers stay on both streams and on the channel; DROPPED and the counters read what has been dropped and sent since
  // the last clear; who is not asked answers 0.
  logic [3:0] f_age = 4'd0;  // cycles, 15 or more: 15
  logic [COUNT_W-1:0] f_dropped, f_injected;
  logic f_unknown;  // the frame under way is for no node
  logic f_first;  // the next beat is the first of a frame
  wire f_nowhere = f_first ? !KNOWN[s_axis_tdest] : f_unknown;
  wire f_asked = bus_request && (bus_address[31:28] == regmap::SPACE_NODE || bus_address[31:28] == regmap::SPACE_MONITOR) &&
      bus_address[27:16] == index;
  wire f_read = bus_request && !bus_write && bus_address == {regmap::SPACE_NODE, index, regmap::DROPPED};
  wire f_counter = bus_request && !bus_write && bus_address == {regmap::SPACE_MONITOR, index, 16'(4 * CHANNELS + 1)};

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 4'd1;
    if (f_age == 4'd0) assume (rst);
    assume ((obs_worm & ~obs_flit) == '0);
    if (f_age != 4'd0) begin
      assume ($stable(here) && $stable(index));
      if (!$past(rst) && $past(s_axis_tvalid && !s_axis_tready))
        assume (s_axis_tvalid && $stable(s_axis_tdata) && $stable(s_axis_tlast) && $stable(s_axis_tdest));
      if (!$past(rst) && $past(in_valid && !in_ready)) assume (in_valid && $stable(in_flit) && $stable(in_last));
    end

    if (s_axis_tvalid && s_axis_tready) begin
      f_first <= s_axis_tlast;
      f_unknown <= f_nowhere;
      if (s_axis_tlast && f_nowhere && !(&f_dropped)) f_dropped <= f_dropped + 1'b1;
    end
    if (out_valid && out_ready && !(&f_injected)) f_injected <= f_injected + 1'b1;
    if (clear || rst) begin
      f_dropped  <= '0;
      f_injected <= '0;
    end
    if (rst) f_first <= 1'b1;

    if (f_age != 4'd0) begin
      if (!$past(rst) && $past(m_axis_tvalid && !m_axis_tready))
        assert (m_axis_tvalid && $stable(m_axis_tdata) && $stable(m_axis_tlast) && $stable(m_axis_tuser));
      if (!$past(rst) && !rst && $past(out_valid && !out_ready))
        assert (out_valid && $stable(out_flit) && $stable(out_last));
      if ($past(rst)) assert (!m_axis_tvalid && !s_axis_tready && !busy);
      assert (moved == (|obs_flit || out_valid && out_ready));
    end
    if (f_age > 4'd4 && !$past(rst) && !$past(rst, 2) && !$past(rst, 3)) begin
      if (!$past(f_asked, 3)) assert (bus_rdata == '0);
      if ($past(f_read, 3)) assert (bus_rdata == 32'($past(f_dropped, 2)));
      if (NODE[node_config::SMALL+:32] == 0 && $past(f_counter, 3)) assert (bus_rdata == 32'($past(f_injected, 2)));
      if (NODE[node_config::SMALL+:32] != 0 && $past(f_counter, 3)) assert (bus_rdata == 32'($past(f_injected)));
    end

    cover (f_age > 4'd4 && bus_rdata == 32'd1 && $past(f_read, 3));
    cover (f_age > 4'd4 && bus_rdata == 32'd3 && $past(f_counter, 3));
  end
`endif
endmodule

`default_nettype wire
