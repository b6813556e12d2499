// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A whole fabric without nodes: at each node's place a pair of AXI-Streams for a node of the user's, and beside them the
// register port of fabric_top, by which libflitloom reads the description of the fabric, and the counters of every
// channel. docs/open-fabric.md says how to use it.
//
// A frame on a stream, that is the beats up to TLAST, is one message in the network: axis_packetiser puts a header flit
// before it, axis_depacketiser takes it off again. Frames between two nodes arrive in the order in which they were sent; each
// arrives whole, with no other in between.
//
// Latency: a beat comes out at the earliest as many cycles after it was taken as it crosses routers (one more than there
// are links on its way), or stages. Throughput: n beats in n + 1 cycles on every stream, and one flit per cycle on every
// channel in between. The register port: as in fabric_top.
//
// Ports:
// - wb_*: as in fabric_top. For AXI4-Lite put axil_wishbone before them.
// - s_axis_*: into the network. Node u has bits u*DATA_W and up of tdata, bit u of tlast, tvalid and tready, and bits
//   u*DEST_W and up of tdest: the label of the node that a frame is for, looked at in the first beat. A label is the node's
//   number in cubes, multistage networks and networks with tables; else its coordinates side by side (fabric). A frame
//   for a label that no node has is swallowed, and counted in the register DROPPED. A node may send to itself.
// - m_axis_*: out of it, in the same layout; tuser is the label of the source, the same on every beat of a frame.
// - busy: a frame is under way, or was one cycle ago.
// A stream may be told to wait for as long as one likes, but what waits in the network keeps channels: where deadlock
// cannot occur (docs/using-the-rtl.md) it cannot as long as every user takes what comes, whether or not it can send.
//
// Reset: rst is synchronous, one cycle is enough; the fabric inside is reset for one more cycle, in which no stream goes
// on. CONTROL.RESET resets the fabric, streams included, and keeps settings and route tables: reset the users with it,
// or do it while nothing is under way. CONTROL.CLEAR sets the counters to 0, at any time.
//
// Parameters: those of fabric_top, but for PRESET_DEPTH, HISTORY_RUNS and GATED. Of NODE the fields RULE_W, FLIT_W, COUNT_W,
// CYCLE_W (of the register WATCHDOG) and SMALL mean something. FLIT_W, which is also the width of a beat, holds two labels
// and a rule. With TABLE = 1 the route tables must be written before the first frame. Compile the packages first; the file
// list is rtl/fabric_open.f.
//
// Example:
//   // A ring of four nodes, as in fabric_top.
//   fabric_open #(.KIND(10), .NODES(4), .LINKS(2), .LINKS_PER_DIM(2), .WRAP(1), .DIMS(1), .EXTENTS(16'd4), .LABEL_W(2),
//                 .WIRES({24'h800002, 24'h801000, 24'h800001, 24'h801003,
//                         24'h800000, 24'h801002, 24'h800003, 24'h801001})) u_ring (
//       .clk(clk), .rst(rst),
//       .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_adr(adr), .wb_dat_w(dat_w),
//       .wb_stall(stall), .wb_ack(ack), .wb_dat_r(dat_r),
//       .s_axis_tdata(s_tdata), .s_axis_tlast(s_tlast), .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready),
//       .s_axis_tdest(s_tdest),
//       .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast), .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready),
//       .m_axis_tuser(m_tuser), .busy());
//   // An omega network of 8 nodes, its counters of no interest.
//   fabric_open #(.KIND(3), .NODES(8), .LINKS(0)) u_omega (
//       .clk(clk), .rst(rst),
//       .wb_cyc(1'b0), .wb_stb(1'b0), .wb_we(1'b0), .wb_adr(32'd0), .wb_dat_w(32'd0),
//       .wb_stall(), .wb_ack(), .wb_dat_r(),
//       .s_axis_tdata(o_tdata), .s_axis_tlast(o_tlast), .s_axis_tvalid(o_tvalid), .s_axis_tready(o_tready),
//       .s_axis_tdest(o_tdest),
//       .m_axis_tdata(p_tdata), .m_axis_tlast(p_tlast), .m_axis_tvalid(p_tvalid), .m_axis_tready(p_tready),
//       .m_axis_tuser(p_tuser), .busy());
`default_nettype none

module fabric_open #(
    parameter integer KIND = 1,  // this one and the next ones as in fabric_top
    parameter integer NODES = 2,
    parameter integer LINKS = 1,
    parameter [NODES*(LINKS==0?1:LINKS)*24-1:0] WIRES = (NODES * (LINKS == 0 ? 1 : LINKS) * 24)'(48'h800000_800001),
    parameter [NODES*(LINKS==0?1:LINKS)*8-1:0] DELAYS = '0,
    parameter integer DIMS = 1,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'(LINKS == 0 ? NODES : 2)}},
    parameter integer LABEL_W = LINKS == 0 ? $clog2(NODES) : DIMS,
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer V = 1,
    parameter integer OTIS = 0,
    parameter integer LIGHT_CYCLES = 0,
    parameter integer LIGHT_RATIO = 1,
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    localparam integer DATA_W = NODE[node_config::FLIT_W+:32],
    localparam integer DEST_W = LABEL_W,
    localparam integer PASS_W = NODE[node_config::PASS_W+:32],
    localparam integer CYCLE_W = NODE[node_config::CYCLE_W+:32],
    localparam integer SMALL = NODE[node_config::SMALL+:32]
) (
    input  wire                     clk,
    input  wire                     rst,
    // Wishbone B4 pipelined, addressed by word
    input  wire                     wb_cyc,
    input  wire                     wb_stb,
    input  wire                     wb_we,
    input  wire  [            31:0] wb_adr,
    input  wire  [            31:0] wb_dat_w,
    output logic                    wb_stall,
    output logic                    wb_ack,
    output logic [            31:0] wb_dat_r,
    // AXI-Stream into the network
    input  wire  [NODES*DATA_W-1:0] s_axis_tdata,
    input  wire  [       NODES-1:0] s_axis_tlast,
    input  wire  [       NODES-1:0] s_axis_tvalid,
    output logic [       NODES-1:0] s_axis_tready,
    input  wire  [NODES*DEST_W-1:0] s_axis_tdest,   // label of the destination
    // AXI-Stream out of it
    output logic [NODES*DATA_W-1:0] m_axis_tdata,
    output logic [       NODES-1:0] m_axis_tlast,
    output logic [       NODES-1:0] m_axis_tvalid,
    input  wire  [       NODES-1:0] m_axis_tready,
    output logic [NODES*DEST_W-1:0] m_axis_tuser,   // label of the source
    output logic                    busy
);
  localparam integer BENES = 8;  // a multistage kind
  localparam integer SIZE = $clog2(NODES);  // stages of a multistage network
  localparam integer CHANNELS = LINKS != 0 ? LINKS + 2 : SIZE + 1;
  // The fields that exist of a node: the registers say 0 for all others.
  localparam [node_config::BITS-1:0] SEEN =
      node_config::field(node_config::RULE_W, NODE[node_config::RULE_W+:32]) |
      node_config::field(node_config::FLIT_W, NODE[node_config::FLIT_W+:32]) |
      node_config::field(node_config::COUNT_W, NODE[node_config::COUNT_W+:32]) |
      node_config::field(node_config::PASS_W, NODE[node_config::PASS_W+:32]) |
      node_config::field(node_config::CYCLE_W, NODE[node_config::CYCLE_W+:32]) |
      node_config::field(node_config::SMALL, NODE[node_config::SMALL+:32]);

  if (NODE[node_config::ADAPTIVE+:32] != 0) begin : g_ADAPTIVE illegal_ADAPTIVE u_illegal (); end

  fabric_shape #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LINKS_PER_DIM(LINKS_PER_DIM),
      .WRAP(WRAP), .TABLE(TABLE), .OTIS(OTIS), .CYCLE_W(CYCLE_W), .SMALL(SMALL)
  ) u_shape ();

  logic taken, request_q, we;
  logic [31:0] adr, dat, fabric_rdata, register_rdata;
  logic soft_reset, clear, moved, stuck;
  logic backward;  // of multistage networks
  logic [CYCLE_W-1:0] watchdog;
  logic [31:0] cycle_q;

  wire fabric_rst = rst || soft_reset;

  always_ff @(posedge clk) cycle_q <= fabric_rst || clear ? '0 : cycle_q + 32'd1;

  register_port #(.CHANNELS(CHANNELS), .SMALL(SMALL)) u_port (
      .clk, .rst, .wb_cyc, .wb_stb, .wb_we, .wb_adr, .wb_dat_w, .wb_stall, .wb_ack, .wb_dat_r, .taken,
      .request(request_q),
      .write(we),
      .address(adr),
      .wdata(dat),
      .rdata(fabric_rdata | register_rdata)
  );

  // verilator lint_off PINCONNECTEMPTY
  fabric_registers #(
      .KIND(KIND), .NODES(NODES), .CHANNELS(CHANNELS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W), .V(V),
      .LIGHT(OTIS == 0 ? 0 : LIGHT_RATIO << regmap::LIGHT_RATIO | LIGHT_CYCLES << regmap::LIGHT_CYCLES), .NODE(SEEN),
      .TWO_WAYS(LINKS == 0 && KIND == BENES ? 1 : 0), .OPEN(1)
  ) u_registers (
      .clk,
      .net_clk(clk),
      .rst,
      .request(request_q),
      .write(we),
      .address(adr),
      .wdata(dat),
      .rdata(register_rdata),
      .start(),
      .soft_reset,
      .clear_counts(clear),
      .paper(),
      .select(),
      .preset(),
      .free(),
      .backward,
      .alternate(),
      .record(),
      .skip_self(),
      .open(),
      .seed(),
      .first_pass(),
      .last_pass(),
      .watchdog,
      .state({stuck, stuck || busy}),
      .log_overflow(1'b0),
      .store_overflow(1'b0),
      .pass(PASS_W'(0)),
      .cycle(cycle_q),
      .since_start(32'd0)
  );

  watchdog #(.LIMIT_W(CYCLE_W)) u_watchdog (
      .clk,
      .rst(fabric_rst),
      .armed(busy),
      .moved,
      .limit(watchdog),
      .stuck
  );

  fabric #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE), .OPEN(1)
  ) u_fabric (
      .clk,
      .net_clk(clk),
      .rst(fabric_rst),
      .paper(1'b0),
      .select(2'd0),
      .preset(1'b0),
      .backward,
      .free(1'b0),
      .record(1'b0),
      .skip_self(1'b0),
      .seed(32'd0),
      .rewind(1'b0),
      .clear,
      .run(1'b0),
      .pass(16'd0),
      .cycle(32'd0),
      .bus_request(request_q),
      .bus_write(we),
      .bus_address(adr),
      .bus_wdata(dat),
      .early_request(taken),
      .early_write(wb_we),
      .early_address(wb_adr),
      .early_wdata(wb_dat_w),
      .bus_rdata(fabric_rdata),
      .stream_refill(1'b0),
      .stream_handed(1'b0),
      .s_axis_tdata, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready, .s_axis_tdest, .m_axis_tdata, .m_axis_tlast,
      .m_axis_tvalid, .m_axis_tready, .m_axis_tuser, .busy, .moved,
      .log_overflow(),
      .store_overflow()
  );
  // verilator lint_on PINCONNECTEMPTY

`ifdef FORMAL
  // On any port an offer stays; from any node to any other the beats come in the order in which they went in, each as it
  // was, and no other ones; a frame's source stays, and no other frame comes in between.
  (* anyconst *) logic [SIZE-1:0] f_from, f_to;  // cubes and multistage networks: labels are node numbers
  (* anyconst *) logic [2:0] f_place;  // of a beat
  logic [2:0] f_sent, f_came;  // beats on that way; they stay at their largest value
  logic [DATA_W:0] f_beat;  // the one at f_place, as it went in
  logic [DEST_W-1:0] f_dest, f_user;  // of the frame under way at f_from, and at f_to
  logic f_in_s, f_in_m;  // there is one
  wire [DEST_W-1:0] f_dest_now = f_in_s ? f_dest : s_axis_tdest[f_from*DEST_W+:DEST_W];
  wire [DEST_W-1:0] f_user_now = m_axis_tuser[f_to*DEST_W+:DEST_W];
  wire f_goes = s_axis_tvalid[f_from] && s_axis_tready[f_from], f_comes = m_axis_tvalid[f_to] && m_axis_tready[f_to];

  always_ff @(posedge clk) begin
    assume (rst == $initstate);
    assume (32'(f_from) < NODES && 32'(f_to) < NODES);
    assume (!wb_stb || !wb_we);  // CONTROL.RESET breaks offers
    if (!$initstate)
      for (int u = 0; u < NODES; u++)
        if (!$past(rst) && $past(s_axis_tvalid[u] && !s_axis_tready[u]))
          assume (s_axis_tvalid[u] && $stable(s_axis_tlast[u]) && $stable(s_axis_tdata[u*DATA_W+:DATA_W]) &&
                  $stable(s_axis_tdest[u*DEST_W+:DEST_W]));

    if (f_goes) begin
      f_in_s <= !s_axis_tlast[f_from];
      f_dest <= f_dest_now;
      if (f_dest_now == DEST_W'(f_to) && !(&f_sent)) begin
        f_sent <= f_sent + 3'd1;
        if (f_sent == f_place) f_beat <= {s_axis_tlast[f_from], s_axis_tdata[f_from*DATA_W+:DATA_W]};
      end
    end
    if (f_comes) begin
      f_in_m <= !m_axis_tlast[f_to];
      f_user <= f_user_now;
      if (f_user_now == DEST_W'(f_from) && !(&f_came)) f_came <= f_came + 3'd1;
    end
    if (rst) begin
      f_sent <= '0;
      f_came <= '0;
      f_in_s <= 1'b0;
      f_in_m <= 1'b0;
    end

    if (!$initstate && !rst) begin
      if (!$past(rst) && $past(m_axis_tvalid[f_to] && !m_axis_tready[f_to]))
        assert (m_axis_tvalid[f_to] && $stable(m_axis_tlast[f_to]) && $stable(m_axis_tdata[f_to*DATA_W+:DATA_W]) &&
                $stable(m_axis_tuser[f_to*DEST_W+:DEST_W]));
      if (m_axis_tvalid[f_to]) begin
        assert (!f_in_m || f_user_now == f_user);
        if (f_user_now == DEST_W'(f_from) && !(&f_came)) begin
          assert (f_came < f_sent);
          if (f_came == f_place) assert ({m_axis_tlast[f_to], m_axis_tdata[f_to*DATA_W+:DATA_W]} == f_beat);
        end
      end
      if (!busy && !$past(busy) && !$past(f_goes) && !$past(f_goes, 2)) assert (f_came == f_sent);

      cover (f_came == 3'd2 && f_from != f_to && $past(f_comes && m_axis_tlast[f_to]));
      cover (f_came == 3'd2 && f_from == f_to);
    end
  end
`endif
endmodule

`default_nettype wire
