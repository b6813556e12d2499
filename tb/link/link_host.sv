// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The far end of a byte link, and a memory on its register port. It encodes and decodes by link_codec, damages frames,
// follows sequence numbers, registers and counters, and ends the simulation if an answer, an access or its order is not
// what docs/protocol.md says.
`default_nettype none

module link_host #(
    parameter integer CLOCK_HZ = 12000000,
    parameter integer BAUD = 0,
    parameter integer MAX_WORDS = 64,
    parameter integer RX_BYTES = 512,
    parameter integer TIMEOUT = 256,  // cycles
    parameter integer GAP = 0,  // cycles between bytes sent, at least
    parameter integer ROUNDS = 60,
    parameter integer SALT = 0
) (
    input  wire         clk,
    input  wire         rst,
    // bytes to the device
    output logic [ 7:0] out_byte,
    output logic        out_valid,
    input  wire         out_ready,
    output logic        out_error,
    // bytes from it
    input  wire  [ 7:0] in_byte,
    input  wire         in_valid,
    output logic        in_ready,
    // its register port
    input  wire         wb_cyc,
    input  wire         wb_stb,
    input  wire         wb_we,
    input  wire  [31:0] wb_adr,
    input  wire  [31:0] wb_dat_w,
    output logic        wb_stall,
    output logic        wb_ack,
    output logic [31:0] wb_dat_r,
    // its lamps
    input  wire         fault,
    output logic        done,
    output integer      answers
);
  localparam integer QUEUE = 4096;
  `include "chance.svh"
  logic [1:0] pace;  // 0: this module does not pause
  logic silent;  // the register port does not answer

  initial begin
    seed_by(1000033, SALT * 7927 + 29);
  end

  link_codec u_codec ();  // frames that are sent
  link_codec u_book ();  // frames that arrive

  // Memory: a word has what was written, or a function of its address.
  logic [31:0] memory[256];
  logic [255:0] written;
  function [31:0] stored(input [31:0] address);
    stored = address < 256 && written[address[7:0]] ? memory[address[7:0]] : address * 32'h9e3779b1 ^ 32'h5bd1e995;
  endfunction

  // The accesses that the register port must see, and the answers that must come, both in order.
  logic [64:0] accesses[QUEUE];  // we, address, data
  integer access_in, access_out;
  logic [7:0] expected[QUEUE][270];
  integer expected_length[QUEUE];
  integer expected_in, expected_out;
  logic lenient;  // refusals with the right number may come without a request

  // The model of the device.
  logic session;
  logic [31:0] nonce;
  logic [7:0] number;  // the sequence number that it expects next
  integer damaged, refused, lost, unanswered;

  // Register port: stalls at random, and answers after 0..3 cycles or never.
  integer delay;
  logic pending;
  logic [31:0] answer;
  always @(posedge clk) begin
    wb_ack <= 1'b0;
    wb_dat_r <= $random(state);
    wb_stall <= pace != 2'd0 && random(4) == 0;
    if (pending) begin
      if (delay == 0) begin
        wb_ack <= 1'b1;
        wb_dat_r <= answer;
        pending <= 1'b0;
      end
      delay <= delay - 1;
    end
    if (!rst && wb_stb && !wb_cyc) $fatal(1, "%m: stb without cyc");
    if (!rst && wb_cyc && wb_stb && !wb_stall) begin
      if (access_in == access_out) $fatal(1, "%m: nobody asked for %b %h", wb_we, wb_adr);
      if (accesses[access_out%QUEUE][64:32] !== {wb_we, wb_adr})
        $fatal(1, "%m: access %b %h, expected %h", wb_we, wb_adr, accesses[access_out%QUEUE]);
      if (wb_we && accesses[access_out%QUEUE][31:0] !== wb_dat_w)
        $fatal(1, "%m: %h is written to %h, expected %h", wb_dat_w, wb_adr, accesses[access_out%QUEUE]);
      access_out <= access_out + 1;
      answer <= accesses[access_out%QUEUE][31:0];
      delay <= pace == 2'd0 ? 0 : random(4);
      pending <= !silent;
    end
    if (rst) begin
      pending <= 1'b0;
      access_out <= 0;
    end
  end

  // Bytes to the device.
  task put_byte(input [7:0] data);
    repeat (GAP + (pace[1] ? random(5) : 0)) @(posedge clk);
    out_byte  <= data;
    out_valid <= 1'b1;
    @(posedge clk);
    while (!out_ready) @(posedge clk);
    out_valid <= 1'b0;
    out_byte  <= 8'($random(state));
  endtask

  task begin_frame(input [7:0] kind, input [7:0] sequence_number);
    u_codec.length = 0;
    u_codec.add(kind);
    u_codec.add(sequence_number);
  endtask

  // Appends the frame's CRC and encodes it by COBS.
  task encode;
    u_codec.add_crc;
    u_codec.stuff;
    u_codec.length = u_codec.length - 4;
  endtask

  task send;
    integer i;
    encode;
    for (i = 0; i < u_codec.line_length; i = i + 1) put_byte(u_codec.line[i]);
    repeat (1 + (pace[1] ? random(2) : 0)) put_byte(8'd0);
  endtask

  // Expects an answer that begins with these bytes.
  task expect_answer(input [7:0] first, input [7:0] second);
    while (expected_in - expected_out >= QUEUE - 1) @(posedge clk);
    expected[expected_in%QUEUE][0] = first;
    expected[expected_in%QUEUE][1] = second;
    expected_length[expected_in%QUEUE] = 2;
  endtask
  task expect_more(input [7:0] data);
    expected[expected_in%QUEUE][expected_length[expected_in%QUEUE]] = data;
    expected_length[expected_in%QUEUE] = expected_length[expected_in%QUEUE] + 1;
  endtask
  task expect_refusal(input [7:0] reason);
    expect_answer(8'h84, number);
    expect_more(reason);
    expected_in = expected_in + 1;
  endtask

  task quiet;
    integer waited;
    waited = 0;
    while (expected_in != expected_out || access_in != access_out) begin
      @(posedge clk);
      waited = waited + 1;
      if (waited > 100000) $fatal(1, "%m: no answer (%0d of %0d)", expected_out, expected_in);
    end
  endtask

  function [31:0] own_register(input [31:0] address);
    case (address[27:0])
      28'd0: own_register = 32'h4b4e494c;
      28'd1: own_register = 32'd1;
      28'd2: own_register = CLOCK_HZ;
      28'd3: own_register = BAUD;
      28'd4: own_register = damaged;
      28'd5: own_register = refused;
      28'd6: own_register = lost;
      28'd7: own_register = unanswered;
      default: own_register = 32'd0;
    endcase
  endfunction

  // Makes a request of random reads or writes with this number in u_codec; with `now` the model notes its effects.
  task request(input write, input [7:0] sequence_number, input now);
    integer commands, words, left, i, k, chosen;
    logic fixed, act, answers_it;
    logic [31:0] address, data;
    logic [7:0] ahead;
    begin_frame(write ? 8'd2 : 8'd1, sequence_number);
    ahead = sequence_number - number;
    answers_it = session && (ahead == 8'd0 || ahead >= 8'd128);
    act = session && (ahead == 8'd0 || ahead >= 8'd128 && !write);
    if (now && answers_it) expect_answer(write ? 8'h82 : 8'h81, sequence_number);
    left = MAX_WORDS;
    commands = 1 + random(3);
    if (random(4) == 0) commands = 1;
    while (commands > 0 && left > 0) begin
      words = random(3) == 0 ? left : 1 + random(left < 4 ? left : 4);
      left = left - words;
      commands = commands - 1;
      fixed = 1'(random(2));
      chosen = random(8);
      address = chosen < 5 ? random(256 - MAX_WORDS) : chosen == 5 ? 32'hf0000000 + random(10) : $random(state);
      if (chosen == 6) address = 32'hfffffff8;
      if (chosen == 7) address = {4'(random(15)), 20'hfffff, 8'(random(256))};
      u_codec.add({fixed, 1'b0, 6'(words - 1)});
      u_codec.add_word(address);
      for (k = 0; k < words; k = k + 1) begin
        data = random(4) == 0 ? 32'd0 : $random(state);
        if (write) u_codec.add_word(data);
        if (!write) data = address[31:28] == 4'hf ? own_register(address) : stored(address);
        if (now && act && address[31:28] != 4'hf) begin
          accesses[access_in%QUEUE] = {write, address, data};
          access_in = access_in + 1;
          if (write && address < 256) begin
            memory[address[7:0]] = data;
            written[address[7:0]] = 1'b1;
          end
          if (silent) begin
            unanswered = unanswered + 1;
            data = 32'd0;
          end
        end
        if (now && act && !write) for (i = 0; i < 4; i = i + 1) expect_more(data[8*i+:8]);
        if (!fixed) address = address + 32'd1;
      end
    end
    if (now && answers_it) begin
      expected_in = expected_in + 1;
      if (ahead == 8'd0) number = number + 8'd1;
    end
    if (now && !answers_it) begin
      expect_refusal(8'd2);
      refused = refused + 1;
    end
  endtask

  task hello(input [7:0] sequence_number, input [31:0] new_nonce);
    integer i;
    begin_frame(8'd3, sequence_number);
    u_codec.add_word(new_nonce);
    expect_answer(8'h83, sequence_number);
    for (i = 0; i < 4; i = i + 1) expect_more(new_nonce[8*i+:8]);
    expect_more(8'd1);
    expect_more(8'(MAX_WORDS));
    expect_more(8'(RX_BYTES));
    expect_more(8'(RX_BYTES >> 8));
    expected_in = expected_in + 1;
    if (!session || nonce != new_nonce) number = sequence_number + 8'd1;
    session = 1'b1;
    nonce = new_nonce;
    send;
  endtask

  // Makes a frame that is no request, in one of several ways, with a right CRC.
  task malform(input integer kind);
    integer i;
    request(1'(random(2)), number, 1'b0);
    case (kind)
      0: u_codec.body[0] = 8'd0;
      1: u_codec.body[0] = 8'd4 + 8'(random(252));
      2: u_codec.body[2] = u_codec.body[2] ^ 8'h40;
      3: u_codec.add(8'($random(state)));
      4: u_codec.length = u_codec.length - 1;
      5: u_codec.length = 2;
      6: u_codec.length = random(2);
      7: begin  // more words than a frame may have
        begin_frame(8'd1, number);
        for (i = 0; i < 2; i = i + 1) begin
          u_codec.add(8'(i == 0 ? MAX_WORDS - 1 : 0));
          u_codec.add_word(32'd0);
        end
      end
      default: begin
        begin_frame(8'd3, number);
        repeat (random(2) ? 3 : 5 + random(5)) u_codec.add(8'($random(state)));
      end
    endcase
  endtask

  integer round, i, k, kind, count, before_lost;
  logic [7:0] back;
  initial begin
    {done, out_valid, out_error, out_byte, access_in, expected_in, session, number, damaged, refused, lost} = '0;
    {unanswered, lenient, silent, pace, written} = '0;
    @(posedge clk);
    while (rst) @(posedge clk);
    repeat (3) put_byte(8'd0);
    request(1'b1, 8'd0, 1'b1);
    send;
    quiet;
    if (!fault) $fatal(1, "%m: a refusal and no fault");
    hello(8'($random(state)), $random(state));
    quiet;
    for (kind = 0; kind < 9; kind = kind + 1) begin
      malform(kind);
      send;
      refused = refused + 1;
      expect_refusal(8'd3);
      quiet;
    end
    hello(8'($random(state)), $random(state));
    quiet;
    if (fault) $fatal(1, "%m: a new session and still a fault");
    for (round = 0; round < ROUNDS; round = round + 1) begin
      pace = 2'(round);
      kind = random(16);
      // Several requests in flight, new and repeated ones.
      count = 1 + random(6);
      for (k = 0; k < count; k = k + 1) begin
        back = random(4) == 0 ? 8'(random(129)) : 8'd0;
        request(1'(random(2)), number - back, 1'b1);
        send;
      end
      quiet;
      case (kind)
        0: begin  // a request with another number
          request(1'(random(2)), number + 8'd1 + 8'(random(127)), 1'b1);
          send;
        end
        1: hello(number, nonce);
        2: hello(8'($random(state)), $random(state));
        3, 4: begin  // a flipped bit, a byte lost or too many, a cut
          request(1'b1, number, 1'b0);
          encode;
          i = 1 + random(u_codec.line_length - 1);
          case (random(4))
            0: begin
              k = random(8);
              if (u_codec.line[i] != 8'd1 << k) u_codec.line[i] = u_codec.line[i] ^ 8'd1 << k;
              else u_codec.line[i] = u_codec.line[i] ^ 8'hff;
            end
            1: begin
              for (k = i; k < u_codec.line_length - 1; k = k + 1) u_codec.line[k] = u_codec.line[k+1];
              u_codec.line_length = u_codec.line_length - 1;
            end
            2: begin
              for (k = u_codec.line_length; k > i; k = k - 1) u_codec.line[k] = u_codec.line[k-1];
              u_codec.line_length = u_codec.line_length + 1;
            end
            default: u_codec.line_length = i;
          endcase
          for (k = 0; k < u_codec.line_length; k = k + 1) put_byte(u_codec.line[k]);
          put_byte(8'd0);
          damaged = damaged + 1;
          expect_refusal(8'd1);
        end
        5, 6: begin
          malform(random(9));
          send;
          refused = refused + 1;
          expect_refusal(8'd3);
        end
        7: begin  // a byte lost on the line, within a frame or before one
          request(1'b1, number, 1'b0);
          encode;
          k = random(u_codec.line_length);
          for (i = 0; i < u_codec.line_length; i = i + 1) begin
            if (i == k) begin
              out_error <= 1'b1;
              @(posedge clk);
              out_error <= 1'b0;
            end
            put_byte(u_codec.line[i]);
          end
          put_byte(8'd0);
          damaged = damaged + 1;
          lost = lost + 1;
          expect_refusal(8'd1);
        end
        8: begin  // a good frame that is too long for the ring
          u_codec.length = 0;
          repeat (RX_BYTES - 4 + random(80)) u_codec.add(8'($random(state)));
          send;
          lost = lost + u_codec.length + 4 - (RX_BYTES - 1);
          expect_refusal(8'd4);
        end
        9, 10, 11: begin  // noise
          lenient = 1'b1;
          for (i = 0; i < 4; i = i + 1) begin
            repeat (random(300)) put_byte(random(20) == 0 ? 8'd0 : random(3) == 0 ? 8'(random(8)) : 8'($random(state)));
            put_byte(8'd0);
          end
          repeat (2000) @(posedge clk);
          hello(number, $random(state));
          quiet;
          lenient = 1'b0;
          // Only the device knows how many frames the noise had: the bench reads its counters and does not predict
          // them.
          read_counters;
        end
        12: begin  // the register port does not answer
          silent = 1'b1;
          request(1'(random(2)), number, 1'b1);
          send;
          quiet;
          silent = 1'b0;
        end
        default: begin
          // The longest frames, one after the other.
          begin_frame(8'd2, number);
          expect_answer(8'h82, number);
          number = number + 8'd1;
          expected_in = expected_in + 1;
          u_codec.add({1'b0, 1'b0, 6'(MAX_WORDS - 1)});
          u_codec.add_word(32'd0);
          for (i = 0; i < MAX_WORDS; i = i + 1) begin
            for (k = 0; k < 4; k = k + 1) u_codec.add(8'd1 + 8'(random(255)));
            memory[i] = u_codec.word_at(u_codec.length - 4);
            written[i] = 1'b1;
            accesses[access_in%QUEUE] = {1'b1, i, memory[i]};
            access_in = access_in + 1;
          end
          send;
          begin_frame(8'd1, number);
          expect_answer(8'h81, number);
          number = number + 8'd1;
          u_codec.add({1'b0, 1'b0, 6'(MAX_WORDS - 1)});
          u_codec.add_word(32'd0);
          for (i = 0; i < MAX_WORDS; i = i + 1) begin
            for (k = 0; k < 4; k = k + 1) expect_more(memory[i][8*k+:8]);
            accesses[access_in%QUEUE] = {1'b0, i, memory[i]};
            access_in = access_in + 1;
          end
          expected_in = expected_in + 1;
          send;
        end
      endcase
      quiet;
    end
    done = 1'b1;
  end

  // Takes the device's counters over into the model.
  logic wants_counters;
  task read_counters;
    integer i;
    begin_frame(8'd1, number);
    u_codec.add({1'b0, 1'b0, 6'd2});
    u_codec.add_word(32'hf0000004);
    wants_counters = 1'b1;
    send;
    i = 0;
    while (wants_counters) begin
      @(posedge clk);
      i = i + 1;
      if (i > 100000) $fatal(1, "%m: the counters are not answered");
    end
    number = number + 8'd1;
  endtask

  // Decodes the bytes from the device.
  integer j, n;
  logic [31:0] crc;
  always @(posedge clk) begin
    in_ready <= pace == 2'd0 || random(4) != 0;
    if (!rst && in_valid && in_ready) begin
      if (in_byte != 8'd0) begin
        u_book.line[u_book.line_length] = in_byte;
        u_book.line_length = u_book.line_length + 1;
      end else if (u_book.line_length != 0) begin
        u_book.unstuff;
        u_book.line_length = 0;
        if (!u_book.good) $fatal(1, "%m: a run beyond the frame's end");
        u_book.length = u_book.length - 4;
        crc = u_book.crc(u_book.length);
        if (u_book.length < 2 || crc !== u_book.word_at(u_book.length))
          $fatal(1, "%m: answer of %0d bytes with a wrong CRC", u_book.length + 4);
        answers <= answers + 1;
        n = expected_out % QUEUE;
        if (wants_counters && u_book.body[0] == 8'h81) begin
          if (u_book.body[1] !== number || u_book.length != 14)
            $fatal(1, "%m: counters under number %h", u_book.body[1]);
          damaged = u_book.word_at(2);
          refused = u_book.word_at(6);
          lost = u_book.word_at(10);
          wants_counters = 1'b0;
        end else if (!(lenient && u_book.body[0] == 8'h84 && u_book.length == 3)) begin
          if (expected_out == expected_in)
            $fatal(1, "%m: nobody asked for the answer %h %h", u_book.body[0], u_book.body[1]);
          if (u_book.length !== expected_length[n])
            $fatal(1, "%m: answer %h %h of %0d bytes, expected %h of %0d", u_book.body[0], u_book.body[1], u_book.length,
                   expected[n][0], expected_length[n]);
          for (j = 0; j < u_book.length; j = j + 1)
            if (u_book.body[j] !== expected[n][j])
              $fatal(1, "%m: answer %h, byte %0d is %h, expected %h", u_book.body[0], j, u_book.body[j],
                     expected[n][j]);
          expected_out <= expected_out + 1;
        end
      end
    end
    if (rst) begin
      u_book.line_length = 0;
      expected_out <= 0;
      answers <= 0;
      wants_counters = 1'b0;
      in_ready <= 1'b0;
    end
  end
endmodule

`default_nettype wire
