// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A session as the state of a link that has a pipe.
#include "links/session_internal.h"

int loom_session_link_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                           struct loom_err *err)
{
	struct loom_pipe pipe = {0};
	struct loom_session *s;
	int code = link->kind->pipe(&pipe, argument, options, err);
	if (code == 0)
		code = loom_session_open(&s, &pipe, link->timeout_ms, err);
	if (code == 0)
		link->state = s;
	return code;
}

int loom_session_link_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                               struct loom_err *err)
{
	return loom_session_transfer(link->state, list, n, timeout_ms, err);
}

int loom_session_link_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct loom_session *s = link->state;
	return s->pipe.kind->advance ? s->pipe.kind->advance(&s->pipe, n_cycles, err) : 0;
}

void loom_session_link_stats(struct loom_link *link, struct loom_link_stats *out)
{
	loom_session_stats(link->state, out);
}

void loom_session_link_close(struct loom_link *link)
{
	loom_session_close(link->state);
	link->state = NULL;
}
