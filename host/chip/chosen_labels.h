// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHOSEN_LABELS_H
#define LOOM_CHOSEN_LABELS_H

#include <flitloom/plan.h>
#include <flitloom/routes/route_tables.h>

// A plan's chosen routes on a chip whose routers have tables. A header then names no node: it has the label of its route.

// Makes the tables, for each virtual network; LOOM_EFIT: too many labels. Only if routes were chosen.
int loom_chosen_labels_make(struct loom_route_tables *out, const struct loom_plan *plan, struct loom_err *err);
// Fills in the destination that struct loom_arrival has for each message: its node, or if routes were chosen whatever
// its label stands for there. out: n_messages of them.
int loom_chosen_labels_destinations(uint32_t *out, const struct loom_plan *plan, struct loom_err *err);

// Counts the words of a node's tables, if routers have such: for each network, or rule, that a message goes by, of
// those below *n_networks, so many words from address rule << label_bits on. A plan without messages has those of all
// rules, or of chosen ones all networks: what is streamed goes by any. For chosen routes so many as there are labels; else one for each destination. 0:
// routers have none. chosen: NULL or zeroed if none were.
uint32_t loom_route_words(uint32_t *n_networks, const struct loom_plan *plan, const struct loom_route_tables *chosen);
void loom_route_words_fill(uint32_t *word, const struct loom_plan *plan, const struct loom_route_tables *chosen,
                           uint32_t network, uint32_t here);

#endif
