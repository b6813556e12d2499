// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The settings of one stage's switches in each pass, written by the host: a memory of a bit per pass and switch, read
// when a pass begins. min_network has one per stage if PRESET_DEPTH is not 0; the bits matter only with CONFIG.PRESET.
//
// Latency: `crossed` holds the bits of pass `pass` from the cycle after load = 1, until the next load or the next read
// over the register port. Register read data is there two cycles after the request, and 0 in all other cycles.
//
// Ports:
// - load, pass: load is 1 for one cycle, before the first header of the pass comes. Passes beyond DEPTH use the table
//   again from its beginning (pass modulo DEPTH).
// - crossed: one bit per switch, 1: its lines are crossed. After reset it means nothing before the first load.
// - bus_*: bus_select is 1 for one cycle per access. bus_address is 16*pass + word; bit i of word w is switch 32*w+i.
//   Bits beyond SWITCHES or DEPTH read as 0 and are not written. A read replaces `crossed`, and an access must not
//   come together with load: access it only while no pass runs.
//
// Reset clears the answer only; the memory keeps what was written. Legal parameters: all combinations of SWITCHES from
// 1 to 512 and DEPTH, a power of two up to 4096.
`default_nettype none

module min_preset #(
    parameter integer SWITCHES = 4,  // switches of the stage, 1..512
    parameter integer DEPTH = 256  // passes, a power of two, 1..4096
) (
    input  wire                 clk,
    input  wire                 rst,
    // sequencer
    input  wire                 load,         // a pass begins: read its settings
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        15:0] pass,         // only as many low bits as DEPTH needs are used
    // verilator lint_on UNUSEDSIGNAL
    output logic [SWITCHES-1:0] crossed,      // 1: the two lines of the switch are exchanged
    // register port
    input  wire                 bus_select,
    input  wire                 bus_write,
    input  wire  [        15:0] bus_address,  // 16*pass + word
    // verilator lint_off UNUSEDSIGNAL
    input  wire  [        31:0] bus_wdata,    // a bit per switch; high bits without a switch are unused
    // verilator lint_on UNUSEDSIGNAL
    output logic [        31:0] bus_rdata
);
  if (SWITCHES < 1 || SWITCHES > 512) begin : g_SWITCHES illegal_SWITCHES u_illegal (); end
  if (DEPTH < 1 || DEPTH > 4096 || (DEPTH & (DEPTH - 1)) != 0) begin : g_DEPTH illegal_DEPTH u_illegal (); end

  localparam integer WORDS = (SWITCHES + 31) / 32;
  localparam integer INDEX_W = DEPTH == 1 ? 1 : $clog2(DEPTH);
  localparam logic [11:0] LAST = 12'(DEPTH - 1);

  wire [11:0] asked = bus_select ? bus_address[15:4] : pass[11:0];
  wire [INDEX_W-1:0] at = INDEX_W'(asked & LAST);
  wire known = bus_select && 32'(bus_address[15:4]) < DEPTH;
  wire read = load || bus_select && !bus_write;

  logic [32*WORDS-1:0] word_q;
  logic [3:0] index_q;
  logic selected_q;

  for (genvar w = 0; w < WORDS; w++) begin : g_word
    localparam integer BITS = SWITCHES - 32 * w < 32 ? SWITCHES - 32 * w : 32;
    logic [BITS-1:0] settings_mem[DEPTH];
    logic [BITS-1:0] bits_q;
    assign word_q[32*w+:32] = 32'(bits_q);
    assign crossed[32*w+:BITS] = bits_q;
    always_ff @(posedge clk) begin
      if (known && bus_write && bus_address[3:0] == 4'(w)) settings_mem[at] <= bus_wdata[BITS-1:0];
      if (read) bits_q <= settings_mem[at];
    end
  end

  logic [31:0] word;
  always_comb begin
    word = '0;
    for (int w = 0; w < WORDS; w++) if (index_q == 4'(w)) word = word_q[32*w+:32];
  end

  always_ff @(posedge clk) begin
    if (bus_select || selected_q || |bus_rdata) begin
      selected_q <= known && !bus_write;
      index_q <= bus_address[3:0];
      bus_rdata <= selected_q ? word : '0;
    end
    if (rst) begin
      selected_q <= 1'b0;
      bus_rdata  <= '0;
    end
  end

`ifdef FORMAL
  // One switch in one pass (any): its bit as it was written last, in `crossed` and over the register port.
  (* anyconst *) logic [8:0] f_switch;
  (* anyconst *) logic [11:0] f_pass;
  logic f_written = 1'b0, f_bit, f_loaded;
  wire f_here = bus_address == {f_pass, 4'(f_switch >> 5)};
  wire f_asked = bus_select && !bus_write;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_switch) < SWITCHES && 32'(f_pass) < DEPTH);
    assume (!load || !bus_select);
    if (bus_select && bus_write && f_here) begin
      f_written <= 1'b1;
      f_bit <= bus_wdata[f_switch[4:0]];
    end
    f_loaded <= load && (pass[11:0] & LAST) == f_pass && f_written && !rst || f_loaded && !load && !bus_select && !rst;
    if ($initstate) f_loaded <= 1'b0;

    if (!$initstate) begin
      if (f_loaded) assert (crossed[f_switch] == f_bit);
      if ($past(!$initstate) && $past(f_asked && f_here && f_written && !rst, 2) && !$past(rst) &&
          !$past(bus_select && bus_write))
        assert (bus_rdata[f_switch[4:0]] == f_bit);
      if ($past(!$initstate) && !$past(rst) && !$past(rst, 2) && !$past(f_asked && 32'(bus_address[15:4]) < DEPTH, 2))
        assert (bus_rdata == '0);

      // For the induction; a word of the table is enough.
      if (f_written && f_switch < 9'd32) assert (g_word[0].settings_mem[f_pass[INDEX_W-1:0]][f_switch[4:0]] == f_bit);

      cover (f_loaded && crossed[f_switch] && $past(!crossed[f_switch]) && pass[11:0] != f_pass);
      cover (bus_rdata != '0 && $past(f_asked && f_here, 2));
    end
  end
`endif
endmodule

`default_nettype wire
