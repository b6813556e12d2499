// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives as GOAL text on the RTL: each message's cycles and each channel's counts must be those of the slow
// interpreter of the text and the reference machine.
#include <unistd.h>

#include <flitloom/goal.h>

#include "reference/ref_goal.h"
#include "reference/ref_min.h"
#include "e2e.h"

#define BYTES 200

struct outcome {
	struct ref_goal goal;
	struct ref_arrival *arrivals;
	struct ref_channel *channels;
	size_t n_channels;
};

static void free_outcome(struct outcome *o)
{
	ref_goal_free(&o->goal);
	free(o->arrivals);
	free(o->channels);
}

static int ask_reference(struct outcome *o, const struct loom_topo *topo, const char *text, enum loom_machine machine)
{
	static struct ref_min min;
	struct ref_net net = {0};
	struct ref_machine m = {.n_slots = 2, .timing = machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST};
	int code = ref_goal_read(&o->goal, text, loom_topo_hosts(topo), &(struct ref_goal_scale){4, 1, 1});
	if (code)
		return code;
	if (is_multistage(topo)) {
		ref_min_build(&min, topo->kind->name, topo->label_bits);
		m.min = &min;
	} else {
		code = ref_net_parse(&net, topo->name);
		m.net = &net;
		m.tie = code ? REF_TIE_PORT : ref_machine_tie(&net);
	}
	o->n_channels = loom_topo_channels(topo);
	o->arrivals = calloc(o->goal.n_messages + 1, sizeof *o->arrivals);
	o->channels = calloc(o->n_channels, sizeof *o->channels);
	if (!o->arrivals || !o->channels)
		abort();
	struct ref_outcome out = {.arrival = o->arrivals, .channel = o->channels};
	return code ? code : ref_program_run(&out, &m, o->goal.message, o->goal.n_messages, o->goal.program);
}

// Finds the arrival of message i. Messages of one pair arrive in the order in which they were sent: the k-th of the
// trace is the k-th of the program.
static const struct loom_arrival *arrival_of(const struct loom_trace *trace, const struct ref_goal *goal, size_t i)
{
	const struct ref_message *message = &goal->message[i];
	size_t k = 0;
	for (size_t j = 0; j < i; j++)
		k += goal->message[j].source == message->source && goal->message[j].destination == message->destination;
	for (size_t a = 0; a < trace->n_arrivals; a++) {
		const struct loom_arrival *arrival = &trace->arrivals[a];
		if (arrival->node == message->destination && arrival->source == message->source && k-- == 0)
			return arrival;
	}
	return NULL;
}

static void compare(struct e2e *t, const struct run *run, const struct outcome *o, const char *spec)
{
	const struct loom_plan *plan = &run->plan;
	size_t n_other = 0, n_counts = 0;
	for (size_t i = 0; i < plan->n_messages && i < o->goal.n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct ref_message *r = &o->goal.message[i];
		const struct ref_arrival *at = &o->arrivals[i];
		const struct loom_arrival *a = arrival_of(&run->trace, &o->goal, i);
		n_other += m->source != r->source || m->destination != r->destination || m->flits != r->n_flits || !a ||
		           a->flits != r->n_flits || a->release != at->offer_cycle ||
		           a->first_cycle != at->first_cycle || a->last_cycle != at->done_cycle;
	}
	for (size_t c = 0; c < o->n_channels; c++) {
		const struct loom_count *count = &run->trace.counts[c];
		const struct ref_channel *r = &o->channels[c];
		n_counts += count->worms != r->n_worms || count->flits != r->n_flits ||
		            count->blocked_cycles != r->n_blocked;
	}
	check(t, plan->n_messages == o->goal.n_messages && n_other == 0 && n_counts == 0,
	      "%s on %s: %zu messages, the interpreter has %zu; %zu are otherwise, and %zu channels", spec,
	      plan->topo.name, plan->n_messages, o->goal.n_messages, n_other, n_counts);
}

static void run_text(struct e2e *t, struct rig *rig, const char *spec, const char *text, const char *file,
                     enum loom_machine machine)
{
	struct run run = {0};
	struct outcome o = {0};
	char name[64];
	(void)snprintf(name, sizeof name, "goal:%s", file);
	if (parse(t, &run, rig, name, 1, 0) && plan(t, &run, rig, NULL, "identity") &&
	    check(t, rig_run_plan(rig, &run, machine, t->seed), "%s on %s did not run", spec, rig->fabric)) {
		check_verdict(t, &run, spec, machine);
		int code = ask_reference(&o, &rig->topo, text, machine);
		if (check(t, code == 0, "%s on %s: the reference ends with %d", spec, rig->fabric, code))
			compare(t, &run, &o, spec);
	}
	free_outcome(&o);
	run_free(&run);
}

// Writes the text into the file. Its path is in `build`, like everything that is made.
static bool write_file(const char *path, const char *text, size_t length)
{
	FILE *f = fopen(path, "w");
	bool good = f && fwrite(text, 1, length, f) == length;
	return f && fclose(f) == 0 && good;
}

static void test_collectives(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	static const char *const specs[] = {"allreduce:ring",         "allreduce:recursive-doubling",
	                                    "allreduce:rabenseifner", "broadcast:binomial",
	                                    "alltoall:pairwise",      "alltoall:bruck"};
	char grid[40], file[48];
	unsigned rows = 1;
	while (2 * rows * 2 * rows <= loom_topo_hosts(&rig->topo))
		rows *= 2;
	(void)snprintf(grid, sizeof grid, "stencil2d:%ux%u", rows, loom_topo_hosts(&rig->topo) / rows);
	(void)snprintf(file, sizeof file, "build/e2e-%ld.goal", (long)getpid());
	for (size_t k = 0; k <= sizeof specs / sizeof specs[0]; k++) {
		const char *spec = k < sizeof specs / sizeof specs[0] ? specs[k] : grid;
		struct loom_goal goal = {0};
		struct loom_err err = {0};
		char *text = NULL;
		size_t length = 0;
		if (check(t,
		          loom_goal_collective(&goal, spec, loom_topo_hosts(&rig->topo), BYTES, &err) == 0 &&
		                  loom_goal_write(&text, &length, &goal, &err) == 0 && write_file(file, text, length),
		          "%s: %s", spec, err.text))
			run_text(t, rig, spec, text, file, any_machine(rng));
		loom_goal_free(&goal);
		free(text);
	}
	(void)remove(file);
}

static bool has_programs(const struct loom_topo *topo)
{
	(void)topo;
	return true;
}

const struct subject collectives = {"collectives as GOAL text", has_programs, test_collectives};
