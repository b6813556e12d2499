// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Does a test host's work over the register port: words written and read, settings, programs, passes run, logs and
// counters. net_host and min_host, which know where messages go, and the hosts of single modules call its tasks. With
// DIRECT there are no global registers: settings and start are ports.
`default_nettype none

module host_port #(
    parameter integer LATENCY = 4,  // cycles from a request to its answer
    parameter integer DIRECT = 1,
    parameter integer PAUSE = 1  // after a write the port pauses for fewer cycles than this
) (
    input  wire         clk,
    output logic        request,
    output logic        write,
    output logic [31:0] address,
    output logic [31:0] wdata,
    input  wire  [31:0] rdata,
    input  wire         ack,        // DIRECT: 1
    // settings, with DIRECT
    output logic        clean,      // reset of the fabric
    output logic        start,
    output logic        paper,
    output logic [31:0] salt,
    output logic [15:0] last_pass,
    input  wire  [ 1:0] state
);
  integer random_state;

  initial begin
    {request, write, clean, start, paper} = '0;
    {address, wdata, salt, last_pass} = '0;
  end

  function integer random(input integer below);
    random = $unsigned($random(random_state)) % below;
  endfunction

  function [31:0] at_node(input integer node, input integer register);
    at_node = {regmap::SPACE_NODE, 12'(node), 16'(register)};
  endfunction

  // --- Words -------------------------------------------------------------------------------------------------------

  // Sends a request and does not wait for its answer.
  task ask(input writes, input [31:0] where, input [31:0] what);
    request <= 1'b1;
    write <= writes;
    address <= where;
    wdata <= what;
    @(posedge clk);
    request <= 1'b0;
  endtask

  task put(input [31:0] where, input [31:0] what);
    ask(1'b1, where, what);
    if (PAUSE > 1) repeat (random(PAUSE)) @(posedge clk);
  endtask

  // Reads `words` words, up to four, from `where` on, with a request in every cycle; word w is at got[32*w+:32].
  task get_words(input [31:0] where, input integer words, output [127:0] got);
    request <= 1'b1;
    write <= 1'b0;
    for (int w = 0; w < words + LATENCY; w++) begin
      address <= where + w;
      if (w == words) request <= 1'b0;
      @(posedge clk);
      if (w >= LATENCY) begin
        if (ack !== 1'b1) $fatal(1, "%m: no answer for %h", where + w - LATENCY);
        got[32*(w-LATENCY)+:32] = rdata;
      end
    end
    request <= 1'b0;
  endtask

  task get(input [31:0] where, output [31:0] what);
    logic [127:0] got;
    get_words(where, 1, got);
    what = got[31:0];
  endtask

  task check(input [31:0] where, input [31:0] what);
    logic [31:0] held;
    get(where, held);
    if (held !== what) $fatal(1, "%m: %h holds %h, expected %h", where, held, what);
  endtask

  // --- Runs --------------------------------------------------------------------------------------------------------

  // Resets everything and draws a timing and a seed.
  task restart;
    if (DIRECT != 0) begin
      clean <= 1'b1;
      @(posedge clk);
      clean <= 1'b0;
    end else put({24'd0, regmap::CONTROL}, 32'd1 << regmap::CONTROL_RESET);
    repeat (4) @(posedge clk);
    paper <= 1'(random(2));
    salt <= $random(random_state);
    @(posedge clk);
    if (DIRECT == 0) begin
      put({24'd0, regmap::CONFIG}, 32'(paper) << regmap::CONFIG_PAPER);
      put({24'd0, regmap::SEED}, salt);
      put({24'd0, regmap::WATCHDOG}, 32'd1000);
      check({24'd0, regmap::SEED}, salt);
    end
  endtask

  // Writes message i of the program of node u; `fields`: the fields of the second word.
  task put_message(input integer u, input integer i, input integer pass, input integer flits, input [31:0] fields);
    put(at_node(u, 32'(regmap::PROGRAM) + 2 * i), 32'(pass) << regmap::PROGRAM0_PASS | 32'(flits));
    put(at_node(u, 32'(regmap::PROGRAM) + 2 * i + 1), fields);
  endtask

  // Runs passes 0 to `last`, which must end in state `expected`.
  task run(input integer last, input [1:0] expected);
    logic [31:0] status;
    integer polls;
    last_pass <= 16'(last);
    if (DIRECT != 0) begin
      start <= 1'b1;
      @(posedge clk);
      start <= 1'b0;
      repeat (2) @(posedge clk);
      while (state == 2'd1) @(posedge clk);
      if (state != expected) $fatal(1, "%m: state %0d", state);
    end else begin
      put({24'd0, regmap::FIRST_PASS}, 32'd0);
      put({24'd0, regmap::LAST_PASS}, 32'(last));
      put({24'd0, regmap::CONTROL}, 32'd1 << regmap::CONTROL_START);
      repeat (4) @(posedge clk);
      status = 32'd1;
      polls = 0;
      while (status[1:0] == 2'd1) begin
        get({24'd0, regmap::STATUS}, status);
        polls = polls + 1;
        if (polls > 1000) $fatal(1, "%m: no end");
      end
      if (status !== 32'(expected)) $fatal(1, "%m: status %h", status);
    end
  endtask

  // --- Results -----------------------------------------------------------------------------------------------------

  // Checks that a node has sent `sent` messages and found nothing corrupt; returns the number of messages in its log.
  task check_node(input integer u, input integer sent, output integer received);
    check(at_node(u, 32'(regmap::SENT_COUNT)), 32'(sent));
    check(at_node(u, 32'(regmap::CORRUPT_COUNT)), 32'd0);
    check(at_node(u, 32'(regmap::NODE_STATUS)), 32'd0);
    get(at_node(u, 32'(regmap::LOG_COUNT)), received);
  endtask

  // Checks the counters of channel c of a tile; with `alone` also that no header waited for it.
  task check_channel(input integer tile, input integer c, input integer worms, input integer flits, input logic alone);
    logic [127:0] got;
    get_words({regmap::SPACE_MONITOR, 12'(tile), 16'(4 * c)}, 4, got);
    if (got[31:0] !== 32'(worms) || got[63:32] !== 32'(flits) || got[127:96] !== 32'd0 || alone && got[95:64] !== 32'd0)
      $fatal(1, "%m: channel %0d of tile %0d counts %0d messages, %0d flits, %0d blocked cycles, expected %0d and %0d", c,
             tile, got[31:0], got[63:32], got[95:64], worms, flits);
  endtask
endmodule

`default_nettype wire
