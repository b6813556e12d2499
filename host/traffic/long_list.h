// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LONG_LIST_H
#define LOOM_TRAFFIC_LONG_LIST_H

#include <flitloom/long_list.h>

// A message of a list.
struct loom_long_message {
	uint32_t destination, flits, release;
};

// Takes a processor's next message. False: it has no more, or (*rc, LOOM_EFILE) the temporary file cannot be read.
bool loom_long_list_take(struct loom_long_message *out, struct loom_long_list *list, uint32_t source, int *rc,
                         struct loom_err *err);
// True if some message goes from source to destination. For more than LOOM_LONG_PAIRS_NODES nodes this is not known,
// and the result is true.
bool loom_long_list_has(const struct loom_long_list *list, uint32_t source, uint32_t destination);
#define LOOM_LONG_PAIRS_NODES 1024u

#endif
