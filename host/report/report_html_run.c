// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as data for the script. One object:
//
//   title, machine, measured (a run), free (without barriers), passes
//   kind, nodes, per_tile, inject      the channel of injection of node u has the number u * per_tile + inject, that of ejection one less
//   groups     names of groups of channels; the last two are the nodes' own
//   channels   of each that exists its number, name, group, and the cycles by which it is later than usual; "place" below is the
//              place in this list
//   map        node of each processor; absent: each is on the node of its own number
//   first      of each pass its first message; and behind the last one how many there are
//   digits, s, d   sender and receiver (processors) of each message, numbers of `digits` digits to the base 36
//   f          flits of each message; here and below a number in place of a list: the same for all
//   next, ways, lanes   report_html_ways.h
//   stuck      why nothing is predicted; absent: it is
//   cycles     predicted, of each pass; of a free run of all of it
//   o          the cycle in which the header of each message is offered; 0: it does not use the network
//   x          what makes a message's crossings other than those of one that never waits (see below), of those that do: message,
//              then for each such channel of its way: number on the way, da, dg, dt
//   h, t       in place of x, which would be too long: cycles in which header and tail arrive
//   b          of each pass: place, cycles in which a header waits for that channel, where that is not 0
//   last       measured, of each pass the cycle of its last tail, where m is not empty; of a free run one number
//   m          of messages that did not arrive as predicted: message, state, offered (null: not known), header, tail
//   busy       of a run of programs, of each time in which a node computes or is delayed: node, first and last cycle; absent: of none
//   c          of channels that did not carry what was predicted: pass, place, messages, flits, cycles blocked
//
// A message of F flits that is offered in cycle o asks for channel 0 of its way in A(0) = o, crosses it in G(0) = A(0) + dg, asks for
// the next one in A(k) = G(k-1) + 1 + late(k-1) + da, and its tail crosses in T(k) = G(k) + F - 1 + dt. da, dg and dt are 0 but for what
// x says.
#include "report/report_html.h"

#include <inttypes.h>
#include <stdlib.h>

#include "machine/compute.h"
#include "plan/light.h"
#include "report/report_delays.h"
#include "report/report_html_data.h"
#include "report/report_html_text.h"

#define CROSSINGS_MOST 4000000 // the most crossings that are computed
#define X_BYTES_MOST 600000    // bytes of x

static void free_data(struct loom_html_data *d)
{
	loom_html_ways_free(&d->ways);
	loom_due_free(&d->due);
	free(d->fates);
	loom_machine_crossings_free(&d->crossings);
	free(d->flits);
}

static bool uses_network(const struct loom_html_data *d, size_t i)
{
	return loom_plan_uses_network(d->plan, &d->plan->messages[i]);
}

static enum loom_machine machine_of(const struct loom_html_data *d)
{
	return d->panel->trace ? d->panel->trace->machine : d->panel->machine;
}

static int find_crossings(struct loom_html_data *d, struct loom_err *err)
{
	const struct loom_machine_options options = {.image = {.machine = machine_of(d)}, .crossings = &d->crossings};
	uint64_t n = 0;
	for (size_t i = 0; i < d->plan->n_messages; i++)
		n += loom_plan_route_length(d->plan, i);
	return n > CROSSINGS_MOST || !loom_due_is_known(&d->due) ? 0
	                                                         : loom_machine_compute(NULL, d->plan, &options, err);
}

// --- Lists ----------------------------------------------------------------------------------------------------------

static void put_channels(const struct loom_html_data *d)
{
	const struct loom_topo *topo = &d->plan->topo;
	char name[48];
	(void)fputs(",\"groups\":[", d->stream);
	for (unsigned g = 0; g < loom_topo_groups(topo); g++) {
		loom_topo_group_name(topo, g, name);
		(void)fputs(g ? "," : "", d->stream);
		loom_html_put_string(d->stream, name);
	}
	(void)fputs("],\"channels\":[", d->stream);
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
		if (d->ways.place[c] == UINT32_MAX)
			continue;
		loom_topo_channel_name(topo, c, name);
		(void)fprintf(d->stream, "%s[%" PRIu32 ",", d->ways.place[c] ? "," : "", c);
		loom_html_put_string(d->stream, name);
		(void)fprintf(d->stream, ",%u,%" PRIu32 "]", loom_topo_group_of(topo, c), loom_light_late(topo, c));
	}
	(void)fputc(']', d->stream);
}

static void put_map(const struct loom_html_data *d)
{
	bool is_placed = false;
	for (uint32_t v = 0; v < d->plan->topo.n_nodes; v++)
		is_placed = is_placed || d->plan->map[v] != v;
	for (uint32_t v = 0; is_placed && v < d->plan->topo.n_nodes; v++)
		(void)fprintf(d->stream, "%s%" PRIu32, v ? "," : ",\"map\":[", d->plan->map[v]);
	(void)fputs(is_placed ? "]" : "", d->stream);
}

// Writes a number for each message; if all that use the network have the same, only that one.
static void put_column(const struct loom_html_data *d, const char *name,
                       uint64_t (*of)(const struct loom_html_data *d, size_t i))
{
	const size_t n = d->plan->n_messages;
	size_t first = 0;
	bool is_one = n > 0;
	while (first + 1 < n && !uses_network(d, first))
		first++;
	for (size_t i = first + 1; i < n; i++)
		is_one = is_one && (of(d, i) == of(d, first) || !uses_network(d, i));
	(void)fprintf(d->stream, ",\"%s\":", name);
	if (is_one) {
		(void)fprintf(d->stream, "%" PRIu64, of(d, first));
		return;
	}
	for (size_t i = 0; i < n; i++)
		(void)fprintf(d->stream, "%c%" PRIu64, i ? ',' : '[', of(d, i));
	(void)fputs(n ? "]" : "[]", d->stream);
}

static void put_number36(FILE *stream, uint32_t number, unsigned digits)
{
	uint32_t power = 1;
	for (unsigned k = 1; k < digits; k++)
		power *= 36;
	for (; power > 0; power /= 36)
		(void)fputc("0123456789abcdefghijklmnopqrstuvwxyz"[number / power % 36], stream);
}

static void put_ends(const struct loom_html_data *d)
{
	unsigned digits = 1;
	for (uint32_t n = d->plan->topo.n_nodes - 1; n >= 36; n /= 36)
		digits++;
	(void)fprintf(d->stream, ",\"digits\":%u,\"s\":\"", digits);
	for (size_t i = 0; i < d->plan->n_messages; i++)
		put_number36(d->stream, d->plan->messages[i].source, digits);
	(void)fputs("\",\"d\":\"", d->stream);
	for (size_t i = 0; i < d->plan->n_messages; i++)
		put_number36(d->stream, d->plan->messages[i].destination, digits);
	(void)fputc('"', d->stream);
}

static uint64_t flits_of(const struct loom_html_data *d, size_t i)
{
	return d->plan->messages[i].flits;
}

static uint64_t offered_of(const struct loom_html_data *d, size_t i)
{
	return d->due.times[i].offered;
}

static uint64_t header_of(const struct loom_html_data *d, size_t i)
{
	return d->due.times[i].header;
}

static uint64_t tail_of(const struct loom_html_data *d, size_t i)
{
	return d->due.times[i].tail;
}

static void put_messages(const struct loom_html_data *d)
{
	size_t i = 0;
	(void)fputs(",\"first\":[0", d->stream);
	for (uint32_t pass = 0; pass < d->plan->n_passes; pass++) {
		while (i < d->plan->n_messages && d->plan->messages[i].pass == pass)
			i++;
		(void)fprintf(d->stream, ",%zu", i);
	}
	(void)fputc(']', d->stream);
	put_ends(d);
	put_column(d, "f", flits_of);
	(void)fputc(',', d->stream);
	loom_html_put_ways(d->stream, &d->ways);
}

// --- Times ----------------------------------------------------------------------------------------------------------

// Writes the differences of message i's crossings from those of a message that never waits, if there are any.
static bool put_exceptions(FILE *stream, const struct loom_html_data *d, size_t i, bool first)
{
	const size_t begin = d->crossings.first[i];
	uint64_t asks = d->due.times[i].offered;
	bool any = false;
	for (size_t k = begin; k < d->crossings.first[i + 1]; k++) {
		const struct loom_machine_crossing *at = &d->crossings.at[k];
		const int64_t da = (int64_t)(at->asked - asks), dg = (int64_t)(at->header - at->asked),
			      dt = (int64_t)(at->tail - at->header) - (int64_t)(d->plan->messages[i].flits - 1);
		asks = at->header + 1 + loom_light_late(&d->plan->topo, at->channel);
		if (da == 0 && dg == 0 && dt == 0)
			continue;
		if (!any)
			(void)fprintf(stream, "%s[%zu", first ? "" : ",", i);
		any = true;
		(void)fprintf(stream, ",%zu,%" PRId64 ",%" PRId64 ",%" PRId64, k - begin, da, dg, dt);
	}
	(void)fputs(any ? "]" : "", stream);
	return any;
}

static int put_crossings(const struct loom_html_data *d, struct loom_err *err)
{
	char *text = NULL;
	size_t size = 0;
	bool first = true;
	FILE *x = d->crossings.first ? open_memstream(&text, &size) : NULL;
	for (size_t i = 0; x && i < d->plan->n_messages; i++)
		first = !put_exceptions(x, d, i, first) && first;
	if (d->crossings.first && (!x || fclose(x) != 0 || !text)) {
		free(text);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the crossings of messages");
	}
	if (x && size <= X_BYTES_MOST) {
		(void)fprintf(d->stream, ",\"x\":[%s]", text);
	} else {
		put_column(d, "h", header_of);
		put_column(d, "t", tail_of);
	}
	free(text);
	return 0;
}

static void put_blocked(const struct loom_html_data *d)
{
	const uint32_t n_channels = loom_topo_channels(&d->plan->topo);
	(void)fputs(",\"b\":[", d->stream);
	for (uint32_t pass = 0; pass < d->plan->n_passes; pass++) {
		bool first = true;
		(void)fputs(pass ? ",[" : "[", d->stream);
		for (uint32_t c = 0; c < n_channels; c++) {
			const uint32_t n = d->due.trace.counts[(size_t)pass * n_channels + c].blocked_cycles;
			if (n == 0)
				continue;
			(void)fprintf(d->stream, "%s%" PRIu32 ",%" PRIu32, first ? "" : ",", d->ways.place[c], n);
			first = false;
		}
		(void)fputc(']', d->stream);
	}
	(void)fputc(']', d->stream);
}

static int put_predicted(const struct loom_html_data *d, struct loom_err *err)
{
	if (!loom_due_is_known(&d->due)) {
		(void)fputs(",\"stuck\":", d->stream);
		loom_html_put_string(d->stream, d->due.stuck.text);
		return 0;
	}
	for (uint32_t pass = 0; pass < (d->plan->free_running ? 1 : d->plan->n_passes); pass++)
		(void)fprintf(d->stream, "%s%" PRIu64, pass ? "," : ",\"cycles\":[", d->due.last[pass]);
	(void)fputc(']', d->stream);
	put_column(d, "o", offered_of);
	int rc = put_crossings(d, err);
	if (rc == 0)
		put_blocked(d);
	return rc;
}

struct delays {
	FILE *stream;
	size_t n;
};

static void put_delay(void *user, const struct loom_delay *delay)
{
	struct delays *d = user;
	(void)fprintf(d->stream, "%s%" PRIu32 ",%" PRIu64 ",%" PRIu64, d->n ? "," : ",\"busy\":[", delay->node,
	              delay->first, delay->last);
	d->n++;
}

static int put_delays(const struct loom_html_data *d, struct loom_err *err)
{
	struct delays delays = {.stream = d->stream};
	const int rc = loom_report_delays(d->panel, put_delay, &delays, err);
	(void)fputs(delays.n ? "]" : "", d->stream);
	return rc;
}

// --- The whole ------------------------------------------------------------------------------------------------------

static int find_data(struct loom_html_data *d, struct loom_err *err)
{
	const struct loom_trace *trace = d->panel->trace;
	if (trace && (trace->n_channels != loom_topo_channels(&d->plan->topo) || trace->n_passes != d->plan->n_passes))
		return loom_fail(err, LOOM_EINTERNAL, "a trace and a plan of different shapes");
	int rc = loom_html_ways_make(&d->ways, d->plan, err);
	if (rc == 0)
		rc = loom_due_predict(&d->due, d->plan, machine_of(d), err);
	if (rc == 0)
		rc = loom_plan_flits(&d->flits, d->plan, err);
	if (rc == 0 && trace)
		rc = loom_offered_make(&d->fates, d->plan, trace, err);
	return rc == 0 ? find_crossings(d, err) : rc;
}

static int put_data(const struct loom_html_data *d, struct loom_err *err)
{
	const struct loom_topo *topo = &d->plan->topo;
	(void)fputs("{\"title\":", d->stream);
	loom_html_put_string(d->stream, d->panel->title ? d->panel->title : d->plan->planner);
	(void)fprintf(d->stream,
	              ",\"kind\":\"%s\",\"machine\":\"%s\",\"measured\":%s,\"free\":%s,\"passes\":%" PRIu32
	              ",\"nodes\":%" PRIu32 ",\"per_tile\":%" PRIu32 ",\"inject\":%u",
	              topo->kind->name, machine_of(d) == LOOM_MACHINE_PAPER ? "paper" : "fast",
	              d->panel->trace ? "true" : "false", d->plan->free_running ? "true" : "false", d->plan->n_passes,
	              topo->n_nodes, loom_topo_channels_per_tile(topo), topo->ports);
	put_channels(d);
	put_map(d);
	put_messages(d);
	int rc = put_predicted(d, err);
	if (rc == 0)
		rc = put_delays(d, err);
	if (rc == 0 && d->panel->trace)
		loom_html_put_measured(d);
	(void)fputc('}', d->stream);
	return rc;
}

int loom_html_put_run(FILE *stream, const struct loom_panel *panel, struct loom_err *err)
{
	struct loom_html_data d = {.stream = stream, .panel = panel, .plan = panel->plan};
	int rc = find_data(&d, err);
	if (rc == 0)
		rc = put_data(&d, err);
	free_data(&d);
	return rc;
}
