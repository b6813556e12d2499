// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// A multistage network of 2x2 switches, 2^SIZE inputs and outputs in SIZE stages: the stages (min_switch), their
// settings (min_preset), histories, and the wiring between stages. Inputs and outputs are plain streams; fabric
// puts a node at each. It can be used alone, as a self-routing switch of 2^SIZE ports.
//
// Latency: one cycle per stage: a message of F flits that meets no other, offered in cycle 1, has its tail out in cycle
// F + SIZE. Throughput: one flit per cycle on every line. Register read data is there three cycles after the request.
//
// Lines are numbered as in the network's drawings: switch k of a stage has lines 2k and 2k+1. Every link between two
// stages moves the bits of a line's number (`link_bit`), and that alone tells one network from another. Inside, a line
// is called by its place instead: the number of the input that it starts from when all switches are straight. In these
// numbers a link leaves every line where it is, and a stage pairs the places that differ in one bit.
//
// KIND 8 is an omega network that can be passed forward or, with backward = 1, as the inverse omega network: that is
// the omega network with the bits of all node numbers in reverse, so node u is then connected where node u reversed
// was.
//
// Ports, node u in bits [u*FLIT_W +: FLIT_W] of a flit bus and in bit u of the others:
// - in_*, out_*: streams as in wh_router. The low SIZE bits of a header are the destination; the rest, and all other
//   flits, are the user's. All destinations are legal. Between one input and one output order is kept.
// - clk, net_clk: tie both to the same clock. A simulator may stop net_clk while no flit is held or offered (clock_gate).
// - paper, out_empty: see wh_output; tie both to 0 for the plain timing. in_empty may be left open.
// - preset, backward: see min_switch; constant while flits are under way. Tie both to 0 for self-routing. preset = 1
//   without PRESET_DEPTH sets all switches straight.
// - load, pass, forget, record, by_pass, inject_*, bus_*: for PRESET_DEPTH and HISTORY_RUNS. With both 0 tie them to 0
//   and leave bus_rdata open; it is then 0. load is 1 in the cycle before a pass begins (pass_sequencer's clear);
//   forget, record and by_pass are of history, the first its `clear`; inject_* observe the channels into the network,
//   one per node. bus_* as in node_tile: spaces SWITCH (stage in bits 27:16) and HISTORY (tile in bits 27:16) of
//   docs/registers.md.
// - obs_*: observation of channel k of tile j at bit j*SIZE+k: the line j behind stage k; k = SIZE-1 is the line that
//   ends at node j. busy: a flit is held. May be left open.
//
// Reset: synchronous, one cycle is enough. Legal parameters: KIND from 2 to 8 with SIZE from 1 to 10 and FLIT_W >=
// SIZE; histories need FLIT_W > 2*SIZE+RULE_W+2, where the message number of flitloom's headers begins (header_fields).
// Compile chip/header_fields.sv and chip/regmap.sv before this file, even where no register is used: they are packages.
// The file list rtl/min_network.f does so.
//
// Over 400 lines because the proof of this contract stands at the end.
//
// Example:
//   // A self-routing omega network of 8 ports.
//   min_network #(.KIND(3), .SIZE(3), .FLIT_W(16)) u_network (
//       .clk(clk), .net_clk(clk), .rst(rst), .paper(1'b0), .preset(1'b0), .backward(1'b0),
//       .load(1'b0), .pass(16'd0), .forget(1'b0), .record(1'b0), .by_pass(1'b0), .inject_worm(8'd0), .inject_blocked(8'd0),
//       .bus_request(1'b0), .bus_write(1'b0), .bus_address(32'd0), .bus_wdata(32'd0), .bus_rdata(),
//       .in_flit(in_flit), .in_last(in_last), .in_valid(in_valid), .in_ready(in_ready), .in_empty(),
//       .out_flit(out_flit), .out_last(out_last), .out_valid(out_valid), .out_ready(out_ready), .out_empty(8'd0),
//       .obs_worm(), .obs_flit(), .obs_blocked(), .busy());
`default_nettype none

module min_network #(
    parameter integer KIND = 3,  // 2 baseline, 3 omega, 4 indirect cube, 5, 6, 7 the reverse of each, 8 omega both ways
    parameter integer SIZE = 3,  // stages, 1..10
    parameter integer FLIT_W = 32,  // bits of a flit, >= SIZE; the destination is its low SIZE bits
    parameter integer BUFFERS = 2,  // as in min_switch
    parameter integer RULE_W = 1,  // bits of the rule in flitloom's headers, for histories, 1..4
    parameter integer SLOTS = 3,  // of a node's store, for the same, 1..15
    parameter integer PRESET_DEPTH = 0,  // passes for which switches can be set, 0 or a power of two up to 4096
    parameter integer HISTORY_RUNS = 0,  // entries of a channel's history, 0 or as in history
    localparam integer NUMBER_LOW = header_fields::number_low(SIZE, RULE_W, SLOTS),
    localparam integer NODES = 1 << SIZE
) (
    input  wire                     clk,          // of the register port and what it reads
    input  wire                     net_clk,      // of the switches: clk, or less of it
    input  wire                     rst,
    input  wire                     paper,        // as in min_switch
    input  wire                     preset,       // switches are as the host set them; tie to 0 without presets
    // verilator lint_off UNUSEDSIGNAL
    input  wire                     backward,     // pass the inverse network, KIND 8 only; constant while flits are under way
    // sequencer, for presets and histories if there are any
    input  wire                     load,         // a pass begins in the next cycle
    input  wire  [            15:0] pass,
    input  wire                     forget,       // a run begins: its histories are empty
    input  wire                     record,       // a run is under way of which histories are kept
    input  wire                     by_pass,      // they tell passes apart by `pass`, not by message numbers
    input  wire  [       NODES-1:0] inject_worm,  // observation of the injection channels
    input  wire  [       NODES-1:0] inject_blocked,
    // register port, for the same
    input  wire                     bus_request,
    input  wire                     bus_write,
    input  wire  [            31:0] bus_address,
    input  wire  [            31:0] bus_wdata,
    // verilator lint_on UNUSEDSIGNAL
    output logic [            31:0] bus_rdata,
    // streams in, by node
    input  wire  [NODES*FLIT_W-1:0] in_flit,
    input  wire  [       NODES-1:0] in_last,
    input  wire  [       NODES-1:0] in_valid,
    output logic [       NODES-1:0] in_ready,
    output logic [       NODES-1:0] in_empty,
    // streams out, by node
    output logic [NODES*FLIT_W-1:0] out_flit,
    output logic [       NODES-1:0] out_last,
    output logic [       NODES-1:0] out_valid,
    input  wire  [       NODES-1:0] out_ready,
    input  wire  [       NODES-1:0] out_empty,
    // observation of channel k of tile j at bit j*SIZE+k: line j of stage k; k = SIZE-1: the line that ends at node j
    output logic [  NODES*SIZE-1:0] obs_worm,
    output logic [  NODES*SIZE-1:0] obs_flit,
    output logic [  NODES*SIZE-1:0] obs_blocked,
    output logic                    busy          // a flit is held
);
  localparam integer BASELINE = 2, OMEGA = 3, ICUBE = 4, RBASELINE = 5, ROMEGA = 6, RICUBE = 7, BENES = 8;
  localparam integer FORWARD = KIND == BENES ? OMEGA : KIND;
  localparam integer BACKWARD = KIND == BENES ? ROMEGA : KIND;

  if (KIND < BASELINE || KIND > BENES) begin : g_KIND illegal_KIND u_illegal (); end
  if (SIZE < 1 || SIZE > 10) begin : g_SIZE illegal_SIZE u_illegal (); end
  if (FLIT_W < SIZE) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  // Gives the place to which bit i of a line's number goes on the link before stage s; s = SIZE: after the last stage.
  function automatic integer link_bit(input integer kind, input integer s, input integer i);
    link_bit = i;
    case (kind)
      // the low SIZE-s+1 bits turn right
      BASELINE: if (s > 0 && s < SIZE && i <= SIZE - s) link_bit = i == 0 ? SIZE - s : i - 1;
      // all turn left
      OMEGA: if (s < SIZE) link_bit = i == SIZE - 1 ? 0 : i + 1;
      // bit 0 and bit s change places
      ICUBE: if (s > 0 && s < SIZE) link_bit = i == 0 ? s : i == s ? 0 : i;
      // the low s+1 bits turn left
      RBASELINE: if (s > 0 && s < SIZE && i <= s) link_bit = i == s ? 0 : i + 1;
      // all turn right
      ROMEGA: if (s > 0) link_bit = i == 0 ? SIZE - 1 : i - 1;
      // bit 0 and bit SIZE-s change places
      RICUBE: if (s > 0 && s < SIZE) link_bit = i == 0 ? SIZE - s : i == SIZE - s ? 0 : i;
      default: link_bit = i;
    endcase
  endfunction

  // Bit i of a place is bit BITS[(s*SIZE+i)*4+:4] of the line's number at stage s; s = SIZE: of the node's.
  function automatic [(SIZE+1)*SIZE*4-1:0] follow(input integer kind);
    integer i, s, at;
    follow = '0;
    for (i = 0; i < SIZE; i = i + 1) begin
      at = kind == KIND || kind == FORWARD ? i : SIZE - 1 - i;
      for (s = 0; s <= SIZE; s = s + 1) begin
        at = link_bit(kind, s, at);
        follow = follow | ((SIZE + 1) * SIZE * 4)'(at) << (s * SIZE + i) * 4;
      end
    end
  endfunction
  localparam [(SIZE+1)*SIZE*4-1:0] BITS = follow(FORWARD), BITS_BACK = follow(BACKWARD);

  // The bit of a place which is bit 0 of the line's number at stage s: there a switch chooses.
  function automatic integer choosing(input integer s);
    integer i;
    choosing = 0;
    for (i = 0; i < SIZE; i = i + 1) if (BITS[(s*SIZE+i)*4+:4] == 4'd0) choosing = i;
  endfunction

  // Stage s's line number of a place, and back; s = SIZE: the node at which it ends. `reverse` is of node numbers.
  function automatic integer line_of(input [(SIZE+1)*SIZE*4-1:0] bits, input integer s, input integer place);
    integer i;
    line_of = 0;
    for (i = 0; i < SIZE; i = i + 1) if (((place >> i) & 1) != 0) line_of = line_of | 1 << bits[(s*SIZE+i)*4+:4];
  endfunction
  function automatic integer place_of(input [(SIZE+1)*SIZE*4-1:0] bits, input integer s, input integer line);
    integer i;
    place_of = 0;
    for (i = 0; i < SIZE; i = i + 1) if (((line >> bits[(s*SIZE+i)*4+:4]) & 1) != 0) place_of = place_of | 1 << i;
  endfunction
  function automatic integer reverse(input integer node);
    integer i;
    reverse = 0;
    for (i = 0; i < SIZE; i = i + 1) if (((node >> i) & 1) != 0) reverse = reverse | 1 << (SIZE - 1 - i);
  endfunction

  // The links by place, [s] before stage s; [SIZE] after the last.
  logic [NODES*FLIT_W-1:0] flit[SIZE+1];
  logic [NODES-1:0] last[SIZE+1], valid[SIZE+1], ready[SIZE+1], empty[SIZE+1];
  // Signals of stage s, by place.
  logic [NODES-1:0] worm[SIZE], moves[SIZE], blocked[SIZE];
  logic [SIZE-1:0] tile_worm[NODES], tile_moves[NODES], tile_blocked[NODES];  // by tile
  logic [SIZE-1:0] holds;
  logic [31:0] rdata[SIZE];

  wire back = KIND == BENES && backward;

  wire [NODES*FLIT_W-1:0] end_flit = flit[SIZE];
  wire [NODES-1:0] end_valid = valid[SIZE];
  always_comb begin
    out_flit = '0;
    for (int p = 0; p < NODES; p++)
      if (end_valid[p])
        out_flit[(back?line_of(BITS_BACK, SIZE, p) : line_of(BITS, SIZE, p))*FLIT_W+:FLIT_W] = end_flit[p*FLIT_W+:FLIT_W];
  end

  if (KIND == BENES) begin : g_both_ways
    for (genvar p = 0; p < NODES; p++) begin : g_start
      localparam integer REVERSE = reverse(p);
      assign flit[0][p*FLIT_W+:FLIT_W] = back ? in_flit[REVERSE*FLIT_W+:FLIT_W] : in_flit[p*FLIT_W+:FLIT_W];
      assign last[0][p] = back ? in_last[REVERSE] : in_last[p];
      assign valid[0][p] = back ? in_valid[REVERSE] : in_valid[p];
      assign in_ready[p] = back ? ready[0][REVERSE] : ready[0][p];
      assign in_empty[p] = back ? empty[0][REVERSE] : empty[0][p];
    end
  end else begin : g_one_way
    assign flit[0]  = in_flit;
    assign last[0]  = in_last;
    assign valid[0] = in_valid;
    assign in_ready = ready[0];
    assign in_empty = empty[0];
  end

  for (genvar u = 0; u < NODES; u++) begin : g_end
    localparam integer PLACE = place_of(BITS, SIZE, u), PLACE_BACK = place_of(BITS_BACK, SIZE, u);
    assign out_last[u] = back ? last[SIZE][PLACE_BACK] : last[SIZE][PLACE];
    assign out_valid[u] = back ? valid[SIZE][PLACE_BACK] : valid[SIZE][PLACE];
  end
  for (genvar p = 0; p < NODES; p++) begin : g_last
    localparam integer NODE = line_of(BITS, SIZE, p), NODE_BACK = line_of(BITS_BACK, SIZE, p);
    assign ready[SIZE][p] = back ? out_ready[NODE_BACK] : out_ready[NODE];
    assign empty[SIZE][p] = back ? out_empty[NODE_BACK] : out_empty[NODE];
  end

`ifdef LOOM_WAVES
  // verilator lint_off PINMISSING
  // The lines that leave the stages but the last, by their numbers in the omega network's or this one's drawing, where
  // headers are wide enough to be flitloom's.
  for (genvar s = 0; s + 1 < SIZE && NODES <= 64 && FLIT_W > NUMBER_LOW; s++) begin : g_after_stage
    for (genvar line = 0; line < NODES; line++) begin : g_line
      localparam integer PLACE = place_of(BITS, s, line);
      header_view #(
          .LABEL_W(SIZE),
          .RULE_W (RULE_W),
          .SLOTS(SLOTS),
          .FLIT_W (FLIT_W)
      ) view_out (
          .clk, .rst,
          .flit(flit[s+1][PLACE*FLIT_W+:FLIT_W]),
          .last(last[s+1][PLACE]),
          .valid(valid[s+1][PLACE]),
          .ready(ready[s+1][PLACE])
      );
    end
  end
  // verilator lint_on PINMISSING
`endif

  for (genvar s = 0; s < SIZE; s++) begin : g_stage
    localparam integer BIT = choosing(s);
    logic [NODES-1:0] crossed;

    min_switch #(
        .SWITCHES(NODES / 2), .SPAN(1 << BIT), .TAG(32'(BITS[(SIZE*SIZE+BIT)*4+:4])),
        .TAG_BACK(32'(BITS_BACK[(SIZE*SIZE+BIT)*4+:4])), .FLIT_W(FLIT_W), .BUFFERS(BUFFERS)
    ) u_switch (
        .clk(net_clk),
        .rst, .paper,
        .backward(back),
        .preset, .crossed,
        .in_flit(flit[s]),
        .in_last(last[s]),
        .in_valid(valid[s]),
        .in_ready(ready[s]),
        .in_empty(empty[s]),
        .out_flit(flit[s+1]),
        .out_last(last[s+1]),
        .out_valid(valid[s+1]),
        .out_ready(ready[s+1]),
        .out_empty(empty[s+1]),
        .obs_worm(worm[s]),
        .obs_flit(moves[s]),
        .obs_blocked(blocked[s]),
        .busy(holds[s])
    );

    // From the switches' numbers to places. Looked at only with `preset`, so that a simulator skips it else.
    if (PRESET_DEPTH != 0) begin : g_preset
      logic [NODES/2-1:0] settings;
      min_preset #(.SWITCHES(NODES / 2), .DEPTH(PRESET_DEPTH)) u_preset (
          .clk, .rst, .load, .pass,
          .crossed(settings),
          .bus_select(bus_request && bus_address[31:28] == regmap::SPACE_SWITCH && bus_address[27:16] == 12'(s)),
          .bus_write,
          .bus_address(bus_address[15:0]),
          .bus_wdata,
          .bus_rdata(rdata[s])
      );
      always_comb begin
        crossed = '0;
        if (preset && back) for (int p = 0; p < NODES; p++) crossed[p] = settings[line_of(BITS_BACK, s, p)/2];
        else if (preset) for (int p = 0; p < NODES; p++) crossed[p] = settings[line_of(BITS, s, p)/2];
      end
    end else begin : g_no_preset
      assign crossed  = '0;
      assign rdata[s] = '0;
    end
  end

  for (genvar j = 0; j < NODES; j++) begin : g_tile
    for (genvar k = 0; k < SIZE; k++) begin : g_channel
      localparam integer AT = k < SIZE - 1 ? k : SIZE;
      localparam integer PLACE = place_of(BITS, AT, j), PLACE_BACK = place_of(BITS_BACK, AT, j);
      assign tile_worm[j][k] = back ? worm[k][PLACE_BACK] : worm[k][PLACE];
      assign tile_moves[j][k] = back ? moves[k][PLACE_BACK] : moves[k][PLACE];
      assign tile_blocked[j][k] = back ? blocked[k][PLACE_BACK] : blocked[k][PLACE];
    end
  end

  always_comb begin : observe
    logic [NODES*SIZE-1:0] w, f, b;
    w = '0;
    f = '0;
    b = '0;
    for (int j = 0; j < NODES; j++) begin
      w[j*SIZE+:SIZE] = tile_worm[j];
      f[j*SIZE+:SIZE] = tile_moves[j];
      b[j*SIZE+:SIZE] = tile_blocked[j];
    end
    obs_worm = w;
    obs_flit = f;
    obs_blocked = b;
  end

  assign busy = |holds;

  // Histories, by place too. Channel k of tile j is that of the place which has line j behind stage k; k = SIZE:
  // injection.
  logic [31:0] told[SIZE+1];
  if (HISTORY_RUNS != 0) begin : g_histories
    wire ask = bus_request && !bus_write && bus_address[31:28] == regmap::SPACE_HISTORY && 32'(bus_address[27:16]) < NODES;
    wire [SIZE-1:0] tile = bus_address[16+:SIZE];
    for (genvar k = 0; k <= SIZE; k++) begin : g_channel
      localparam integer AT = k < SIZE - 1 ? k : SIZE, BIT_W = SIZE == 1 ? 1 : $clog2(SIZE);
      logic [SIZE-1:0] place;
      always_comb begin
        place = '0;
        if (k == SIZE) place = tile;
        else for (int i = 0; i < SIZE; i++) place[i] = tile[BIT_W'(back?BITS_BACK[(AT*SIZE+i)*4+:4] : BITS[(AT*SIZE+i)*4+:4])];
      end
      history #(.CHANNELS(NODES), .RUNS(HISTORY_RUNS), .FLIT_W(FLIT_W), .NUMBER_LOW(NUMBER_LOW)) u_history (
          .clk, .rst,
          .clear(forget),
          .record, .by_pass, .pass,
          .flit(k == SIZE ? in_flit : flit[k == SIZE ? 0 : k + 1]),
          .obs_worm(k == SIZE ? inject_worm : worm[k == SIZE ? 0 : k]),
          .obs_flit(k == SIZE ? in_valid & in_ready : moves[k == SIZE ? 0 : k]),
          .obs_blocked(k == SIZE ? inject_blocked : blocked[k == SIZE ? 0 : k]),
          .bus_select(ask && bus_address[15:11] == 5'(k)),
          .bus_channel(place),
          .bus_word(bus_address[10:0]),
          .bus_rdata(told[k])
      );
    end
  end else begin : g_no_history
    for (genvar k = 0; k <= SIZE; k++) begin : g_channel
      assign told[k] = '0;
    end
  end

  logic [31:0] any;
  always_comb begin
    any = told[SIZE];
    for (int s = 0; s < SIZE; s++) any = any | rdata[s] | told[s];
  end
  always_ff @(posedge clk) bus_rdata <= any;

`ifdef FORMAL
  // Self-routing, from one input (any) to one output (any): all that goes in comes out, in order, there and nowhere
  // else, and no other worm comes between the flits of one. Every flit carries destination, source and, from this
  // input to this output, its number.
  localparam integer F_NUMBER = 2 * SIZE;
  localparam integer F_NUMBER_W = FLIT_W - F_NUMBER;
  (* anyconst *) logic [SIZE-1:0] f_from, f_to;
  logic [F_NUMBER_W-1:0] f_in, f_out;
  logic f_sends, f_open;  // in the middle of a worm
  logic [SIZE-1:0] f_target, f_owner;
  wire [FLIT_W-1:0] f_offer = in_flit[f_from*FLIT_W+:FLIT_W];
  wire [FLIT_W-1:0] f_comes = out_flit[f_to*FLIT_W+:FLIT_W];
  wire f_mine = f_offer[SIZE-1:0] == f_to;
  wire f_crosses = out_valid[f_to] && out_ready[f_to];

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume ((out_empty & ~out_ready) == '0);
    assume (!preset);
    if (!$initstate) assume ($stable(paper) && $stable(backward));
    for (int i = 0; i < NODES; i++) assume (in_flit[i*FLIT_W+SIZE+:SIZE] == SIZE'(i));
    if (in_valid[f_from] && f_mine) assume (f_offer[F_NUMBER+:F_NUMBER_W] == f_in);
    if (f_sends) assume (f_offer[SIZE-1:0] == f_target);

    if (in_valid[f_from] && in_ready[f_from]) begin
      f_sends  <= !in_last[f_from];
      f_target <= f_offer[SIZE-1:0];
      if (f_mine) f_in <= f_in + 1'b1;
    end
    if (f_crosses) begin
      f_open  <= !out_last[f_to];
      f_owner <= f_comes[SIZE+:SIZE];
      if (f_comes[SIZE+:SIZE] == f_from) f_out <= f_out + 1'b1;
    end
    if (rst) begin
      f_in <= '0;
      f_out <= '0;
      f_sends <= 1'b0;
      f_open <= 1'b0;
    end

    if (!$initstate) begin
      if (out_valid[f_to] && f_comes[SIZE+:SIZE] == f_from) begin
        assert (f_comes[SIZE-1:0] == f_to && f_comes[F_NUMBER+:F_NUMBER_W] == f_out && f_in != f_out);
      end
      if (out_valid[f_to] && f_open) assert (f_comes[SIZE+:SIZE] == f_owner);
      if (f_in != f_out) assert (busy);
      if (!$past(rst) && $past(out_valid[f_to] && !out_ready[f_to])) begin
        assert (out_valid[f_to] && out_last[f_to] == $past(out_last[f_to]));
        assert (f_comes == $past(f_comes));
      end
      assert (obs_flit[f_to*SIZE+SIZE-1] == f_crosses);
      assert (obs_worm[f_to*SIZE+SIZE-1] == (f_crosses && !f_open));

      cover (f_out == F_NUMBER_W'(2) && f_owner != f_from && f_open);
      cover (&(out_valid & out_ready));
    end
  end
`endif
endmodule

`default_nettype wire
