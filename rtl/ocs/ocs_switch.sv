// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// An optical circuit switch: a crossbar of PORTS inputs and outputs whose mirrors are set by a schedule (ocs_schedule) and by
// nothing else. There is no buffer and no back-pressure: a flit that comes out must be taken in its cycle. With BENES
// = 1 it is a network of 2x2 switches instead (ocs_stages), which the schedule sets, too: what passes a guard comes
// out where these lead. The matching is then what the guards go by, and nothing else.
//
// With blind = 0 each input has a guard, which looks at the message that is offered: its flits are taken only in cycles in
// which the light leads to the destination that its header names, and between two flits of one message an output takes
// none of another. So nothing is ever lost; what does not fit waits. With blind = 1 all that is offered is taken, as by a
// node that trusts its clock: a flit in the dark, or while the light leads elsewhere, is lost, and all that follows of its
// message. Losses are counted, and the first one is reported.
//
// Latency: one cycle: a message of F flits that is offered in cycle 1 with the light on has its tail out in cycle F + 1.
// Throughput: one flit per cycle and port. Register read data is there two cycles after the request.
//
// Ports, port p in bits [p*FLIT_W +: FLIT_W] of a flit bus and in bit p of the others:
// - in_*: streams: valid, flit and last stay until they are taken, a message ends with last = 1. The low LABEL_W bits of its
//   first flit are the destination: FIRST + p for output p. in_ready depends combinationally on in_valid and in_flit.
// - out_*: out_valid is 1 for one cycle for each flit; there is no ready.
// - clk, net_clk: tie both to the same clock, as in min_network.
// - blind: constant while a pass runs.
// - load, run: as in ocs_schedule. load also sets the counts of losses to 0.
// - obs_*: per output, in the cycle in which it comes out: a header, any flit. busy: a flit is under way. May be left open.
// - bus_*: as in ocs_schedule, and words 0x802: flits lost, which stops at its largest value; of the first of them 0x803: the
//   cycle in which it was taken, 0x804: its input in bits 15:0, what its header names in bits 27:16,
//   and in bit 31 that there was light, which led elsewhere.
//
// Reset: synchronous, one cycle is enough; the schedule's memory is kept. Legal parameters: as in ocs_schedule; FLIT_W at least
// LABEL_W, and labels up to FIRST + PORTS - 1 fit LABEL_W, at most 12. The file list is rtl/ocs_switch.f.
//
// Example:
//   // A switch of 8 ports, for messages whose low 3 bits are the destination.
//   ocs_switch #(.PORTS(8), .FLIT_W(16)) u_switch (
//       .clk(clk), .net_clk(clk), .rst(rst), .blind(1'b0), .load(load), .run(run),
//       .in_flit(a_flit), .in_last(a_last), .in_valid(a_valid), .in_ready(a_ready),
//       .out_flit(b_flit), .out_last(b_last), .out_valid(b_valid), .obs_worm(), .obs_flit(), .busy(),
//       .bus_select(select), .bus_write(write), .bus_address(address), .bus_wdata(wdata), .bus_rdata(rdata));
`default_nettype none

module ocs_switch #(
    parameter integer PORTS = 4,  // 2..1024
    parameter integer FLIT_W = 32,  // bits of a flit
    parameter integer LABEL_W = $clog2(PORTS),  // bits of a destination
    parameter integer FIRST = 0,  // destination that is output 0
    parameter integer DEPTH = 256,  // slots, as in ocs_schedule
    parameter integer BENES = 0,  // 1: 2x2 switches instead of a crossbar; PORTS is a power of two
    localparam integer TO_W = $clog2(PORTS),
    localparam integer SWITCHES = BENES == 0 ? 1 : (2 * TO_W - 1) * (PORTS / 2)
) (
    input  wire                     clk,          // of the schedule and the register port
    input  wire                     net_clk,      // of what carries flits: clk, or less of it
    input  wire                     rst,
    input  wire                     blind,        // no guards
    input  wire                     load,         // a pass begins in the next cycle
    input  wire                     run,          // a pass is under way
    // streams in
    input  wire  [PORTS*FLIT_W-1:0] in_flit,
    input  wire  [       PORTS-1:0] in_last,
    input  wire  [       PORTS-1:0] in_valid,
    output logic [       PORTS-1:0] in_ready,
    // out, to be taken at once
    output logic [PORTS*FLIT_W-1:0] out_flit,
    output logic [       PORTS-1:0] out_last,
    output logic [       PORTS-1:0] out_valid,
    // observation, per output
    output logic [       PORTS-1:0] obs_worm,
    output logic [       PORTS-1:0] obs_flit,
    output logic                    busy,         // a flit is under way
    // register port
    input  wire                     bus_select,
    input  wire                     bus_write,
    input  wire  [            23:0] bus_address,
    input  wire  [            31:0] bus_wdata,
    output logic [            31:0] bus_rdata
);
  if (LABEL_W < 1 || LABEL_W > 12 || FIRST < 0 || FIRST + PORTS > 1 << LABEL_W) begin : g_LABEL_W
    illegal_LABEL_W u_illegal ();
  end
  if (FLIT_W < LABEL_W) begin : g_FLIT_W illegal_FLIT_W u_illegal (); end

  localparam logic [11:0] LOST = 12'(regmap::CIRCUIT_LOST), LOST_CYCLE = 12'(regmap::CIRCUIT_LOST_CYCLE);
  localparam logic [11:0] LOST_WAY = 12'(regmap::CIRCUIT_LOST_WAY);

  logic [PORTS-1:0] lit;
  logic [PORTS*TO_W-1:0] to;
  logic [31:0] now, schedule_rdata;
  // verilator lint_off UNUSEDSIGNAL
  logic [11:0] slot;
  logic [SWITCHES-1:0] crossed;
  // verilator lint_on UNUSEDSIGNAL

  ocs_schedule #(.PORTS(PORTS), .DEPTH(DEPTH), .BENES(BENES)) u_schedule (
      .clk, .rst, .load, .run, .lit, .to, .crossed, .now, .slot, .bus_select, .bus_write, .bus_address, .bus_wdata,
      .bus_rdata(schedule_rdata)
  );

  // Per input: in the middle of a message, for whom it is, what is left of it is lost. Per output: in the middle of a message;
  // the flit that comes out is a header.
  logic [PORTS-1:0] body_q, lost_q, open_q, first_q;
  logic [PORTS*LABEL_W-1:0] label_q;

  // Per input, what is offered: passes, or has no way; by output: it gets a flit in this cycle, the last one of a message, a
  // header. By statements, as a simulator works out no more than they ask for.
  logic [PORTS-1:0] passes, gets, gets_last;
  // verilator lint_off UNUSEDSIGNAL
  logic [PORTS-1:0] gets_first;
  logic [PORTS*FLIT_W-1:0] flits;
  // verilator lint_on UNUSEDSIGNAL
  logic [PORTS*LABEL_W-1:0] label;
  always_comb begin : turn
    logic [TO_W-1:0] v;
    {passes, gets, gets_last, gets_first, flits} = '0;
    label = label_q;
    v = '0;
    if (|in_valid) begin
      for (int p = 0; p < PORTS; p++) begin
        if (!body_q[p]) label[p*LABEL_W+:LABEL_W] = in_flit[p*FLIT_W+:LABEL_W];
        v = to[p*TO_W+:TO_W];
        if (in_valid[p] && lit[p] && !rst && 32'(v) < PORTS && 32'(label[p*LABEL_W+:LABEL_W]) == FIRST + 32'(v) &&
            !gets[v] && (body_q[p] ? !lost_q[p] : !open_q[v])) begin
          passes[p] = 1'b1;
          gets[v] = 1'b1;
          gets_last[v] = in_last[p];
          gets_first[v] = !body_q[p];
          flits[v*FLIT_W+:FLIT_W] = in_flit[p*FLIT_W+:FLIT_W];
        end
      end
    end
  end

  // The flits that come out in the next cycle, by output.
  logic [PORTS-1:0] comes, comes_last, comes_first;
  logic [PORTS*FLIT_W-1:0] comes_flits;
  if (BENES != 0) begin : g_stages
    localparam integer W = FLIT_W + 3;
    logic [PORTS*W-1:0] enters, leaves;
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      assign enters[p*W+:W] = passes[p] ? {1'b1, in_last[p], !body_q[p], in_flit[p*FLIT_W+:FLIT_W]} : '0;
      assign {comes[p], comes_last[p], comes_first[p], comes_flits[p*FLIT_W+:FLIT_W]} = leaves[p*W+:W];
    end
    ocs_stages #(.PORTS(PORTS), .W(W)) u_stages (
        .crossed,
        .in (enters),
        .out(leaves)
    );
  end else begin : g_crossbar
    assign {comes, comes_last, comes_first, comes_flits} = {gets, gets_last, gets_first, flits};
  end

  assign in_ready = blind ? {PORTS{1'b1}} : passes;
  wire [PORTS-1:0] loses = blind ? in_valid & ~passes : '0;
  wire [PORTS-1:0] taken = in_valid & in_ready;

  assign obs_flit = out_valid;
  assign obs_worm = out_valid & first_q;
  assign busy = |out_valid;

  always_ff @(posedge net_clk) begin
    if (|taken || |out_valid) begin
      body_q <= (body_q & ~taken) | (taken & ~in_last);
      lost_q <= (lost_q | loses) & ~(taken & in_last);
      label_q <= label;
      open_q <= (open_q & ~gets) | (gets & ~gets_last);
      out_valid <= comes;
      out_last <= comes_last;
      first_q <= comes_first;
      out_flit <= comes_flits;
    end
    if (rst || load) begin
      body_q <= '0;
      lost_q <= '0;
      open_q <= '0;
      out_valid <= '0;
    end
  end

  // Losses: how many, and the first.
  logic [31:0] count_q, cycle_q;
  logic [15:0] from_q;
  logic [11:0] for_q;
  logic lit_q;
  logic [31:0] count;
  logic [15:0] from;
  logic [11:0] for_whom;
  logic led;
  always_comb begin : tell
    count = count_q;
    from = '0;
    for_whom = '0;
    led = 1'b0;
    if (|loses) begin
      for (int p = PORTS - 1; p >= 0; p--) begin
        if (loses[p]) begin
          if (!(&count)) count = count + 32'd1;
          from = 16'(p);
          for_whom = 12'(label[p*LABEL_W+:LABEL_W]);
          led = lit[p];
        end
      end
    end
  end
  always_ff @(posedge net_clk) begin
    if (|loses) begin
      count_q <= count;
      if (count_q == '0) begin
        cycle_q <= now;
        from_q  <= from;
        for_q   <= for_whom;
        lit_q   <= led;
      end
    end
    if (rst || load) begin
      count_q <= '0;
      cycle_q <= '0;
      from_q  <= '0;
      for_q   <= '0;
      lit_q   <= 1'b0;
    end
  end

  // The answer, beside the schedule's.
  logic [1:0] asked_q;
  logic selected_q;
  logic [31:0] rdata_q;
  always_ff @(posedge clk) begin
    selected_q <= bus_select && !bus_write && bus_address[11:0] >= LOST && bus_address[11:0] <= LOST_WAY;
    asked_q <= 2'(bus_address[11:0] - LOST);
    rdata_q <= !selected_q ? '0 : asked_q == 2'd0 ? count_q : asked_q == 2'(LOST_CYCLE - LOST) ? cycle_q : {lit_q, 3'd0, for_q, from_q};
    if (rst) begin
      selected_q <= 1'b0;
      rdata_q <= '0;
    end
  end
  assign bus_rdata = schedule_rdata | rdata_q;

`ifdef FORMAL
  // For one input (any) and one output (any): a flit comes out only if it was taken in the cycle before, in light that led
  // there, of a message for this output; what the input sends to the output comes out whole and in order, with no other
  // message in between; what does not come out is counted as lost, and with guards nothing is. Every flit carries its
  // destination, its input and, from this input to this output, its number. Of 2x2 switches it holds while they are set as the
  // matching says.
  localparam integer F_NUMBER = LABEL_W + TO_W;
  localparam integer F_NUMBER_W = FLIT_W - F_NUMBER;
  (* anyconst *) logic [TO_W-1:0] f_from, f_to;
  logic [F_NUMBER_W-1:0] f_in, f_out;
  logic f_sends, f_open;
  logic [LABEL_W-1:0] f_target;
  logic [TO_W-1:0] f_owner;
  logic [31:0] f_taken, f_came;
  wire [FLIT_W-1:0] f_offer = in_flit[f_from*FLIT_W+:FLIT_W];
  wire [FLIT_W-1:0] f_comes = out_flit[f_to*FLIT_W+:FLIT_W];
  wire f_mine = 32'(f_offer[LABEL_W-1:0]) == FIRST + 32'(f_to);
  wire [TO_W-1:0] f_source = f_comes[LABEL_W+:TO_W];
  logic [31:0] f_n_taken, f_n_out;
  always_comb begin
    f_n_taken = '0;
    f_n_out = '0;
    for (int p = 0; p < PORTS; p++) begin
      f_n_taken = f_n_taken + 32'(taken[p]);
      f_n_out = f_n_out + 32'(out_valid[p]);
    end
  end

  // The output to which the 2x2 switches lead each input.
  function automatic [TO_W-1:0] f_follow(input [TO_W-1:0] from);
    integer s, b;
    f_follow = from;
    for (s = 0; s < 2 * TO_W - 1; s = s + 1) begin
      b = s < TO_W ? s : 2 * TO_W - 2 - s;
      if (crossed[s*(PORTS/2)+(32'(f_follow)>>(b+1)<<b|32'(f_follow)&((1<<b)-1))]) f_follow[b] = !f_follow[b];
    end
  endfunction
  logic [PORTS*TO_W-1:0] f_leads;
  if (BENES != 0) begin : g_f_stages
    for (genvar i = 0; i < PORTS; i++) begin : g_f_port
      assign f_leads[i*TO_W+:TO_W] = f_follow(TO_W'(i));
    end
  end else begin : g_f_crossbar
    assign f_leads = to;
  end

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_from) < PORTS && 32'(f_to) < PORTS);
    for (int i = 0; i < PORTS; i++) if (lit[i]) assume (f_leads[i*TO_W+:TO_W] == to[i*TO_W+:TO_W]);
    if (!$initstate) assume ($stable(blind));
    for (int i = 0; i < PORTS; i++) assume (32'(in_flit[i*FLIT_W+LABEL_W+:TO_W]) == i);
    if (in_valid[f_from] && f_mine) assume (f_offer[F_NUMBER+:F_NUMBER_W] == f_in);
    if (f_sends) assume (f_offer[LABEL_W-1:0] == f_target);
    for (int i = 0; i < PORTS; i++)
      if (!$initstate && !$past(rst) && !$past(load) && $past(in_valid[i] && !in_ready[i])) assume (in_valid[i] && $stable(in_last[i]));
    assume (!load || in_valid == '0);
    assume (!load || !run && !bus_select);
    assume (!run || !bus_select);
    assume (!rst || !load && !run);
    if (!$initstate && $past(load)) assume (run);
    if (!$initstate && run && !$past(run)) assume ($past(load));

    if (taken[f_from]) begin
      f_sends  <= !in_last[f_from];
      f_target <= f_offer[LABEL_W-1:0];
      if (f_mine) f_in <= f_in + 1'b1;
    end
    if (out_valid[f_to]) begin
      f_open  <= !out_last[f_to];
      f_owner <= f_source;
      if (f_source == f_from) f_out <= f_out + 1'b1;
    end
    f_taken <= f_taken + f_n_taken;
    f_came  <= f_came + f_n_out;
    if (rst || load) begin
      f_in <= '0;
      f_out <= '0;
      f_sends <= 1'b0;
      f_open <= 1'b0;
      f_taken <= '0;
      f_came <= '0;
    end

    if (!$initstate && !$past(rst) && !$past(load)) begin
      // No flit in the dark, and none to another output than the matching's.
      if (out_valid[f_to] && f_source == f_from)
        assert ($past(taken[f_from] && lit[f_from] && to[f_from*TO_W+:TO_W] == f_to));
      if ($past(lit) == '0) assert (out_valid == '0);
      if (!$past(blind)) begin
        assert (count_q == '0);
        if (out_valid[f_to] && f_source == f_from) assert (f_comes[F_NUMBER+:F_NUMBER_W] == f_out);
      end
      if (out_valid[f_to] && f_source == f_from) assert (32'(f_comes[LABEL_W-1:0]) == FIRST + 32'(f_to));
      if (out_valid[f_to] && f_open) assert (f_source == f_owner);
      assert (f_taken == f_came + f_n_out + count_q || &count_q);
      assert (obs_worm[f_to] == (out_valid[f_to] && !f_open));
    end
    cover (!$initstate && !blind && f_out == F_NUMBER_W'(2) && out_valid[f_to] && f_source != f_from);
    cover (!$initstate && blind && count_q == 32'd1 && out_valid != '0);
    cover (!$initstate && !blind && &out_valid);
  end
`endif
endmodule

`default_nettype wire
