// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The window ROUTE of the register port: a tile's requests for the route table of its net_router, and the answer at the
// time at which a tile answers. Part of fabric_tile; without a table (TABLE = 0) it is nothing.
//
// Latency: the answer is there three cycles after the request, and 0 in all other cycles. Throughput: a request in every
// cycle.
//
// Ports:
// - index, bus_*: as in fabric_tile. here: the request is for the window ROUTE, of whatever tile; nobody else may answer it.
// - table_select: this tile's table is asked, or written. table_port: its answer, one cycle later (route_table).
//
// Reset: synchronous, one cycle.
`default_nettype none

module route_window #(
    parameter integer TABLE = 1,  // 1: there is a table
    parameter integer PORT_W = 2  // bits of a word, 1..25
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire               clk,
    input  wire               rst,
    input  wire  [      11:0] index,
    input  wire               bus_request,
    input  wire               bus_write,
    input  wire  [      31:0] bus_address,
    output logic              here,
    output logic              table_select,
    input  wire  [PORT_W-1:0] table_port,
    // verilator lint_on UNUSEDSIGNAL
    output logic [PORT_W-1:0] answer
);
  assign here = TABLE != 0 && bus_address[31:28] == regmap::SPACE_NODE && bus_address[15:12] == regmap::ROUTE[15:12];
  assign table_select = here && bus_request && (bus_address[27:16] == index || bus_write && (&bus_address[27:16]));

  if (TABLE != 0) begin : g_table
    logic asked_q;
    logic [PORT_W-1:0] word_q, answer_q;
    always_ff @(posedge clk) begin
      asked_q <= table_select && !bus_write;
      word_q <= asked_q ? table_port : '0;
      answer_q <= word_q;
      if (rst) begin
        asked_q <= 1'b0;
        word_q <= '0;
        answer_q <= '0;
      end
    end
    assign answer = answer_q;
  end else begin : g_no_table
    assign answer = '0;
  end
endmodule

`default_nettype wire
