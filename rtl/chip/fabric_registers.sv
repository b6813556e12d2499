// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The global registers of a chip (space GLOBAL of docs/registers.md): discovery, which describes the network and the
// nodes; settings, commands and state. Part of fabric_top, which has the register port, the sequencer and the fabric
// around it, and of fabric_open.
//
// Latency: what a write sets is there in the next cycle; a read is answered four cycles after the request, and rdata is 0
// in all cycles in which nothing is answered, so that it can be ORed with the fabric's answer. Throughput: one request per
// cycle; with SMALL of NODE = 1 one at a time, whose address stays until the answer.
//
// Ports:
// - clk, net_clk: tie both to the same clock. net_clk may stand still but for resets, in the cycle of a write to this
//   space and in the one after it.
// - request, write, address, wdata: a request, for one cycle. rdata: the answer.
// - start, soft_reset, clear_counts: commands, 1 for one cycle, the first and the last according to OPEN; soft_reset also
//   in the cycle after rst. The others that go out are
//   settings: see the registers of the same names. Inputs are shown as the registers STATUS, PASS, CYCLE and
//   SINCE_START.
//
// Reset: synchronous, one cycle; all settings are 0 afterwards.
`default_nettype none

module fabric_registers #(
    parameter integer KIND = 1,  // what the register KIND says
    parameter integer NODES = 2,  // this one and the next ones as fabric_top has them
    parameter integer CHANNELS = 3,  // which one monitor counts
    parameter integer DIMS = 1,
    parameter [DIMS*16-1:0] EXTENTS = {DIMS{16'd2}},
    parameter integer LABEL_W = 1,
    parameter integer V = 1,
    parameter integer LIGHT = 0,  // what the register LIGHT says
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,  // see there
    parameter integer PRESET_PASSES = 0,  // 0: CONFIG.PRESET stays 0
    parameter integer HISTORY_RUNS = 0,  // 0: CONFIG.FREE, CONFIG.RECORD and CONFIG.SKIP_SELF stay 0
    parameter integer TWO_WAYS = 0,  // 0: CONFIG.BACKWARD and CONFIG.ALTERNATE stay 0
    parameter integer OPEN = 0,  // 1: as in fabric_open; settings that say how programs run stay 0
    localparam integer PASS_W = NODE[node_config::PASS_W+:32],
    localparam integer CYCLE_W = NODE[node_config::CYCLE_W+:32],
    localparam integer ADAPTIVE = NODE[node_config::ADAPTIVE+:32],  // 0: CONFIG.SELECT stays 0
    localparam integer TIMED = NODE[node_config::TIMED+:32],
    localparam integer STREAM = NODE[node_config::STREAM+:32]
) (
    input  wire                clk,
    input  wire                net_clk,
    input  wire                rst,
    // register port
    input  wire                request,
    input  wire                write,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [       31:0] address,         // bits 27 to 8 are not looked at
    // verilator lint_on UNUSEDSIGNAL
    input  wire  [       31:0] wdata,
    output logic [       31:0] rdata,
    // commands and settings
    output logic               start,
    output logic               soft_reset,
    output logic               clear_counts,
    output logic               paper,
    output logic [        1:0] select,
    output logic               preset,
    output logic               free,
    output logic               backward,
    output logic               alternate,
    output logic               record,
    output logic               skip_self,
    output logic               open,
    output logic [       31:0] seed,
    output logic [ PASS_W-1:0] first_pass,
    output logic [ PASS_W-1:0] last_pass,
    output logic [CYCLE_W-1:0] watchdog,
    // state
    input  wire  [        1:0] state,
    input  wire                log_overflow,
    input  wire                store_overflow,
    input  wire  [ PASS_W-1:0] pass,
    input  wire  [       31:0] cycle,
    input  wire  [       31:0] since_start
);
  localparam integer LATENCY = 4;
  localparam [255:0] SHAPES = 256'(EXTENTS);  // as the registers SHAPE say them

  wire mine = request && address[31:28] == regmap::SPACE_GLOBAL;

  always_ff @(posedge net_clk) begin
    start <= 1'b0;
    soft_reset <= 1'b0;
    clear_counts <= 1'b0;
    if (mine && write) begin
      case (address[7:0])
        regmap::CONTROL: begin
          start <= wdata[regmap::CONTROL_START] && OPEN == 0;
          soft_reset <= wdata[regmap::CONTROL_RESET];
          clear_counts <= wdata[regmap::CONTROL_CLEAR] && OPEN != 0;
        end
        regmap::CONFIG: begin
          paper <= wdata[regmap::CONFIG_PAPER] && OPEN == 0;
          select <= wdata[regmap::CONFIG_SELECT+:2] & {2{ADAPTIVE != 0}};
          preset <= wdata[regmap::CONFIG_PRESET] && PRESET_PASSES != 0;
          free <= wdata[regmap::CONFIG_FREE] && HISTORY_RUNS != 0;
          backward <= wdata[regmap::CONFIG_BACKWARD] && TWO_WAYS != 0;
          alternate <= wdata[regmap::CONFIG_ALTERNATE] && TWO_WAYS != 0;
          record <= wdata[regmap::CONFIG_RECORD] && HISTORY_RUNS != 0;
          skip_self <= wdata[regmap::CONFIG_SKIP_SELF] && HISTORY_RUNS != 0;
          open <= wdata[regmap::CONFIG_OPEN] && TIMED != 0;
        end
        regmap::SEED: if (OPEN == 0) seed <= wdata;
        regmap::FIRST_PASS: if (OPEN == 0) first_pass <= wdata[PASS_W-1:0];
        regmap::LAST_PASS: if (OPEN == 0) last_pass <= wdata[PASS_W-1:0];
        regmap::WATCHDOG: watchdog <= wdata[CYCLE_W-1:0];
        default: ;
      endcase
    end
    if (rst) begin
      paper <= 1'b0;
      select <= 2'd0;
      preset <= 1'b0;
      free <= 1'b0;
      backward <= 1'b0;
      alternate <= 1'b0;
      record <= 1'b0;
      skip_self <= 1'b0;
      open <= 1'b0;
      seed <= '0;
      first_pass <= '0;
      last_pass <= '0;
      watchdog <= '0;
      soft_reset <= 1'b1;
    end
  end

  // It is the address that is delayed, and not the word: there are fewer bits of it.
  logic [LATENCY-1:0] asked_q;  // bit k: a request k + 1 cycles ago
  logic [8*LATENCY-1:0] at_q;  // a vector: of an array's word Icarus 11 misses the first change
  wire [7:0] at = NODE[node_config::SMALL+:32] != 0 ? address[7:0] : at_q[8*(LATENCY-1)+:8];
  always_ff @(posedge clk) begin
    if (request || |asked_q) begin
      at_q <= {at_q[8*(LATENCY-1)-1:0], address[7:0]};
      asked_q <= {asked_q[LATENCY-2:0], mine};
    end
    if (rst) asked_q <= '0;
  end

  always_comb begin
    rdata = '0;
    if (asked_q[LATENCY-1]) begin
      case (at)
        regmap::MAGIC: rdata = 32'h4d4f4f4c;
        regmap::MAP_VERSION: rdata = regmap::VERSION;
        regmap::KIND: rdata = 32'(KIND);
        regmap::SIZE: rdata = 32'(DIMS);
        regmap::NODES: rdata = 32'(NODES);
        regmap::TILES: rdata = 32'(NODES);
        regmap::CHANNELS: rdata = 32'(CHANNELS);
        regmap::FLIT_BITS: rdata = NODE[node_config::FLIT_W+:32];
        regmap::LABEL_BITS: rdata = 32'(LABEL_W);
        regmap::PROGRAM_DEPTH: rdata = NODE[node_config::PROGRAM_DEPTH+:32];
        regmap::LOG_DEPTH: rdata = NODE[node_config::LOG_DEPTH+:32];
        regmap::STORE_SLOTS: rdata = NODE[node_config::SLOTS+:32];
        regmap::SLOT_FLITS: rdata = NODE[node_config::SLOT_FLITS+:32];
        regmap::LENGTH_BITS: rdata = NODE[node_config::LENGTH_W+:32];
        regmap::RULE_BITS: rdata = NODE[node_config::RULE_W+:32];
        regmap::COUNT_BITS: rdata = NODE[node_config::COUNT_W+:32];
        regmap::CYCLE_BITS: rdata = 32'(CYCLE_W);
        regmap::PASS_BITS: rdata = 32'(PASS_W);
        regmap::PRESET_PASSES: rdata = 32'(PRESET_PASSES);
        regmap::HISTORY_RUNS: rdata = 32'(HISTORY_RUNS);
        regmap::SIGNATURE_BITS: rdata = NODE[node_config::SIGNATURE_W+:32];
        regmap::VIRTUAL_CHANNELS: rdata = 32'(V);
        regmap::LIGHT: rdata = 32'(LIGHT);
        regmap::BUFFERS: rdata = NODE[node_config::BUFFERS+:32];
        regmap::LINK_DELAY: rdata = NODE[node_config::LINK_DELAY+:32];
        regmap::LINK_DELAYS: rdata = NODE[node_config::LINK_DELAYS+:32];
        regmap::ROUTER_DELAY: rdata = NODE[node_config::ROUTER_DELAY+:32];
        regmap::ADAPTIVE: rdata = 32'(ADAPTIVE);
        regmap::TIMING: rdata = 32'(TIMED) << regmap::TIMING_PROGRAMS | 32'(STREAM) << regmap::TIMING_STREAM;
        regmap::USER_NODES: rdata = 32'(OPEN);
        regmap::PAYLOAD_BITS: rdata = NODE[node_config::STATE_W+:32];
        regmap::CONFIG:
        rdata = 32'(paper) << regmap::CONFIG_PAPER | 32'(preset) << regmap::CONFIG_PRESET |
            32'(free) << regmap::CONFIG_FREE | 32'(backward) << regmap::CONFIG_BACKWARD |
            32'(alternate) << regmap::CONFIG_ALTERNATE | 32'(skip_self) << regmap::CONFIG_SKIP_SELF |
            32'(record) << regmap::CONFIG_RECORD | 32'(open) << regmap::CONFIG_OPEN | 32'(select) << regmap::CONFIG_SELECT;
        regmap::SEED: rdata = seed;
        regmap::FIRST_PASS: rdata = 32'(first_pass);
        regmap::LAST_PASS: rdata = 32'(last_pass);
        regmap::WATCHDOG: rdata = 32'(watchdog);
        regmap::STATUS:
        rdata = 32'(state) << regmap::STATUS_STATE | 32'(log_overflow) << regmap::STATUS_LOG_FULL |
            32'(store_overflow) << regmap::STATUS_STORE_FULL;
        regmap::PASS: rdata = 32'(pass);
        regmap::CYCLE: rdata = cycle;
        regmap::SINCE_START: rdata = since_start;
        default: if (at[7:4] == regmap::SHAPE[7:4]) rdata = 32'(SHAPES[at[3:0]*16+:16]);
      endcase
    end
  end

`ifdef FORMAL
  // Any one setting has what was written to it last, and is read so; commands last one cycle; without a request rdata is 0.
  localparam integer F_SMALL = NODE[node_config::SMALL+:32];
  (* anyconst *) logic [1:0] f_which;
  logic [31:0] f_word;  // of the setting
  logic [LATENCY-1:0] f_asked, f_read;  // bit k: a request, one to read the setting, k + 1 cycles ago
  wire [7:0] f_at = f_which == 2'd0 ? regmap::SEED : f_which == 2'd1 ? regmap::FIRST_PASS :
      f_which == 2'd2 ? regmap::WATCHDOG : regmap::CONFIG;
  wire [31:0] f_mask = f_which < 2'd2 && OPEN != 0 ? '0 :
      f_which == 2'd0 ? '1 : f_which == 2'd1 ? 32'((33'd1 << PASS_W) - 33'd1) :
      f_which == 2'd2 ? 32'((33'd1 << CYCLE_W) - 33'd1) :
      32'(OPEN == 0) << regmap::CONFIG_PAPER | 32'(PRESET_PASSES != 0) << regmap::CONFIG_PRESET |
      32'(HISTORY_RUNS != 0) << regmap::CONFIG_FREE | 32'(TWO_WAYS != 0) << regmap::CONFIG_BACKWARD |
      32'(TWO_WAYS != 0) << regmap::CONFIG_ALTERNATE |
      32'(TIMED != 0) << regmap::CONFIG_OPEN | (ADAPTIVE != 0 ? 32'd3 : 32'd0) << regmap::CONFIG_SELECT |
      32'(HISTORY_RUNS != 0) << regmap::CONFIG_SKIP_SELF | 32'(HISTORY_RUNS != 0) << regmap::CONFIG_RECORD;
  wire [31:0] f_now = f_which == 2'd0 ? seed : f_which == 2'd1 ? 32'(first_pass) : f_which == 2'd2 ? 32'(watchdog) :
      {22'd0, select, open, record, alternate, skip_self, backward, free, preset, paper};
  wire f_mine = request && address[31:28] == 4'd0;
  wire f_control = f_mine && write && address[7:0] == regmap::CONTROL;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (F_SMALL != 0 && f_asked != '0) assume (!request && $stable(address));

    if (f_mine && write && address[7:0] == f_at) f_word <= wdata & f_mask;
    f_asked <= {f_asked[LATENCY-2:0], f_mine};
    f_read <= {f_read[LATENCY-2:0], f_mine && address[7:0] == f_at};
    if (rst) begin
      f_word <= '0;
      f_asked <= '0;
      f_read <= '0;
    end

    if (!$initstate) begin
      assert (f_now == f_word);
      if (!f_asked[LATENCY-1]) assert (rdata == '0);
      if (f_read[LATENCY-1]) assert (rdata == f_word);
      assert (start == (OPEN == 0 && $past(f_control && wdata[regmap::CONTROL_START])));
      assert (clear_counts == (OPEN != 0 && $past(f_control && wdata[regmap::CONTROL_CLEAR])));
      assert (soft_reset == $past(rst || f_control && wdata[regmap::CONTROL_RESET]));

      cover (f_read[LATENCY-1] && f_which == (OPEN != 0 ? 2'd2 : 2'd3) && rdata == 32'd1);
      cover ((OPEN != 0 ? clear_counts && $past(clear_counts) : start && $past(start)) && !soft_reset);

      // For the induction.
      assert (asked_q == f_asked && (f_read & ~f_asked) == '0);
      for (int i = 0; i < LATENCY; i++) if (f_read[i]) assert ((F_SMALL != 0 ? address[7:0] : at_q[8*i+:8]) == f_at);
    end
  end
`endif
endmodule

`default_nettype wire
