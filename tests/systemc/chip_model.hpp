// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives the answers that a flitloom::chip must give, from docs/systemc.md and docs/registers.md alone: nothing here was
// taken from chip.cpp.
#ifndef CHIP_MODEL_HPP
#define CHIP_MODEL_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <tlm>

// Words that a chip holds. A place that the model does not know may hold anything.
class chip_model
{
      public:
	enum class behind {
		memory, // a link to a memory: each word holds what was written to it, 0 before; from 0xf0000000 on the link fails
		cube3, // the registers and map tables of a cube:3 that does nothing
		any,   // any chip, whatever it does: what words hold is not known
	};
	explicit chip_model(behind what);

	// All answers that are right: TLM lets the target choose where more than one thing is wrong.
	std::set<tlm::tlm_response_status> answers(const tlm::tlm_generic_payload &trans) const;
	// Counts the bytes that transport_dbg moves.
	unsigned debug_bytes(const tlm::tlm_generic_payload &trans) const;

	void write(uint32_t word_address, uint32_t word);
	std::optional<uint32_t> read(uint32_t word_address) const;
	// Word addresses in the order in which the words of a good transaction go to them.
	static std::vector<uint32_t> places(const tlm::tlm_generic_payload &trans, bool debug);

      private:
	uint32_t name_of(uint32_t word_address) const; // some words have several addresses
	bool fails(const std::vector<uint32_t> &places) const;

	behind what_;
	std::map<uint32_t, uint32_t> words_, masks_; // masks: of the registers that can be written
};

#endif
