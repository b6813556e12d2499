// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SESSION_H
#define LOOM_SESSION_H

#include <flitloom/api.h>
#include <flitloom/link.h>
#include <flitloom/link/pipe.h>

LOOM_API_BEGIN

// Addresses of the registers which the link answers by itself: docs/protocol.md says what they hold.
#define LOOM_LINK_REG_MAGIC 0xf0000000u
#define LOOM_LINK_REG_VERSION 0xf0000001u
#define LOOM_LINK_REG_CLOCK_HZ 0xf0000002u
#define LOOM_LINK_REG_BAUD 0xf0000003u
#define LOOM_LINK_REG_DAMAGED 0xf0000004u
#define LOOM_LINK_REG_REFUSED 0xf0000005u
#define LOOM_LINK_REG_LOST 0xf0000006u
#define LOOM_LINK_REG_UNANSWERED 0xf0000007u
#define LOOM_LINK_MAGIC_IS 0x4b4e494cu

// The host's side of docs/protocol.md. Over a line that flips, loses, repeats or cuts bytes, each word comes through
// once and in order, or the call fails.
struct loom_session;

// Takes over the pipe (and closes it, also on failure) and sends a hello. LOOM_ELINK: nothing there speaks the
// protocol, or it speaks another version.
int loom_session_open(struct loom_session **out, struct loom_pipe *pipe, unsigned timeout_ms, struct loom_err *err);
void loom_session_close(struct loom_session *session); // NULL allowed
// Transfers words through a session, and reads the counts of its line: as loom_link_kind's transfer and stats.
int loom_session_transfer(struct loom_session *session, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                          struct loom_err *err);
void loom_session_stats(struct loom_session *session, struct loom_link_stats *out);

// The functions that a link with a pipe puts into its loom_link_kind.
int loom_session_link_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                           struct loom_err *err);
int loom_session_link_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                               struct loom_err *err);
int loom_session_link_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err);
void loom_session_link_stats(struct loom_link *link, struct loom_link_stats *out);
void loom_session_link_close(struct loom_link *link);
#define LOOM_SESSION_LINK                                                                                              \
	.open = loom_session_link_open, .transfer = loom_session_link_transfer, .run = loom_session_link_run,          \
	.stats = loom_session_link_stats, .close = loom_session_link_close

LOOM_API_END

#endif
