// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Generated from host/chip/regmap.def by tools/gen_regmap.c; do not edit. Use as regmap::NAME.
`default_nettype none

// No module needs every name.
// verilator lint_off UNUSEDPARAM
package regmap;
  localparam logic [31:0] VERSION = 32'd5;
  localparam logic [3:0] SPACE_GLOBAL = 4'h0;  // one of each: discovery, control, status
  localparam logic [3:0] SPACE_NODE = 4'h1;  // per node: index in bits 27:16; index 0xfff writes all nodes at once
  localparam logic [3:0] SPACE_MONITOR = 4'h2;  // per tile: index in bits 27:16
  localparam logic [3:0] SPACE_SWITCH = 4'h3;  // per stage of switches: index in bits 27:16
  localparam logic [3:0] SPACE_HISTORY = 4'h4;  // per tile: index in bits 27:16; histories of its monitor
  localparam logic [3:0] SPACE_FAILURE = 4'h6;  // per node: index as in NODE; of simulations whose links can fail, elsewhere 0
  localparam logic [3:0] SPACE_TIME = 4'h5;  // per node: index as in NODE; where TIMING.PROGRAMS is 1
  localparam logic [3:0] SPACE_CIRCUIT = 4'h7;  // of kind 18, per circuit switch and slot of its schedule: the switch in bits 27:24, the slot in bits 23:12, elsewhere 0
  localparam logic [7:0] MAGIC = 8'h00;  // RO: 0x4d4f4f4c, the bytes LOOM in order of address
  localparam logic [7:0] MAP_VERSION = 8'h01;  // RO: version of this map
  localparam logic [7:0] KIND = 8'h02;  // RO: kind of fabric: 1 binary cube; multistage networks: 2 baseline, 3 omega, 4 indirect cube, 5, 6, 7 the reverse of each, 8 benes; 9 line, 10 ring, 11 mesh, 12 torus; with route tables: 13 mesh, 14 torus, 15 cube; 16 graph; 17 OTIS-Mesh; 18 optical circuit switches
  localparam logic [7:0] SIZE = 8'h03;  // RO: dimensions of the fabric's shape, 1 of a multistage network and of one circuit switch: SHAPE has so many extents
  localparam logic [7:0] NODES = 8'h04;  // RO: nodes
  localparam logic [7:0] TILES = 8'h05;  // RO: tiles, each with a monitor
  localparam logic [7:0] CHANNELS = 8'h06;  // RO: channels which one monitor counts
  localparam logic [7:0] FLIT_BITS = 8'h07;  // RO: bits of a flit
  localparam logic [7:0] LABEL_BITS = 8'h08;  // RO: bits of a node's label in a header: of its number, or, where routers work by dimension order, of its coordinates side by side, dimension 0 lowest, each in as few bits as hold it and at least one
  localparam logic [7:0] PROGRAM_DEPTH = 8'h09;  // RO: messages which one node's program holds
  localparam logic [7:0] LOG_DEPTH = 8'h0a;  // RO: messages which one node's log holds
  localparam logic [7:0] STORE_SLOTS = 8'h0b;  // RO: slots of one node's store
  localparam logic [7:0] SLOT_FLITS = 8'h0c;  // RO: flits which one slot holds, header included
  localparam logic [7:0] LENGTH_BITS = 8'h0d;  // RO: a message has fewer than 2^LENGTH_BITS flits
  localparam logic [7:0] RULE_BITS = 8'h0e;  // RO: bits of the rule in a header and in PROGRAM1.RULE, at most 4. A header is, from bit 0 on: destination and source (LABEL_BITS each), rule (RULE_BITS), slot of the receiver that keeps the message (2 bits, 3 of more than 3 STORE_SLOTS, 4 of more than 7; 0: none), message number (the rest)
  localparam logic [7:0] COUNT_BITS = 8'h0f;  // RO: bits of a monitor's counter; it stops at its largest value
  localparam logic [7:0] CYCLE_BITS = 8'h11;  // RO: low bits of a cycle which LOG2.FIRST and LOG3.LAST keep, and bits of WATCHDOG; CYCLE has 32
  localparam logic [7:0] PASS_BITS = 8'h12;  // RO: bits of a pass, in programs, FIRST_PASS and LAST_PASS; LOG1.PASS keeps 14 at most
  localparam logic [7:0] PRESET_PASSES = 8'h10;  // RO: passes for which the switches can be set, a power of two; of kind 18 the slots of a schedule; 0: they cannot
  localparam logic [7:0] HISTORY_RUNS = 8'h13;  // RO: entries of a channel's history, a power of two up to 512; 0: no histories and no free runs
  localparam logic [7:0] SIGNATURE_BITS = 8'h14;  // RO: bits of a SIGNATURE: 12, 16 or 32; 0: there are none
  localparam logic [7:0] PAYLOAD_BITS = 8'h15;  // RO: bits of the state that payload is generated from: 32 (xorshift 13-17-5) or 16 (shift register, x^16+x^5+x^3+x^2+1). Flit k of a message is the low FLIT_BITS of the k-th successor of a start, header being flit 0 (above PAYLOAD_BITS the state begins again); the start has its top bit set, below it SEED xor (message number << LABEL_BITS | label of the source)
  localparam logic [7:0] VIRTUAL_CHANNELS = 8'h16;  // RO: virtual channels of each link between routers; 0, as chips say that are older than this register, means 1
  localparam logic [7:0] LIGHT = 8'h17;  // RO: optical links of an OTIS-Mesh (kind 17); 0: there are none
  localparam integer LIGHT_CYCLES = 0;  // 8 bits: cycles which light takes longer than a wire
  localparam integer LIGHT_RATIO = 8;  // 8 bits: cycles which a flit takes on its way into the light
  localparam logic [7:0] TIMING = 8'h18;  // RO: what programs can do with time; 0, as chips say that are older than this register: nothing
  localparam integer TIMING_PROGRAMS = 0;  // 1 bits: programs have the words AT, delays (PROGRAM1.SILENT) and waits (PROGRAM1.WAIT)
  localparam integer TIMING_STREAM = 1;  // 1 bits: a simulation can feed programs and take logs while a pass runs, beside the register port
  localparam logic [7:0] USER_NODES = 8'h19;  // RO: 1: the nodes are the user's (fabric_open): there are no programs and no logs, PROGRAM_DEPTH, LOG_DEPTH, STORE_SLOTS, SLOT_FLITS, LENGTH_BITS and SIGNATURE_BITS are 0, and of the commands RESET and CLEAR do something, of the settings CONFIG.BACKWARD and WATCHDOG; 0, as chips say that are older than this register: they are flitloom's
  localparam logic [7:0] BUFFERS = 8'h1a;  // RO: flits that the buffer at the end of a channel holds, of each virtual channel; 0, as chips say that are older than this register, means 2
  localparam logic [7:0] LINK_DELAY = 8'h1b;  // RO: cycles by which a flit is longer under way between two routers than usual; 0 also where chips are older than this register
  localparam logic [7:0] ROUTER_DELAY = 8'h1c;  // RO: cycles by which a flit is longer than usual in a router that it leaves by a link; 0 also where chips are older than this register
  localparam logic [7:0] ADAPTIVE = 8'h1d;  // RO: 1: routers choose among the lanes that a message's rule gives it (rules 4 to 8: docs/adaptive.md); 0, as chips say that are older than this register: they do not
  localparam logic [7:0] SHAPE = 8'h30;  // RO: extent of dimension d in word SHAPE + d, d < 16; 0 from SIZE on. Dimension 0 varies fastest in the node number; all are 2 in a cube; of a multistage network its nodes; of circuit switches the ports of one, then their number if they are several; of a graph its nodes, then 64 bits that follow from its links, 16 in each word
  localparam logic [7:0] CONTROL = 8'h20;  // WO: commands
  localparam integer CONTROL_START = 0;  // 1 bits: run the passes FIRST_PASS to LAST_PASS; ignored while running; from pass 0 the programs start anew, else they go on
  localparam integer CONTROL_RESET = 1;  // 1 bits: empty routers, nodes, logs and counters; programs and map tables are kept, their lengths are not. Where USER_NODES is 1 the streams are reset, too: who sends and who receives must be reset with them
  localparam integer CONTROL_CLEAR = 2;  // 1 bits: where USER_NODES is 1: all counters and CYCLE to 0; what is under way goes on
  localparam logic [7:0] CONFIG = 8'h21;  // RW: choices, to be changed only while idle, but for OPEN
  localparam integer CONFIG_PAPER = 0;  // 1 bits: a header takes a channel only when the buffer at its far end is empty; 0 where USER_NODES is 1
  localparam integer CONFIG_PRESET = 1;  // 1 bits: switches are as SETTINGS says and look at no header; 0 where PRESET_PASSES is 0. Of kind 18: nodes send without guards, and what they send in the dark, or while the light leads elsewhere, is lost
  localparam integer CONFIG_FREE = 2;  // 1 bits: a start runs all passes up to LAST_PASS without a barrier, each node going on as it gets along; 0 where HISTORY_RUNS is 0
  localparam integer CONFIG_BACKWARD = 3;  // 1 bits: on a fabric of kind 8: messages pass the inverse omega network, else the omega network
  localparam integer CONFIG_ALTERNATE = 5;  // 1 bits: on a fabric of kind 8: passes with even numbers go the way that BACKWARD says, those with odd numbers the other way
  localparam integer CONFIG_RECORD = 6;  // 1 bits: histories are kept of a run with barriers, too; 0 where HISTORY_RUNS is 0
  localparam integer CONFIG_OPEN = 7;  // 1 bits: the pass is not over while this is 1, for its programs are still being written; 0 where TIMING.PROGRAMS is 0
  localparam integer CONFIG_SELECT = 8;  // 2 bits: which of the free lanes a message takes: 0 the lowest, 1 from a random one on, 2 the one that was given longest ago, 3 the one with most room at its end; 0 where ADAPTIVE is 0
  localparam integer CONFIG_SKIP_SELF = 4;  // 1 bits: a generated message of a node to itself is silent: it takes its time and is not offered
  localparam logic [7:0] SEED = 8'h22;  // RW: of the generated payload
  localparam logic [7:0] FIRST_PASS = 8'h23;  // RW: first pass of the next start
  localparam logic [7:0] LAST_PASS = 8'h24;  // RW: last pass of the next start
  localparam logic [7:0] WATCHDOG = 8'h25;  // RW: cycles without a moving flit, while messages are outstanding, which make the fabric stuck; 0: never. Where TIMING.PROGRAMS is 1, a delay and an entry that waits for its cycle AT move, too
  localparam logic [7:0] STATUS = 8'h26;  // RO: state
  localparam integer STATUS_STATE = 0;  // 2 bits: 0 idle, 1 running, 2 done, 3 stuck (until RESET). Where USER_NODES is 1: 1 if a frame is under way, and 3 stays, but all goes on
  localparam integer STATUS_LOG_FULL = 4;  // 1 bits: some node received a message which its log had no room for (until RESET)
  localparam integer STATUS_STORE_FULL = 5;  // 1 bits: some node was to keep a message longer than a slot (until RESET)
  localparam logic [7:0] PASS = 8'h27;  // RO: pass under way, or the last one
  localparam logic [7:0] CYCLE = 8'h28;  // RO: cycles since the pass began; 1 in the cycle in which its first flits are offered. Where USER_NODES is 1: cycles since the counters were 0
  localparam logic [7:0] SINCE_START = 8'h29;  // RO: cycles since START, over all passes and what is between them; stays when the run is over. When it is done, the last pass began SINCE_START - CYCLE cycles after START
  localparam logic [15:0] PROGRAM_LENGTH = 16'h0000;  // RW: messages in the program; set it after the program, before a start. Where TIMING.PROGRAMS is 1 the program is a ring and this a count of one bit more, that wraps; it may go on while a pass runs, by as many entries as have been fetched
  localparam logic [15:0] LOG_COUNT = 16'h0001;  // RO: messages received, those without room included
  localparam logic [15:0] SENT_COUNT = 16'h0002;  // RO: messages whose tail has left the node
  localparam logic [15:0] CORRUPT_COUNT = 16'h0004;  // RO: flits received that were not what (seed, source, message, flit) asks for
  localparam logic [15:0] NODE_STATUS = 16'h0003;  // RO: sticky errors of this node
  localparam integer NODE_STATUS_LOG_FULL = 0;  // 1 bits: as in STATUS
  localparam integer NODE_STATUS_STORE_FULL = 1;  // 1 bits: as in STATUS
  localparam logic [15:0] WAITING = 16'h0006;  // RO, where TIMING.PROGRAMS is 1: which entry of the program waits
  localparam integer WAITING_INDEX = 0;  // 16 bits: number of the entry, if it waits
  localparam integer WAITING_WAITS = 31;  // 1 bits: the program stands at an entry with PROGRAM1.WAIT, whose message is not here
  localparam logic [15:0] DROPPED = 16'h0007;  // RO, where USER_NODES is 1: frames that were swallowed, since the counters were 0, because they were for a label that no node has; stops at its largest value, of COUNT_BITS
  localparam logic [15:0] SCHEDULE = 16'h0005;  // RW while idle: generator of messages in place of the program; PROGRAM_LENGTH is then their number
  localparam integer SCHEDULE_FIRST = 0;  // 16 bits: message i goes to virtual processor FIRST xor gray(i), in pass i
  localparam integer SCHEDULE_FLITS = 16;  // 16 bits: length of each, header included; 0: no generator
  localparam logic [15:0] ROUTE = 16'h1000;  // RW, of routers that work from a table: in word rule << LABEL_BITS | label the port by which a message with this label leaves the node: 0 to the node itself, p + 1 by link p. Rule: with VIRTUAL_CHANNELS of 1 bit 0 of it, else all of it, below VIRTUAL_CHANNELS; 4096 words at most
  localparam logic [15:0] PROGRAM = 16'h2000;  // RW while idle: message i in words 2i and 2i+1, in the order of sending, passes ascending. Where TIMING.PROGRAMS is 1 entries behind those that have been fetched may be written at any time
  localparam integer PROGRAM0_FLITS = 0;  // 16 bits: length, header included, at least 1
  localparam integer PROGRAM0_PASS = 16;  // 16 bits: pass
  localparam integer PROGRAM1_DESTINATION = 0;  // 16 bits: virtual processor
  localparam integer PROGRAM1_RULE = 16;  // 4 bits: of which a chip keeps the low RULE_BITS. Bit 0: 0 ascending dimensions (e-cube, XY), 1 descending (e^-1-cube, YX). Bit 1, on rings and tori: 0 the shorter way round, 1 always by plus. Where routers work from tables and VIRTUAL_CHANNELS is above 1: the virtual channel by which it goes on every link, and the table that it goes by
  localparam integer PROGRAM1_FROM = 20;  // 4 bits: 0: generated data; k: what slot k holds
  localparam integer PROGRAM1_KEEP = 24;  // 4 bits: 0: not kept; k: kept in slot k of the receiver
  localparam integer PROGRAM1_SILENT = 28;  // 1 bits: nothing is sent: the node waits for FLITS cycles; 0 where HISTORY_RUNS and TIMING.PROGRAMS are 0
  localparam integer PROGRAM1_WAIT = 29;  // 1 bits: nothing is sent: the node waits until FLITS messages from virtual processor DESTINATION have come since the start from pass 0, and then one cycle; 0 where TIMING.PROGRAMS is 0
  localparam logic [15:0] MAP = 16'h4000;  // RW while idle: label of the physical node of virtual processor i in word i
  localparam logic [15:0] SIGNATURE = 16'h6000;  // RO: signature of message i of the log in word i; what is not below LOG_COUNT is anything. Of the payload as it arrived: all ones after the header; each flit after it shifts the SIGNATURE_BITS right by one, with a xor by 0xca0 (12 bits), 0xd008 (16) or 0xedb88320 (32) if a 1 falls out, and is itself added by xor, a flit that is wider in parts of SIGNATURE_BITS from bit 0 on
  localparam logic [15:0] LOG = 16'h8000;  // RO: message i in words 4i to 4i+3, in the order of arrival; what is not below LOG_COUNT is anything
  localparam integer LOG0_HEADER = 0;  // 32 bits: low bits of the header as received
  localparam integer LOG1_FLITS = 0;  // 16 bits: length as received
  localparam integer LOG1_PASS = 16;  // 14 bits: low bits of PASS when the tail arrived: the pass of arrival; of a free run, which is one pass, LAST_PASS
  localparam integer LOG1_HERE = 30;  // 1 bits: the header names this node
  localparam integer LOG1_INTACT = 31;  // 1 bits: every flit is what (seed, source, message, flit) asks for
  localparam integer LOG2_FIRST = 0;  // 32 bits: cycle in which the header reached the node
  localparam integer LOG3_LAST = 0;  // 32 bits: cycle in which the tail reached the node
  localparam logic [15:0] AT = 16'h0000;  // RW, as PROGRAM: entry i of the program begins in this cycle of the pass or later; word i. Writing word 2i of PROGRAM sets it to 0: write it after the program
  localparam logic [15:0] RELEASED = 16'h8000;  // RO: cycle in which entry i began, in the last run: when all before it was done and its AT had come; word i. Of an entry that has not begun it is anything
  localparam logic [15:0] COUNTS = 16'h0000;  // RO: channel c in words 4c to 4c+3: worms, flits, blocked cycles since the pass began (where USER_NODES is 1: since they were 0), 1 if a header waits now. A channel is a link with all its virtual channels: a blocked cycle is one in which some header waited for one of them, be it that another message had it, that there was no room at its far end, or that the wires carried a flit of another one
  localparam logic [15:0] HISTORY = 16'h0000;  // RO while idle: channel c's entry r in words (c << 11) + 2r and + 1, what it carried of one pass without another in between, in the order of time, since a run from pass 0 began; word (c << 11) + 2047: their number, those without room included. In a free run (CONFIG.FREE) a pass is known by the message number in the header, and an entry begins with a header; else (CONFIG.RECORD) it is PASS, and an entry begins with whatever comes first, a header that waits too
  localparam integer HISTORY0_WORMS = 0;  // 16 bits: stops at its largest value, as the next ones
  localparam integer HISTORY0_PASS = 16;  // 16 bits: pass; of a free run the message number in the header
  localparam integer HISTORY1_FLITS = 0;  // 16 bits: flits
  localparam integer HISTORY1_BLOCKED = 16;  // 16 bits: cycles in which a header waited, until the next entry began
  localparam logic [15:0] SETTINGS = 16'h0000;  // RW while idle: stage s in the index; pass p, or p plus a multiple of PRESET_PASSES; bit b of word 16p+w is switch 32w+b (lines 64w+2b and 64w+2b+1): 0 straight, 1 crossed
  localparam logic [15:0] FAILS = 16'h0000;  // RW while idle, in simulations whose links can fail: bit p: what leaves by link p of this node crosses it no more from the cycle FAILS_FROM on, until RESET; 0 after RESET
  localparam logic [15:0] FAILS_FROM = 16'h0001;  // RW while idle, there: cycle of a pass in which they fail, one for all nodes; 0: never
  localparam logic [15:0] CIRCUIT_TO = 16'h0000;  // RW while idle: word p, below 0x800: where the light of input p of this switch leads in this slot. The index is bits 27:16 of the address, of which the low 8 and bits 15:12 of the word's number are the slot
  localparam integer CIRCUIT_TO_PORT = 0;  // 16 bits: number of the output
  localparam integer CIRCUIT_TO_LIT = 31;  // 1 bits: 0: it leads nowhere
  localparam logic [15:0] CIRCUIT_CYCLES = 16'h0800;  // RW while idle: cycles for which this slot has light; 0: the schedule has ended, and all is dark. Slot 0 begins in cycle 1
  localparam logic [15:0] CIRCUIT_DARK = 16'h0801;  // RW while idle, of the switch, by any slot: cycles without light between two slots
  localparam logic [15:0] CIRCUIT_LOST = 16'h0802;  // RO, of the switch, by any slot: flits that were lost since the pass began: sent in the dark, or while the light led elsewhere, or behind one that was; stops at its largest value
  localparam logic [15:0] CIRCUIT_LOST_CYCLE = 16'h0803;  // RO, as CIRCUIT_LOST: cycle of the pass in which the first of them was sent
  localparam logic [15:0] CIRCUIT_LOST_WAY = 16'h0804;  // RO, as CIRCUIT_LOST: of the first of them
  localparam integer CIRCUIT_LOST_WAY_PORT = 0;  // 16 bits: input of the switch
  localparam integer CIRCUIT_LOST_WAY_LABEL = 16;  // 12 bits: node for which it was, as its header says
  localparam integer CIRCUIT_LOST_WAY_LIT = 31;  // 1 bits: there was light, but it led to another output, or an output that had another message
endpackage
// verilator lint_on UNUSEDPARAM

`default_nettype wire
