// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SAME_TRACE_HPP
#define SAME_TRACE_HPP

#include <string>

#include <flitloom/trace.h>

// "" if both traces are the same word for word, else what differs first.
std::string trace_difference(const struct loom_trace &a, const struct loom_trace &b);

#endif
