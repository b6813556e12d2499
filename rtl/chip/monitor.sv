// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Counts, on every channel of a tile, since the pass began: worms, flits, and cycles in which a header waited.
// Counters stop at their largest value. Register read data is there two cycles after the request.
`default_nettype none

module monitor #(
    parameter integer CHANNELS = 10,  // channels watched, 1..64
    parameter integer COUNT_W = 32  // bits of a counter, 1..32
) (
    input  wire                 clk,
    input  wire                 rst,
    // observation
    input  wire  [CHANNELS-1:0] obs_worm,
    input  wire  [CHANNELS-1:0] obs_flit,
    input  wire  [CHANNELS-1:0] obs_blocked,
    // sequencer
    input  wire                 clear,        // a pass begins
    // register port
    input  wire                 bus_select,
    input  wire  [         7:0] bus_address,  // channel above word
    output logic [        31:0] bus_rdata,
    output logic                moved         // a flit crossed
); /*verilator no_inline_module*/
  generate
    if (CHANNELS < 1 || CHANNELS > 64) illegal_CHANNELS u_illegal ();
    if (COUNT_W < 1 || COUNT_W > 32) illegal_COUNT_W u_illegal ();
  endgenerate

  logic [CHANNELS*32-1:0] worms, flits, blocked;
  logic [CHANNELS-1:0] waiting_q;  // a header waits now
  logic [7:0] address_q;
  logic selected_q;

  wire [5:0] channel = address_q[7:2];

  assign moved = |obs_flit;

  generate
    for (genvar c = 0; c < CHANNELS; c++) begin : g_channel
      logic [COUNT_W-1:0] worms_q, flits_q, blocked_q;
      assign worms[32*c+:32]   = 32'(worms_q);
      assign flits[32*c+:32]   = 32'(flits_q);
      assign blocked[32*c+:32] = 32'(blocked_q);

      always_ff @(posedge clk) begin
        if (clear) begin
          worms_q   <= '0;
          flits_q   <= '0;
          blocked_q <= '0;
        end else if (obs_flit[c] || obs_blocked[c]) begin
          if (obs_worm[c] && !(&worms_q)) worms_q <= worms_q + 1'b1;
          if (obs_flit[c] && !(&flits_q)) flits_q <= flits_q + 1'b1;
          if (obs_blocked[c] && !(&blocked_q)) blocked_q <= blocked_q + 1'b1;
        end
      end
    end
  endgenerate

  always_ff @(posedge clk) begin
    waiting_q  <= obs_blocked;
    selected_q <= bus_select;
    if (bus_select) address_q <= bus_address;
    if (selected_q) begin
      bus_rdata <= '0;
      for (int c = 0; c < CHANNELS; c++) begin
        if (channel == 6'(c)) begin
          case (address_q[1:0])
            2'd0: bus_rdata <= worms[32*c+:32];
            2'd1: bus_rdata <= flits[32*c+:32];
            2'd2: bus_rdata <= blocked[32*c+:32];
            default: bus_rdata <= 32'(waiting_q[c]);
          endcase
        end
      end
    end
    if (rst) begin
      waiting_q  <= '0;
      selected_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
