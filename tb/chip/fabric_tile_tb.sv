// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Tests two tiles back to back, which make the 1-cube: see net_host. A tile that a request does not address must answer
// 0. A tile with a route table, which sends nothing: only the table's addresses read what was written to it, and
// messages that wait for a link are counted at that link alone. And three tiles that receive more messages than
// programs hold: with streams the counters of messages have all COUNT_W bits.
`default_nettype none

module fabric_tile_tb;
  localparam integer FLIT_W = 32, PROGRAM_DEPTH = 8, LOG_DEPTH = 64, SLOT_FLITS = 16;
  wire clk, rst;
  integer seed, received;
  wire request, write, clean, start, paper, done;
  wire [31:0] address, wdata, salt, cycle;
  wire [15:0] last_pass, pass;
  wire [1:0] state;
  wire rewind, clear, run;
  wire [31:0] rdata[2];
  wire [FLIT_W-1:0] flit[2];  // out of tile u, into the other one
  wire [1:0] last, valid, ready, empty, busy, moved, log_overflow, store_overflow;
  logic [2:0] asked_q[2];

  bench #(.CYCLES(1000000)) u_bench (.clk, .rst, .seed);
  net_host #(
      .NODES(2), .LINKS(1), .DIMS(1), .LABEL_W(1), .PROGRAM_DEPTH(PROGRAM_DEPTH), .LOG_DEPTH(LOG_DEPTH),
      .SLOT_FLITS(SLOT_FLITS), .LATENCY(3), .ROUNDS(18)
  ) u_host (
      .clk, .rst, .request, .write, .address, .wdata,
      .rdata(rdata[0] | rdata[1]),
      .ack(1'b1),
      .clean, .start, .paper, .salt, .last_pass, .state, .received, .done
  );
  host_sequencer u_sequencer (
      .clk, .rst, .clean, .start, .last_pass, .state, .rewind, .clear, .run, .pass, .cycle,
      .busy(|busy),
      .moved(|moved),
      .log_overflow(|log_overflow),
      .store_overflow(|store_overflow)
  );
  for (genvar u = 0; u < 2; u++) begin : g_tile
    fabric_tile #(
        .LINKS(1), .LABEL_W(1), .DIMS(1),
        .NODE(node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, SLOT_FLITS))
    ) u_dut (
        .clk,
        .net_clk(clk),
        .rst(rst || clean),
        .index(12'(u)),
        .here(1'(u)),
        .paper,
        .seed(salt),
        .rewind, .clear, .run, .pass, .cycle,
        .bus_request(request),
        .bus_write(write),
        .bus_address(address),
        .bus_wdata(wdata),
        .bus_rdata(rdata[u]),
        .in_flit(flit[1-u]),
        .in_last(last[1-u]),
        .in_valid(valid[1-u]),
        .in_ready(ready[u]),
        .in_empty(empty[u]),
        .out_flit(flit[u]),
        .out_last(last[u]),
        .out_valid(valid[u]),
        .out_ready(ready[1-u]),
        .out_empty(empty[1-u]),
        .busy(busy[u]),
        .moved(moved[u]),
        .log_overflow(log_overflow[u]),
        .store_overflow(store_overflow[u])
    );
  end

  // --- The table ---
  localparam [11:0] AT = 12'd9;
  localparam [15:0] ROUTE = regmap::ROUTE;
  logic t_request, t_write, t_done, t_sends, t_open;
  wire [2:0] t_takes;
  logic [31:0] t_address, t_wdata;
  wire [31:0] t_rdata;
  logic [2:0] t_asked_q;
  logic [1:0] t_table[16];
  fabric_tile #(
      .LINKS(3), .LABEL_W(3), .DIMS(1), .TABLE(1),
      .NODE(node_config::with_depths(node_config::DEFAULT, PROGRAM_DEPTH, LOG_DEPTH, SLOT_FLITS))
  ) u_table (
      .clk,
      .net_clk(clk),
      .rst,
      .index(AT),
      .here(3'd5),
      .paper(1'b0),
      .seed(32'd0),
      .rewind(1'b0),
      .clear(1'b0),
      .run(1'b0),
      .pass(16'd0),
      .cycle(32'd0),
      .bus_request(t_request),
      .bus_write(t_write),
      .bus_address(t_address),
      .bus_wdata(t_wdata),
      .bus_rdata(t_rdata),
      .in_flit((3 * FLIT_W)'(3)),  // a header to label 3, and no more
      .in_last(3'd1),
      .in_valid({2'd0, t_sends}),
      .in_ready(t_takes),
      .out_ready({1'b1, t_open, 1'b1}),
      .out_empty(3'd7)
  );

  task automatic t_access(input logic writes, input logic [3:0] space, input logic [11:0] node,
                          input logic [15:0] offset, input logic [31:0] data);
    t_request <= 1'b1;
    t_write   <= writes;
    t_address <= {space, node, offset};
    t_wdata   <= data;
    @(posedge clk);
    t_request <= 1'b0;
    repeat (4) @(posedge clk);
  endtask

  task automatic t_look;
    for (int a = 0; a < 16; a++) begin
      t_request <= 1'b1;
      t_write   <= 1'b0;
      t_address <= {regmap::SPACE_NODE, AT, ROUTE | 16'(a)};
      @(posedge clk);
      t_request <= 1'b0;
      repeat (4) @(posedge clk);
      if (t_seen !== 32'(t_table[a])) $fatal(1, "table word %0d is %0d, not %0d", a, t_seen, t_table[a]);
    end
  endtask

  // Two messages come by link 0 and leave by link 1, at whose far end there is no room for a while.
  task automatic t_wait;
    for (int a = 0; a < 16; a++) t_access(1'b1, regmap::SPACE_NODE, AT, ROUTE | 16'(a), 32'd2);
    t_open <= 1'b0;
    repeat (2) begin
      t_sends <= 1'b1;
      @(posedge clk);
      while (!t_takes[0]) @(posedge clk);
      t_sends <= 1'b0;
      @(posedge clk);
    end
    repeat (20) @(posedge clk);
    t_open <= 1'b1;
    repeat (20) @(posedge clk);
    for (int c = 0; c < 5; c++)
      for (int k = 0; k < 3; k++) begin  // worms, flits, blocked cycles
        t_access(1'b0, regmap::SPACE_MONITOR, AT, 16'(4 * c + k), 32'd0);
        if (c != 1 && t_seen !== 32'd0 || c == 1 && (k < 2 ? t_seen !== 32'd2 : !(t_seen >= 32'd20)))
          $fatal(1, "word %0d of channel %0d counts %0d", k, c, t_seen);
      end
  endtask

  logic [31:0] t_seen;  // the last answer
  always @(posedge clk) begin
    t_asked_q <= rst ? '0 : {t_asked_q[1:0], t_request && !t_write && t_address[27:16] == AT &&
        (t_address[31:28] == regmap::SPACE_NODE || t_address[31:28] == regmap::SPACE_MONITOR)};
    if (t_asked_q[2]) t_seen <= t_rdata;
    if (!rst && !t_asked_q[2] && t_rdata !== 32'd0) $fatal(1, "the tile with a table answers unasked");
  end

  initial begin
    {t_request, t_write, t_address, t_wdata, t_done, t_sends} = '0;
    t_open = 1'b1;
    @(posedge clk);
    while (rst) @(posedge clk);
    for (int round = 0; round < 4; round++) begin
      for (int a = 0; a < 16; a++) begin
        t_table[a] = 2'($urandom);
        t_access(1'b1, regmap::SPACE_NODE, round[0] ? 12'hfff : AT, ROUTE | 16'(a), 32'(t_table[a]));
      end
      t_look();
      for (int a = 0; a < 16; a++) begin  // requests to other tiles
        t_access(1'b1, regmap::SPACE_NODE, AT ^ 12'(1 << a % 12), ROUTE | 16'(a), 32'(~t_table[a]));
        t_access(1'b1, regmap::SPACE_NODE ^ 4'(1 << a % 4), AT, ROUTE | 16'(a), 32'(~t_table[a]));
        t_access(1'b1, regmap::SPACE_NODE, 12'hfff ^ 12'(1 << a % 12), ROUTE | 16'(a), 32'(~t_table[a]));
        t_access(1'b0, regmap::SPACE_NODE, 12'hfff, ROUTE | 16'(a), 32'd0);
      end
      t_look();
    end
    t_wait();
    t_done = 1'b1;
  end

  // --- Many messages ---
  localparam integer MANY = 40;
  logic m_rst, m_valid, m_request;
  logic [2:0] m_done;
  wire [2:0] m_ready;
  for (genvar k = 0; k < 3; k++) begin : g_many
    // The count for programs of 2 messages in 2 nodes; the count of all; the most that COUNT_W bits can count.
    localparam integer COUNTED = k == 0 ? 7 : k == 1 ? MANY : 15;
    wire [31:0] m_rdata;
    fabric_tile #(
        .LINKS(1),
        .LABEL_W(1),
        .DIMS(1),
        .NODE(node_config::set(
            node_config::set(
                node_config::set(
                    node_config::with_depths(node_config::DEFAULT, 2, LOG_DEPTH, SLOT_FLITS), node_config::TIMED, 1
                ),
                node_config::STREAM, k == 0 ? 0 : 1
            ),
            node_config::COUNT_W, k == 2 ? 4 : 32
        ))
    ) u_many (
        .clk,
        .net_clk(clk),
        .rst(m_rst),
        .index(12'd0),
        .here(1'b0),
        .paper(1'b0),
        .seed(32'd0),
        .rewind(1'b0),
        .clear(1'b0),
        .run(1'b0),
        .pass(16'd0),
        .cycle(32'd0),
        .bus_request(m_request),
        .bus_write(1'b0),
        .bus_address({regmap::SPACE_MONITOR, 12'd0, 16'd4}),  // the counter of messages of the ejection channel
        .bus_wdata(32'd0),
        .bus_rdata(m_rdata),
        .stream_refill(1'b0),
        .stream_handed(1'b0),
        .in_flit({FLIT_W{1'b0}}),  // a header to this node, and no more
        .in_last(1'b1),
        .in_valid(m_valid),
        .in_ready(m_ready[k]),
        .out_ready(1'b1),
        .out_empty(1'b1)
    );
    initial begin
      m_done[k] = 1'b0;
      @(posedge m_request);
      repeat (4) @(posedge clk);
      if (m_rdata !== 32'(COUNTED)) $fatal(1, "tile %0d of %0d messages counts %0d, not %0d", k, MANY, m_rdata, COUNTED);
      m_done[k] = 1'b1;
    end
  end

  initial begin
    {m_rst, m_valid, m_request} = 3'b100;
    repeat (3) @(posedge clk);
    m_rst <= 1'b0;
    m_valid <= 1'b1;
    repeat (MANY) begin
      @(posedge clk);
      while (m_ready !== 3'b111) @(posedge clk);
    end
    m_valid <= 1'b0;
    repeat (10) @(posedge clk);
    m_request <= 1'b1;
    @(posedge clk);
    m_request <= 1'b0;
  end

  always @(posedge clk) begin
    for (int u = 0; u < 2; u++) begin
      asked_q[u] <= rst ? '0 : {asked_q[u][1:0], request && (address[27:16] == 12'(u) || &address[27:16])};
      if (!rst && !clean && !asked_q[u][2] && rdata[u] !== 32'd0) $fatal(1, "tile %0d answers unasked", u);
    end
    if (done && t_done && (&m_done)) begin
      $display("PASS fabric_tile (seed %0d, %0d messages)", seed, received);
      $finish;
    end
  end
endmodule

`default_nettype wire
