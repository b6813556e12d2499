// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FRAME_CHECKER_HPP
#define FRAME_CHECKER_HPP

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <flitloom/systemc/fabric.hpp>

// The frames that go from node to node, all of them made before the simulation begins: nothing that happens in it can
// change what must come.
struct frame {
	unsigned to;
	std::vector<uint32_t> word;
};

class frame_plan
{
      public:
	std::vector<std::vector<frame>> of_node; // in the order of sending
	uint64_t n_words = 0, n_frames = 0;

	// Exactly n_words words, as many from each node as from any other, give or take one; frames of 1 to `longest` words.
	frame_plan(unsigned n_nodes, uint64_t words, unsigned longest, uint64_t seed) : of_node(n_nodes)
	{
		std::mt19937_64 random(seed);
		for (unsigned u = 0; u < n_nodes; u++) {
			uint64_t left = words / n_nodes + (u < words % n_nodes ? 1 : 0);
			while (left) {
				frame f;
				f.to = static_cast<unsigned>(random() % n_nodes);
				f.word.resize(std::min<uint64_t>(left, 1 + random() % longest));
				for (uint32_t &w : f.word)
					w = static_cast<uint32_t>(random());
				left -= f.word.size();
				n_words += f.word.size();
				n_frames++;
				of_node[u].push_back(std::move(f));
			}
		}
	}
};

// Compares what comes with what was planned: the frames of each pair of nodes in order, each whole, every word. Says the first three
// differences.
class frame_checker
{
      public:
	explicit frame_checker(const frame_plan &p)
	    : plan(p), n(static_cast<unsigned>(p.of_node.size())), between(size_t(n) * n), at(size_t(n) * n)
	{
		for (unsigned u = 0; u < n; u++)
			for (const frame &f : p.of_node[u])
				between[size_t(u) * n + f.to].push_back(&f);
	}

	void take(unsigned here, const flitloom::beat &b)
	{
		n_taken++;
		if (b.node >= n) {
			differ("at node %u a word from node %u, which is not there", here, b.node);
			return;
		}
		const size_t pair = size_t(b.node) * n + here;
		place &p = at[pair];
		if (p.frame == between[pair].size()) {
			differ("from node %u to node %u a frame that nobody sent", b.node, here);
			return;
		}
		const frame &f = *between[pair][p.frame];
		const bool last = p.word + 1 == f.word.size();
		if (b.data != f.word[p.word])
			differ("from node %u to node %u, frame %zu, word %zu: another word", b.node, here, p.frame,
			       p.word);
		else if (b.last != last)
			differ("from node %u to node %u, frame %zu, word %zu: the frame has another end", b.node, here,
			       p.frame, p.word);
		else
			n_right++;
		p.word = last ? 0 : p.word + 1;
		p.frame += last;
	}

	// All of the plan has come, and nothing else.
	bool complete() const
	{
		return n_taken == plan.n_words && n_right == plan.n_words;
	}
	bool wrong() const
	{
		return n_differences != 0;
	}
	uint64_t taken() const
	{
		return n_taken;
	}

	// After the simulation: whether everything was right; says what is missing.
	bool verdict()
	{
		uint64_t words = 0; // counted once more, from what each pair has had
		for (size_t pair = 0; pair < between.size(); pair++) {
			for (size_t k = 0; k < at[pair].frame; k++)
				words += between[pair][k]->word.size();
			words += at[pair].word;
			if (at[pair].frame != between[pair].size())
				differ("from node %u to node %u: %zu frames of %zu have come",
				       static_cast<unsigned>(pair / n), static_cast<unsigned>(pair % n), at[pair].frame,
				       between[pair].size());
		}
		if (words != plan.n_words)
			differ("missing: %llu words of %llu have come", static_cast<unsigned long long>(words),
			       static_cast<unsigned long long>(plan.n_words));
		return complete() && !wrong();
	}

      private:
	struct place {
		size_t frame = 0, word = 0; // that come next
	};
	const frame_plan &plan;
	const unsigned n;
	std::vector<std::vector<const frame *>> between; // [from * n + to]
	std::vector<place> at;
	uint64_t n_taken = 0, n_right = 0, n_differences = 0;

	template <class... arguments> void differ(const char *format, arguments... a)
	{
		if (n_differences++ < 3) {
			std::printf("FAIL: ");
			std::printf(format, a...);
			std::printf("\n");
		}
	}
};

#endif
