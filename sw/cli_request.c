// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A request as the reports repeat it. Options that were left out are written out with the value they had, so that another
// default changes nothing; but placement, planner and objective stay flitloom's to choose.
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli.h"
#include "report/report_request.h"

static bool has(const struct cli_request *request, enum cli_option option)
{
	return request->command->options >> option & 1;
}

static void put(struct cli_asked *out, const char *word)
{
	out->words[out->said.n_command++] = word;
}

static void put_text(struct cli_asked *out, const struct cli_request *request, enum cli_option option,
                     const char *value)
{
	if (!value || !has(request, option))
		return;
	put(out, cli_option_long(option));
	put(out, value);
}

static void put_number(struct cli_asked *out, const struct cli_request *request, enum cli_option option, uint64_t value)
{
	if (!has(request, option))
		return;
	assert(out->n_numbers < sizeof out->numbers / sizeof out->numbers[0]);
	char *text = out->numbers[out->n_numbers++];
	(void)snprintf(text, sizeof out->numbers[0], "%" PRIu64, value);
	put_text(out, request, option, text);
}

// Puts the nodes of a sweep, only if they were given: there is no default.
static void put_nodes(struct cli_asked *out, const struct cli_request *request)
{
	if (!(request->given & CLI_BIT(CLI_NODES)))
		return;
	(void)snprintf(out->nodes, sizeof out->nodes, "%" PRIu32 ":%" PRIu32, request->nodes_first,
	               request->nodes_last);
	put_text(out, request, CLI_NODES, out->nodes);
}

// Puts one length, or those of a sweep.
static void put_flits(struct cli_asked *out, const struct cli_request *request)
{
	int n = snprintf(out->lengths, sizeof out->lengths, "%" PRIu32, request->flits);
	if (request->flits_last > request->flits)
		n += snprintf(out->lengths + n, sizeof out->lengths - (size_t)n, ":%" PRIu32, request->flits_last);
	if (request->flits_last > request->flits && request->flits_step)
		(void)snprintf(out->lengths + n, sizeof out->lengths - (size_t)n, ":%" PRIu32, request->flits_step);
	put_text(out, request, CLI_FLITS, out->lengths);
}

// Puts the loads of a sweep.
static void put_loads(struct cli_asked *out, const struct cli_request *request)
{
	if (!request->loads.text)
		return;
	out->said.load = request->loads.text;
	put_text(out, request, CLI_LOAD, out->said.load);
	put_text(out, request, CLI_COMPARE, request->compared);
	put_text(out, request, CLI_ARRIVALS, loom_arrivals_name(request->arrivals));
	put_number(out, request, CLI_WARMUP, request->warmup_cycles);
	put_number(out, request, CLI_MEASURE, request->measure_cycles);
}

// The part of a request that names a fabric and a pattern.
static void put_plan(struct cli_asked *out, const struct cli_request *request, const char *map, bool own_lengths)
{
	struct loom_report_request *said = &out->said;
	said->fabric = request->words[0];
	said->pattern = request->words[1];
	said->map = map ? map : request->map;
	said->planner = request->planner;
	said->objective = request->objective;
	said->load = request->load;
	said->detours = request->detours;
	said->cost = request->cost;
	said->rule = cli_rule(request);
	said->flits = own_lengths || request->flits_last > request->flits ? 0 : request->flits;
	put_text(out, request, CLI_MAP, said->map);
	put_text(out, request, CLI_PLANNER, said->planner);
	put_text(out, request, CLI_BUDGET, request->budget);
	put_text(out, request, CLI_LOAD, said->load);
	if (said->detours)
		put_number(out, request, CLI_DETOURS, said->detours);
	put_text(out, request, CLI_COST, said->cost);
	put_text(out, request, CLI_OBJECTIVE, said->objective);
	said->half_duplex = request->half_duplex;
	if (said->half_duplex)
		put(out, cli_option_long(CLI_HALF_DUPLEX));
	put_text(out, request, CLI_RULE, said->rule);
	put_text(out, request, CLI_TABLES, request->tables);
	if (request->compare && !map)
		put(out, cli_option_long(CLI_COMPARE));
	if (!own_lengths)
		put_flits(out, request);
	said->has_bytes = request->given >> CLI_BYTES & 1;
	said->bytes = request->bytes;
	said->flit_bytes = request->flit_bytes;
	said->calc_cycles = request->calc;
	if (said->has_bytes)
		put_number(out, request, CLI_BYTES, said->bytes);
	if (said->flit_bytes)
		put_number(out, request, CLI_FLIT_BYTES, said->flit_bytes);
	put_text(out, request, CLI_CALC_CYCLES, said->calc_cycles);
}

// The part that is about a run on a link. With --plan-only machine and schedule are those that a run would have. At a load there is no
// schedule: nodes are handed their messages one by one.
static void put_run(struct cli_asked *out, const struct cli_request *request)
{
	struct loom_report_request *said = &out->said;
	bool many_machines = request->machines == 3, at_load = request->loads.text != NULL;
	const char *machine = cli_machine_name(request->machine),
		   *schedule = at_load || request->stages ? NULL : cli_schedule_name(request->schedule);
	if (!request->plan_only) {
		said->link = request->link;
		said->machine = many_machines ? NULL : machine;
		said->schedule = schedule;
		said->preset = request->preset;
		said->max_cycles = request->max_cycles;
		said->timeout_ms = request->timeout_ms;
	}
	put_text(out, request, CLI_LINK, said->link);
	put_text(out, request, CLI_MACHINE, many_machines ? "fast,paper" : machine);
	put_text(out, request, CLI_SCHEDULE, schedule);
	if (request->preset)
		put(out, cli_option_long(CLI_PRESET));
	if (said->max_cycles)
		put_number(out, request, CLI_MAX_CYCLES, said->max_cycles);
}

// Words that begin as options do come last, behind "--".
static bool has_dashes(const struct cli_request *request)
{
	for (int i = 0; i < request->n_words; i++)
		if (request->words[i][0] == '-' && request->words[i][1] != '\0')
			return true;
	return false;
}

static void put_words(struct cli_asked *out, const struct cli_request *request)
{
	for (int i = 0; i < request->n_words; i++)
		put(out, request->words[i]);
}

int cli_asked(struct cli_asked *out, const struct cli_request *request, const char *map, bool own_lengths,
              struct loom_err *err)
{
	const bool plans = has(request, CLI_PLANNER), file = plans && cli_is_file(request), late = has_dashes(request);
	// The command, its name, the words and the dashes before them; of each option the name and a value.
	const size_t room = 3 + (size_t)request->n_words + 2 * CLI_N_OPTIONS;
	*out = (struct cli_asked){.said = {.seed = request->seed}, .words = calloc(room, sizeof *out->words)};
	if (!out->words)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	out->said.command = out->words;
	put(out, "flitloom");
	put(out, request->command->name);
	if (!late)
		put_words(out, request);
	if (file) {
		out->said.plan = request->words[0];
	} else if (plans) {
		put_plan(out, request, map, own_lengths);
	} else {
		put_text(out, request, CLI_FABRIC, request->fabric);
		put_text(out, request, CLI_RULE,
		         request->given & CLI_BIT(CLI_RULE) ? cli_rule_name(request->rule) : NULL);
		put_text(out, request, CLI_TABLES, request->tables);
	}
	put_number(out, request, CLI_SEED, out->said.seed);
	put_loads(out, request);
	put_nodes(out, request);
	if (request->n_seeds)
		put_number(out, request, CLI_SEEDS, request->n_seeds);
	if (request->plan_only)
		put(out, cli_option_long(CLI_PLAN_ONLY));
	if (request->stages)
		put(out, cli_option_long(CLI_STAGES));
	if (request->points)
		put_number(out, request, CLI_POINTS, request->points);
	put_text(out, request, CLI_COSTS, request->costs);
	if (has(request, CLI_LINK))
		put_run(out, request);
	if (request->timeout_ms)
		put_number(out, request, CLI_TIMEOUT, request->timeout_ms);
	put(out, cli_option_long(CLI_JSON));
	if (late) {
		put(out, "--");
		put_words(out, request);
	}
	return 0;
}

void cli_asked_free(struct cli_asked *asked)
{
	free(asked->words);
	*asked = (struct cli_asked){0};
}

int cli_put_asked(FILE *stream, const struct cli_request *request, struct loom_err *err)
{
	struct cli_asked asked;
	int rc = cli_asked(&asked, request, NULL, false, err);
	if (rc != 0)
		return rc;
	char *text = loom_report_command_text(&asked.said);
	cli_asked_free(&asked);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	(void)fprintf(stream, "\"request\":%s", text);
	free(text);
	return 0;
}
