// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Starts the passes one after the other: a pass begins when nothing of the one before is left anywhere. Before a run
// the nodes rewind their programs; before each pass the monitors clear its counters.
`default_nettype none

module pass_sequencer (
    input  wire         clk,
    input  wire         rst,
    // command
    input  wire         start,
    input  wire  [15:0] first_pass,
    input  wire  [15:0] last_pass,
    input  wire         busy,        // something of the pass is still under way
    input  wire         stuck,
    // to the nodes and monitors
    output logic        rewind,
    output logic        clear,
    output logic        run,
    output logic [15:0] pass,
    output logic [31:0] cycle,       // 1 in the first cycle of the pass
    output logic [ 1:0] state        // STATUS.STATE of the register map
);
  localparam logic [1:0] IDLE = 2'd0, RUNNING = 2'd1, DONE = 2'd2, STUCK = 2'd3;
  // Cycles between `rewind` and `run`, so that every node has its first message at hand; and for which a pass runs
  // before its end is looked for, because `busy` arrives late.
  localparam logic [3:0] SETTLE = 4'd8;

  logic [3:0] wait_q;

  assign run   = state == RUNNING && wait_q == 4'd0;
  assign clear = state == RUNNING && wait_q == 4'd1;

  always_ff @(posedge clk) begin
    rewind <= 1'b0;
    if (state == RUNNING) begin
      if (stuck) begin
        state <= STUCK;
      end else if (wait_q != 4'd0) begin
        wait_q <= wait_q - 4'd1;
        cycle  <= 32'd1;
      end else begin
        cycle <= cycle + 32'd1;
        if (cycle > 32'(SETTLE) && !busy) begin
          if (pass == last_pass) begin
            state <= DONE;
          end else begin
            pass   <= pass + 16'd1;
            wait_q <= SETTLE;
          end
        end
      end
    end else if (start && state != STUCK) begin
      state  <= RUNNING;
      pass   <= first_pass;
      wait_q <= SETTLE;
      rewind <= 1'b1;
    end
    if (rst) begin
      state  <= IDLE;
      pass   <= '0;
      cycle  <= '0;
      wait_q <= '0;
      rewind <= 1'b0;
    end
  end
endmodule

`default_nettype wire
