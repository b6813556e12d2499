// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Reset for the first 2^CYCLES_W - 1 cycles after configuration. It relies on the FPGA to set registers to their
// initial values (count_q to 0), as iCE40 and ECP5 do; an ASIC needs another source.
//
// rst is 1 from the first cycle on, falls once, and never rises again. It is synchronous to clk, from registers through
// one gate. Wait for a PLL's lock outside: its output clock must be good from the first edge. Legal parameters:
// CYCLES_W >= 1.
`default_nettype none

module power_on_reset #(
    parameter integer CYCLES_W = 6  // reset lasts 2^CYCLES_W - 1 cycles, >= 1
) (
    input  wire  clk,
    output logic rst
);
  if (CYCLES_W < 1) begin : g_CYCLES_W illegal_CYCLES_W u_illegal (); end

  logic [CYCLES_W-1:0] count_q = '0;

  assign rst = !(&count_q);
  always_ff @(posedge clk) if (rst) count_q <= count_q + 1'b1;

`ifdef FORMAL
  logic [CYCLES_W:0] f_cycle = '0;
  always_ff @(posedge clk) begin
    if (!(&f_cycle)) f_cycle <= f_cycle + 1'b1;
    assert (rst == (f_cycle < (CYCLES_W + 1)'((1 << CYCLES_W) - 1)));
    cover (!rst);

    // For the induction.
    assert (rst ? f_cycle == {1'b0, count_q} : &count_q);
  end
`endif
endmodule

`default_nettype wire
