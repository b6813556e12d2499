// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a list that is too long for a plan, from its file through the fabric.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include <flitloom/long_list.h>

#include "base/json.h"
#include "base/text.h"
#include "cli.h"
#include "cli_terminal.h"

#define PREFIX "messages:"
#define BYTES_LEAST (4 * (off_t)LOOM_MESSAGES_MAX) // of more messages than a plan has, in lines as short as can be

struct long_run {
	const struct cli_request *request;
	struct loom_topo topo;       // owned
	struct loom_long_list *list; // owned
	uint32_t *map;               // owned
	struct loom_long_result result;
	struct cli_progress progress;
};

static bool may_be_long(const struct cli_request *r)
{
	struct stat file;
	return !cli_is_file(r) && strncmp(r->words[1], PREFIX, strlen(PREFIX)) == 0 &&
	       stat(r->words[1] + strlen(PREFIX), &file) == 0 && S_ISREG(file.st_mode) && file.st_size >= BYTES_LEAST;
}

// Makes the map that a plan of one message for each processor has.
static int find_map(struct long_run *l, struct loom_err *err)
{
	const struct cli_request *r = l->request;
	const bool usual = !r->map || strcmp(r->map, "best") == 0;
	const struct loom_plan_options options = {.map = usual ? "identity" : r->map, .planner = "direct"};
	const struct loom_pattern_options pattern_options = {.flits = 1};
	struct loom_pattern pattern;
	struct loom_plan plan;
	int rc = loom_pattern_parse(&pattern, "identity", loom_topo_hosts(&l->topo), &pattern_options, err);
	if (rc != 0)
		return rc;
	rc = loom_plan_make(&plan, &l->topo, &pattern, &options, err);
	loom_pattern_free(&pattern);
	if (rc != 0)
		return rc;
	l->map = malloc(l->topo.n_nodes * sizeof *l->map);
	if (l->map)
		memcpy(l->map, plan.map, l->topo.n_nodes * sizeof *l->map);
	loom_plan_free(&plan);
	return l->map ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a map");
}

static bool watch(void *user, uint64_t n_arrived, uint64_t n_messages, uint64_t cycle)
{
	struct long_run *l = user;
	(void)n_arrived, (void)n_messages;
	const struct loom_progress progress = {.stage = LOOM_STAGE_RUN, .total = 1, .cycle = cycle};
	return cli_progress_watch(&l->progress, &progress);
}

static int run_on_chip(struct long_run *l, const struct loom_long_options *options, struct loom_err *err)
{
	const struct cli_request *r = l->request;
	const struct loom_link_options link_options = {.fabric = l->topo.name,
	                                               .topo = &l->topo,
	                                               .turns = r->rule == LOOM_RULE_TURNS,
	                                               .adaptive = loom_rule_is_adaptive(r->rule),
	                                               .via = loom_rule_has_via(r->rule),
	                                               .progress = cli_progress_model,
	                                               .user = &l->progress};
	const struct loom_link_kind *kind;
	const char *argument;
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	int rc = loom_link_find(&kind, &argument, r->link, NULL, err);
	if (rc == 0 && !kind->stream)
		return loom_fail(
			err, LOOM_EFIT,
			"%.60s has %" PRIu64 " messages, up to %" PRIu64
			" of a processor: more than the %d of a plan, so they have to be fed to the chip while "
			"it runs, which takes the link sim, or model, which computes",
			r->words[1], loom_long_list_facts(l->list)->n_messages,
			loom_long_list_facts(l->list)->most_sent, LOOM_MESSAGES_MAX);
	if (rc == 0)
		rc = loom_run_open(&link, &device, r->link, &link_options, err);
	cli_progress_end(&l->progress);
	if (rc != 0)
		return rc;
	cli_progress_init(&l->progress, r);
	rc = loom_long_run(&l->result, device, l->list, &l->topo, l->map, options, err);
	loom_device_close(device);
	loom_link_close(&link);
	return rc;
}

static int run(struct long_run *l, struct loom_err *err)
{
	const struct cli_request *r = l->request;
	const struct loom_long_options options = {.rule = (enum loom_rule)r->rule,
	                                          .select = r->select,
	                                          .machine = r->machine,
	                                          .seed = r->seed,
	                                          .max_cycles = r->max_cycles,
	                                          .watch = watch,
	                                          .user = l};
	int rc = loom_long_check(l->list, &l->topo, l->map, &options, err);
	if (rc != 0)
		return rc;
	cli_progress_init(&l->progress, r);
	cli_interrupt_begin();
	rc = loom_run_is_computed(r->link) ? loom_long_compute(&l->result, l->list, &l->topo, l->map, &options, err)
	                                   : run_on_chip(l, &options, err);
	if (rc == LOOM_ETIMEOUT && cli_interrupted()) {
		const struct loom_err why = *err;
		rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted: %.300s", why.text);
	}
	cli_progress_end(&l->progress);
	cli_interrupt_end();
	return rc;
}

// --- Report --------------------------------------------------------------------------------------------------------

static int put_json(const struct long_run *l, struct loom_err *err)
{
	const struct loom_long_result *p = &l->result;
	const struct loom_long_facts *f = loom_long_list_facts(l->list);
	const bool fails = p->n_mismatches > 0;
	json_t *out = json_object(), *latency = f->has_releases ? json_object() : json_null();
	int bad = json_object_set_new(out, "pattern", json_string(l->request->words[1]));
	bad |= json_object_set_new(out, "fabric", json_string(l->topo.name));
	bad |= json_object_set_new(out, "nodes", loom_json_number(l->topo.n_nodes));
	bad |= json_object_set_new(out, "messages", loom_json_number(f->n_messages));
	bad |= json_object_set_new(out, "flits", loom_json_number(f->n_flits));
	bad |= json_object_set_new(out, "delivered_messages", loom_json_number(p->n_delivered));
	bad |= json_object_set_new(out, "delivered_flits", loom_json_number(p->n_flits));
	bad |= json_object_set_new(out, "cycles", loom_json_number(p->cycles));
	if (f->has_releases) {
		bad |= json_object_set_new(latency, "mean", json_real(p->mean_latency));
		bad |= json_object_set_new(latency, "max", loom_json_number(p->most_latency));
	}
	bad |= json_object_set_new(out, "latency", latency);
	bad |= json_object_set_new(out, "verdict", json_string(fails ? "fail" : "pass"));
	bad |= json_object_set_new(out, "mismatch_count", loom_json_number(p->n_mismatches));
	bad |= json_object_set_new(out, "mismatch", fails ? json_string(p->mismatch) : json_null());
	char *text = bad ? NULL : json_dumps(out, JSON_COMPACT);
	json_decref(out);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	(void)putchar('{');
	const int rc = cli_put_asked(stdout, l->request, err);
	(void)printf(",%s\n", text + 1);
	free(text);
	return rc == 0 ? cli_flush(err) : rc;
}

static int put_table(const struct long_run *l, struct loom_err *err)
{
	const struct loom_long_result *p = &l->result;
	const struct loom_long_facts *f = loom_long_list_facts(l->list);
	char pattern[LOOM_TEXT_NAME];
	loom_text_show(pattern, sizeof pattern, l->request->words[1]);
	char size[48];
	loom_topo_size_text(size, &l->topo);
	(void)printf("%s  %s  fed from the file\n%s  %" PRIu64 " messages  %" PRIu64 " flits\n\n", l->topo.name,
	             pattern, size, f->n_messages, f->n_flits);
	(void)printf("cycles     %14" PRIu64 "   until the last tail has arrived\n", p->cycles);
	if (f->has_releases)
		(void)printf("latency    %14" PRIu64 "   cycles from its release to its tail took the slowest message; "
		             "%.1f on\n                            average, the wait for its turn included\n",
		             p->most_latency, p->mean_latency);
	(void)printf("delivered  %14" PRIu64 "   messages\n           %14" PRIu64 "   flits\n\n", p->n_delivered,
	             p->n_flits);
	if (p->n_mismatches)
		(void)printf("verdict         FAIL  %zu differences from what was computed; the first: %s\n",
		             p->n_mismatches, p->mismatch);
	else if (loom_run_is_computed(l->request->link))
		(void)puts("verdict         PASS  computed, no routers were run: docs/exactness.md");
	else
		(void)puts("verdict         PASS  every message and every channel as computed");
	if (l->request->machine == LOOM_MACHINE_PAPER)
		(void)puts(CLI_PAPER);
	return cli_flush(err);
}

int cli_long(const struct cli_request *request, bool *is_long, struct loom_err *err)
{
	struct long_run l = {.request = request};
	enum cli_option option;
	*is_long = false;
	if (!may_be_long(request))
		return 0;
	int rc = cli_fabric_parse(&l.topo, request, request->words[0], err);
	if (rc == 0)
		rc = loom_long_list_open(&l.list, request->words[1] + strlen(PREFIX), loom_topo_hosts(&l.topo),
		                         request->flits, err);
	struct loom_failure_facts failed;
	const bool fails_later = rc == 0 && request->fail && !loom_topo_failure_facts(&failed, &l.topo);
	*is_long = rc != 0 || loom_long_list_facts(l.list)->n_messages > LOOM_MESSAGES_MAX;
	if (rc == 0 && *is_long && fails_later)
		rc = loom_fail(err, LOOM_EINPUT,
		               "--fail %.60s: links that fail during a run are for plans, and %.60s has more messages "
		               "than are "
		               "planned; without @CYCLE they never worked",
		               request->fail, request->words[1]);
	if (rc == 0 && *is_long && cli_is_refused(&option, request, CLI_WITH_LONG))
		rc = loom_fail(err, LOOM_EINPUT,
		               "--%s: %.60s has %" PRIu64 " messages, more than the %d that are planned",
		               cli_option_name(option), request->words[1], loom_long_list_facts(l.list)->n_messages,
		               LOOM_MESSAGES_MAX);
	if (rc == 0 && *is_long)
		rc = find_map(&l, err);
	if (rc == 0 && *is_long)
		rc = run(&l, err);
	if (rc == 0 && *is_long && request->json)
		rc = put_json(&l, err);
	else if (rc == 0 && *is_long && !request->quiet)
		rc = put_table(&l, err);
	loom_long_list_free(l.list);
	loom_topo_free(&l.topo);
	free(l.map);
	return rc != 0 ? rc : l.result.n_mismatches ? CLI_DIFFERS : 0;
}
