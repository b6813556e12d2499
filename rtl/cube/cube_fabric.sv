// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Binary n-cube: wiring of tiles, and nothing else. Node u's channel along dimension d leads to node u xor 2^d.
// Register read data is there four cycles after the request, and 0 from whom it does not concern.
`default_nettype none

module cube_fabric #(
    parameter integer DIM = 8,  // dimensions, 1..10
    parameter integer FLIT_W = 32,  // as in fabric_top, all of them
    parameter integer LENGTH_W = 16,
    parameter integer PROGRAM_DEPTH = 64,
    parameter integer LOG_DEPTH = 64,
    parameter integer SLOTS = 3,
    parameter integer SLOT_FLITS = 64,
    parameter integer COUNT_W = 32
) (
    input  wire         clk,
    input  wire         rst,
    // settings and sequencer
    input  wire         paper,
    input  wire  [31:0] seed,
    input  wire         rewind,
    input  wire         clear,
    input  wire         run,
    input  wire  [15:0] pass,
    input  wire  [31:0] cycle,
    // register port
    input  wire         bus_request,
    input  wire         bus_write,
    input  wire  [31:0] bus_address,
    input  wire  [31:0] bus_wdata,
    output logic [31:0] bus_rdata,
    // state, of any tile
    output logic        busy,
    output logic        moved,
    output logic        log_overflow,
    output logic        store_overflow
);
  localparam integer NODES = 1 << DIM;

  generate
    if (DIM < 1 || DIM > 10) illegal_DIM u_illegal ();
  endgenerate

  // rx_*: into tile u, tx_*: out of it; index d is the dimension. Arrays and loops, because a simulator keeps a loop a
  // loop, and turns separate wires into a statement each.
  logic [DIM*FLIT_W-1:0] rx_flit[NODES], tx_flit[NODES];
  logic [DIM-1:0] rx_last[NODES], rx_valid[NODES], rx_ready[NODES], rx_empty[NODES];
  logic [DIM-1:0] tx_last[NODES], tx_valid[NODES], tx_ready[NODES], tx_empty[NODES];

  always_comb begin
    for (int u = 0; u < NODES; u++)
      for (int d = 0; d < DIM; d++) rx_flit[u][d*FLIT_W+:FLIT_W] = tx_flit[u^(1<<d)][d*FLIT_W+:FLIT_W];
  end
  always_comb begin
    for (int u = 0; u < NODES; u++) begin
      for (int d = 0; d < DIM; d++) begin
        rx_last[u][d]  = tx_last[u^(1<<d)][d];
        rx_valid[u][d] = tx_valid[u^(1<<d)][d];
      end
    end
  end
  always_comb begin
    for (int u = 0; u < NODES; u++) begin
      for (int d = 0; d < DIM; d++) begin
        tx_ready[u][d] = rx_ready[u^(1<<d)][d];
        tx_empty[u][d] = rx_empty[u^(1<<d)][d];
      end
    end
  end

  logic [31:0] rdata[NODES];
  logic [3:0] state[NODES];  // busy, moved, log and store overflow
  logic [2:0] asked_q;
  logic [DIM-1:0] index_q, index_1_q, index_2_q;

  always_ff @(posedge clk) begin : collect
    logic [3:0] any;
    any = '0;
    for (int u = 0; u < NODES; u++) any = any | state[u];
    {store_overflow, log_overflow, moved, busy} <= any;
  end

  always_ff @(posedge clk) begin
    if (bus_request || |asked_q) begin
      asked_q <= {asked_q[1:0], bus_request};
      index_q <= bus_address[16+:DIM];
      index_1_q <= index_q;
      index_2_q <= index_1_q;
      bus_rdata <= rdata[index_2_q];
    end
    if (rst) asked_q <= '0;
  end

  generate
    for (genvar u = 0; u < NODES; u++) begin : g_tile
      cube_tile #(
          .DIM(DIM),
          .FLIT_W(FLIT_W),
          .LENGTH_W(LENGTH_W),
          .PROGRAM_DEPTH(PROGRAM_DEPTH),
          .LOG_DEPTH(LOG_DEPTH),
          .SLOTS(SLOTS),
          .SLOT_FLITS(SLOT_FLITS),
          .COUNT_W(COUNT_W)
      ) u_tile (
          .clk(clk),
          .rst(rst),
          .here(DIM'(u)),
          .paper(paper),
          .seed(seed),
          .rewind(rewind),
          .clear(clear),
          .run(run),
          .pass(pass),
          .cycle(cycle),
          .bus_request(bus_request),
          .bus_write(bus_write),
          .bus_address(bus_address),
          .bus_wdata(bus_wdata),
          .bus_rdata(rdata[u]),
          .in_flit(rx_flit[u]),
          .in_last(rx_last[u]),
          .in_valid(rx_valid[u]),
          .in_ready(rx_ready[u]),
          .in_empty(rx_empty[u]),
          .out_flit(tx_flit[u]),
          .out_last(tx_last[u]),
          .out_valid(tx_valid[u]),
          .out_ready(tx_ready[u]),
          .out_empty(tx_empty[u]),
          .busy(state[u][0]),
          .moved(state[u][1]),
          .log_overflow(state[u][2]),
          .store_overflow(state[u][3])
      );
    end
  endgenerate
endmodule

`default_nettype wire
