// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The schedule of an optical circuit switch: a memory of slots, each a matching of inputs with outputs and the cycles for which
// there is light by it, and the counters that go through them while a pass runs. ocs_switch has one.
//
// Latency: from the cycle after load = 1 on, there is light as slot 0 says. A slot that has had its cycles is followed by
// `dark` cycles without light, in which the mirrors turn, then by the next slot; with 0 of them the next slot follows at
// once. A slot of 0 cycles, and the end of the memory, end the schedule: it is dark from then on. Register read data is
// there two cycles after the request, and 0 in all other cycles.
//
// Ports:
// - load, run: from pass_sequencer: load (its `clear`) is 1 in the cycle before a pass begins, run while it is under way.
//   While run is 0 the counters stand still.
// - lit, to: in this cycle the light of input p leads to output to[p*TO_W +: TO_W], if lit[p] is 1.
// - crossed: with BENES = 1 how the switches of ocs_stages stand in this slot; else 0. They and `to` are written apart.
// - now: number of this cycle of the pass, 1 in the first one. slot: the slot that gives the light, or will give it next.
// - bus_*: bus_select is 1 for one cycle per access. Bits 23:12 of bus_address are a slot, bits 11:0 a word: below 0x400
//   the output of input `word` in bits 15:0, bit 31 that there is one, with BENES = 1 from 0x400
//   on how the 2x2 switches stand, stage by stage, each 32 in a word, a stage's first one in bit 0; 0x800 the cycles of the
//   slot; 0x801, of any slot, the cycles of darkness. Absent words read as 0 and are not written. A read replaces
//   `to`, `lit` and `crossed`: access it only while no pass runs, and never together with load.
//
// Reset: synchronous, one cycle; it is dark afterwards, the memory and the cycles of darkness keep what was written. Legal
// parameters: PORTS from 2 to 1024, DEPTH a power of two up to 4096; BENES 0, or 1 if PORTS is a power of two.
`default_nettype none

module ocs_schedule #(
    parameter integer PORTS = 4,  // inputs, and as many outputs, 2..1024
    parameter integer DEPTH = 256,  // slots, a power of two, 1..4096
    parameter integer BENES = 0,  // 1: a slot has settings of 2x2 switches, too
    localparam integer TO_W = $clog2(PORTS),
    localparam integer SWITCHES = BENES == 0 ? 1 : (2 * TO_W - 1) * (PORTS / 2)
) (
    input  wire                   clk,
    input  wire                   rst,
    // sequencer
    input  wire                   load,
    input  wire                   run,
    // light
    output logic [     PORTS-1:0] lit,
    output logic [PORTS*TO_W-1:0] to,
    output logic [  SWITCHES-1:0] crossed,
    output logic [          31:0] now,
    output logic [          11:0] slot,
    // register port
    input  wire                   bus_select,
    input  wire                   bus_write,
    input  wire  [          23:0] bus_address,
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [          31:0] bus_wdata,    // of an output's number only as many bits as it needs
    // verilator lint_on UNUSEDSIGNAL
    output logic [          31:0] bus_rdata
);
  if (PORTS < 2 || PORTS > 1024 || BENES != 0 && PORTS != 1 << TO_W) begin : g_PORTS illegal_PORTS u_illegal (); end
  if (BENES != 0 && BENES != 1) begin : g_BENES illegal_BENES u_illegal (); end
  if (DEPTH < 1 || DEPTH > 4096 || (DEPTH & (DEPTH - 1)) != 0) begin : g_DEPTH illegal_DEPTH u_illegal (); end

  localparam integer INDEX_W = DEPTH == 1 ? 1 : $clog2(DEPTH);
  localparam logic [11:0] CYCLES = 12'(regmap::CIRCUIT_CYCLES), DARK = 12'(regmap::CIRCUIT_DARK);

  logic [31:0] cycles_mem[DEPTH];
  logic [31:0] dark_q;  // cycles that a turn takes
  logic [31:0] left_q;  // cycles of light that are left of this slot; 0: the schedule has ended
  logic [31:0] turn_q;  // cycles of darkness before them

  wire known = bus_select && 32'(bus_address[23:12]) < DEPTH;
  wire ends = run && left_q == 32'd1 && turn_q == 32'd0;
  wire [11:0] next = load ? 12'd0 : slot + 12'd1;
  wire beyond = !load && 32'(slot) == DEPTH - 1;
  wire [INDEX_W-1:0] at = INDEX_W'(bus_select ? bus_address[23:12] : next);
  wire step = load || ends;
  wire read = step || bus_select && !bus_write;

  // The matching: a memory for each input.
  logic [PORTS-1:0] has_q;
  logic [PORTS*TO_W-1:0] to_q;
  for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic [TO_W:0] to_mem[DEPTH];
    logic [TO_W:0] word_q;
    assign {has_q[p], to_q[p*TO_W+:TO_W]} = word_q;
    always_ff @(posedge clk) begin
      if (known && bus_write && bus_address[11:0] == 12'(p)) to_mem[at] <= {bus_wdata[31], bus_wdata[TO_W-1:0]};
      if (read) word_q <= to_mem[at];
    end
  end

  // The settings of 2x2 switches, beside it: a word for 32 switches of a stage.
  localparam logic [11:0] SETTING = 12'(regmap::CIRCUIT_SETTING);
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] setting_rdata;
  logic [ 9:0] setting_q;
  // verilator lint_on UNUSEDSIGNAL
  if (BENES != 0) begin : g_settings
    localparam integer STAGES = 2 * TO_W - 1, WORDS = (PORTS / 2 + 31) / 32, BITS = PORTS / 2 < 32 ? PORTS / 2 : 32;
    logic [31:0] all[STAGES*WORDS];
    for (genvar s = 0; s < STAGES; s++) begin : g_stage
      for (genvar w = 0; w < WORDS; w++) begin : g_word
        logic [BITS-1:0] set_mem[DEPTH];
        logic [BITS-1:0] set_q;
        always_ff @(posedge clk) begin
          if (known && bus_write && bus_address[11:0] == SETTING + 12'(s * WORDS + w)) set_mem[at] <= bus_wdata[BITS-1:0];
          if (read) set_q <= set_mem[at];
        end
        assign crossed[s*(PORTS/2)+w*32+:BITS] = set_q;
        assign all[s*WORDS+w] = 32'(set_q);
      end
    end
    always_comb begin
      setting_rdata = '0;
      for (int i = 0; i < STAGES * WORDS; i++) if (setting_q == 10'(i)) setting_rdata = all[i];
    end
  end else begin : g_mirrors
    assign crossed = '0;
    assign setting_rdata = '0;
  end

  assign to  = to_q;
  assign lit = left_q != 32'd0 && turn_q == 32'd0 ? has_q : '0;

  always_ff @(posedge clk) begin
    if (known && bus_write && bus_address[11:0] == CYCLES) cycles_mem[at] <= bus_wdata;
    if (bus_select && bus_write && bus_address[11:0] == DARK) dark_q <= bus_wdata;

    if (run) begin
      now <= now + 32'd1;
      if (turn_q != 32'd0) turn_q <= turn_q - 32'd1;
      else if (left_q != 32'd0) left_q <= left_q - 32'd1;
    end
    if (step) begin
      slot   <= next;
      left_q <= beyond ? '0 : cycles_mem[at];
      turn_q <= load ? '0 : dark_q;
    end
    if (load) now <= 32'd1;
    if (rst) begin
      left_q <= '0;
      turn_q <= '0;
      slot   <= '0;
      now    <= '0;
    end
  end

  // The answer.
  logic selected_q, light_q, setting_asked_q, cycles_asked_q, dark_asked_q;
  logic [TO_W-1:0] port_q;
  logic [31:0] other_q;
  always_ff @(posedge clk) begin
    if (bus_select || selected_q || |bus_rdata) begin
      selected_q <= bus_select && !bus_write;
      light_q <= known && 32'(bus_address[11:0]) < PORTS;
      setting_asked_q <= known && bus_address[11:10] == SETTING[11:10];
      setting_q <= 10'(bus_address[11:0] - SETTING);
      cycles_asked_q <= known && bus_address[11:0] == CYCLES;
      dark_asked_q <= bus_address[11:0] == DARK;
      port_q <= bus_address[TO_W-1:0];
      other_q <= cycles_mem[at];
      bus_rdata <= '0;
      if (selected_q && light_q) bus_rdata <= {has_q[port_q], 31'(to_q[port_q*TO_W+:TO_W])};
      if (selected_q && !light_q && setting_asked_q) bus_rdata <= setting_rdata;
      if (selected_q && !light_q && cycles_asked_q) bus_rdata <= other_q;
      if (selected_q && !light_q && dark_asked_q) bus_rdata <= dark_q;
    end
    if (rst) begin
      selected_q <= 1'b0;
      bus_rdata  <= '0;
    end
  end

`ifdef FORMAL
  // Against a count of the cycles of each slot: light for as long as it says, then darkness for as long as a turn takes,
  // and the matching is another one only after it has begun. A word is read back as it was written last.
  logic [1:0] f_age = 2'd0;  // cycles, 3 or more: 3
  logic f_runs;  // a pass has been loaded
  logic [31:0] f_light, f_dark;  // cycles of this slot that had light, and those of darkness before it
  logic f_ended;
  (* anyconst *) logic [23:0] f_address;
  logic f_written = 1'b0;
  logic [31:0] f_word;
  wire [11:0] f_at = f_address[23:12];
  wire f_matching = f_address[11:0] == '0 && 32'(f_at) < DEPTH;  // of input 0
  wire f_setting = BENES != 0 && f_address[11:0] == SETTING && 32'(f_at) < DEPTH;  // of the first switches of the first stage
  localparam integer F_SET_W = PORTS / 2 < 32 ? PORTS / 2 : 32;
  wire f_cycles = f_address[11:0] == CYCLES && 32'(f_at) < DEPTH;

  logic [31:0] f_set_word;  // as it is kept
  if (BENES != 0) begin : g_f_set
    assign f_set_word = 32'(g_settings.g_stage[0].g_word[0].set_mem[f_at[INDEX_W-1:0]]);
  end else begin : g_f_none
    assign f_set_word = '0;
  end

  always_ff @(posedge clk) begin
    if (!(&f_age)) f_age <= f_age + 2'd1;
    if ($initstate) assume (rst);
    assume (!load || !run && !bus_select);
    assume (!run || !bus_select);
    if (!$initstate && $past(load) && !$past(rst)) assume (run);
    if (!$initstate && run && !$past(run)) assume ($past(load));
    assume (!rst || !load && !run);

    if (bus_select && bus_write && (bus_address == f_address || f_address[11:0] == DARK && bus_address[11:0] == DARK)) begin
      f_written <= 1'b1;
      f_word <= f_matching ? {bus_wdata[31], 31'(bus_wdata[TO_W-1:0])} : f_setting ? 32'(bus_wdata[F_SET_W-1:0]) : bus_wdata;
    end

    f_runs <= !rst && (load || f_runs && (run || load));
    if ($initstate) f_runs <= 1'b0;
    if (load) begin
      f_light <= '0;
      f_dark  <= '0;
      f_ended <= 1'b0;
    end else if (run) begin
      if (left_q == '0) f_ended <= 1'b1;
      else if (turn_q != '0) f_dark <= f_dark + 32'd1;
      else f_light <= f_light + 32'd1;
      if (ends) {f_light, f_dark} <= '0;
    end

    if (!$initstate && f_runs && run) begin
      if (left_q == '0 || turn_q != '0) assert (lit == '0);
      if (left_q != '0 && turn_q == '0) begin
        assert (lit == has_q && f_light + left_q == cycles_mem[INDEX_W'(slot)]);
        assert (slot == '0 ? f_dark == '0 : f_dark == dark_q);
      end
      if (f_ended) assert (left_q == '0);
      if ($past(run) && !$past(load) && $past(lit) != '0 && (to != $past(to) || has_q != $past(has_q))) begin
        assert (slot == $past(slot) + 12'd1 && $past(left_q) == 32'd1);
        assert (turn_q == dark_q || left_q == '0);
      end
      if ($past(load)) assert (slot == '0 && now == 32'd1 && left_q == cycles_mem[0]);
      else assert (now == $past(now) + 32'd1);
      // For the induction.
      if (left_q != '0) assert (turn_q == '0 ? 1'b1 : f_light == '0 && left_q == cycles_mem[INDEX_W'(slot)]);
      if (left_q != '0 && slot != '0) assert (f_dark + turn_q == dark_q);
      if (left_q != '0 && slot == '0) assert (f_dark == '0 && turn_q == '0);
      assert (32'(slot) < DEPTH || left_q == '0);
      if (left_q != '0 && f_written && f_matching && slot == f_at)
        assert ({has_q[0], 31'(to_q[TO_W-1:0])} == f_word);
      if (BENES != 0 && left_q != '0 && f_written && f_setting && slot == f_at) assert (32'(crossed[F_SET_W-1:0]) == f_word);
      if ($past(run) && !$past(load) && $past(lit) != '0 && crossed != $past(crossed)) assert ($past(left_q) == 32'd1);
    end
    if (!$initstate && !$past(rst) && f_age > 2'd2) begin
      if ((f_matching || f_setting || f_cycles || f_address[11:0] == DARK) && !$past(rst, 2) && !$past(bus_select && bus_write) &&
          $past(bus_select && !bus_write && bus_address == f_address && f_written, 2))
        assert (bus_rdata == $past(f_word, 2));
      if (!$past(bus_select && !bus_write, 2)) assert (bus_rdata == '0);
    end
    // For the induction.
    if (!$initstate && f_written && f_matching)
      assert ({g_port[0].to_mem[f_at[INDEX_W-1:0]][TO_W], 31'(g_port[0].to_mem[f_at[INDEX_W-1:0]][TO_W-1:0])} == f_word);
    if (!$initstate && f_written && f_setting) assert (f_set_word == f_word);
    if (!$initstate && f_written && f_cycles) assert (cycles_mem[f_at[INDEX_W-1:0]] == f_word);
    if (!$initstate && f_written && f_address[11:0] == DARK) assert (dark_q == f_word);

    cover (!$initstate && run && slot == 12'd1 && turn_q == '0 && lit != '0 && dark_q == 32'd2 && to != '0);
    cover (!$initstate && run && f_ended && 32'(slot) == 2);
  end
`endif
endmodule

`default_nettype wire
