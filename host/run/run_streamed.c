// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run_streamed.h"

#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/machine.h>

#include "base/room.h"
#include "chip/image_fit.h"
#include "chip/programs.h"
#include "device/device_stream.h"
#include "machine/compute.h"
#include "traffic/load_image.h"
#include "topo/topo_ocs.h"

#define BLOCK_CYCLES 256u
#define FED_ENTRIES (2 * BLOCK_CYCLES) // that wait for a node at the beginning of a block: it takes one a cycle at most
#define QUIET_CYCLES 16384u // after the last thing that was due: then the watchdog, of 4096 cycles, has been asked

// A node's program while it is fed.
struct feed {
	size_t next;   // of its entries: the first that was not fed yet
	size_t oldest; // the first one that may be a message which has not arrived
	uint32_t at;   // the entry fed last does not begin before this cycle, and so none behind it does
};

struct streamed {
	const struct loom_plan *plan;
	struct loom_device *device;
	const struct loom_run_options *options;
	struct loom_programs programs;
	struct loom_payload payload;
	struct loom_device_stream *stream;
	struct feed *feed;      // owned, by processor
	uint32_t *processor_on; // owned: of each node
	bool *has_arrived;      // owned, by entry
	// Owned: arrivals in the order in which they came, with room for `size`.
	struct loom_arrival *arrived;
	size_t n, size, n_due;
	uint64_t now, last; // cycles run; the one in which everything is due to be over
};

bool loom_run_streams(const struct loom_plan *plan, const struct loom_chip *chip, bool is_streamed,
                      const struct loom_image_options *options)
{
	return is_streamed && chip->timing & LOOM_CHIP_STREAM && plan->n_passes == 1 && !plan->free_running &&
	       plan->routes.n == 0 && !loom_topo_has_circuits(&plan->topo) && !options->preset &&
	       !plan->topo.kind->two_directions && loom_image_fits_streamed(plan, chip, options, NULL) == 0;
}

// --- Entries in -----------------------------------------------------------------------------------------------------

static int feed_all(struct streamed *s, struct loom_err *err)
{
	int code = 0;
	for (uint32_t v = 0; v < s->plan->topo.n_nodes; v++) {
		const uint32_t node = s->plan->map[v];
		struct feed *f = &s->feed[v];
		size_t n = loom_device_stream_queued(s->stream, node);
		for (; code == 0 && n < FED_ENTRIES && f->next < s->programs.first[v + 1]; n++, f->next++) {
			const struct loom_entry *e = &s->programs.entry[f->next];
			uint32_t word[2];
			loom_entry_words(word, e, s->plan, NULL);
			f->at = e->at > f->at ? e->at : f->at;
			code = loom_device_stream_put(s->stream, node, f->at, word, err);
		}
	}
	return code;
}

// --- Logs out -------------------------------------------------------------------------------------------------------

// A log holds the number of an entry modulo the depth of a program. The entry is the oldest one of its source with
// that number whose message leads here. If there is none the number stays, and the verdict reports it.
static void find_number(struct streamed *s, struct loom_arrival *a)
{
	const uint32_t depth = loom_device_chip(s->device)->program_depth;
	if (a->source >= s->plan->topo.n_nodes)
		return;
	const uint32_t v = s->processor_on[a->source];
	const size_t first = s->programs.first[v];
	struct feed *f = &s->feed[v];
	for (size_t e = f->oldest; e < f->next; e++) {
		const struct loom_entry *entry = &s->programs.entry[e];
		if (entry->kind != LOOM_ENTRY_SEND || s->has_arrived[e] || (e - first) % depth != a->number ||
		    s->plan->map[s->plan->messages[entry->message].destination] != a->node)
			continue;
		s->has_arrived[e] = true;
		a->number = (uint32_t)(e - first);
		break;
	}
	while (f->oldest < f->next &&
	       (s->has_arrived[f->oldest] || s->programs.entry[f->oldest].kind != LOOM_ENTRY_SEND))
		f->oldest++;
}

// The data follow from the number in the header, which is that remainder. The verdict counts entries, so it gets no
// signatures to check.
static void check_signature(const struct streamed *s, struct loom_arrival *a)
{
	const struct loom_topo *t = &s->plan->topo;
	if (a->source < t->n_nodes && s->payload.signature_bits &&
	    a->signature != loom_payload_signature(&s->payload, loom_topo_label(t, a->source), a->number, a->flits))
		a->intact = false;
	a->signature = 0;
}

static int take(struct streamed *s, const struct loom_arrival *a, size_t n, struct loom_err *err)
{
	if (!LOOM_ROOM(s->arrived, s->size, s->n + n))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", s->n + n);
	for (size_t i = 0; i < n; i++) {
		struct loom_arrival *mine = &s->arrived[s->n++];
		*mine = a[i];
		check_signature(s, mine);
		find_number(s, mine);
	}
	return 0;
}

// --- The run --------------------------------------------------------------------------------------------------------

static int tell(struct streamed *s, struct loom_err *err)
{
	const struct loom_progress progress = {.stage = LOOM_STAGE_RUN, .total = 1, .cycle = s->now};
	return loom_device_tell_of(s->device, &progress, err);
}

static int run_block(struct streamed *s, struct loom_err *err)
{
	const struct loom_arrival *a = NULL;
	size_t n = 0;
	int code = feed_all(s, err);
	if (code == 0)
		code = loom_device_stream_run(s->stream, BLOCK_CYCLES, &a, &n, err);
	s->now += BLOCK_CYCLES;
	if (code == 0)
		code = take(s, a, n, err);
	if (code == 0)
		code = tell(s, err);
	if (code == 0 && s->options->max_cycles && s->now > s->options->max_cycles + BLOCK_CYCLES)
		code = loom_fail(err, LOOM_ELIMIT, "pass 0 is not done after %" PRIu64 " cycles; the limit is %llu",
		                 s->now, (unsigned long long)s->options->max_cycles);
	return code;
}

static int run_all(struct streamed *s, struct loom_err *err)
{
	int code = tell(s, err);
	while (code == 0 && (s->n < s->n_due || s->now < s->last)) {
		code = run_block(s, err);
		if (code == 0 && s->now > s->last + QUIET_CYCLES && s->n < s->n_due) {
			code = loom_device_stream_check(s->stream, err);
			if (code == 0)
				code = loom_fail(err, LOOM_EHARDWARE,
				                 "%zu of %zu messages have not arrived by cycle %" PRIu64
				                 ", and all were due by cycle %" PRIu64,
				                 s->n_due - s->n, s->n_due, s->now, s->last);
		}
	}
	return code == 0 ? loom_device_stream_end(s->stream, err) : code;
}

static int begin(struct streamed *s, const struct loom_image_options *options, struct loom_image *image,
                 struct loom_err *err)
{
	const struct loom_plan *plan = s->plan;
	const struct loom_chip *chip = loom_device_chip(s->device);
	const uint32_t n = plan->topo.n_nodes;
	int code = loom_programs_make(&s->programs, plan, err);
	if (code)
		return code;
	s->feed = calloc(n, sizeof *s->feed);
	s->processor_on = calloc(n, sizeof *s->processor_on);
	s->has_arrived = calloc(s->programs.first[n] + 1, sizeof *s->has_arrived);
	if (!s->feed || !s->processor_on || !s->has_arrived)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %" PRIu32 " nodes", n);
	for (uint32_t v = 0; v < n; v++) {
		s->feed[v] = (struct feed){.next = s->programs.first[v], .oldest = s->programs.first[v], .at = 1};
		s->processor_on[plan->map[v]] = v;
	}
	for (size_t i = 0; i < plan->n_messages; i++)
		s->n_due += loom_plan_uses_network(plan, &plan->messages[i]);
	const struct loom_image_options of_image = {
		.machine = options->machine, .seed = options->seed, .select = plan->select};
	code = loom_load_image_make(image, &plan->topo, plan->map, chip, &of_image, err);
	if (code)
		return code;
	s->payload = (struct loom_payload){.seed = image->seed,
	                                   .flit_bits = chip->flit_bits,
	                                   .label_bits = chip->label_bits,
	                                   .state_bits = chip->payload_bits,
	                                   .signature_bits = chip->signature_bits};
	return loom_device_stream_begin(&s->stream, s->device, image, err);
}

// Puts what the chip did in the place of what was computed: arrivals by node, counts of channels, messages sent.
static int write_trace(struct loom_trace *t, struct streamed *s, struct loom_err *err)
{
	size_t *next = calloc((size_t)t->n_nodes + 1, sizeof *next);
	struct loom_arrival *arrivals = calloc(s->n + 1, sizeof *arrivals);
	uint32_t pass;
	int code = next && arrivals ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", s->n);
	for (size_t i = 0; code == 0 && i < s->n; i++)
		next[s->arrived[i].node + 1]++;
	for (uint32_t u = 0; code == 0 && u < t->n_nodes; u++)
		next[u + 1] += next[u];
	for (size_t i = 0; code == 0 && i < s->n; i++) {
		struct loom_arrival *a = &arrivals[next[s->arrived[i].node]++];
		*a = s->arrived[i];
		if (t->released && a->source < t->n_nodes &&
		    a->number < t->first_entry[a->source + 1] - t->first_entry[a->source])
			a->release = t->released[t->first_entry[a->source] + a->number];
	}
	free(next);
	if (code == 0)
		code = loom_device_counts(s->device, &pass, t->counts, err);
	if (code == 0)
		code = loom_device_read_sent(s->device, t->sent, t->corrupt, err);
	if (code) {
		free(arrivals);
		return code;
	}
	free(t->arrivals);
	t->arrivals = arrivals;
	t->n_arrivals = s->n;
	return 0;
}

int loom_run_streamed(struct loom_trace *out, struct loom_device *device, const struct loom_plan *plan,
                      const struct loom_image_options *options, const struct loom_run_options *run,
                      struct loom_err *err)
{
	struct streamed s = {.plan = plan, .device = device, .options = run};
	struct loom_image image = {0};
	struct loom_trace trace;
	const struct loom_machine_options computed = {.image = *options, .cycles = &s.last};
	int code = loom_machine_compute(&trace, plan, &computed, err);
	if (code)
		return code;
	code = begin(&s, options, &image, err);
	if (code == 0)
		code = run_all(&s, err);
	if (code == 0)
		code = write_trace(&trace, &s, err);
	loom_device_stream_close(s.stream);
	loom_image_free(&image);
	loom_programs_free(&s.programs);
	free(s.feed);
	free(s.processor_on);
	free(s.has_arrived);
	free(s.arrived);
	if (code)
		loom_trace_free(&trace);
	else
		*out = trace;
	return code;
}
