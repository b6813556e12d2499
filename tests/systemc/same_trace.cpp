// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "same_trace.hpp"

#include <cstring>
#include <tuple>

// Field by field: between them there may be anything.
static auto fields(const struct loom_arrival &a)
{
	return std::tie(a.node, a.source, a.number, a.destination, a.pass, a.flits, a.first_cycle, a.last_cycle,
	                a.intact, a.logged_pass, a.rule, a.keep_slot, a.signature, a.release);
}

template <typename T> static bool same(const T *a, const T *b, size_t n)
{
	return (a == nullptr) == (b == nullptr) && (!a || std::memcmp(a, b, n * sizeof *a) == 0);
}

// Counts of the passes; of the run back to back there is one pass of them.
static std::string difference(const struct loom_trace &a, const struct loom_trace &b, size_t n_counts)
{
	if (std::tie(a.n_nodes, a.n_channels, a.n_passes, a.n_arrivals, a.began) !=
	    std::tie(b.n_nodes, b.n_channels, b.n_passes, b.n_arrivals, b.began))
		return "shape: " + std::to_string(a.n_arrivals) + " and " + std::to_string(b.n_arrivals) + " arrivals";
	for (size_t i = 0; i < a.n_arrivals; i++)
		if (fields(a.arrivals[i]) != fields(b.arrivals[i]))
			return "arrival " + std::to_string(i);
	if (!same(a.counts, b.counts, n_counts))
		return "counts";
	if (!same(a.sent, b.sent, a.n_nodes) || !same(a.corrupt, b.corrupt, a.n_nodes))
		return "sent, corrupt";
	if (!same(a.first_entry, b.first_entry, a.n_nodes + 1u) ||
	    !same(a.released, b.released, a.first_entry ? a.first_entry[a.n_nodes] : 0))
		return "released";
	return (a.back_to_back == nullptr) == (b.back_to_back == nullptr) ? "" : "back to back";
}

std::string trace_difference(const struct loom_trace &a, const struct loom_trace &b)
{
	const std::string text = difference(a, b, static_cast<size_t>(a.n_passes) * a.n_channels);
	if (!text.empty() || !a.back_to_back)
		return text;
	return difference(*a.back_to_back, *b.back_to_back, a.back_to_back->n_channels);
}
