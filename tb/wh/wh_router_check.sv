// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Observes the ports of a wh_router and checks each cycle: the flit at the head of each input lane, the message that
// owns each output lane, that headers for one output lane are granted in the order in which they came to the head
// (`early` decides ties), that the lanes of a port take turns (wh_share), that no flit waits which could cross, and the
// obs_* outputs. Flits are those of stream_source, with the output lane as destination and the input lane as source.
`default_nettype none

module wh_router_check #(
    parameter integer PORTS = 4,  // this one and the next ones as in wh_router; BACK is all 1
    parameter integer V = 1,
    parameter integer SINGLE = 0,
    parameter integer BUFFERS = 2,
    parameter integer FLIT_W = 32,
    parameter integer LABEL_W = 3,  // as in stream_source
    localparam integer LANES = SINGLE + (PORTS - SINGLE) * V
) (
    input wire                     clk,
    input wire                     rst,
    input wire                     paper,
    input wire  [       LANES-1:0] early,
    input wire  [PORTS*FLIT_W-1:0] in_flit,
    input wire  [       PORTS-1:0] in_last,
    input wire  [       LANES-1:0] in_valid,
    input wire  [       LANES-1:0] in_ready,
    input wire  [       LANES-1:0] in_empty,
    input wire  [PORTS*FLIT_W-1:0] out_flit,
    input wire  [       PORTS-1:0] out_last,
    input wire  [       LANES-1:0] out_valid,
    input wire  [       LANES-1:0] out_ready,
    input wire  [       LANES-1:0] out_empty,
    input wire  [       PORTS-1:0] obs_worm,
    input wire  [       PORTS-1:0] obs_flit,
    input wire  [       PORTS-1:0] obs_blocked
);
  // The buffer of each input lane, with `last` above the flit, and the cycle in which its head came there.
  logic [FLIT_W:0] head[LANES], behind[LANES*64];  // of lane l the flit k + 1 places behind the head at l*64 + k
  integer count[LANES];
  integer came[LANES];
  logic [LANES-1:0] header, starts;  // header: the head is a header; starts: the next flit that comes is a header
  integer owner[LANES];  // the input lane whose message owns the output lane, -1: none
  integer last_turn[PORTS];  // the lane of a port that sent last, -1: forgotten
  integer now;

  logic [LANES-1:0] leaves, usable, asked;
  logic [PORTS-1:0] waits;
  integer from, place, best, sender;

  function automatic integer port_of(input integer lane);
    port_of = lane < SINGLE ? lane : SINGLE + (lane - SINGLE) / V;
  endfunction

  // True if the header at input a goes before the one at b.
  function automatic logic goes_first(input integer a, input integer b);
    goes_first = came[a] != came[b] ? came[a] < came[b] : early[a] != early[b] ? early[a] : early[a] ? a > b : a < b;
  endfunction

  always @(posedge clk) begin
    if (rst) begin
      now = 0;
      header = '0;
      starts = '1;
      for (int l = 0; l < LANES; l++) begin
        count[l] = 0;
        came[l]  = 0;
        owner[l] = -1;
      end
      for (int p = 0; p < PORTS; p++) last_turn[p] = -1;
    end else begin
      now = now + 1;
      {usable, asked, leaves} = '0;
      waits = '0;
      for (int l = 0; l < LANES; l++) begin
        if (in_ready[l] !== (count[l] < BUFFERS) || in_empty[l] !== (count[l] == 0))
          $fatal(1, "%m: lane %0d has %0d flits: in_ready is %b, in_empty %b", l, count[l], in_ready[l], in_empty[l]);
        if (owner[l] >= 0) begin
          asked[l]  = 1'b1;
          usable[l] = count[owner[l]] != 0;
        end
      end
      for (int l = 0; l < LANES; l++)
        if (header[l]) begin
          asked[head[l][LABEL_W-1:0]] = 1'b1;
          if (owner[head[l][LABEL_W-1:0]] < 0 && (!paper || out_empty[head[l][LABEL_W-1:0]])) usable[head[l][LABEL_W-1:0]] = 1'b1;
        end

      // Each flit that leaves must be of its message's lane, in its turn, and the first that came.
      for (int p = 0; p < PORTS; p++) begin
        sender = -1;
        best = V;
        for (int o = 0; o < LANES; o++)
          if (port_of(o) == p) begin
            place = p < SINGLE || V == 1 ? 0 : o - SINGLE - (p - SINGLE) * V - last_turn[p] - 1;
            if (place < 0) place = place + V;
            if (usable[o] && out_ready[o] && place < best) begin
              best   = place;
              sender = o;
            end
          end
        for (int o = 0; o < LANES; o++)
          if (port_of(o) == p) begin
            if ((out_valid[o] && out_ready[o]) !== (o == sender))
              $fatal(1, "%m: port %0d: lane %0d should send, lane %0d offers %b", p, sender, o, out_valid[o]);
            if ((p < SINGLE || V == 1) && out_valid[o] !== usable[o]) $fatal(1, "%m: lane %0d offers %b", o, out_valid[o]);
          end
        if (obs_flit[p] !== (sender >= 0)) $fatal(1, "%m: obs_flit of port %0d", p);
        if (sender >= 0) begin
          from = 32'(out_flit[p*FLIT_W+LABEL_W+:LABEL_W]);
          if (count[from] == 0 || {out_last[p], out_flit[p*FLIT_W+:FLIT_W]} !== head[from] ||
              (header[from] ? owner[sender] >= 0 || 32'(head[from][LABEL_W-1:0]) != sender : owner[sender] != from))
            $fatal(1, "%m: %h leaves by lane %0d", out_flit[p*FLIT_W+:FLIT_W], sender);
          if (obs_worm[p] !== header[from]) $fatal(1, "%m: obs_worm of port %0d", p);
          for (int l = 0; l < LANES; l++)
            if (header[from] && l != from && header[l] && 32'(head[l][LABEL_W-1:0]) == sender && goes_first(l, from))
              $fatal(1, "%m: lane %0d: the header of %0d goes before that of %0d", sender, from, l);
          leaves[from] = 1'b1;
          owner[sender] = out_last[p] ? -1 : from;
          last_turn[p] = p < SINGLE ? 0 : sender - SINGLE - (p - SINGLE) * V;
        end else if (obs_worm[p] !== 1'b0) $fatal(1, "%m: obs_worm of port %0d", p);
        if (p >= SINGLE && asked[SINGLE+(p-SINGLE)*V+:V] == '0) last_turn[p] = -1;
      end
      for (int l = 0; l < LANES; l++) if (header[l] && !leaves[l]) waits[port_of(32'(head[l][LABEL_W-1:0]))] = 1'b1;
      if (obs_blocked !== waits) $fatal(1, "%m: obs_blocked is %b, headers wait for %b", obs_blocked, waits);

      for (int l = 0; l < LANES; l++) begin
        if (leaves[l]) begin
          header[l] = head[l][FLIT_W] && count[l] >= 2;
          head[l] = behind[l*64];
          for (int k = 1; k < BUFFERS; k++) behind[l*64+k-1] = behind[l*64+k];
          count[l] = count[l] - 1;
          came[l] = now;
        end
        if (in_valid[l] && in_ready[l]) begin
          if (count[l] == 0) begin
            head[l] = {in_last[port_of(l)], in_flit[port_of(l)*FLIT_W+:FLIT_W]};
            header[l] = starts[l];
            came[l] = now;
          end else behind[l*64+count[l]-1] = {in_last[port_of(l)], in_flit[port_of(l)*FLIT_W+:FLIT_W]};
          count[l]  = count[l] + 1;
          starts[l] = in_last[port_of(l)];
        end
      end
    end
  end
endmodule

`default_nettype wire
