// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/trace.h>

#include <stdlib.h>

void loom_trace_free(struct loom_trace *trace)
{
	if (!trace)
		return;
	free(trace->arrivals);
	free(trace->counts);
	free(trace->sent);
	free(trace->corrupt);
	free(trace->released);
	free(trace->first_entry);
	free(trace->lost);
	loom_trace_free(trace->back_to_back);
	free(trace->back_to_back);
	*trace = (struct loom_trace){0};
}
