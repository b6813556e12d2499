// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The whole chip: fabric, nodes, monitors, sequencer and watchdog behind one register port (Wishbone B4 pipelined,
// 32-bit words, host/regmap.def). Every request is answered LATENCY cycles later, one per cycle, in order.
`default_nettype none

module fabric_top #(
    parameter integer DIM = 8,  // dimensions of the cube, 1..10
    parameter integer FLIT_W = 32,  // bits of a flit, 16..64, >= 2*DIM+3+$clog2(PROGRAM_DEPTH)
    parameter integer LENGTH_W = 16,  // a message has fewer than 2^LENGTH_W flits, 1..16
    parameter integer PROGRAM_DEPTH = 64,  // messages of a node's program, a power of two, 2..4096
    parameter integer LOG_DEPTH = 64,  // messages of a node's log, a power of two, 2..8192
    parameter integer SLOTS = 3,  // slots of a node's store, 1..3
    parameter integer SLOT_FLITS = 64,  // flits of a slot, a power of two, >= 2
    parameter integer COUNT_W = 32  // bits of a monitor's counter, 1..32
) (
    input  wire         clk,
    input  wire         rst,
    // Wishbone B4 pipelined, addressed by word
    input  wire         wb_cyc,
    input  wire         wb_stb,
    input  wire         wb_we,
    input  wire  [31:0] wb_adr,
    input  wire  [31:0] wb_dat_w,
    output logic        wb_stall,
    output logic        wb_ack,
    output logic [31:0] wb_dat_r,
    // state, for lamps and interrupts
    output logic        running,
    output logic        stuck
);
  localparam integer NODES = 1 << DIM;
  localparam integer PORTS = DIM + 1;
  localparam integer CHANNELS = PORTS + 1;
  localparam integer LATENCY = 5;
  localparam logic [31:0] KIND_CUBE = 32'd1;

  // Request, registered once for everybody.
  logic request_q, we_q;
  logic [31:0] adr_q, dat_q;
  logic [LATENCY-1:0] ack_q;
  wire [3:0] space = adr_q[31:28];
  wire [11:0] index = adr_q[27:16];

  assign wb_stall = 1'b0;
  assign wb_ack   = ack_q[LATENCY-1];

  always_ff @(posedge clk) begin
    request_q <= wb_cyc && wb_stb;
    if (wb_cyc && wb_stb) begin
      we_q  <= wb_we;
      adr_q <= wb_adr;
      dat_q <= wb_dat_w;
    end
    ack_q <= {ack_q[LATENCY-2:0], wb_cyc && wb_stb};
    if (rst) begin
      request_q <= 1'b0;
      ack_q <= '0;
    end
  end

  logic [NODES-1:0] node_select, monitor_select;
  always_comb begin
    node_select = '0;
    monitor_select = '0;
    if (request_q && space == regmap::SPACE_NODE) begin
      if (index == 12'hfff && we_q) node_select = '1;
      else if (32'(index) < NODES) node_select[index[DIM-1:0]] = 1'b1;
    end
    if (request_q && space == regmap::SPACE_MONITOR && 32'(index) < NODES) monitor_select[index[DIM-1:0]] = 1'b1;
  end

  // Control and status.
  logic paper_q, start_q, soft_reset_q;
  logic [31:0] seed_q, watchdog_q;
  logic [15:0] first_pass_q, last_pass_q;
  logic any_log_overflow_q, any_store_overflow_q, busy_q, moved_q;
  logic rewind, clear, run;
  logic [15:0] pass;
  logic [31:0] cycle;
  logic [ 1:0] state;

  wire fabric_rst = rst || soft_reset_q;

  always_ff @(posedge clk) begin
    start_q <= 1'b0;
    soft_reset_q <= 1'b0;
    if (request_q && we_q && space == regmap::SPACE_GLOBAL) begin
      case (adr_q[7:0])
        regmap::CONTROL: begin
          start_q <= dat_q[regmap::CONTROL_START];
          soft_reset_q <= dat_q[regmap::CONTROL_RESET];
        end
        regmap::CONFIG: paper_q <= dat_q[regmap::CONFIG_PAPER];
        regmap::SEED: seed_q <= dat_q;
        regmap::FIRST_PASS: first_pass_q <= dat_q[15:0];
        regmap::LAST_PASS: last_pass_q <= dat_q[15:0];
        regmap::WATCHDOG: watchdog_q <= dat_q;
        default: ;
      endcase
    end
    if (rst) begin
      paper_q <= 1'b0;
      seed_q <= '0;
      first_pass_q <= '0;
      last_pass_q <= '0;
      watchdog_q <= '0;
      soft_reset_q <= 1'b1;
    end
  end

  logic [31:0] global_d, global_q, read_q;
  always_comb begin
    global_d = '0;
    if (request_q && space == regmap::SPACE_GLOBAL) begin
      case (adr_q[7:0])
        regmap::MAGIC: global_d = 32'h4d4f4f4c;
        regmap::MAP_VERSION: global_d = regmap::VERSION;
        regmap::KIND: global_d = KIND_CUBE;
        regmap::SIZE: global_d = 32'(DIM);
        regmap::NODES: global_d = 32'(NODES);
        regmap::TILES: global_d = 32'(NODES);
        regmap::CHANNELS: global_d = 32'(CHANNELS);
        regmap::FLIT_BITS: global_d = 32'(FLIT_W);
        regmap::LABEL_BITS: global_d = 32'(DIM);
        regmap::PROGRAM_DEPTH: global_d = 32'(PROGRAM_DEPTH);
        regmap::LOG_DEPTH: global_d = 32'(LOG_DEPTH);
        regmap::STORE_SLOTS: global_d = 32'(SLOTS);
        regmap::SLOT_FLITS: global_d = 32'(SLOT_FLITS);
        regmap::LENGTH_BITS: global_d = 32'(LENGTH_W);
        regmap::COUNT_BITS: global_d = 32'(COUNT_W);
        regmap::CONFIG: global_d = 32'(paper_q) << regmap::CONFIG_PAPER;
        regmap::SEED: global_d = seed_q;
        regmap::FIRST_PASS: global_d = 32'(first_pass_q);
        regmap::LAST_PASS: global_d = 32'(last_pass_q);
        regmap::WATCHDOG: global_d = watchdog_q;
        regmap::STATUS:
        global_d = 32'(state) << regmap::STATUS_STATE | 32'(any_log_overflow_q) << regmap::STATUS_LOG_FULL |
            32'(any_store_overflow_q) << regmap::STATUS_STORE_FULL;
        regmap::PASS: global_d = 32'(pass);
        regmap::CYCLE: global_d = cycle;
        default: global_d = '0;
      endcase
    end
  end

  // Answer: which of the windows was asked two cycles ago, while its read data was on the way.
  logic [NODES*32-1:0] node_rdata, monitor_rdata;
  logic [3:0] space_1_q, space_2_q;
  logic [11:0] index_1_q, index_2_q;
  logic [31:0] global_2_q;
  always_ff @(posedge clk) begin
    if (|ack_q) begin
      global_q <= global_d;
      global_2_q <= global_q;
      space_1_q <= space;
      space_2_q <= space_1_q;
      index_1_q <= index;
      index_2_q <= index_1_q;
      read_q <= '0;
      case (space_2_q)
        regmap::SPACE_GLOBAL: read_q <= global_2_q;
        regmap::SPACE_NODE: if (32'(index_2_q) < NODES) read_q <= node_rdata[32*index_2_q[DIM-1:0]+:32];
        regmap::SPACE_MONITOR: if (32'(index_2_q) < NODES) read_q <= monitor_rdata[32*index_2_q[DIM-1:0]+:32];
        default: read_q <= '0;
      endcase
      wb_dat_r <= read_q;
    end
  end

  // Fabric, nodes, monitors.
  logic [NODES*FLIT_W-1:0] inject_flit, eject_flit;
  logic [NODES-1:0] inject_last, inject_valid, inject_ready, inject_empty;
  logic [NODES-1:0] eject_last, eject_valid, eject_ready, eject_empty;
  logic [NODES*PORTS-1:0] obs_worm, obs_flit, obs_blocked;
  logic [NODES-1:0] node_obs_worm, node_obs_flit, node_obs_blocked;
  logic [NODES-1:0] router_busy, node_busy, moved, log_overflow, store_overflow;

  cube_fabric #(
      .DIM(DIM),
      .FLIT_W(FLIT_W)
  ) u_fabric (
      .clk(clk),
      .rst(fabric_rst),
      .paper(paper_q),
      .in_flit(inject_flit),
      .in_last(inject_last),
      .in_valid(inject_valid),
      .in_ready(inject_ready),
      .in_empty(inject_empty),
      .out_flit(eject_flit),
      .out_last(eject_last),
      .out_valid(eject_valid),
      .out_ready(eject_ready),
      .out_empty(eject_empty),
      .obs_worm(obs_worm),
      .obs_flit(obs_flit),
      .obs_blocked(obs_blocked),
      .busy(router_busy)
  );

  generate
    for (genvar u = 0; u < NODES; u++) begin : g_tile
      node #(
          .LABEL_W(DIM),
          .FLIT_W(FLIT_W),
          .LENGTH_W(LENGTH_W),
          .PROGRAM_DEPTH(PROGRAM_DEPTH),
          .LOG_DEPTH(LOG_DEPTH),
          .SLOTS(SLOTS),
          .SLOT_FLITS(SLOT_FLITS)
      ) u_node (
          .clk(clk),
          .rst(fabric_rst),
          .paper(paper_q),
          .here(DIM'(u)),
          .seed(seed_q),
          .rewind(rewind),
          .run(run),
          .pass(pass),
          .cycle(cycle),
          .bus_select(node_select[u]),
          .bus_write(we_q),
          .bus_address(adr_q[15:0]),
          .bus_wdata(dat_q),
          .bus_rdata(node_rdata[32*u+:32]),
          .out_flit(inject_flit[u*FLIT_W+:FLIT_W]),
          .out_last(inject_last[u]),
          .out_valid(inject_valid[u]),
          .out_ready(inject_ready[u]),
          .out_empty(inject_empty[u]),
          .in_flit(eject_flit[u*FLIT_W+:FLIT_W]),
          .in_last(eject_last[u]),
          .in_valid(eject_valid[u]),
          .in_ready(eject_ready[u]),
          .in_empty(eject_empty[u]),
          .obs_worm(node_obs_worm[u]),
          .obs_flit(node_obs_flit[u]),
          .obs_blocked(node_obs_blocked[u]),
          .busy(node_busy[u]),
          .log_overflow(log_overflow[u]),
          .store_overflow(store_overflow[u])
      );

      monitor #(
          .CHANNELS(CHANNELS),
          .COUNT_W(COUNT_W)
      ) u_monitor (
          .clk(clk),
          .rst(fabric_rst),
          .obs_worm({node_obs_worm[u], obs_worm[u*PORTS+:PORTS]}),
          .obs_flit({node_obs_flit[u], obs_flit[u*PORTS+:PORTS]}),
          .obs_blocked({node_obs_blocked[u], obs_blocked[u*PORTS+:PORTS]}),
          .clear(clear),
          .bus_select(monitor_select[u] && !we_q),
          .bus_address(adr_q[7:0]),
          .bus_rdata(monitor_rdata[32*u+:32]),
          .moved(moved[u])
      );
    end
  endgenerate

  always_ff @(posedge clk) begin
    busy_q <= |router_busy || |node_busy;
    moved_q <= |moved;
    any_log_overflow_q <= |log_overflow;
    any_store_overflow_q <= |store_overflow;
  end

  pass_sequencer u_sequencer (
      .clk(clk),
      .rst(fabric_rst),
      .start(start_q),
      .first_pass(first_pass_q),
      .last_pass(last_pass_q),
      .busy(busy_q),
      .stuck(stuck),
      .rewind(rewind),
      .clear(clear),
      .run(run),
      .pass(pass),
      .cycle(cycle),
      .state(state)
  );

  watchdog u_watchdog (
      .clk(clk),
      .rst(fabric_rst),
      .armed(run && busy_q),
      .moved(moved_q),
      .limit(watchdog_q),
      .stuck(stuck)
  );

  assign running = run;
endmodule

`default_nettype wire
