// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Encodes frames by COBS (consistent overhead byte stuffing: no zero inside) and ends each with a zero byte. Part of
// link_sender. The code byte of a run stands before the run and is known only after it: it is written into the ring
// when the run ends, and the line gets a frame only when it is complete.
//
// Latency: a frame begins to come out two cycles after its zero was written into the ring, if the ring was empty.
// Throughput: one byte per cycle, one cycle more per 254 bytes and three per frame.
//
// Ports:
// - in_*: bytes of a frame, then once in_end = 1 (in_byte is not looked at). What is offered with in_valid must stay
//   until in_ready.
// - out_*: bytes of the line; out_valid stays, with its byte, until out_ready.
//
// Reset: synchronous, one cycle; what is in the ring is dropped. Legal parameters: BYTES a power of two >= 4. A frame
// of n bytes needs n + n/LONGEST + 3 places of the ring and must fit into it, or it would wait for ever. LONGEST below
// 254 is for tests: the line then holds shorter runs than COBS would make.
`default_nettype none

module cobs_encode #(
    parameter integer BYTES = 512,  // of the ring, a power of two, >= 4
    parameter integer LONGEST = 254  // bytes of the longest run, 1..254; less than 254 only in tests
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

  if (LONGEST < 1 || LONGEST > 254) begin : g_LONGEST illegal_LONGEST u_illegal (); end

  logic [1:0] state_q;
  logic [AT_W-1:0] at_q;  // where the next byte goes
  logic [AT_W-1:0] code_at_q;  // where the code of the run under way goes
  logic [AT_W-1:0] end_q;
  logic [7:0] code_q;
  logic [AT_W-1:0] head;

  wire [AT_W-1:0] next_at = at_q + 1'b1;
  wire room = next_at != head;
  wire longest = code_q == 8'(LONGEST + 1);
  wire offered = state_q == RUN && in_valid;
  wire finish = offered && in_end;
  wire split = offered && !in_end && longest;  // the longest run ends without a zero
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

  link_ring #(.BYTES(BYTES)) u_ring (
      .clk, .rst,
      .write(patch || plain),
      .write_at(patch ? code_at_q : at_q),
      .write_byte(patch ? code_q : state_q == CLOSE ? 8'd0 : in_byte),
      .end_at(end_q),
      .head_at(head),
      .out_byte, .out_valid, .out_ready
  );

`ifdef FORMAL
  // The line, taken apart by positions, is what came in: told by one byte or end (any) of the stream of frames.
  (* anyconst *) logic [4:0] f_pick;
  logic [4:0] f_in, f_out;  // bytes and ends that came in, that have come out
  logic f_seen, f_end;
  logic [7:0] f_byte;
  logic [7:0] f_frame;  // bytes of the frame that comes in
  logic [7:0] f_at, f_code_at, f_code;  // on the line: of the next byte, of the next code; the last code
  logic [7:0] f_wait, f_still;

  wire f_take = out_valid && out_ready;
  wire f_code_here = f_at == f_code_at;
  wire f_close = f_take && out_byte == 8'd0;
  wire f_plain = f_take && out_byte != 8'd0 && (!f_code_here || f_at != 8'd0 && f_code != 8'(LONGEST + 1));

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && $past(in_valid && !in_ready)) assume (in_valid && $stable({in_byte, in_end}));
    if (32'(f_frame) + 32'(f_frame) / LONGEST + 4 > BYTES) assume (in_end);

    if (in_valid && in_ready) begin
      f_in <= f_in + 5'd1;
      f_frame <= in_end ? '0 : f_frame + 8'd1;
      if (f_in == f_pick) begin
        f_seen <= 1'b1;
        f_byte <= in_byte;
        f_end  <= in_end;
      end
    end
    if (f_take) begin
      f_at <= f_at + 8'd1;
      if (f_code_here) begin
        f_code <= out_byte;
        f_code_at <= f_at + out_byte;
      end
    end
    if (f_close) begin
      f_at <= '0;
      f_code_at <= '0;
    end
    if (f_plain || f_close) f_out <= f_out + 5'd1;
    f_still <= in_valid && !in_ready && room ? f_still + 8'd1 : '0;
    f_wait <= in_valid && !in_ready && out_ready ? f_wait + 8'd1 : '0;
    if (rst) begin
      f_in <= '0;
      f_out <= '0;
      f_seen <= 1'b0;
      f_frame <= '0;
      f_at <= '0;
      f_code_at <= '0;
      f_wait <= '0;
      f_still <= '0;
    end

    if (!$initstate) begin
      if (f_plain || f_close) assert (f_out < f_in);
      if ((f_plain || f_close) && f_out == f_pick) begin
        assert (f_seen && f_end == f_close);
        if (f_plain) assert (f_byte == (f_code_here ? 8'd0 : out_byte));
      end
      if (f_close) assert (f_code_here);
      // With room it waits at most for the end of a frame and the beginning of the next, and a run's end.
      assert (f_still <= 8'd3);
      // While the line takes what it gets the frame waits for no more than what is in the ring.
      assert (f_wait <= 8'(BYTES + 4));

      cover (f_close && f_out == f_pick && f_pick == 5'd3);
      cover (f_plain && f_out == f_pick && f_code_here);
      cover (in_valid && !in_ready && !room);
    end
  end
`endif
endmodule

`default_nettype wire
