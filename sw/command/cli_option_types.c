// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The types of values: how each is read, and how a report says it again. Over 400 lines because every type is here but those of
// rules (cli_option_rules.c), a few lines each.
#include <inttypes.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "cli_option_table.h"

#define BUDGET_MOST_S 86400

void cli_option_set(struct cli_request *r, const struct cli_option_row *row, uint64_t value)
{
	const uint32_t half = (uint32_t)value;
	const bool yes = value != 0;
	const void *from = row->size == sizeof value  ? (const void *)&value
	                   : row->size == sizeof half ? (const void *)&half
	                                              : &yes;
	memcpy((char *)r + row->at, from, row->size);
}

uint64_t cli_option_value(const struct cli_request *r, const struct cli_option_row *row)
{
	const char *field = (const char *)r + row->at;
	uint64_t value = 0;
	uint32_t half = 0;
	if (row->size == sizeof value)
		memcpy(&value, field, sizeof value);
	else if (row->size == sizeof half)
		memcpy(&half, field, sizeof half);
	else
		half = *field != 0;
	return value | half;
}

// --- Switches and texts --------------------------------------------------------------------------------------------

static int parse_switch(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	(void)text;
	(void)err;
	cli_option_set(r, row, true);
	return 0;
}

static const char *say_text(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	const char *text;
	(void)made;
	memcpy(&text, (const char *)r + row->at, sizeof text);
	return text;
}

static void set_text(struct cli_request *r, const struct cli_option_row *row, const char *text)
{
	memcpy((char *)r + row->at, &text, sizeof text);
}

static int parse_text(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	if (*text == '\0')
		return loom_fail(err, LOOM_EINPUT, "--%s: its %s is empty", row->name, row->argument);
	set_text(r, row, text);
	return 0;
}

const struct cli_option_type cli_type_switch = {.parse = parse_switch, .kind = LOOM_VALUE_BOOLEAN};
const struct cli_option_type cli_type_text = {.parse = parse_text, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_output = {.parse = parse_text, .say = say_text, .names_output = true};

// --- Numbers -------------------------------------------------------------------------------------------------------

static int get_number(uint64_t *out, const char *text, const struct cli_option_row *row, struct loom_err *err)
{
	uint64_t value = 0;
	bool good = *text != '\0';
	for (const char *c = text; good && *c; c++) {
		good = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
		       !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value);
	}
	if (!good || value < row->least || value > row->most)
		return loom_fail(err, LOOM_EINPUT, "--%s: \"%.60s\" is not a whole number in %" PRIu64 "..%" PRIu64,
		                 row->name, text, row->least, row->most);
	*out = value;
	return 0;
}

static int parse_number(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	uint64_t value;
	int rc = get_number(&value, text, row, err);
	if (rc == 0)
		cli_option_set(r, row, value);
	return rc;
}

static const char *say_number(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	(void)snprintf(made, CLI_MADE_MOST, "%" PRIu64, cli_option_value(r, row));
	return made;
}

const struct cli_option_type cli_type_number = {.parse = parse_number, .say = say_number, .kind = LOOM_VALUE_NUMBER};

// Reads a number for all links, or CLASS:CYCLES,..., which each fabric checks against its classes
// (loom_link_delays_parse).
static int parse_delays(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	r->link_delays = NULL;
	if (!strchr(text, ':'))
		return parse_number(r, row, text, err);
	r->link_delays = text;
	return 0;
}

static const char *say_delays(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	return r->link_delays ? r->link_delays : say_number(made, r, row);
}

static bool delays_are_text(const struct cli_request *r)
{
	return r->link_delays != NULL;
}

const struct cli_option_type cli_type_delays = {
	.parse = parse_delays, .say = say_delays, .is_text = delays_are_text, .kind = LOOM_VALUE_NUMBER};

// Reads a number with up to 10 digits behind the point and `behind` after it.
static bool read_decimal(double *out, const char *text, const char *behind)
{
	size_t whole = strspn(text, "0123456789"),
	       rest = text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
	double value = 0, place = 1;
	for (size_t i = 0; i < whole + rest; i++) {
		if (i < whole)
			value = 10 * value + (text[i] - '0');
		else if (i > whole)
			value += (place /= 10) * (text[i] - '0');
	}
	*out = value;
	return whole > 0 && whole < 10 && rest != 1 && rest < 12 && strcmp(text + whole + rest, behind) == 0;
}

static int parse_seconds(struct cli_request *r, const struct cli_option_row *row, const char *text,
                         struct loom_err *err)
{
	double value;
	if (!read_decimal(&value, text, "") || value <= 0 || value > BUDGET_MOST_S)
		return loom_fail(err, LOOM_EINPUT,
		                 "--%s: \"%.60s\" is not a number of seconds above 0, at most %d; such as 0.5 or 10",
		                 row->name, text, BUDGET_MOST_S);
	set_text(r, row, text);
	r->budget_seconds = value;
	return 0;
}

static int parse_percent(struct cli_request *r, const struct cli_option_row *row, const char *text,
                         struct loom_err *err)
{
	double value;
	if (!read_decimal(&value, text, "%") || value <= 0 || value >= 100)
		return loom_fail(
			err, LOOM_EINPUT,
			"--%s: \"%.60s\" is not a part in percent above 0%% and below 100%%; such as 2%% or 0.5%%",
			row->name, text);
	set_text(r, row, text);
	r->precision_part = value / 100;
	return 0;
}

// Reads N, or N/M: cycles of a unit.
static int parse_ratio(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	uint64_t cycles = 0, units = 1;
	size_t first = strcspn(text, "/");
	bool good = loom_text_number(&cycles, text, first);
	if (text[first])
		good = good && loom_text_number(&units, text + first + 1, strlen(text + first + 1));
	if (!good || cycles < 1 || units < 1 || cycles > UINT32_MAX || units > UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "--%s: \"%.60s\" is neither a number of cycles nor a ratio of two whole "
		                 "numbers; such as 3 or 1/1000",
		                 row->name, text);
	set_text(r, row, text);
	r->calc_cycles = (uint32_t)cycles;
	r->calc_units = (uint32_t)units;
	return 0;
}

const struct cli_option_type cli_type_seconds = {.parse = parse_seconds, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_percent = {.parse = parse_percent, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_ratio = {.parse = parse_ratio, .say = say_text, .kind = LOOM_VALUE_TEXT};

// --- Names ---------------------------------------------------------------------------------------------------------

// Returns the index of `text` among the names.
static int get_name(unsigned *out, const char *text, const struct cli_option_row *row, struct loom_err *err)
{
	char hint[280];
	for (size_t i = 0; row->names(i); i++)
		if (strcmp(text, row->names(i)) == 0) {
			*out = (unsigned)i;
			return 0;
		}
	return loom_fail(err, LOOM_EINPUT, "--%s: unknown %s \"%.60s\"; %s", row->name, row->name, text,
	                 loom_suggest_hint(hint, sizeof hint, text, row->names));
}

int cli_option_parse_name(struct cli_request *r, const struct cli_option_row *row, const char *text,
                          struct loom_err *err)
{
	unsigned place;
	int rc = get_name(&place, text, row, err);
	if (rc == 0)
		cli_option_set(r, row, row->least + place);
	return rc;
}

const char *cli_option_say_name(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	(void)made;
	return row->names((size_t)(cli_option_value(r, row) - row->least));
}

// Reads a name that is kept unchanged.
static int parse_word(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	unsigned place;
	int rc = get_name(&place, text, row, err);
	if (rc == 0)
		set_text(r, row, text);
	return rc;
}

const struct cli_option_type cli_type_name = {
	.parse = cli_option_parse_name, .say = cli_option_say_name, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_word = {.parse = parse_word, .say = say_text, .kind = LOOM_VALUE_TEXT};

// --- Several values, of a sweep ------------------------------------------------------------------------------------

// Reads LENGTH:PROBABILITY,... or FIRST-LAST: a comma, a point or a dash tells it from A:B.
static bool is_of_probabilities(const char *text)
{
	return strpbrk(text, ",.") || (text[0] != '\0' && strchr(text + 1, '-'));
}

static int parse_probabilities(struct cli_request *r, const char *text, struct loom_err *err)
{
	struct loom_err why;
	int rc = loom_lengths_parse(&r->lengths, text, &why);
	if (rc != 0)
		return loom_fail(err, rc, "--flits: %s", why.text);
	r->lengths_text = text;
	r->flits = r->lengths.flits[0];
	r->flits_last = r->flits_step = 0;
	return 0;
}

// Reads A, A:B or A:B:STEP, or lengths with probabilities.
static int parse_lengths(struct cli_request *r, const struct cli_option_row *row, const char *text,
                         struct loom_err *err)
{
	char part[32];
	uint64_t value[3] = {0, 0, 0};
	const char *at = text;
	int rc = 0;
	size_t n = 0;
	r->lengths_text = NULL;
	if (is_of_probabilities(text))
		return parse_probabilities(r, text, err);
	for (; rc == 0 && n < 3; n++) {
		size_t length = strcspn(at, ":");
		(void)snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), at);
		rc = get_number(&value[n], part, row, err);
		at += length;
		if (*at++ != ':') {
			n++;
			break;
		}
		if (n == 2)
			rc = loom_fail(err, LOOM_EINPUT, "--flits: \"%.60s\" is neither N nor A:B nor A:B:STEP", text);
	}
	if (rc == 0 && n > 1 && value[0] > value[1])
		rc = loom_fail(err, LOOM_EINPUT, "--flits: \"%.60s\" ends before it begins; such as 5:1000", text);
	r->flits = (uint32_t)value[0];
	r->flits_last = (uint32_t)value[1];
	r->flits_step = (uint32_t)value[2];
	return rc;
}

static bool lengths_vary(const struct cli_request *r)
{
	return r->lengths_text || r->flits_last > r->flits;
}

static const char *say_lengths(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	if (r->lengths_text)
		return r->lengths_text;
	(void)say_number(made, r, row);
	size_t n = strlen(made);
	if (lengths_vary(r))
		n += (size_t)snprintf(made + n, CLI_MADE_MOST - n, ":%" PRIu32, r->flits_last);
	if (lengths_vary(r) && r->flits_step)
		(void)snprintf(made + n, CLI_MADE_MOST - n, ":%" PRIu32, r->flits_step);
	return made;
}

// Reads A:B, or B alone: powers of two.
static int parse_nodes(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	char first[32];
	const char *colon = strchr(text, ':');
	uint64_t least = 0, most = 0;
	(void)snprintf(first, sizeof first, "%.*s", colon ? (int)(colon - text) : -1, text);
	int rc = get_number(&least, first, row, err);
	if (rc == 0)
		rc = get_number(&most, colon ? colon + 1 : text, row, err);
	while (rc == 0 && (least & (least - 1)))
		least++;
	if (rc == 0 && least > most)
		rc = loom_fail(err, LOOM_EINPUT, "--nodes: there is no power of two from %.60s; such as 2:64", text);
	if (rc != 0)
		return rc;
	r->nodes_first = (uint32_t)least;
	r->nodes_last = (uint32_t)most;
	return 0;
}

static const char *say_nodes(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	(void)row;
	(void)snprintf(made, CLI_MADE_MOST, "%" PRIu32 ":%" PRIu32, r->nodes_first, r->nodes_last);
	return made;
}

static int parse_loads(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	(void)row;
	return cli_loads_parse(&r->loads, text, err);
}

static int parse_fail(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	int rc = parse_text(r, row, text, err);
	return rc == 0 ? cli_fail_parse(r, text, err) : rc;
}

static int parse_darks(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err)
{
	(void)row;
	return cli_darks_parse(r, text, err);
}

static bool darks_vary(const struct cli_request *r)
{
	return r->darks.n > 0;
}

static const char *say_darks(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	return darks_vary(r) ? r->darks.text : say_number(made, r, row);
}

static bool machines_vary(const struct cli_request *r)
{
	return r->machines == 3;
}

static int parse_machines(struct cli_request *r, const struct cli_option_row *row, const char *text,
                          struct loom_err *err)
{
	if (strcmp(text, "fast,paper") != 0 && strcmp(text, "paper,fast") != 0)
		return cli_option_parse_name(r, row, text, err);
	r->machines = 3;
	return 0;
}

static const char *say_machines(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	return machines_vary(r) ? "fast,paper" : cli_option_say_name(made, r, row);
}

static int parse_arrivals(struct cli_request *r, const struct cli_option_row *row, const char *text,
                          struct loom_err *err)
{
	struct loom_err why;
	int rc = loom_injection_parse(&r->arrivals, &r->on_cycles, &r->off_cycles, text, &why);
	if (rc != 0)
		return loom_fail(err, rc, "--%s: %s", row->name, why.text);
	set_text(r, row, text);
	return 0;
}

static const char *say_arrivals(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row)
{
	(void)made;
	(void)row;
	return r->arrivals_text ? r->arrivals_text : loom_injection_name(r->arrivals);
}

static int parse_requests(struct cli_request *r, const struct cli_option_row *row, const char *text,
                          struct loom_err *err)
{
	(void)row;
	return cli_requests_parse(r, text, err);
}

// Reads sim:K.
static int parse_check_on(struct cli_request *r, const struct cli_option_row *row, const char *text,
                          struct loom_err *err)
{
	static const char link[] = "sim:";
	uint64_t value = 0;
	if (strncmp(text, link, strlen(link)) != 0)
		return loom_fail(err, LOOM_EINPUT, "--%s: \"%.60s\" is not sim:K, K points on link sim; such as sim:3",
		                 row->name, text);
	int rc = get_number(&value, text + strlen(link), row, err);
	if (rc != 0)
		return rc;
	set_text(r, row, text);
	r->n_checked = (uint32_t)value;
	return 0;
}

const struct cli_option_type cli_type_arrivals = {
	.parse = parse_arrivals, .say = say_arrivals, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_check_on = {.parse = parse_check_on, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_requests = {.parse = parse_requests, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_lengths = {
	.parse = parse_lengths, .say = say_lengths, .kind = LOOM_VALUE_NUMBER, .varies = lengths_vary};
const struct cli_option_type cli_type_nodes = {.parse = parse_nodes, .say = say_nodes};
const struct cli_option_type cli_type_fail = {.parse = parse_fail, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_darks = {
	.parse = parse_darks, .say = say_darks, .kind = LOOM_VALUE_NUMBER, .varies = darks_vary};
const struct cli_option_type cli_type_loads = {.parse = parse_loads, .say = say_text, .kind = LOOM_VALUE_TEXT};
const struct cli_option_type cli_type_machines = {
	.parse = parse_machines, .say = say_machines, .kind = LOOM_VALUE_TEXT, .varies = machines_vary};
