// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The table. At most LOOM_REPORT_WIDTH columns, whatever a name or a set is like.
#include <flitloom/report.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "report/report_admissible.h"
#include "report/report_facts.h"
#include "report/report_text.h"

#define MISMATCHES_SHOWN 8
#define SWITCHES_SHOWN 32 // of a stage: a line takes its settings

struct table {
	FILE *stream;
	bool measured, colour;
	int column; // of the line that words are put on
};

enum style { PLAIN, BOLD, FAINT, GOOD, BAD };

static const char *start(const struct table *t, enum style style)
{
	static const char *const codes[] = {
		[PLAIN] = "", [BOLD] = "\033[1m", [FAINT] = "\033[2m", [GOOD] = "\033[1;32m", [BAD] = "\033[1;31m"};
	return t->colour ? codes[style] : "";
}

static const char *end(const struct table *t)
{
	return t->colour ? "\033[0m" : "";
}

// --- Lines of words ------------------------------------------------------------------------------------------------

// A word and, before it, two blanks or a new line indented by `indent`.
static void put_word(struct table *t, int indent, const char *word, enum style style)
{
	int length = (int)strlen(word);
	if (t->column > indent && t->column + 2 + length > LOOM_REPORT_WIDTH) {
		(void)fprintf(t->stream, "\n%*s", indent, "");
		t->column = indent;
	} else if (t->column > indent) {
		(void)fputs("  ", t->stream);
		t->column += 2;
	}
	(void)fprintf(t->stream, "%s%s%s", start(t, style), word, style == PLAIN ? "" : end(t));
	t->column += length;
}

static void end_line(struct table *t)
{
	(void)fputc('\n', t->stream);
	t->column = 0;
}

static void put_words(struct table *t, int indent, enum style style, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void put_words(struct table *t, int indent, enum style style, const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	put_word(t, indent, text, style);
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

// By which rule all messages go, if that is not what they do unasked.
static void put_rule(struct table *t, const struct loom_plan *plan)
{
	unsigned rule = plan->n_messages ? plan->messages[0].rule : LOOM_RULE_ASCENDING;
	for (size_t i = 1; i < plan->n_messages; i++)
		if (plan->messages[i].rule != rule)
			return;
	if (rule != LOOM_RULE_ASCENDING)
		put_words(t, 0, PLAIN, "rule %s", loom_rule_name(rule));
}

static void put_heading(struct table *t, const struct loom_plan *plan, const struct loom_verdict *verdict)
{
	char name[LOOM_REPORT_NAME];
	put_word(t, 0, plan->topo.name, BOLD);
	loom_report_text(name, sizeof name, plan->pattern);
	if (strlen(name) > LOOM_REPORT_WIDTH) { // as a person would cut it
		char cut[LOOM_REPORT_WIDTH - 3];
		loom_report_text(cut, sizeof cut, name);
		(void)snprintf(name, sizeof name, "%s...", cut);
	}
	put_word(t, 0, name, BOLD);
	loom_report_text(name, sizeof name, plan->planner);
	put_words(t, 0, PLAIN, "planner %s", name);
	loom_report_map(name, sizeof name, plan);
	put_words(t, 0, PLAIN, "map %s", name);
	put_rule(t, plan);
	end_line(t);
	put_words(t, 0, FAINT, "%" PRIu64 " nodes", verdict->nodes);
	put_words(t, 0, FAINT, "%" PRIu32 " pass%s", plan->n_passes, plan->n_passes == 1 ? "" : "es");
	if (plan->free_running)
		put_words(t, 0, FAINT, "free-running");
	if (plan->half_duplex)
		put_words(t, 0, FAINT, "half duplex");
	put_words(t, 0, FAINT, "%" PRIu64 " message%s", verdict->messages, plural(verdict->messages));
	put_words(t, 0, FAINT, "%" PRIu64 " flit%s", verdict->flits, plural(verdict->flits));
	end_line(t);
	end_line(t);
}

// --- Rows ----------------------------------------------------------------------------------------------------------

// Two numbers side by side, or the first alone; "-" for what is not known.
static void put_pair(const struct table *t, int width, uint64_t predicted, bool known, uint64_t measured)
{
	if (known)
		(void)fprintf(t->stream, " %*" PRIu64, width, predicted);
	else
		(void)fprintf(t->stream, " %*s", width, "-");
	if (t->measured)
		(void)fprintf(t->stream, " %*" PRIu64, width, measured);
}

static void put_groups(const struct table *t, const struct loom_plan *plan, const struct loom_verdict *verdict)
{
	const char *mark = t->measured ? "  differs" : "";
	(void)fprintf(t->stream, "%s%-15s", start(t, BOLD), "");
	if (t->measured)
		(void)fprintf(t->stream, " %21s   %25s", "max on one channel", "sum over all channels");
	else
		(void)fprintf(t->stream, " %10s   %12s", "max on one", "sum over all");
	(void)fprintf(t->stream, "  [messages]%s\n%s%-15s", end(t), start(t, BOLD), "group");
	(void)fprintf(t->stream, " %10s", "predicted");
	(void)fprintf(t->stream, t->measured ? " %10s  " : "  ", "measured");
	(void)fprintf(t->stream, " %12s", "predicted");
	if (t->measured)
		(void)fprintf(t->stream, " %12s", "measured");
	(void)fprintf(t->stream, "%s\n", end(t));
	for (unsigned g = 0; g < verdict->n_groups; g++) {
		static const struct loom_group_count none;
		const struct loom_group_count *predicted = &verdict->predicted[g];
		const struct loom_group_count *measured = t->measured ? &verdict->measured[g] : &none;
		bool differs = t->measured && (predicted->max != measured->max || predicted->sum != measured->sum);
		bool local = loom_report_group_is_local(&plan->topo, g);
		(void)fprintf(t->stream, "%s%-15.15s",
		              differs ? start(t, BAD)
		              : local ? start(t, FAINT)
		                      : "",
		              predicted->name);
		put_pair(t, 10, predicted->max, true, measured->max);
		(void)fputs("  ", t->stream);
		put_pair(t, 12, predicted->sum, true, measured->sum);
		(void)fprintf(t->stream, "%s%s\n",
		              differs && local ? "  differs  own"
		              : differs        ? mark
		              : local          ? "  nodes' own"
		                               : "",
		              differs || local ? end(t) : "");
	}
	(void)fputc('\n', t->stream);
}

enum known { BOTH, NO_PREDICTION, NO_MEASUREMENT };

static void put_sum(struct table *t, const char *what, uint64_t predicted, uint64_t measured, enum known known,
                    const char *unit)
{
	bool differs = t->measured && known == BOTH && predicted != measured;
	(void)fprintf(t->stream, "%s%-15s", differs ? start(t, BAD) : "", what);
	if (known == NO_PREDICTION)
		(void)fprintf(t->stream, " %10s", "-");
	else
		(void)fprintf(t->stream, " %10" PRIu64, predicted);
	if (t->measured && known == NO_MEASUREMENT)
		(void)fprintf(t->stream, " %10s", "");
	else if (t->measured)
		(void)fprintf(t->stream, " %10" PRIu64, measured);
	char text[256];
	(void)snprintf(text, sizeof text, "%s%s", differs ? "differs: " : "", unit);
	(void)fputs("   ", t->stream);
	t->column = t->measured ? 40 : 29;
	t->column = loom_report_put_wrapped(t->stream, t->column, text);
	(void)fputs(differs ? end(t) : "", t->stream);
	end_line(t);
}

static const char *bound_text(const struct loom_plan *plan, bool met)
{
	static const char *const texts[][2] = {
		[LOOM_BOUND_ANY] = {"messages, whatever the placement", "messages; met: no placement does better"},
		[LOOM_BOUND_ORDERS] = {"messages, of any order of the address bits",
	                               "messages; met: no order of the address bits does better"},
		[LOOM_BOUND_PLACEMENT] = {"messages, of any route in this placement",
	                                  "messages; met: in this placement no route does better"},
	};
	enum loom_bound bound = plan->bound;
	if (bound == LOOM_BOUND_ORDERS && plan->n_order == 0)
		bound = LOOM_BOUND_PLACEMENT;
	return texts[bound][met];
}

// Contention is of the network's channels; what waits at a node's own ones has a row of its own.
static void put_contention(struct table *t, const struct loom_plan *plan, const struct loom_verdict *v)
{
	uint32_t own = loom_report_own_channels(plan, v, v->predicted);
	uint32_t measured = t->measured ? loom_report_own_channels(plan, v, v->measured) : 0;
	put_sum(t, "contention", v->predicted_contention, v->measured_contention, BOTH,
	        "most messages on one channel in one pass");
	if (own > 1 || measured > 1)
		put_sum(t, "nodes' own", own, measured, BOTH,
		        "messages on the busiest inject or eject channel in one pass: they wait, too, but it is no "
		        "contention of the network");
	put_sum(t, "lower bound", plan->lower_bound, 0, NO_MEASUREMENT,
	        bound_text(plan, plan->lower_bound == v->predicted_contention));
}

static void put_passes(struct table *t, const struct loom_plan *plan, const struct loom_report_facts *facts)
{
	static const char *const why[] = {
		[LOOM_PROOF_NONE] = "",
		[LOOM_PROOF_LOAD] = "",
		[LOOM_PROOF_CLIQUE] = ", as so many messages are in conflict with each other",
		[LOOM_PROOF_SEARCH] = ", as fewer were searched for and are not possible",
	};
	char passes[192];
	uint32_t least = facts->passes_least;
	bool optimal = plan->n_passes > 1 && facts->optimal;
	(void)snprintf(passes, sizeof passes, "at least %" PRIu32 " %s on these routes without contention%s%s%s", least,
	               plan->n_passes >= least ? "needed" : "would be needed", why[facts->proof],
	               optimal ? ": optimal" : "", plan->free_running ? "; no barrier between them" : "");
	put_sum(t, "passes", plan->n_passes, 0, NO_MEASUREMENT, passes);
}

// Nothing of plans that have no such run.
static void put_back_to_back(struct table *t, const struct loom_verdict *v)
{
	uint64_t predicted = v->predicted_back_to_back_cycles, measured = v->measured_back_to_back_cycles;
	if (predicted)
		put_sum(t, "back to back", predicted, measured,
		        predicted == LOOM_CYCLES_UNKNOWN ? NO_PREDICTION
		        : measured                       ? BOTH
		                                         : NO_MEASUREMENT,
		        "from one START to the last tail, with the barriers between passes");
}

// Of planner "best": the second best plan, and whether time was left for all.
static void put_runner_up(struct table *t, const struct loom_plan *plan)
{
	const struct loom_plan_contest *c = &plan->contest;
	bool known = c->runner_up_cycles != LOOM_CYCLES_UNKNOWN;
	char text[200], left[60] = "";
	if (c->n_left)
		(void)snprintf(left, sizeof left, "; no time was left for %u planner%s", c->n_left, plural(c->n_left));
	if (c->runner_up[0]) {
		(void)snprintf(text, sizeof text, "%s planner %s, the second best of %u%s",
		               known ? "cycles with barriers, by" : "messages wait:", c->runner_up, c->n_tried, left);
		put_sum(t, "runner-up", c->runner_up_cycles, 0, known ? NO_MEASUREMENT : NO_PREDICTION, text);
	} else if (c->n_tried) {
		(void)snprintf(text, sizeof text, "no other planner made a plan%s", left);
		put_sum(t, "runner-up", 0, 0, NO_PREDICTION, text);
	}
}

static void put_sums(struct table *t, const struct loom_plan *plan, const struct loom_verdict *v,
                     const struct loom_report_facts *facts)
{
	uint64_t cycles_bound = facts->cycles_bound, one_pass = facts->one_pass_cycles;
	bool cycles_known = v->predicted_cycles != LOOM_CYCLES_UNKNOWN;
	put_contention(t, plan, v);
	put_passes(t, plan, facts);
	put_sum(t, "cycles", v->predicted_cycles, v->measured_cycles, cycles_known ? BOTH : NO_PREDICTION,
	        cycles_known ? "until the last tail has arrived"
	                     : "until the last tail has arrived; messages wait, and that has no formula");
	if (cycles_bound && plan->n_passes > 1)
		put_sum(t, "", cycles_bound, 0, NO_MEASUREMENT,
		        cycles_bound == v->predicted_cycles
		                ? "cycles are needed on these routes without contention: met"
		                : "cycles or more are needed on these routes without contention");
	put_back_to_back(t, v);
	put_runner_up(t, plan);
	if (one_pass)
		put_sum(t, "in one pass", one_pass, 0, NO_MEASUREMENT,
		        "cycles or more (--planner direct): this plan is the best by contention, maybe not by time");
	if (t->measured) {
		put_sum(t, "delivered", v->messages, v->delivered_messages, BOTH, "messages");
		put_sum(t, "", v->flits, v->delivered_flits, BOTH, "flits");
		put_sum(t, "corrupt", 0, v->corrupt_flits, BOTH, "flits");
		put_sum(t, "blocked", 0, v->blocked_cycles, cycles_known ? BOTH : NO_PREDICTION,
		        "cycles in which a header waited");
	}
}

// Of a permutation: whether it needs a planner at all.
static void put_one_pass(struct table *t, unsigned rules)
{
	char text[128] = "not free of contention by any rule";
	size_t used = 0;
	for (unsigned rule = 0; rule < LOOM_RULES_MAX; rule++)
		if (rules >> rule & 1)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
			                         used ? ", " : "free of contention by rule ", loom_rule_name(rule));
	(void)fprintf(t->stream, "%-15s %10s", "as it is", rules ? "yes" : "no");
	(void)fprintf(t->stream, t->measured ? " %10s   " : "%s   ", "");
	t->column = t->measured ? 40 : 29;
	t->column = loom_report_put_wrapped(t->stream, t->column, text);
	end_line(t);
}

static void put_set(struct table *t, const struct loom_plan *plan)
{
	if (plan->n_members < 2 && !plan->objective[0])
		return;
	end_line(t);
	if (plan->objective[0]) {
		(void)fprintf(t->stream, "%-15s %10" PRIu64 "   %s\n", "objective", plan->objective_value,
		              plan->objective);
	}
	(void)fprintf(t->stream, "%-15s ", "members");
	t->column = 16;
	for (uint32_t i = 0; i < plan->n_members; i++)
		put_words(t, 16, PLAIN, "%" PRIu32, plan->member_contention[i]);
	put_word(t, 16, "contention of each", PLAIN);
	end_line(t);
}

static void put_admissible(struct table *t, const struct loom_plan *plan, const struct loom_report_admissible *a)
{
	if (!a->asked)
		return;
	end_line(t);
	(void)fprintf(t->stream, "%-15s ", "admissible");
	if (!a->passes) {
		const struct loom_plan_message *m = &plan->messages[a->message[0]],
					       *other = &plan->messages[a->message[1]];
		char text[200];
		(void)snprintf(text, sizeof text,
		               "at stage %u, switch %" PRIu32 ", messages %" PRIu32 " to %" PRIu32 " and %" PRIu32
		               " to %" PRIu32 " both need line %" PRIu32,
		               a->stage, a->the_switch, m->source, m->destination, other->source, other->destination,
		               a->line);
		(void)fprintf(t->stream, "%sno%s: ", start(t, BAD), end(t));
		t->column = 20;
		t->column = loom_report_put_wrapped(t->stream, t->column, text);
		end_line(t);
		return;
	}
	(void)fprintf(t->stream, "%syes%s: it passes in one pass%s\n", start(t, GOOD), end(t),
	              a->n_switches <= SWITCHES_SHOWN ? ", the switches straight (0) or crossed (1):"
	                                              : " (--json lists the switches)");
	for (unsigned s = 0; a->n_switches <= SWITCHES_SHOWN && s < a->n_stages; s++) {
		char settings[SWITCHES_SHOWN + 1];
		loom_report_admissible_stage(settings, a, s);
		(void)fprintf(t->stream, "%16s%s\n", "", settings);
	}
}

static void put_verdict(struct table *t, const struct loom_verdict *verdict)
{
	size_t n = verdict->n_mismatches, kept = n < LOOM_MISMATCHES_KEPT ? n : LOOM_MISMATCHES_KEPT;
	size_t shown = kept < MISMATCHES_SHOWN ? kept : MISMATCHES_SHOWN;
	end_line(t);
	if (n == 0) {
		(void)fprintf(t->stream, "%-15s %sPASS%s  every message and every channel as predicted\n", "verdict",
		              start(t, GOOD), end(t));
		return;
	}
	(void)fprintf(t->stream, "%-15s %sFAIL%s  %zu difference%s from the plan\n", "verdict", start(t, BAD), end(t),
	              n, plural(n));
	for (size_t i = 0; i < shown; i++) {
		char text[sizeof verdict->mismatches[0]];
		loom_report_text(text, sizeof text, verdict->mismatches[i]);
		(void)fputs("  ", t->stream);
		t->column = 2;
		t->column = loom_report_put_wrapped(t->stream, t->column, text);
		end_line(t);
	}
	if (n > shown)
		(void)fprintf(t->stream, "  and %zu more\n", n - shown);
}

int loom_report_table_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                           const struct loom_report_facts *facts, int measured, int colour, struct loom_err *err)
{
	struct table t = {.stream = stream, .measured = measured != 0, .colour = colour != 0};
	struct loom_report_admissible admissible;
	int rc = loom_report_admissible_make(&admissible, plan, err);
	if (rc != 0)
		return rc;
	put_heading(&t, plan, verdict);
	put_groups(&t, plan, verdict);
	put_sums(&t, plan, verdict, facts);
	if (facts->is_permutation && !admissible.asked)
		put_one_pass(&t, facts->one_pass_rules);
	put_set(&t, plan);
	put_admissible(&t, plan, &admissible);
	loom_report_admissible_free(&admissible);
	if (measured)
		put_verdict(&t, verdict);
	return ferror(stream) ? loom_fail(err, LOOM_EFILE, "a table cannot be written") : 0;
}

int loom_report_table(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, int measured,
                      int colour, struct loom_err *err)
{
	struct loom_report_facts facts;
	int rc = loom_report_facts_make(&facts, plan, err);
	return rc ? rc : loom_report_table_with(stream, plan, verdict, &facts, measured, colour, err);
}
