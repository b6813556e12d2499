// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Compares wh_choose with a model that remembers when each header came and when each output was taken, with each
// selection in turn, after a reset. Sets have from one to all outputs, some of which are taken only if no other is
// free.
`default_nettype none

module wh_choose_tb;
  localparam integer LANES = 9, V = 2, SINGLE = 1, ROUNDS = 1500;
  localparam logic [LANES-1:0] BACK = LANES'(1);
  wire clk, rst_bench;
  logic rst;
  integer seed, state, now, taken, waits, first_lane, best, which;
  logic [15:0] register;
  integer since[LANES];  // cycle in which the message's header came to the head, -1: there is none
  integer has[LANES];  // the output that it has, -1: none
  integer when_taken[LANES];  // when an output was taken last, -1: never
  integer order;  // outputs taken so far
  logic [LANES-1:0] set[LANES], late[LANES];
  logic [LANES-1:0] early, next_comes, ends, room, empty, could, gives, free, clear, served, gifts;
  logic [LANES*LANES-1:0] next_set, next_last;
  logic [1:0] select;
  logic [15:0] first_seed;
  wire [LANES*LANES-1:0] ask, asked;
  wire [LANES-1:0] first;

  bench u_bench (.clk, .rst(rst_bench), .seed);
  wh_choose #(
      .LANES(LANES), .V(V), .SINGLE(SINGLE), .BACK(BACK)
  ) u_dut (
      .clk,
      .rst(rst || rst_bench),
      .early, .select,
      .seed(first_seed),
      .next_comes, .next_set, .next_last, .ends, .gives, .room, .empty, .ask, .asked, .first
  );

  function precedes(input integer a, input integer b);
    if (since[a] != since[b]) precedes = since[a] < since[b];
    else if (early[a] != early[b]) precedes = early[a];
    else precedes = early[a] ? a > b : a < b;
  endfunction

  // Returns the priority of an output among those that could be taken: the lowest value is first, and of equals the
  // lowest output.
  function integer place(input integer o);
    case (select)
      2'd1: place = (o - (32'(register[11:0]) * LANES >> 12) + LANES) % LANES;
      2'd2: place = when_taken[o];
      2'd3: place = empty[o] ? 0 : room[o] ? 1 : 2;
      default: place = 0;
    endcase
  endfunction

  function integer port(input integer lane);
    port = lane < SINGLE ? lane : SINGLE + (lane - SINGLE) / V;
  endfunction

  task check;
    for (int i = 0; i < LANES; i++) begin
      if (first[i] !== (has[i] >= 0)) $fatal(1, "select %0d, cycle %0d: first is %b, input %0d has %0d", select, now, first, i, has[i]);
      if (ask[i*LANES+:LANES] !== (since[i] < 0 ? LANES'(0) : has[i] >= 0 ? LANES'(1) << has[i] : set[i]))
        $fatal(1, "select %0d, cycle %0d: input %0d asks for %b; it has %0d of %b", select, now, i, ask[i*LANES+:LANES], has[i], set[i]);
      for (int o = 0; o < LANES; o++) if (asked[o*LANES+i] !== ask[i*LANES+o]) $fatal(1, "cycle %0d: ask and asked differ", now);
    end
  endtask

  // Applies a clock edge: tails leave, headers come, and headers without an output take one in the order in which they
  // came.
  task edge_of;
    free  = '1;
    clear = empty;
    for (int i = 0; i < LANES; i++) if (has[i] >= 0) clear[has[i]] = 1'b0;
    for (int i = 0; i < LANES; i++) begin
      if (ends[i]) {since[i], has[i]} = '1;
      if (has[i] >= 0) free[has[i]] = 1'b0;
      if (next_comes[i]) begin
        since[i] = now;
        set[i]   = next_set[i*LANES+:LANES];
        late[i]  = next_last[i*LANES+:LANES];
        for (int o = 0; o < LANES; o++) if (!BACK[i] && port(i) == port(o)) set[i][o] = 1'b0;
      end
    end
    served = '0;
    gifts  = '0;
    for (int k = 0; k < LANES; k++) begin
      which = -1;
      for (int i = 0; i < LANES; i++)
        if (since[i] >= 0 && has[i] < 0 && !served[i] && (which < 0 || precedes(i, which))) which = i;
      if (which >= 0) begin
        served[which] = 1'b1;
        could = set[which] & free & ~late[which];
        if (late[which] != '0) could = could & clear;
        if (could == '0) could = set[which] & free & late[which];
        best = -1;
        for (int o = 0; o < LANES; o++) if (could[o] && (best < 0 || place(o) < place(best))) best = o;
        if (best >= 0) begin
          has[which]  = best;
          free[best]  = 1'b0;
          gifts[best] = 1'b1;
          taken = taken + 1;
        end else waits = waits + 1;
      end
    end
    for (int o = 0; o < LANES; o++) if (gifts[o]) begin
      when_taken[o] = order;
      order = order + 1;
    end
    if (gifts >> SINGLE != '0) register = register >> 1 ^ (register[0] ? 16'hb400 : 16'd0);
  endtask

  initial begin
    {early, next_comes, ends, next_set, next_last, room, empty, select, first_seed} = '0;
    rst = 1'b1;
    wait (!rst_bench);
    state = seed;
    repeat (2) early = LANES'($random(state));  // a small seed's first number ends in zeros
    {taken, waits} = '0;
    for (int s = 0; s < 4; s++) begin
      @(negedge clk);
      rst = 1'b1;
      {next_comes, ends} = '0;
      select = 2'(s);
      first_seed = $random(state) % 3 == 0 ? 16'd0 : 16'($random(state));
      @(negedge clk);
      rst = 1'b0;
      register = first_seed == '0 ? 16'd1 : first_seed;
      order = 0;
      for (int i = 0; i < LANES; i++) {since[i], has[i], when_taken[i]} = '1;
      for (now = 0; now < ROUNDS; now = now + 1) begin
        #1;
        check;
        for (int i = 0; i < LANES; i++) begin
          ends[i] = has[i] >= 0 && $random(state) % 3 == 0;
          next_comes[i] = (since[i] < 0 || ends[i]) && $random(state) % 2 == 0;
          next_set[i*LANES+:LANES] = LANES'($random(state)) & ($random(state) % 2 == 0 ? LANES'($random(state)) : '1);
          next_set[i*LANES+$unsigned($random(state))%LANES] = 1'b1;
          next_last[i*LANES+:LANES] = next_set[i*LANES+:LANES] & LANES'($random(state)) & LANES'($random(state));
        end
        gives = '0;
        for (int i = 0; i < LANES; i++) if (ends[i]) gives[has[i]] = 1'b1;
        room  = LANES'($random(state));
        empty = room & LANES'($random(state));
        #1;
        edge_of;
        @(negedge clk);
      end
    end
    if (taken < ROUNDS || waits < ROUNDS) $fatal(1, "%0d outputs were taken, %0d times one waited", taken, waits);
    $display("PASS wh_choose (seed %0d, %0d outputs taken, %0d waits)", seed, taken, waits);
    $finish;
  end
endmodule

`default_nettype wire
