// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A link to a memory of 2^32 words. It fails for whatever touches the words from 0xf0000000 on, and then does nothing. It counts the
// cycles that it is run.
#ifndef MEMORY_LINK_HPP
#define MEMORY_LINK_HPP

#include <unordered_map>

#include <flitloom/link.h>

struct memory_link {
	std::unordered_map<uint32_t, uint32_t> words;
	uint64_t cycles = 0, transfers = 0;
	struct loom_link link = {};

	memory_link();
	memory_link(const memory_link &) = delete;
};

#endif
