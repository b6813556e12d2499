// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Two switches of four ports in four forms: as crossbars and as 2x2 switches (the bench tries all settings), each with
// and without guards. With guards random messages wait for their light and come out whole. Without guards the network
// counts flits that are sent in the dark, while the light leads elsewhere, or behind a loss, and reports the first
// loss. The bench compares each cycle with the schedule.
`default_nettype none

module ocs_network_tb;
  localparam integer PORTS = 4, SWITCHES = 2, NODES = PORTS * SWITCHES, FLIT_W = 32, LABEL_W = 3, DEPTH = 512;
  localparam integer LONGEST = 24 * DEPTH, WORMS = 60, SHORT = 30;
  wire clk, rst;
  `include "chance.svh"
  integer seed;
  logic load, run, request, write;
  logic [31:0] address, wdata;
  localparam integer MODES = 4;  // 0, 2: guards, 1, 3: without; 2, 3: 2x2 switches
  wire [31:0] rdata[MODES];
  wire [MODES-1:0] ended;
  integer total[MODES], n_lost[MODES*SWITCHES], lost_cycle[MODES*SWITCHES], lost_way[MODES*SWITCHES];

  // The schedule: to_of has, by switch, slot and port, the port to which light leads, -1: none; of has, by switch and
  // cycle, the slot with light.
  integer to_of[SWITCHES*DEPTH*PORTS], of[SWITCHES*LONGEST];
  integer now;  // the current cycle of the pass, from 0

  bench u_bench (.clk, .rst, .seed);

  for (genvar m = 0; m < MODES; m++) begin : g_mode
    localparam logic BLIND = m % 2 == 1;
    wire [NODES*FLIT_W-1:0] in_flit, out_flit;
    wire [NODES-1:0] in_last, in_valid, in_ready, out_last, out_valid, done, obs_worm, obs_flit;
    wire busy;
    integer sent[NODES], received[NODES];
    // Sources pause until the pass begins, as nodes do.
    wire [NODES-1:0] offers = in_valid & {NODES{run}}, accepted = in_ready & {NODES{run}};
    for (genvar u = 0; u < NODES; u++) begin : g_node
      wire [FLIT_W-1:0] flit;
      stream_source #(.WORMS(WORMS), .SHORT(SHORT), .SALT(u), .DESTINATIONS(PORTS), .LENGTH_MAX(5)) u_source (
          .clk, .rst,
          .here(3'(u)),
          .pause(8'd30),
          .out_flit(flit),
          .out_last(in_last[u]),
          .out_valid(in_valid[u]),
          .out_ready(accepted[u]),
          .done(done[u]),
          .flits(sent[u])
      );
      // A message goes to a port of its own switch.
      assign in_flit[u*FLIT_W+:FLIT_W] = {flit[FLIT_W-1:LABEL_W], 1'(u / PORTS), flit[1:0]};
      if (m % 2 == 0) begin : g_sink
        wire ready;
        stream_sink #(.SALT(u)) u_sink (
            .clk, .rst,
            .here(3'(u)),
            .pause(8'd0),
            .in_flit(out_flit[u*FLIT_W+:FLIT_W]),
            .in_last(out_last[u]),
            .in_valid(out_valid[u]),
            .in_ready(ready),
            .flits(received[u])
        );
      end
    end
    ocs_network #(.NODES(NODES), .SWITCHES(SWITCHES), .FLIT_W(FLIT_W), .DEPTH(DEPTH), .BENES(m / 2)) u_dut (
        .clk,
        .net_clk(clk),
        .rst,
        .blind(BLIND),
        .load, .run,
        .bus_request(request),
        .bus_write(write),
        .bus_address(address),
        .bus_wdata(wdata),
        .bus_rdata(rdata[m]),
        .in_flit, .in_last,
        .in_valid(offers),
        .in_ready, .out_flit, .out_last, .out_valid, .obs_worm, .obs_flit, .busy
    );

    // For each input's message: where it goes (-1: a new one begins), and whether it is lost; of each output: it is in the middle
    // of one. What must come out in the next cycle.
    integer goal[NODES], leads, slot, passed;
    logic broken[NODES], amid[NODES], header[NODES];
    logic [NODES-1:0] gets, first;
    logic [NODES*(FLIT_W+1)-1:0] comes;
    assign ended[m] = &done && !busy;
    always @(posedge clk) begin
      total[m] = passed;
      if (rst || load) begin
        passed = 0;
        gets   = '0;
        for (int k = 0; k < SWITCHES; k++) n_lost[m*SWITCHES+k] = 0;
        for (int u = 0; u < NODES; u++) begin
          goal[u] = -1;
          broken[u] = 1'b0;
          amid[u] = 1'b0;
        end
      end else begin
        if (out_valid !== gets || obs_flit !== gets || obs_worm !== (gets & first) || busy !== |gets)
          $fatal(1, "mode %0d, cycle %0d: %b come out, expected %b", m, now + 1, out_valid, gets);
        for (int u = 0; u < NODES; u++)
          if (gets[u] && {out_last[u], out_flit[u*FLIT_W+:FLIT_W]} !== comes[u*(FLIT_W+1)+:FLIT_W+1])
            $fatal(1, "mode %0d, cycle %0d: %h comes out at %0d", m, now + 1, out_flit[u*FLIT_W+:FLIT_W], u);
        gets  = '0;
        first = '0;
        for (int u = 0; u < NODES; u++) begin
          slot  = of[u/PORTS*LONGEST+now];
          leads = slot < 0 ? -1 : to_of[(u/PORTS*DEPTH+slot)*PORTS+u%PORTS];
          if (leads >= 0) leads = leads + u / PORTS * PORTS;
          header[u] = goal[u] < 0;
          if (offers[u] && header[u]) goal[u] = 32'(in_flit[u*FLIT_W+:LABEL_W]);
          if (offers[u] && leads == goal[u] && !broken[u] && !(header[u] && amid[leads])) begin
            if (!in_ready[u]) $fatal(1, "mode %0d, cycle %0d: node %0d is held in its light", m, now + 1, u);
            gets[leads] = 1'b1;
            first[leads] = header[u];
            comes[leads*(FLIT_W+1)+:FLIT_W+1] = {in_last[u], in_flit[u*FLIT_W+:FLIT_W]};
            passed = passed + 1;
          end else if (offers[u]) begin
            if (in_ready[u] !== BLIND) $fatal(1, "mode %0d, cycle %0d: ready of node %0d is %b", m, now + 1, u, in_ready[u]);
            if (BLIND) begin
              if (n_lost[m*SWITCHES+u/PORTS] == 0) begin
                lost_cycle[m*SWITCHES+u/PORTS] = now + 1;
                lost_way[m*SWITCHES+u/PORTS] = 32'(leads >= 0) << 31 | goal[u] << 16 | u % PORTS;
              end
              n_lost[m*SWITCHES+u/PORTS] = n_lost[m*SWITCHES+u/PORTS] + 1;
              broken[u] = 1'b1;
            end
          end
          if (accepted[u] && offers[u] && in_last[u]) broken[u] = 1'b0;
          if (!offers[u] && header[u] || offers[u] && (accepted[u] ? in_last[u] : header[u])) goal[u] = -1;
        end
        for (int v = 0; v < NODES; v++) if (gets[v]) amid[v] = !comes[v*(FLIT_W+1)+FLIT_W];
      end
    end
  end

  task automatic put(input [31:0] where, input [31:0] what);
    @(negedge clk);
    {request, write, address, wdata} = {2'b11, where, what};
    @(negedge clk);
    request = 1'b0;
  endtask

  task automatic get(input [31:0] where, input [31:0] guarded, input [31:0] blind);
    @(negedge clk);
    {request, write, address} = {2'b10, where};
    @(negedge clk);
    request = 1'b0;
    repeat (2) @(negedge clk);
    for (int m = 0; m < MODES; m++)
      if (rdata[m] !== (m % 2 == 0 ? guarded : blind))
        $fatal(1, "mode %0d: %h reads %h, expected %h", m, where, rdata[m], m % 2 == 0 ? guarded : blind);
  endtask

  // The output of an input through three stages of two switches, drawn: stage 0 and 2 have lines 0 and 1, 2 and 3 together, the
  // middle one 0 and 2, 1 and 3.
  function integer through(input [5:0] set, input integer p);
    through = p;
    if (set[through/2]) through = through ^ 1;
    if (set[2+through%2]) through = through ^ 2;
    if (set[4+through/2]) through = through ^ 1;
  endfunction

  task automatic put_settings(input integer k, input integer s);
    logic found, fits;
    integer first;
    found = 1'b0;
    first = random(64);
    for (int set = 0; set < 64 && !found; set++) begin
      fits = 1'b1;
      for (int p = 0; p < PORTS; p++)
        if (to_of[(k*DEPTH+s)*PORTS+p] >= 0 && through(6'(first + set), p) != to_of[(k*DEPTH+s)*PORTS+p]) fits = 1'b0;
      if (fits) begin
        found = 1'b1;
        for (int stage = 0; stage < 3; stage++)
          put({4'h7, 4'(k), 12'(s), 12'h400 + 12'(stage)}, {30'h3fffffff, 2'(6'(first + set) >> 2 * stage)});
      end
    end
    if (!found) $fatal(1, "no settings for slot %0d of switch %0d", s, k);
  endtask

  integer length, dark, at, light, leads, swap;
  always @(posedge clk) now <= run ? now + 1 : 0;

  initial begin
    {load, run, request, write} = '0;
    now <= 0;
    @(negedge rst);
    state = seed * 7 + 3;
    for (int k = 0; k < SWITCHES; k++) begin
      dark = random(5);
      put({4'h7, 4'(k), 12'd0, 12'h801}, dark);
      length = 0;
      for (int t = 0; t < LONGEST; t++) of[k*LONGEST+t] = -1;
      for (int s = 0; s < DEPTH; s++) begin
        light = 4 + random(16);
        put({4'h7, 4'(k), 12'(s), 12'h800}, light);
        at = random(PORTS);
        swap = random(2) == 0 && at < 2;  // a shift, or an exchange within one of the pairs of ports
        for (int p = 0; p < PORTS; p++) begin
          leads = random(8) == 0 ? -1 : swap == 0 ? (p + at) % PORTS : p ^ (p < 2 ? at : at ^ 1);
          to_of[(k*DEPTH+s)*PORTS+p] = leads;
          put({4'h7, 4'(k), 12'(s), 12'(p)}, leads < 0 ? 32'd1 : {1'b1, 31'(leads)});
        end
        put_settings(k, s);
        if (s != 0) length = length + dark;
        for (int c = 0; c < light; c++) of[k*LONGEST+length+c] = s;
        length = length + light;
      end
    end
    get({4'h7, 4'd1, 12'd3, 12'd2}, to_of[(DEPTH+3)*PORTS+2] < 0 ? 32'd1 : {1'b1, 31'(to_of[(DEPTH+3)*PORTS+2])},
        to_of[(DEPTH+3)*PORTS+2] < 0 ? 32'd1 : {1'b1, 31'(to_of[(DEPTH+3)*PORTS+2])});
    get({4'h7, 4'd2, 12'd3, 12'h800}, '0, '0);  // no such switch
    @(negedge clk);
    load = 1'b1;
    @(negedge clk);
    load = 1'b0;
    run  = 1'b1;
    while (!(&ended)) begin
      @(negedge clk);
      if (now > length) $fatal(1, "messages are left when the schedule has ended");
    end
    run = 1'b0;
    for (int k = 0; k < 2 * SWITCHES; k++)
      if (n_lost[SWITCHES+k%SWITCHES] != n_lost[(2*(k/SWITCHES)+1)*SWITCHES+k%SWITCHES]) $fatal(1, "2x2 switches lose other flits");
    for (int k = 0; k < SWITCHES; k++) begin
      get({4'h7, 4'(k), 12'd0, 12'h802}, '0, n_lost[SWITCHES+k]);
      get({4'h7, 4'(k), 12'd1, 12'h803}, '0, lost_cycle[SWITCHES+k]);
      get({4'h7, 4'(k), 12'd0, 12'h804}, '0, lost_way[SWITCHES+k]);
      if (n_lost[SWITCHES+k] == 0) $fatal(1, "no flit was sent in the dark");
    end
    $display("PASS ocs_network (seed %0d, %0d flits with guards, %0d without and %0d lost)", seed, total[0], total[1],
             n_lost[SWITCHES] + n_lost[SWITCHES+1]);
    $finish;
  end
endmodule

`default_nettype wire
