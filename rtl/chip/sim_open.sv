// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// An open fabric for simulation under Verilator: fabric_open, with the clock as its only port. Everything else goes through
// C functions (DPI), as in sim_top: host/links/open_fabric.c calls them, tools/model.sh builds the model. It is not for
// synthesis, and Icarus cannot take it.
//
// Per clock cycle:
// 1. Set what the nodes do: loom_open_offer and loom_open_withdraw, for each node whose offer changes; loom_open_accept,
//    for 32 nodes at a time; a word of the register port by loom_sim_request or loom_sim_release.
// 2. Let the clock fall. Now loom_open_hands says at which nodes beats will have crossed at the next edge, and
//    loom_open_beat what is there.
// 3. Let the clock rise, and ask loom_sim_answer whether this cycle ended in an answer.
//
// Reset and trace as in sim_top. loom_open_begin: the next cycle is number 1 of the waveform.
//
// Parameters as in fabric_open.
`default_nettype none

module sim_open #(
    parameter integer KIND = 1,  // as in fabric_open, all of them
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
    parameter [node_config::BITS-1:0] NODE = node_config::DEFAULT,
    localparam integer DATA_W = NODE[node_config::FLIT_W+:32],
    localparam integer PADDED = (NODES + 31) / 32 * 32  // nodes, 32 at a time
) (
    input bit clk
);
  bit rst = 1'b1;
  bit stb, we;
  bit [31:0] adr, dat_w;
  logic ack, busy;
  // verilator lint_off UNUSEDSIGNAL
  logic stall;
  bit [PADDED-1:0] accept;  // those of nodes beyond the last
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] dat_r;

  bit [NODES*DATA_W-1:0] s_data;
  bit [NODES*LABEL_W-1:0] s_dest;
  bit [NODES-1:0] s_last, s_valid;
  logic [NODES-1:0] s_ready, m_last, m_valid;
  logic [NODES*DATA_W-1:0] m_data;
  logic [NODES*LABEL_W-1:0] m_user;

  fabric_open #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE)
  ) u_chip (
      .clk, .rst,
      .wb_cyc(stb),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r),
      .s_axis_tdata(s_data),
      .s_axis_tlast(s_last),
      .s_axis_tvalid(s_valid),
      .s_axis_tdest(s_dest),
      .s_axis_tready(s_ready),
      .m_axis_tdata(m_data),
      .m_axis_tlast(m_last),
      .m_axis_tvalid(m_valid),
      .m_axis_tuser(m_user),
      .m_axis_tready(accept[NODES-1:0]),
      .busy
  );

  export "DPI-C" function loom_sim_reset;
  export "DPI-C" function loom_sim_request;
  export "DPI-C" function loom_sim_release;
  export "DPI-C" function loom_sim_answer;
  export "DPI-C" function loom_sim_trace;
  export "DPI-C" function loom_open_offer;
  export "DPI-C" function loom_open_withdraw;
  export "DPI-C" function loom_open_accept;
  export "DPI-C" function loom_open_hands;
  export "DPI-C" function loom_open_beat;
  export "DPI-C" function loom_open_busy;
  export "DPI-C" function loom_open_begin;

  function void loom_sim_reset(input bit level);
    rst = level;
  endfunction

  function void loom_sim_request(input bit write, input int unsigned address, input int unsigned data);
    stb = 1'b1;
    we = write;
    adr = address;
    dat_w = data;
  endfunction

  function void loom_sim_release();
    stb = 1'b0;
  endfunction

  // 1 and the word read, if the cycle just simulated ends in an answer.
  function int loom_sim_answer(output int unsigned data);
    data = dat_r;
    loom_sim_answer = {31'd0, ack};
  endfunction

  // label: of the frame's destination.
  // verilator lint_off UNUSEDSIGNAL
  function void loom_open_offer(input int unsigned node, input longint unsigned data, input bit last, input int unsigned label);
    s_data[node*DATA_W+:DATA_W] = data[DATA_W-1:0];
    s_dest[node*LABEL_W+:LABEL_W] = label[LABEL_W-1:0];
    s_last[node] = last;
    s_valid[node] = 1'b1;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  function void loom_open_withdraw(input int unsigned node);
    s_valid[node] = 1'b0;
  endfunction

  // Bit i: node 32*word + i takes what comes.
  function void loom_open_accept(input int unsigned word, input int unsigned nodes);
    accept[word*32+:32] = nodes;
  endfunction

  // Gives, among the same nodes, those with room for a beat and those at which there is one.
  function void loom_open_hands(input int unsigned word, output int unsigned room, output int unsigned beats);
    automatic bit [PADDED-1:0] all_room = PADDED'(s_ready);
    automatic bit [PADDED-1:0] all_beats = PADDED'(m_valid);
    room = all_room[word*32+:32];
    beats = all_beats[word*32+:32];
  endfunction

  // 1: it is the last of its frame. label: of the frame's source.
  function int loom_open_beat(input int unsigned node, output longint unsigned data, output int unsigned label);
    data = 64'(m_data[node*DATA_W+:DATA_W]);
    label = 32'(m_user[node*LABEL_W+:LABEL_W]);
    loom_open_beat = {31'd0, m_last[node]};
  endfunction

  // 1: flits are under way.
  function int loom_open_busy();
    loom_open_busy = {31'd0, busy};
  endfunction

  // verilator lint_off UNUSEDSIGNAL
  bit begun;  // for waveforms
  // verilator lint_on UNUSEDSIGNAL
  function void loom_open_begin();
    begun = 1'b1;
  endfunction

`ifdef LOOM_WAVES
  // The number of the cycle.
  logic [31:0] run_cycle_q = '0;
  wire  [31:0] run_cycle = run_cycle_q + {31'd0, begun};
  always_ff @(posedge clk) if (begun) run_cycle_q <= run_cycle;

  export "DPI-C" function loom_sim_run_cycle;

  function int unsigned loom_sim_run_cycle();
    loom_sim_run_cycle = run_cycle;
  endfunction
`endif

  function void loom_sim_trace(input string file);
    $dumpfile(file);
    $dumpvars;
  endfunction
endmodule

`default_nettype wire
