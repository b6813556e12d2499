// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Random words written, read and looked up by two lanes at once.
`default_nettype none

module route_table_tb;
  localparam integer LABEL_W = 3, PORTS = 5, PORT_W = 3, WORDS = 2 << LABEL_W, LANES = 2;
  wire clk, rst;
  integer seed, state, looked;
  logic select, write;
  logic [LABEL_W:0] at;
  logic [PORT_W-1:0] wdata;
  wire [PORT_W-1:0] rdata;
  logic [LANES-1:0] enable, descending;
  logic [LANES*LABEL_W-1:0] destination;
  wire [LANES*PORT_W-1:0] port;
  logic [PORT_W-1:0] truth[WORDS];

  bench u_bench (
      .clk (clk),
      .rst (rst),
      .seed(seed)
  );
  route_table #(
      .LABEL_W(LABEL_W),
      .PORTS(PORTS),
      .LANES(LANES)
  ) u_dut (
      .clk(clk),
      .select(select),
      .write(write),
      .at(at),
      .wdata(wdata),
      .rdata(rdata),
      .enable(enable),
      .destination(destination),
      .descending(descending),
      .port(port)
  );

  function integer random(input integer below);
    random = $unsigned($random(state)) % below;
  endfunction

  task access(input writes, input integer where, input integer what);
    begin
      {select, write} <= {1'b1, writes};
      at <= (LABEL_W + 1)'(where);
      wdata <= PORT_W'(what);
      @(posedge clk);
      select <= 1'b0;
      @(posedge clk);
      if (writes) truth[where] = PORT_W'(what);
      else if (rdata !== truth[where]) $fatal(1, "word %0d is %0d, not %0d", where, rdata, truth[where]);
    end
  endtask

  initial begin
    {select, write, at, wdata, enable, descending, destination} = '0;
    looked = 0;
    @(negedge rst);
    state = seed;
    for (int i = 0; i < WORDS; i++) access(1'b1, i, random(PORTS));
    repeat (2000) begin
      if (random(4) == 0) access(1'(random(2)), random(WORDS), random(PORTS));
      {enable, descending, destination} = $random(state);
      #1;
      for (int i = 0; i < LANES; i++) begin
        if (enable[i] && port[i*PORT_W+:PORT_W] !== truth[{descending[i], destination[i*LABEL_W+:LABEL_W]}])
          $fatal(1, "lane %0d: port %0d", i, port[i*PORT_W+:PORT_W]);
        looked = looked + 32'(enable[i]);
      end
      @(posedge clk);
    end
    $display("PASS route_table (seed %0d, %0d headers)", seed, looked);
    $finish;
  end
endmodule

`default_nettype wire
