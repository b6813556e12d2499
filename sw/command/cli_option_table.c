// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All options, and the cases that exclude them.

#include <flitloom/circuits.h>
#include <flitloom/routes/pair_routes.h>

#include "cli_option_table.h"

#define CYCLES_MOST UINT64_C(1000000000000000)
#define TIMEOUT_MOST_MS 3600000
#define SEEDS_MOST 10000
#define JOBS_MOST 1024
#define POINTS_MOST 1000000

// --- Names of values -----------------------------------------------------------------------------------------------

static const char *picture_at(size_t i)
{
	static const char *const names[] = {"loads", "paths", "chart",
	                                    "moves"}; // of LOOM_PICTURE_LOADS and those after it
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static const char *map_at(size_t i)
{
	static const char *const names[] = {"best",   "identity",  "row-major",    "greedy",
	                                    "search", "group-row", "group-submesh"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static const char *place_at(size_t i)
{
	static const char *const names[] = {"row-major", "greedy", "search"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static const char *objective_at(size_t i)
{
	static const char *const names[] = {"maxmax", "maxsum", "sumsum", "cycles"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static const char *loads_at(size_t i)
{
	return i == 0 ? "max" : NULL;
}

static const char *machines_at(size_t i)
{
	return i == 2 ? "fast,paper" : cli_machine_at(i);
}

static const char *load_at(size_t i)
{
	return loom_load_unit_name((unsigned)i);
}

static const char *by_at(size_t i)
{
	return loom_load_key_name((unsigned)i);
}

static const char *rule_at(size_t i)
{
	const unsigned rule = (unsigned)i;
	if (rule == LOOM_RULE_TURNS)
		return CLI_TURNS "FILE";
	if (rule == LOOM_RULE_TURNS + 1)
		return CLI_TURNS "best";
	return rule < LOOM_RULES_MAX || loom_rule_is_adaptive(rule) || loom_rule_has_via(rule) ? loom_rule_name(rule)
	                                                                                       : NULL;
}

static const char *select_at(size_t i)
{
	return loom_select_name((unsigned)i);
}

static const char *arrivals_at(size_t i)
{
	return i == LOOM_INJECTION_BURST ? "burst:20:80" : loom_injection_name((unsigned)i);
}

// --- The options ---------------------------------------------------------------------------------------------------

#define RUN CLI_OF_RUN
#define PLAN CLI_OF_PLAN
#define CHECK CLI_OF_CHECK
#define SWEEP CLI_OF_SWEEP
#define REACHING (CLI_OF_PROBE | CLI_OF_PEEK | CLI_OF_POKE)
#define QUIETABLE (RUN | PLAN | CHECK | SWEEP | REACHING | CLI_OF_SERVE | CLI_OF_PROGRAM)

#define WORDS(name, letter, argument) name, "--" name, argument, letter
#define NAMES(type, field, least, most, names)                                                                         \
	&cli_type_##type, offsetof(struct cli_request, field), sizeof((struct cli_request *)0)->field, least, most,    \
		names
#define RANGE(type, field, least, most) NAMES(type, field, least, most, NULL)
#define VALUE(type, field) RANGE(type, field, 0, 0)

#define FLITS_HELP "flits of a message, header included [17]; sweep: also A:B (each twice the one before) or A:B:STEP"
#define FIXED_RULES "ascending, descending, on rings and tori also one-way, one-way-descending"
#define CHOICE_RULES                                                                                                   \
	"routers choose with negative-first (p-cube), west-first, north-last, odd-even, duato, turns:FILE, "           \
	"turns:best; "                                                                                                 \
	"messages go through a drawn node with o1turn, romm, valiant (docs/adaptive.md)"
#define MACHINE_HELP "fast, or paper: timed as the machine of [Hou01] (see the manual) [fast]; sweep: also fast,paper"

static const struct cli_option_row rows[] = {
	{CLI_MAP, WORDS("map", 'm', "MAP"), RUN | PLAN, NAMES(text, map, 0, 0, map_at), CLI_IF_SET,
         .help = "the node of each processor: best (least contention), identity, a bit order such as 0,4,2,..., or a "
                 "list of nodes; on an otis-mesh also group-row and group-submesh (an N x N mesh on it) [best]",
         .group = CLI_GROUP_PLACES},
	{CLI_MAP, WORDS("map", 'm', "MAP"), SWEEP, NAMES(text, map, 0, 0, map_at), CLI_IF_SET,
         .help = "with --load: the node of each processor, as in run; also PLANNER[:PATTERN] and best:PATTERN, the map "
                 "that the plan of that pattern has [best; for uniform and hotspot identity]",
         .group = CLI_GROUP_PLACES},
	{CLI_PLACE, WORDS("place", 0, "MAP"), RUN | PLAN | SWEEP, NAMES(text, map, 0, 0, place_at), CLI_NEVER,
         .help = "another name of --map; both also accept row-major (identity), greedy (tasks that exchange many flits "
                 "sit close together), search (fewest flits on the busiest link), or a FILE with a . or / in its name "
                 "that lists the node of each task",
         .group = CLI_GROUP_PLACES},
	{CLI_PLANNER, WORDS("planner", 'p', "PLANNER"), RUN | PLAN, VALUE(text, planner), CLI_IF_SET,
         .help = "a planner of `flitloom list planners`, or best: the one whose plan is predicted to take the fewest "
                 "cycles [the first that accepts the pattern]"},
	{CLI_PLANNER, WORDS("planner", 'p', "PLANNER"), SWEEP, VALUE(text, planner), CLI_IF_SET,
         .help = "a planner of `flitloom list planners`, several such as exact,greedy, or best; with --load the "
                 "planners that give each pair of nodes a route: direct, xy, yx, block, reroute, all-pairs, tables "
                 "[the first that accepts the pattern; with --load the rule]"},
	{CLI_BUDGET, WORDS("budget", 0, "SECONDS"), RUN | PLAN | SWEEP, VALUE(seconds, budget), CLI_IF_SET,
         .help = "time limit of planners that search (ring, exact, greedy, reroute, otis, best), such as 0.5 or 10, "
                 "and the same again for --objective cycles; other planners ignore it [a fixed number of steps]"},
	{CLI_LOAD, WORDS("load", 0, "UNIT"), RUN | PLAN, NAMES(word, load, 0, 0, load_at), CLI_IF_SET,
         .help = "the load of a link that planners of routes minimise: messages or flits [flits if messages differ in "
                 "length]"},
	{CLI_DETOURS, WORDS("detours", 0, "N"), RUN | PLAN | SWEEP, RANGE(number, detours, 0, LOOM_DETOURS_MAX),
         CLI_IF_SET,
         .help = "reroute: allow routes up to N hops longer than a shortest one where that lowers the load [0]"},
	{CLI_COST, WORDS("cost", 0, "WEIGHTS"), RUN | PLAN, VALUE(text, cost), CLI_IF_SET,
         .help = "otis: the cost of each kind of move, such as electronic=1,otis=4; the planner takes the cheapest "
                 "plan [1 each]"},
	{CLI_DARK, WORDS("dark", 0, "CYCLES"), RUN | PLAN, RANGE(number, dark, 0, LOOM_CIRCUIT_DARK_MOST), CLI_IF_GIVEN,
         .help = "on ocs and ocs-benes: cycles without light while a switch turns [10]"},
	{CLI_DARK, WORDS("dark", 0, "CYCLES"), SWEEP, VALUE(darks, dark), CLI_IF_GIVEN,
         .help = "on ocs and ocs-benes: cycles without light while a switch turns, or several as A:B:STEP, such as "
                 "0:100:10; other fabrics of the sweep are run as usual [10]"},
	{CLI_RELAY, WORDS("relay", 0, NULL), RUN | PLAN | SWEEP, VALUE(switch, relay), CLI_IF_SET,
         .help = "on ocs and ocs-benes: allow messages to pass through one other node, if the planner supports it"},
	{CLI_OBJECTIVE, WORDS("objective", 0, "NAME"), RUN | PLAN, NAMES(text, objective, 0, 0, objective_at),
         CLI_IF_SET,
         .help = "for a set of patterns maxmax, maxsum or sumsum [maxmax]; for any pattern cycles: search for a plan "
                 "that takes fewer cycles than the planner's"},
	{CLI_OBJECTIVE, WORDS("objective", 0, "NAME"), SWEEP, NAMES(text, objective, 0, 0, objective_at), CLI_IF_SET,
         .help = "with --load: the objective of the plan that gives the map of a set (set:A+B): maxmax, maxsum or "
                 "sumsum [maxmax]; or cycles"},
	{CLI_HALF_DUPLEX, WORDS("half-duplex", 0, NULL), RUN | PLAN, VALUE(switch, half_duplex), CLI_IF_SET,
         .help = "use only one direction of each link in a pass"},
	{CLI_BUFFERS, WORDS("buffers", 0, "B"), RUN | PLAN | CHECK | SWEEP | CLI_OF_RTL,
         RANGE(number, buffers, LOOM_BUFFERS_USUAL, LOOM_BUFFERS_MAX), CLI_IF_SET,
         .help = "flits that the buffer at the end of a channel holds, per lane, as in the name cube:8b4 [2]"},
	{CLI_LINK_DELAY, WORDS("link-delay", 0, "D"), RUN | PLAN | CHECK | SWEEP | CLI_OF_RTL,
         RANGE(delays, link_delay, 0, LOOM_LINK_DELAY_MAX), CLI_IF_GIVEN,
         .help = "extra cycles on links between routers of direct networks, as in cube:8b4d1, or by class of links: "
                 "0:2,1:5 by dimension, or wrap:4 [0]"},
	{CLI_ROUTER_DELAY, WORDS("router-delay", 0, "R"), RUN | PLAN | CHECK | SWEEP | CLI_OF_RTL,
         RANGE(number, router_delay, 0, LOOM_ROUTER_DELAY_MAX), CLI_IF_GIVEN,
         .help = "extra cycles of a flit in each router that it leaves by a link, as in cube:8b4r2 [0]"},
	{CLI_FLIT_BITS, WORDS("flit-bits", 0, "N"), RUN | PLAN | CHECK | SWEEP,
         RANGE(number, flit_bits, 1, LOOM_FLIT_BITS_MAX), CLI_IF_SET,
         .help = "bits of a flit, as in cube:8f64, and so the bytes that it carries; the number of cycles does not "
                 "depend on it [32]"},
	{CLI_FAIL, WORDS("fail", 0, "LINKS"), RUN | PLAN | CHECK, VALUE(text, fail), CLI_IF_SET,
         .help = "links and nodes that have failed, such as 5->6,12 or random:5%:1 (a share of the links, and a seed), "
                 "or a file of them; messages are routed around them (docs/failures.md)"},
	{CLI_FAIL, WORDS("fail", 0, "LINKS"), SWEEP, VALUE(fail, fail), CLI_IF_SET,
         .help = "links and nodes that have failed, as in run; or shares of the links in percent, 0:10%:1% or 5%: "
                 "other links for each seed (docs/failures.md)"},
	{CLI_LANES, WORDS("lanes", 0, "N"), RUN | PLAN | SWEEP, RANGE(number, n_lanes, 1, LOOM_LANES_MAX), CLI_IF_SET,
         .help = "with --fail: lanes of each link, 1 to 8 [as the fabric's name says]"},
	{CLI_FABRIC, WORDS("fabric", 0, "FABRIC"), REACHING, VALUE(text, fabric), CLI_IF_SET,
         .help = "the fabric behind a simulated link"},
	{CLI_RULE, WORDS("rule", 0, "NAME"), RUN | PLAN, NAMES(way, rule, 0, 0, rule_at), CLI_IF_GIVEN,
         .help = "the rule that routes messages: " FIXED_RULES "; " CHOICE_RULES " [the planner's]"},
	{CLI_RULE, WORDS("rule", 0, "NAMES"), SWEEP, NAMES(ways, rule, 0, 0, rule_at), CLI_IF_GIVEN,
         .help = "with --load: the rule that routes messages, as in run, or several such as ascending,p-cube,duato, a "
                 "curve each (--compare-rules is the same) [ascending]"},
	{CLI_RULE, WORDS("rule", 0, "NAME"), CHECK, NAMES(rule, rule, 0, 0, cli_rule_name), CLI_IF_GIVEN,
         .help = "the rule that routes messages: " FIXED_RULES "; mixed, several of these in one pass; " CHOICE_RULES
                 " [each of the first ones, and mixed]"},
	{CLI_SELECT, WORDS("select", 0, "NAME"), RUN | PLAN | SWEEP, NAMES(name, select, 0, 0, select_at), CLI_IF_GIVEN,
         .help = "where routers choose: which free lane a router takes, fixed (the lowest), random, lru (least "
                 "recently granted), credits (most room behind it) [fixed]"},
	{CLI_TABLES, WORDS("tables", 0, "FILE"), RUN | PLAN | CHECK | SWEEP, VALUE(text, tables), CLI_IF_SET,
         .help = "route messages by your own routing tables (docs/routes.md); check: report errors in them"},
	{CLI_ALL_PAIRS, WORDS("all-pairs", 0, NULL), CHECK, VALUE(switch, all_pairs), CLI_IF_SET,
         .help = "find routes for all pairs of nodes, and lanes on which they cannot lock, that put few pairs on the "
                 "busiest link; reports that number and a lower bound (docs/any-graph.md)"},
	{CLI_BY_DESTINATION, WORDS("by-destination", 0, NULL), CHECK, VALUE(switch, by_destination), CLI_IF_SET,
         .help = "with --all-pairs: only routes whose next link depends on node, destination and lane alone"},
	{CLI_LANES, WORDS("lanes", 0, "N"), CHECK, RANGE(number, n_lanes, 1, LOOM_PAIR_LANES_MAX), CLI_IF_SET,
         .help = "with --all-pairs: lanes of each link [1 to 4, one after the other]; with --fail: as in run"},
	{CLI_BUDGET, WORDS("budget", 0, "SECONDS"), CHECK, VALUE(seconds, budget), CLI_IF_SET,
         .help = "with --all-pairs: time limit for each number of lanes [a number of rounds that depends on the size]"},
	{CLI_SEED, WORDS("seed", 's', "N"), CHECK, RANGE(number, seed, 0, UINT64_MAX), CLI_IF_GIVEN,
         .help = "with --all-pairs: seed of the search [1]"},
	{CLI_CERTIFICATE, WORDS("certificate", 0, "FILE"), PLAN | CHECK, VALUE(output, certificate), CLI_NEVER,
         .help = "write routes, lanes and numbers that rise along every route, which proves that messages cannot lock; "
                 "tools/check_certificate.py checks the file, tools/check_rule_certificate.py that of check --rule "
                 "where routers choose"},
	{CLI_COMPARE, WORDS("compare", 'c', NULL), RUN | PLAN, VALUE(switch, compare), CLI_IF_SET,
         .help = "first with the identity map, then with the map of least contention"},
	{CLI_FLITS, WORDS("flits", 'f', "N"), RUN | PLAN, RANGE(number, flits, 1, LOOM_FLITS_MOST), CLI_ALWAYS,
         .help = FLITS_HELP},
	{CLI_FLITS, WORDS("flits", 'f', "N"), SWEEP, RANGE(lengths, flits, 1, LOOM_FLITS_MOST), CLI_ALWAYS,
         .help = FLITS_HELP
         "; with --load: also lengths with probabilities, 1:0.6,5:0.4, or a range of equally likely ones, 2-8"},
	{CLI_BYTES, WORDS("bytes", 0, "N"), RUN | PLAN | SWEEP | CLI_OF_GOAL, RANGE(number, bytes, 0, UINT32_MAX),
         CLI_IF_GIVEN, .help = "collectives: bytes of each rank; alltoall: bytes for each other rank [1024]"},
	{CLI_FLIT_BYTES, WORDS("flit-bytes", 0, "N"), RUN | PLAN | SWEEP, RANGE(number, flit_bytes, 1, UINT16_MAX),
         CLI_IF_SET, .help = "goal:FILE and collectives: bytes of a flit [4; with --flit-bits what they hold]"},
	{CLI_CALC_CYCLES, WORDS("calc-cycles", 0, "N[/M]"), RUN | PLAN | SWEEP, VALUE(ratio, calc), CLI_IF_SET,
         .help = "goal:FILE and collectives: cycles of a unit of computation, such as 3 or 1/1000 [1]"},
	{CLI_SEED, WORDS("seed", 's', "N"), RUN | PLAN | SWEEP, RANGE(number, seed, 0, UINT64_MAX), CLI_ALWAYS,
         .help = "seed of random patterns and of the payload [1]"},
	{CLI_LOAD, WORDS("load", 0, "A:B:STEP"), SWEEP, NAMES(loads, loads.text, 0, 0, loads_at), CLI_IF_SET,
         .help = "random traffic at these loads, in flits per cycle and sending node: a range, one load, a list such "
                 "as 0.1,0.2:0.5:0.05, or max for the highest load that is sustained; PATTERN has one destination for "
                 "each processor, or is uniform, hotspot:NODE[:FRACTION], traffic:FILE, matrix:FILE, or a sum such as "
                 "0.7*uniform+0.3*transpose"},
	{CLI_COMPARE, WORDS("compare", 'c', "LIST"), SWEEP, VALUE(text, compared), CLI_IF_SET,
         .help = "with --load: a curve for each of these maps, rules, planners and additional fabrics, such as "
                 "identity,best,mesh:8x8"},
	{CLI_ARRIVALS, WORDS("arrivals", 0, "NAME"), SWEEP, NAMES(arrivals, arrivals_text, 0, 0, arrivals_at),
         CLI_ALWAYS,
         .help = "with --load: how the times of messages are drawn: poisson, bernoulli, periodic, or burst:ON:OFF, "
                 "with mean cycles on and off [poisson]"},
	{CLI_WARMUP, WORDS("warmup", 0, "CYCLES"), SWEEP, RANGE(number, warmup_cycles, 0, LOOM_LOAD_CYCLES_MOST),
         CLI_ALWAYS,
         .help = "with --load: cycles before the measurement [10000; with --seeds or --precision found from the data]"},
	{CLI_MEASURE, WORDS("measure", 0, "CYCLES"), SWEEP, RANGE(number, measure_cycles, 1, LOOM_LOAD_CYCLES_MOST),
         CLI_ALWAYS, .help = "with --load: cycles of the measurement; messages released in them are measured [20000]"},
	{CLI_REQUESTS, WORDS("requests", 0, "REQUESTS"), SWEEP, VALUE(requests, requests_text), CLI_IF_SET,
         .help = "with --load, --batch: limits each node to N messages under way, or any; after it reply=FLITS: each "
                 "message is answered, and is under way until the reply arrives; service=C: cycles from arrival to "
                 "reply [16]; rule=NAME: the rule of replies; queue=Q: the most replies that a node may owe, which is "
                 "checked"},
	{CLI_BATCH, WORDS("batch", 0, "N"), SWEEP, RANGE(number, batch, 1, LOOM_BATCH_MOST), CLI_IF_SET,
         .help = "in place of --load: each node sends N messages as fast as it can; reports when they have arrived"},
	{CLI_SHOW, WORDS("show", 0, "LIST"), SWEEP, NAMES(text, show, 0, 0, cli_show_at), CLI_IF_SET,
         .help = "with --load: additional columns: split (mean latency at the source and in the network), fairness "
                 "(the worst node's share, Jain's index)"},
	{CLI_BY, WORDS("by", 0, "KEY"), SWEEP, NAMES(word, by, 0, 0, by_at), CLI_IF_SET,
         .help = "with --load, --batch: figures of each point by source, destination, flow, distance (in links), "
                 "length, class, latency (a histogram) or channel (over time), as a table and in --json"},
	{CLI_WINDOW, WORDS("window", 0, "CYCLES"), SWEEP, RANGE(number, window_cycles, 1, LOOM_LOAD_CYCLES_MOST),
         CLI_IF_SET, .help = "with --by channel: cycles of each interval [1024]"},
	{CLI_NODES, WORDS("nodes", 'n', "A:B"), SWEEP, RANGE(nodes, nodes_first, 2, LOOM_NODES_MAX), CLI_IF_SET,
         .help = "with a kind: fabrics of about 2, 4, 8, ... nodes, from A to B"},
	{CLI_SEEDS, WORDS("seeds", 0, "N"), SWEEP, RANGE(number, n_seeds, 1, SEEDS_MOST), CLI_IF_SET,
         .help = "number of seeds, from --seed on; reports mean, standard deviation and range, with --load the 95% "
                 "interval of the mean; with --precision the most seeds"},
	{CLI_PRECISION, WORDS("precision", 0, "P%"), SWEEP, VALUE(percent, precision), CLI_IF_SET,
         .help = "with --load: add seeds, from 5 up to 200, until half of the 95% interval of the mean latency is at "
                 "most this part of it"},
	{CLI_PLAN_ONLY, WORDS("plan-only", 0, NULL), SWEEP, VALUE(switch, plan_only), CLI_IF_SET,
         .help = "only predict, run nothing"},
	{CLI_STAGES, WORDS("stages", 0, NULL), RUN, VALUE(switch, stages), CLI_IF_SET,
         .help = "run pattern fft as a program without barriers: bit reversal, butterflies, exchanges"},
	{CLI_POINTS, WORDS("points", 0, "M"), RUN, RANGE(number, points, 1, UINT64_MAX), CLI_IF_SET,
         .help = "with --stages: points of the FFT on each processor, 1, 4, 16, ... [1]"},
	{CLI_COSTS, WORDS("costs", 0, "COSTS"), RUN, VALUE(text, costs), CLI_IF_SET,
         .help = "with --stages: cycle, software, butterfly and half (a butterfly) in us, point and flit in bytes, "
                 "such as software=164,half=4.47 [those of [Hou01]]"},
	{CLI_LINK, WORDS("link", 'l', "LINK"), RUN, VALUE(text, link), CLI_ALWAYS,
         .help = "the link to the fabric, one of `flitloom list links` [sim]"},
	{CLI_LINK, WORDS("link", 'l', "LINK"), SWEEP, VALUE(text, link), CLI_ALWAYS,
         .help = "the link to the fabric, one of `flitloom list links`, such as sim, the RTL [model, which computes]"},
	{CLI_CHECK_ON, WORDS("check-on", 0, "sim:K"), SWEEP, RANGE(check_on, check_on, 1, POINTS_MOST), CLI_IF_SET,
         .help = "run K of the points on the RTL as well, and compare every message and channel"},
	{CLI_MACHINE, WORDS("machine", 0, "NAME"), RUN | PLAN, NAMES(name, machine, 0, 0, cli_machine_at), CLI_ALWAYS,
         .help = MACHINE_HELP},
	{CLI_MACHINE, WORDS("machine", 0, "NAME"), SWEEP, NAMES(machines, machine, 0, 0, machines_at), CLI_ALWAYS,
         .help = MACHINE_HELP},
	{CLI_SCHEDULE, WORDS("schedule", 0, "NAME"), RUN | SWEEP, NAMES(name, schedule, 0, 0, cli_schedule_at),
         CLI_ALWAYS, .help = "free runs: best, table (loaded by the host) or generated (by the nodes) [best]"},
	{CLI_PRESET, WORDS("preset", 0, NULL), RUN | SWEEP, VALUE(switch, preset), CLI_IF_SET,
         .help = "the host sets the switches for each pass, and headers route nothing"},
	{CLI_MAX_CYCLES, WORDS("max-cycles", 0, "N"), RUN, RANGE(number, max_cycles, 1, CYCLES_MOST), CLI_IF_SET,
         .help = "give up when a pass takes more than N cycles [more than it can take]"},
	{CLI_TIMEOUT, WORDS("timeout", 0, "MS"), RUN | REACHING, RANGE(number, timeout_ms, 1, TIMEOUT_MOST_MS),
         CLI_IF_SET, .help = "give up when a link has been silent for MS milliseconds [2000]"},
	{CLI_JSON, WORDS("json", 'j', NULL), RUN | PLAN | CHECK | SWEEP | REACHING, VALUE(switch, json), CLI_ALWAYS,
         .help = "print one JSON object instead of the table"},
	{CLI_OUTPUT, WORDS("output", 'o', "FILE"), PLAN, VALUE(output, output), CLI_NEVER,
         .help = "write the plan to FILE (JSON); with planner latin and .csv or .npy the Latin square"},
	{CLI_OUTPUT, WORDS("output", 'o', "FILE"), CLI_OF_GOAL, VALUE(output, output), CLI_NEVER,
         .help = "write the GOAL text, or the result of --loggops, to FILE [standard output]"},
	{CLI_LOGGOPS, WORDS("loggops", 0, "LIST"), RUN | PLAN, VALUE(text, loggops), CLI_IF_SET,
         .help = "goal:FILE and collectives: also report when each rank finishes by the LogGOPS model; LIST is usual, "
                 "or what differs from L=2500,o=1500,g=1000,G=6,O=0,S=65535"},
	{CLI_LOGGOPS, WORDS("loggops", 0, "LIST"), CLI_OF_GOAL, VALUE(text, loggops), CLI_NEVER,
         .help = "in place of the text: when each rank finishes by the LogGOPS model, as CSV; LIST is usual, or what "
                 "differs from L=2500,o=1500,g=1000,G=6,O=0,S=65535"},
	{CLI_OUTPUT, WORDS("output", 'o', "FILE"), CLI_OF_RTL, VALUE(output, output), CLI_NEVER,
         .help = "write the module to FILE [standard output]"},
	{CLI_FORM, WORDS("form", 0, "NAME"), CLI_OF_RTL, NAMES(name, form, 0, 0, cli_form_at), CLI_NEVER,
         .help = "the module to write: open (streams in place of nodes), router (of one node), chip (with flitloom's "
                 "nodes), or parameters, one a line [open]"},
	{CLI_FLIT_BITS, WORDS("flit-bits", 0, "N"), CLI_OF_RTL, RANGE(number, flit_bits, 1, UINT16_MAX), CLI_NEVER,
         .help = "bits of a flit, or of a beat of a stream [32; fewer on a small chip]"},
	{CLI_SMALL, WORDS("small", 0, NULL), CLI_OF_RTL, VALUE(switch, small), CLI_NEVER,
         .help = "less logic, for small FPGAs (direct networks)"},
	{CLI_FILES, WORDS("files", 0, "FILE"), CLI_OF_RTL, VALUE(output, files), CLI_NEVER,
         .help = "write the list of the RTL's files that are needed, in order, one path a line"},
	{CLI_TABLES_OUT, WORDS("tables-out", 0, "FILE"), PLAN, VALUE(output, tables_out), CLI_NEVER,
         .help = "write the routers' tables that the routes need, to read with --tables"},
	{CLI_SVG, WORDS("svg", 0, "FILE"), RUN | PLAN | SWEEP, VALUE(output, svg), CLI_NEVER,
         .help = "draw a picture (see --picture), in a sweep the plot of cycles or latency; NAME.pdf and NAME.png need "
                 "rsvg-convert"},
	{CLI_HTML, WORDS("html", 0, "FILE"), RUN | PLAN | SWEEP | CHECK | CLI_OF_GOAL | CLI_OF_VIEW,
         VALUE(output, html), CLI_NEVER,
         .help = "write the report as one interactive HTML file: the network over time, messages, channels, curves "
                 "(docs/report.md)"},
	{CLI_PERFETTO, WORDS("perfetto", 0, "FILE"), RUN | PLAN, VALUE(output, perfetto), CLI_NEVER,
         .help = "write a trace for ui.perfetto.dev: nodes and channels as tracks, messages as slices with flows"},
	{CLI_TRACE, WORDS("trace", 0, "FILE.fst"), RUN | CLI_OF_SERVE, VALUE(output, trace), CLI_NEVER,
         .help = "record a waveform, and FILE.gtkw for GTKWave beside it (simulated links)"},
	{CLI_TRACE_JSON, WORDS("trace-json", 0, "FILE"), RUN, VALUE(output, trace_json), CLI_NEVER,
         .help = "write the arrival of each message and the counts of each channel (JSON)"},
	{CLI_MESSAGES, WORDS("messages", 0, "FILE.csv"), RUN | PLAN, VALUE(output, messages), CLI_NEVER,
         .help = "write a row for each message: its ends, flits and hops, its cycles as predicted and as measured"},
	{CLI_CHANNELS, WORDS("channels", 0, "FILE.csv"), RUN | PLAN, VALUE(output, channels), CLI_NEVER,
         .help = "write a row for each channel and pass: its load as predicted and as measured"},
	{CLI_CSV, WORDS("csv", 0, "FILE"), SWEEP, VALUE(output, csv), CLI_NEVER,
         .help = "write the rows to FILE, for a spreadsheet"},
	{CLI_BY_CSV, WORDS("by-csv", 0, "FILE"), SWEEP, VALUE(output, by_csv), CLI_NEVER,
         .help = "write the figures of --by to FILE, one row for each key"},
	{CLI_BY_SVG, WORDS("by-svg", 0, "FILE"), SWEEP, VALUE(output, by_svg), CLI_NEVER,
         .help = "draw the figures of --by: latency over the key, a histogram, or channels over time; also .pdf and "
                 ".png"},
	{CLI_PICTURE, WORDS("picture", 0, "NAME"), RUN | PLAN, NAMES(name, picture, LOOM_PICTURE_LOADS, 0, picture_at),
         CLI_NEVER,
         .help = "the picture of --svg: loads of the channels, paths of one pass, or a chart of the channels over time "
                 "[loads; paths on a multistage network, and with --pass]"},
	{CLI_BEFORE, WORDS("before", 0, "PLANNER"), PLAN, VALUE(text, before), CLI_NEVER,
         .help = "--svg also draws the plan of PLANNER, on the same scale"},
	{CLI_PASS, WORDS("pass", 0, "K"), RUN | PLAN, RANGE(number, pass, 0, UINT32_MAX), CLI_NEVER,
         .help = "the pass to draw, from 0 [paths: the worst pass; else all]"},
	{CLI_TRACE_FROM, WORDS("trace-from", 0, "CYCLE"), RUN, RANGE(number, trace_from, 1, CYCLES_MOST), CLI_NEVER,
         .help = "begin the waveform in this cycle of the run [1]"},
	{CLI_TRACE_CYCLES, WORDS("trace-cycles", 0, "N"), RUN, RANGE(number, trace_cycles, 1, CYCLES_MOST), CLI_NEVER,
         .help = "end the waveform after N cycles [to the end]"},
	{CLI_JOBS, WORDS("jobs", 0, "N"), SWEEP, RANGE(number, jobs, 1, JOBS_MOST), CLI_NEVER,
         .help = "with --load: points to run at a time [the number of cores]"},
	{CLI_JOURNAL, WORDS("journal", 0, "DIR"), SWEEP, VALUE(text, journal), CLI_NEVER,
         .help = "keep each finished point in the folder DIR; points found there are not run again, and processes with "
                 "the same folder share the points (docs/cluster.md)"},
	{CLI_SHARD, WORDS("shard", 0, "I/N"), SWEEP, VALUE(text, shard), CLI_IF_SET,
         .help = "run only every N-th point, from the I-th on, such as 2/8"},
	{CLI_MERGE, WORDS("merge", 0, NULL), SWEEP, VALUE(switch, merge), CLI_NEVER,
         .help = "with --journal: run nothing, and write table and files if all points are there"},
	{CLI_TAKE, WORDS("take", 0, "DIR"), SWEEP, VALUE(text, take), CLI_NEVER,
         .help = "for flitloom-mpi: run the points whose numbers are read from standard input, and keep them in DIR "
                 "(docs/cluster.md)"},
	{CLI_NAMES, WORDS("names", 0, NULL), CLI_OF_LIST, VALUE(switch, names), CLI_NEVER,
         .help = "names only, one a line"},
	{CLI_QUIET, WORDS("quiet", 'q', NULL), QUIETABLE, VALUE(switch, quiet), CLI_NEVER,
         .help = "print no table and no progress; the exit status gives the result"},
	{CLI_HELP, WORDS("help", 'h', NULL), ~0u, NULL, 0, 0, 0, 0, NULL, CLI_NEVER, .help = "print this help"},
	{CLI_USAGE, WORDS("usage", 0, NULL), ~0u, NULL, 0, 0, 0, 0, NULL, CLI_NEVER, .help = "print one line of usage"},
};

const struct cli_option_row *cli_option_at(size_t i)
{
	return i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}

const struct cli_option_row *cli_option_row(const struct cli_command *command, enum cli_option option)
{
	const struct cli_option_row *first = NULL;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].option != option)
			continue;
		if (command && rows[i].commands & command->bit)
			return &rows[i];
		first = first ? first : &rows[i];
	}
	return first;
}

const char *cli_option_name(enum cli_option option)
{
	return cli_option_row(NULL, option)->name;
}

const char *cli_option_long(enum cli_option option)
{
	return cli_option_row(NULL, option)->word;
}

bool cli_takes(const struct cli_command *command, enum cli_option option)
{
	return cli_option_row(command, option)->commands & command->bit;
}

// --- Excluded combinations ----------------------------------------------------------------------------------------

#define REFUSED_MOST 30
#define OPTIONS(...)                                                                                                   \
	{                                                                                                              \
		__VA_ARGS__, CLI_N_OPTIONS                                                                             \
	}
// The first of the given options is the one in the error.
static const enum cli_option refused[][REFUSED_MOST] = {
	[CLI_WITH_PLAN_FILE] =
		OPTIONS(CLI_MAP, CLI_PLACE, CLI_PLANNER, CLI_BEFORE, CLI_BUDGET, CLI_LOAD, CLI_DETOURS, CLI_COST,
                        CLI_OBJECTIVE, CLI_FLITS, CLI_COMPARE, CLI_HALF_DUPLEX, CLI_RULE, CLI_SELECT, CLI_TABLES,
                        CLI_BUFFERS, CLI_LINK_DELAY, CLI_ROUTER_DELAY, CLI_FLIT_BITS, CLI_FAIL, CLI_LANES, CLI_BYTES,
                        CLI_FLIT_BYTES, CLI_CALC_CYCLES, CLI_LOGGOPS, CLI_DARK, CLI_RELAY),
	[CLI_WITH_FLITS] = OPTIONS(CLI_BYTES, CLI_FLIT_BYTES, CLI_CALC_CYCLES),
	[CLI_WITH_FORMULAS] =
		OPTIONS(CLI_OUTPUT, CLI_SVG, CLI_HTML, CLI_PERFETTO, CLI_PASS, CLI_MESSAGES, CLI_CHANNELS, CLI_BUFFERS,
                        CLI_LINK_DELAY, CLI_ROUTER_DELAY, CLI_FLIT_BITS, CLI_FAIL, CLI_LANES, CLI_SELECT, CLI_LOGGOPS),
	[CLI_WITHOUT_SVG] = OPTIONS(CLI_PASS, CLI_PICTURE, CLI_BEFORE),
	[CLI_WITH_STAGES] = OPTIONS(CLI_PLANNER, CLI_BUDGET, CLI_LOAD, CLI_DETOURS, CLI_COST, CLI_OBJECTIVE, CLI_FLITS,
                                    CLI_HALF_DUPLEX, CLI_RULE, CLI_SELECT, CLI_TABLES, CLI_SCHEDULE, CLI_PRESET,
                                    CLI_SVG, CLI_HTML, CLI_PERFETTO, CLI_PICTURE, CLI_PASS, CLI_TRACE, CLI_TRACE_JSON,
                                    CLI_MESSAGES, CLI_CHANNELS, CLI_LOGGOPS, CLI_DARK, CLI_RELAY),
	[CLI_WITH_COMPARE] = OPTIONS(CLI_PERFETTO, CLI_TRACE_JSON, CLI_MESSAGES, CLI_CHANNELS, CLI_CERTIFICATE),
	[CLI_WITH_LONG] =
		OPTIONS(CLI_PLANNER, CLI_BUDGET, CLI_LOAD, CLI_DETOURS, CLI_COST, CLI_OBJECTIVE, CLI_HALF_DUPLEX,
                        CLI_TABLES, CLI_COMPARE, CLI_PRESET, CLI_SVG, CLI_HTML, CLI_PERFETTO, CLI_TRACE, CLI_TRACE_JSON,
                        CLI_MESSAGES, CLI_CHANNELS, CLI_TIMEOUT, CLI_STAGES, CLI_LOGGOPS, CLI_DARK, CLI_RELAY),
	[CLI_WITH_LOAD] = OPTIONS(CLI_SCHEDULE, CLI_PRESET, CLI_NODES, CLI_PLAN_ONLY, CLI_DARK, CLI_RELAY),
	[CLI_WITH_BATCH] = OPTIONS(CLI_LOAD, CLI_SCHEDULE, CLI_PRESET, CLI_NODES, CLI_PLAN_ONLY, CLI_ARRIVALS,
                                   CLI_WARMUP, CLI_MEASURE, CLI_PRECISION, CLI_SVG, CLI_SHOW, CLI_DARK, CLI_RELAY),
	[CLI_WITHOUT_LOAD] = OPTIONS(CLI_OBJECTIVE, CLI_MAP, CLI_PLACE, CLI_COMPARE, CLI_ARRIVALS, CLI_JOBS, CLI_WARMUP,
                                     CLI_MEASURE, CLI_PRECISION, CLI_RULE, CLI_SELECT, CLI_REQUESTS, CLI_DETOURS,
                                     CLI_TABLES, CLI_SHOW, CLI_BY, CLI_WINDOW, CLI_BY_CSV, CLI_BY_SVG),
	[CLI_WITHOUT_ALL_PAIRS] = OPTIONS(CLI_BUDGET, CLI_SEED, CLI_LANES, CLI_BY_DESTINATION),
};

void cli_refuse(struct cli_set *out, enum cli_case it)
{
	for (const enum cli_option *o = refused[it]; *o != CLI_N_OPTIONS; o++)
		cli_set_put(out, *o);
}

bool cli_is_refused(enum cli_option *out, const struct cli_request *request, enum cli_case it)
{
	for (const enum cli_option *o = refused[it]; *o != CLI_N_OPTIONS; o++) {
		if (!cli_given(request, *o))
			continue;
		*out = *o;
		return true;
	}
	return false;
}
