// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A request as the reports repeat it. Options that were left out are written out with the value they had, so that another
// default changes nothing; but placement, planner and objective stay flitloom's to choose.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool has(const struct cli_request *request, enum cli_option option)
{
	return request->command->options >> option & 1;
}

static void put(struct cli_asked *out, const char *word)
{
	if (out->said.n_command < CLI_ASKED_WORDS)
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
	if (!has(request, option) || out->n_numbers == sizeof out->numbers / sizeof out->numbers[0])
		return;
	char *text = out->numbers[out->n_numbers++];
	(void)snprintf(text, sizeof out->numbers[0], "%" PRIu64, value);
	put_text(out, request, option, text);
}

// Of a sweep. Only if it was given: there is no default.
static void put_nodes(struct cli_asked *out, const struct cli_request *request)
{
	if (!(request->given & CLI_BIT(CLI_NODES)))
		return;
	(void)snprintf(out->nodes, sizeof out->nodes, "%" PRIu32 ":%" PRIu32, request->nodes_first,
	               request->nodes_last);
	put_text(out, request, CLI_NODES, out->nodes);
}

// One length, or those of a sweep.
static void put_flits(struct cli_asked *out, const struct cli_request *request)
{
	int n = snprintf(out->lengths, sizeof out->lengths, "%" PRIu32, request->flits);
	if (request->flits_last > request->flits)
		n += snprintf(out->lengths + n, sizeof out->lengths - (size_t)n, ":%" PRIu32, request->flits_last);
	if (request->flits_last > request->flits && request->flits_step)
		(void)snprintf(out->lengths + n, sizeof out->lengths - (size_t)n, ":%" PRIu32, request->flits_step);
	put_text(out, request, CLI_FLITS, out->lengths);
}

// Of a sweep.
static void put_loads(struct cli_asked *out, const struct cli_request *request)
{
	if (!request->loads.text)
		return;
	put_text(out, request, CLI_LOAD, request->loads.text);
	put_text(out, request, CLI_COMPARE, request->compared);
	put_text(out, request, CLI_ARRIVALS, loom_arrivals_name(request->arrivals));
	put_number(out, request, CLI_WARMUP, request->warmup_cycles);
	put_number(out, request, CLI_MEASURE, request->measure_cycles);
}

void cli_asked(struct cli_asked *out, const struct cli_request *request, const char *map)
{
	bool file = cli_is_file(request);
	bool runs = has(request, CLI_LINK) && !request->plan_only, many_machines = request->machines == 3;
	*out = (struct cli_asked){.said = {.seed = request->seed}};
	struct loom_report_request *said = &out->said;
	said->command = out->words;
	put(out, "flitloom");
	put(out, request->command->name);
	for (int i = 0; i < request->n_words; i++)
		put(out, request->words[i]);
	if (file) {
		said->plan = request->words[0];
	} else {
		said->fabric = request->words[0];
		said->pattern = request->words[1];
		said->map = map ? map : request->map;
		said->planner = request->planner;
		said->objective = request->objective;
		said->load = request->load;
		said->detours = request->detours;
		said->cost = request->cost;
		said->rule = cli_rule(request);
		said->flits = request->flits_last > request->flits ? 0 : request->flits;
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
	put_number(out, request, CLI_SEED, said->seed);
	put_loads(out, request);
	put_nodes(out, request);
	if (request->n_seeds)
		put_number(out, request, CLI_SEEDS, request->n_seeds);
	if (request->plan_only)
		put(out, cli_option_long(CLI_PLAN_ONLY));
	if (runs) {
		said->link = request->link;
		said->machine = many_machines ? NULL : cli_machine_name(request->machine);
		said->schedule = cli_schedule_name(request->schedule);
		said->preset = request->preset;
		said->max_cycles = request->max_cycles;
		said->timeout_ms = request->timeout_ms;
		put_text(out, request, CLI_LINK, said->link);
		put_text(out, request, CLI_MACHINE, many_machines ? "fast,paper" : said->machine);
		put_text(out, request, CLI_SCHEDULE, said->schedule);
		if (said->preset)
			put(out, cli_option_long(CLI_PRESET));
		if (said->max_cycles)
			put_number(out, request, CLI_MAX_CYCLES, said->max_cycles);
		if (said->timeout_ms)
			put_number(out, request, CLI_TIMEOUT, said->timeout_ms);
	}
	put(out, cli_option_long(CLI_JSON));
}
