// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Two-slot buffer of flits: the only storage on a channel.
// Latency one cycle, throughput one flit per cycle; every output is a register, so nothing runs through it.
`default_nettype none

module stream_buffer #(
    parameter integer FLIT_W = 32  // bits of a flit, >= 1
) (
    input  wire               clk,
    input  wire               rst,
    // stream in
    input  wire  [FLIT_W-1:0] in_flit,
    input  wire               in_last,
    input  wire               in_valid,
    output logic              in_ready,  // fewer than two flits are held
    output logic              in_empty,  // no flit is held
    // stream out
    output logic [FLIT_W-1:0] out_flit,
    output logic              out_last,
    output logic              out_valid,
    input  wire               out_ready
);
  generate
    if (FLIT_W < 1) illegal_FLIT_W u_illegal ();
  endgenerate

  logic [FLIT_W-1:0] head_q, spare_q;
  logic head_last_q, spare_last_q;
  logic head_full_q, spare_full_q;

  wire push = in_valid && in_ready;
  wire pop = out_valid && out_ready;

  assign in_ready  = !spare_full_q;
  assign in_empty  = !head_full_q;
  assign out_flit  = head_q;
  assign out_last  = head_last_q;
  assign out_valid = head_full_q;

  always_ff @(posedge clk) begin
    if (push || pop) begin
      if (pop && spare_full_q) begin
        head_q       <= spare_q;
        head_last_q  <= spare_last_q;
        spare_full_q <= 1'b0;
      end else if (push && (pop || !head_full_q)) begin
        head_q      <= in_flit;
        head_last_q <= in_last;
        head_full_q <= 1'b1;
      end else if (push) begin
        spare_q      <= in_flit;
        spare_last_q <= in_last;
        spare_full_q <= 1'b1;
      end else begin
        head_full_q <= 1'b0;
      end
    end
    if (rst) begin
      head_full_q  <= 1'b0;
      spare_full_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // The outputs are those of a queue of two words.
  logic f_started = 1'b0;
  logic [1:0] f_count;
  logic [FLIT_W:0] f_first, f_second;
  wire [FLIT_W:0] f_in = {in_last, in_flit};

  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);

    f_count <= f_count + 2'(push) - 2'(pop);
    if (pop) f_first <= f_second;
    if (push && f_count - 2'(pop) == 2'd0) f_first <= f_in;
    if (push && f_count - 2'(pop) == 2'd1) f_second <= f_in;
    if (rst) f_count <= 2'd0;

    if (f_started) begin
      assert (f_count <= 2'd2);
      assert (in_ready == (f_count < 2'd2));
      assert (in_empty == (f_count == 2'd0));
      assert (out_valid == (f_count != 2'd0));
      if (out_valid) assert ({out_last, out_flit} == f_first);
      if (f_count == 2'd2) assert ({spare_last_q, spare_q} == f_second);
      if (!$past(rst) && $past(out_valid && !out_ready)) begin
        assert (out_valid);
        assert ($stable(out_flit) && $stable(out_last));
      end

      cover (push && pop);
      cover (pop && !in_ready);
      cover (in_empty && $past(pop) && $past(pop, 2) && $past(pop, 3));
    end
  end
`endif
endmodule

`default_nettype wire
