// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "base/suggest.h"
#include "cli_option_table.h"

#define CYCLES_MOST UINT64_C(1000000000000000)
#define TIMEOUT_MOST_MS 3600000
#define SEEDS_MOST 10000
#define JOBS_MOST 1024
#define BUDGET_MOST_S 86400
#define MANUAL "The manual: man flitloom"

static const char *name_at(size_t i)
{
	return i < CLI_N_OPTIONS ? cli_option_table[i].name : NULL;
}

static bool takes(const struct cli_command *command, unsigned option)
{
	return option == CLI_HELP || option == CLI_USAGE || command->options >> option & 1;
}

// --- Help ----------------------------------------------------------------------------------------------------------

void cli_options_usage(FILE *stream, const struct cli_command *command)
{
	int column = fprintf(stream, "Usage: flitloom %s", command->name);
	char words[160];
	(void)snprintf(words, sizeof words, "%s [OPTION...]", command->words);
	cli_put_wrapped(stream, column, column + 1, words);
}

void cli_options_help(FILE *stream, const struct cli_command *command)
{
	cli_options_usage(stream, command);
	(void)fprintf(stream, "%c%s.\n\n", toupper((unsigned char)command->help[0]), command->help + 1);
	for (unsigned o = 0; o < CLI_N_OPTIONS; o++) {
		if (!takes(command, o))
			continue;
		char text[40];
		const char *argument = cli_option_argument(command, o);
		(void)snprintf(text, sizeof text, "--%s%s%s", cli_option_table[o].name, argument ? "=" : "",
		               argument ? argument : "");
		int column = fprintf(stream, cli_option_table[o].letter ? "  -%c, %-20s" : "  %c   %-20s",
		                     cli_option_table[o].letter ? cli_option_table[o].letter : ' ', text);
		cli_put_wrapped(stream, column, 28, cli_option_help(command, o));
	}
	const char *differs = strcmp(command->name, "check") == 0
	                              ? "0 no deadlock is possible, 1 messages can lock or tables are wrong"
	                              : "0 as planned, 1 the fabric did not do what the plan says";
	bool by_address = strcmp(command->name, "peek") == 0 || strcmp(command->name, "poke") == 0;
	(void)fprintf(stream,
	              "\nNumbers are decimal%s.\nExit status: %s,\n"
	              "2 the request is wrong, 3 the link or the hardware failed.\n" MANUAL "\n",
	              by_address ? ", or hexadecimal: 0x1f" : "; FILE may be -, standard input or output", differs);
}

// --- Values --------------------------------------------------------------------------------------------------------

static int get_number(uint64_t *out, const char *text, enum cli_option option, uint64_t least, uint64_t most,
                      struct loom_err *err)
{
	uint64_t value = 0;
	bool good = *text != '\0';
	for (const char *c = text; good && *c; c++) {
		good = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
		       !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value);
	}
	if (!good || value < least || value > most)
		return loom_fail(err, LOOM_EINPUT, "--%s: \"%.60s\" is not a whole number in %" PRIu64 "..%" PRIu64,
		                 cli_option_table[option].name, text, least, most);
	*out = value;
	return 0;
}

static int get_seconds(struct cli_request *r, const char *text, struct loom_err *err)
{
	size_t whole = strspn(text, "0123456789"),
	       rest = text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
	double value = 0, place = 1;
	bool good = whole > 0 && whole < 10 && rest != 1 && rest < 12 && text[whole + rest] == '\0';
	for (size_t i = 0; good && i < whole + rest; i++) {
		if (i < whole)
			value = 10 * value + (text[i] - '0');
		else if (i > whole)
			value += (place /= 10) * (text[i] - '0');
	}
	if (!good || value <= 0 || value > BUDGET_MOST_S)
		return loom_fail(
			err, LOOM_EINPUT,
			"--budget: \"%.60s\" is not a number of seconds above 0, at most %d; such as 0.5 or 10", text,
			BUDGET_MOST_S);
	r->budget = text;
	r->budget_seconds = value;
	return 0;
}

// A, A:B or A:B:STEP.
static int get_lengths(struct cli_request *r, const char *text, struct loom_err *err)
{
	char part[32];
	uint64_t value[3] = {0, 0, 0};
	const char *at = text;
	int rc = 0;
	size_t n = 0;
	for (; rc == 0 && n < 3; n++) {
		size_t length = strcspn(at, ":");
		(void)snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), at);
		rc = get_number(&value[n], part, CLI_FLITS, 1, LOOM_FLITS_MOST, err);
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

static int get_nodes(struct cli_request *r, const char *text, struct loom_err *err)
{
	char first[32];
	const char *colon = strchr(text, ':');
	uint64_t least = 0, most = 0;
	(void)snprintf(first, sizeof first, "%.*s", colon ? (int)(colon - text) : -1, text);
	int rc = get_number(&least, first, CLI_NODES, 2, LOOM_NODES_MAX, err);
	if (rc == 0)
		rc = get_number(&most, colon ? colon + 1 : text, CLI_NODES, 2, LOOM_NODES_MAX, err);
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

static const char *picture_at(size_t i)
{
	static const char *const names[] = {"loads", "paths", "chart",
	                                    "moves"}; // of LOOM_PICTURE_LOADS and those after it
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static const char *load_at(size_t i)
{
	return loom_load_name((unsigned)i);
}

static const char *rule_at(size_t i)
{
	return loom_rule_name((unsigned)i);
}

// The place of `text` among the names.
static int get_name(unsigned *out, const char *text, enum cli_option option, const char *(*name)(size_t),
                    struct loom_err *err)
{
	char all[80] = "";
	for (unsigned i = 0, used = 0; name(i); i++) {
		if (strcmp(text, name(i)) == 0) {
			*out = i;
			return 0;
		}
		used += (unsigned)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "there is: ", name(i));
	}
	const char *near = loom_suggest(text, name);
	return loom_fail(err, LOOM_EINPUT, "--%s: unknown %s \"%.60s\"; %s%s%s", cli_option_table[option].name,
	                 cli_option_table[option].name, text, near ? "did you mean \"" : all, near ? near : "",
	                 near ? "\"?" : "");
}

static bool is_sweep(const struct cli_request *r)
{
	return takes(r->command, CLI_SEEDS);
}

static const char *arrivals_at(size_t i)
{
	return loom_arrivals_name((unsigned)i);
}

static int take(struct cli_request *r, enum cli_option option, const char *value, struct loom_err *err)
{
	uint64_t number = 0;
	unsigned place = 0;
	int rc = 0;
	const char **text = NULL;
	switch (option) {
	case CLI_MAP:
	case CLI_PLACE:
		if (r->given & CLI_BIT(option == CLI_MAP ? CLI_PLACE : CLI_MAP))
			return loom_fail(err, LOOM_EINPUT,
			                 "--map and --place: these are two names of one option; give one of them");
		text = &r->map;
		break;
	case CLI_PLANNER: text = &r->planner; break;
	case CLI_BEFORE: text = &r->before; break;
	case CLI_BUDGET: rc = get_seconds(r, value, err); break;
	case CLI_LOAD:
		if (is_sweep(r))
			return cli_loads_parse(&r->loads, value, err);
		rc = get_name(&place, value, option, load_at, err);
		r->load = load_at(place);
		break;
	case CLI_DETOURS:
		rc = get_number(&number, value, option, 0, LOOM_DETOURS_MAX, err);
		r->detours = (uint32_t)number;
		break;
	case CLI_COST: text = &r->cost; break;
	case CLI_STAGES: r->stages = true; break;
	case CLI_POINTS: rc = get_number(&r->points, value, option, 1, UINT64_MAX, err); break;
	case CLI_COSTS: text = &r->costs; break;
	case CLI_OBJECTIVE: text = &r->objective; break;
	case CLI_LINK: text = &r->link; break;
	case CLI_FABRIC: text = &r->fabric; break;
	case CLI_OUTPUT: text = &r->output; break;
	case CLI_SVG: text = &r->svg; break;
	case CLI_TABLES: text = &r->tables; break;
	case CLI_TABLES_OUT: text = &r->tables_out; break;
	case CLI_CSV: text = &r->csv; break;
	case CLI_TRACE: text = &r->trace; break;
	case CLI_TRACE_JSON: text = &r->trace_json; break;
	case CLI_MESSAGES: text = &r->messages; break;
	case CLI_CHANNELS: text = &r->channels; break;
	case CLI_TRACE_FROM: rc = get_number(&r->trace_from, value, option, 1, CYCLES_MOST, err); break;
	case CLI_TRACE_CYCLES: rc = get_number(&r->trace_cycles, value, option, 1, CYCLES_MOST, err); break;
	case CLI_FLITS:
		if (is_sweep(r))
			return get_lengths(r, value, err);
		rc = get_number(&number, value, option, 1, LOOM_FLITS_MOST, err);
		r->flits = (uint32_t)number;
		break;
	case CLI_BYTES: rc = get_number(&r->bytes, value, option, 0, UINT32_MAX, err); break;
	case CLI_FLIT_BYTES:
		rc = get_number(&number, value, option, 1, UINT16_MAX, err);
		r->flit_bytes = (uint32_t)number;
		break;
	case CLI_CALC_CYCLES: rc = cli_ratio_calc(r, value, err); break;
	case CLI_SEED: rc = get_number(&r->seed, value, option, 0, UINT64_MAX, err); break;
	case CLI_MAX_CYCLES: rc = get_number(&r->max_cycles, value, option, 1, CYCLES_MOST, err); break;
	case CLI_TIMEOUT:
		rc = get_number(&number, value, option, 1, TIMEOUT_MOST_MS, err);
		r->timeout_ms = (unsigned)number;
		break;
	case CLI_MACHINE:
		if (is_sweep(r) && (strcmp(value, "fast,paper") == 0 || strcmp(value, "paper,fast") == 0)) {
			r->machines = 3;
			break;
		}
		rc = get_name(&place, value, option, cli_machine_at, err);
		r->machine = (enum loom_machine)place;
		break;
	case CLI_SCHEDULE:
		rc = get_name(&place, value, option, cli_schedule_at, err);
		r->schedule = (enum loom_image_schedule)place;
		break;
	case CLI_PICTURE:
		rc = get_name(&place, value, option, picture_at, err);
		r->picture = (enum loom_picture)(LOOM_PICTURE_LOADS + place);
		break;
	case CLI_PASS:
		rc = get_number(&number, value, option, 0, UINT32_MAX, err);
		r->pass = (uint32_t)number;
		break;
	case CLI_RULE:
		rc = get_name(&place, value, option, r->command->run == cli_check ? cli_rule_name : rule_at, err);
		r->rule = place;
		break;
	case CLI_NODES: rc = get_nodes(r, value, err); break;
	case CLI_SEEDS:
		rc = get_number(&number, value, option, 1, SEEDS_MOST, err);
		r->n_seeds = (uint32_t)number;
		break;
	case CLI_PLAN_ONLY: r->plan_only = true; break;
	case CLI_PRESET: r->preset = true; break;
	case CLI_HALF_DUPLEX: r->half_duplex = true; break;
	case CLI_COMPARE:
		if (is_sweep(r))
			text = &r->compared;
		else
			r->compare = true;
		break;
	case CLI_ARRIVALS:
		rc = get_name(&place, value, option, arrivals_at, err);
		r->arrivals = (enum loom_arrivals)place;
		break;
	case CLI_WARMUP: rc = get_number(&r->warmup_cycles, value, option, 0, LOOM_LOAD_CYCLES_MOST, err); break;
	case CLI_MEASURE: rc = get_number(&r->measure_cycles, value, option, 1, LOOM_LOAD_CYCLES_MOST, err); break;
	case CLI_JOBS:
		rc = get_number(&number, value, option, 1, JOBS_MOST, err);
		r->jobs = (uint32_t)number;
		break;
	case CLI_JSON: r->json = true; break;
	case CLI_NAMES: r->names = true; break;
	case CLI_QUIET: r->quiet = true; break;
	case CLI_HELP:
	case CLI_USAGE:
	case CLI_N_OPTIONS: break;
	}
	if (text && *value == '\0')
		return loom_fail(err, LOOM_EINPUT, "--%s: its %s is empty", cli_option_table[option].name,
		                 cli_option_argument(r->command, option));
	if (text)
		*text = value;
	return rc;
}

// --- The command line ----------------------------------------------------------------------------------------------

static int fail_not_taken(const struct cli_command *command, cli_command_at *command_at, unsigned option,
                          struct loom_err *err)
{
	char takers[64] = "";
	for (size_t i = 0, used = 0; command_at(i) && used < sizeof takers; i++)
		if (takes(command_at(i), option))
			used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s", used ? ", " : "",
			                         command_at(i)->name);
	return loom_fail(err, LOOM_EINPUT, "flitloom %s takes no --%s; it is an option of: %s", command->name,
	                 cli_option_table[option].name, takers);
}

// getopt_long refused `word`, "--..." : no option begins so, or several do.
static int fail_option(const struct cli_command *command, const char *word, struct loom_err *err)
{
	char name[64];
	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
	const char *first = NULL;
	for (unsigned o = 0; o < CLI_N_OPTIONS; o++) {
		if (strncmp(cli_option_table[o].name, name, strlen(name)) != 0)
			continue;
		if (first)
			return loom_fail(err, LOOM_EINPUT, "--%s may be --%s or --%s: write it in full", name, first,
			                 cli_option_table[o].name);
		first = cli_option_table[o].name;
	}
	const char *near = loom_suggest(name, name_at);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown option --%s; did you mean --%s?", name, near);
	return loom_fail(err, LOOM_EINPUT, "unknown option --%s; see: flitloom %s --help", name, command->name);
}

int cli_options_parse(struct cli_request *out, enum cli_option *ask, const struct cli_command *command,
                      cli_command_at *command_at, int argc, char **argv, struct loom_err *err)
{
	enum { FIRST = 256 }; // values that no letter has
	struct option options[CLI_N_OPTIONS + 1] = {{0}};
	char letters[3 * CLI_N_OPTIONS + 2] = ":";
	struct cli_request r = {.command = command,
	                        .link = "sim",
	                        .machine = LOOM_MACHINE_FAST,
	                        .flits = 17,
	                        .seed = 1,
	                        .trace_from = 1,
	                        .warmup_cycles = 10000,
	                        .measure_cycles = 20000};
	*ask = CLI_N_OPTIONS;
	for (int o = 0; o < CLI_N_OPTIONS; o++) {
		options[o] = (struct option){
			cli_option_table[o].name,
			cli_option_argument(command, (unsigned)o) ? required_argument : no_argument, NULL, FIRST + o};
		if (cli_option_table[o].letter) {
			size_t used = strlen(letters);
			(void)snprintf(letters + used, sizeof letters - used, "%c%s", cli_option_table[o].letter,
			               cli_option_argument(command, (unsigned)o) ? ":" : "");
		}
	}

	opterr = 0;
	optind = 0; // glibc: from the start
	for (;;) {
		int key = getopt_long(argc, argv, letters, options, NULL);
		if (key == -1)
			break;
		for (int o = 0; o < CLI_N_OPTIONS; o++)
			if (key > 0 && key == cli_option_table[o].letter)
				key = FIRST + o;
		if (key == ':' && optopt >= FIRST)
			return loom_fail(err, LOOM_EINPUT, "--%s: its %s is missing",
			                 cli_option_table[optopt - FIRST].name,
			                 cli_option_argument(command, (unsigned)(optopt - FIRST)));
		if (key == ':')
			return loom_fail(err, LOOM_EINPUT, "-%c: its value is missing", optopt);
		if (key < FIRST && optopt >= FIRST)
			return loom_fail(err, LOOM_EINPUT, "--%s takes no value: it is a switch",
			                 cli_option_table[optopt - FIRST].name);
		if (key < FIRST && optopt)
			return loom_fail(err, LOOM_EINPUT, "unknown option -%c; see: flitloom %s --help", optopt,
			                 command->name);
		if (key < FIRST)
			return fail_option(command, argv[optind - 1], err);
		enum cli_option option = (enum cli_option)(key - FIRST);
		if (!takes(command, option))
			return fail_not_taken(command, command_at, option, err);
		if (option == CLI_HELP || option == CLI_USAGE) {
			*ask = option;
			return 0;
		}
		int rc = take(&r, option, optarg, err);
		if (rc != 0)
			return rc;
		r.given |= CLI_BIT(option);
	}
	r.n_words = argc - optind;
	r.words = argv + optind;
	if (r.n_words < command->words_min)
		return loom_fail(err, LOOM_EINPUT, "%s: too little: it takes %s", command->name, command->words);
	if (r.n_words > command->words_max)
		return loom_fail(err, LOOM_EINPUT, "%s: \"%.60s\" is too much: it takes %s", command->name,
		                 r.words[command->words_max], command->words);
	*out = r;
	return 0;
}
