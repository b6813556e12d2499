// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Counts the messages that have come from each source, for programs that wait for one (node_times). One per node.
//
// Latency: a message is counted in the cycle after `arrived`; `count` follows `ask` and `asked` in the same cycle. `forget`
// sets all counts to 0 in one cycle. Throughput: a message per cycle.
//
// Ports: forget: 1 for a cycle sets all counts to 0; a message that arrives in that cycle is not counted. arrived: a
// message from `source` has arrived. count: with ask = 1, the messages from `asked`; it stops at its largest value.
//
// A count is stored with the number of the age in which it was written. `forget` begins the next age; counts of
// another age read as 0. The numbers of ages repeat, so every age begins by setting one count of its own. In half as
// many ages as there are numbers, this covers all counts.
//
// Reset: as forget. The memory begins as 0, as in simulators and in FPGAs; other technologies must set it to 0. Legal
// parameters: LABEL_W from 1 to 16.
`default_nettype none

module arrival_counts #(
    parameter integer LABEL_W = 8  // bits of a source's label, 1..16
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                forget,
    input  wire                arrived,
    input  wire  [LABEL_W-1:0] source,
    input  wire                ask,
    input  wire  [LABEL_W-1:0] asked,
    output logic [       15:0] count
);
  if (LABEL_W < 1 || LABEL_W > 16) begin : g_LABEL_W illegal_LABEL_W u_illegal (); end

  localparam integer AGE_W = LABEL_W + 1;

  logic [AGE_W+15:0] count_mem[1<<LABEL_W];  // read without a clock
  logic [AGE_W-1:0] age_q;
  initial begin
    age_q = '0;
    for (int i = 0; i < 1 << LABEL_W; i++) count_mem[i] = '0;
  end

  // Statements read the memory only when needed. With a memory in each of many nodes, few are in a simulating
  // processor's cache; for an assignment with all conditions at once a simulator reads the memory first and tests
  // afterwards whether it had to.
  always @* begin : answer
    logic [AGE_W+15:0] entry;
    entry = '0;
    if (ask) entry = count_mem[asked];
    count = entry[16+:AGE_W] == age_q ? entry[15:0] : 16'd0;
  end

  wire [AGE_W-1:0] next_age = age_q + 1'b1;
  always_ff @(posedge clk) begin : count_on
    logic [LABEL_W-1:0] at;
    logic [AGE_W+15:0] entry;
    if (rst || forget || arrived) begin
      if (rst || forget) begin
        at = next_age[LABEL_W-1:0];
        entry = {next_age, 16'd0};
        age_q <= next_age;
      end else begin
        at = source;
        entry = count_mem[at];
        if (entry[16+:AGE_W] != age_q) entry = {age_q, 16'd1};
        else if (!(&entry[15:0])) entry[15:0] = entry[15:0] + 16'd1;
      end
      count_mem[at] <= entry;
    end
  end

`ifdef FORMAL
  // A reference count for one arbitrary source.
  (* anyconst *) logic [LABEL_W-1:0] f_source;
  logic [16:0] f_count;  // one bit more than is needed
  logic [AGE_W:0] f_ages = '0;  // ages that have begun; stays at its largest value
  wire [AGE_W+15:0] f_entry = count_mem[f_source];
  // Ages since the last one that began with this source's count, and since the one that its count belongs to.
  wire [LABEL_W-1:0] f_since = age_q[LABEL_W-1:0] - f_source;
  wire [AGE_W-1:0] f_old = age_q - f_entry[16+:AGE_W];
  initial f_count = '0;

  always_ff @(posedge clk) begin
    if (rst || forget) begin
      f_count <= '0;
      if (!(&f_ages)) f_ages <= f_ages + 1'b1;
    end else if (arrived && source == f_source && f_count != 17'hffff) f_count <= f_count + 17'd1;

    if (ask && asked == f_source) assert (count == f_count[15:0]);

    cover (!$initstate && count == 16'd2 && ask && asked == f_source && f_ages == 2);
    cover (f_ages > (1 << AGE_W) && count == 16'd1 && $past(arrived && source == f_source));

    // For the induction.
    assert (f_count <= 17'hffff && f_old <= AGE_W'(f_since));
    assert (f_count == (f_old == '0 ? 17'(f_entry[15:0]) : 17'd0));
  end
`endif
endmodule

`default_nettype wire
