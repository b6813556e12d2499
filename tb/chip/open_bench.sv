// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A fabric_open with a source and a sink of frames at each node, for a testbench. Every beat identifies itself (see
// stream_source), so the sinks notice a lost, changed or misplaced beat. TDEST has a meaning only in a frame's first
// beat. LABELS above the nodes' own labels are destinations that no node has. At the end the counters must agree with
// the frames sent and received. A second burst is counted from the command CLEAR on, which comes while frames are under
// way.
`default_nettype none

module open_bench #(
    parameter integer KIND = 1,  // this one and the next ones as in fabric_open
    parameter integer NODES = 4,
    parameter integer LINKS = 2,
    parameter integer DIMS = LINKS == 0 ? 1 : 2,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'(LINKS == 0 ? NODES : 2)}},
    parameter integer LABEL_W = 2,
    parameter integer LINKS_PER_DIM = 1,
    parameter integer WRAP = 0,
    parameter integer TABLE = 0,
    parameter integer V = 1,
    parameter integer OTIS = 0,
    parameter integer LIGHT_CYCLES = 0,
    parameter integer LIGHT_RATIO = 1,
    parameter integer RULE_W = 1,
    parameter integer LABELS = 1 << LABEL_W,  // destinations are labels below this one
    parameter integer FRAMES = 24,  // frames of each node; 0: the bench only reads the registers
    parameter integer SHORT = 0  // the same in a short run (+short)
) (
    input  wire    clk,
    input  wire    rst,
    output integer beats,  // beats that have arrived
    output logic   done
);
  `include "net_wires.svh"
  localparam integer WORDS = NODES * (LINKS == 0 ? 1 : LINKS);
  localparam [WORDS*24-1:0] WIRES = (WORDS * 24)'(LINKS == 0 ? '0 : wires(NODES, LINKS));
  localparam integer FLIT_W = 32, SIZE = $clog2(NODES), CHANNELS = LINKS != 0 ? LINKS + 2 : SIZE + 1;
  localparam integer EJECT = CHANNELS - 2, INJECT = CHANNELS - 1;
  wire stb, we, stall, ack, busy, port_rst;
  wire [31:0] adr, dat_w, dat_r;
  wire [NODES*FLIT_W-1:0] s_tdata, m_tdata;
  wire [NODES-1:0] s_tlast, s_tvalid, s_tready, m_tlast, m_tvalid, m_tready, all_gone;
  wire [NODES*LABEL_W-1:0] s_tdest, m_tuser;
  integer sent[NODES], received[NODES];  // frames and beats, since `mark`
  integer sent_beats[NODES], received_beats[NODES], nowhere[NODES];
  logic [NODES-1:0] known_q;  // the frame under way is for a node
  logic go, mark, block, solo;  // block: no node accepts anything; solo: only node 0 sends, and all nodes accept everything
  wire [NODES-1:0] takes;
  assign m_tready = block ? '0 : solo ? '1 : takes;
  wire users_rst = rst || !go;

  // Marks the labels that nodes have; next_label[l] is node l's.
  logic [(1<<LABEL_W)-1:0] known;
  initial begin
    known = '0;
    for (int u = 0; u < NODES; u++) known[LINKS == 0 ? u : label(u)] = 1'b1;
  end

  host_port #(
      .LATENCY(6),
      .DIRECT (0)
  ) u_port (
      .clk,
      .request(stb),
      .write(we),
      .address(adr),
      .wdata(dat_w),
      .rdata(dat_r),
      .ack,
      .state(2'd0)
  );
  fabric_open #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO), .NODE(node_config::set(node_config::DEFAULT, node_config::RULE_W, RULE_W))
  ) u_dut (
      .clk, .rst,
      .wb_cyc(stb),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r),
      .s_axis_tdata(s_tdata),
      .s_axis_tlast(s_tlast),
      .s_axis_tvalid(s_tvalid),
      .s_axis_tready(s_tready),
      .s_axis_tdest(s_tdest),
      .m_axis_tdata(m_tdata),
      .m_axis_tlast(m_tlast),
      .m_axis_tvalid(m_tvalid),
      .m_axis_tready(m_tready),
      .m_axis_tuser(m_tuser),
      .busy
  );

  for (genvar u = 0; u < NODES; u++) begin : g_node
    wire [LABEL_W-1:0] here = LABEL_W'(LINKS == 0 ? u : label(u));
    logic in_frame;  // a frame
    logic [LABEL_W-1:0] noise;
    wire user_rst = users_rst || solo && u != 0;
    stream_source #(.LABEL_W(LABEL_W), .DESTINATIONS(LABELS), .WORMS(FRAMES), .SHORT(SHORT), .SALT(u)) u_source (
        .clk,
        .rst(user_rst),
        .here,
        .pause(u % 2 == 0 ? 8'd0 : 8'd96),
        .out_flit(s_tdata[u*FLIT_W+:FLIT_W]),
        .out_last(s_tlast[u]),
        .out_valid(s_tvalid[u]),
        .out_ready(s_tready[u]),
        .done(all_gone[u])
    );
    stream_sink #(.LABEL_W(LABEL_W), .SALT(u)) u_sink (
        .clk,
        .rst(users_rst || solo),
        .here,
        .pause(u % 3 == 0 ? 8'd0 : 8'd128),
        .in_flit(m_tdata[u*FLIT_W+:FLIT_W]),
        .in_last(m_tlast[u]),
        .in_valid(m_tvalid[u] && !block),
        .in_ready(takes[u])
    );
    assign s_tdest[u*LABEL_W+:LABEL_W] = in_frame ? noise : s_tdata[u*FLIT_W+:LABEL_W];

    always @(posedge clk) begin
      if (s_tvalid[u] && s_tready[u]) begin
        in_frame <= !s_tlast[u];
        noise  <= LABEL_W'($random);
      end
      if (m_tvalid[u] && m_tready[u] && m_tuser[u*LABEL_W+:LABEL_W] !== m_tdata[u*FLIT_W+LABEL_W+:LABEL_W])
        $fatal(1, "%m: %h with the source %h", m_tdata[u*FLIT_W+:FLIT_W], m_tuser[u*LABEL_W+:LABEL_W]);
      if (s_tvalid[u] && s_tready[u]) begin
        if (known[s_tdata[u*FLIT_W+:LABEL_W]]) begin
          sent[u] <= sent[u] + 32'(s_tlast[u]);
          sent_beats[u] <= sent_beats[u] + 1;
        end else nowhere[u] <= nowhere[u] + 32'(s_tlast[u]);
      end
      if (m_tvalid[u] && m_tready[u]) begin
        received[u] <= received[u] + 32'(m_tlast[u]);
        received_beats[u] <= received_beats[u] + 1;
      end
      if (users_rst || mark) begin
        sent[u] <= 0;
        sent_beats[u] <= 0;
        nowhere[u] <= 0;
        received[u] <= 0;
        received_beats[u] <= 0;
      end
      if (users_rst) in_frame <= 1'b0;
    end
  end

  always @(posedge clk) begin
    for (int u = 0; u < NODES; u++) if (m_tvalid[u] === 1'b1 && m_tready[u] && !rst) beats = beats + 1;
  end

  function [31:0] global_at(input [7:0] register);
    global_at = {24'd0, register};
  endfunction
  function [31:0] counter_at(input integer u, input integer channel, input integer word);
    counter_at = {regmap::SPACE_MONITOR, 12'(u), 16'(4 * channel + word)};
  endfunction

  task fill_tables;
    integer link;
    for (int u = 0; u < NODES; u++)
      for (int r = 0; r < (V > 1 ? V : 2); r++)
        for (int v = 0; v < NODES; v++) begin
          link = next_link(u, v, 0);
          u_port.put(u_port.at_node(u, 32'(regmap::ROUTE) + (r << LABEL_W | v)), 32'(link + 1));
          u_port.check(u_port.at_node(u, 32'(regmap::ROUTE) + (r << LABEL_W | v)), 32'(link + 1));
        end
  endtask

  // Checks a channel's counters. A frame that was under way at the CLEAR is not counted if its header crossed before.
  task check_counters(input integer u, input integer channel, input integer frames, input integer beats_counted,
                      input integer from_clear);
    logic [31:0] worms;
    u_port.get(counter_at(u, channel, 0), worms);
    if (worms !== 32'(frames) && (from_clear == 0 || worms !== 32'(frames - 1)))
      $fatal(1, "%m: node %0d, channel %0d: %0d worms of %0d frames", u, channel, worms, frames);
    u_port.check(counter_at(u, channel, 1), worms + 32'(beats_counted));
  endtask

  // Waits until all frames have arrived, and compares the registers.
  task settle(input integer from_clear);
    integer all_sent, all_received, all_nowhere;
    while (!(&all_gone) || busy) @(posedge clk);
    repeat (4) @(posedge clk);
    if (busy) $fatal(1, "%m: busy again");
    all_sent = 0;
    all_received = 0;
    all_nowhere = 0;
    for (int u = 0; u < NODES; u++) begin
      all_sent = all_sent + sent[u];
      all_received = all_received + received[u];
      all_nowhere = all_nowhere + nowhere[u];
      check_counters(u, INJECT, sent[u], sent_beats[u], from_clear);
      check_counters(u, EJECT, received[u], received_beats[u], from_clear);
      u_port.check(u_port.at_node(u, 32'(regmap::DROPPED)), 32'(nowhere[u]));
      u_port.check(u_port.at_node(u, 32'(regmap::LOG_COUNT)), 32'd0);
    end
    if (from_clear == 0 && (all_sent != all_received || all_sent + all_nowhere != NODES * ($test$plusargs("short") ? SHORT : FRAMES)))
      $fatal(1, "%m: %0d frames sent, %0d received, %0d for no node", all_sent, all_received, all_nowhere);
    if (from_clear == 0 && (all_nowhere > 0) != (known != '1 && LABELS > NODES))
      $fatal(1, "%m: %0d frames for no node", all_nowhere);
    u_port.check(global_at(regmap::STATUS), 32'd0);
  endtask

  initial begin
    logic [31:0] word, later;
    integer waited;
    {done, waited, go, mark, block, solo, beats} = '0;
    u_port.random_state = 1;
    @(posedge clk);
    while (rst) @(posedge clk);
    u_port.check(global_at(regmap::MAGIC), 32'h4d4f4f4c);
    u_port.check(global_at(regmap::USER_NODES), 32'd1);
    u_port.check(global_at(regmap::NODES), 32'(NODES));
    u_port.check(global_at(regmap::KIND), 32'(KIND));
    u_port.check(global_at(regmap::CHANNELS), 32'(CHANNELS));
    u_port.check(global_at(regmap::LABEL_BITS), 32'(LABEL_W));
    u_port.check(global_at(regmap::PROGRAM_DEPTH), 32'd0);
    u_port.check(global_at(regmap::LOG_DEPTH), 32'd0);
    u_port.check(global_at(regmap::COUNT_BITS), 32'd32);
    u_port.check(global_at(regmap::VIRTUAL_CHANNELS), 32'(V));
    u_port.check(global_at(regmap::LIGHT), OTIS == 0 ? 32'd0 :
                 32'(LIGHT_RATIO) << regmap::LIGHT_RATIO | 32'(LIGHT_CYCLES) << regmap::LIGHT_CYCLES);
    u_port.check(global_at(regmap::PASS), 32'd0);
    if (($test$plusargs("short") ? SHORT : FRAMES) == 0) begin
      done <= 1'b1;
      @(negedge rst);  // for ever
    end
    if (TABLE != 0) fill_tables;

    go <= 1'b1;
    settle(0);

    // A second burst, the other way where there are two, and from which on there is a CLEAR under way. The write is taken at one edge, its command lasts the
    // second cycle after it, and what crosses in that cycle is not counted.
    go <= 1'b0;
    u_port.put(global_at(regmap::CONFIG), 32'hffffffff);
    u_port.check(global_at(regmap::CONFIG), KIND == 8 ? 32'd1 << regmap::CONFIG_BACKWARD | 32'd1 << regmap::CONFIG_ALTERNATE : 32'd0);
    @(posedge clk);
    go <= 1'b1;
    repeat (100 + $unsigned($random) % 100) @(posedge clk);
    u_port.put(global_at(regmap::CONTROL), 32'd1 << regmap::CONTROL_CLEAR);
    @(posedge clk);
    mark <= 1'b1;
    @(posedge clk);
    mark <= 1'b0;
    u_port.get(global_at(regmap::CYCLE), word);
    u_port.get(global_at(regmap::CYCLE), later);
    if (word > 32'd12 || later <= word) $fatal(1, "%m: cycle %0d, then %0d", word, later);
    settle(1);

    // No node accepts anything: frames are under way, and the watchdog reports that they are stuck once it has a limit.
    u_port.put(global_at(regmap::WATCHDOG), 32'd0);
    go <= 1'b0;
    @(posedge clk);
    block <= 1'b1;
    go <= 1'b1;
    word = 32'd0;
    for (int n = 0; n < 100 && word != 32'd1; n++) u_port.get(global_at(regmap::STATUS), word);
    if (word != 32'd1) $fatal(1, "%m: STATUS %0d while frames are under way", word);
    u_port.put(global_at(regmap::WATCHDOG), 32'd50);
    repeat (300) @(posedge clk);
    u_port.check(global_at(regmap::STATUS), 32'd3);
    go <= 1'b0;
    u_port.put(global_at(regmap::CONTROL), 32'd1 << regmap::CONTROL_RESET);
    repeat (4) @(posedge clk);
    block <= 1'b0;
    u_port.check(global_at(regmap::STATUS), 32'd0);
    for (int u = 0; u < NODES; u++) u_port.check(counter_at(u, INJECT, 1), 32'd0);
    go <= 1'b1;
    settle(0);

    // A frame of n beats alone takes n + 1 cycles over wires.
    go <= 1'b0;
    solo <= 1'b1;
    @(posedge clk);
    go <= 1'b1;
    @(posedge clk);
    while (!all_gone[0] || busy) begin
      @(posedge clk);
      waited = waited + 32'(s_tvalid[0] && !s_tready[0]);
    end
    if (LIGHT_CYCLES == 0 && waited > sent[0] + nowhere[0]) $fatal(1, "%m: a sender that is alone waits %0d times", waited);
    done <= 1'b1;
  end
endmodule

`default_nettype wire
