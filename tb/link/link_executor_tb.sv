// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Sends requests with pauses, takes answers with pauses, and reports discarded frames in between. The register port
// stalls, and answers in the same cycle, as late as the time-out allows, or never. Every access, answer and event must
// be what docs/protocol.md says about the requests so far.
`default_nettype none

module link_executor_tb;
  localparam integer WORDS = 17, RX_BYTES = 777, TIMEOUT = 16, ROUNDS = 400, QUEUE = 1024;
  wire clk, rst;
  integer seed;

  logic [7:0] in_byte;
  logic in_valid, out_ready, thrown;
  logic [2:0] reason;
  wire in_ready, thrown_taken, out_end, out_valid, cyc, stb, we, refused, unanswered, carried_out, greeted;
  wire [7:0] out_byte;
  wire [31:0] adr, dat_w;
  logic [31:0] dat_r;
  wire [2:0] register_index;
  wire [1:0] register_at;

  bench #(.CYCLES(1000000)) u_bench (.clk, .rst, .seed);
  link_codec u_codec ();

  function [7:0] own_byte(input integer index, input integer at);
    own_byte = 8'(37 * index + 101 * at + 11);
  endfunction

  // The accesses that the register port must see, with its answers, stalled cycles and cycles until the answer; NEVER:
  // it stalls for ever or does not answer.
  localparam integer NEVER = 1000;
  logic [64:0] accesses[QUEUE];  // we, address, data
  integer stalls[QUEUE], delays[QUEUE];
  integer access_in, access_out, held, accepted;
  wire [31:0] stall_now = stalls[access_out%QUEUE], delay_now = delays[access_out%QUEUE];
  // In cycle n of an access, from 0: it is accepted in cycle `stall_now`, answered `delay_now` cycles after that.
  wire stall = held < stall_now;
  wire ack = cyc && held == stall_now + delay_now;

  link_executor #(.MAX_WORDS(WORDS), .RX_BYTES(RX_BYTES), .TIMEOUT(TIMEOUT)) u_dut (
      .clk, .rst, .in_byte, .in_valid, .in_ready, .thrown, .reason, .thrown_taken, .out_byte, .out_end, .out_valid,
      .out_ready,
      .wb_cyc(cyc),
      .wb_stb(stb),
      .wb_we(we),
      .wb_adr(adr),
      .wb_dat_w(dat_w),
      .wb_stall(stall),
      .wb_ack(ack),
      .wb_dat_r(ack ? accesses[access_out%QUEUE][31:0] : dat_r),
      .register_index, .register_at,
      .register_data(own_byte(32'(register_index), 32'(register_at))),
      .refused, .unanswered, .carried_out, .greeted
  );

  logic [8:0] answers[QUEUE];  // end, byte
  integer answer_in, answer_out, in_pause, out_pause, thrown_pause, accessed;
  logic session, waits;
  logic [8:0] offer;
  logic [31:0] nonce;
  logic [7:0] number;  // the number that the device expects next
  integer want_refused, want_unanswered, want_carried, want_greeted;
  integer was_refused, was_unanswered, was_carried, was_greeted, taken;

  task answer(input [8:0] what);
    answers[answer_in%QUEUE] = what;
    answer_in = answer_in + 1;
  endtask

  always @(posedge clk) begin
    dat_r <= $random(u_codec.state);
    out_ready <= u_codec.random(256) >= out_pause;
    if (rst) begin
      {waits, thrown, reason, out_ready} <= '0;
      {was_refused, was_unanswered, was_carried, was_greeted, taken, accessed} = '0;
      held <= 0;
    end else begin
      // The register port.
      if (stb && !cyc) $fatal(1, "stb without cyc");
      if (cyc) begin
        if (access_out == access_in) $fatal(1, "nobody asked for %b %h", we, adr);
        if (stb !== (held <= stall_now)) $fatal(1, "stb is %b in cycle %0d of an access, stalled %0d", stb, held,
            stall_now);
        if ({we, adr} !== accesses[access_out%QUEUE][64:32] || we && dat_w !== accesses[access_out%QUEUE][31:0])
          $fatal(1, "access %b %h %h, expected %h", we, adr, dat_w, accesses[access_out%QUEUE]);
        held <= held + 1;
        if (unanswered !== (held == TIMEOUT - 1 && !ack)) $fatal(1, "unanswered is %b in cycle %0d", unanswered, held);
        if (ack || held == TIMEOUT - 1) begin
          access_out <= access_out + 1;
          accessed = accessed + 1;
          held <= 0;
        end
      end else if (held != 0) $fatal(1, "access %h is given up after %0d cycles", accesses[access_out%QUEUE], held);

      // Answers.
      if (out_valid !== 1'b0) begin
        if (answer_out == answer_in) $fatal(1, "nobody asked for the answer %h", out_byte);
        if (out_end !== answers[answer_out%QUEUE][8] || !out_end && out_byte !== answers[answer_out%QUEUE][7:0])
          $fatal(1, "byte %0d of the answers is %b %h, expected %h", answer_out, out_end, out_byte,
              answers[answer_out%QUEUE]);
      end
      if (out_valid && out_end && access_out != access_in) $fatal(1, "answered before its accesses are done");
      if (waits && (!out_valid || out_end !== offer[8] || !out_end && out_byte !== offer[7:0]))
        $fatal(1, "an offer was withdrawn");
      waits <= out_valid && !out_ready;
      offer <= {out_end, out_byte};
      if (out_valid && out_ready) answer_out <= answer_out + 1;
      was_refused = was_refused + 32'(refused);
      was_unanswered = was_unanswered + 32'(unanswered);
      was_carried = was_carried + 32'(carried_out);
      was_greeted = was_greeted + 32'(greeted);

      // Discarded frames are answered when nothing else is under way.
      if (thrown_taken) begin
        if (!thrown || in_valid || answer_in != answer_out) $fatal(1, "a frame thrown away is answered amid others");
        answer({1'b0, 8'h84});
        answer({1'b0, number});
        answer({1'b0, 5'd0, reason});
        answer(9'h100);
        taken = taken + 1;
        thrown <= 1'b0;
      end else if (!thrown && u_codec.random(thrown_pause) == 0) begin
        thrown <= 1'b1;
        reason <= u_codec.random(3) == 0 ? 3'd1 : u_codec.random(2) == 0 ? 3'd3 : 3'd4;
      end
    end
  end

  // Notes the accesses, answers and events that the request in `body` must cause.
  task expect_all;
    integer at, words;
    logic [7:0] ahead;
    logic [31:0] address, data;
    logic act, read;
    ahead = u_codec.body[1] - number;
    read = u_codec.body[0] == 8'd1;
    if (u_codec.body[0] == 8'd3) begin
      data = {u_codec.body[5], u_codec.body[4], u_codec.body[3], u_codec.body[2]};
      answer({1'b0, 8'h83});
      answer({1'b0, u_codec.body[1]});
      for (int i = 2; i < 6; i++) answer({1'b0, u_codec.body[i]});
      answer(9'd1);
      answer({1'b0, 8'(WORDS)});
      answer({1'b0, 8'(RX_BYTES)});
      answer({1'b0, 8'(RX_BYTES >> 8)});
      if (!session || data != nonce) begin
        session = 1'b1;
        nonce = data;
        number = u_codec.body[1] + 8'd1;
        want_greeted = want_greeted + 1;
      end
      want_carried = want_carried + 1;
    end else if (!session || ahead != 8'd0 && ahead < 8'd128) begin
      answer({1'b0, 8'h84});
      answer({1'b0, number});
      answer(9'd2);
      want_refused = want_refused + 1;
    end else begin
      answer({1'b0, read ? 8'h81 : 8'h82});
      answer({1'b0, u_codec.body[1]});
      act = read || ahead == 8'd0;
      at = 2;
      while (at < u_codec.length) begin
        words = 1 + 32'(u_codec.body[at][5:0]);
        address = {u_codec.body[at+4], u_codec.body[at+3], u_codec.body[at+2], u_codec.body[at+1]};
        for (int n = 0; n < words; n++) begin
          data = {u_codec.body[at+8+4*n], u_codec.body[at+7+4*n], u_codec.body[at+6+4*n], u_codec.body[at+5+4*n]};
          if (read) data = $random(u_codec.state);
          if (address[31:28] == 4'hf) begin
            for (int i = 0; i < 4; i++) data[8*i+:8] = address[27:3] == '0 ? own_byte(32'(address[2:0]), i) : 8'd0;
          end else if (act) begin
            accesses[access_in%QUEUE] = {!read, address, data};
            stalls[access_in%QUEUE] = u_codec.random(2) * u_codec.random(6);
            delays[access_in%QUEUE] = u_codec.random(8);
            if (u_codec.random(20) == 0) delays[access_in%QUEUE] = TIMEOUT - 1 - stalls[access_in%QUEUE];
            if (u_codec.random(40) == 0) delays[access_in%QUEUE] = NEVER;
            if (u_codec.random(60) == 0) stalls[access_in%QUEUE] = NEVER;
            if (stalls[access_in%QUEUE] + delays[access_in%QUEUE] >= TIMEOUT) begin
              want_unanswered = want_unanswered + 1;
              if (read) data = '0;
            end
            access_in = access_in + 1;
          end
          if (read) for (int i = 0; i < 4; i++) answer({1'b0, data[8*i+:8]});
          if (!u_codec.body[at][7]) address = address + 32'd1;
        end
        at = at + 5 + (read ? 0 : 4 * words);
      end
      if (ahead == 8'd0) number = number + 8'd1;
      want_carried = want_carried + 1;
    end
    answer(9'h100);
  endtask

  task put(input [7:0] data);
    while (u_codec.random(256) < in_pause) @(posedge clk);
    in_byte  <= data;
    in_valid <= 1'b1;
    @(posedge clk);
    while (!in_ready) @(posedge clk);
    in_valid <= 1'b0;
    in_byte  <= 8'($random(u_codec.state));
  endtask

  task send;
    put(u_codec.body[0]);
    expect_all;
    for (int i = 1; i < u_codec.length; i++) put(u_codec.body[i]);
    put(8'h40);
  endtask

  integer kind, words, at;
  logic [31:0] address;
  initial begin
    {in_byte, in_valid, session, number} = '0;
    {access_in, access_out, answer_in, answer_out, in_pause, out_pause} = '0;
    {want_refused, want_unanswered, want_carried, want_greeted} = '0;
    thrown_pause = 1000;
    @(negedge rst);
    @(posedge clk);
    for (int n = 0; n < ROUNDS; n++) begin
      if (u_codec.random(10) == 0) begin
        in_pause = u_codec.random(3) * 60;
        out_pause = u_codec.random(3) * 80;
        thrown_pause = u_codec.random(3) == 0 ? 20 : 1000;
      end
      kind = u_codec.random(12);
      u_codec.request(WORDS);
      // The expected number, one before or after it, and numbers at the edges.
      case (kind)
        0: u_codec.body[1] = number - 8'd1;
        1: u_codec.body[1] = number + 8'd1;
        2: u_codec.body[1] = number + 8'd127 + 8'(u_codec.random(3));
        3: ;
        default: u_codec.body[1] = number;
      endcase
      if (u_codec.body[0] == 8'd3 && session && kind != 4) begin
        for (int i = 0; i < 4; i++) u_codec.body[2+i] = nonce[8*i+:8];
        if (kind == 5) u_codec.body[2+u_codec.random(4)] = 8'($random(u_codec.state));
      end
      if (u_codec.body[0] != 8'd3)
        for (at = 2; at < u_codec.length; at = at + 5 + (u_codec.body[0] == 8'd2 ? 4 * words : 0)) begin
          words = 1 + 32'(u_codec.body[at][5:0]);
          case (u_codec.random(6))
            0: address = 32'hf0000000 + u_codec.random(12);
            1: address = 32'd0 - 1 - u_codec.random(words);
            2: address = 32'hefffffff - u_codec.random(words);
            3: address = ($random(u_codec.state) | 32'h00ffffff) - u_codec.random(words);
            default: address = $random(u_codec.state);
          endcase
          for (int i = 0; i < 4; i++) u_codec.body[at+1+i] = address[8*i+:8];
        end
      send;
      // Now and then waits until all discarded frames are answered.
      if (u_codec.random(4) == 0) while (thrown) @(posedge clk);
    end
    thrown_pause = 1000000000;
    repeat (20) @(posedge clk);
    while (thrown || answer_in != answer_out) @(posedge clk);
    repeat (20) @(posedge clk);
    if (access_in != access_out) $fatal(1, "%0d accesses are left out", access_in - access_out);
    if (was_refused != want_refused || was_unanswered != want_unanswered || was_carried != want_carried ||
        was_greeted != want_greeted)
      $fatal(1, "%0d refused, %0d unanswered, %0d carried out, %0d greeted, expected %0d, %0d, %0d, %0d", was_refused,
             was_unanswered, was_carried, was_greeted, want_refused, want_unanswered, want_carried, want_greeted);
    if (was_refused < 5 || was_unanswered < 5 || was_greeted < 2 || taken < 5)
      $fatal(1, "too little happened: %0d, %0d, %0d, %0d", was_refused, was_unanswered, was_greeted, taken);
    $display("PASS link_executor (seed %0d, %0d accesses, %0d frames carried out)", seed, accessed, was_carried);
    $finish;
  end
endmodule

`default_nettype wire
