// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The example of docs/using-the-rtl.md: two endpoints on a wormhole router of two ports, and nothing else of flitloom.
// Each endpoint sends MESSAGES messages of FLITS flits, by turns to the other one and to itself, so that the two meet
// at both outputs. It checks what it receives: every message is for this endpoint, whole, and in the order in which its
// source sent it. Ends in "PASS two_endpoints ..." or in $fatal.
//
// A flit here has 16 bits:
//   header    bit 0 destination, bit 1 source, bits 15:2 number of the message at its source
//   the rest  bits 15:8 number of the message (its low bits), bits 7:0 place of the flit in the message, 1, 2, ...
`default_nettype none

module two_endpoints;
  localparam integer PORTS = 2, FLIT_W = 16, MESSAGES = 20, FLITS = 5;
  logic clk = 1'b0, rst = 1'b1;
  integer cycles = 0;

  // Index 0 and 1 are the two ports; to_* goes into the router, from_* comes out of it.
  wire [PORTS*FLIT_W-1:0] to_flit, from_flit, spare_flit;
  wire [PORTS-1:0] spare_full;
  wire [PORTS-1:0] to_last, to_valid, to_ready, to_empty;
  wire [PORTS-1:0] from_last, from_valid, from_ready;
  wire [PORTS-1:0] next_comes, obs_worm, obs_flit, obs_blocked, done;
  wire busy;

  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_endpoint
      endpoint #(
          .HERE(p),
          .FLIT_W(FLIT_W),
          .MESSAGES(MESSAGES),
          .FLITS(FLITS)
      ) u_endpoint (
          .clk(clk),
          .rst(rst),
          .out_flit(to_flit[p*FLIT_W+:FLIT_W]),
          .out_last(to_last[p]),
          .out_valid(to_valid[p]),
          .out_ready(to_ready[p]),
          .in_flit(from_flit[p*FLIT_W+:FLIT_W]),
          .in_last(from_last[p]),
          .in_valid(from_valid[p]),
          .in_ready(from_ready[p]),
          .done(done[p])
      );
    end
  endgenerate

  // With two ports a port number has one bit. The route unit: bit 0 of a header, which is on its way to the head of its
  // buffer from in_flit or, if that is full, from the second slot, is the port it asks for.
  wire [PORTS-1:0] next_lane = {
    spare_full[1] ? spare_flit[FLIT_W] : to_flit[FLIT_W], spare_full[0] ? spare_flit[0] : to_flit[0]
  };

  wh_router #(
      .PORTS (PORTS),
      .FLIT_W(FLIT_W)
  ) u_router (
      .clk(clk),
      .rst(rst),
      .paper(1'b0),  // a header may follow the last tail at once
      .early(2'b00),  // of headers that come together the one at port 0 goes first
      .select(2'd0),  // this one and the next one are for route units that leave a choice
      .seed(16'd0),
      .in_flit(to_flit),
      .in_last(to_last),
      .in_valid(to_valid),
      .in_ready(to_ready),
      .in_empty(to_empty),  // nobody here needs it
      .in_left(),  // nor this
      .out_flit(from_flit),
      .out_last(from_last),
      .out_valid(from_valid),
      .out_ready(from_ready),
      .out_empty(2'b00),  // looked at only with paper = 1
      .spare_full(spare_full),
      .spare_flit(spare_flit),
      .next_comes(next_comes),
      .next_lane(next_lane),
      .obs_worm(obs_worm),
      .obs_flit(obs_flit),
      .obs_blocked(obs_blocked),
      .busy(busy)
  );

  always #5 clk <= !clk;

  always @(posedge clk) begin
    cycles <= cycles + 1;
    if (cycles == 2) rst <= 1'b0;
    if (!rst && &done && !busy) begin
      $display("PASS two_endpoints %0d messages of %0d flits in %0d cycles", PORTS * MESSAGES, FLITS, cycles - 3);
      $finish;
    end
    if (cycles == 10000) $fatal(1, "not done after %0d cycles", cycles);
  end
endmodule

module endpoint #(
    parameter integer HERE = 0,  // number of the port it sits on, 0 or 1
    parameter integer FLIT_W = 16,  // bits of a flit, 16
    parameter integer MESSAGES = 1,  // messages to send, an even number up to 256
    parameter integer FLITS = 2  // flits of a message, header included, 2..255
) (
    input  wire              clk,
    input  wire              rst,
    // into the router
    output wire [FLIT_W-1:0] out_flit,
    output wire              out_last,
    output wire              out_valid,
    input  wire              out_ready,
    // out of the router
    input  wire [FLIT_W-1:0] in_flit,
    input  wire              in_last,
    input  wire              in_valid,
    output wire              in_ready,
    output wire              done       // all is sent, and as much has come
);
  // Sender. `valid` depends on registers only, and flit and last change only when the router has taken a flit.
  integer message, place;
  wire destination = HERE[0] ^ !message[0];

  assign out_valid = message < MESSAGES;
  assign out_last = place == FLITS - 1;
  assign out_flit = place == 0 ? {message[13:0], HERE[0], destination} : {message[7:0], place[7:0]};

  always @(posedge clk) begin
    if (out_valid && out_ready) begin
      place <= out_last ? 0 : place + 1;
      if (out_last) message <= message + 1;
    end
    if (rst) begin
      message <= 0;
      place   <= 0;
    end
  end

  // Receiver. It has no buffer and takes a flit in two of three cycles. Each source sends every second message here.
  integer received, expected, pause;
  integer next[0:1];  // number of the next message from each source
  reg source;

  assign in_ready = pause != 0;
  assign done = message == MESSAGES && received == MESSAGES;

  always @(posedge clk) begin
    pause <= pause == 2 ? 0 : pause + 1;
    if (in_valid && in_ready) begin
      expected <= in_last ? 0 : expected + 1;
      if (in_last) received <= received + 1;
      if (in_last != (expected == FLITS - 1)) $fatal(1, "endpoint %0d: a message of %0d flits", HERE, expected + 1);
      if (expected == 0) begin
        source <= in_flit[1];
        next[in_flit[1]] <= next[in_flit[1]] + 2;
        if (in_flit != {14'(next[in_flit[1]]), in_flit[1], HERE[0]}) $fatal(1, "endpoint %0d: header %h", HERE, in_flit);
      end else if (in_flit != {8'(next[source] - 2), expected[7:0]}) begin
        $fatal(1, "endpoint %0d: flit %0d of a message from %0d is %h", HERE, expected, source, in_flit);
      end
    end
    if (rst) begin
      pause <= 0;
      expected <= 0;
      received <= 0;
      next[HERE] <= 1;  // the first message goes to the other endpoint, the second one here
      next[1-HERE] <= 0;
    end
  end
endmodule

`default_nettype wire
