// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides who sends to whom in open-loop traffic, and computes what the channels could carry of it.
#include <flitloom/traffic.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pattern/pattern_elsewhere.h"
#include "traffic/injection.h"

#define UNIFORM "uniform"
#define HOTSPOT "hotspot:"

// Digits and a point: 0.25, .5, 1. Nothing else that strtod would take.
static bool read_fraction(double *out, const char *text)
{
	size_t whole = strspn(text, "0123456789"),
	       rest = text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
	if (text[whole + rest] != '\0' || whole + rest > 20 || whole + (rest > 1) == 0 || rest == 1)
		return false;
	*out = strtod(text, NULL);
	return *out <= 1;
}

static int parse_hotspot(struct loom_traffic *t, const char *spec, struct loom_err *err)
{
	const char *node = spec + strlen(HOTSPOT);
	size_t length = strcspn(node, ":");
	uint64_t hot = 0;
	t->kind = LOOM_TRAFFIC_HOTSPOT;
	t->fraction = 1;
	if (!loom_text_number(&hot, node, length) || hot >= t->n_nodes)
		return loom_fail(err, LOOM_EINPUT, "\"%.60s\": after hotspot: comes a processor, 0..%" PRIu32, spec,
		                 t->n_nodes - 1);
	if (node[length] == ':' && !read_fraction(&t->fraction, node + length + 1))
		return loom_fail(
			err, LOOM_EINPUT,
			"\"%.60s\": behind the processor comes its part of all messages, 0 to 1, such as hotspot:5:0.1",
			spec);
	t->hot = (uint32_t)hot;
	return 0;
}

static int parse_pattern(struct loom_traffic *t, const char *spec, const struct loom_pattern_options *options,
                         struct loom_err *err)
{
	struct loom_pattern p;
	const char *ours = loom_pattern_elsewhere(spec);
	if (ours &&
	    strncmp(ours, UNIFORM, strlen(UNIFORM)) == 0) // the pattern has a number of messages, traffic has none
		return loom_fail(err, LOOM_EINPUT, "unknown traffic \"%.60s\": flitloom calls it \"" UNIFORM "\"",
		                 spec);
	int rc = loom_pattern_parse(&p, spec, t->n_nodes, options, err);
	if (rc != 0)
		return rc;
	t->kind = LOOM_TRAFFIC_ONE;
	t->destination = malloc(t->n_nodes * sizeof *t->destination);
	if (!t->destination)
		rc = loom_fail(err, LOOM_ENOMEM, "no memory for the destinations of %" PRIu32 " processors",
		               t->n_nodes);
	for (uint32_t v = 0; rc == 0 && v < t->n_nodes; v++)
		t->destination[v] = LOOM_TRAFFIC_SILENT;
	if (rc == 0 && p.timing)
		rc = loom_fail(err, LOOM_EINPUT, "%.60s: a pattern with times of its own has no load to choose", spec);
	for (size_t i = 0; rc == 0 && i < p.n_messages; i++) {
		const struct loom_message *m = &p.messages[i];
		if (m->flits != options->flits)
			rc = loom_fail(err, LOOM_EINPUT,
			               "%.60s: its message from %" PRIu32 " to %" PRIu32 " has %" PRIu32
			               " flits, and at a load all messages have one length, here %" PRIu32
			               ": leave the lengths out, or ask for that one",
			               spec, m->source, m->destination, m->flits, options->flits);
		if (t->destination[m->source] != LOOM_TRAFFIC_SILENT)
			rc = loom_fail(err, LOOM_EINPUT,
			               "%.60s: processor %" PRIu32
			               " sends more than one message; at a load each has one destination, or goes by "
			               "uniform or hotspot:NODE",
			               spec, m->source);
		t->destination[m->source] = m->destination;
	}
	loom_pattern_free(&p);
	return rc;
}

int loom_traffic_parse(struct loom_traffic *out, const char *spec, const struct loom_topo *topo,
                       const struct loom_pattern_options *options, struct loom_err *err)
{
	struct loom_traffic t = {.n_nodes = topo->n_nodes};
	int rc = 0;
	loom_text_quote(t.name, sizeof t.name, spec, strlen(spec));
	if (strcmp(spec, UNIFORM) == 0)
		t.kind = LOOM_TRAFFIC_UNIFORM;
	else if (strncmp(spec, HOTSPOT, strlen(HOTSPOT)) == 0)
		rc = parse_hotspot(&t, spec, err);
	else
		rc = parse_pattern(&t, spec, options, err);
	if (rc == 0 && loom_traffic_senders_count(&t, topo) == 0)
		rc = loom_fail(err, LOOM_EINPUT, "%.60s on %s: no message uses the network", spec, topo->name);
	if (rc != 0) {
		loom_traffic_free(&t);
		return rc;
	}
	*out = t;
	return 0;
}

void loom_traffic_free(struct loom_traffic *traffic)
{
	if (!traffic)
		return;
	free(traffic->destination);
	*traffic = (struct loom_traffic){0};
}

bool loom_traffic_sends(const struct loom_traffic *t, const struct loom_topo *topo, uint32_t v)
{
	if (t->kind == LOOM_TRAFFIC_ONE)
		return t->destination[v] != LOOM_TRAFFIC_SILENT &&
		       (t->destination[v] != v || topo->kind->self_uses_network);
	return t->n_nodes > 1 && !(t->kind == LOOM_TRAFFIC_HOTSPOT && t->fraction >= 1 && v == t->hot);
}

uint32_t loom_traffic_senders_count(const struct loom_traffic *t, const struct loom_topo *topo)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++)
		n += loom_traffic_sends(t, topo, v);
	return n;
}

// --- What the channels could carry ---------------------------------------------------------------------------------

int loom_traffic_capacity(double *out, const struct loom_traffic *t, const struct loom_topo *topo, const uint32_t *map,
                          enum loom_rule rule, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(topo), channel;
	if (!loom_injection_has_few_pairs(t)) {
		*out = NAN;
		return 0;
	}
	double *load = calloc(n_channels, sizeof *load), most = 1;
	if (!load)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the loads of %" PRIu32 " channels", n_channels);
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		if (!loom_traffic_sends(t, topo, v))
			continue;
		uint32_t first, after;
		loom_injection_range(&first, &after, t, v);
		for (uint32_t w = first; w < after; w++) {
			const double p = loom_injection_part(t, v, w);
			struct loom_route route;
			if (p <= 0)
				continue;
			loom_route_begin(&route, topo, map[v], map[w],
			                 (enum loom_rule)loom_topo_rule(topo, map[v], map[w], rule));
			while (loom_route_next(&route, &channel))
				load[channel] += p;
		}
	}
	for (uint32_t c = 0; c < n_channels; c++)
		most = load[c] > most ? load[c] : most;
	free(load);
	*out = 1 / most;
	return 0;
}
