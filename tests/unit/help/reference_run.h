// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_REFERENCE_RUN_H
#define TEST_REFERENCE_RUN_H

#include "some_nets.h"

// A run of the reference machine: room for what comes of it.

enum { MESSAGES_MAX = 128 };

static inline struct ref_machine machine_for(const struct ref_net *net, enum ref_timing timing)
{
	return (struct ref_machine){
		.n_slots = 2, .order = REF_ASCENDING, .timing = timing, .tie = ref_machine_tie(net), .net = net};
}

struct run {
	struct ref_net net;
	struct ref_arrival arrival[MESSAGES_MAX];
	struct ref_channel channel[CHANNELS_MAX];
	struct ref_wait wait[CHANNELS_MAX];
	bool asked[CHANNELS_MAX];
	struct ref_lock lock;
};

#endif
