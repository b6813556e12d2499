// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A request as the reports repeat it. Options that were left out are written with the values that they had, so that
// another default changes nothing. Placement, planner and objective are not; flitloom chooses them again.
#include <stdlib.h>

#include "cli_option_table.h"

// The value in the object "request" for an option that its command does not have.
enum unsaid { NULL_IF_UNSAID, ZERO_IF_UNSAID, ABSENT_IF_UNSAID };

// The options in that object, in its order.
static const struct {
	enum cli_option option;
	const char *name;
	enum unsaid unsaid;
	bool of_run; // null if nothing is to be run
} in_object[] = {{CLI_FLITS, "flits", NULL_IF_UNSAID, false},
                 {CLI_SEED, "seed", ZERO_IF_UNSAID, false},
                 {CLI_MAP, "map", NULL_IF_UNSAID, false},
                 {CLI_PLANNER, "planner", NULL_IF_UNSAID, false},
                 {CLI_OBJECTIVE, "objective", NULL_IF_UNSAID, false},
                 {CLI_HALF_DUPLEX, "half_duplex", ZERO_IF_UNSAID, false},
                 {CLI_RULE, "rule", NULL_IF_UNSAID, false},
                 {CLI_SELECT, "select", ABSENT_IF_UNSAID, false},
                 {CLI_LOAD, "load", NULL_IF_UNSAID, false},
                 {CLI_DETOURS, "detours", ZERO_IF_UNSAID, false},
                 {CLI_COST, "cost", NULL_IF_UNSAID, false},
                 {CLI_DARK, "dark", ABSENT_IF_UNSAID, false},
                 {CLI_RELAY, "relay", ABSENT_IF_UNSAID, false},
                 {CLI_BYTES, "bytes", ABSENT_IF_UNSAID, false},
                 {CLI_FLIT_BYTES, "flit_bytes", ABSENT_IF_UNSAID, false},
                 {CLI_CALC_CYCLES, "calc_cycles", ABSENT_IF_UNSAID, false},
                 {CLI_LOGGOPS, "loggops", ABSENT_IF_UNSAID, false},
                 {CLI_BUFFERS, "buffers", ABSENT_IF_UNSAID, false},
                 {CLI_LINK_DELAY, "link_delay", ABSENT_IF_UNSAID, false},
                 {CLI_ROUTER_DELAY, "router_delay", ABSENT_IF_UNSAID, false},
                 {CLI_FLIT_BITS, "flit_bits", ABSENT_IF_UNSAID, false},
                 {CLI_FAIL, "fail", ABSENT_IF_UNSAID, false},
                 {CLI_LANES, "lanes", ABSENT_IF_UNSAID, false},
                 {CLI_LINK, "link", NULL_IF_UNSAID, true},
                 {CLI_MACHINE, "machine", NULL_IF_UNSAID, false},
                 {CLI_SCHEDULE, "schedule", NULL_IF_UNSAID, true},
                 {CLI_PRESET, "preset", ZERO_IF_UNSAID, true},
                 {CLI_MAX_CYCLES, "max_cycles", NULL_IF_UNSAID, true},
                 {CLI_TIMEOUT, "timeout_ms", NULL_IF_UNSAID, true}};

// The options that a request leaves out, because other options fix them. With --plan-only the schedule is the one that
// a run would have.
static struct cli_set settled_of(const struct cli_request *r, bool file, bool own_lengths)
{
	struct cli_set set = {{0}};
	if (file)
		cli_refuse(&set, CLI_WITH_PLAN_FILE);
	if (own_lengths)
		cli_set_put(&set, CLI_FLITS);
	if (r->stages)
		cli_refuse(&set, CLI_WITH_STAGES);
	if (r->plan_only)
		cli_set_put(&set, CLI_LINK);
	if (r->command->bit == CLI_OF_SWEEP)
		cli_refuse(&set, r->batch ? CLI_WITH_BATCH : r->loads.text ? CLI_WITH_LOAD : CLI_WITHOUT_LOAD);
	if (cli_finds_warmup(r))
		cli_set_put(&set, CLI_WARMUP);
	return set;
}

static bool is_said(const struct cli_request *r, const struct cli_option_row *row, const struct cli_set *settled)
{
	if (!(row->commands & r->command->bit) || cli_set_has(settled, row->option))
		return false;
	switch (row->repeat) {
	case CLI_IF_SET: return cli_option_value(r, row) != 0;
	case CLI_IF_GIVEN: return cli_given(r, row->option);
	case CLI_ALWAYS: return true;
	case CLI_NEVER: break;
	}
	return false;
}

static const char *say(struct cli_asked *out, const struct cli_request *r, const struct cli_option_row *row)
{
	return row->type->say ? row->type->say(out->made[row->option], r, row) : NULL;
}

static void put(struct cli_asked *out, const char *word)
{
	if (word)
		out->words[out->said.n_command++] = word;
}

static void put_words(struct cli_asked *out, const struct cli_request *r)
{
	for (int i = 0; i < r->n_words; i++)
		put(out, r->words[i]);
}

// Puts words that begin like options last, behind "--".
static bool has_dashes(const struct cli_request *r)
{
	for (int i = 0; i < r->n_words; i++)
		if (r->words[i][0] == '-' && r->words[i][1] != '\0')
			return true;
	return false;
}

static void put_command(struct cli_asked *out, const struct cli_request *r, const struct cli_set *settled)
{
	const bool late = has_dashes(r);
	const struct cli_option_row *row;
	out->said.command = out->words;
	put(out, "flitloom");
	put(out, r->command->name);
	if (!late)
		put_words(out, r);
	for (size_t i = 0; (row = cli_option_at(i)); i++) {
		if (!is_said(r, row, settled))
			continue;
		put(out, row->word);
		put(out, say(out, r, row));
	}
	if (late) {
		put(out, "--");
		put_words(out, r);
	}
}

static void put_value(struct cli_asked *out, struct loom_report_value value)
{
	out->values[out->said.n_values++] = value;
}

static void put_word(struct cli_asked *out, const char *name, const char *word)
{
	put_value(out, (struct loom_report_value){.name = name, .kind = LOOM_VALUE_TEXT, .text = word});
}

static void put_object(struct cli_asked *out, const struct cli_request *r, bool file, const struct cli_set *settled)
{
	const bool runs = cli_takes(r->command, CLI_LINK) && !r->plan_only;
	out->said.values = out->values;
	put_word(out, "fabric", file ? NULL : r->words[0]);
	put_word(out, "pattern", file ? NULL : r->words[1]);
	put_word(out, "plan", file ? r->words[0] : NULL);
	for (size_t i = 0; i < sizeof in_object / sizeof in_object[0]; i++) {
		const struct cli_option_row *row = cli_option_row(r->command, in_object[i].option);
		struct loom_report_value value = {.name = in_object[i].name};
		bool said = is_said(r, row, settled), varies = row->type->varies && row->type->varies(r),
		     zero = in_object[i].unsaid == ZERO_IF_UNSAID && !(file && cli_set_has(settled, row->option));
		if (!said && in_object[i].unsaid == ABSENT_IF_UNSAID)
			continue;
		if ((said ? !varies : zero) && (runs || !in_object[i].of_run)) {
			value.kind = row->type->is_text && row->type->is_text(r) ? LOOM_VALUE_TEXT : row->type->kind;
			value.text = say(out, r, row);
			value.number = cli_option_value(r, row);
		}
		put_value(out, value);
	}
}

int cli_asked(struct cli_asked *out, const struct cli_request *request, const char *map, bool own_lengths,
              struct loom_err *err)
{
	const bool plans = cli_takes(request->command, CLI_PLANNER), file = plans && cli_is_file(request);
	const struct cli_set settled = settled_of(request, file, own_lengths);
	struct cli_request r = *request;
	// The command, its name, the words and the dashes before them; of each option the name and a value.
	const size_t room = 3 + (size_t)r.n_words + 2 * CLI_N_OPTIONS;
	*out = (struct cli_asked){.words = calloc(room, sizeof *out->words)};
	if (!out->words)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	out->said.loggops = request->found_loggops;
	if (map) {
		r.map = map;
		r.compare = false;
	}
	put_command(out, &r, &settled);
	if (plans)
		put_object(out, &r, file, &settled);
	return 0;
}

void cli_asked_free(struct cli_asked *asked)
{
	free(asked->words);
	*asked = (struct cli_asked){0};
}

char *cli_asked_text(const struct cli_request *request, const char *map, bool own_lengths, struct loom_err *err)
{
	struct cli_asked asked = {0};
	int rc = cli_asked(&asked, request, map, own_lengths, err);
	char *text = rc == 0 ? loom_report_request_text(&asked.said) : NULL;
	cli_asked_free(&asked);
	if (rc == 0 && !text)
		(void)loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	return text;
}

int cli_put_asked(FILE *stream, const struct cli_request *request, struct loom_err *err)
{
	char *text = cli_asked_text(request, NULL, false, err);
	if (!text)
		return LOOM_ENOMEM;
	(void)fprintf(stream, "\"request\":%s", text);
	free(text);
	return 0;
}
