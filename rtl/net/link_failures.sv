// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Marks links that fail during a run: its outputs say which channels carry nothing from now on. One per fabric, with
// FAILING = 1; for simulation, because it has a register for each link.
//
// Latency: a channel that is marked is down from the cycle `from` of a pass on, in that cycle already, and stays so until
// reset. Register read data is there three cycles after the request, and 0 in all other cycles; requests may follow each
// other in every cycle.
//
// Ports:
// - run, cycle: a pass is under way, and the number of the cycle before this one, as in fabric.
// - bus_*: as in fabric. Space FAILURE of docs/registers.md: word 0 of node u (or of all, 0xfff) has bit p: what leaves by
//   link p of that node fails; word 1, of any node, is the cycle, 0: never. To be written while no pass runs.
// - down: channel of link p of node u at bit u*LINKS + p.
//
// Reset: synchronous, one cycle; nothing is marked, and nothing is down.
`default_nettype none

module link_failures #(
    parameter integer NODES = 2,  // 2..1024
    parameter integer LINKS = 1  // of a node, 1..24
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    run,
    input  wire  [           31:0] cycle,
    // register port
    input  wire                    bus_request,
    input  wire                    bus_write,
    input  wire  [           31:0] bus_address,
    input  wire  [           31:0] bus_wdata,
    output logic [           31:0] bus_rdata,
    output logic [NODES*LINKS-1:0] down
);
  if (NODES < 2 || NODES > 1024) begin : g_NODES illegal_NODES u_illegal (); end
  if (LINKS < 1 || LINKS > 24) begin : g_LINKS illegal_LINKS u_illegal (); end

  logic [NODES*LINKS-1:0] marked_q;
  logic [31:0] from_q, answer_q, answer_1_q;
  logic failed_q;  // the cycle has passed

  wire here = bus_request && bus_address[31:28] == regmap::SPACE_FAILURE && bus_address[15:1] == 15'd0;
  wire [11:0] node = bus_address[27:16];
  wire failed = failed_q || (run && from_q != '0 && cycle + 32'd1 >= from_q);
  assign down = failed ? marked_q : '0;

  always_ff @(posedge clk) begin : registers
    logic [LINKS-1:0] mine;
    mine = '0;
    for (int u = 0; u < NODES; u++) if (32'(node) == u) mine = marked_q[u*LINKS+:LINKS];
    failed_q <= failed;
    answer_q <= !here || bus_write ? '0 : bus_address[0] ? from_q : 32'(mine);
    answer_1_q <= answer_q;
    bus_rdata <= answer_1_q;
    if (here && bus_write && bus_address[0]) from_q <= bus_wdata;
    for (int u = 0; u < NODES; u++)
      if (here && bus_write && !bus_address[0] && (32'(node) == u || (&node))) marked_q[u*LINKS+:LINKS] <= bus_wdata[LINKS-1:0];
    if (rst) begin
      marked_q <= '0;
      from_q   <= '0;
      failed_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // An arbitrary channel is down if and only if it is marked and the cycle has come since reset, and a read returns
  // its mark.
  (* anyconst *) logic [$clog2(NODES)-1:0] f_node;
  (* anyconst *) logic [4:0] f_link;
  logic f_marked, f_failed;
  logic [31:0] f_from;
  logic [2:0] f_asked;  // 1 to 3 cycles ago
  logic [2:0] f_said;
  wire f_here = bus_request && bus_address[31:28] == regmap::SPACE_FAILURE && bus_address[15:1] == 15'd0;
  wire f_mine = f_here && !bus_address[0] && (bus_address[27:16] == 12'(f_node) || (bus_write && (&bus_address[27:16])));
  wire f_now = f_failed || (run && f_from != '0 && cycle + 32'd1 >= f_from);

  always_ff @(posedge clk) begin
    if ($initstate) assume (rst);
    assume (32'(f_node) < NODES && 32'(f_link) < LINKS);
    if (!$initstate && f_here && bus_write) assume (!run);
    f_failed <= f_now;
    f_asked <= {f_asked[1:0], f_mine && !bus_write};
    f_said <= {f_said[1:0], f_marked};
    if (f_mine && bus_write) f_marked <= bus_wdata[f_link];
    if (f_here && bus_write && bus_address[0]) f_from <= bus_wdata;
    if (rst) begin
      f_marked <= 1'b0;
      f_failed <= 1'b0;
      f_from   <= '0;
      f_asked  <= '0;
    end

    if (!$initstate) begin
      assert (down[32'(f_node)*LINKS+32'(f_link)] == (f_marked && f_now));
      if (f_asked[2]) assert (bus_rdata[f_link] == f_said[2]);
      cover (f_marked && f_now && $past(!f_now) && $past(run));
      cover (f_asked[2] && f_said[2]);
      // For the induction.
      assert (f_marked == marked_q[32'(f_node)*LINKS+32'(f_link)] && f_from == from_q && f_failed == failed_q);
      if (f_asked[0]) assert (answer_q[f_link] == f_said[0]);
      if (f_asked[1]) assert (answer_1_q[f_link] == f_said[1]);
    end
  end
`endif
endmodule

`default_nettype wire
