// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The pass sequencer of a fabric that is tested without fabric_top, connected as there: `cycle` comes one register
// later than run and pass. It also ends the simulation on events that no host allows: a flit that moves outside of a
// pass, a log or a store that overflows.
`default_nettype none

module host_sequencer (
    input  wire         clk,
    input  wire         rst,
    // host
    input  wire         clean,          // reset of the fabric
    input  wire         start,
    input  wire  [15:0] last_pass,
    output wire  [ 1:0] state,
    // fabric
    output wire         rewind,
    output wire         clear,
    output wire         run,
    output wire  [15:0] pass,
    output logic [31:0] cycle,
    input  wire         busy,
    input  wire         moved,
    input  wire         log_overflow,
    input  wire         store_overflow
);
  wire [31:0] now;
  always @(posedge clk) cycle <= run ? now : '0;

  pass_sequencer u_sequencer (
      .clk,
      .rst(rst || clean),
      .start,
      .free(1'b0),
      .first_pass(16'd0),
      .last_pass, .busy,
      .stuck(1'b0),
      .rewind, .clear, .run, .pass,
      .cycle(now),
      .state
  );

  always @(posedge clk) begin
    if (!rst && !run && moved && !clean) $fatal(1, "%m: a flit moves outside of a pass");
    if (log_overflow === 1'b1 || store_overflow === 1'b1) $fatal(1, "%m: overflow");
  end
endmodule

`default_nettype wire
