// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// One pattern on several kinds of fabric, of 2, 4, 8, ... nodes: a table, JSON, and a plot of cycles against nodes.
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/report_text.h"

#define KINDS_MAX 16
#define SIZES_MAX 10 // powers of two up to LOOM_NODES_MAX

struct row {
	struct loom_topo topo;
	char planner[32];
	uint32_t passes, contention;
	uint64_t messages, flits;
	uint64_t predicted, measured; // cycles; predicted may be LOOM_CYCLES_UNKNOWN
	size_t n_mismatches;
	char first_mismatch[200];
};

struct sweep {
	const struct cli_request *request;
	struct cli_progress progress;
	char kinds[KINDS_MAX][32];
	size_t n_kinds, n_sizes;
	struct row rows[KINDS_MAX * SIZES_MAX]; // of a kind, ascending; then the next kind
};

// --- What to run ---------------------------------------------------------------------------------------------------

static const struct loom_topo_kind *find_kind(const char *name)
{
	const struct loom_topo_kind *kind;
	for (size_t i = 0; (kind = loom_topo_kind_at(i)); i++)
		if (strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}

// The fabric of this kind and so many nodes: its size is that number, or the power of two that it is.
static int make_fabric(struct loom_topo *out, const char *name, uint32_t n_nodes, struct loom_err *err)
{
	char text[48];
	unsigned exponent = 0;
	while (UINT32_C(1) << exponent < n_nodes)
		exponent++;
	const struct loom_topo_kind *kind = find_kind(name);
	(void)snprintf(text, sizeof text, "%s:%" PRIu32, name,
	               kind && !kind->size_is_power_of_two ? exponent : n_nodes);
	int rc = loom_topo_parse(out, text, err);
	if (rc == 0 && out->n_nodes != n_nodes)
		rc = loom_fail(err, LOOM_EINPUT, "%s has no fabric of %" PRIu32 " nodes", name, n_nodes);
	return rc;
}

static int read_kinds(struct sweep *s, const char *list, struct loom_err *err)
{
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");
		if (length == 0)
			return loom_fail(err, LOOM_EINPUT, "sweep: \"%.60s\": a kind is missing; such as omega,cube",
			                 list);
		if (s->n_kinds == KINDS_MAX)
			return loom_fail(err, LOOM_EINPUT, "sweep: \"%.60s\": %d kinds of fabric at most", list,
			                 KINDS_MAX);
		char *name = s->kinds[s->n_kinds++];
		(void)snprintf(name, sizeof s->kinds[0], "%.*s", (int)(length < 32 ? length : 31), at);
		if (strchr(name, ':'))
			return loom_fail(err, LOOM_EINPUT,
			                 "sweep: \"%s\": kinds without a size, such as omega,cube; --nodes says of "
			                 "which sizes",
			                 name);
		for (size_t k = 0; k + 1 < s->n_kinds; k++)
			if (strcmp(s->kinds[k], name) == 0)
				return loom_fail(err, LOOM_EINPUT, "sweep: \"%s\" is there twice", name);
		at += length;
		if (*at == '\0')
			return 0;
	}
}

static int set_up(struct sweep *s, struct loom_err *err)
{
	const struct cli_request *request = s->request;
	if (!(request->given & CLI_BIT(CLI_NODES)))
		return loom_fail(err, LOOM_EINPUT, "sweep: of how many nodes? such as --nodes 2:64");
	int rc = read_kinds(s, request->words[0], err);
	for (size_t k = 0; rc == 0 && k < s->n_kinds; k++) {
		s->n_sizes = 0;
		for (uint32_t n = request->nodes_first; rc == 0 && n <= request->nodes_last; n *= 2, s->n_sizes++)
			rc = make_fabric(&s->rows[k * SIZES_MAX + s->n_sizes].topo, s->kinds[k], n, err);
	}
	return rc;
}

// --- Running -------------------------------------------------------------------------------------------------------

static int plan_row(struct loom_plan *plan, const struct sweep *s, const struct row *row, struct loom_err *err)
{
	struct cli_request request = *s->request;
	char name[sizeof row->topo.name];
	char *words[] = {name, s->request->words[1]};
	memcpy(name, row->topo.name, sizeof name);
	request.words = words;
	const struct loom_image_options options = cli_image_options(&request);
	int rc = cli_make_plan(plan, &request, NULL, err);
	if (rc == 0 && (rc = loom_image_check(plan, &options, err)) != 0)
		loom_plan_free(plan);
	return rc;
}

static int run_row(struct sweep *s, struct row *row, struct loom_err *err)
{
	const struct cli_request *request = s->request;
	struct cli_session session = {0};
	struct loom_plan plan = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	int rc = plan_row(&plan, s, row, err);
	if (rc != 0)
		return rc;
	if (rc == 0 && request->plan_only)
		rc = loom_verdict_predict(&verdict, &plan, err);
	if (rc == 0 && !request->plan_only) {
		rc = cli_session_open(&session, request, row->topo.name, err);
		if (rc == 0)
			rc = cli_session_run(&session, &plan, &trace, &verdict, err);
		(void)cli_session_close(&session, NULL); // sweep records no waveforms
	}
	if (rc == 0) {
		(void)snprintf(row->planner, sizeof row->planner, "%s", plan.planner);
		(void)snprintf(row->first_mismatch, sizeof row->first_mismatch, "%s", verdict.mismatches[0]);
		row->passes = plan.n_passes;
		row->contention = request->plan_only ? verdict.predicted_contention : verdict.measured_contention;
		row->messages = verdict.messages;
		row->flits = verdict.flits;
		row->predicted = verdict.predicted_cycles;
		row->measured = verdict.measured_cycles;
		row->n_mismatches = verdict.n_mismatches;
	}
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
	return rc;
}

// --- Table, JSON, plot ---------------------------------------------------------------------------------------------

static void put_heading(const struct sweep *s)
{
	bool measured = !s->request->plan_only;
	char pattern[LOOM_REPORT_NAME];
	loom_report_text(pattern, sizeof pattern, s->request->words[1]);
	(void)printf("%s, %" PRIu32 " flits a message%s\n\n", pattern, s->request->flits,
	             measured ? "" : ": predicted, not run");
	(void)printf("%-14s %6s  %-10s %7s %11s %12s", "fabric", "nodes", "planner", "passes", "contention",
	             "predicted");
	(void)printf(measured ? " %12s  %s\n" : "\n", "measured", "verdict");
}

static int put_row(const struct sweep *s, const struct row *row, struct loom_err *err)
{
	(void)printf("%-14s %6" PRIu32 "  %-10s %7" PRIu32 " %11" PRIu32, row->topo.name, row->topo.n_nodes,
	             row->planner, row->passes, row->contention);
	if (row->predicted == LOOM_CYCLES_UNKNOWN)
		(void)printf(" %12s", "-");
	else
		(void)printf(" %12" PRIu64, row->predicted);
	if (!s->request->plan_only)
		(void)printf(" %12" PRIu64 "  %s", row->measured, row->n_mismatches ? "FAIL" : "pass");
	(void)putchar('\n');
	if (row->n_mismatches)
		(void)printf("  %zu difference%s: %s\n", row->n_mismatches, row->n_mismatches == 1 ? "" : "s",
		             row->first_mismatch);
	return cli_flush(err);
}

static json_t *number(uint64_t value)
{
	return value > (uint64_t)INT64_MAX ? json_null() : json_integer((json_int_t)value);
}

static json_t *row_to_json(const struct row *row, bool measured)
{
	const char *verdict = !measured ? NULL : row->n_mismatches ? "fail" : "pass";
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:o}", "fabric", row->topo.name, "nodes",
	                 number(row->topo.n_nodes), "planner", row->planner, "passes", number(row->passes), "messages",
	                 number(row->messages), "flits", number(row->flits), "contention", number(row->contention),
	                 "predicted_cycles", number(row->predicted), "measured_cycles",
	                 measured ? number(row->measured) : json_null(), "verdict", verdict, "mismatch_count",
	                 number(row->n_mismatches));
}

static int put_json(const struct sweep *s, struct loom_err *err)
{
	json_t *runs = json_array();
	char pattern[LOOM_REPORT_NAME];
	int bad = 0;
	loom_report_text(pattern, sizeof pattern, s->request->words[1]);
	for (size_t k = 0; k < s->n_kinds; k++)
		for (size_t i = 0; i < s->n_sizes; i++)
			bad |= json_array_append_new(runs,
			                             row_to_json(&s->rows[k * SIZES_MAX + i], !s->request->plan_only));
	json_t *root = json_pack("{s:s, s:o, s:o}", "pattern", pattern, "flits_per_message", number(s->request->flits),
	                         "runs", runs);
	char *text = bad || !root ? NULL : json_dumps(root, JSON_COMPACT);
	json_decref(root);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	(void)puts(text);
	free(text);
	return cli_flush(err);
}

static int plot(const struct sweep *s, struct loom_err *err)
{
	struct cli_curve curves[KINDS_MAX] = {0};
	uint32_t nodes[KINDS_MAX][SIZES_MAX];
	uint64_t cycles[KINDS_MAX][SIZES_MAX];
	char title[256];
	for (size_t k = 0; k < s->n_kinds; k++) {
		struct cli_curve *curve = &curves[k];
		(void)snprintf(curve->name, sizeof curve->name, "%s", s->kinds[k]);
		curve->nodes = nodes[k];
		curve->cycles = cycles[k];
		for (size_t i = 0; i < s->n_sizes; i++) {
			const struct row *row = &s->rows[k * SIZES_MAX + i];
			uint64_t value = s->request->plan_only ? row->predicted : row->measured;
			if (value == LOOM_CYCLES_UNKNOWN)
				continue;
			nodes[k][curve->n] = row->topo.n_nodes;
			cycles[k][curve->n++] = value;
		}
	}
	(void)snprintf(title, sizeof title, "%.160s, %" PRIu32 " flits a message", s->request->words[1],
	               s->request->flits);
	return cli_plot(s->request->svg, title, s->request->plan_only ? "cycles, predicted" : "cycles, measured",
	                curves, s->n_kinds, err);
}

int cli_sweep(const struct cli_request *request, struct loom_err *err)
{
	struct sweep *s = calloc(1, sizeof *s);
	bool differs = false, table = !request->json && !request->quiet;
	if (!s)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a sweep");
	s->request = request;
	int rc = set_up(s, err);
	if (rc == 0)
		rc = cli_check_outputs(request, err);
	if (rc == 0 && request->svg)
		rc = cli_plot_check(err);
	if (rc != 0)
		goto out;
	// What cannot be planned is refused before anything is run or printed.
	for (size_t k = 0; rc == 0 && k < s->n_kinds; k++)
		for (size_t i = 0; rc == 0 && i < s->n_sizes; i++) {
			struct loom_plan plan = {0};
			rc = plan_row(&plan, s, &s->rows[k * SIZES_MAX + i], err);
			if (rc == 0)
				loom_plan_free(&plan);
		}
	if (rc != 0)
		goto out;
	cli_progress_init(&s->progress, request);
	for (size_t k = 0; rc == 0 && k < s->n_kinds; k++)
		for (size_t i = 0; rc == 0 && i < s->n_sizes; i++) {
			struct row *row = &s->rows[k * SIZES_MAX + i];
			char text[96];
			(void)snprintf(text, sizeof text, "%s, %zu of %zu", row->topo.name, k * s->n_sizes + i + 1,
			               s->n_kinds * s->n_sizes);
			cli_progress_text(&s->progress, text);
			rc = run_row(s, row, err);
			cli_progress_end(&s->progress);
			if (rc == 0 && table && k + i == 0)
				put_heading(s);
			if (rc == 0 && table)
				rc = put_row(s, row, err);
			differs = differs || row->n_mismatches > 0;
		}
	if (rc == 0 && request->json)
		rc = put_json(s, err);
	if (rc == 0 && request->svg)
		rc = plot(s, err);
out:
	free(s);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
