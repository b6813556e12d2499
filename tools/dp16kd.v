// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// For tools/netlist_ecp5.py: block memory of the ECP5 as this project uses it, written by port A and read by port B, read
// latency one cycle. Words of 1, 2 or 4 bits leave every ninth bit unused. With 36 bits the low half is on the pins of
// port A, the high half on those of port B.
module DP16KD (
    input  wire        CLKA,
    CEA,
    WEA,
    input  wire [13:0] ADA,
    input  wire [17:0] DIA,
    output wire [17:0] DOA,
    input  wire        CLKB,
    CEB,
    input  wire [13:0] ADB,
    input  wire [17:0] DIB,
    output wire [17:0] DOB
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;

  reg [8:0] byte_mem[0:2047];
  reg [35:0] out_q;
  wire [10:0] at = ADA[13:3];
  wire [10:0] from = ADB[13:3];
  wire [8:0] one = byte_mem[from];

  assign {DOB, DOA} = DATA_WIDTH_B == 36 ? out_q : {out_q[17:0], 18'd0};

  always @(posedge CLKA)
    if (CEA && WEA)
      case (DATA_WIDTH_A)
        36: begin
          if (ADA[0]) byte_mem[{at[10:2], 2'd0}] <= DIA[8:0];
          if (ADA[1]) byte_mem[{at[10:2], 2'd1}] <= DIA[17:9];
          if (ADA[2]) byte_mem[{at[10:2], 2'd2}] <= DIB[8:0];
          if (ADA[3]) byte_mem[{at[10:2], 2'd3}] <= DIB[17:9];
        end
        18: begin
          if (ADA[0]) byte_mem[{at[10:1], 1'd0}] <= DIA[8:0];
          if (ADA[1]) byte_mem[{at[10:1], 1'd1}] <= DIA[17:9];
        end
        9: byte_mem[at] <= DIA[8:0];
        4: byte_mem[at][{ADA[2], 2'd0}+:4] <= DIA[3:0];
        2: byte_mem[at][{ADA[2:1], 1'd0}+:2] <= DIA[1:0];
        default: byte_mem[at][ADA[2:0]] <= DIA[0];
      endcase

  always @(posedge CLKB)
    if (CEB)
      case (DATA_WIDTH_B)
        36:
        out_q <= {
          byte_mem[{from[10:2], 2'd3}],
          byte_mem[{from[10:2], 2'd2}],
          byte_mem[{from[10:2], 2'd1}],
          byte_mem[{from[10:2], 2'd0}]
        };
        18: out_q <= {18'd0, byte_mem[{from[10:1], 1'd1}], byte_mem[{from[10:1], 1'd0}]};
        9: out_q <= {27'd0, one};
        4: out_q <= {32'd0, one[{ADB[2], 2'd0}+:4]};
        2: out_q <= {34'd0, one[{ADB[2:1], 1'd0}+:2]};
        default: out_q <= {35'd0, one[ADB[2:0]]};
      endcase
endmodule
