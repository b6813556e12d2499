// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the proof of a rule to a file that others can check: tools/check_rule_certificate.py describes the format.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/via.h>

#include "base/file.h"
#include "plan/routes/network_file.h"
#include "plan/routes/rule_internal.h"
#include "plan/routes/via_freedom.h"

struct rule_file {
	const struct loom_rule_freedom *freedom;
	struct loom_states *states;
	struct loom_states_walk walk;
	uint32_t *node_of;  // owned: the number in the file of each node that takes part
	uint32_t *place_of; // owned: the place of each state in the list of its destination
};

// Returns the lanes of a set in the file's format: bit place * n_vcs + lane, where missing links have no place.
static uint64_t in_file(const struct loom_topo *t, uint32_t node, uint64_t lanes)
{
	uint64_t out = 0;
	unsigned place = 0;
	for (unsigned p = 0; p < loom_topo_links(t); p++) {
		uint32_t v;
		unsigned q;
		if (!t->kind->link(t, node, p, &v, &q))
			continue;
		out |= (lanes >> p * t->n_vcs & ((UINT64_C(1) << t->n_vcs) - 1)) << place * t->n_vcs;
		place++;
	}
	return out;
}

static void put_numbers(FILE *stream, const struct rule_file *f)
{
	const struct loom_topo *t = f->states->topo;
	uint32_t tail, head, n_links = 0;
	(void)fputs("\"numbers\":[", stream);
	for (uint32_t channel = 0; channel < loom_topo_channels(t); channel++) {
		if (!loom_network_link(t, channel, &tail, &head))
			continue;
		(void)fputs(n_links++ ? ",[" : "[", stream);
		for (unsigned vc = 0; vc < t->n_vcs; vc++) {
			const uint32_t number = f->freedom->number[channel * t->n_vcs + vc];
			(void)fputs(vc ? "," : "", stream);
			if (number == LOOM_RULE_NO_NUMBER)
				(void)fputs("null", stream);
			else
				(void)fprintf(stream, "%" PRIu32, number);
		}
		(void)fputc(']', stream);
	}
	(void)fputs("],\n", stream);
}

static void put_next(FILE *stream, const struct rule_file *f, uint32_t state)
{
	const struct loom_states *s = f->states;
	const char *comma = "";
	(void)fputs(",[", stream);
	for (unsigned p = 0; p < loom_topo_links(s->topo); p++) {
		if (!loom_states_lanes(s, f->walk.set[state].lanes, p))
			continue;
		const uint32_t to = loom_states_next(s, state, p);
		if (loom_states_node(s, to) == s->destination)
			(void)fprintf(stream, "%snull", comma);
		else
			(void)fprintf(stream, "%s%" PRIu32, comma, f->place_of[to]);
		comma = ",";
	}
	(void)fputc(']', stream);
}

static void put_states(FILE *stream, const struct rule_file *f)
{
	const struct loom_states *s = f->states;
	const struct loom_states_walk *w = &f->walk;
	for (uint32_t i = 0; i < w->n; i++) {
		const uint32_t at = w->order[i], node = loom_states_node(s, at);
		f->place_of[at] = i;
		(void)fprintf(stream, "%s[%" PRIu32 ",%" PRIu64, i ? "," : "", f->node_of[node],
		              in_file(s->topo, node, w->set[at].lanes));
		if (s->has_escapes)
			(void)fprintf(stream, ",%" PRIu64, in_file(s->topo, node, w->set[at].escape));
		if (s->n_memories > 1)
			put_next(stream, f, at);
		(void)fputc(']', stream);
	}
}

static void put_starts(FILE *stream, const struct rule_file *f)
{
	const struct loom_states *s = f->states;
	const char *comma = "";
	(void)fputs("],\"starts\":[", stream);
	for (uint32_t u = 0; u < s->topo->n_nodes; u++) {
		if (u == s->destination || !loom_states_is_end(s->topo, u))
			continue;
		(void)fprintf(stream, "%s%" PRIu32, comma, f->place_of[loom_states_start(s, u)]);
		comma = ",";
	}
	(void)fputs("]}", stream);
}

static int put_file(FILE *stream, const void *user)
{
	struct rule_file *f = *(struct rule_file *const *)user;
	const struct loom_topo *t = f->states->topo;
	const char *comma = "";
	(void)fprintf(stream, "{\"fabric\":\"%s\",\"rule\":\"%s\",\"lanes\":%u,\"escapes\":%s,\n", t->name,
	              loom_rule_name(f->states->rule), t->n_vcs, f->states->has_escapes ? "true" : "false");
	loom_network_put(stream, t, f->node_of);
	put_numbers(stream, f);
	(void)fputs("\"messages\":[", stream);
	for (uint32_t d = 0; d < t->n_nodes; d++) {
		if (!loom_states_is_end(t, d))
			continue;
		loom_walk_all(&f->walk, d);
		(void)fprintf(stream, "%s\n{\"to\":%" PRIu32 ",\"states\":[", comma, f->node_of[d]);
		put_states(stream, f);
		put_starts(stream, f);
		comma = ",";
	}
	(void)fputs("]}\n", stream);
	return 0;
}

int loom_rule_certify(const struct loom_rule_freedom *freedom, const struct loom_topo *t, unsigned rule,
                      const struct loom_turns *turns, const char *path, struct loom_err *err)
{
	struct loom_states states;
	uint32_t n_nodes = 0;
	if (!freedom->is_free)
		return loom_fail(err, LOOM_EINPUT,
		                 "no certificate: on %.120s messages by rule %s are not free of deadlocks", t->name,
		                 loom_rule_name(rule));
	if (loom_rule_has_via(rule))
		return loom_via_certify(freedom, t, rule, path, err);
	int rc = loom_states_init(&states, t, rule, turns, err);
	if (rc != 0)
		return rc;
	struct rule_file f = {.freedom = freedom,
	                      .states = &states,
	                      .node_of = calloc((size_t)t->n_nodes + 1, sizeof *f.node_of),
	                      .place_of = calloc((size_t)loom_states_count(&states) + 1, sizeof *f.place_of)};
	struct rule_file *it = &f;
	if (loom_walk_init(&f.walk, &states) != 0 || !f.node_of || !f.place_of)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a certificate of %.120s", t->name);
	for (uint32_t v = 0; rc == 0 && v < t->n_nodes; v++)
		if (loom_topo_takes_part(t, v))
			f.node_of[v] = n_nodes++;
	if (rc == 0)
		rc = loom_file_write(path, put_file, &it, err);
	loom_walk_free(&f.walk);
	free(f.node_of);
	free(f.place_of);
	loom_states_free(&states);
	return rc;
}
