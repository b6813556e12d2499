// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// One router with a source and a sink at each lane: every worm leaves whole, on the lane of its rule. Each label is a
// node: there are eight, or 16 with OTIS. In each cycle one lane of a link sends, any of those that have a flit and
// room. Headers go in the order in which they come to the head of a buffer; of those that come together the one from
// the lowest neighbour goes first in a cube, else the one from the lowest port.
`default_nettype none

module net_router_bench #(
    parameter [95:0] NETWORK = 96'h00_01_0000_0000_0002_0002_0002,  // see networks.svh; V > 1 only with TABLE
    parameter integer TABLE = 0,  // this one and the next ones as in net_router
    parameter integer OTIS = 0,  // 1: with four dimensions of 2, two links each
    parameter integer RULE_W = 1,
    parameter integer SMALL = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire  [31:0] seed,
    output integer      all_received,  // flits
    output logic        finished
);
  `include "networks.svh"
  `include "network_shape.svh"
  `include "net_wires.svh"
  localparam integer FLIT_W = 32, LINKS = OTIS != 0 ? 5 : DIMS * LINKS_PER_DIM, PORTS = LINKS + 1;
  localparam integer PORT_W = $clog2(PORTS), LANES = LINKS * V + 1, NET_W = V > 4 ? 3 : V > 2 ? 2 : 1;
  localparam integer RULES = TABLE != 0 && V > 1 ? V : 1 << RULE_W;
  integer all_sent;
  integer sent[LANES], received[LANES];
  wire [LABEL_W-1:0] here = LABEL_W'(seed + 2);
  logic [PORTS*FLIT_W-1:0] in_flit;
  logic [PORTS-1:0] in_last;
  logic [LANES-1:0] in_valid, turn;
  wire [LANES*FLIT_W-1:0] from_flit;
  wire [LANES-1:0] from_last, from_valid, in_ready, in_empty, out_valid, out_ready, done;
  wire [PORTS*FLIT_W-1:0] out_flit;
  wire [PORTS-1:0] out_last;
  wire [PORTS-1:0] obs_worm, obs_flit, obs_blocked;
  wire busy;
  wire [LANES-1:0] starts;  // the next flit that leaves there is a header

  // The table, filled while the sources are still held in reset.
  logic table_select, table_write, filled;
  logic [NET_W+LABEL_W-1:0] table_at;
  logic [PORT_W-1:0] table_wdata;
  wire [PORT_W-1:0] table_rdata;

  // Labels are node numbers here, because all extents are powers of two; but the table leads to other ports.
  function automatic integer wanted(input integer to, input integer rule);
    wanted = TABLE != 0 ? (3 * to + 2 * rule + 1) % PORTS : next_link(32'(here), to, rule) + 1;
  endfunction

  // No message goes back over the link on which it came: instead of such a header the source at link p > 0 sends one to
  // the next node with another way. The rest of the message also names that node.
  function automatic [LABEL_W-1:0] elsewhere(input integer p, input integer to, input integer rule);
    elsewhere = LABEL_W'(to);
    for (int k = NODES - 1; k >= 0; k--)
      if (p != 0 && wanted(to, rule) == p && wanted((to + k) % NODES, rule) != p) elsewhere = LABEL_W'(to + k);
  endfunction

  initial begin
    {table_select, table_write, filled} = '0;
    table_at = '0;
    table_wdata = '0;
    @(negedge rst);
    if (TABLE != 0)
      for (int i = 0; i < (1 << NET_W) * NODES; i++) begin
        table_select <= 1'b1;
        table_write <= 1'b1;
        table_at <= (NET_W + LABEL_W)'(i);
        table_wdata <= PORT_W'(wanted(i % NODES, i / NODES));
        @(posedge clk);
        table_write <= 1'b0;
        repeat (2) @(posedge clk);
        if (table_rdata !== PORT_W'(wanted(i % NODES, i / NODES))) $fatal(1, "%m: the table has %0d at %0d", table_rdata, i);
      end
    table_select <= 1'b0;
    repeat (2) @(posedge clk);
    if (TABLE == 0 && table_rdata !== '0) $fatal(1, "%m: %h without a table", table_rdata);
    filled <= 1'b1;
  end
  wire wait_rst = rst || !filled;

  // Picks the lane of a link that sends.
  integer turns, first;
  always @(posedge clk) begin
    if (rst) turns = seed;
    for (int i = 0; i < LANES; i++) turn[i] <= $random(turns);
  end
  always_comb begin
    in_valid = from_valid;
    in_flit = '0;
    in_last = '0;
    for (int p = 0; p < PORTS; p++) begin
      first = p == 0 || V == 1 ? p : -1;
      for (int l = 1; l < LANES; l++) begin
        if (V > 1 && (l + V - 1) / V == p) begin
          in_valid[l] = 1'b0;
          if (from_valid[l] && in_ready[l] && (first < 0 || turn[l])) first = l;
        end
      end
      if (first >= 0) begin
        in_valid[first] = from_valid[first];
        in_flit[p*FLIT_W+:FLIT_W] = from_flit[first*FLIT_W+:FLIT_W];
        in_last[p] = from_last[first];
      end
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : g_lane
    localparam integer P = (l + V - 1) / V;
    wire [FLIT_W-1:0] source_flit;
    wire [FLIT_W-1:0] flit = out_flit[P*FLIT_W+:FLIT_W];
    // On a link with virtual channels the rule is the channel's number.
    wire [RULE_W-1:0] said = source_flit[2*LABEL_W+:RULE_W];
    wire [RULE_W-1:0] by = V > 1 && l > 0 ? RULE_W'((l - 1) % V) : RULE_W'(32'(said) % RULES);
    assign from_flit[l*FLIT_W+:FLIT_W] = {
      source_flit[FLIT_W-1:2*LABEL_W+RULE_W],
      by,
      source_flit[2*LABEL_W-1:LABEL_W],
      elsewhere(P, 32'(source_flit[LABEL_W-1:0]), 32'(by))
    };
    wire [LABEL_W-1:0] to = flit[LABEL_W-1:0];
    wire [RULE_W-1:0] rule = flit[2*LABEL_W+:RULE_W];
    always @(posedge clk)
      if (!wait_rst && obs_worm[P] && out_valid[l] && (wanted(32'(to), 32'(rule)) != P || V > 1 && l > 0 && (l - 1) % V != 32'(rule)))
        $fatal(1, "%m: %h leaves by lane %0d", flit, l);
    stream_source #(
        .LABEL_W(LABEL_W), .RULE_W(RULE_W), .DESTINATIONS(NODES), .WORMS(500), .SHORT(40), .SALT(l)
    ) u_source (
        .clk,
        .rst(wait_rst),
        .here(LABEL_W'(l)),
        .pause(8'(seed * 40)),
        .out_flit(source_flit),
        .out_last(from_last[l]),
        .out_valid(from_valid[l]),
        .out_ready(in_ready[l] && (in_valid[l] || !from_valid[l])),
        .done(done[l]),
        .flits(sent[l])
    );
  end

  // The rule is by worm, so flits to one node may leave by two ports: the sinks count, and only one worm at a time.
  for (genvar l = 0; l < LANES; l++) begin : g_sink
    localparam integer P = (l + V - 1) / V;
    logic [7:0] left_q;
    logic [2*LABEL_W+RULE_W-1:0] name_q;
    wire [7:0] left = out_flit[P*FLIT_W+2*LABEL_W+RULE_W+:8];
    wire [2*LABEL_W+RULE_W-1:0] name = out_flit[P*FLIT_W+:2*LABEL_W+RULE_W];
    integer count;
    integer state;
    logic ready;
    assign out_ready[l] = ready;
    assign received[l] = count;
    assign starts[l] = left_q == 8'd0;
    always @(posedge clk) begin
      // `ready` of a virtual channel stays 1 until a flit comes.
      ready <= $unsigned($random(state)) % 4 != 0 || V > 1 && l > 0 && ready && !out_valid[l];
      if (out_valid[l] && ready) begin
        count <= count + 1;
        if (left_q != 8'd0 && (left !== left_q || name !== name_q)) $fatal(1, "%m: worms mix on lane %0d", l);
        if (out_last[P] !== (left == 8'd1)) $fatal(1, "%m: wrong last on lane %0d", l);
        left_q <= left - 8'd1;
        name_q <= name;
      end
      if (wait_rst) begin
        state = seed + l;
        count <= 0;
        left_q <= 8'd0;
        ready <= 1'b0;
      end
    end
  end
  // The order of service, without virtual channels. Bit j of after[i]: the header at the head of buffer i must wait for that of buffer j,
  // which asks for the same output. A flit names the lane that it came by.
  function automatic integer rank(input integer lane);
    rank = TABLE != 0 || LINKS_PER_DIM != 1 ? lane : lane == 0 ? 32'(here) : 32'(here) ^ (1 << (lane - 1));
  endfunction
  logic [LANES-1:0] body, come, waits, tails, pushes, after[LANES];
  integer way[LANES], newest[LANES], held[LANES], from;  // held: flits in a buffer, 2 at most; newest: where the last header that came in goes
  always @(posedge clk)
    if (wait_rst) begin
      body  = '0;
      waits = '0;
      for (int i = 0; i < LANES; i++) {after[i], held[i]} = '0;
    end else if (V == 1) begin
      tails  = '0;
      pushes = in_valid & in_ready;
      for (int p = 0; p < PORTS; p++) begin
        from = 32'(out_flit[p*FLIT_W+LABEL_W+:LABEL_W]);
        if (out_valid[p] && out_ready[p]) begin
          held[from]  = held[from] - 1;
          tails[from] = out_last[p];
          if (starts[p]) begin
            if (!waits[from] || after[from] != '0) $fatal(1, "%m: lane %0d goes before %b", from, after[from]);
            waits[from] = 1'b0;
            for (int i = 0; i < LANES; i++) after[i][from] = 1'b0;
          end
        end
      end
      for (int i = 0; i < LANES; i++) begin
        come[i] = held[i] > 0 ? tails[i] : pushes[i] && !body[i];
        if (held[i] > 0 && come[i]) way[i] = newest[i];
        if (pushes[i] && !body[i]) newest[i] = wanted(32'(in_flit[i*FLIT_W+:LABEL_W]), 32'(in_flit[i*FLIT_W+2*LABEL_W+:RULE_W]));
        if (held[i] == 0 && come[i]) way[i] = newest[i];
        if (pushes[i]) held[i] = held[i] + 1;
        if (pushes[i]) body[i] = !in_last[i];
      end
      for (int i = 0; i < LANES; i++)
        if (come[i])
          for (int j = 0; j < LANES; j++) after[i][j] = way[j] == way[i] && (waits[j] || come[j] && rank(j) < rank(i));
      waits = waits | come;
    end

  net_router #(
      .LINKS(LINKS), .LABEL_W(LABEL_W), .DIMS(DIMS), .EXTENTS(EXTENTS), .DIGITS(DIGITS),
      .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .TABLE(TABLE), .OTIS(OTIS), .V(V), .RULE_W(RULE_W), .FLIT_W(FLIT_W),
      .SMALL(SMALL)
  ) u_dut (
      .clk, .rst,
      .paper(seed[0]),
      .here,
      .table_clk(clk),
      .table_select, .table_write, .table_at, .table_wdata, .table_rdata, .in_flit, .in_last, .in_valid, .in_ready,
      .in_empty, .out_flit, .out_last, .out_valid, .out_ready,
      .out_empty(out_ready),
      .obs_worm, .obs_flit, .obs_blocked, .busy
  );

  always @(posedge clk) begin
    finished <= !wait_rst && &done && !busy;
    if (!wait_rst && &done && !busy && !finished) begin
      all_sent = 0;
      all_received = 0;
      for (int l = 0; l < LANES; l++) begin
        all_sent = all_sent + sent[l];
        all_received = all_received + received[l];
      end
      if (all_sent != all_received) $fatal(1, "%m: %0d flits sent, %0d received", all_sent, all_received);
    end
  end
endmodule

`default_nettype wire
