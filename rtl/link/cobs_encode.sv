// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Frames into COBS, each with a zero byte after it. A run's code stands before it and is known after it: it is written
// into the ring when the run ends, and the line gets a frame only when it is complete. One byte per cycle, one cycle
// more per 254 bytes and three per frame. A frame must fit into the ring: n bytes need n + n/254 + 3.
`default_nettype none

module cobs_encode #(
    parameter integer BYTES = 512  // of the ring, a power of two, >= 4
) (
    input  wire        clk,
    input  wire        rst,
    // the frame
    input  wire  [7:0] in_byte,
    input  wire        in_end,     // no byte: the frame is over
    input  wire        in_valid,
    output logic       in_ready,
    // the line
    output logic [7:0] out_byte,
    output logic       out_valid,
    input  wire        out_ready
);
  localparam integer AT_W = $clog2(BYTES);
  localparam logic [1:0] OPEN = 2'd0, RUN = 2'd1, CLOSE = 2'd2;

  logic [1:0] state_q;
  logic [AT_W-1:0] at_q;  // where the next byte goes
  logic [AT_W-1:0] code_at_q;  // where the code of the run under way goes
  logic [AT_W-1:0] end_q;
  logic [7:0] code_q;
  logic [AT_W-1:0] head;

  wire [AT_W-1:0] next_at = at_q + 1'b1;
  wire room = next_at != head;
  wire longest = code_q == 8'hff;
  wire offered = state_q == RUN && in_valid;
  wire finish = offered && in_end;
  wire split = offered && !in_end && longest;  // a run of 254 ends without a zero
  wire zero = offered && !in_end && !longest && in_byte == 8'd0;
  wire patch = finish || (split || zero) && room;
  wire plain = (offered && !in_end && !longest && in_byte != 8'd0 || state_q == CLOSE) && room;

  assign in_ready = state_q == RUN && (in_end || room && !longest);

  always_ff @(posedge clk) begin
    case (state_q)
      OPEN: if (room) state_q <= RUN;
      RUN: if (finish) state_q <= CLOSE;
      default:
      if (room) begin
        state_q <= OPEN;
        end_q   <= next_at;
      end
    endcase
    if (room && (state_q != RUN || offered && !in_end)) at_q <= next_at;
    if (plain) code_q <= code_q + 8'd1;
    if (room && (state_q == OPEN || split || zero)) begin
      code_at_q <= at_q;
      code_q <= 8'd1;
    end
    if (rst) begin
      state_q <= OPEN;
      at_q <= '0;
      end_q <= '0;
    end
  end

  link_ring #(
      .BYTES(BYTES)
  ) u_ring (
      .clk(clk),
      .rst(rst),
      .write(patch || plain),
      .write_at(patch ? code_at_q : at_q),
      .write_byte(patch ? code_q : state_q == CLOSE ? 8'd0 : in_byte),
      .end_at(end_q),
      .head_at(head),
      .out_byte(out_byte),
      .out_valid(out_valid),
      .out_ready(out_ready)
  );
endmodule

`default_nettype wire
