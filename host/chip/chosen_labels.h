// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHOSEN_LABELS_H
#define LOOM_CHOSEN_LABELS_H

#include <flitloom/plan.h>
#include <flitloom/routes/route_tables.h>

// A plan's chosen routes on a chip whose routers have tables. A header then names no node: it has the label of its
// route.

// Makes the tables, one set for each virtual network. Call it only if routes were chosen. LOOM_EFIT: too many labels.
int loom_chosen_labels_make(struct loom_route_tables *out, const struct loom_plan *plan, struct loom_err *err);
// Fills in the destination that struct loom_arrival has for each message: its node or, if routes were chosen, the
// node number as which its label reads. out: n_messages of them.
int loom_chosen_labels_destinations(uint32_t *out, const struct loom_plan *plan, struct loom_err *err);

// Counts the words of a node's tables, if its routers have any. Each network (or rule) below *n_networks that some
// message uses has this number of words, from address rule << label_bits on: for chosen routes one for each label,
// otherwise one for each destination. A plan without messages has the tables of all rules, or of all networks,
// because streamed messages may use any. 0: routers have no tables. chosen: NULL or zeroed if none were.
uint32_t loom_route_words(uint32_t *n_networks, const struct loom_plan *plan, const struct loom_route_tables *chosen);
void loom_route_words_fill(uint32_t *word, const struct loom_plan *plan, const struct loom_route_tables *chosen,
                           uint32_t network, uint32_t here);

#endif
