// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_link.hpp"

static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned, struct loom_err *err)
{
	auto *m = static_cast<memory_link *>(link->state);
	for (size_t i = 0; i < n; i++) {
		const struct loom_transfer &t = list[i];
		m->transfers++;
		if (t.address >= 0xf0000000 || (!t.fixed && t.address + t.n_words > 0xf0000000))
			return loom_fail(err, LOOM_ELINK, "the memory's line is gone");
		for (size_t k = 0; k < t.n_words; k++) {
			const uint32_t address = t.address + (t.fixed ? 0 : static_cast<uint32_t>(k));
			if (t.write)
				m->words[address] = t.write[k];
			else if (const auto found = m->words.find(address); found != m->words.end())
				t.read[k] = found->second;
			else
				t.read[k] = 0;
		}
	}
	return 0;
}

static int run(struct loom_link *link, uint64_t n_cycles, struct loom_err *)
{
	static_cast<memory_link *>(link->state)->cycles += n_cycles;
	return 0;
}

static void close_nothing(struct loom_link *)
{
}

static struct loom_link_kind make_kind()
{
	struct loom_link_kind kind = {};
	kind.name = "memory";
	kind.transfer = transfer;
	kind.run = run;
	kind.close = close_nothing;
	return kind;
}

static const struct loom_link_kind kind = make_kind();

memory_link::memory_link()
{
	link.kind = &kind;
	link.state = this;
}
