// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// run FABRIC fft --stages: the parallel FFT of [Hou01], section 6.2, without barriers. The begin of an exchange depends
// on when earlier messages arrived, and that depends on the other messages under way. So the programs are run, the
// cycles computed anew from the measured ones, and the programs run again, until a run shows that every exchange began
// as soon as both partners were ready.
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/fft.h>

#include "base/json.h"
#include "cli.h"
#include "cli_session.h"
#include "cli_terminal.h"

// Each run settles at least the first open stage, so at most as many runs as stages are needed, and one to confirm.
#define ROUNDS_MORE 2

// One map, from plan to the last round.
struct fft_run {
	const char *title; // "identity", "best", a list
	struct loom_fft fft;
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
	uint64_t *begin, *tail; // LOOM_FFT_MESSAGES elements
	uint64_t *end;          // per processor
	unsigned rounds;
	size_t n_late; // messages of the last run that were offered later than in the cycle of `begin`: something before was in the way
	uint64_t bit_reversal, total; // cycles: from the first send to the last tail of the bit reversal; of everything
};

static void free_run(struct fft_run *r)
{
	loom_verdict_free(&r->verdict);
	loom_trace_free(&r->trace);
	loom_plan_free(&r->plan);
	free(r->begin);
	free(r->tail);
	free(r->end);
}

// Returns the nodes of processors 0, 1, ... as --map accepts them. The caller frees it.
static char *map_text(const struct loom_plan *plan)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	for (uint32_t v = 0; f && v < plan->topo.n_nodes; v++)
		(void)fprintf(f, "%s%" PRIu32, v ? "," : "", plan->map[v]);
	if (!f || fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

// The map is that of the bit reversal alone: an exchange is between neighbours under any order of address bits.
static int find_map(char **out, const struct cli_request *request, const struct fft_run *r, struct loom_err *err)
{
	char pattern[] = "bit-reverse", *words[2] = {request->words[0], pattern};
	struct cli_request of_bits = *request;
	struct loom_plan plan;
	of_bits.words = words;
	of_bits.flits = r->fft.flits;
	of_bits.compare = false;
	int rc = cli_make_plan(&plan, &of_bits, r->title, err);
	if (rc != 0)
		return rc;
	*out = map_text(&plan);
	loom_plan_free(&plan);
	return *out ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for a map");
}

// Replaces the plan by one of programs that begin in the cycles of r->begin.
static int plan_round(struct fft_run *r, const struct loom_topo *topo, const char *map, struct loom_err *err)
{
	const struct loom_plan_options options = {.map = map};
	struct loom_pattern pattern;
	struct loom_plan plan;
	int rc = loom_fft_pattern(&pattern, &r->fft, r->begin, r->end, err);
	if (rc != 0)
		return rc;
	rc = loom_plan_make(&plan, topo, &pattern, &options, err);
	loom_pattern_free(&pattern);
	if (rc != 0)
		return rc;
	loom_plan_free(&r->plan);
	r->plan = plan;
	return plan.timing ? 0 : loom_fail(err, LOOM_EINTERNAL, "planner %s forgot the programs' times", plan.planner);
}

// Computes the cycles if no message ever waited for another.
static void begin_alone(struct fft_run *r)
{
	for (unsigned stage = 0; stage <= r->fft.n_dims; stage++) {
		loom_fft_begin(r->begin, r->end, &r->fft, r->tail);
		for (size_t i = 0; i < LOOM_FFT_MESSAGES(&r->fft); i++)
			r->tail[i] =
				loom_plan_uses_network(&r->plan, &r->plan.messages[i])
					? r->begin[i] - 1 + loom_plan_message_cycles(&r->plan, &r->plan.messages[i])
					: 0;
	}
	loom_fft_begin(r->begin, r->end, &r->fft, r->tail);
}

static int prepare(struct fft_run *r, const struct cli_request *request, const struct loom_topo *topo, char **map,
                   struct loom_err *err)
{
	size_t n = LOOM_FFT_MESSAGES(&r->fft);
	r->begin = calloc(n, sizeof *r->begin);
	r->tail = calloc(n, sizeof *r->tail);
	r->end = calloc(r->fft.n_nodes, sizeof *r->end);
	if (!r->begin || !r->tail || !r->end)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the %zu messages of an FFT", n);
	int rc = find_map(map, request, r, err);
	if (rc != 0)
		return rc;
	loom_fft_begin(r->begin, r->end, &r->fft, r->tail);
	rc = plan_round(r, topo, *map, err);
	if (rc != 0)
		return rc;
	begin_alone(r);
	rc = plan_round(r, topo, *map, err);
	return rc != 0 ? rc : cli_session_check(request, &r->plan, err);
}

static int read_tails(struct fft_run *r, struct loom_err *err)
{
	size_t *message = malloc((r->trace.n_arrivals + 1) * sizeof *message);
	int rc = message ? loom_verdict_arrivals(message, &r->plan, &r->trace, err)
	                 : loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", r->trace.n_arrivals);
	memset(r->tail, 0, LOOM_FFT_MESSAGES(&r->fft) * sizeof *r->tail);
	r->n_late = 0;
	for (size_t i = 0; rc == 0 && i < r->trace.n_arrivals; i++) {
		if (message[i] == SIZE_MAX)
			continue; // the verdict tells
		r->tail[message[i]] = r->trace.arrivals[i].last_cycle;
		r->n_late += r->trace.arrivals[i].release != r->begin[message[i]];
	}
	free(message);
	return rc;
}

// Judges the last run: whether every exchange began when it should have, by the measured tails.
static int judge(struct fft_run *r, bool *settled, struct loom_err *err)
{
	size_t n = LOOM_FFT_MESSAGES(&r->fft);
	uint64_t *before = malloc(n * sizeof *before);
	if (!before)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the %zu messages of an FFT", n);
	memcpy(before, r->begin, n * sizeof *before);
	int rc = read_tails(r, err);
	if (rc == 0)
		loom_fft_begin(r->begin, r->end, &r->fft, r->tail);
	*settled = rc == 0 && memcmp(before, r->begin, n * sizeof *before) == 0;
	free(before);
	return rc;
}

static void sum_up(struct fft_run *r)
{
	r->bit_reversal = r->total = 0;
	for (uint32_t v = 0; v < r->fft.n_nodes; v++) {
		r->bit_reversal = r->tail[v] > r->bit_reversal ? r->tail[v] : r->bit_reversal;
		r->total = r->end[v] > r->total ? r->end[v] : r->total;
	}
}

static int run_rounds(struct fft_run *r, struct cli_session *session, const struct loom_topo *topo, const char *map,
                      struct loom_err *err)
{
	unsigned most = r->fft.n_dims + 1 + ROUNDS_MORE;
	bool settled = false;
	for (r->rounds = 1;; r->rounds++) {
		loom_trace_free(&r->trace);
		loom_verdict_free(&r->verdict);
		int rc = cli_session_run(session, &r->plan, &r->trace, &r->verdict, err);
		if (rc != 0)
			return rc;
		if (r->verdict.n_mismatches)
			break; // the chip did not do what it was asked to do: nothing can be computed from it
		rc = judge(r, &settled, err);
		if (rc != 0)
			return rc;
		if (settled)
			break;
		if (r->rounds == most)
			return loom_fail(
				err, LOOM_EINTERNAL,
				"the exchanges of the FFT do not settle: after %u runs they still begin in other "
				"cycles than the messages before them allow",
				most);
		rc = plan_round(r, topo, map, err);
		if (rc != 0)
			return rc;
	}
	sum_up(r);
	return 0;
}

// --- Report -------------------------------------------------------------------------------------------------------

static void put_row(const char *name, uint64_t cycles, const struct loom_fft *fft)
{
	(void)printf("%-16s%10" PRIu64 "%12.1f\n", name, cycles, (double)cycles * fft->cycle_us);
}

static int show_table(const struct cli_request *request, const struct fft_run *r, struct loom_err *err)
{
	const struct loom_fft *fft = &r->fft;
	uint64_t each = fft->points / fft->n_nodes;
	(void)printf("fabric          %s, %" PRIu32 " processors, machine %s\n", r->plan.topo.name, fft->n_nodes,
	             cli_machine_name(request->machine));
	(void)printf("pattern         FFT of %" PRIu64 " points, %" PRIu64 " on each processor, by stages\n",
	             fft->points, each);
	(void)printf("map             %.60s\n", r->title ? r->title : "best");
	(void)printf("messages        %" PRIu64 " of %" PRIu32 " flits, %" PRIu32 " cycles of software before each\n",
	             r->verdict.messages, fft->flits, fft->software);
	(void)printf("\n%-16s%10s%12s\n", "", "cycles", "us");
	put_row("computation", fft->computing, fft);
	put_row("exchanges", r->total - r->bit_reversal - fft->computing, fft);
	put_row("bit reversal", r->bit_reversal, fft);
	put_row("total", r->total, fft);
	(void)printf("\nmeasured        settled after %u run%s\n", r->rounds, r->rounds == 1 ? "" : "s");
	if (r->n_late)
		(void)printf("late            %zu message%s, which the processor's own message before held up\n",
		             r->n_late, r->n_late == 1 ? "" : "s");
	(void)printf("verdict         %s\n", r->verdict.n_mismatches ? "FAIL" : "pass");
	for (size_t i = 0; i < r->verdict.n_mismatches && i < LOOM_MISMATCHES_KEPT; i++)
		(void)printf("  %s\n", r->verdict.mismatches[i]);
	return cli_flush(err);
}

static int show_json(FILE *stream, const struct cli_request *request, const struct fft_run *r, const char *map,
                     struct loom_err *err)
{
	const struct loom_fft *fft = &r->fft;
	json_t *mismatches = json_array();
	for (size_t i = 0; i < r->verdict.n_mismatches && i < LOOM_MISMATCHES_KEPT; i++)
		(void)json_array_append_new(mismatches, json_string(r->verdict.mismatches[i]));
	char *asked = cli_asked_text(request, map, true, err);
	if (!asked) {
		json_decref(mismatches);
		return LOOM_ENOMEM;
	}
	json_t *all = json_pack("{s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}, s:f, "
	                        "s:I, s:I, s:s, s:o}",
	                        "request", json_loads(asked, 0, NULL), "fabric", r->plan.topo.name, "pattern", "fft",
	                        "map", r->title ? r->title : "best", "machine", cli_machine_name(request->machine),
	                        "nodes", (json_int_t)fft->n_nodes, "points", (json_int_t)fft->points, "messages",
	                        (json_int_t)r->verdict.messages, "flits", (json_int_t)fft->flits, "software_cycles",
	                        (json_int_t)fft->software, "cycles", "computation", (json_int_t)fft->computing,
	                        "exchanges", (json_int_t)(r->total - r->bit_reversal - fft->computing), "bit_reversal",
	                        (json_int_t)r->bit_reversal, "total", (json_int_t)r->total, "cycle_us", fft->cycle_us,
	                        "runs", (json_int_t)r->rounds, "late", (json_int_t)r->n_late, "verdict",
	                        r->verdict.n_mismatches ? "fail" : "pass", "mismatches", mismatches);
	char *text = all ? loom_json_text(all) : NULL;
	free(asked);
	json_decref(all);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a JSON object");
	(void)fprintf(stream, "%s\n", text);
	free(text);
	return cli_flush(err);
}

static int check_request(const struct cli_request *request, struct loom_err *err)
{
	enum cli_option option;
	if (cli_is_file(request) || strcmp(request->words[1], "fft") != 0)
		return loom_fail(
			err, LOOM_EINPUT,
			"--stages: only the pattern fft has stages; such as: flitloom run cube:8 fft --stages");
	if (request->compare && request->map)
		return loom_fail(err, LOOM_EINPUT,
		                 "--map and --compare: a comparison is of the identity and the best map");
	if (cli_is_refused(&option, request, CLI_WITH_STAGES))
		return loom_fail(err, LOOM_EINPUT, "--%s and --stages: the stages of an FFT leave no choice of it",
		                 cli_option_name(option));
	return 0;
}

static int make_fft(struct loom_fft *out, const struct cli_request *request, uint32_t n_nodes, struct loom_err *err)
{
	struct loom_fft_costs costs = LOOM_FFT_COSTS_DEFAULT;
	int rc = request->costs ? loom_fft_costs_parse(&costs, request->costs, err) : 0;
	return rc == 0 ? loom_fft_make(out, n_nodes, request->points, &costs, err) : rc;
}

int cli_fft(const struct cli_request *request, struct loom_err *err)
{
	struct fft_run runs[2] = {{.title = request->compare ? "identity" : request->map}, {.title = "best"}};
	size_t n = request->compare ? 2 : 1;
	struct cli_session session = {0};
	struct loom_topo topo;
	struct cli_compared compared = {0};
	char *map[2] = {NULL, NULL};
	bool differs = false;
	int rc = check_request(request, err);
	if (rc == 0)
		rc = cli_fabric_parse(&topo, request, request->words[0], err);
	if (rc != 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < n; i++)
		if ((rc = make_fft(&runs[i].fft, request, loom_topo_hosts(&topo), err)) == 0)
			rc = prepare(&runs[i], request, &topo, &map[i], err);
	if (rc == 0 && n == 2 && request->json)
		rc = cli_compared_begin(&compared, err);
	if (rc == 0)
		rc = cli_session_open(&session, request, &topo, LOOM_RULE_ASCENDING, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = run_rounds(&runs[i], &session, &topo, map[i], err);
		if (rc == 0 && i > 0 && !request->json && !request->quiet)
			(void)putchar('\n');
		if (rc == 0 && (request->json || !request->quiet))
			rc = request->json ? show_json(n == 2 ? compared.stream : stdout, request, &runs[i],
			                               n == 2 ? runs[i].title : NULL, err)
			                   : show_table(request, &runs[i], err);
		differs = differs || runs[i].verdict.n_mismatches > 0;
	}
	struct loom_err late;
	int closed = cli_session_close(&session, rc == 0 ? err : &late);
	rc = rc == 0 ? closed : rc;
	if (rc == 0 && compared.stream)
		rc = cli_compared_put(stdout, &compared, request, true, strcmp(map[0], map[1]) == 0, err);
	cli_compared_free(&compared);
	for (size_t i = 0; i < n; i++) {
		free_run(&runs[i]);
		free(map[i]);
	}
	loom_topo_free(&topo);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
