// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the table, in at most LOOM_TEXT_WIDTH columns, however long names are.
#include <flitloom/report.h>

#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/choice.h>

#include "base/text.h"
#include "report/report_admissible.h"
#include "report/report_facts.h"
#include "report/report_table.h"
#include "report/report_text.h"

#define MISMATCHES_SHOWN 8
#define SWITCHES_SHOWN 32 // the most switches of a stage whose settings fit a line

// --- The heading ---------------------------------------------------------------------------------------------------

// Prints the lanes of chosen routes; else the rule by which all messages go, if it is not the default.
static void put_rule(struct loom_table *t, const struct loom_plan *plan)
{
	unsigned rule = plan->n_messages ? plan->messages[0].rule : LOOM_RULE_ASCENDING;
	if (plan->routes.n)
		loom_table_words(t, 0, LOOM_PLAIN, "routes on %" PRIu32 " lane%s", plan->n_lanes,
		                 loom_table_plural(plan->n_lanes));
	for (size_t i = 1; i < plan->n_messages; i++)
		if (plan->messages[i].rule != rule)
			return;
	if (plan->routes.n && plan->topo.kind->router == LOOM_ROUTER_TABLE)
		return; // the number is then no rule
	if (rule != LOOM_RULE_ASCENDING)
		loom_table_words(t, 0, LOOM_PLAIN, "rule %s", loom_rule_name(rule));
	if (plan->select)
		loom_table_words(t, 0, LOOM_PLAIN, "select %s", loom_select_name(plan->select));
}

static void put_heading(struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *verdict)
{
	char name[LOOM_TEXT_NAME];
	loom_table_word(t, 0, plan->topo.name, LOOM_BOLD);
	loom_text_show(name, sizeof name, plan->pattern);
	if (strlen(name) > LOOM_TEXT_WIDTH) { // cut it as a person would
		char cut[LOOM_TEXT_WIDTH - 3];
		loom_text_show(cut, sizeof cut, name);
		(void)snprintf(name, sizeof name, "%s...", cut);
	}
	loom_table_word(t, 0, name, LOOM_BOLD);
	loom_text_show(name, sizeof name, plan->planner);
	loom_table_words(t, 0, LOOM_PLAIN, "planner %s", name);
	loom_report_map(name, sizeof name, plan);
	loom_table_words(t, 0, LOOM_PLAIN, "map %s", name);
	put_rule(t, plan);
	loom_table_end_line(t);
	char size[48];
	if (verdict->nodes == plan->topo.n_nodes)
		loom_topo_size_text(size, &plan->topo);
	else // for a formula, with more nodes than a fabric has
		(void)snprintf(size, sizeof size, "%" PRIu64 " nodes", verdict->nodes);
	loom_table_word(t, 0, size, LOOM_FAINT);
	loom_table_words(t, 0, LOOM_FAINT, "%" PRIu32 " pass%s", plan->n_passes, plan->n_passes == 1 ? "" : "es");
	if (plan->free_running)
		loom_table_words(t, 0, LOOM_FAINT, "free-running");
	if (plan->half_duplex)
		loom_table_words(t, 0, LOOM_FAINT, "half duplex");
	loom_table_words(t, 0, LOOM_FAINT, "%" PRIu64 " message%s", verdict->messages,
	                 loom_table_plural(verdict->messages));
	char width[24] = "";
	if (plan->topo.flit_bits)
		(void)snprintf(width, sizeof width, " of %u bits", plan->topo.flit_bits);
	loom_table_words(t, 0, LOOM_FAINT, "%" PRIu64 " flit%s%s", verdict->flits, loom_table_plural(verdict->flits),
	                 width);
	loom_table_end_line(t);
	loom_table_end_line(t);
}

// --- Rows ----------------------------------------------------------------------------------------------------------

// Prints two numbers side by side, or the first alone; "-" for an unknown number.
static void put_pair(const struct loom_table *t, int width, uint64_t predicted, bool known, uint64_t measured)
{
	if (known)
		(void)fprintf(t->stream, " %*" PRIu64, width, predicted);
	else
		(void)fprintf(t->stream, " %*s", width, "-");
	if (t->measured)
		(void)fprintf(t->stream, " %*" PRIu64, width, measured);
}

static void put_groups(const struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *verdict)
{
	const char *mark = t->measured ? "  differs" : "";
	(void)fprintf(t->stream, "%s%-15s", loom_table_start(t, LOOM_BOLD), "");
	if (t->measured)
		(void)fprintf(t->stream, " %21s   %25s", "max on one channel", "sum over all channels");
	else
		(void)fprintf(t->stream, " %10s   %12s", "max on one", "sum over all");
	(void)fprintf(t->stream, "  [messages]%s\n%s%-15s", loom_table_end(t), loom_table_start(t, LOOM_BOLD), "group");
	(void)fprintf(t->stream, " %10s", "predicted");
	(void)fprintf(t->stream, t->measured ? " %10s  " : "  ", "measured");
	(void)fprintf(t->stream, " %12s", "predicted");
	if (t->measured)
		(void)fprintf(t->stream, " %12s", "measured");
	(void)fprintf(t->stream, "%s\n", loom_table_end(t));
	for (unsigned g = 0; g < verdict->n_groups; g++) {
		static const struct loom_group_count none;
		const struct loom_group_count *predicted = &verdict->predicted[g];
		const struct loom_group_count *measured = t->measured ? &verdict->measured[g] : &none;
		bool differs = t->measured && (predicted->max != measured->max || predicted->sum != measured->sum);
		bool local = loom_report_group_is_local(&plan->topo, g);
		(void)fprintf(t->stream, "%s%-15.15s",
		              differs ? loom_table_start(t, LOOM_BAD)
		              : local ? loom_table_start(t, LOOM_FAINT)
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
		              differs || local ? loom_table_end(t) : "");
	}
	(void)fputc('\n', t->stream);
}

static void put_objective(struct loom_table *t, const struct loom_plan *plan, uint64_t cycles_least)
{
	char text[120];
	(void)fprintf(t->stream, "%-15s %10" PRIu64 "   ", "objective", plan->objective_value);
	if (!cycles_least) {
		(void)fprintf(t->stream, "%s\n", plan->objective);
		return;
	}
	if (cycles_least < plan->objective_value)
		(void)snprintf(text, sizeof text,
		               "cycles from one start, barriers included; at least %" PRIu64 " on any map and routes",
		               cycles_least);
	else
		(void)snprintf(text, sizeof text,
		               "cycles from one start, barriers included: met, no map and no routes do better");
	loom_table_text(t, 29, text);
	loom_table_end_line(t);
}

static void put_set(struct loom_table *t, const struct loom_plan *plan, const struct loom_report_facts *facts)
{
	if (plan->n_members < 2 && !plan->objective[0])
		return;
	loom_table_end_line(t);
	if (plan->objective[0])
		put_objective(t, plan, facts->cycles_least);
	if (!loom_report_has_members(plan, facts))
		return;
	(void)fprintf(t->stream, "%-15s ", "members");
	t->column = 16;
	for (uint32_t i = 0; i < plan->n_members; i++)
		loom_table_words(t, 16, LOOM_PLAIN, "%" PRIu32, plan->member_contention[i]);
	loom_table_word(t, 16, "contention of each", LOOM_PLAIN);
	loom_table_end_line(t);
}

static void put_admissible(struct loom_table *t, const struct loom_plan *plan, const struct loom_report_admissible *a)
{
	if (!a->asked)
		return;
	loom_table_end_line(t);
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
		(void)fprintf(t->stream, "%sno%s: ", loom_table_start(t, LOOM_BAD), loom_table_end(t));
		loom_table_text(t, 20, text);
		loom_table_end_line(t);
		return;
	}
	(void)fprintf(t->stream, "%syes%s: it passes in one pass%s\n", loom_table_start(t, LOOM_GOOD),
	              loom_table_end(t),
	              a->n_switches <= SWITCHES_SHOWN ? ", the switches straight (0) or crossed (1):"
	                                              : " (--json lists the switches)");
	for (unsigned s = 0; a->n_switches <= SWITCHES_SHOWN && s < a->n_stages; s++) {
		char settings[SWITCHES_SHOWN + 1];
		loom_report_admissible_stage(settings, a, s);
		(void)fprintf(t->stream, "%16s%s\n", "", settings);
	}
}

static void put_verdict(struct loom_table *t, const struct loom_verdict *verdict)
{
	size_t n = verdict->n_mismatches, kept = n < LOOM_MISMATCHES_KEPT ? n : LOOM_MISMATCHES_KEPT;
	size_t shown = kept < MISMATCHES_SHOWN ? kept : MISMATCHES_SHOWN;
	loom_table_end_line(t);
	if (n == 0) {
		(void)fprintf(t->stream, "%-15s %sPASS%s  every message and every channel as predicted\n", "verdict",
		              loom_table_start(t, LOOM_GOOD), loom_table_end(t));
		return;
	}
	(void)fprintf(t->stream, "%-15s %sFAIL%s  %zu difference%s from the plan\n", "verdict",
	              loom_table_start(t, LOOM_BAD), loom_table_end(t), n, loom_table_plural(n));
	for (size_t i = 0; i < shown; i++) {
		char text[sizeof verdict->mismatches[0]];
		loom_text_show(text, sizeof text, verdict->mismatches[i]);
		(void)fputs("  ", t->stream);
		loom_table_text(t, 2, text);
		loom_table_end_line(t);
	}
	if (n > shown)
		(void)fprintf(t->stream, "  and %zu more\n", n - shown);
}

int loom_report_table_with(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict,
                           const struct loom_report_facts *facts, bool measured, bool colour, struct loom_err *err)
{
	struct loom_table t = {.stream = stream, .measured = measured != 0, .colour = colour != 0};
	struct loom_report_admissible admissible;
	int rc = loom_report_admissible_make(&admissible, plan, err);
	if (rc != 0)
		return rc;
	put_heading(&t, plan, verdict);
	put_groups(&t, plan, verdict);
	loom_table_sums(&t, plan, verdict, facts);
	if (facts->is_permutation && !admissible.asked)
		loom_table_one_pass(&t, facts->one_pass_rules);
	put_set(&t, plan, facts);
	put_admissible(&t, plan, &admissible);
	loom_report_admissible_free(&admissible);
	if (measured)
		put_verdict(&t, verdict);
	return ferror(stream) ? loom_fail(err, LOOM_EFILE, "a table cannot be written") : 0;
}

int loom_report_table(FILE *stream, const struct loom_plan *plan, const struct loom_verdict *verdict, bool measured,
                      bool colour, struct loom_err *err)
{
	struct loom_report_facts facts;
	int rc = loom_report_facts_make(&facts, plan, err);
	return rc ? rc : loom_report_table_with(stream, plan, verdict, &facts, measured, colour, err);
}
