// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Worms with and without a wrong bit, for this node and for others; the log says which, and when.
`default_nettype none

module node_receiver_tb;
  localparam integer FLIT_W = 32, LABEL_W = 4, LOG_DEPTH = 32, MESSAGES = 40;
  localparam logic [LABEL_W-1:0] HERE = 4'd6;
  localparam logic [31:0] SEED = 32'h13579bdf;
  wire clk, rst;
  integer seed, state, flits, length, wrong_at, written;
  logic [31:0] cycle, late;
  logic [FLIT_W-1:0] in_flit;
  logic in_last, in_valid, bus_read;
  wire in_ready, in_empty, store_write, store_header, log_overflow, busy;
  wire [1:0] store_slot;
  wire [FLIT_W-1:0] store_flit;
  logic [4:0] bus_index;
  logic [1:0] bus_word;
  wire [31:0] bus_rdata, log_count;
  logic [31:0] word;
  logic [FLIT_W-1:0] header;
  logic [127:0] entries[MESSAGES];

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  node_receiver #(
      .LABEL_W(LABEL_W),
      .FLIT_W(FLIT_W),
      .LOG_DEPTH(LOG_DEPTH)
  ) u_dut (
      .clk(clk),
      .rst(rst),
      .here(HERE),
      .seed(SEED),
      .pass(14'd1234),
      .cycle(late),
      .in_flit(in_flit),
      .in_last(in_last),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_empty(in_empty),
      .store_write(store_write),
      .store_header(store_header),
      .store_slot(store_slot),
      .store_flit(store_flit),
      .bus_read(bus_read),
      .bus_index(bus_index),
      .bus_word(bus_word),
      .bus_rdata(bus_rdata),
      .log_count(log_count),
      .log_overflow(log_overflow),
      .busy(busy)
  );

  always @(posedge clk) begin
    cycle <= rst ? 32'd1 : cycle + 32'd1;
    late <= cycle;
    if (rst) written <= 0;
    else written <= written + store_write;
    if (!rst && !in_ready) $fatal(1, "the channel has to wait");
    if (store_write && store_slot !== header[2*LABEL_W+1+:2]) $fatal(1, "kept in slot %0d", store_slot);
  end

  function [31:0] step(input [31:0] x);
    begin
      step = x ^ (x << 13);
      step = step ^ (step >> 17);
      step = step ^ (step << 5);
    end
  endfunction

  initial begin
    in_valid = 1'b0;
    in_last = 1'b0;
    bus_read = 1'b0;
    header = '0;
    flits = 0;
    wait (!rst);
    state = seed;
    @(negedge clk);
    for (int m = 0; m < MESSAGES; m++) begin
      length = 1 + $unsigned($random(state)) % 7;
      wrong_at = m % 3 == 0 ? $unsigned($random(state)) % 7 : 0;
      for (int k = 0; k < length; k++) begin
        while ($unsigned($random(state)) % 3 == 0) begin
          in_valid = 1'b0;
          @(negedge clk);
        end
        if (k == 0) begin
          repeat (2) begin
            in_valid = 1'b0;
            @(negedge clk);
          end
          header = $random(state);
          if (m % 4 != 0) header[LABEL_W-1:0] = HERE;
          word = {1'b1, SEED[30:0] ^ 31'({header[2*LABEL_W+3+:FLIT_W-2*LABEL_W-3], header[LABEL_W+:LABEL_W]})};
          in_flit = header;
          entries[m][95:64] = cycle;
        end else begin
          word = step(word);
          in_flit = word;
          if (k == wrong_at) in_flit = in_flit ^ 32'd1 << $unsigned($random(state)) % 32;
        end
        in_valid = 1'b1;
        in_last = k == length - 1;
        entries[m][127:96] = cycle;
        flits = flits + 1;
        @(negedge clk);
      end
      entries[m][63:0] = {wrong_at == 0 || wrong_at >= length, header[LABEL_W-1:0] == HERE, 14'd1234, 16'(length), header};
    end
    in_valid = 1'b0;
    repeat (3) @(negedge clk);
    if (log_count !== MESSAGES || !log_overflow || busy) $fatal(1, "%0d messages, overflow %b", log_count, log_overflow);
    if (written != flits) $fatal(1, "%0d flits to the store, not %0d", written, flits);
    for (int m = 0; m < LOG_DEPTH; m++)
      for (int i = 0; i < 4; i++) begin
        bus_read = 1'b1;
        bus_index = 5'(m);
        bus_word = 2'(i);
        @(negedge clk);
        bus_read = 1'b0;
        if (bus_rdata !== entries[m][32*i+:32])
          $fatal(1, "message %0d, word %0d is %h, expected %h", m, i, bus_rdata, entries[m][32*i+:32]);
      end
    $display("PASS node_receiver (seed %0d, %0d flits)", seed, flits);
    $finish;
  end
endmodule

`default_nettype wire
