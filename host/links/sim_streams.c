// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/sim_streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

static bool next(void *self, unsigned node, unsigned word[3])
{
	struct loom_sim_streams *s = self;
	struct loom_stream_queue *q = s->stream ? &s->stream->queue[node] : NULL;
	if (!q || q->n == 0)
		return false;
	const struct loom_stream_entry *e = &q->entry[q->first++];
	q->n--;
	word[0] = e->word[0];
	word[1] = e->word[1];
	word[2] = e->at;
	return true;
}

static void take(void *self, unsigned node, const unsigned word[5])
{
	struct loom_sim_streams *s = self;
	struct loom_stream *to = s->stream ? s->stream : &s->kept;
	if (!LOOM_ROOM(to->log, to->logs_size, to->n_logs + 1)) {
		s->lost = true;
		return;
	}
	to->log[to->n_logs++] = (struct loom_stream_log){
		.node = node, .word = {word[0], word[1], word[2], word[3]}, .signature = word[4]};
}

struct loom_sim_user loom_sim_streams_user(struct loom_sim_streams *s)
{
	return (struct loom_sim_user){.self = s, .next = next, .take = take};
}

int loom_sim_streams_find(struct loom_sim_streams *out, const struct loom_verilated *model, uint32_t n_nodes,
                          struct loom_err *err)
{
	const char *missing = NULL;
	struct loom_sim_user *user = NULL;
	*out = (struct loom_sim_streams){.n_nodes = n_nodes};
	LOOM_VERILATED_SYMBOL(model, "loom_sim_stream", out->turn, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_handing", out->handing, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_user", user, &missing);
	if (missing)
		return loom_verilated_fail_symbol(missing, err);
	*user = loom_sim_streams_user(out);
	return 0;
}

void loom_sim_streams_free(struct loom_sim_streams *s)
{
	free(s->kept.log);
	s->kept = (struct loom_stream){0};
}

// Hands out the kept logs, which come first; but logs of a run before the last reset are discarded.
static bool bring_kept(struct loom_sim_streams *s, struct loom_stream *stream)
{
	size_t n = s->handing() ? s->kept.n_logs : 0;
	if (!LOOM_ROOM(stream->log, stream->logs_size, stream->n_logs + n))
		return false;
	if (n)
		memcpy(stream->log + stream->n_logs, s->kept.log, n * sizeof *stream->log);
	stream->n_logs += n;
	s->kept.n_logs = 0;
	return true;
}

int loom_sim_streams_run(struct loom_sim_streams *s, struct loom_stream *stream, uint64_t n_cycles,
                         void (*cycle)(void *of), void *of, struct loom_err *err)
{
	if (stream->n_nodes != s->n_nodes)
		return loom_fail(err, LOOM_EINPUT, "a stream for %u nodes, and the fabric has %u", stream->n_nodes,
		                 s->n_nodes);
	s->lost = s->lost || !bring_kept(s, stream);
	s->stream = stream;
	s->turn(1);
	for (uint64_t i = 0; i < n_cycles; i++)
		cycle(of);
	s->turn(0);
	s->stream = NULL;
	bool lost = s->lost;
	s->lost = false;
	return lost ? loom_fail(err, LOOM_ENOMEM, "no memory for the logs of a stream") : 0;
}
