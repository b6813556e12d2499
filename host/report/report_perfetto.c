// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace of TrackEvents for ui.perfetto.dev: a track for each node, on which the messages are that it sends, below it one for each of
// its channels (of each lane), with the messages that cross it; the slices of a message are joined by a flow. A cycle is a
// microsecond. Passes lie one behind the other, as long apart as barriers take. Numbers of fields are those of perfetto_trace.proto.
#include <flitloom/report.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/numbers.h"
#include "base/text.h"
#include "check/due.h"
#include "check/offered.h"
#include "machine/compute.h"
#include "plan/back_to_back_internal.h"
#include "report/report_proto.h"
#include "report/report_state.h"

#define CYCLE_NS UINT64_C(1000)
#define SEQUENCE 1u

// Numbers of fields of Trace, TracePacket, TrackDescriptor, ProcessDescriptor, TrackEvent, DebugAnnotation.
enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PARENT = 5,
	TRACK_ORDERING = 11,
	TRACK_RANK = 12,
	EVENT_NOTES = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,
	NOTE_NUMBER = 3,
	NOTE_TEXT = 6,
	NOTE_NAME = 10,
	SLICE_BEGIN = 1,
	SLICE_END = 2,
	EXPLICIT = 3,
	STATE_CLEARED = 1
};

// A message on a channel.
struct slice {
	size_t message, place; // place: the channel's index in its route, from 0
	uint64_t first, last;  // cycles of its pass
};

struct trace {
	FILE *stream;
	const struct loom_plan *plan;
	const struct loom_trace *measured; // NULL: nothing was measured
	struct loom_due due;               // owned, as those below
	struct loom_machine_crossings crossings;
	struct loom_fate *fates;
	uint64_t *began; // the cycle before the first one of each pass, from START
	bool cut;
};

static void free_trace(struct trace *t)
{
	loom_due_free(&t->due);
	loom_machine_crossings_free(&t->crossings);
	free(t->fates);
	free(t->began);
}

// --- Packets --------------------------------------------------------------------------------------------------------

static void put_packet(struct trace *t, struct loom_proto *packet)
{
	struct loom_proto whole = {.n = 0};
	loom_proto_number(packet, PACKET_SEQUENCE, SEQUENCE);
	loom_proto_message(&whole, TRACE_PACKET, packet);
	t->cut = t->cut || whole.cut;
	(void)fwrite(whole.byte, 1, whole.n, t->stream);
}

// Tracks: 1 the run, 2 its passes, then nodes, then lanes of channels.
static uint64_t node_track(uint32_t node)
{
	return 3 + (uint64_t)node;
}

static uint64_t lane_track(const struct loom_topo *topo, uint32_t channel, uint32_t lane)
{
	return 3 + (uint64_t)topo->n_tiles + (uint64_t)channel * topo->n_vcs + lane;
}

static void put_track(struct trace *t, uint64_t uuid, uint64_t parent, const char *name, uint64_t rank)
{
	struct loom_proto track = {.n = 0}, packet = {.n = 0};
	loom_proto_number(&track, TRACK_UUID, uuid);
	loom_proto_text(&track, TRACK_NAME, name);
	if (parent)
		loom_proto_number(&track, TRACK_PARENT, parent);
	loom_proto_number(&track, TRACK_ORDERING, EXPLICIT);
	loom_proto_number(&track, TRACK_RANK, rank);
	loom_proto_message(&packet, PACKET_TRACK, &track);
	if (uuid == 1)
		loom_proto_number(&packet, PACKET_FLAGS, STATE_CLEARED);
	put_packet(t, &packet);
}

static void add_number(struct loom_proto *event, const char *name, uint64_t value)
{
	struct loom_proto note = {.n = 0};
	loom_proto_text(&note, NOTE_NAME, name);
	loom_proto_number(&note, NOTE_NUMBER, value);
	loom_proto_message(event, EVENT_NOTES, &note);
}

static void add_text(struct loom_proto *event, const char *name, const char *value)
{
	struct loom_proto note = {.n = 0};
	loom_proto_text(&note, NOTE_NAME, name);
	loom_proto_text(&note, NOTE_TEXT, value);
	loom_proto_message(event, EVENT_NOTES, &note);
}

// Writes an event at the beginning of cycle `cycle` from START.
static void put_event(struct trace *t, uint64_t track, unsigned type, uint64_t cycle, struct loom_proto *event)
{
	struct loom_proto packet = {.n = 0};
	loom_proto_number(event, EVENT_TYPE, type);
	loom_proto_number(event, EVENT_TRACK, track);
	loom_proto_number(&packet, PACKET_TIMESTAMP, cycle * CYCLE_NS);
	loom_proto_message(&packet, PACKET_EVENT, event);
	put_packet(t, &packet);
}

// Writes a slice from the beginning of cycle `first` to the end of `last`, of pass `pass`; `event` has its name and
// other fields.
static void put_slice(struct trace *t, uint64_t track, uint32_t pass, uint64_t first, uint64_t last,
                      struct loom_proto *event)
{
	struct loom_proto end = {.n = 0};
	put_event(t, track, SLICE_BEGIN, t->began[pass] + first, event);
	put_event(t, track, SLICE_END, t->began[pass] + last + 1, &end);
}

// --- Messages -------------------------------------------------------------------------------------------------------

// True if the message behaved as predicted, as far as is known.
static bool is_as_predicted(const struct trace *t, size_t i)
{
	const struct loom_fate *f = t->fates ? &t->fates[i] : NULL;
	if (!f)
		return true;
	return f->arrival && strcmp(loom_report_state(t->plan, &t->plan->messages[i], f), "delivered") == 0 &&
	       f->arrival->first_cycle == t->due.times[i].header && f->arrival->last_cycle == t->due.times[i].tail;
}

static void name_message(struct loom_proto *event, const struct trace *t, size_t i)
{
	char name[64];
	const struct loom_plan_message *m = &t->plan->messages[i];
	(void)snprintf(name, sizeof name, "message %zu", i);
	loom_proto_text(event, EVENT_NAME, name);
	add_number(event, "from", m->source);
	add_number(event, "to", m->destination);
	add_number(event, "flits", m->flits);
	add_number(event, "pass", m->pass);
}

static int by_first(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;
	return loom_order(x->first, y->first);
}

static void put_channel_slice(struct trace *t, uint64_t track, const struct slice *s)
{
	const size_t at = t->crossings.first[s->message] + s->place;
	const struct loom_machine_crossing *c = &t->crossings.at[at];
	struct loom_proto event = {.n = 0};
	name_message(&event, t, s->message);
	add_number(&event, "asked", c->asked);
	add_number(&event, "waited", c->header - c->asked);
	loom_proto_fixed(&event, at + 1 == t->crossings.first[s->message + 1] ? EVENT_LAST_FLOW : EVENT_FLOW,
	                 s->message + 1);
	put_slice(t, track, t->plan->messages[s->message].pass, s->first, s->last, &event);
}

// Draws a message that deviated from its prediction, with all known facts, on the track of the node where it is, or
// should be.
static void put_difference(struct trace *t, size_t i)
{
	const struct loom_fate *f = &t->fates[i];
	const struct loom_plan_message *m = &t->plan->messages[i];
	struct loom_proto event = {.n = 0};
	const uint32_t node = f->arrival && f->arrival->node < t->plan->topo.n_nodes ? f->arrival->node
	                                                                             : t->plan->map[m->destination];
	const uint64_t first = f->arrival ? f->arrival->first_cycle : 1, last = f->arrival ? f->arrival->last_cycle : 1;
	name_message(&event, t, i);
	add_text(&event, "not as predicted", loom_report_state(t->plan, m, f));
	put_slice(t, node_track(node), m->pass, first, last < first ? first : last, &event);
}

// By lane of a channel, the slices of the messages that cross it: those of lane l lie from slices[first[l]] on.
static int sort_slices(struct slice **slices, size_t **first, const struct trace *t, struct loom_err *err)
{
	const struct loom_topo *topo = &t->plan->topo;
	const size_t n_lanes = (size_t)loom_topo_channels(topo) * topo->n_vcs,
		     n = t->crossings.first[t->plan->n_messages];
	*first = calloc(n_lanes + 2, sizeof **first);
	*slices = calloc(n + 1, sizeof **slices);
	if (!*first || !*slices)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a trace of %zu crossings", n);
	for (size_t at = 0; at < n; at++)
		(*first)[(size_t)t->crossings.at[at].channel * topo->n_vcs + t->crossings.at[at].lane + 2]++;
	for (size_t l = 0; l < n_lanes; l++)
		(*first)[l + 2] += (*first)[l + 1];
	for (size_t i = 0; i < t->plan->n_messages; i++)
		for (size_t at = t->crossings.first[i]; at < t->crossings.first[i + 1]; at++) {
			const struct loom_machine_crossing *c = &t->crossings.at[at];
			const uint64_t began = t->began[t->plan->messages[i].pass];
			(*slices)[(*first)[(size_t)c->channel * topo->n_vcs + c->lane + 1]++] =
				(struct slice){i, at - t->crossings.first[i], began + c->header, began + c->tail};
		}
	for (size_t l = 0; l < n_lanes; l++)
		qsort(*slices + (*first)[l], (*first)[l + 1] - (*first)[l], sizeof **slices, by_first);
	return 0;
}

static void put_lane(struct trace *t, uint32_t channel, uint32_t lane, const struct slice *slices, size_t n)
{
	const struct loom_topo *topo = &t->plan->topo;
	const uint64_t track = lane_track(topo, channel, lane);
	char name[48], text[80];
	loom_topo_channel_name(topo, channel, name);
	(void)snprintf(text, sizeof text,
	               topo->n_vcs > 1 && !loom_topo_is_local(topo, channel) ? "%s lane %" PRIu32 : "%s", name, lane);
	put_track(t, track, node_track(channel / loom_topo_channels_per_tile(topo)), text,
	          (uint64_t)channel % loom_topo_channels_per_tile(topo) * topo->n_vcs + lane);
	for (size_t k = 0; k < n; k++) {
		struct slice s = slices[k];
		s.first -= t->began[t->plan->messages[s.message].pass];
		s.last -= t->began[t->plan->messages[s.message].pass];
		if (is_as_predicted(t, s.message))
			put_channel_slice(t, track, &s);
	}
}

// Writes the messages of a node on its track: each from the offer of the header to the tail behind injection.
static void put_sent(struct trace *t, const struct slice *slices, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const size_t i = slices[k].message;
		const struct loom_machine_crossing *c = &t->crossings.at[t->crossings.first[i]];
		const uint32_t node = t->plan->map[t->plan->messages[i].source];
		struct loom_proto event = {.n = 0};
		if (!is_as_predicted(t, i))
			continue;
		name_message(&event, t, i);
		loom_proto_fixed(&event, EVENT_FLOW, i + 1);
		put_slice(t, node_track(node), t->plan->messages[i].pass, c->asked, c->tail, &event);
	}
}

// --- The whole ------------------------------------------------------------------------------------------------------

static void put_heads(struct trace *t)
{
	const struct loom_topo *topo = &t->plan->topo;
	char name[LOOM_TOPO_NAME + LOOM_TEXT_NAME + 48], pattern[LOOM_TEXT_NAME];
	loom_text_show(pattern, sizeof pattern, t->plan->pattern);
	(void)snprintf(name, sizeof name, "%s on %s (a cycle is a microsecond)", pattern, topo->name);
	put_track(t, 1, 0, name, 0);
	put_track(t, 2, 1, "passes", 0);
	for (uint32_t u = 0; u < topo->n_tiles; u++) {
		(void)snprintf(name, sizeof name, loom_topo_links(topo) ? "node %" PRIu32 : "line %" PRIu32, u);
		put_track(t, node_track(u), 1, name, 1 + (uint64_t)u);
	}
}

static void put_passes(struct trace *t)
{
	for (uint32_t pass = 0; pass < (t->plan->free_running ? 1 : t->plan->n_passes); pass++) {
		struct loom_proto event = {.n = 0};
		char name[32];
		(void)snprintf(name, sizeof name, "pass %" PRIu32, pass);
		loom_proto_text(&event, EVENT_NAME, t->plan->free_running ? "free run" : name);
		if (t->due.last[pass] > 0)
			put_slice(t, 2, pass, 1, t->due.last[pass], &event);
	}
}

static int put_all(struct trace *t, struct loom_err *err)
{
	const struct loom_topo *topo = &t->plan->topo;
	struct slice *slices = NULL;
	size_t *first = NULL;
	int rc = sort_slices(&slices, &first, t, err);
	if (rc == 0) {
		put_heads(t);
		put_passes(t);
	}
	for (uint32_t c = 0; rc == 0 && c < loom_topo_channels(topo); c++)
		for (uint32_t lane = 0; lane < topo->n_vcs; lane++) {
			const size_t l = (size_t)c * topo->n_vcs + lane, n = first[l + 1] - first[l];
			if (n == 0)
				continue;
			put_lane(t, c, lane, slices + first[l], n);
			if (c % loom_topo_channels_per_tile(topo) == topo->ports) // injection
				put_sent(t, slices + first[l], n);
		}
	for (size_t i = 0; rc == 0 && i < t->plan->n_messages; i++)
		if (loom_plan_uses_network(t->plan, &t->plan->messages[i]) && !is_as_predicted(t, i))
			put_difference(t, i);
	free(slices);
	free(first);
	return rc == 0 && t->cut ? loom_fail(err, LOOM_EINTERNAL, "a packet of a trace is too long") : rc;
}

static int find_times(struct trace *t, enum loom_machine machine, struct loom_err *err)
{
	const struct loom_machine_options options = {.image = {.machine = machine}, .crossings = &t->crossings};
	if (loom_plan_is_adaptive(t->plan))
		return loom_fail(err, LOOM_EINPUT,
		                 "--perfetto: routers choose the ways of these messages, and do not report them");
	int rc = loom_due_predict(&t->due, t->plan, machine, err);
	if (rc == 0 && !loom_due_is_known(&t->due))
		rc = loom_fail(err, t->due.stuck.code, "--perfetto: %.400s", t->due.stuck.text);
	if (rc == 0)
		rc = loom_machine_compute(NULL, t->plan, &options, err);
	if (rc == 0 && t->measured)
		rc = loom_offered_make(&t->fates, t->plan, t->measured, err);
	t->began = calloc((size_t)t->plan->n_passes + 1, sizeof *t->began);
	if (rc == 0 && !t->began)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a trace of %" PRIu32 " passes", t->plan->n_passes);
	for (uint32_t pass = 0; rc == 0 && !t->plan->free_running && pass + 1 < t->plan->n_passes; pass++)
		t->began[pass + 1] = t->began[pass] + loom_back_to_back_step(t->due.last[pass]);
	return rc;
}

int loom_report_perfetto(const char *path, const struct loom_panel *panel, struct loom_err *err)
{
	struct trace t = {.plan = panel->plan, .measured = panel->trace};
	char *text = NULL;
	size_t size = 0;
	int rc = find_times(&t, panel->trace ? panel->trace->machine : panel->machine, err);
	if (rc == 0) {
		t.stream = open_memstream(&text, &size);
		rc = t.stream ? put_all(&t, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a trace");
		if (t.stream && (fclose(t.stream) != 0 || !text) && rc == 0)
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a trace");
	}
	if (rc == 0)
		rc = loom_file_write_text(path, text, size, err);
	free(text);
	free_trace(&t);
	return rc;
}
