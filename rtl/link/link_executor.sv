// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Carries requests out: whole, intact and well-formed ones come in (from link_receiver), accesses go to the register
// port one after the other, answers go out (to link_sender). By sequence number and session it carries commands out,
// repeats answers, or refuses frames: docs/protocol.md.
//
// Latency and throughput: a byte of a request or an answer takes one cycle; a word takes six cycles and what the
// register port takes. Nothing waits for anything but the two streams and the register port, and that for at most
// TIMEOUT cycles: then the access is given up, reads as 0 and is counted.
//
// Ports:
// - in_*: bytes of requests, each request ended by one byte with bit 6 set; a byte that is offered stays until
//   in_ready. The structure is not checked again.
// - thrown, reason, thrown_taken: as in link_receiver; answered by a refusal as soon as no request is left. reason is
//   1, 3 or 4.
// - out_*: bytes of answers; out_end = 1 is the end of an answer, and no byte. out_valid stays, with what it offers,
//   until out_ready.
// - wb_*: see link_frame.
// - register_index, register_at, register_data: byte register_at of the link's own register register_index,
//   combinational in register_data (link_registers).
// - refused, unanswered, carried_out, greeted: 1 for one cycle each: a frame was refused as out of order, an access was
//   given up, a request was carried out, a session began.
//
// Reset: synchronous, one cycle; there is no session afterwards. Tie thrown to 0 if nothing is ever thrown away. Legal
// parameters: MAX_WORDS and RX_BYTES are what a hello reports to the host and must be those of link_receiver; TIMEOUT is a
// power of two.
//
// Over 400 lines because the proof of this contract, more than half of them, stands at the end.
`default_nettype none

module link_executor #(
    parameter integer MAX_WORDS = 64,  // as reported to the host, 1..64
    parameter integer RX_BYTES = 512,  // as reported to the host, 16..65535
    parameter integer TIMEOUT = 256  // cycles after which an access is given up, a power of two, 4..65536
) (
    input  wire         clk,
    input  wire         rst,
    // requests
    input  wire  [ 7:0] in_byte,
    input  wire         in_valid,
    output logic        in_ready,
    // frames thrown away before they came here
    input  wire         thrown,
    input  wire  [ 2:0] reason,
    output logic        thrown_taken,
    // answers
    output logic [ 7:0] out_byte,
    output logic        out_end,       // no byte: the answer is complete
    output logic        out_valid,
    input  wire         out_ready,
    // register port, Wishbone B4 pipelined, addressed by word
    output logic        wb_cyc,
    output logic        wb_stb,
    output logic        wb_we,
    output logic [31:0] wb_adr,
    output logic [31:0] wb_dat_w,
    input  wire         wb_stall,
    input  wire         wb_ack,
    input  wire  [31:0] wb_dat_r,
    // the link's own registers
    output logic [ 2:0] register_index,
    output logic [ 1:0] register_at,
    input  wire  [ 7:0] register_data,
    // events
    output logic        refused,       // a frame was refused as out of order
    output logic        unanswered,    // an access was given up
    output logic        carried_out,   // a request was carried out
    output logic        greeted        // a session begins
);
  localparam integer WAIT_W = $clog2(TIMEOUT);
  localparam logic [7:0] VERSION = 8'd1;
  localparam logic [1:0] READ = 2'd1, WRITE = 2'd2, HELLO = 2'd3;
  localparam logic [2:0] OUT_OF_ORDER = 3'd2;
  if (MAX_WORDS < 1 || MAX_WORDS > 64) begin : g_MAX_WORDS illegal_MAX_WORDS u_illegal (); end
  if (RX_BYTES < 16 || RX_BYTES > 65535) begin : g_RX_BYTES illegal_RX_BYTES u_illegal (); end
  if (TIMEOUT < 4 || TIMEOUT > 65536 || (1 << WAIT_W) != TIMEOUT) begin : g_TIMEOUT illegal_TIMEOUT u_illegal (); end

  typedef enum logic [3:0] {
    KIND,  // nothing under way
    SEQUENCE,
    ANSWER,  // first byte of the answer
    NUMBER,  // second byte
    HEAD,  // of a command
    ADDRESS,
    DATA,  // of one word to write
    ACCESS,
    ANSWERED,  // it has been asked for, not yet
    PUT,  // the word that was read
    NONCE,
    LIMITS,
    REASON,
    CLOSE
  } state_t;
  state_t state_q;

  logic [1:0] kind_q;
  logic [7:0] number_q;
  logic [2:0] reason_q;  // of a refusal, 0: it is none
  logic act_q;  // the commands are carried out
  logic fresh_q;  // for the first time
  logic [1:0] at_q;  // bytes of address, word, nonce, limits
  logic [5:0] words_q;  // words less 1 that this command has left
  logic fixed_q;  // all of them at one address
  logic first_q;  // the command's first word
  logic carry_q;
  logic own_q;  // the word is a register of the link, or
  logic none_q;  // one that it has not
  logic [31:0] adr_q, word_q;
  logic [WAIT_W-1:0] wait_q;
  logic session_q, other_q;
  logic [31:0] nonce_q;
  logic [7:0] expected_q;

  // The address rotates by a byte with each byte of a word, and the byte that passes is incremented if it has to be:
  // after four bytes the address is whole again, one higher or not.
  wire up = at_q == 2'd0 ? !fixed_q && !(kind_q == WRITE && first_q) : carry_q;
  wire [8:0] low = {1'b0, adr_q[7:0]} + {8'd0, up};
  wire own = adr_q[31:28] == 4'hf;

  wire last_byte = at_q == 2'd3;
  wire last_word = words_q == 6'd0;
  wire [7:0] ahead = in_byte - expected_q;
  wire known = session_q && (ahead == 8'd0 || ahead[7]);
  wire other = other_q || in_byte != nonce_q[7:0];
  wire get = in_valid && in_ready;
  wire put = out_valid && out_ready;
  wire late = wait_q == '1;
  wire answered = wb_cyc && (wb_ack && (state_q == ANSWERED || !wb_stall) || late);

  assign in_ready = state_q == KIND || state_q == SEQUENCE || state_q == HEAD || state_q == ADDRESS || state_q == DATA ||
      state_q == NONCE && out_ready;
  assign out_valid = state_q == ANSWER || state_q == NUMBER || state_q == PUT || state_q == LIMITS || state_q == REASON ||
      state_q == CLOSE || state_q == NONCE && in_valid;
  assign out_end = state_q == CLOSE;
  assign wb_cyc = state_q == ANSWERED || state_q == ACCESS && !own;
  assign wb_stb = state_q == ACCESS && !own;
  assign wb_we = kind_q[1];
  assign wb_adr = adr_q;
  assign wb_dat_w = word_q;
  assign thrown_taken = state_q == KIND && !in_valid && thrown;
  assign register_at = at_q;
  assign refused = state_q == REASON && put && reason_q == OUT_OF_ORDER;
  assign unanswered = wb_cyc && late && !(wb_ack && (state_q == ANSWERED || !wb_stall));
  assign carried_out = state_q == CLOSE && put && reason_q == 3'd0;
  assign greeted = state_q == NONCE && put && last_byte && (other || !session_q);

  wire [7:0] low_word = word_q[7:0];
  wire [31:0] limits = {16'(RX_BYTES), 8'(MAX_WORDS), VERSION};
  always_comb begin
    case (state_q)
      ANSWER: out_byte = {5'b10000, reason_q != 3'd0 ? 3'd4 : {1'b0, kind_q}};
      NUMBER: out_byte = reason_q != 3'd0 ? expected_q : number_q;
      NONCE: out_byte = in_byte;
      LIMITS: out_byte = limits[{at_q, 3'd0}+:8];
      REASON: out_byte = {5'd0, reason_q};
      default: out_byte = own_q ? (none_q ? 8'd0 : register_data) : low_word;
    endcase
  end

  always_ff @(posedge clk) begin
    case (state_q)
      KIND: begin
        reason_q <= 3'd0;
        if (get) begin
          kind_q  <= in_byte[1:0];
          state_q <= SEQUENCE;
        end else if (thrown) begin
          reason_q <= reason;
          state_q  <= ANSWER;
        end
      end
      SEQUENCE:
      if (get) begin
        number_q <= in_byte;
        fresh_q  <= ahead == 8'd0;
        act_q    <= known && (kind_q == READ || ahead == 8'd0);
        if (kind_q != HELLO && !known) reason_q <= OUT_OF_ORDER;
        state_q <= ANSWER;
      end
      ANSWER: if (put) state_q <= NUMBER;
      NUMBER:
      if (put) state_q <= reason_q != 3'd0 && reason_q != OUT_OF_ORDER ? REASON : kind_q == HELLO ? NONCE : HEAD;
      HEAD:
      if (get) begin
        words_q <= in_byte[5:0];
        fixed_q <= in_byte[7];
        first_q <= 1'b1;
        state_q <= !in_byte[6] ? ADDRESS : reason_q != 3'd0 ? REASON : CLOSE;
      end
      ADDRESS: if (get && last_byte) state_q <= kind_q == WRITE ? DATA : act_q ? ACCESS : HEAD;
      DATA: if (get && last_byte) state_q <= act_q ? ACCESS : last_word ? HEAD : DATA;
      ACCESS, ANSWERED:
      if (answered || own && state_q == ACCESS) state_q <= kind_q == READ ? PUT : last_word ? HEAD : DATA;
      else if (!wb_stall) state_q <= ANSWERED;
      PUT: if (put && last_byte) state_q <= last_word ? HEAD : ACCESS;
      NONCE: if (put && last_byte) state_q <= LIMITS;
      LIMITS: if (put && last_byte) state_q <= HEAD;
      REASON: if (put) state_q <= CLOSE;
      CLOSE: if (put) state_q <= KIND;
      default: state_q <= KIND;
    endcase

    if (get && (state_q == ADDRESS || state_q == DATA || state_q == NONCE) || put && (state_q == PUT || state_q == LIMITS))
      at_q <= at_q + 2'd1;
    if (state_q == KIND) at_q <= 2'd0;

    if (get && state_q == ADDRESS) adr_q <= {in_byte, adr_q[31:8]};
    if (get && state_q == DATA || put && state_q == PUT) begin
      adr_q   <= {low[7:0], adr_q[31:8]};
      carry_q <= low[8];
      if (last_byte) begin
        first_q <= 1'b0;
        if (!(kind_q == WRITE && act_q)) words_q <= words_q - 6'd1;
      end
    end
    if (state_q == ACCESS || state_q == ANSWERED) begin
      if (kind_q == WRITE && (answered || own && state_q == ACCESS)) words_q <= words_q - 6'd1;
      own_q <= own;
      none_q <= adr_q[27:3] != '0;
      register_index <= adr_q[2:0];
      wait_q <= wait_q + 1'b1;
    end else wait_q <= '0;
    if (get && state_q == DATA) word_q <= {in_byte, word_q[31:8]};
    if (put && state_q == PUT) word_q <= {8'd0, word_q[31:8]};
    if (answered && kind_q == READ) word_q <= unanswered ? '0 : wb_dat_r;

    if (state_q == KIND) other_q <= 1'b0;
    if (get && state_q == NONCE) begin
      nonce_q <= {in_byte, nonce_q[31:8]};
      other_q <= other;
    end
    if (greeted) session_q <= 1'b1;
    if (greeted || carried_out && fresh_q && kind_q != HELLO) expected_q <= number_q + 8'd1;
    if (rst) begin
      state_q <= KIND;
      session_q <= 1'b0;
      expected_q <= '0;
    end
  end

`ifdef FORMAL
  // Requests as link_receiver lets them through come in, gone through here by the book; session and numbers are kept
  // by themselves. A register is written when, and only when, a frame of the number waited for says so.
  localparam logic [2:0] F_KIND = 3'd0, F_NUMBER = 3'd1, F_HEAD = 3'd2, F_ADDRESS = 3'd3, F_DATA = 3'd4, F_NONCE = 3'd5;
  logic [2:0] f_at;  // what comes next
  logic [1:0] f_byte;  // of address, word or nonce
  logic [1:0] f_kind;
  logic [7:0] f_number, f_expected;
  logic [31:0] f_nonce, f_last;  // last: the last four bytes
  logic [31:0] f_address;  // of the last word that came, or the next that is read
  logic [6:0] f_words, f_sum;  // words of this command that have not come or gone, words of all commands
  logic f_fixed, f_first, f_some, f_session, f_fresh, f_again, f_refused;
  logic f_word;  // a word is there, and must be written before anything else
  logic [31:0] f_data;  // the last word that was read
  logic [9:0] f_sent;  // bytes of this answer
  logic [16:0] f_wait;
  logic [7:0] f_still;

  wire f_up = !f_fixed && !(f_kind == WRITE && f_first);
  wire [31:0] f_next = f_address + {31'd0, f_up};
  wire f_own = f_address[31:28] == 4'hf;
  wire f_read = f_kind == READ && (f_fresh || f_again);
  wire f_asked = wb_cyc && wb_stb && !wb_stall;
  wire [7:0] f_behind = f_expected - in_byte;
  wire [31:0] f_bytes = {in_byte, f_last[31:8]};
  wire [1:0] f_nth = f_sent[1:0] - 2'd2;  // of the bytes of a word that is read
  wire [6:0] f_head_words = {1'b0, in_byte[5:0]} + 7'd1;

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    if (!$initstate && $past(in_valid && !in_ready && !rst)) assume (in_valid && $stable(in_byte));
    if (in_valid) begin
      if (f_at == F_KIND) assume (in_byte >= 8'd1 && in_byte <= 8'd3);
      if (f_at == F_HEAD && !in_byte[6]) assume (f_kind != HELLO && {1'b0, f_sum} + {1'b0, f_head_words} <= 8'(MAX_WORDS));
      if (f_at == F_HEAD && in_byte[6]) assume (f_some);
    end
    if (thrown) assume (reason == 3'd1 || reason == 3'd3 || reason == 3'd4);
    if (!$initstate && $past(thrown && !thrown_taken && !rst)) assume (thrown);

    if (get) begin
      f_last <= f_bytes;
      f_byte <= f_byte + 2'd1;
      case (f_at)
        F_KIND: begin
          f_kind <= in_byte[1:0];
          f_at   <= F_NUMBER;
          f_some <= 1'b0;
          f_sum  <= '0;
          f_words <= '0;
        end
        F_NUMBER: begin
          f_number <= in_byte;
          f_fresh <= f_session && f_kind != HELLO && f_behind == 8'd0;
          f_again <= f_session && f_kind != HELLO && f_behind >= 8'd1 && f_behind <= 8'd128;
          f_refused <= f_kind != HELLO && !(f_session && f_behind <= 8'd128);
          f_at <= f_kind == HELLO ? F_NONCE : F_HEAD;
          f_byte <= 2'd0;
        end
        F_NONCE:
        if (f_byte == 2'd3) begin
          f_at   <= F_HEAD;
          f_some <= 1'b1;
          if (!f_session || f_nonce != f_bytes) f_expected <= f_number + 8'd1;
          f_session <= 1'b1;
          f_nonce   <= f_bytes;
        end
        F_HEAD: begin
          f_fixed <= in_byte[7];
          f_first <= 1'b1;
          f_some  <= 1'b1;
          f_byte  <= 2'd0;
          if (!in_byte[6]) begin
            f_words <= f_head_words;
            f_sum   <= f_sum + f_head_words;
          end
          f_at <= in_byte[6] ? F_KIND : F_ADDRESS;
        end
        F_ADDRESS:
        if (f_byte == 2'd3) begin
          f_address <= f_bytes;
          f_at <= f_kind == WRITE ? F_DATA : F_HEAD;
          if (f_kind != WRITE && !f_read) f_words <= '0;
        end
        default:
        if (f_byte == 2'd3) begin
          f_first <= 1'b0;
          f_address <= f_next;
          f_word <= f_fresh && f_next[31:28] != 4'hf;
          f_words <= f_words - 7'd1;
          if (f_words == 7'd1) f_at <= F_HEAD;
        end
      endcase
    end
    if (f_asked && wb_we || unanswered) f_word <= 1'b0;
    if (wb_cyc && !wb_we && (wb_ack || unanswered)) f_data <= unanswered ? 32'd0 : wb_dat_r;
    if (put) begin
      f_sent <= out_end ? '0 : f_sent + 10'd1;
      if (f_read && f_sent >= 10'd2 && f_sent[1:0] == 2'd1) begin
        f_address <= f_next;
        f_words   <= f_words - 7'd1;
      end
      if (out_end) begin
        if (f_fresh) f_expected <= f_expected + 8'd1;
        f_fresh <= 1'b0;
        f_again <= 1'b0;
        f_refused <= 1'b0;
      end
    end
    f_wait  <= wb_cyc ? f_wait + 17'd1 : '0;
    f_still <= get || put || wb_cyc || thrown_taken || in_ready && !in_valid || out_valid && !out_ready ||
        state_q == NONCE ? '0 : f_still + 8'd1;
    if (rst) begin
      f_at <= F_KIND;
      f_session <= 1'b0;
      f_fresh <= 1'b0;
      f_again <= 1'b0;
      f_refused <= 1'b0;
      f_expected <= '0;
      f_word <= 1'b0;
      f_sent <= '0;
      f_wait <= '0;
      f_still <= '0;
    end

    if (!$initstate) begin
      // Writes: what, where, once, in order, all of them.
      if (wb_cyc && wb_stb && wb_we) begin
        assert (f_kind == WRITE && f_fresh && f_word);
        assert (wb_adr == f_address && wb_dat_w == f_last && !f_own);
      end
      if (f_word) assert (!get && !put);
      // Reads.
      if (wb_cyc && wb_stb && !wb_we) assert (f_read && wb_adr == f_address && !f_own && f_words != '0);
      if (wb_stb) assert (wb_cyc);
      // Answers: their head, what was read, their length.
      if (put && !out_end && f_at != F_KIND) begin
        if (f_sent == 10'd0) assert (out_byte == (f_refused ? 8'h84 : {6'h20, f_kind}));
        if (f_sent == 10'd1) assert (out_byte == (f_refused ? f_expected : f_number));
        if (f_sent >= 10'd2) assert (f_read || f_kind == HELLO);
        if (f_sent >= 10'd2 && f_read && !f_own) assert (out_byte == f_data[8*f_nth+:8]);
      end
      if (put && !out_end && f_at == F_KIND && f_sent == 10'd0) assert (out_byte == 8'h84);
      if (put && !out_end && f_at == F_KIND && f_sent == 10'd1) assert (out_byte == f_expected);
      if (put && !out_end && f_at == F_KIND && f_sent == 10'd2)
        assert (f_refused ? out_byte == 8'd2 : out_byte == 8'd1 || out_byte == 8'd3 || out_byte == 8'd4);
      if (put && out_end) begin
        assert (f_at == F_KIND);
        if (reason_q != 3'd0) assert (f_sent == 10'd3);
        else assert (!f_refused && f_sent == (f_read ? 10'd2 + {1'b0, f_sum, 2'b00} : f_kind == HELLO ? 10'd10 : 10'd2));
      end
      // Nothing waits for ever but for the streams.
      assert (f_wait <= 17'(TIMEOUT));
      assert (f_still <= 8'd1);

      // For the induction: where the machine stands when the frame stands there.
      assert (state_q <= CLOSE);
      assert (expected_q == f_expected && session_q == f_session);
      assert (f_sum <= 7'(MAX_WORDS) && f_words <= f_sum || f_at == F_KIND || f_at == F_NUMBER);
      if (wb_cyc) assert (f_wait == 17'(wait_q));
      else if (!$past(wb_cyc)) assert (f_wait == '0);
      assert (f_word == (state_q == ACCESS && kind_q == WRITE && !own));
      assert (!(f_fresh && f_again) && !(f_refused && (f_fresh || f_again)));
      case (state_q)
        KIND: assert (f_at == F_KIND && f_sent == '0 && !f_fresh && !f_again && !f_refused);
        SEQUENCE: assert (f_at == F_NUMBER && f_sent == '0 && reason_q == '0 && f_words == '0 && f_sum == '0 && !f_some);
        ANSWER, NUMBER: begin
          assert (f_sent == (state_q == NUMBER ? 10'd1 : 10'd0));
          if (reason_q == 3'd0 || reason_q == OUT_OF_ORDER) assert (f_words == '0 && f_sum == '0 && !f_some);
          assert (f_at == (reason_q != 3'd0 && reason_q != OUT_OF_ORDER ? F_KIND : kind_q == HELLO ? F_NONCE : F_HEAD));
        end
        HEAD: assert (f_at == F_HEAD && f_words == '0 && (kind_q != HELLO || f_some));
        ADDRESS: assert (f_at == F_ADDRESS && f_words != '0 && kind_q != HELLO && f_some);
        DATA: assert (f_at == F_DATA && kind_q == WRITE && f_some && f_words == {1'b0, words_q} + 7'd1);
        ACCESS, ANSWERED, PUT: begin
          assert (act_q && kind_q != HELLO && reason_q == '0 && f_some);
          assert (f_at == (kind_q == READ || f_words == '0 ? F_HEAD : F_DATA));
          assert (f_words == {1'b0, words_q} + 7'(kind_q == READ));
          if (state_q != PUT) assert (adr_q == f_address);
          if (state_q == ANSWERED) assert (!own);
          if (state_q == PUT) assert (kind_q == READ && own_q == f_own);
          if (kind_q == WRITE) assert (f_kind == WRITE && f_fresh && word_q == f_last && f_byte == 2'd0);
        end
        NONCE: assert (f_at == F_NONCE && kind_q == HELLO && reason_q == '0 && f_words == '0);
        LIMITS: assert (f_at == F_HEAD && kind_q == HELLO && reason_q == '0 && f_some && f_words == '0);
        default: assert (f_at == F_KIND);
      endcase
      if (state_q != KIND && f_at != F_KIND) assert (kind_q == f_kind);
      if (f_at != F_KIND) assert (f_kind != 2'd0);
      if (f_at == F_DATA) assert (f_kind == WRITE);
      if (f_at != F_KIND && f_at != F_NUMBER) begin
        assert (number_q == f_number);
        assert (reason_q == (f_refused ? OUT_OF_ORDER : 3'd0));
        if (f_kind != HELLO) assert (act_q == (f_fresh || f_again && f_kind == READ) && fresh_q == f_fresh || f_refused);
        if (f_kind != HELLO) assert (f_fresh || f_again || f_refused);
        if (f_refused) assert (!act_q && f_kind != HELLO);
        if (f_kind == HELLO) assert (!f_fresh && !f_again && !f_refused);
        if (f_at != F_NONCE && state_q != ANSWER && state_q != NUMBER) begin
          if (f_kind == HELLO) assert (f_sent == (state_q == LIMITS ? 10'd6 + {8'd0, at_q} : 10'd10));
          else if (!f_read) assert (f_sent == 10'd2);
          else assert (f_sent == 10'd2 + {1'b0, f_sum - f_words, 2'b00} + (state_q == PUT ? {8'd0, at_q} : 10'd0));
        end
      end
      if (state_q == NONCE) assert (f_sent == 10'd2 + {8'd0, at_q});
      if (state_q == REASON) assert (f_sent == 10'd2 && reason_q != '0);
      if (state_q == REASON || state_q == CLOSE) begin
        assert ((reason_q == OUT_OF_ORDER) == f_refused);
        if (reason_q == '0) begin
          assert (kind_q == f_kind && number_q == f_number && (f_kind == HELLO || fresh_q == f_fresh && (f_fresh || f_again)));
          if (f_kind == HELLO) assert (!f_fresh && !f_again);
          assert (f_sent == (f_read ? 10'd2 + {1'b0, f_sum, 2'b00} : f_kind == HELLO ? 10'd10 : 10'd2));
        end else assert (!f_fresh && !f_again);
        if (state_q == CLOSE && reason_q != '0) assert (f_sent == 10'd3);
      end
      if ((state_q == ANSWER || state_q == NUMBER) && f_at == F_KIND) begin
        assert (reason_q == 3'd1 || reason_q == 3'd3 || reason_q == 3'd4);
        assert (!f_fresh && !f_again && !f_refused);
      end
      if (state_q == REASON && !f_refused) assert (reason_q == 3'd1 || reason_q == 3'd3 || reason_q == 3'd4);
      if (f_fresh && state_q != KIND) assert (f_session && f_number == f_expected);
      if (f_at == F_ADDRESS || f_at == F_DATA && state_q == DATA || f_at == F_NONCE) assert (f_byte == at_q || state_q < HEAD);
      if (state_q == ANSWER || state_q == NUMBER || state_q == HEAD || state_q == ACCESS || state_q == ANSWERED || state_q == KIND ||
          state_q == SEQUENCE)
        assert (at_q == 2'd0 || state_q == KIND);
      if (f_at == F_NONCE && state_q < HEAD) assert (f_byte == 2'd0);
      if (f_at == F_ADDRESS || f_at == F_DATA || state_q >= ACCESS && state_q <= PUT)
        assert (fixed_q == f_fixed && (first_q == f_first || kind_q == READ));
      if (f_at == F_ADDRESS) begin
        assert ({1'b0, words_q} + 7'd1 == f_words && first_q && f_first);
        if (at_q >= 2'd1) assert (adr_q[31:24] == f_last[31:24]);
        if (at_q >= 2'd2) assert (adr_q[23:16] == f_last[23:16]);
        if (at_q >= 2'd3) assert (adr_q[15:8] == f_last[15:8]);
      end
      if (state_q == DATA) begin
        if (at_q >= 2'd1) assert (word_q[31:24] == f_last[31:24]);
        if (at_q >= 2'd2) assert (word_q[23:16] == f_last[23:16]);
        if (at_q >= 2'd3) assert (word_q[15:8] == f_last[15:8]);
      end
      if (state_q == DATA || state_q == PUT) begin
        case (at_q)
          2'd0: assert (adr_q == f_address);
          2'd1: assert (adr_q == {f_next[7:0], f_address[31:8]} && carry_q == (f_up && f_next[7:0] == '0));
          2'd2: assert (adr_q == {f_next[15:0], f_address[31:16]} && carry_q == (f_up && f_next[15:0] == '0));
          default: assert (adr_q == {f_next[23:0], f_address[31:24]} && carry_q == (f_up && f_next[23:0] == '0));
        endcase
      end
      if (state_q == PUT && !f_own) assert (8'(word_q) == f_data[8*at_q+:8] && word_q == f_data >> 8 * at_q);
      if (state_q == NONCE) begin
        if (at_q >= 2'd1) assert (nonce_q[31:24] == f_last[31:24]);
        if (at_q >= 2'd2) assert (nonce_q[23:16] == f_last[23:16]);
        if (at_q >= 2'd3) assert (nonce_q[15:8] == f_last[15:8]);
        if (f_session) begin
          case (at_q)
            2'd0: assert (nonce_q == f_nonce && !other_q);
            2'd1: assert (nonce_q == {f_last[31:24], f_nonce[31:8]} && other_q == (f_last[31:24] != f_nonce[7:0]));
            2'd2: assert (nonce_q == {f_last[31:16], f_nonce[31:16]} && other_q == (f_last[31:16] != f_nonce[15:0]));
            default: assert (nonce_q == {f_last[31:8], f_nonce[31:24]} && other_q == (f_last[31:8] != f_nonce[23:0]));
          endcase
        end
      end else if (f_session) assert (nonce_q == f_nonce);
      if (state_q == ANSWER || state_q == NUMBER || state_q == SEQUENCE) assert (!other_q);
      if (state_q == ACCESS && own) assert (f_still == '0);

      cover (refused);
      cover (state_q == LIMITS && f_session);
    end
  end
`endif
endmodule

`default_nettype wire
