// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles answers, refusals and the answer to a mark, and updates the frames in flight by them.
#include "links/session_internal.h"

static enum loom_pace_kind pace_kind(const struct loom_session_slot *slot)
{
	return slot->is_read ? LOOM_PACE_READS : LOOM_PACE_WRITES;
}

static void store(struct loom_session *s, const struct loom_session_slot *slot, const struct loom_answer *a)
{
	size_t at = slot->at, word = slot->word;
	for (unsigned i = 0; i < slot->n_words; i++, word++) {
		while (word == s->list[at].n_words) {
			at++;
			word = 0;
		}
		s->list[at].read[word] = loom_answer_word(a, i);
	}
}

static void finish(struct loom_session *s, struct loom_session_slot *slot)
{
	slot->done = true;
	slot->queued = false;
	s->words_done += slot->n_words;
	*(slot->is_read ? &s->stats.words_in : &s->stats.words_out) += slot->n_words;
}

static void take_answer(struct loom_session *s, const struct loom_answer *a, uint64_t now)
{
	struct loom_session_slot *slot = &s->slots[a->number];
	bool marking = s->mark_wanted || s->mark_sent;
	if ((s->suspect && marking) || (uint8_t)(a->number - s->base) >= loom_session_in_flight(s) || slot->done ||
	    !slot->sent)
		return; // of the past
	if (slot->is_read != (a->kind == LOOM_FRAME_ANSWER + LOOM_FRAME_READ) ||
	    (slot->is_read && a->n_words != slot->n_words)) {
		s->stats.damaged++;
		return;
	}
	if (slot->is_read)
		store(s, slot, a);
	// If a frame was repeated, it is unknown which sending was answered.
	loom_pace_success(&s->pace, pace_kind(slot), slot->repeated ? -1 : (double)(now - slot->sent_us));
	uint64_t first = slot->first;
	s->suspect = false;
	if (s->mark_sent && first > s->mark_order) // the answer to the mark was lost
		s->mark_sent = false;
	finish(s, slot);
	// All requests before it have been carried out: writes are done; reads sent earlier have lost their answers.
	bool lost = false;
	for (uint8_t k = s->base; k != a->number; k++) {
		struct loom_session_slot *before = &s->slots[k];
		if (before->done)
			continue;
		if (!before->is_read) {
			finish(s, before);
		} else if (before->first < first && !before->queued) {
			before->queued = lost = true;
			before->first = 0;
		}
	}
	if (lost)
		loom_pace_loss(&s->pace);
	while (s->base != s->next && s->slots[s->base].done)
		s->base++;
	s->heard_us = s->progress_us = now;
}

static int take_refusal(struct loom_session *s, const struct loom_answer *a, uint64_t now, struct loom_err *err)
{
	s->stats.refused++;
	s->last_reason = a->reason;
	if (s->mark_wanted || s->mark_sent || loom_session_in_flight(s) == 0)
		return 0; // an answer to an earlier session's frame
	uint8_t ahead = (uint8_t)(a->number - s->base);
	s->heard_us = now;
	s->mark_wanted = true;
	if (ahead > loom_session_in_flight(s)) {
		if (s->suspect)
			return loom_fail(
				err, LOOM_ELINK,
				"%s was reset, or is used by another program as well: its session is gone after "
				"%llu words; run again",
				s->pipe.name, (unsigned long long)s->words_done);
		s->suspect = true;
		for (uint8_t k = s->base; k != s->next; k++)
			s->slots[k].queued = !s->slots[k].done;
		return 0;
	}
	s->suspect = false;
	// The board has carried out the earlier requests; their answers will show whether it has been reset since.
	for (uint8_t k = a->number; k != s->next; k++)
		if (!s->slots[k].done) {
			s->slots[k].queued = true;
			s->slots[k].first = 0;
		}
	if (ahead < loom_session_in_flight(s)) {
		if (a->reason != 4)
			loom_pace_damage(&s->pace, pace_kind(&s->slots[a->number]));
		loom_pace_loss(&s->pace);
	}
	return 0;
}

static void take_mark(struct loom_session *s, uint64_t now)
{
	bool lost = false;
	s->mark_sent = false;
	s->heard_us = now;
	loom_pace_life(&s->pace);
	for (uint8_t k = s->base; k != s->next; k++) {
		struct loom_session_slot *slot = &s->slots[k];
		if (slot->done || slot->queued || slot->last > s->mark_order)
			continue;
		slot->queued = lost = true;
		slot->first = 0;
	}
	if (lost)
		loom_pace_loss(&s->pace);
}

int loom_session_take_frame(struct loom_session *s, uint64_t now, struct loom_err *err)
{
	struct loom_answer a;
	if (!loom_answer_parse(&a, &s->answer)) {
		s->stats.damaged++;
		return 0;
	}
	switch (a.kind) {
	case LOOM_FRAME_REFUSAL: return take_refusal(s, &a, now, err);
	case LOOM_FRAME_ANSWER + LOOM_FRAME_HELLO:
		if (a.nonce == s->nonce && s->mark_sent && a.number == s->mark)
			take_mark(s, now);
		else if (a.nonce == s->nonce)
			// the answer to an earlier mark: the line is slow, and that to the last one is on its way
			s->heard_us = now;
		return 0;
	default: take_answer(s, &a, now); return 0;
	}
}
