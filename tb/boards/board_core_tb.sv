// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Tests a board's core over its two UART pins: begins a session, reads and writes registers of the chip and the link.
`default_nettype none

module board_core_tb;
  localparam integer CLOCK_HZ = 12000000, BAUD = 3000000, DIM = 1, MOST = 64;
  wire clk, rst;
  integer seed, state, frames;
  logic [7:0] send_byte;
  logic send_valid;
  wire send_ready, line_down, line_up, got_valid, got_error, activity, fault, running;
  wire [7:0] got_byte;

  bench #(.CYCLES(200000)) u_bench (.clk, .rst, .seed);
  uart_tx #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_send (
      .clk, .rst,
      .in_byte(send_byte),
      .in_valid(send_valid),
      .in_ready(send_ready),
      .pin(line_down)
  );
  uart_rx #(.CLOCK_HZ(CLOCK_HZ), .BAUD(BAUD)) u_get (
      .clk, .rst,
      .pin(line_up),
      .out_byte(got_byte),
      .out_valid(got_valid),
      .error(got_error)
  );
  board_core #(
      .CLOCK_HZ(CLOCK_HZ),
      .BAUD(BAUD),
      // The netlists of tests/board are built without SMALL.
      .NODE(node_config::set(node_config::of_ice40(header_fields::number_low(DIM, 1, 1) + 4, 1), node_config::SMALL, 1))
  ) u_dut (
      .clk, .rst,
      .rx(line_down),
      .tx(line_up),
      .activity, .fault, .running
  );

  logic [7:0] body[MOST], answer[MOST], raw[MOST];
  integer n_body, n_answer, n_raw;

  function [31:0] crc_step(input [31:0] crc, input [7:0] data);
    crc_step = crc ^ 32'(data);
    for (int i = 0; i < 8; i++) crc_step = crc_step[0] ? (crc_step >> 1) ^ 32'hedb88320 : crc_step >> 1;
  endfunction

  task send(input [7:0] what);
    send_byte  = what;
    send_valid = 1'b1;
    @(negedge clk);
    while (!send_ready) @(negedge clk);
    @(posedge clk);
    #1 send_valid = 1'b0;
  endtask

  // Sends the body with its CRC, encoded by COBS; then decodes and checks the answer.
  task exchange;
    logic [31:0] crc;
    integer run, at, left;
    crc = '1;
    for (int i = 0; i < n_body; i++) crc = crc_step(crc, body[i]);
    crc = ~crc;
    for (int i = 0; i < 4; i++) body[n_body+i] = crc[8*i+:8];
    body[n_body+4] = 8'd0;
    at = 0;
    while (at < n_body + 5) begin
      run = 0;
      while (body[at+run] != 8'd0) run = run + 1;
      send(8'(run + 1));
      for (int i = 0; i < run; i++) send(body[at+i]);
      at = at + run + 1;
    end
    send(8'd0);

    n_raw = 0;
    do begin
      @(posedge clk);
      if (got_error) $fatal(1, "a byte of the answer has no stop bit");
      if (got_valid) begin
        raw[n_raw] = got_byte;
        if (n_raw != 0 || got_byte != 8'd0) n_raw = n_raw + 1;
      end
    end while (n_raw == 0 || raw[n_raw-1] != 8'd0);
    n_answer = 0;
    at = 0;
    while (at < n_raw - 1) begin
      left = 32'(raw[at]) - 1;
      for (int i = 0; i < left; i++) begin
        answer[n_answer] = raw[at+1+i];
        n_answer = n_answer + 1;
      end
      at = at + left + 1;
      if (at < n_raw - 1) begin
        answer[n_answer] = 8'd0;
        n_answer = n_answer + 1;
      end
    end
    crc = '1;
    for (int i = 0; i < n_answer - 4; i++) crc = crc_step(crc, answer[i]);
    n_answer = n_answer - 4;
    if (~crc !== {answer[n_answer+3], answer[n_answer+2], answer[n_answer+1], answer[n_answer]}) $fatal(1, "an answer is damaged");
    frames = frames + 1;
  endtask

  task read(input [7:0] number, input [31:0] where, input [31:0] expected);
    body[0] = 8'd1;
    body[1] = number;
    body[2] = 8'd0;
    for (int i = 0; i < 4; i++) body[3+i] = where[8*i+:8];
    n_body = 7;
    exchange;
    if (n_answer != 6 || answer[0] !== 8'h81 || answer[1] !== number) $fatal(1, "a read is answered by %h", answer[0]);
    if ({answer[5], answer[4], answer[3], answer[2]} !== expected)
      $fatal(1, "%h reads %h%h%h%h, expected %h", where, answer[5], answer[4], answer[3], answer[2], expected);
  endtask

  logic [31:0] word;
  logic activity_before;
  initial begin
    send_valid = 1'b0;
    frames = 0;
    wait (!rst);
    state = seed;
    word = $random(state);
    repeat (20) @(posedge clk);
    if (line_up !== 1'b1 || fault !== 1'b0 || running !== 1'b0) $fatal(1, "the board does not rest after reset");
    send(8'd0);
    body[0] = 8'd3;
    body[1] = 8'd7;
    for (int i = 0; i < 4; i++) body[2+i] = word[8*i+:8];
    n_body = 6;
    exchange;
    if (answer[0] !== 8'h83 || answer[1] !== 8'd7 || {answer[5], answer[4], answer[3], answer[2]} !== word)
      $fatal(1, "a hello is answered by %h", answer[0]);
    activity_before = activity;
    read(8'd8, {regmap::SPACE_GLOBAL, 20'd0, regmap::MAGIC}, 32'h4d4f4f4c);
    if (activity === activity_before) $fatal(1, "the lamp does not show activity");
    read(8'd9, {regmap::SPACE_GLOBAL, 20'd0, regmap::NODES}, 32'(1 << DIM));
    read(8'd10, 32'hf0000002, 32'(CLOCK_HZ));
    read(8'd11, 32'hf0000003, 32'(BAUD));

    body[0] = 8'd2;
    body[1] = 8'd12;
    body[2] = 8'd0;
    body[3] = regmap::SEED;
    for (int i = 0; i < 3; i++) body[4+i] = 8'd0;
    for (int i = 0; i < 4; i++) body[7+i] = word[8*i+:8];
    n_body = 11;
    exchange;
    if (n_answer != 2 || answer[0] !== 8'h82) $fatal(1, "a write is answered by %h", answer[0]);
    read(8'd13, {regmap::SPACE_GLOBAL, 20'd0, regmap::SEED}, word);
    $display("PASS board_core (seed %0d, %0d frames)", seed, frames);
    $finish;
  end
endmodule

`default_nettype wire
