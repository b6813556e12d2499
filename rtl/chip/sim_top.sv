// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A fabric for simulation under Verilator: fabric_top, with the clock as its only port. Everything else goes through C
// functions (DPI), so that a C program drives it without a C++ wrapper: host/links/sim.c does, tools/model.sh builds
// the model. It is not for synthesis, and Icarus cannot take it.
//
// Per clock cycle: set up a word of the register port by loom_sim_request or withdraw it by loom_sim_release, let the clock
// fall and then rise, and ask loom_sim_answer whether this cycle ended in an answer. The falling edge must come between the
// request and the rising edge, because clocks inside are gated (clock_gate). fabric_top's rules hold: an answer comes six
// cycles after its request, one request per cycle. SMALL is 0, so there is no wb_stall.
//
// Reset: rst is 1 from the beginning; call loom_sim_reset(1), clock at least twice, then loom_sim_reset(0).
// loom_sim_trace begins a waveform in a model that was built with tracing.
//
// Parameters as in fabric_top; the defaults are those of a simulation, with deeper programs and logs.
`default_nettype none

module sim_top #(
    parameter integer KIND = 1,  // as in fabric_top, all of them
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
    parameter [node_config::BITS-1:0] NODE = node_config::set(node_config::set(
        node_config::with_depths(node_config::DEFAULT, 1024, 2048, 64), node_config::TIMED, 1), node_config::STREAM, 1),
    parameter integer PRESET_DEPTH = 0,
    parameter integer HISTORY_RUNS = 0,
    parameter integer FAILING = 0
) (
    input bit clk
);
  bit rst = 1'b1;
  bit stb, we;
  bit [31:0] adr, dat_w;
  bit stream_on, stream_refill;
  logic ack, handing;
  // verilator lint_off UNUSEDSIGNAL
  logic stall, running, stuck;  // a simulation reads STATUS instead
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] dat_r;

  fabric_top #(
      .KIND(KIND), .NODES(NODES), .LINKS(LINKS), .WIRES(WIRES), .DELAYS(DELAYS), .DIMS(DIMS), .EXTENTS(EXTENTS), .LABEL_W(LABEL_W),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .V(V), .OTIS(OTIS), .LIGHT_CYCLES(LIGHT_CYCLES),
      .LIGHT_RATIO(LIGHT_RATIO), .NODE(NODE), .PRESET_DEPTH(PRESET_DEPTH), .HISTORY_RUNS(HISTORY_RUNS), .GATED(1),
      .FAILING(FAILING)
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
      .stream_on, .stream_refill, .handing, .running, .stuck
  );

  export "DPI-C" function loom_sim_reset;
  export "DPI-C" function loom_sim_request;
  export "DPI-C" function loom_sim_release;
  export "DPI-C" function loom_sim_answer;
  export "DPI-C" function loom_sim_trace;
  export "DPI-C" function loom_sim_stream;
  export "DPI-C" function loom_sim_handing;

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

  // 1: there may be entries for the nodes, which fetch them from now on as they have room, and messages are handed out
  // until the next reset (sim_tap). 0: when the caller goes.
  function void loom_sim_stream(input bit on);
    stream_on = on;
    if (on) stream_refill = !stream_refill;
  endfunction

  // 1: messages of this run are handed out.
  function int loom_sim_handing();
    loom_sim_handing = {31'd0, handing};
  endfunction

`ifdef LOOM_WAVES
  // Cycles of the run, counted over its passes: 1 in the first cycle of the first pass, standing still between two.
  logic [31:0] run_cycle_q = '0;
  wire  [31:0] run_cycle = run_cycle_q + {31'd0, running};
  always_ff @(posedge clk) if (running) run_cycle_q <= run_cycle;

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
