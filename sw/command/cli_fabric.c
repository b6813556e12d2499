// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the fabric of a request from its name and the options for its routers.
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/rule_freedom.h>
#include <flitloom/topo.h>

#include "cli.h"
#include "cli_terminal.h"

// Checks a request whose links fail during the run.
static int check_later(const struct loom_topo *topo, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_link_kind *kind;
	const char *argument;
	struct loom_err why;
	if (request->command->bit != CLI_OF_RUN)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s: @CYCLE is for run, in which it fails; without it, it never worked",
		                 request->fail);
	int rc = loom_failures_check_later(topo, &why);
	if (rc != 0)
		return loom_fail(err, rc, "%.60s: %s", request->fail, why.text);
	if (request->n_lanes)
		return loom_fail(err, LOOM_EINPUT, "%.60s: --lanes goes with links that never worked, without @CYCLE",
		                 request->fail);
	rc = loom_link_find(&kind, &argument, request->link, NULL, err);
	if (rc == 0 && strcmp(kind->name, "sim") != 0)
		rc = loom_fail(
			err, LOOM_EINPUT,
			"%.60s: links fail during a run on link sim, and not on link %s; without @CYCLE they never "
			"worked, on any link",
			request->fail, kind->name);
	return rc;
}

// Takes away the links and nodes that failed.
static int take_away(struct loom_topo *topo, const struct cli_request *request, struct loom_err *err)
{
	struct loom_failures failures = {0};
	struct loom_topo left;
	struct loom_err why = {0};
	const unsigned n_lanes = request->all_pairs ? 0 : request->n_lanes;
	int rc = loom_failures_parse(&failures, topo, request->fail, &why);
	const bool later = rc == 0 && failures.in_cycle > 0;
	if (later)
		rc = check_later(topo, request, &why);
	if (rc == 0 && !later)
		rc = loom_topo_without(&left, topo, &failures, n_lanes, &why);
	loom_failures_free(&failures);
	if (rc != 0)
		return loom_fail(err, rc, "--fail: %.400s", why.text);
	if (later)
		return 0;
	loom_topo_free(topo);
	*topo = left;
	return 0;
}

static int read_delays(struct loom_topo_suffix *out, const struct loom_topo *topo, const struct cli_request *request,
                       struct loom_err *err)
{
	struct loom_err why = {0};
	char number[16];
	(void)snprintf(number, sizeof number, "%" PRIu32, request->link_delay);
	int rc = loom_link_delays_parse(out, topo, request->link_delays ? request->link_delays : number, &why);
	return rc == 0 ? 0 : loom_fail(err, rc, "--link-delay %.400s", why.text);
}

int cli_fabric_set(struct loom_topo *topo, const struct cli_request *request, struct loom_err *err)
{
	struct loom_topo_suffix wanted = {.buffers = request->buffers,
	                                  .router_delay = request->router_delay,
	                                  .has_router_delay = cli_given(request, CLI_ROUTER_DELAY),
	                                  // a module may be narrower and wider than a whole chip
	                                  .flit_bits = request->command->bit == CLI_OF_RTL ? 0 : request->flit_bits};
	int rc = cli_given(request, CLI_LINK_DELAY) ? read_delays(&wanted, topo, request, err) : 0;
	if (rc == 0)
		rc = loom_topo_suffix_set(topo, &wanted, err);
	if (rc == 0 && request->n_lanes && !request->fail && !cli_takes(request->command, CLI_ALL_PAIRS))
		rc = loom_fail(err, LOOM_EINPUT, "--lanes goes with --fail; else the fabric's name has its lanes");
	return rc == 0 && request->fail ? take_away(topo, request, err) : rc;
}

static void put_failed(FILE *out, const struct loom_topo *topo, bool json)
{
	struct loom_failure_facts failed;
	char text[400];
	const char *comma = "";
	if (!loom_topo_failure_facts(&failed, topo))
		return;
	loom_topo_failed_text(text, sizeof text, topo);
	if (!json) {
		(void)fprintf(out, "%s\n", text);
		return;
	}
	(void)fprintf(out, ",\"dead_links\":%" PRIu32 ",\"out\":[", failed.n_links);
	for (uint32_t u = 0; u < topo->n_nodes; u++)
		if (!loom_topo_takes_part(topo, u)) {
			(void)fprintf(out, "%s%" PRIu32, comma, u);
			comma = ",";
		}
	(void)fputc(']', out);
}

static void put_slow(FILE *out, const struct loom_topo *topo)
{
	struct loom_slow_links links[LOOM_SLOW_GROUPS];
	const char *begin = ",\"slow_links\":[";
	if (loom_topo_slow_links(links, topo) == 0)
		return;
	for (unsigned group = 0; group < LOOM_SLOW_GROUPS; group++) {
		const char *comma = "";
		if (links[group].n_channels == 0)
			continue;
		(void)fprintf(out, "%s{", begin);
		if (*links[group].link_class)
			(void)fprintf(out, "\"class\":\"%s\",", links[group].link_class);
		(void)fprintf(out, "\"delay\":%u,\"channels\":[", links[group].delay);
		for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
			char name[48];
			if (loom_topo_slow_group(topo, c) != group)
				continue;
			loom_topo_channel_name(topo, c, name);
			(void)fprintf(out, "%s\"%s\"", comma, name);
			comma = ",";
		}
		(void)fputs("]}", out);
		begin = ",";
	}
	(void)fputc(']', out);
}

void cli_fabric_put_links(FILE *out, const struct loom_topo *topo, bool json)
{
	char text[LOOM_SLOW_TEXT];
	put_failed(out, topo, json);
	if (json)
		put_slow(out, topo);
	else if (loom_topo_slow_text(text, topo))
		(void)fprintf(out, "slow links: %s longer under way\n", text);
}

size_t cli_item_length(const char *list)
{
	size_t length = strcspn(list, ",");
	while (memchr(list, ':', length) && list[length] == ',' && isdigit((unsigned char)list[length + 1]))
		length += 1 + strcspn(list + length + 1, ",");
	return length;
}

static int check_name(const struct loom_topo *topo, const char *name, const struct cli_request *request,
                      struct loom_err *err)
{
	struct loom_topo_suffix said, wanted = {0};
	int rc = cli_given(request, CLI_LINK_DELAY) ? read_delays(&wanted, topo, request, err) : 0;
	if (rc != 0)
		return rc;
	(void)loom_topo_suffix_split(&said, name);
	if (request->buffers && said.buffers && said.buffers != request->buffers)
		return loom_fail(err, LOOM_EINPUT, "--buffers %u: %.60s says %u by its name; leave one of them out",
		                 request->buffers, name, said.buffers);
	const bool same =
		said.link_delay == wanted.link_delay && memcmp(&said.delays, &wanted.delays, sizeof said.delays) == 0;
	if (cli_given(request, CLI_LINK_DELAY) && said.has_link_delay && !same && request->link_delays)
		return loom_fail(err, LOOM_EINPUT,
		                 "--link-delay %.60s: %.60s says others by its name; leave one of them out",
		                 request->link_delays, name);
	if (cli_given(request, CLI_LINK_DELAY) && said.has_link_delay && !same)
		return loom_fail(err, LOOM_EINPUT, "--link-delay %u: %.60s says %u by its name; leave one of them out",
		                 request->link_delay, name, said.link_delay);
	if (cli_given(request, CLI_ROUTER_DELAY) && said.has_router_delay && said.router_delay != request->router_delay)
		return loom_fail(err, LOOM_EINPUT,
		                 "--router-delay %u: %.60s says %u by its name; leave one of them out",
		                 request->router_delay, name, said.router_delay);
	if (request->flit_bits && said.flit_bits && said.flit_bits != request->flit_bits)
		return loom_fail(err, LOOM_EINPUT, "--flit-bits %u: %.60s says %u by its name; leave one of them out",
		                 request->flit_bits, name, said.flit_bits);
	return 0;
}

int cli_fabric_turns(struct loom_turns *out, uint64_t *at_least, const struct loom_topo *topo, const char *turns,
                     const struct cli_request *request, struct loom_err *err)
{
	struct cli_progress progress;
	if (topo->n_nodes > LOOM_RULE_NODES_MAX) // whoever takes them refuses any: the search would be long
		return loom_turns_init(out, topo, err);
	if (strcmp(turns, CLI_TURNS "best") != 0)
		return loom_turns_read(out, topo, turns + strlen(CLI_TURNS), err);
	cli_progress_init(&progress, request);
	cli_progress_text(&progress, "searching for turns without which no circle is left");
	const int rc = loom_turns_search(out, at_least, topo, request->seed, err);
	cli_progress_end(&progress);
	return rc;
}

int cli_fabric_set_turns(struct loom_topo *topo, const char *turns, const struct cli_request *request,
                         struct loom_err *err)
{
	struct loom_turns given = {0};
	uint64_t at_least;
	if (!turns)
		return 0;
	int rc = cli_fabric_turns(&given, &at_least, topo, turns, request, err);
	if (rc == 0)
		rc = loom_topo_set_turns(topo, &given, err);
	loom_turns_free(&given);
	return rc;
}

int cli_fabric_parse(struct loom_topo *out, const struct cli_request *request, const char *name, struct loom_err *err)
{
	struct loom_topo topo = {0};
	int rc = loom_topo_parse(&topo, name, err);
	if (rc == 0)
		rc = check_name(&topo, name, request, err);
	if (rc == 0)
		rc = cli_fabric_set(&topo, request, err);
	if (rc == 0 && request->command->bit & (CLI_OF_RUN | CLI_OF_PLAN))
		rc = cli_fabric_set_turns(&topo, request->turns, request, err);
	if (rc == 0)
		*out = topo;
	else
		loom_topo_free(&topo);
	return rc;
}
