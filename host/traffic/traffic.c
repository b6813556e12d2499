// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the senders and destinations of open-loop traffic.
#include <flitloom/traffic.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "base/text.h"
#include "pattern/pattern_elsewhere.h"
#include "traffic/flows.h"

#define UNIFORM "uniform"
#define HOTSPOT "hotspot:"
#define FLOWS "traffic:"
#define MATRIX "matrix:"

// Reads digits and a point, such as 0.25, .5 or 1, and nothing else that strtod would take.
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

// Silences processors whose only destination is themselves, if such messages do not use the network.
static void silence(struct loom_traffic *t, const struct loom_topo *topo)
{
	for (uint32_t v = 0; !topo->kind->self_uses_network && v < t->n_nodes; v++)
		if (t->destination[v] == v)
			t->destination[v] = LOOM_TRAFFIC_SILENT;
}

// Restricts traffic to the nodes that take part. Processors keep their numbers.
static int leave_out(struct loom_traffic *t, const struct loom_topo *topo, struct loom_err *err)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++)
		n += loom_topo_takes_part(topo, v);
	if (n == t->n_nodes || (t->kind != LOOM_TRAFFIC_UNIFORM && t->kind != LOOM_TRAFFIC_HOTSPOT))
		return 0;
	t->among = malloc(n * sizeof *t->among);
	if (!t->among)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " processors", n);
	for (uint32_t v = 0; v < t->n_nodes; v++)
		if (loom_topo_takes_part(topo, v))
			t->among[t->n_among++] = v;
	if (t->kind == LOOM_TRAFFIC_HOTSPOT && !loom_topo_takes_part(topo, t->hot))
		return loom_fail(err, LOOM_EINPUT, "%.60s: node %" PRIu32 " of %.120s takes no part", t->name, t->hot,
		                 topo->name);
	return 0;
}

// Reads traffic that is not a sum into an empty *t.
static int parse_term(struct loom_traffic *t, const char *spec, const struct loom_topo *topo,
                      const struct loom_pattern_options *options, struct loom_err *err)
{
	int rc = 0;
	*t = (struct loom_traffic){.n_nodes = loom_topo_hosts(topo)};
	loom_text_quote(t->name, sizeof t->name, spec, strlen(spec));
	if (strcmp(spec, FLOWS) == 0 || strcmp(spec, MATRIX) == 0) {
		rc = loom_fail(err, LOOM_EINPUT, "%s: a file is missing, as in %sbytes.csv", spec, spec);
	} else if (strcmp(spec, UNIFORM) == 0) {
		t->kind = LOOM_TRAFFIC_UNIFORM;
	} else if (strncmp(spec, HOTSPOT, strlen(HOTSPOT)) == 0) {
		rc = parse_hotspot(t, spec, err);
	} else if (strncmp(spec, FLOWS, strlen(FLOWS)) == 0) {
		t->kind = LOOM_TRAFFIC_FLOWS;
		rc = loom_flows_read(&t->flows, spec + strlen(FLOWS), topo, err);
	} else if (strncmp(spec, MATRIX, strlen(MATRIX)) == 0) {
		t->kind = LOOM_TRAFFIC_FLOWS;
		rc = loom_matrix_read(&t->flows, spec + strlen(MATRIX), topo, err);
	} else {
		rc = parse_pattern(t, spec, options, err);
		if (rc == 0)
			silence(t, topo);
	}
	return rc == 0 ? leave_out(t, topo, err) : rc;
}

// --- Sums -----------------------------------------------------------------------------------------------------------

// Returns the length of the weight at the beginning of a text, without the "*" behind it; 0 if there is none.
static size_t weight_length(const char *text)
{
	const size_t length = strspn(text, "0123456789.");
	return text[length] == '*' ? length : 0;
}

// Returns the length of a term: up to a + that a weight follows.
static size_t term_length(const char *text)
{
	size_t length = 0;
	while (text[length] && !(text[length] == '+' && weight_length(text + length + 1)))
		length++;
	return length;
}

static int add_term(struct loom_traffic *t, const char *text, size_t length, const struct loom_topo *topo,
                    const struct loom_pattern_options *options, struct loom_err *err)
{
	char shown[60];
	const size_t weight = weight_length(text);
	loom_text_quote(shown, sizeof shown, text, length);
	if (t->n_terms == LOOM_TRAFFIC_TERMS_MOST)
		return loom_fail(err, LOOM_EINPUT, "a sum of more than %d kinds of traffic", LOOM_TRAFFIC_TERMS_MOST);
	if (!loom_text_real(&t->weights[t->n_terms], text, weight) || t->weights[t->n_terms] <= 0)
		return loom_fail(err, LOOM_EINPUT, "\"%s\": a term of a sum has a weight above 0, such as 0.7*uniform",
		                 shown);
	char *spec = calloc(length + 1, 1);
	if (!spec)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the name of a kind of traffic");
	memcpy(spec, text + weight + 1, length - weight - 1);
	int rc = strcmp(spec, FLOWS "-") == 0 || strcmp(spec, MATRIX "-") == 0
	                 ? loom_fail(err, LOOM_EINPUT, "\"%s\": a term of a sum is read from a file with a name", shown)
	         : weight_length(spec) ? loom_fail(err, LOOM_EINPUT, "\"%s\": a term of a sum has one weight", shown)
	                               : parse_term(&t->terms[t->n_terms++], spec, topo, options, err);
	free(spec);
	return rc;
}

// Scales the weights so that the mean rate of all senders is 1.
static int scale_weights(struct loom_traffic *t, struct loom_err *err)
{
	double sum = 0;
	uint32_t n = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		const double rate = loom_traffic_rate(t, v);
		sum += rate;
		n += rate > 0;
	}
	const double by = sum / n;
	for (size_t k = 0; n > 0 && k < t->n_terms; k++)
		if (!((t->weights[k] /= by) > 0))
			return loom_fail(err, LOOM_EINPUT, "%.60s: weight %zu is next to nothing beside the others",
			                 t->name, k + 1);
	return 0;
}

static int parse_sum(struct loom_traffic *t, const char *spec, const struct loom_topo *topo,
                     const struct loom_pattern_options *options, struct loom_err *err)
{
	int rc = 0;
	*t = (struct loom_traffic){.kind = LOOM_TRAFFIC_SUM, .n_nodes = loom_topo_hosts(topo)};
	loom_text_quote(t->name, sizeof t->name, spec, strlen(spec));
	t->terms = calloc(LOOM_TRAFFIC_TERMS_MOST, sizeof *t->terms);
	t->weights = calloc(LOOM_TRAFFIC_TERMS_MOST, sizeof *t->weights);
	if (!t->terms || !t->weights)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a sum of kinds of traffic");
	for (const char *at = spec; rc == 0; at++) {
		const size_t length = term_length(at);
		rc = add_term(t, at, length, topo, options, err);
		at += length;
		if (*at == '\0')
			break;
	}
	return rc == 0 ? scale_weights(t, err) : rc;
}

int loom_traffic_parse(struct loom_traffic *out, const char *spec, const struct loom_topo *topo,
                       const struct loom_pattern_options *options, struct loom_err *err)
{
	struct loom_traffic t;
	int rc = (weight_length(spec) ? parse_sum : parse_term)(&t, spec, topo, options, err);
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
	for (size_t k = 0; k < traffic->n_terms; k++) // no term is a sum itself
		loom_traffic_free(&traffic->terms[k]);
	loom_flows_free(traffic->flows);
	free(traffic->destination);
	free(traffic->among);
	free(traffic->terms);
	free(traffic->weights);
	*traffic = (struct loom_traffic){0};
}

bool loom_traffic_sends(const struct loom_traffic *t, const struct loom_topo *topo, uint32_t v)
{
	(void)topo;
	return loom_traffic_rate(t, v) > 0;
}

uint32_t loom_traffic_senders_count(const struct loom_traffic *t, const struct loom_topo *topo)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++)
		n += loom_traffic_sends(t, topo, v);
	return n;
}

double loom_traffic_own_load(const struct loom_traffic *t, double mean_flits)
{
	if (t->kind != LOOM_TRAFFIC_FLOWS)
		return NAN;
	return t->flows->in_messages ? t->flows->own_load * mean_flits : t->flows->own_load;
}
