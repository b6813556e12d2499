// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All options, and what --help says of them.
#include <string.h>

#include "cli_option_table.h"

#define LONG(name) name, "--" name
const struct cli_option_row cli_option_table[CLI_N_OPTIONS] = {
	[CLI_MAP] = {LONG("map"), "MAP",
                     "where processors sit: best (least contention), identity, a bit order 0,4,2,... or a node for "
                     "each; on an otis-mesh group-row, group-submesh (an N x N mesh on it) [best]",
                     'm'},
	[CLI_PLACE] =
		{LONG("place"), "MAP",
                 "the same by another name; of both: row-major (identity), greedy (tasks that say much to one another "
                 "side "
                 "by side), search (the least flits on the busiest link), or a FILE with a . or / in its name: the "
                 "node of each task",
                 0},
	[CLI_PLANNER] =
		{LONG("planner"), "NAME",
                 "see: flitloom list planners; best: whose plan is predicted to take the fewest cycles [the first "
                 "that takes the pattern unasked]",
                 'p'},
	[CLI_BUDGET] = {LONG("budget"), "SECONDS",
                        "so much time for planners that search (ring, exact, greedy, reroute, otis, best), such as 0.5 "
                        "or 10; the "
                        "others take "
                        "what they need [as many steps as they are used to]",
                        0},
	[CLI_LOAD] = {LONG("load"), "UNIT",
                      "what planners of routes keep low on each link, messages or flits [flits if messages differ in "
                      "length]",
                      0},
	[CLI_DETOURS] = {LONG("detours"), "N",
                         "reroute: up to so many hops more than a shortest route has, where that lowers the load [0]",
                         0},
	[CLI_COST] =
		{LONG("cost"), "WEIGHTS",
                 "otis: what moves cost, such as electronic=1,otis=4; of several ways the cheapest is taken [1 each]",
                 0},
	[CLI_STAGES] = {LONG("stages"), NULL,
                        "pattern fft as a program: bit reversal, butterflies, exchanges, without barriers", 0},
	[CLI_POINTS] = {LONG("points"), "M", "--stages: points of the FFT, 1, 4, 16, ... on each processor [1]", 0},
	[CLI_COSTS] =
		{LONG("costs"), "COSTS",
                 "--stages: what things take, such as software=164,half=4.47: cycle, software, butterfly, half (a "
                 "butterfly) in us, point and flit in bytes [those of [Hou01]]",
                 0},
	[CLI_OBJECTIVE] = {LONG("objective"), "NAME", "of a set: maxmax, maxsum or sumsum [maxmax]", 0},
	[CLI_HALF_DUPLEX] = {LONG("half-duplex"), NULL, "no pass uses both directions of a link", 0},
	[CLI_FLITS] = {LONG("flits"), "N", "of a message, header included [17]; sweep: also A:B (doubled) or A:B:STEP",
                       'f'},
	[CLI_SEED] = {LONG("seed"), "N", "of random patterns and of the payload [1]", 's'},
	[CLI_MACHINE] =
		{LONG("machine"), "NAME",
                 "fast, or paper: timed as the machine of [Hou01] (see the manual) [fast]; sweep: also fast,paper", 0},
	[CLI_SCHEDULE] = {LONG("schedule"), "NAME",
                          "of a free run: best, table (loaded) or generated (by the nodes) [best]", 0},
	[CLI_PRESET] = {LONG("preset"), NULL, "the host sets the switches for each pass; headers route nothing", 0},
	[CLI_LINK] = {LONG("link"), "LINK", "the way to the fabric; see: flitloom list links [sim]", 'l'},
	[CLI_FABRIC] = {LONG("fabric"), "FABRIC", "which fabric a simulated link is to be", 0},
	[CLI_COMPARE] = {LONG("compare"), NULL, "the identity map first, then the one of least contention", 'c'},
	[CLI_MAX_CYCLES] = {LONG("max-cycles"), "N", "give up when a pass takes longer [than it can]", 0},
	[CLI_TIMEOUT] = {LONG("timeout"), "MS", "give up when a link stands still for so many milliseconds [2000]", 0},
	[CLI_OUTPUT] = {LONG("output"), "FILE",
                        "write the plan to FILE (JSON); of planner latin, .csv or .npy: the square", 'o'},
	[CLI_JSON] = {LONG("json"), NULL, "print one JSON object instead of the table", 'j'},
	[CLI_SVG] =
		{LONG("svg"), "FILE",
                 "draw a picture: see --picture; sweep: cycles against nodes; NAME.pdf and NAME.png by rsvg-convert",
                 0},
	[CLI_PICTURE] = {LONG("picture"), "NAME",
                         "what --svg draws: loads of the channels, paths of one pass, or a chart of the channels over "
                         "time [loads; paths of a multistage network, and with --pass]",
                         0},
	[CLI_BEFORE] = {LONG("before"), "NAME",
                        "plan: beside it --svg draws what planner NAME would have made of it, on the same scale", 0},
	[CLI_PASS] = {LONG("pass"), "K", "the pass to draw, from 0 [paths: the worst; else all]", 0},
	[CLI_TRACE] = {LONG("trace"), "FILE.fst",
                       "record a waveform, and beside it FILE.gtkw for GTKWave (simulated links)", 0},
	[CLI_TRACE_FROM] = {LONG("trace-from"), "CYCLE", "begin the waveform in this cycle of the run [1]", 0},
	[CLI_TRACE_CYCLES] = {LONG("trace-cycles"), "N", "end it after so many [to the end]", 0},
	[CLI_TRACE_JSON] = {LONG("trace-json"), "FILE", "write what arrived when, and every channel's counts (JSON)",
                            0},
	[CLI_MESSAGES] = {LONG("messages"), "FILE.csv", "write what became of each message, a row for each", 0},
	[CLI_CHANNELS] = {LONG("channels"), "FILE.csv", "write what each channel carried in each pass, a row for each",
                          0},
	[CLI_NODES] = {LONG("nodes"), "A:B", "of a kind the fabrics of about 2, 4, 8, ... nodes, from A to B", 'n'},
	[CLI_SEEDS] = {LONG("seeds"), "N", "so many seeds from --seed on: mean, standard deviation and range", 0},
	[CLI_CSV] = {LONG("csv"), "FILE", "write the rows to FILE, for a spreadsheet", 0},
	[CLI_PLAN_ONLY] = {LONG("plan-only"), NULL, "predict, and run nothing", 0},
	[CLI_ARRIVALS] = {LONG("arrivals"), "NAME",
                          "with --load: when messages are made, poisson or bernoulli [poisson]", 0},
	[CLI_WARMUP] = {LONG("warmup"), "CYCLES", "with --load: cycles before anything is measured [10000]", 0},
	[CLI_MEASURE] = {LONG("measure"), "CYCLES",
                         "with --load: messages released in so many cycles are measured [20000]", 0},
	[CLI_JOBS] = {LONG("jobs"), "N", "with --load: so many points at a time [as many as there are cores]", 0},
	[CLI_NAMES] = {LONG("names"), NULL, "names only, one a line", 0},
	[CLI_RULE] = {LONG("rule"), "NAME",
                      "how messages go: ascending, descending, on rings and tori one-way, one-way-descending; check: "
                      "also mixed [the planner's; check: each]",
                      0},
	[CLI_TABLES] = {LONG("tables"), "FILE",
                        "messages go by routing tables of your own (docs/routes.md); check: what is wrong with them",
                        0},
	[CLI_TABLES_OUT] = {LONG("tables-out"), "FILE",
                            "write the routers' tables that the routes need, to read with --tables", 0},
	[CLI_BYTES] = {LONG("bytes"), "N", "of a collective: what each rank has; of alltoall for each other one [1024]",
                       0},
	[CLI_FLIT_BYTES] = {LONG("flit-bytes"), "N", "of goal:FILE and collectives: bytes in a flit [4]", 0},
	[CLI_CALC_CYCLES] = {LONG("calc-cycles"), "N[/M]",
                             "of goal:FILE and collectives: cycles of a unit of computation, such as 3 or 1/1000 [1]",
                             0},
	[CLI_QUIET] = {LONG("quiet"), NULL, "no table, no progress: the exit status tells", 'q'},
	[CLI_HELP] = {LONG("help"), NULL, "this help", 'h'},
	[CLI_USAGE] = {LONG("usage"), NULL, "one line of usage", 0},
};

// The meaning of some options for one command.
static const struct {
	const char *command;
	enum cli_option option;
	const char *argument, *help;
} of_command[] = {
	{"sweep", CLI_LOAD, "A:B:STEP",
         "random traffic at these loads, in flits per cycle and sending node, or at one, or max: the highest that is "
         "sustained; PATTERN has one destination for each processor, or is uniform or hotspot:NODE[:FRACTION]"},
	{"sweep", CLI_MAP, "MAP",
         "with --load: where processors sit, as in run; also PLANNER[:PATTERN] and best:PATTERN: as the plan of that "
         "pattern has it [best; uniform, hotspot: identity]"},
	{"sweep", CLI_OBJECTIVE, "NAME",
         "with --load: of the plan of a set's map (set:A+B): maxmax, maxsum or sumsum [maxmax]"},
	{"sweep", CLI_COMPARE, "LIST", "with --load: these fabrics and maps as well, such as identity,best,mesh:8x8"},
	{"goal", CLI_OUTPUT, "FILE", "write the GOAL text to FILE [standard output]"},
};

#define NOT_OF_COMMAND (sizeof of_command / sizeof of_command[0])

static size_t find(const struct cli_command *command, enum cli_option option)
{
	size_t i = 0;
	while (i < NOT_OF_COMMAND &&
	       (of_command[i].option != option || strcmp(of_command[i].command, command->name) != 0))
		i++;
	return i;
}

const char *cli_option_argument(const struct cli_command *command, enum cli_option option)
{
	size_t i = find(command, option);
	return i < NOT_OF_COMMAND ? of_command[i].argument : cli_option_table[option].argument;
}

const char *cli_option_help(const struct cli_command *command, enum cli_option option)
{
	size_t i = find(command, option);
	return i < NOT_OF_COMMAND ? of_command[i].help : cli_option_table[option].help;
}

const char *cli_option_name(enum cli_option option)
{
	return cli_option_table[option].name;
}

const char *cli_option_long(enum cli_option option)
{
	return cli_option_table[option].word;
}
