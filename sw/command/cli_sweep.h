// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_SWEEP_H
#define FLITLOOM_CLI_SWEEP_H

#include <jansson.h>
#include <sys/types.h>

#include <flitloom/interval.h>
#include <flitloom/traffic.h>

#include "cli.h"
#include "cli_session.h"

// A sweep runs a list of points and reports each as a row of a table, of JSON and CSV, and of a plot. Its kind
// defines the points, how a point is run, and the contents of its row; the rest is the same for all kinds.

// The failures of a fabric: figures of one set of links, or means over several sets.
struct sweep_fail {
	double percent; // in a sweep over shares of the links
	char text[CLI_MADE_MOST];
	uint32_t n; // sets of links
	double links, cut_off, lanes;
};

// A fabric and a machine; at a load also the places of its processors.
struct sweep_curve {
	struct loom_topo topo; // owned; over several seeds, with which other links fail, that of the first
	enum loom_machine machine;
	struct sweep_fail fail;
	size_t i_fail;   // index of the share of the links
	uint32_t i_dark; // index of the dark time
	// In a sweep over sizes: the kind that --nodes goes through, or the fabric as given. Over loads: the words that
	// tell this curve from the others, such as fabric, map, machine; if it is the only curve, the fabric.
	char name[LOOM_TOPO_NAME + 160];
	char map_name[128];          // for loads, like the next fields: as requested, or "best", "identity"
	struct loom_traffic traffic; // owned
	uint32_t *map;               // owned
	enum loom_rule rule;
	bool rule_given;                   // else it is the usual one
	char fabric[LOOM_TOPO_NAME];       // for loads: as requested
	bool several_ways;                 // for loads: other curves have other planners or rules
	char series[LOOM_TOPO_NAME + 160]; // for loads: the name without the share that fails
	char turns[LOOM_TOPO_NAME];        // for loads with LOOM_RULE_TURNS: as requested, "turns:FILE"; else ""
	char planner[64];                  // for loads: the planner whose ways messages take; "": by the rule
	struct loom_load_routes *routes;   // owned: these ways
	double capacity;
};

// Returns the name of the rule of a curve, as requested.
static inline const char *sweep_rule_name(const struct sweep_curve *c)
{
	return c->turns[0] ? c->turns : loom_rule_name(c->rule);
}

// A quantity over the seeds of a row.
struct sweep_spread {
	uint32_t n;
	uint64_t least, most;
	double mean, square; // sum of the squared distances from the mean
};

// The result at a size: over all seeds, except messages and flits, which are those of the last seed.
struct sweep_size {
	// The shortest and the longest message of the pattern; 0 until it is planned. With own_lengths --flits does not
	// affect them.
	uint32_t flits_least, flits_most;
	bool own_lengths;
	char planner[32];
	uint64_t messages, flits;
	uint64_t planned_flits; // those of the plan of the first seed; 0 until it is made
	struct sweep_spread passes, contention, predicted, measured; // measured: none with --plan-only
	// Set only for circuit switches. The last two are means over the seeds.
	struct sweep_spread makespan, bound;
	double dark_share, utilisation;
	// From the first START, barriers included; over the seeds for which it is known
	struct sweep_spread back_to_back;
	bool one_start;       // every seed has one pass, or is free-running: nothing is between passes
	bool predicted_known; // for every seed
};

// ELSEWHERE: another process has it, and will write it to the journal.
enum sweep_state { SWEEP_WAITS, SWEEP_RUNS, SWEEP_ELSEWHERE, SWEEP_DONE, SWEEP_LEFT_OUT };

#define SWEEP_REASON 400 // as much as a refusal has

// A run of a row in its own process, and its result.
struct sweep_found {
	struct loom_load_point point;
	struct loom_load_warmup warmup; // of a run that looks for one
	size_t n_mismatches;
	char reason[SWEEP_REASON]; // the first difference
};
struct sweep_run {
	enum sweep_state state;
	double part; // the finished part, as its process has reported
	pid_t child; // that process, while it runs
	int lock;    // of the journal; -1: none
	bool ended;  // the process has ended, with this status
	int status;
	struct sweep_found found;
	// The file in which its process writes groups; NULL: none are requested, or they are in this process
	FILE *file;
	struct loom_load_groups groups; // owned
};

// The figures of a load over several seeds; the point of the row has the means.
struct sweep_load {
	uint32_t n, n_saturated;
	bool settled; // the warm-up was found, and the interval is as narrow as asked for
	struct loom_load_warmup warmup;
	struct loom_interval load, accepted, mean, p50, p95, p99, at_source, in_network, worst_share, jain;
	struct loom_interval finish; // for batches
};

struct sweep_row {
	struct sweep_curve *curve;
	uint32_t flits;                  // of a message, if the pattern does not give it
	double load;                     // for loads; 0: the highest sustained load
	bool can_be_checked, is_checked; // the RTL can run it; it also runs on the RTL
	enum sweep_state state;
	struct sweep_size size;       // for sizes
	struct loom_load_point point; // for loads
	struct sweep_load over_seeds; // for loads, over several seeds
	size_t n_mismatches;
	char reason[SWEEP_REASON]; // why it was left out; or the first difference, for a row that differs
	double work;               // estimated time, in a unit that all rows of a sweep share
	uint32_t i_run;            // in the process of a run: its index
	uint32_t n_runs, n_begun;  // side by side: runs that it is known to take so far, the first of which were begun
	struct sweep_run *runs;    // owned, n_runs of them; NULL when the row is done
	bool cut_short;            // more runs were needed and will not come
	// Owned, for loads: figures by a key, of all its runs; in the process of a run, those of this run.
	struct loom_load_groups groups;
};

// True if a row has figures, or a reason why it has none.
static inline bool sweep_row_is_over(const struct sweep_row *row)
{
	return row->state == SWEEP_DONE || row->state == SWEEP_LEFT_OUT;
}

struct sweep {
	const struct cli_request *request;
	struct cli_request chip_request; // the same, with the link on which chips are opened
	const struct sweep_kind *kind;
	size_t n_curves, n_rows;
	struct sweep_curve *curves; // owned
	struct sweep_row *rows;     // owned; in the order of the table
	size_t n_machines;
	enum loom_machine machines[2];
	uint32_t n_seeds;
	bool many_flits;            // more than one
	struct cli_session session; // the chip of the row under way, kept for the next one of the same fabric:
	char fabric[LOOM_TOPO_NAME];
	bool chooses, draws, turns; // its routers are made for such rules
	const char *error;          // why it ended early; NULL: it did not
	char *journal_asked;        // owned: words that tell its runs from those of others; NULL: there is no journal
};

#define SWEEP_BYTE_BITS 8.0
#define SWEEP_LENGTHS 128 // of the text that says how long messages are

// A cell of a row, and what its column is called where.
struct sweep_value {
	enum { SWEEP_NOTHING, SWEEP_TEXT, SWEEP_COUNT, SWEEP_REAL, SWEEP_FLAG } is;
	const char *text;
	uint64_t count;          // or a flag
	double real, half_width; // half of an interval; not a number: none
	int digits;              // of a real in the table, behind the point; below 0: -digits in all. 0: a whole number
};
struct sweep_cell {
	const char *heading; // in the table, with the blanks before it; NULL: not in the table
	int width;           // below 0: to the left
	const char *csv;     // NULL: not in CSV
	const char *json;    // the same; "latency.mean" is "mean" within "latency", which is null if that has no value
	struct sweep_value value;
	bool before; // known before the row is run
};
struct sweep_cells {
	size_t n;
	struct sweep_cell at[72];                           // enough for every kind
	char text[48], verdict[64], lengths[SWEEP_LENGTHS]; // for three of the values
};

struct sweep_value sweep_text(const char *text); // NULL: nothing
struct sweep_value sweep_count(uint64_t count, bool known);
struct sweep_value sweep_real(double real, int digits, bool known);
struct sweep_value sweep_flag(bool flag);
struct sweep_value sweep_interval(const struct loom_interval *interval, int digits, bool known);
struct sweep_value sweep_half_width(const struct loom_interval *interval, bool known);

struct sweep_kind {
	bool side_by_side; // runs of rows are each in a process of its own, --jobs at a time; else rows are run in this one, in turn
	enum cli_case refused;    // options that are settled otherwise, or mean nothing
	const char *refused_text; // behind "--NAME "
	// Makes the list of curves and rows; the caller frees what exists of it in any case.
	int (*make)(struct sweep *s, struct loom_err *err);
	// Checks everything that can be checked before the first row runs.
	int (*check)(struct sweep *s, struct loom_err *err);
	// Runs a row, or its run i_run; watch gets the finished part.
	int (*run)(struct sweep *s, struct sweep_row *row, bool (*watch)(void *user, double part), void *user,
	           struct loom_err *err);
	// Side by side: returns how many runs a row takes, from the results of those counted now; the same number: no
	// more.
	uint32_t (*n_runs)(const struct sweep *s, const struct sweep_row *row);
	// Side by side: makes the row's figures of its first n runs. False: they are too few for that.
	bool (*sum_up)(const struct sweep *s, struct sweep_row *row, uint32_t n);
	void (*cells)(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row);
	void (*put_heading)(FILE *out, const struct sweep *s); // above the table's own
	int (*json)(json_t *out, const struct sweep *s); // adds what is between "pattern" and "error"; not 0: no memory
	int (*plot)(const struct sweep *s, struct loom_err *err); // to --svg
	// Writes other outputs, behind the table (`table`: it is printed) and the files; NULL: there are none.
	int (*more)(const struct sweep *s, bool table, struct loom_err *err);
};
extern const struct sweep_kind sweep_sizes, sweep_loads, sweep_batches; // cli_size.c, cli_load.c

// --- Rows under way (cli_sweep_run.c) ---

// Opens the chip of a fabric, unless it is open.
int sweep_open(struct sweep *s, const struct sweep_curve *c, struct loom_err *err);
void sweep_close(struct sweep *s);
// Checks the options for --check-on. A link that does not exist is reported elsewhere.
int sweep_check_link(const struct sweep *s, struct loom_err *err);
// Chooses the rows that --check-on runs on the RTL: the given number of those that the RTL can run, evenly spread, the
// last one among them. why: the reason against the first of the others; NULL if there is none.
int sweep_choose_checked(struct sweep *s, const char *why, struct loom_err *err);
typedef int sweep_row_done(const struct sweep *s, const struct sweep_row *row, struct loom_err *err);
// Runs the rows. If several processes share them, the longest start first. Calls `done` in the order of the rows, once
// for each that is done or left out; in turn also for the one that fails.
int sweep_run(struct sweep *s, sweep_row_done *done, struct loom_err *err);
// Does the same with each run in a process of its own (cli_sweep_jobs.c). Runs are independent, and the runs of a row
// are evaluated only when all of those begun for it are done. So the results do not depend on how many run at a time.
int sweep_run_side_by_side(struct sweep *s, sweep_row_done *done, struct loom_err *err);

// --- The order in which rows are begun (cli_sweep_work.c) ---

// Sets `work` of the rows, and lists their numbers in the order in which they start. If several processes share them,
// the longest is first, and of two equal ones the first; rows that run in turn on chips stay together by fabrics.
// Otherwise the order is that of the rows. *out is malloc'ed. Call it after the rows are checked. LOOM_ENOMEM.
int sweep_order(size_t **out, struct sweep *s, bool several_at_a_time, struct loom_err *err);
// Reports finished rows behind others that will not finish, and all before number `least`. For rows that ended early.
int sweep_tell_rest(const struct sweep *s, size_t from, size_t least, sweep_row_done *done, struct loom_err *err);

// --- Points that another process hands out (cli_sweep_take.c) ---

// Prints how many rows there are and, longest first, the numbers of those that are not in the journal: "points 3 2 0".
// Then runs the rows whose numbers come on standard input, a line each, and says when each is in the journal.
int sweep_take(struct sweep *s, struct loom_err *err);

// --- What comes out (cli_sweep_output.c) ---

// Returns the name of a curve's fabric; if a share of its links fails, that of the whole fabric.
const char *sweep_fabric_name(const struct sweep *s, const struct sweep_curve *c);
void sweep_put_heading(FILE *out, const struct sweep *s);
int sweep_put_row(FILE *out, const struct sweep *s, const struct sweep_row *row, struct loom_err *err);
int sweep_put_json(FILE *out, const struct sweep *s, struct loom_err *err);
int sweep_write_csv(const struct sweep *s, struct loom_err *err); // to --csv
// Makes an object of the cells of a row: those known before it ran, or the others. NULL: memory ran out.
json_t *sweep_row_json(const struct sweep *s, const struct sweep_row *row, bool before, bool after);
int sweep_name_width(const struct sweep *s, int least, bool of_curve); // of the longest fabric's or curve's name

// --- What fails (cli_fail.c) ---

size_t sweep_fails_count(const struct cli_request *r); // parts of the links; 1: there is no list of them
// Makes the request for the i-th share, with the links that fail with this seed; without a list of shares, the request
// itself. out->text lives as long. has_tables: at 0% the fabric has tables, too.
struct cli_request sweep_fail_request(struct sweep_fail *out, const struct cli_request *request, size_t i,
                                      bool has_tables, uint64_t seed);
// Adds a set of links to the means. If routers choose by `rule`, the lanes are those of the fabric, since its own
// routes do not run.
void sweep_fail_add(struct sweep_fail *out, const struct loom_topo *topo, unsigned rule);
int sweep_fail_check(const struct sweep *s, struct loom_err *err); // refuses what does not go together
#define SWEEP_FAIL_CELLS 4
void sweep_fail_cells(struct sweep_cell out[SWEEP_FAIL_CELLS], const struct sweep *s, const struct sweep_curve *c);
int sweep_fail_plot(const struct sweep *s, struct loom_err *err); // of loads (cli_fail_plot.c)

// --- Dark times of circuit switches (cli_dark.c): rows of their own on fabrics that have such, over sizes ---

// Returns how many rows a fabric has for dark times; and the dark time number i of them.
uint32_t sweep_darks_count(const struct cli_request *r, const struct loom_topo *topo);
uint32_t sweep_dark_at(const struct cli_request *r, uint32_t i);
// Makes the request for a curve: if only some fabrics have circuits, --dark and --relay are for these alone.
void sweep_dark_request(struct cli_request *request, const struct sweep *s, const struct sweep_curve *c);
bool sweep_is_over_darks(const struct sweep *s); // true: dark times are what varies in a plot
#define SWEEP_DARK_CELLS 6
void sweep_dark_cells(struct sweep_cell out[SWEEP_DARK_CELLS], const struct sweep *s, const struct sweep_row *row);
// Notes the figures of a plan's schedule, if it has one; `add` adds a value to a spread.
void sweep_dark_note(struct sweep_size *it, const struct loom_plan *plan,
                     void (*add)(struct sweep_spread *spread, uint64_t value));

// --- Sizes (cli_size.c, cli_size_points.c, cli_size_output.c) ---

// Reads the name at the beginning of `list`, a list of planners; returns the beginning of the next, or NULL after the
// last.
const char *sweep_size_planner(char name[64], const char *list);
int sweep_size_make(struct sweep *s, struct loom_err *err);
void sweep_size_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row);
void sweep_size_put_heading(FILE *out, const struct sweep *s);
int sweep_size_json(json_t *out, const struct sweep *s);
int sweep_size_plot(const struct sweep *s, struct loom_err *err);

// --- Loads (cli_load.c, cli_load_points.c, cli_load_runs.c, cli_load_output.c, cli_load_plot.c) ---

// Refuses a text that is no list of names of cli_show_at. NULL allowed.
int sweep_load_check_show(const char *list, struct loom_err *err);
const char *sweep_load_machines_text(const struct cli_request *r);
const char *sweep_load_arrivals_text(const struct cli_request *r);
// Returns the length of messages as text: as requested; "own" if a file gives it; "17 or own" if terms of a sum differ
// in that. May be `made`.
const char *sweep_load_lengths_text(char made[SWEEP_LENGTHS], const struct sweep *s);
// Returns how many runs of a row do not measure: the first one, if it looks for the warm-up.
uint32_t sweep_load_pilots_count(const struct sweep *s);
uint32_t sweep_load_n_runs(const struct sweep *s, const struct sweep_row *row);
bool sweep_load_sum_up(const struct sweep *s, struct sweep_row *row, uint32_t n);
// Returns the most seeds that a row takes.
uint32_t sweep_load_seeds_most(const struct cli_request *r);
double sweep_load_confidence(const struct cli_request *r); // the confidence of the intervals

// --- Figures by a key (cli_load_by.c, cli_load_by_output.c, cli_load_by_plot.c) ---

// Refuses options that contradict each other: --by and its outputs. Call it after the rows are made.
int sweep_by_check(const struct sweep *s, struct loom_err *err);
enum loom_load_key sweep_by_key(const struct cli_request *r); // for a request that has a key
// Makes groups by the request's key, with none in them.
struct loom_load_groups sweep_by_none(const struct cli_request *r);
// Write and read groups, in the process of a run and in that of the command. LOOM_EFILE, LOOM_ENOMEM.
int sweep_by_write(FILE *file, const struct loom_load_groups *groups, struct loom_err *err);
int sweep_by_read(struct loom_load_groups *out, FILE *file, const struct cli_request *r, struct loom_err *err);
void sweep_runs_free(struct sweep_row *row); // frees the runs of a row, which then has none

// The figures of a group as a row of output has them; not numbers: there are none.
struct sweep_by_row {
	char key[64];
	bool is_number; // the key is a number
	uint64_t first; // for channels: the first cycle of the window; else 0
	uint64_t number, n_messages, blocked;
	double flits_per_cycle, mean, half_width, at_source, in_network, p50, p95, p99;
	double finish; // for batches: the mean cycle in which the last of them arrived; else not a number
};
void sweep_by_row_of(struct sweep_by_row *out, const struct sweep *s, const struct sweep_row *row, size_t i);
int sweep_by_more(const struct sweep *s, bool table, struct loom_err *err);
json_t *sweep_by_json(const struct sweep *s, const struct sweep_row *row); // NULL: no memory
int sweep_by_json_asked(json_t *out, const struct cli_request *r);         // adds the key, if there is one
int sweep_by_plot(const struct sweep *s, struct loom_err *err);

// Returns the options with which a curve is run, at load 1.
struct loom_load_options sweep_load_options(const struct sweep *s, const struct sweep_curve *c);
int sweep_load_make(struct sweep *s, struct loom_err *err);
// Makes a copy of a curve for another seed, with which other links fail. Free it with sweep_curve_free.
int sweep_load_curve_of_seed(struct sweep_curve *out, const struct sweep *s, const struct sweep_curve *c, uint64_t seed,
                             struct loom_err *err);
void sweep_curve_free(struct sweep_curve *c);
void sweep_load_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row);
void sweep_load_put_heading(FILE *out, const struct sweep *s);
int sweep_load_json(json_t *out, const struct sweep *s);
int sweep_load_json_curves(json_t *out, const struct sweep *s); // adds "curves"
// Prints what curves have in common, above the table's heading.
void sweep_load_put_curves(FILE *out, const struct sweep *s);
// Prints a line about closed traffic above the table; nothing for open traffic.
void sweep_closed_put_heading(FILE *out, const struct sweep *s);
// Adds the cells of closed traffic: latencies of requests and replies. Adds none for open traffic.
void sweep_closed_add_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row);
int sweep_closed_json(json_t *out, const struct sweep *s);
void sweep_load_put_verdict(struct sweep_cells *out, const struct sweep_row *row);
void sweep_batch_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row);
void sweep_batch_put_heading(FILE *out, const struct sweep *s);
int sweep_batch_json(json_t *out, const struct sweep *s);
int sweep_load_plot(const struct sweep *s, struct loom_err *err);

#endif
