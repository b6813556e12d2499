// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <flitloom/math/formula.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/pattern.h>
#include <flitloom/planner.h>
#include <flitloom/topo.h>

#include "base/file.h"
#include "base/text.h"
#include "cli_option_table.h"
#include "cli_picture.h"
#include "cli_session.h"
#include "cli_terminal.h"

bool cli_is_file(const struct cli_request *request)
{
	return request->n_words == 1;
}

const char *cli_title(const struct cli_request *request)
{
	return cli_is_file(request) ? request->words[0] : request->map;
}

static bool same_message(const struct loom_plan_message *a, const struct loom_plan_message *b)
{
	return a->pass == b->pass && a->source == b->source && a->destination == b->destination &&
	       a->flits == b->flits && a->rule == b->rule && a->from_slot == b->from_slot &&
	       a->keep_slot == b->keep_slot && a->origin == b->origin;
}

bool cli_same_plan(const struct loom_plan *a, const struct loom_plan *b)
{
	bool same = a->n_messages == b->n_messages && a->n_passes == b->n_passes &&
	            a->free_running == b->free_running && a->topo.n_nodes == b->topo.n_nodes &&
	            memcmp(a->map, b->map, a->topo.n_nodes * sizeof *a->map) == 0;
	for (size_t i = 0; same && i < a->n_messages; i++)
		same = same_message(&a->messages[i], &b->messages[i]);
	return same;
}

void cli_say_budget(const struct cli_request *request, const struct loom_plan *plan)
{
	if (request->budget || strcmp(loom_plan_how_made(plan)->placement.how, "search") != 0)
		return;
	(void)printf("search          a fixed number of steps; --budget SECONDS sets the time instead%s\n",
	             plan->objective[0] ? "" : ", and\n                more time never puts more on the busiest link");
}

const uint32_t *cli_pass(const struct cli_request *request)
{
	return cli_given(request, CLI_PASS) ? &request->pass : NULL;
}

const char *cli_rule(const struct cli_request *request)
{
	return cli_given(request, CLI_RULE) ? loom_rule_name(request->rule) : NULL;
}

static int check_pass(const struct cli_request *request, const struct loom_plan *plan, struct loom_err *err)
{
	if (cli_pass(request) && request->pass >= plan->n_passes)
		return loom_fail(err, LOOM_EINPUT,
		                 "--pass: there is no pass %" PRIu32 "; the plan has %" PRIu32 ": 0..%" PRIu32,
		                 request->pass, plan->n_passes, plan->n_passes - 1);
	return 0;
}

// Refuses options whose values a plan file has fixed.
static int check_file_options(const struct cli_request *request, struct loom_err *err)
{
	enum cli_option option;
	if (!cli_is_refused(&option, request, CLI_WITH_PLAN_FILE))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "--%s: the plan %.200s has settled that; give FABRIC PATTERN for another",
	                 cli_option_name(option), request->words[0]);
}

static int read_plan(struct loom_plan *out, const struct cli_request *request, struct loom_err *err)
{
	struct loom_topo topo;
	const char *word = request->words[0];
	int rc = check_file_options(request, err);
	if (rc != 0)
		return rc;
	if (access(word, F_OK) != 0 && loom_topo_parse(&topo, word, NULL) == 0) {
		loom_topo_free(&topo);
		return loom_fail(err, LOOM_EINPUT, "no pattern for %.60s; such as: flitloom %s %.60s bit-reverse", word,
		                 request->command->name, word);
	}
	return loom_plan_read(out, word, err);
}

static bool is_stopped(void *user)
{
	(void)user;
	return cli_interrupted();
}

int cli_read_tables(struct loom_route_tables *out, const struct loom_topo *topo, const char *path, struct loom_err *err)
{
	struct loom_table_file own;
	struct loom_err why = {0};
	char where[64];
	if (!path)
		return 0;
	int rc = loom_table_file_read(&own, topo, path, err);
	if (rc != 0)
		return rc;
	rc = loom_route_tables_of_file(out, &own, topo, &why);
	loom_table_file_free(&own);
	return rc == 0 ? 0 : loom_fail(err, rc, "%s: %s", loom_text_where(where, sizeof where, path), why.text);
}

// Checks the tables before a search whose plan would have none.
static int check_tables_out(const struct loom_topo *topo, const char *path, struct loom_err *err)
{
	struct loom_err why = {0};
	int rc = path ? loom_route_tables_check_fabric(topo, &why) : 0;
	return rc == 0 ? 0 : loom_fail(err, rc, "--tables-out: %s", why.text);
}

// Refuses --flits if the pattern gives the lengths of its messages, because it would change nothing.
static int check_flits(const struct cli_request *request, const struct loom_pattern *pattern, struct loom_err *err)
{
	const char *spec = request->words[1];
	if (!pattern->own_lengths || !cli_given(request, CLI_FLITS))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "--flits: %.60s says itself how long its messages are%s", spec,
	                 loom_pattern_is_in_bytes(spec) ? "; --flit-bytes has the bytes of a flit" : "");
}

// Checks the option for lengths: messages of some patterns have bytes, those of others flits.
static int check_lengths(const struct cli_request *request, const char *pattern, struct loom_err *err)
{
	enum cli_option option;
	const bool is_matrix = strncmp(pattern, "matrix:", 7) == 0;
	if ((is_matrix || strncmp(pattern, "goal:", 5) == 0) && cli_given(request, CLI_BYTES))
		return loom_fail(err, LOOM_EINPUT, "--bytes: %.40s says itself how many there are", pattern);
	if ((is_matrix || strncmp(pattern, "demand:", 7) == 0) && cli_given(request, CLI_CALC_CYCLES))
		return loom_fail(err, LOOM_EINPUT, "--calc-cycles: there are no computations in %.40s", pattern);
	if (loom_pattern_is_in_bytes(pattern) || !cli_is_refused(&option, request, CLI_WITH_FLITS))
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "--%s: for goal:FILE and collectives such as allreduce:ring; messages of %.40s "
	                 "have flits (--flits)",
	                 cli_option_name(option), pattern);
}

static int make_plan(struct loom_plan *out, const struct cli_request *request, const char *map, struct loom_err *err)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct cli_progress progress;
	cli_progress_init(&progress, request);
	struct loom_route_tables tables = {0};
	struct loom_plan_options plan_options = {.map = map ? map : request->map,
	                                         .planner = request->planner,
	                                         .load = request->load,
	                                         .detours = request->detours,
	                                         .cost = request->cost,
	                                         .dark = request->dark,
	                                         .dark_given = cli_given(request, CLI_DARK),
	                                         .relay = request->relay,
	                                         .budget_seconds = request->budget_seconds,
	                                         .progress = cli_progress_text,
	                                         .user = &progress,
	                                         .objective = request->objective,
	                                         .half_duplex = request->half_duplex,
	                                         .rule = cli_rule(request),
	                                         .select = request->select,
	                                         .seed = request->seed};
	// The first Ctrl-C ends a search with what it has found, a second one the command.
	const bool searches = request->budget || loom_plan_searches(&plan_options);
	plan_options.stopped = searches ? is_stopped : NULL;
	if (cli_is_file(request))
		return read_plan(out, request, err);
	if (request->compare && request->map)
		return loom_fail(err, LOOM_EINPUT,
		                 "--map and --compare: a comparison is of the identity and the best map");
	unsigned n;
	if (loom_formula_is_for(&n, request->words[0]))
		return loom_fail(
			err, LOOM_EINPUT,
			"%.40s: cubes of more than %d dimensions are planned by formula, without messages that "
			"could be run (flitloom plan)",
			request->words[0], LOOM_DIMS_MAX);
	int rc = cli_fabric_parse(&topo, request, request->words[0], err);
	if (rc != 0)
		return rc;
	uint32_t extent[LOOM_DIMS_MAX];
	const struct loom_pattern_options pattern_options = {.flits = request->flits,
	                                                     .seed = request->seed,
	                                                     .n_dims = loom_topo_shape(extent, &topo),
	                                                     .extent = extent,
	                                                     .flit_bits = topo.flit_bits,
	                                                     .bytes = request->bytes,
	                                                     .has_bytes = cli_given(request, CLI_BYTES),
	                                                     .flit_bytes = request->flit_bytes,
	                                                     .calc_cycles = request->calc_cycles,
	                                                     .calc_units = request->calc_units};
	rc = check_tables_out(&topo, request->tables_out, err);
	if (rc == 0)
		rc = check_lengths(request, request->words[1], err);
	if (rc == 0)
		rc = loom_pattern_parse(&pattern, request->words[1], loom_topo_hosts(&topo), &pattern_options, err);
	if (rc != 0) {
		loom_topo_free(&topo);
		return rc;
	}
	rc = check_flits(request, &pattern, err);
	if (rc == 0)
		rc = cli_read_tables(&tables, &topo, request->tables, err);
	if (rc != 0) {
		loom_pattern_free(&pattern);
		loom_topo_free(&topo);
		return rc;
	}
	plan_options.tables = request->tables ? &tables : NULL;
	if (searches)
		cli_interrupt_begin();
	rc = loom_plan_make(out, &topo, &pattern, &plan_options, err);
	cli_progress_end(&progress);
	if (searches)
		cli_interrupt_end();
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
	loom_route_tables_free(&tables);
	return rc;
}

int cli_make_plan(struct loom_plan *out, const struct cli_request *request, const char *map, struct loom_err *err)
{
	enum cli_option option;
	if (!request->svg && cli_is_refused(&option, request, CLI_WITHOUT_SVG))
		return loom_fail(err, LOOM_EINPUT, "--%s: it chooses what --svg draws, and there is no --svg",
		                 cli_option_name(option));
	int rc = make_plan(out, request, map, err);
	if (rc != 0)
		return rc;
	rc = check_pass(request, out, err);
	if (rc == 0 && request->perfetto && loom_plan_is_adaptive(out))
		rc = loom_fail(err, LOOM_EINPUT,
		               "--perfetto: routers choose the ways of these messages, and do not report them");
	if (rc != 0)
		loom_plan_free(out);
	return rc;
}

// --- Files to be written -------------------------------------------------------------------------------------------

static int fail_output(enum cli_option option, const char *path, const char *why, struct loom_err *err)
{
	return loom_fail(err, LOOM_EFILE, "--%s: %.200s cannot be written: %s", cli_option_name(option), path, why);
}

// True for the endings of other formats that are written here, or could be expected.
static bool is_other_than_html(const char *ending)
{
	static const char *const others[] = {".svg", ".pdf", ".png", ".json", ".csv", ".txt", ".md"};
	bool is = false;
	for (size_t i = 0; i < sizeof others / sizeof others[0] && !is; i++)
		is = strcasecmp(ending, others[i]) == 0;
	return is;
}

// Checks that a file can be written. A regular file is replaced, which its folder must allow.
static int check_output(enum cli_option option, const char *path, struct loom_err *err)
{
	struct stat it;
	if (loom_file_is_standard(path))
		return 0;
	bool exists = stat(path, &it) == 0;
	if (!exists && errno != ENOENT)
		return fail_output(option, path, strerror(errno), err);
	if (exists ? S_ISDIR(it.st_mode) : path[strlen(path) - 1] == '/')
		return fail_output(option, path, "it is a folder", err);
	if (exists && access(path, W_OK) != 0)
		return fail_output(option, path, strerror(errno), err);
	const char *dot = strrchr(path, '.');
	if (option == CLI_TRACE && dot && strcmp(dot, ".vcd") == 0)
		return fail_output(option, path, "waveforms are in the format FST: NAME.fst", err);
	if (option == CLI_HTML && dot && is_other_than_html(dot))
		return fail_output(option, path, "pages are HTML: NAME.html", err);
	if (option == CLI_TRACE && exists && !S_ISREG(it.st_mode))
		return fail_output(option, path, "it is no regular file", err);
	if (exists && !S_ISREG(it.st_mode))
		return 0;

	char *folder = exists ? realpath(path, NULL) : strdup(path);
	if (!folder)
		return fail_output(option, path, strerror(errno), err);
	char *slash = strrchr(folder, '/');
	if (slash == folder)
		slash++;
	if (slash)
		*slash = '\0';
	int rc = access(slash ? folder : ".", W_OK | X_OK);
	int reason = errno;
	free(folder);
	if (rc != 0)
		return fail_output(option, path, reason == ENOENT ? "there is no such folder" : strerror(reason), err);
	return 0;
}

size_t cli_outputs(struct cli_output out[CLI_OUTPUTS_MAX], const struct cli_request *request)
{
	const struct cli_option_row *row;
	size_t n = 0;
	for (size_t i = 0; (row = cli_option_at(i)); i++)
		if (row->commands & request->command->bit && row->type && row->type->names_output &&
		    cli_option_value(request, row))
			out[n++] = (struct cli_output){row->option, row->type->say(NULL, request, row)};
	return n;
}

static int fail_twice(enum cli_option a, enum cli_option b, const char *path, struct loom_err *err)
{
	return loom_fail(err, LOOM_EINPUT, "--%s and --%s both write %.200s", cli_option_name(a), cli_option_name(b),
	                 path);
}

// Checks the file that --trace writes beside the waveform; if a link leads to the waveform, the file lies where the
// link leads.
static int check_gtkw(const char *trace, struct loom_err *err)
{
	char *waveform = realpath(trace, NULL), *path = cli_gtkw_path(waveform ? waveform : trace);
	int rc = path ? check_output(CLI_TRACE, path, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a name");
	if (rc == 0 && access(path, F_OK) == 0 && !cli_gtkw_is_ours(path))
		rc = fail_output(CLI_TRACE, path, "it is there, and not from flitloom: rename it, or the waveform",
		                 err);
	free(path);
	free(waveform);
	return rc;
}

static int check_beside_trace(const struct cli_output *files, size_t n, const char *trace, struct loom_err *err)
{
	char *gtkw = cli_gtkw_path(trace);
	int rc = gtkw ? check_gtkw(trace, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a name");
	for (size_t i = 0; gtkw && i < n; i++)
		if (strcmp(files[i].path, gtkw) == 0)
			rc = fail_twice(CLI_TRACE, files[i].option, gtkw, err);
	free(gtkw);
	return rc;
}

int cli_check_outputs(const struct cli_request *request, struct loom_err *err)
{
	struct cli_output files[CLI_OUTPUTS_MAX];
	size_t n = cli_outputs(files, request);
	for (size_t i = 0; i < n; i++) {
		int rc = check_output(files[i].option, files[i].path, err);
		if (rc == 0 && (files[i].option == CLI_SVG || files[i].option == CLI_BY_SVG))
			rc = cli_picture_check(files[i].path, err);
		if (rc != 0)
			return rc;
		for (size_t k = 0; k < i; k++)
			if (strcmp(files[k].path, files[i].path) == 0)
				return fail_twice(files[k].option, files[i].option, files[i].path, err);
	}
	return request->trace ? check_beside_trace(files, n, request->trace, err) : 0;
}
