// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_REPORT_BY_HAND_H
#define TEST_REPORT_BY_HAND_H

#include <flitloom/report.h>

#define NASTY "a<b>&\"c\"'\x01\x1b[31m\xff\xc3\xa9\xef\xbf\xbe" // "é" survives

// A fabric, a plan and a verdict by hand. Two tiles with one channel each way in two groups, one of them badly named;
// ports 2: neighbour and ejection. Pass 0: two messages 0->1; pass 1: one 1->0.
struct hand {
	struct loom_plan plan;
	struct loom_plan_message messages[3];
	uint32_t map[2], load[12], member_contention[2], member_of_pass[2];
	uint64_t cycles[2];
	struct loom_trace trace;
	struct loom_arrival arrivals[3];
	struct loom_count counts[12];
	struct loom_verdict verdict;
	struct loom_group_count predicted[4], measured[4];
};

void report_by_hand(struct hand *out);

#endif
