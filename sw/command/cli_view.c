// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom view: the document of --html, made from an existing report in JSON. The report does not have the messages
// one by one, so the plan is made again by the command that the report repeats; if it predicts what the report says, it
// is the same plan. Measured values are then computed, which is exact if the verdict has passed.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli_html.h"
#include "cli_session.h"

#define BYTES_MOST ((size_t)256 << 20)
#define INDENTED_MOST ((size_t)256 << 10) // of a report that is shown as it is

struct view {
	const struct cli_request *request;
	char *text;   // owned: the report
	json_t *root; // owned
	size_t n;     // the number of reports of runs or plans in it; 0: it has none
	bool same;    // as in the report
	struct again {
		const json_t *report;
		char **argv; // owned
		struct cli_request asked;
		struct loom_plan plan;
		struct loom_trace trace;
		bool has_trace;
		struct loom_verdict verdict;
	} again[2];
	char left_out[320]; // why there is no plan; "": there is
};

static void free_view(struct view *v)
{
	for (size_t i = 0; i < 2; i++) {
		free(v->again[i].argv);
		loom_verdict_free(&v->again[i].verdict);
		loom_trace_free(&v->again[i].trace);
		loom_plan_free(&v->again[i].plan);
	}
	json_decref(v->root);
	free(v->text);
}

static int read_report(struct view *v, struct loom_err *err)
{
	const char *path = v->request->words[0];
	size_t length = 0;
	json_error_t error;
	int rc = loom_file_read(&v->text, &length, path, BYTES_MOST, err);
	if (rc != 0)
		return rc;
	while (length > 0 && v->text[length - 1] == '\n')
		v->text[--length] = '\0';
	v->root = loom_json_read(v->text, length, &error);
	if (!v->root && error.line < 0)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %.200s", path);
	if (!v->root)
		return loom_fail(err, LOOM_EINPUT, "%.200s: line %d: no JSON: %.100s", path, error.line, error.text);
	if (!json_is_object(json_object_get(v->root, "request")))
		return loom_fail(err, LOOM_EINPUT,
		                 "%.200s: no report of flitloom: there is no object \"request\" in it", path);
	const json_t *reports = json_object_get(v->root, "reports");
	v->n = json_is_array(reports) ? json_array_size(reports) : json_object_get(v->root, "predicted") ? 1 : 0;
	if (v->n > 2)
		return loom_fail(err, LOOM_EINPUT, "%.200s: a comparison is of two reports, not of %zu", path, v->n);
	for (size_t i = 0; i < v->n; i++)
		v->again[i].report = json_is_array(reports) ? json_array_get(reports, i) : v->root;
	v->same = json_is_true(json_object_get(v->root, "same"));
	return 0;
}

// Reads the command that a report repeats.
static int read_command(struct again *a, const struct view *v, const json_t *report, struct loom_err *err)
{
	const json_t *words = json_object_get(json_object_get(report, "request"), "command");
	const size_t n = json_array_size(words);
	const struct cli_command *command = NULL;
	enum cli_option ask;
	a->argv = calloc(n + 1, sizeof *a->argv);
	if (!a->argv)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a command of %zu words", n);
	for (size_t i = 0; i + 1 < n; i++) {
		const char *word = json_string_value(json_array_get(words, i + 1));
		a->argv[i] = (char *)(uintptr_t)(word ? word : "");
	}
	for (size_t i = 0; n > 1 && v->request->command_at(i); i++)
		if (strcmp(v->request->command_at(i)->name, a->argv[0]) == 0)
			command = v->request->command_at(i);
	if (!command)
		return loom_fail(err, LOOM_EINPUT, "the report does not say by which command it was made");
	return cli_options_parse(&a->asked, &ask, command, v->request->command_at, (int)n - 1, a->argv, err);
}

// True if the plan predicts what the report says.
static bool is_as_reported(const struct again *a, struct loom_err *err)
{
	static const char *const same[] = {"fabric",   "pattern", "planner", "passes",
	                                   "messages", "flits",   "map",     "predicted"};
	char *text = NULL;
	size_t size = 0;
	struct loom_verdict predicted = {0};
	FILE *memory = open_memstream(&text, &size);
	int rc = memory ? loom_verdict_predict(&predicted, &a->plan, a->asked.machine, err) : LOOM_ENOMEM;
	if (rc == 0)
		rc = loom_report_json(memory, &a->plan, &predicted, false, NULL, err);
	if (memory && fclose(memory) != 0)
		rc = LOOM_ENOMEM;
	json_error_t error;
	json_t *now = rc == 0 ? loom_json_read(text, size, &error) : NULL;
	bool as_reported = now != NULL;
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		as_reported = as_reported && json_equal((json_t *)(uintptr_t)json_object_get(a->report, same[i]),
		                                        json_object_get(now, same[i]));
	json_decref(now);
	free(text);
	loom_verdict_free(&predicted);
	return as_reported;
}

// Makes a plan again, and computes measured values where that is exact.
static int make_again(struct again *a, const struct view *v, struct loom_err *err)
{
	const char *verdict = json_string_value(json_object_get(a->report, "verdict"));
	struct loom_err why = {0};
	int rc = read_command(a, v, a->report, &why);
	if (rc == 0 && a->asked.command->bit != CLI_OF_RUN && a->asked.command->bit != CLI_OF_PLAN)
		rc = loom_fail(&why, LOOM_EINPUT, "it is of flitloom %s", a->asked.command->name);
	a->asked.quiet = true;
	if (rc == 0)
		rc = cli_make_plan(&a->plan, &a->asked, NULL, &why);
	if (rc == 0 && !is_as_reported(a, &why))
		rc = loom_fail(&why, LOOM_EINPUT, "the command makes another plan now");
	if (rc == 0 && verdict && strcmp(verdict, "pass") == 0) {
		const struct loom_machine_options options = {.image = cli_image_options(&a->asked),
		                                             .run = {.back_to_back = true}};
		rc = loom_run_compute(&a->trace, &a->verdict, &a->plan, &options, &why);
		a->has_trace = rc == 0;
	} else if (rc == 0) {
		rc = loom_verdict_predict(&a->verdict, &a->plan, a->asked.machine, &why);
	}
	return rc == 0 ? 0 : loom_fail(err, rc, "%.280s", why.text);
}

// --- What it writes ---------------------------------------------------------------------------------------------------

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct view *v = user;
	int rc = 0;
	if (json) {
		(void)fprintf(out, "%s\n", v->text);
		return 0;
	}
	for (size_t i = 0; rc == 0 && v->n && !v->left_out[0] && i < (v->same ? 1 : v->n); i++)
		rc = loom_report_table(out, &v->again[i].plan, &v->again[i].verdict, v->again[i].has_trace, false, err);
	if (v->n && !v->left_out[0])
		return rc;
	char *text = json_dumps(v->root, JSON_INDENT(1));
	(void)fprintf(out, "%s\n",
	              text && strlen(text) <= INDENTED_MOST ? text : "The report is long; it is in the file.");
	free(text);
	return 0;
}

static int write_runs(const struct view *v, const char *title, struct loom_err *err)
{
	struct loom_panel panels[2];
	const size_t n = v->left_out[0] ? 0 : v->same ? 1 : v->n;
	for (size_t i = 0; i < n; i++)
		panels[i] = (struct loom_panel){.title = v->same     ? CLI_SAME_TITLE
		                                         : v->n == 2 ? (i ? "best" : "identity")
		                                                     : cli_title(&v->again[i].asked),
		                                .plan = &v->again[i].plan,
		                                .trace = v->again[i].has_trace ? &v->again[i].trace : NULL,
		                                .machine = v->again[i].asked.machine};
	const struct loom_html html = {
		.panels = panels, .n_panels = n, .left_out = v->left_out[0] ? v->left_out : NULL};
	return cli_html_write(v->request, title, print, true, v, &html, err);
}

// Writes the document of another report; one on a network has its picture, if the network can be made.
static int write_other(struct view *v, struct loom_err *err)
{
	struct loom_topo topo = {0};
	struct again *a = &v->again[0];
	struct loom_err why = {0};
	char title[LOOM_TEXT_NAME];
	const char *name = v->request->words[0];
	if (read_command(a, v, v->root, &why) == 0 && a->asked.command->bit == CLI_OF_CHECK &&
	    cli_fabric_parse(&topo, &a->asked, a->asked.words[0], &why) == 0) {
		a->asked.html = v->request->html;
		int rc = cli_html_network(&a->asked, &topo, print, v, err);
		loom_topo_free(&topo);
		return rc;
	}
	loom_text_show(title, sizeof title, strcmp(name, "-") == 0 ? "report" : name);
	return cli_html_write(v->request, title, print, true, v, NULL, err);
}

static int write_view(struct view *v, struct loom_err *err)
{
	char title[2 * LOOM_TEXT_NAME + 8];
	struct loom_err why = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < v->n; i++)
		rc = make_again(&v->again[i], v, &why);
	if (rc != 0)
		(void)snprintf(v->left_out, sizeof v->left_out, "The network and the messages are left out: %.240s",
		               why.text);
	if (!v->n)
		return write_other(v, err);
	const char *pattern = json_string_value(json_object_get(v->again[0].report, "pattern")),
		   *fabric = json_string_value(json_object_get(v->again[0].report, "fabric"));
	(void)snprintf(title, sizeof title, "%.160s on %.160s", pattern ? pattern : "a pattern",
	               fabric ? fabric : "a fabric");
	return write_runs(v, title, err);
}

// Returns FILE.html for FILE.json; malloc'ed.
static char *page_of(const char *path)
{
	const size_t length = strlen(path), ending = strlen(".json");
	const size_t kept = length > ending && strcmp(path + length - ending, ".json") == 0 ? length - ending : length;
	char *out = malloc(kept + sizeof ".html");
	if (out) {
		memcpy(out, path, kept);
		memcpy(out + kept, ".html", sizeof ".html");
	}
	return out;
}

int cli_view(const struct cli_request *request, struct loom_err *err)
{
	struct cli_request r = *request;
	struct view v = {.request = &r};
	char *page = NULL;
	if (!r.html)
		r.html = loom_file_is_standard(r.words[0]) ? "-" : (page = page_of(r.words[0]));
	int rc = r.html ? cli_check_outputs(&r, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a name");
	if (rc == 0)
		rc = read_report(&v, err);
	if (rc == 0)
		rc = write_view(&v, err);
	free_view(&v);
	free(page);
	return rc;
}
