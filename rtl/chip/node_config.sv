// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The settings of a fabric's nodes in one number: the parameter NODE of every module that has a node inside, or is part
// of one. The number has fields of 32 bits; each is called by its lowest bit, so NODE[node_config::FLIT_W+:32] is the
// width of a flit. (A packed struct would say the same; Icarus 11 takes none as a parameter.)
//
// Set it by name: node_config::set(node_config::DEFAULT, node_config::FLIT_W, 16), or all fields as in DEFAULT. On a
// command line it is a number, which tools/node_parameter.sh FLIT_W=16 prints; in models of libflitloom it is
// host/links/rtl.c that does. Fields that do not fit each other fail at elaboration, as illegal_FLIT_W for example.
`default_nettype none

// No module uses every name, and the functions do not use every bit of the numbers that they take.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL
package node_config;
  // bits of a message's rule, 1..4; or 4 + LABEL_W: routers send messages through a node (VIA of net_router), whose label is above the
  // rule's 4 bits; PASS_W is 4 at most then, and networks are those of ADAPTIVE, with an even number of virtual channels
  localparam integer RULE_W = 0;
  // bits of a flit, from header_fields::number_low + $clog2(PROGRAM_DEPTH) on, 8..512, with STATE_W = 16 up to 128
  localparam integer FLIT_W = 32;
  localparam integer LENGTH_W = 64;  // a message has fewer than 2^LENGTH_W flits, 1..16
  localparam integer PROGRAM_DEPTH = 96;  // messages of a node's program, a power of two, 2..4096
  localparam integer LOG_DEPTH = 128;  // messages of a node's log, a power of two, 2..8192
  localparam integer SLOTS = 160;  // slots of a node's store, 1..15
  localparam integer SLOT_FLITS = 192;  // flits of a slot, a power of two, >= 2
  localparam integer COUNT_W = 224;  // bits of a monitor's counter, 1..32; with SMALL at most 31
  localparam integer PASS_W = 256;  // bits of a pass, 1..16; a log keeps 14 at most
  localparam integer CYCLE_W = 288;  // bits of a cycle in a log, 1..32; where it is also that of a watchdog, 8..32
  localparam integer TALLY_W = 320;  // bits of a node's counters, more than $clog2 of PROGRAM_DEPTH and of LOG_DEPTH, <= 32
  localparam integer STATE_W = 352;  // bits of the payload's state, the same in all nodes: 32, or 16 where logic is dear
  localparam integer SIGNATURE_W = 384;  // bits of the signatures in the logs: 0 (none), 12, 16, 32
  // 1: for chips whose logic is dear, direct networks only. Routers are net_router's small variant, counters are in memories
  // (monitor_memory), and registers of the port are loaded in every cycle, so that synthesis shares them between nodes; the
  // port's user then keeps requests apart and holds them: see fabric_top.
  localparam integer SMALL = 416;
  // 1: programs that wait, for cycles and for messages (node_times, arrival_counts)
  localparam integer TIMED = 448;
  localparam integer STREAM = 480;  // 1: for simulations, with TIMED = 1: programs are fed and logs handed out while a pass runs
  localparam integer BUFFERS = 512;  // flits that the buffer at the end of a channel holds, of each virtual channel, 2..64
  localparam integer LINK_DELAY = 544;  // cycles that links between routers take longer than usual, 0..63; direct networks only
  localparam integer ROUTER_DELAY = 576;  // cycles that a flit takes longer in a router that it leaves by a link, 0..15; direct networks only
  localparam integer ADAPTIVE = 608;  // 1: routers choose among several ways (ADAPTIVE of net_router), with RULE_W = 4; cube, line, ring, mesh, torus only. 2: by sets in tables, with links of any kind but light
  localparam integer LINK_DELAYS = 640;  // if links differ: not 0, what the register LINK_DELAYS says, and delays are in DELAYS of fabric
  localparam integer BITS = 672;

  function automatic [BITS-1:0] field(input integer name, input integer value);
    field = '0;
    field[name+:32] = value;
  endfunction

  function automatic [BITS-1:0] set(input [BITS-1:0] node, input integer name, input integer value);
    set = node;
    set[name+:32] = value;
  endfunction

  function automatic [BITS-1:0] with_depths(input [BITS-1:0] node, input integer program_depth, input integer log_depth,
                                            input integer slot_flits);
    with_depths = set(set(set(node, PROGRAM_DEPTH, program_depth), LOG_DEPTH, log_depth), SLOT_FLITS, slot_flits);
  endfunction

  localparam [BITS-1:0] DEFAULT =
      field(RULE_W, 1) |
      field(FLIT_W, 32) |
      field(LENGTH_W, 16) |
      field(PROGRAM_DEPTH, 64) |
      field(LOG_DEPTH, 64) |
      field(SLOTS, 3) |
      field(SLOT_FLITS, 64) |
      field(COUNT_W, 32) |
      field(PASS_W, 16) |
      field(CYCLE_W, 32) |
      field(TALLY_W, 32) |
      field(STATE_W, 32) |
      field(SIGNATURE_W, 32) |
      field(SMALL, 0) |
      field(TIMED, 0) |
      field(STREAM, 0) |
      field(BUFFERS, 2) |
      field(LINK_DELAY, 0) |
      field(ROUTER_DELAY, 0) |
      field(ADAPTIVE, 0) |
      field(LINK_DELAYS, 0);

  // Sized for an iCE40. (The width of a flit follows from that of a label; it is handed in because Icarus 11 works out no
  // function of another package in here.)
  function automatic [BITS-1:0] of_ice40(input integer flit_w, input integer rule_w);
    of_ice40 = field(RULE_W, rule_w) | field(FLIT_W, flit_w) | field(LENGTH_W, 8) |
        field(PROGRAM_DEPTH, 16) | field(LOG_DEPTH, 16) | field(SLOTS, 1) | field(SLOT_FLITS, 64) | field(COUNT_W, 14) |
        field(PASS_W, 4) | field(CYCLE_W, 14) | field(TALLY_W, 6) | field(STATE_W, 16) | field(SIGNATURE_W, 12) |
        field(SMALL, 0) | field(TIMED, 0) | field(STREAM, 0) | field(BUFFERS, 2) |
        field(LINK_DELAY, 0) | field(ROUTER_DELAY, 0) | field(ADAPTIVE, 0) | field(LINK_DELAYS, 0);
  endfunction
endpackage
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on UNUSEDPARAM

`default_nettype wire
