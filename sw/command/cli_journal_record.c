// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of a result that a journal keeps. tests/e2e/test_journal.py holds them to all that sweeps print.
#include <stddef.h>

#include "cli_journal.h"

#define FIELD(type, kind, name, member)                                                                                \
	{                                                                                                              \
		name, FIELD_##kind, offsetof(type, member), sizeof(((type *)0)->member)                                \
	}

#define RUN(kind, name) FIELD(struct sweep_run, kind, #name, found.name)
#define PART(name)                                                                                                     \
	RUN(COUNT, point.name.n), RUN(REAL, point.name.mean), RUN(COUNT, point.name.p50), RUN(COUNT, point.name.p95),  \
		RUN(COUNT, point.name.p99), RUN(COUNT, point.name.most)

static const struct sweep_field of_run[] = {
	RUN(REAL, point.load),
	RUN(REAL, point.offered),
	RUN(REAL, point.accepted),
	RUN(FLAG, point.saturated),
	RUN(COUNT, point.n_measured),
	RUN(REAL, point.mean),
	RUN(REAL, point.without_wait),
	RUN(COUNT, point.least),
	RUN(COUNT, point.p50),
	RUN(COUNT, point.p95),
	RUN(COUNT, point.p99),
	RUN(COUNT, point.most),
	PART(request),
	PART(reply),
	RUN(REAL, point.wait_for_place),
	RUN(COUNT, point.finish.cycle),
	RUN(COUNT_32, point.finish.last),
	RUN(COUNT, point.finish.least),
	RUN(REAL, point.finish.mean),
	RUN(COUNT, point.finish.n_flits),
	RUN(REAL, point.at_source),
	RUN(REAL, point.in_network),
	RUN(REAL, point.worst_share),
	RUN(REAL, point.jain),
	RUN(COUNT, point.n_messages),
	RUN(COUNT, point.n_cycles),
	RUN(COUNT, point.n_mismatches),
	RUN(TEXT, point.mismatch),
	RUN(COUNT, warmup.cycles),
	RUN(COUNT, warmup.pilot_cycles),
	RUN(FLAG, warmup.steady),
	RUN(COUNT, n_mismatches),
	RUN(TEXT, reason),
};

#define ROW(kind, name) FIELD(struct sweep_row, kind, #name, name)
#define SPREAD(name)                                                                                                   \
	ROW(COUNT_32, size.name.n), ROW(COUNT, size.name.least), ROW(COUNT, size.name.most),                           \
		ROW(REAL, size.name.mean), ROW(REAL, size.name.square)

static const struct sweep_field of_row[] = {
	ROW(COUNT_32, state),
	ROW(COUNT_32, size.flits_least),
	ROW(COUNT_32, size.flits_most),
	ROW(FLAG, size.own_lengths),
	ROW(TEXT, size.planner),
	ROW(COUNT, size.messages),
	ROW(COUNT, size.flits),
	SPREAD(passes),
	SPREAD(contention),
	SPREAD(predicted),
	SPREAD(measured),
	SPREAD(back_to_back),
	SPREAD(makespan),
	SPREAD(bound),
	ROW(REAL, size.dark_share),
	ROW(REAL, size.utilisation),
	ROW(FLAG, size.one_start),
	ROW(FLAG, size.predicted_known),
	ROW(COUNT, n_mismatches),
	ROW(TEXT, reason),
};

_Static_assert(sizeof(enum sweep_state) == sizeof(uint32_t), "a state is written as a number of 32 bits");
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a number of mismatches is written as one of 64 bits");

struct sweep_record sweep_record_of_run(struct sweep_run *run, const struct cli_request *request)
{
	return (struct sweep_record){.fields = of_run,
	                             .n_fields = sizeof of_run / sizeof of_run[0],
	                             .at = run,
	                             .groups = request->by ? &run->groups : NULL};
}

struct sweep_record sweep_record_of_row(struct sweep_row *row)
{
	return (struct sweep_record){.fields = of_row, .n_fields = sizeof of_row / sizeof of_row[0], .at = row};
}
