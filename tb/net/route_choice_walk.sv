// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Computes `digest`, one number from all sets of lanes of a network by each of its rules: rules 4 to 8 in turn, every
// node with every other node as the destination, and as the source every node with rule 7, otherwise the node itself. A
// header must have the same set from each lane by which it can come. By all other rules except 8 each set must be the
// one lane that route_order gives for the two lowest bits of the rule. A short run leaves out networks of more than
// eight nodes by seed 1, of more than 15 by others: `sets` is 0.
`default_nettype none

module route_choice_walk #(
    parameter [95:0] NETWORK = 96'h00_01_0000_0000_0000_0002_0002  // see networks.svh
) (
    output logic [63:0] digest,
    output integer      sets,
    output logic        done
);
  `include "networks.svh"
  `include "network_shape.svh"
  localparam integer TABLE = 0, OTIS = 0;
  `include "net_wires.svh"
  localparam [8:0] RULES = {V > 1, NETWORK[95:88] == MESH && DIMS == 2, {3{WRAP == 0}}, 4'd0};  // bit r: rule r
  localparam integer LANES = DIMS * LINKS_PER_DIM * V + 1;
  logic [LANES-1:0] enable;
  logic [LABEL_W-1:0] here, source, destination;
  logic [3:0] rule;
  integer seed, nodes;
  wire [LANES*LANES-1:0] lanes, late;

  route_choice #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .V(V)
  ) u_dut (
      .enable, .here,
      .source({LANES{source}}),
      .destination({LANES{destination}}),
      .rule({LANES{rule}}),
      .lanes, .late
  );

  localparam integer LANE_W = $clog2(LANES);
  wire [LANES*LANE_W-1:0] in_order;
  route_order #(
      .DIMS(DIMS), .LABEL_W(LABEL_W), .EXTENTS(EXTENTS), .DIGITS(DIGITS), .LINKS_PER_DIM(LINKS_PER_DIM), .WRAP(WRAP), .V(V),
      .LANES(LANES)
  ) u_order (
      .enable, .here,
      .destination({LANES{destination}}),
      .descending({LANES{rule[0]}}),
      .one_way({LANES{rule[1]}}),
      .fresh({LANES{1'b0}}),
      .port(in_order)
  );

  task add(input logic [63:0] word);
    digest = (digest ^ word) * 64'h100000001b3;
  endtask

  initial begin
    digest = 64'hcbf29ce484222325;
    sets = 0;
    done = 1'b0;
    enable = '0;
    {here, source, destination, rule} = '0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    nodes = $test$plusargs("short") && NODES > (seed == 1 ? 8 : 15) ? 0 : NODES;
    #1;
    enable = '1;
    for (int r = 4; r < 9; r++)
      if (RULES[r])
        for (int u = 0; u < nodes; u++)
          for (int v = 0; v < nodes; v++)
            for (int s = 0; s < (r == 7 ? nodes : 1); s++)
              if (u != v) begin
                rule = 4'(r);
                here = LABEL_W'(label(u));
                destination = LABEL_W'(label(v));
                source = LABEL_W'(label(r == 7 ? s : u));
                #1;
                for (int i = 1; i < LANES; i++)
                  if (lanes[i*LANES+:LANES] !== lanes[0+:LANES] || late[i*LANES+:LANES] !== late[0+:LANES])
                    $fatal(1, "%m: rule %0d from %0d to %0d: lane %0d has %b, not %b", r, u, v, i, lanes[i*LANES+:LANES], lanes[0+:LANES]);
                if (lanes[0]) $fatal(1, "%m: rule %0d from %0d to %0d: the local port", r, u, v);
                add(64'(lanes[1+:LANES-1]));
                add(64'(late[1+:LANES-1]));
                sets = sets + 1;
              end
    for (int r = 0; r < 16; r++)
      if (r > 8 || r < 8 && !RULES[r])
        for (int u = 0; u < nodes; u++)
          for (int v = 0; v < nodes; v++) begin
            rule = 4'(r);
            here = LABEL_W'(label(u));
            destination = LABEL_W'(label(v));
            source = here;
            #1;
            for (int i = 0; i < LANES; i++)
              if (lanes[i*LANES+:LANES] !== LANES'(1) << in_order[i*LANE_W+:LANE_W] || late[i*LANES+:LANES] !== '0)
                $fatal(1, "%m: rule %0d from %0d to %0d: lane %0d has %b", r, u, v, i, lanes[i*LANES+:LANES]);
          end
    done = 1'b1;
  end
endmodule

`default_nettype wire
