// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Computes figures of a schedule, and writes it to a file.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/circuits.h>

#include "base/file.h"
#include "base/text.h"

void loom_circuit_facts_of(struct loom_circuit_facts *out, const struct loom_circuit_schedule *schedule,
                           const struct loom_demand *demand, const struct loom_circuit_bound *bound)
{
	struct loom_circuit_facts f = {.makespan = schedule->makespan, .bound = bound->cycles};
	for (size_t p = 0; p < (size_t)demand->n * demand->n; p++)
		f.flits += demand->flits[p];
	for (uint32_t on = 0; on < schedule->n_switches; on++)
		for (size_t k = 0; k < schedule->on[on].n_slots; k++) {
			f.n_slots++;
			f.light += schedule->on[on].slot[k].cycles;
			f.dark += k > 0 && !loom_circuit_stays(schedule, on, k) ? schedule->dark : 0;
		}
	for (size_t p = 0; p < schedule->n_parcels; p++)
		f.n_relayed += schedule->parcel[p].before > 0;
	const double cycles = (double)f.makespan * schedule->n_switches;
	f.dark_share = cycles > 0 ? (double)f.dark / cycles : 0;
	f.utilisation = cycles > 0 ? (double)f.flits / (cycles * demand->n) : 0;
	f.gap = f.bound > 0 ? (double)f.makespan / (double)f.bound - 1 : 0;
	*out = f;
}

void loom_circuits_free(struct loom_circuits *circuits)
{
	if (!circuits)
		return;
	loom_demand_free(&circuits->demand);
	loom_circuit_schedule_free(&circuits->schedule);
	loom_circuit_bound_free(&circuits->bound);
	free(circuits);
}

struct writing {
	const struct loom_circuit_schedule *s;
	bool with_times;
};

// --- Lines of numbers ------------------------------------------------------------------------------------------------

// The position of each switch in its schedule at one moment.
struct place {
	uint64_t *begin; // owned, by slot
	size_t slot;
};

// Moves a switch on to cycle `now`. Lowers *until to the cycle in which the switch next changes. Returns its matching,
// or NULL if it is dark.
static const uint32_t *matching_at(struct place *p, const struct loom_circuit_switch *sw, uint64_t now, uint64_t *until)
{
	while (p->slot < sw->n_slots && p->begin[p->slot] + sw->slot[p->slot].cycles <= now)
		p->slot++;
	if (p->slot == sw->n_slots)
		return NULL;
	const bool on = p->begin[p->slot] <= now;
	const uint64_t next = on ? p->begin[p->slot] + sw->slot[p->slot].cycles : p->begin[p->slot];
	*until = next < *until ? next : *until;
	return on ? sw->slot[p->slot].to : NULL;
}

static void put_line(FILE *stream, const struct writing *w, const uint32_t *const *to, uint64_t now, uint64_t until)
{
	const char between = w->with_times ? ',' : ' ';
	if (w->with_times)
		(void)fprintf(stream, "%" PRIu64 ",%" PRIu64 ",", now, until - now);
	for (uint32_t i = 0; i < w->s->n_nodes; i++)
		for (uint32_t on = 0; on < w->s->n_switches; on++) {
			const bool last = i + 1 == w->s->n_nodes && on + 1 == w->s->n_switches;
			const int64_t j = to[on] && to[on][i] != LOOM_CIRCUIT_NO_PORT ? (int64_t)to[on][i] : -1;
			(void)fprintf(stream, "%" PRId64 "%c", j, last ? '\n' : between);
		}
}

static void put_heading(FILE *stream, const struct loom_circuit_schedule *s)
{
	(void)fprintf(stream, "begin,cycles");
	for (uint32_t i = 0; i < s->n_nodes; i++)
		for (uint32_t on = 0; on < s->n_switches; on++)
			(void)fprintf(stream, s->n_switches > 1 ? ",node%" PRIu32 ".%" PRIu32 : ",node%" PRIu32, i, on);
	(void)fprintf(stream, "\n");
}

static int put_lines(FILE *stream, const void *user)
{
	const struct writing *w = user;
	const struct loom_circuit_schedule *s = w->s;
	struct place *place = calloc(s->n_switches, sizeof *place);
	const uint32_t **to = calloc(s->n_switches, sizeof *to);
	bool done = place && to;
	for (uint32_t on = 0; done && on < s->n_switches; on++) {
		place[on].begin = malloc((s->on[on].n_slots + 1) * sizeof *place->begin);
		done = place[on].begin != NULL;
		if (done)
			loom_circuit_begins(place[on].begin, s, on);
	}
	if (done && w->with_times)
		put_heading(stream, s);
	for (uint64_t now = 0, until; done && now < s->makespan; now = until) {
		until = s->makespan;
		for (uint32_t on = 0; on < s->n_switches; on++)
			to[on] = matching_at(&place[on], &s->on[on], now, &until);
		put_line(stream, w, to, now, until);
	}
	for (uint32_t on = 0; place && on < s->n_switches; on++)
		free(place[on].begin);
	free(place);
	free((void *)to);
	return done ? 0 : -1;
}

// --- JSON

static void put_slots(FILE *stream, const struct loom_circuit_schedule *s)
{
	for (uint32_t on = 0; on < s->n_switches; on++) {
		(void)fprintf(stream, "%s\n\t\t[", on > 0 ? "," : "");
		for (size_t k = 0; k < s->on[on].n_slots; k++) {
			const struct loom_circuit_slot *slot = &s->on[on].slot[k];
			(void)fprintf(stream, "%s\n\t\t\t{\"cycles\": %" PRIu32 ", \"to\": [", k > 0 ? "," : "",
			              slot->cycles);
			for (uint32_t i = 0; i < s->n_nodes; i++)
				(void)fprintf(stream, "%s%" PRId64, i > 0 ? ", " : "",
				              slot->to[i] == LOOM_CIRCUIT_NO_PORT ? -1 : (int64_t)slot->to[i]);
			(void)fprintf(stream, "]}");
		}
		(void)fprintf(stream, "]");
	}
}

static void put_parcels(FILE *stream, const struct loom_circuit_schedule *s)
{
	for (size_t p = 0; p < s->n_parcels; p++) {
		const struct loom_circuit_parcel *m = &s->parcel[p];
		(void)fprintf(stream,
		              "%s\n\t\t[%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
		              ", %" PRIu32 ", %" PRIu32 ", %zu]",
		              p > 0 ? "," : "", m->on, m->slot, m->source, m->destination, m->from, m->to, m->begin,
		              m->flits, m->before);
	}
}

static void put_demand(FILE *stream, const struct loom_demand *d)
{
	(void)fprintf(stream, ",\n\t\"demand\": [");
	for (uint32_t i = 0; i < d->n; i++)
		for (uint32_t j = 0; j < d->n; j++)
			(void)fprintf(stream, "%s%" PRIu32 "%s",
			              j > 0   ? ", "
			              : i > 0 ? ",\n\t\t["
			                      : "\n\t\t[",
			              d->flits[(size_t)i * d->n + j], j + 1 == d->n ? "]" : "");
	(void)fprintf(stream, "]");
}

static void put_bound(FILE *stream, const struct loom_circuit_bound *b)
{
	(void)fprintf(stream,
	              ",\n\t\"bound\": %" PRIu64 ",\n\t\"bound_with_relays\": %s,\n\t\"slots_least\": %" PRIu32
	              ",\n\t\"proof\": [",
	              b->cycles, b->relay ? "true" : "false", b->slots_least);
	for (size_t k = 0; k < b->n_steps; k++) {
		const struct loom_circuit_step *s = &b->step[k];
		(void)fprintf(stream, "%s\n\t\t{\"slots_from\": %" PRIu32 ", \"slots_to\": ", k > 0 ? "," : "",
		              s->slots_from);
		(void)fprintf(stream, s->slots_to == UINT32_MAX ? "null" : "%" PRIu32, s->slots_to);
		(void)fprintf(stream,
		              ", \"light\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"by_prices\": %s, \"windows\": [",
		              s->light, s->cycles, s->by_prices ? "true" : "false");
		for (size_t i = 0; i < s->n_windows; i++)
			(void)fprintf(stream, "%s[%" PRIu32 ", %" PRIu32 "]", i > 0 ? ", " : "",
			              b->window[s->first + i].line, b->window[s->first + i].k);
		(void)fprintf(stream, "]}");
	}
	(void)fprintf(stream, "]");
}

static int put_json(FILE *stream, const void *user)
{
	const struct loom_circuits *c = user;
	const struct loom_circuit_schedule *s = &c->schedule;
	(void)fprintf(stream,
	              "{\n\t\"nodes\": %" PRIu32 ",\n\t\"switches\": %" PRIu32 ",\n\t\"dark\": %" PRIu32
	              ",\n\t\"relay_cycles\": %" PRIu32 ",\n\t\"makespan\": %" PRIu64 ",\n\t\"slots\": [",
	              s->n_nodes, s->n_switches, s->dark, s->relay_cycles, s->makespan);
	put_slots(stream, s);
	(void)fprintf(stream, "],\n\t\"parcels\": [");
	put_parcels(stream, s);
	(void)fprintf(stream, "]");
	put_demand(stream, &c->demand);
	put_bound(stream, &c->bound);
	(void)fprintf(stream, "\n}\n");
	return 0;
}

static bool ends_in(const char *path, const char *ending)
{
	const size_t n = strlen(path), m = strlen(ending);
	return n > m && strcmp(path + n - m, ending) == 0;
}

int loom_circuit_certify(const char *path, const struct loom_circuits *circuits, struct loom_err *err)
{
	return loom_file_write(path, put_json, circuits, err);
}

int loom_circuit_write(const char *path, const struct loom_circuit_schedule *schedule, struct loom_err *err)
{
	char where[96];
	const struct writing w = {.s = schedule, .with_times = ends_in(path, ".csv")};
	if (w.with_times || ends_in(path, ".txt"))
		return loom_file_write(path, put_lines, &w, err);
	return loom_fail(err, LOOM_EINPUT, "%s: a schedule is written as .txt or .csv",
	                 loom_text_where(where, sizeof where, path));
}
