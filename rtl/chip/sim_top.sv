// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A fabric for simulation: the clock is the only port, everything else goes through C functions, so that a C program
// drives it without a wrapper (links/sim.c). A word of the register port is offered for one clock cycle; the answer
// is fetched after it.
`default_nettype none

module sim_top #(
    parameter integer KIND = 1,  // as in fabric_top, all of them
    parameter integer SIZE = 8,
    parameter integer FLIT_W = 32,
    parameter integer LENGTH_W = 16,
    parameter integer PROGRAM_DEPTH = 1024,
    parameter integer LOG_DEPTH = 2048,
    parameter integer SLOTS = 3,
    parameter integer SLOT_FLITS = 64,
    parameter integer COUNT_W = 32,
    parameter integer PASS_W = 16,
    parameter integer CYCLE_W = 32,
    parameter integer TALLY_W = 32,
    parameter integer STATE_W = 32,
    parameter integer PRESET_DEPTH = 0,
    parameter integer HISTORY_RUNS = 0
) (
    input bit clk
);
  bit rst = 1'b1;
  bit stb, we;
  bit [31:0] adr, dat_w;
  logic ack;
  // verilator lint_off UNUSEDSIGNAL
  logic stall, running, stuck;  // a simulation reads STATUS instead
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] dat_r;

  fabric_top #(
      .KIND(KIND),
      .SIZE(SIZE),
      .FLIT_W(FLIT_W),
      .LENGTH_W(LENGTH_W),
      .PROGRAM_DEPTH(PROGRAM_DEPTH),
      .LOG_DEPTH(LOG_DEPTH),
      .SLOTS(SLOTS),
      .SLOT_FLITS(SLOT_FLITS),
      .COUNT_W(COUNT_W),
      .PASS_W(PASS_W),
      .CYCLE_W(CYCLE_W),
      .TALLY_W(TALLY_W),
      .STATE_W(STATE_W),
      .PRESET_DEPTH(PRESET_DEPTH),
      .HISTORY_RUNS(HISTORY_RUNS),
      .GATED(1)
  ) u_chip (
      .clk(clk),
      .rst(rst),
      .wb_cyc(stb),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(dat_r),
      .running(running),
      .stuck(stuck)
  );

  export "DPI-C" function loom_sim_reset;
  export "DPI-C" function loom_sim_request;
  export "DPI-C" function loom_sim_release;
  export "DPI-C" function loom_sim_answer;
  export "DPI-C" function loom_sim_trace;

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

  function void loom_sim_trace(input string file);
    $dumpfile(file);
    $dumpvars;
  endfunction
endmodule

`default_nettype wire
