// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_H
#define FLITLOOM_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/err.h>
#include <flitloom/goal.h>
#include <flitloom/link/image.h>
#include <flitloom/link.h>
#include <flitloom/plan.h>
#include <flitloom/report.h>
#include <flitloom/report_request.h>
#include <flitloom/run.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/routes/via.h>
#include <flitloom/routes/route_tables.h>
#include <flitloom/traffic.h>

#include "cli_set.h"

// The command `flitloom`. Functions return 0 or a negative LOOM_E..., with one line for a person in `err`; only main
// prints it. A command may also return CLI_DIFFERS.
// The exit status 1 if the fabric did not do what the plan says, or (check) if messages on it can lock.
#define CLI_DIFFERS 1

// The options, in the order of --help; the table is in cli_option_table.c.
enum cli_option {
	CLI_MAP,
	CLI_PLACE,
	CLI_PLANNER,
	CLI_BUDGET,
	CLI_LOAD,
	CLI_DETOURS,
	CLI_COST,
	CLI_DARK,
	CLI_RELAY,
	CLI_STAGES,
	CLI_POINTS,
	CLI_COSTS,
	CLI_OBJECTIVE,
	CLI_HALF_DUPLEX,
	CLI_FLITS,
	CLI_SEED,
	CLI_MACHINE,
	CLI_SCHEDULE,
	CLI_PRESET,
	CLI_LINK,
	CLI_CHECK_ON,
	CLI_FABRIC,
	CLI_COMPARE,
	CLI_MAX_CYCLES,
	CLI_TIMEOUT,
	CLI_OUTPUT,
	CLI_JSON,
	CLI_SVG,
	CLI_HTML,
	CLI_PERFETTO,
	CLI_PICTURE,
	CLI_BEFORE,
	CLI_PASS,
	CLI_TRACE,
	CLI_TRACE_FROM,
	CLI_TRACE_CYCLES,
	CLI_TRACE_JSON,
	CLI_MESSAGES,
	CLI_CHANNELS,
	CLI_NODES,
	CLI_SEEDS,
	CLI_PRECISION,
	CLI_CSV,
	CLI_PLAN_ONLY,
	CLI_ARRIVALS,
	CLI_WARMUP,
	CLI_MEASURE,
	CLI_SHOW,
	CLI_BY,
	CLI_WINDOW,
	CLI_BY_CSV,
	CLI_BY_SVG,
	CLI_JOBS,
	CLI_JOURNAL,
	CLI_SHARD,
	CLI_MERGE,
	CLI_TAKE,
	CLI_REQUESTS,
	CLI_BATCH,
	CLI_LOGGOPS,
	CLI_NAMES,
	CLI_RULE,
	CLI_SELECT,
	CLI_TABLES,
	CLI_TABLES_OUT,
	CLI_ALL_PAIRS,
	CLI_BY_DESTINATION,
	CLI_LANES,
	CLI_CERTIFICATE,
	CLI_BYTES,
	CLI_FLIT_BYTES,
	CLI_CALC_CYCLES,
	CLI_BUFFERS,
	CLI_LINK_DELAY,
	CLI_ROUTER_DELAY,
	CLI_FAIL,
	CLI_FORM,
	CLI_FLIT_BITS,
	CLI_SMALL,
	CLI_FILES,
	CLI_QUIET,
	CLI_HELP,
	CLI_USAGE,
	CLI_N_OPTIONS
};
_Static_assert(CLI_N_OPTIONS <= CLI_SET_MOST, "an option for each bit of a set");

// One bit per command.
enum cli_command_bit {
	CLI_OF_RUN = 1 << 0,
	CLI_OF_PLAN = 1 << 1,
	CLI_OF_CHECK = 1 << 2,
	CLI_OF_SWEEP = 1 << 3,
	CLI_OF_LIST = 1 << 4,
	CLI_OF_GOAL = 1 << 5,
	CLI_OF_PROBE = 1 << 6,
	CLI_OF_PEEK = 1 << 7,
	CLI_OF_POKE = 1 << 8,
	CLI_OF_SERVE = 1 << 9,
	CLI_OF_PROGRAM = 1 << 10,
	CLI_OF_RTL = 1 << 11,
	CLI_OF_FROM_BOOKSIM = 1 << 12,
	CLI_OF_VIEW = 1 << 13
};

struct cli_command;
typedef const struct cli_command *cli_command_at(size_t i); // the commands of a list; NULL after the last

// --load of a sweep (cli_load_options.c): A:B:STEP, A, or a list of these with commas, ascending; `n` loads in all.
#define CLI_LOADS_MOST 1000
struct cli_loads {
	const char *text; // as given, from which cli_load_at reads; NULL: not given
	bool max;         // the highest sustained load
	uint64_t n;
};

// Shares of the links that fail, in a sweep (cli_fail.c): share i is first + i * step, in units of 1 / CLI_PERCENT
// percent.
#define CLI_PERCENT 10000000
struct cli_parts {
	uint64_t first, step, n; // n 0: there are none
};

// Dark times of a sweep in addition to `dark`, the first (cli_dark_text.c): number i is dark + i * step.
struct cli_darks {
	const char *text; // as given
	uint64_t step;
	uint32_t n; // 0: there is one dark time, and no column for it
};

struct cli_request;
// Reads --fail of a sweep: shares, A:B:STEP or one, in percent; else links and nodes as in run.
int cli_fail_parse(struct cli_request *request, const char *text, struct loom_err *err);
// Reads --dark of a sweep: a number of cycles, or A:B:STEP.
int cli_darks_parse(struct cli_request *request, const char *text, struct loom_err *err);
// Reads --requests: "4", "4,reply=5", "any,reply=5,service=20,rule=descending,queue=60" (cli_requests.c).
int cli_requests_parse(struct cli_request *request, const char *text, struct loom_err *err);
// The first is true if a sweep runs loads or batches with several seeds, and has intervals; the second if it finds the
// warm-up by the data.
bool cli_replicates(const struct cli_request *request);
bool cli_finds_warmup(const struct cli_request *request);

int cli_loads_parse(struct cli_loads *out, const char *text, struct loom_err *err);
// Returns load i < n, in flits per cycle and node.
double cli_load_at(const struct cli_loads *loads, size_t i);

// The values of the options. Strings point into argv.
#define CLI_WINDOW_MOST 1000000000u // requests that a node may have under way

struct cli_request {
	const struct cli_command *command;
	cli_command_at *command_at; // all commands
	const char *map, *planner, *before, *load, *cost, *objective, *link, *svg, *trace, *trace_json, *output,
		*fabric, *messages, *channels, *csv, *tables, *tables_out, *costs, *html, *perfetto;
	const char *budget;    // as given
	double budget_seconds; // 0: not given
	enum loom_machine machine;
	enum loom_picture picture;
	enum loom_image_schedule schedule;
	bool preset;
	unsigned rule;        // enum loom_rule; for check the index of cli_rule_name; for a sweep the first
	const char *rules;    // several rules of a sweep, as given; NULL: one
	unsigned select;      // enum loom_select
	const char *turns;    // for LOOM_RULE_TURNS: as given, "turns:FILE"
	uint32_t flits, pass; // pass: that of the picture, if given
	// For a sweep: flits to flits_last, each the double of the one before, or flits_step more
	uint32_t flits_last;
	uint32_t flits_step;      // 0: each length is the double of the one before
	const char *lengths_text; // for a sweep over loads: lengths with probabilities as given; NULL: one length
	struct loom_lengths lengths;
	uint32_t detours; // 0: not given
	uint32_t dark;    // if given
	struct cli_darks darks;
	bool relay;
	uint32_t n_seeds;          // for a sweep, from `seed` on; 0: not given
	const char *precision;     // for a sweep with --load: "2%", as given
	double precision_part;     // 0.02; 0: not given
	unsigned machines;         // for a sweep, bit m: machine m; 0: not given
	uint64_t seed, max_cycles; // max_cycles 0: the plan's own limit
	// The first cycle of the waveform (1 if not given) and its number of cycles (0: to the end)
	uint64_t trace_from, trace_cycles;
	unsigned timeout_ms;            // of the link; 0: its default
	uint64_t points;                // points of an FFT; 0: one on each processor
	bool stages;                    // run the stages of an FFT
	struct cli_loads loads;         // of a sweep
	const char *requests_text;      // for a sweep over loads or of batches: as given; NULL: traffic is open
	struct loom_load_closed closed; // the values in requests_text; the rule of replies only if it was given
	bool reply_rule_given;
	uint64_t batch;               // for a sweep: messages of each node; 0: not given
	const char *compared;         // for a sweep, --compare: fabrics, maps and rules
	const char *arrivals_text;    // as given; NULL: not given
	enum loom_injection arrivals; // for bursts also the cycles on and off
	uint32_t on_cycles, off_cycles;
	uint64_t warmup_cycles, measure_cycles;          // of a sweep with --load
	const char *loggops;                             // parameters of the model, as given
	const struct loom_report_loggops *found_loggops; // with it, of run and plan (cli_loggops.c); else NULL
	const char *show;                                // for a sweep: more columns of the table
	const char *by, *by_csv, *by_svg;                // for a sweep: the key of more figures, and the files for them
	uint64_t window_cycles;                          // for --by channel; 0: the default
	uint32_t jobs;                                   // for a sweep: points at a time; 0: as many as there are cores
	const char *journal, *shard;                     // for a sweep: a folder; "I/N"
	bool merge;                                      // for a sweep: nothing is run
	const char *take;                                // for a sweep: a folder; only the named points are run
	const char *check_on;                            // for a sweep over loads: "sim:K"
	uint32_t n_checked;                              // K; 0: not given
	bool json, quiet, compare, names, plan_only, half_duplex;
	uint32_t nodes_first, nodes_last; // 0, 0: not given
	// For goal:FILE and the collectives, as in struct loom_pattern_options.
	uint64_t bytes;
	uint32_t flit_bytes, calc_cycles, calc_units;
	const char *calc;                // calc_cycles and calc_units as given
	uint32_t buffers;                // 0: as in the fabric's name
	uint32_t link_delay;             // as in the fabric's name unless CLI_LINK_DELAY is given
	const char *link_delays;         // NULL: link_delay is for all links; else the text with delays by class
	uint32_t router_delay;           // as in the fabric's name unless CLI_ROUTER_DELAY is given
	const char *fail;                // links and nodes that failed, or shares of the links, as given
	struct cli_parts fail_parts;     // the shares
	unsigned form;                   // form of RTL: index of cli_form_at
	uint32_t flit_bits;              // 0: as in the fabric's name
	bool small;                      // for rtl: the small form
	const char *files;               // for rtl: the file for the list of files
	bool all_pairs;                  // for check
	bool by_destination;             // with all_pairs
	uint32_t n_lanes;                // for check, or for a network with failures; 0: not given
	const char *certificate;         // for check or plan: a file
	struct cli_set given;            // the options of the table that were on the command line
	bool standard_output;            // true: a file is written there, so no table is printed
	enum cli_option standard_option; // the option of that file
	char *standard_map;              // owned: --map from standard input
	int n_words;                     // words that are no options: FABRIC PATTERN, ...
	char **words;
};

struct cli_command {
	const char *name, *words, *help; // "run", "FABRIC PATTERN | plan.json"
	enum cli_command_bit bit;
	int words_min, words_max;
	int (*run)(const struct cli_request *request, struct loom_err *err);
};

// Makes a fabric by its name, with the options for its routers (cli_fabric.c). LOOM_EINPUT: the name contradicts an
// option.
int cli_fabric_parse(struct loom_topo *out, const struct cli_request *request, const char *name, struct loom_err *err);
// Writes in JSON, behind a comma, what failed and which links are slow; nothing for a whole fabric with usual links.
// The table has a line for each.
void cli_fabric_put_links(FILE *out, const struct loom_topo *topo, bool json);
int cli_fabric_set(struct loom_topo *topo, const struct cli_request *request, struct loom_err *err);
// Finds the turns that "turns:FILE" or "turns:best" forbids. *at_least is set for those that are searched for.
int cli_fabric_turns(struct loom_turns *out, uint64_t *at_least, const struct loom_topo *topo, const char *turns,
                     const struct cli_request *request, struct loom_err *err);
// Gives the fabric the turns by which messages of rule turns go. turns NULL: does nothing.
int cli_fabric_set_turns(struct loom_topo *topo, const char *turns, const struct cli_request *request,
                         struct loom_err *err);
// Returns the length of the first item of a list with commas. In an item with a colon a comma before a digit belongs to
// the item: dragonfly:4,2.
size_t cli_item_length(const char *list);

int cli_run(const struct cli_request *request, struct loom_err *err);
int cli_fft(const struct cli_request *request, struct loom_err *err); // run --stages
// Runs a list that is too long for a plan (cli_long.c). *is_long false: it is no such list, and nothing has been done.
int cli_long(const struct cli_request *request, bool *is_long, struct loom_err *err);
int cli_plan(const struct cli_request *request, struct loom_err *err);
// Plans a cube of n dimensions that only formulas can plan (cli_formula.c).
int cli_formula(const struct cli_request *request, unsigned n, struct loom_err *err);
int cli_check(const struct cli_request *request, struct loom_err *err);
int cli_check_rule(const struct cli_request *request, struct loom_err *err);
int cli_check_tables(const struct cli_request *request, struct loom_err *err); // check --tables
int cli_check_pairs(const struct cli_request *request, struct loom_err *err);  // check --all-pairs
int cli_sweep(const struct cli_request *request, struct loom_err *err);
int cli_list(const struct cli_request *request, struct loom_err *err);
int cli_goal(const struct cli_request *request, struct loom_err *err);
// Does a run or a plan; with --loggops the request has the model's results (cli_loggops.c).
int cli_loggops_beside(const struct cli_request *request,
                       int (*run)(const struct cli_request *request, struct loom_err *err), struct loom_err *err);
// Prints a line of a table for these results; none without --loggops.
void cli_loggops_say(FILE *out, const struct cli_request *request);
// Reads a GOAL file.
int cli_goal_read(struct loom_goal *out, const char *path, struct loom_err *err);
// Computes when each rank of a goal has finished, by the parameters in the request: malloc'ed.
int cli_loggops_find(uint64_t **finish, struct loom_loggops *with, const struct cli_request *request,
                     const struct loom_goal *goal, struct loom_err *err);
int cli_rtl(const struct cli_request *request, struct loom_err *err);
int cli_from_booksim(const struct cli_request *request, struct loom_err *err);
int cli_view(const struct cli_request *request, struct loom_err *err);
int cli_probe(const struct cli_request *request, struct loom_err *err);
int cli_peek(const struct cli_request *request, struct loom_err *err);
int cli_poke(const struct cli_request *request, struct loom_err *err);
int cli_serve(const struct cli_request *request, struct loom_err *err);
int cli_program(const struct cli_request *request, struct loom_err *err);

// A board that has constraints.
struct cli_board {
	const char *name, *loader,
		*file;       // openFPGALoader's name for it; the file that make bitstream leaves in build/boards/NAME
	int vendor, product; // on USB
	const char *help;
};

const struct cli_board *cli_board_at(size_t i); // NULL after the last

// Reads the command line. argv[0] is the command's name. *ask becomes CLI_HELP or CLI_USAGE if these are asked for,
// else CLI_N_OPTIONS. `command_at` lists all commands: an option that this one does not accept may belong to another.
int cli_options_parse(struct cli_request *out, enum cli_option *ask, const struct cli_command *command,
                      cli_command_at *command_at, int argc, char **argv, struct loom_err *err);
void cli_options_help(FILE *stream, const struct cli_command *command);
void cli_options_usage(FILE *stream, const struct cli_command *command);
// Prints the options alone, as help has them. names: for completion in shells, a line for each option: its word, letter
// and argument, the names that its value may have, its help, with a tab between any two.
void cli_options_list(FILE *stream, const struct cli_command *command, bool names);
const char *cli_option_name(enum cli_option option); // "max-cycles"
const char *cli_option_long(enum cli_option option); // "--max-cycles"
bool cli_takes(const struct cli_command *command, enum cli_option option);

// The cases that exclude options. WITH_LOAD and WITHOUT_LOAD are cases of a sweep, WITH_STAGES of a run.
enum cli_case {
	CLI_WITH_PLAN_FILE, // the file fixes their values
	CLI_WITH_FLITS,     // the pattern's messages have no bytes
	CLI_WITH_FORMULAS,  // there is no list of messages
	CLI_WITHOUT_SVG,
	CLI_WITH_STAGES,
	CLI_WITH_COMPARE, // the files are for one run
	CLI_WITH_LONG,    // the list is too long for a plan
	CLI_WITH_LOAD,
	CLI_WITH_BATCH,
	CLI_WITHOUT_LOAD, // without a load or a batch
	CLI_WITHOUT_ALL_PAIRS
};

// *out: the first given option that is excluded. False: there is none.
bool cli_is_refused(enum cli_option *out, const struct cli_request *request, enum cli_case it);
void cli_refuse(struct cli_set *out, enum cli_case it); // adds all excluded options
// True if the option was on the command line.
static inline bool cli_given(const struct cli_request *request, enum cli_option option)
{
	return cli_set_has(&request->given, option);
}

// The names of values, NULL after the last (cli_names.c).
#define CLI_RULE_MIXED LOOM_RULES_NAMED
#define CLI_TURNS "turns:"
const char *cli_rule_name(size_t i); // the names of loom_rule_name, then "mixed"
// Returns the rule with this name by which messages can go, also for e-cube, p-cube and turns:FILE; LOOM_RULES_NAMED:
// there is none.
unsigned cli_rule_named(const char *name);
// Names a rule in a refusal by its other name (p-cube for negative-first) if the command line has only that name.
void cli_say_as_given(struct loom_err *err, int n, char *const *words);
const char *cli_machine_at(size_t i);
const char *cli_show_at(size_t i); // a column that sweep --load --show adds
const char *cli_schedule_at(size_t i);
const char *cli_form_at(size_t i); // a form of RTL: "open"
const char *cli_machine_name(enum loom_machine machine);

// Opens the link that the first word names (cli_peek.c).
struct loom_link;
int cli_open_link(struct loom_link *out, const struct cli_request *request, struct loom_err *err);

// --- What run and plan share (cli_make.c) ---

// Reads the user's own tables, if there are any: *out is then the caller's to free.
int cli_read_tables(struct loom_route_tables *out, const struct loom_topo *topo, const char *path,
                    struct loom_err *err);
// Makes the plan that the words and options ask for: from a plan file, or FABRIC PATTERN. `map` NULL: that of --map.
int cli_make_plan(struct loom_plan *out, const struct cli_request *request, const char *map, struct loom_err *err);
// Checks that every file to be written can be written; creates nothing. LOOM_EFILE.
int cli_check_outputs(const struct cli_request *request, struct loom_err *err);
bool cli_same_plan(const struct loom_plan *a,
                   const struct loom_plan *b); // true: the same messages from and to the same nodes
void cli_say_budget(const struct cli_request *request,
                    const struct loom_plan *plan); // printed behind a table, if it may help
#define CLI_SAME_TITLE "identity, which is best"   // title of the one panel of such a comparison
#define CLI_PAPER "machine         paper  the timing of the machine of [Hou01], docs/references.md"
// Printed in place of a second table
#define CLI_SAME_PLAN "best            the same plan as identity's: nothing to compare"
// True: the plan comes from a file
bool cli_is_file(const struct cli_request *request);
const uint32_t *cli_pass(const struct cli_request *request); // the pass of --pass, for a panel; NULL if none
const char *cli_rule(const struct cli_request *request);     // the rule of --rule; NULL if none
// Returns the title of a picture of one plan: its file, or the value of --map. NULL: neither.
const char *cli_title(const struct cli_request *request);

// Lists the files that the options want written; returns their number.
#define CLI_OUTPUTS_MAX 13
struct cli_output {
	enum cli_option option;
	const char *path;
};
size_t cli_outputs(struct cli_output out[CLI_OUTPUTS_MAX], const struct cli_request *request);

// --- What a report says that it was asked for (cli_request.c) ---

#define CLI_MADE_MOST 48 // bytes of a value as text
struct cli_asked {
	struct loom_report_request said; // points into this struct, and into the request
	const char **words;              // owned
	struct loom_report_value values[3 + CLI_N_OPTIONS];
	char made[CLI_N_OPTIONS][CLI_MADE_MOST];
};
// `map` NULL: that of --map, or both of --compare. own_lengths: those of the pattern. *out must not move in memory.
int cli_asked(struct cli_asked *out, const struct cli_request *request, const char *map, bool own_lengths,
              struct loom_err *err);
void cli_asked_free(struct cli_asked *asked); // a zeroed one as well
// Makes the same as JSON, malloc'ed; NULL: out of memory, and `err` says so.
char *cli_asked_text(const struct cli_request *request, const char *map, bool own_lengths, struct loom_err *err);
// Makes "request":{"version","command"}, for the documents of commands that plan nothing.
int cli_put_asked(FILE *stream, const struct cli_request *request, struct loom_err *err);

// The JSON document of a comparison (cli_compared.c): its reports are written to `stream`, a line each.
struct cli_compared {
	FILE *stream; // NULL: not begun
	char *text;   // owned
	size_t size;
};
int cli_compared_begin(struct cli_compared *c, struct loom_err *err);
// Prints it. same: both have the same plan.
int cli_compared_put(FILE *out, struct cli_compared *c, const struct cli_request *request, bool own_lengths, bool same,
                     struct loom_err *err);
void cli_compared_free(struct cli_compared *c); // a zeroed one as well

// --- "-" in place of a file (cli_standard.c) ---

// Reads --map=-, keeps standard input for its reader, and refuses a second user of either stream. End it in any case.
int cli_standard_begin(struct cli_request *request, struct loom_err *err);
void cli_standard_end(struct cli_request *request);

#endif
