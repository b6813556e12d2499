// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Lines with and without flow control, rings of 64 and 512 bytes, with pauses at both ends: good frames come out byte
// for byte; all others are discarded for the reason that link_codec gives, and are counted.
`default_nettype none

module link_receiver_tb;
  localparam integer FRAMES = 110;
  wire clk, rst;
  integer seed;
  wire [2:0] done;
  wire [31:0] counts[3];

  bench_of_parts #(.NAME("link_receiver"), .COUNTED("bytes"), .PARTS(3), .CYCLES(300000)) u_bench (
      .clk, .rst, .seed, .done, .counts
  );
  for (genvar k = 0; k < 3; k++) begin : g_line
    localparam integer FLOW = k == 1 ? 0 : 1;
    localparam integer RING = k == 2 ? 512 : 64;
    localparam integer WORDS = k == 2 ? 64 : 5;
    logic [7:0] in_byte;
    logic in_valid, in_error, out_ready, thrown_taken, finished;
    wire [7:0] out_byte;
    wire [2:0] reason;
    wire in_ready, out_valid, thrown, damaged, malformed, lost;

    link_codec #(
        .SALT(k)
    ) u_codec ();  // the frames that are sent
    link_codec u_book ();  // the bytes on the line
    link_receiver #(.MAX_WORDS(WORDS), .RX_BYTES(RING), .FLOW(FLOW)) u_dut (
        .clk, .rst, .in_byte, .in_valid, .in_ready, .in_error, .out_byte, .out_valid, .out_ready, .thrown, .reason,
        .thrown_taken, .damaged, .malformed, .lost
    );

    // Requests that must come out. The ring has the rest of them and the stored part of the current frame.
    logic [7:0] queue[4096];
    integer queued, taken, stored, code_at, waiting, ends[5], pause, out_pause, errors, kind, i;
    logic error_seen, full, intact, gives, waits, m_thrown, out_now;
    logic [2:0] m_reason, why;
    logic [7:0] offer, code;
    assign done[k] = finished;
    assign counts[k] = taken;

    always @(posedge clk) begin
      out_ready <= u_codec.random(256) >= out_pause;
      thrown_taken <= u_codec.random(8) == 0;
      if (rst) begin
        {queued, taken, code_at, stored} = '0;
        {error_seen, full, waits, m_thrown, out_now} = '0;
        for (int i = 0; i < 5; i++) ends[i] = 0;
        u_book.line_length = 0;
      end else begin
        // Checks the bytes that come out.
        if (out_valid && (taken >= queued || out_byte !== queue[taken%4096]))
          $fatal(1, "line %0d: byte %0d of the requests is %h, expected %h", k, taken, out_byte, queue[taken%4096]);
        if (waits && (!out_valid || out_byte !== offer)) $fatal(1, "line %0d: an offer was withdrawn", k);
        if (out_now && !out_valid) $fatal(1, "line %0d: byte %0d of the requests is late", k, taken);
        waits <= out_valid && !out_ready;
        offer <= out_byte;
        waiting = queued - taken - 32'(out_valid);  // bytes of good frames in the ring
        out_now <= waiting > 0;

        // Checks how bytes are taken in.
        if (in_ready !== 1'b1 && (FLOW == 0 || waiting == 0 || waiting + stored < RING - 1))
          $fatal(1, "line %0d: not ready with %0d and %0d bytes in the ring", k, waiting, stored);
        if (FLOW != 0 && in_ready && waiting != 0 && waiting + stored == RING - 1)
          $fatal(1, "line %0d: does not wait", k);
        why = 3'd0;
        gives = 1'b0;
        intact = 1'b0;
        if (in_valid && in_ready && in_byte != 8'd0) begin
          // A code stands for the zero before its run.
          gives = u_book.line_length != code_at || code_at != 0 && code != 8'hff;
          if (u_book.line_length == code_at) begin
            code = in_byte;
            code_at = code_at + 32'(in_byte);
          end
          u_book.line[u_book.line_length] = in_byte;
          u_book.line_length = u_book.line_length + 1;
          if (gives) begin
            full = full || waiting + stored == RING - 1;
            if (!full) stored = stored + 1;
          end
        end
        if (lost !== (in_error || gives && full)) $fatal(1, "line %0d: lost is %b", k, lost);
        if (in_valid && in_ready && in_byte == 8'd0 && (u_book.line_length != 0 || error_seen)) begin
          u_book.unstuff;
          intact = u_book.good && !error_seen && u_book.length >= 4;
          if (intact) begin
            intact = u_book.crc(u_book.length - 4) === u_book.word_at(u_book.length - 4);
          end
          why = !intact ? 3'd1 : full ? 3'd4 : !u_book.legal(WORDS) ? 3'd3 : 3'd0;
          ends[why] = ends[why] + 1;
          if (why == 3'd0) begin
            for (int i = 0; i < u_book.length - 4; i++) queue[(queued+i)%4096] = u_book.body[i];
            queue[(queued+u_book.length-4)%4096] = 8'h40;
            queued = queued + u_book.length - 3;
          end
        end
        if (damaged !== (why == 3'd1) || malformed !== (why == 3'd3))
          $fatal(1, "line %0d: damaged %b, malformed %b, expected reason %0d", k, damaged, malformed, why);
        if (thrown !== m_thrown || m_thrown && reason !== m_reason)
          $fatal(1, "line %0d: thrown %b for reason %0d, expected %b, %0d", k, thrown, reason, m_thrown, m_reason);
        if (thrown_taken) m_thrown = 1'b0;
        if (why != 3'd0) begin
          m_thrown = 1'b1;
          m_reason = why;
        end
        if (in_valid && in_ready && in_byte == 8'd0) begin
          u_book.line_length = 0;
          {error_seen, full} = '0;
          {code_at, stored} = '0;
        end
        if (in_error) error_seen = 1'b1;
        taken = taken + 32'(out_valid && out_ready);
      end
    end

    task put(input [7:0] data);
      while (u_codec.random(256) < pause) @(posedge clk);
      in_error <= u_codec.random(errors) == 0;
      in_byte  <= data;
      in_valid <= 1'b1;
      @(posedge clk);
      in_error <= 1'b0;
      while (!in_ready) @(posedge clk);
      in_valid <= 1'b0;
      in_byte  <= 8'($random(u_codec.state));
    endtask

    initial begin
      {in_byte, in_valid, in_error, finished} = '0;
      pause = 0;
      out_pause = 0;
      @(negedge rst);
      @(posedge clk);
      for (int n = 0; n < FRAMES; n++) begin
        errors = 1000000;
        if (u_codec.random(5) == 0) begin
          pause = u_codec.random(3) * 60;
          out_pause = u_codec.random(4) * 80;
        end
        kind = u_codec.random(10);
        u_codec.request(WORDS);
        if (kind == 0) u_codec.spoil(WORDS);
        if (kind == 1)
          for (i = RING - 8 + u_codec.random(60) - u_codec.length; i > 0; i--) u_codec.add(u_codec.random_byte(9));
        u_codec.add_crc;
        u_codec.stuff;
        if (kind == 2) errors = 40;
        if (kind == 3) begin
          i = u_codec.random(u_codec.line_length);
          u_codec.line[i] = u_codec.line[i] ^ 8'd1 << u_codec.random(8);
        end
        if (kind == 4) u_codec.line_length = u_codec.random(u_codec.line_length);
        if (kind == 5)
          for (i = 0; i < u_codec.line_length && i < 40; i++) u_codec.line[i] = 8'($random(u_codec.state));
        for (int b = 0; b < u_codec.line_length; b++) put(u_codec.line[b]);
        repeat (1 + u_codec.random(2)) put(8'd0);
      end
      out_pause = 0;
      repeat (RING + 10) @(posedge clk);
      if (queued != taken) $fatal(1, "line %0d: %0d bytes of requests are lost", k, queued - taken);
      if (ends[0] < FRAMES / 5 || ends[1] < 10 || ends[3] == 0 || ends[4] == 0)
        $fatal(1, "line %0d: %0d frames good, %0d damaged, %0d malformed, %0d without room", k, ends[0], ends[1],
               ends[3], ends[4]);
      finished = 1'b1;
    end
  end
endmodule

`default_nettype wire
