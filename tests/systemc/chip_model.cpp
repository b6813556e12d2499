// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip_model.hpp"

using status = tlm::tlm_response_status;

// The register port has 2^32 words.
static const uint64_t last_byte = (UINT64_C(1) << 34) - 1;
static const uint64_t longest_burst = 65536 * 4;

chip_model::chip_model(behind what) : what_(what)
{
	if (what != behind::cube3)
		return;
	words_ = {{0x00, 0x4d4f4f4c}, {0x01, 5}, {0x02, 1}, {0x03, 3}, {0x04, 8}, {0x05, 8}, {0x16, 1},
	          {0x30, 2},          {0x31, 2}, {0x32, 2}, {0x33, 0}, {0x3f, 0}, {0x22, 0}};
	masks_ = {{0x22, 0xffffffff}};
	for (uint32_t node = 0; node < 8; node++)
		for (uint32_t i = 0; i < 8; i++)
			masks_[0x10004000 + (node << 16) + i] = 7; // a label of cube:3
}

std::set<status> chip_model::answers(const tlm::tlm_generic_payload &trans) const
{
	const uint64_t from = trans.get_address(), length = trans.get_data_length(),
		       width = trans.get_streaming_width();
	std::set<status> wrong;
	if (trans.get_command() == tlm::TLM_IGNORE_COMMAND)
		return {tlm::TLM_OK_RESPONSE};
	if (trans.get_command() != tlm::TLM_READ_COMMAND && trans.get_command() != tlm::TLM_WRITE_COMMAND)
		wrong.insert(tlm::TLM_COMMAND_ERROR_RESPONSE);
	if (trans.get_byte_enable_ptr() != nullptr)
		wrong.insert(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
	const uint64_t span = width == 4 && length > 4 ? 4 : length;
	if (from & 3 || from > last_byte || (span > 0 && span - 1 > last_byte - from))
		wrong.insert(tlm::TLM_ADDRESS_ERROR_RESPONSE);
	if (length == 0 || length & 3 || length > longest_burst)
		wrong.insert(tlm::TLM_BURST_ERROR_RESPONSE);
	if (width == 0 || (width != 4 && width < length))
		wrong.insert(tlm::TLM_BURST_ERROR_RESPONSE);
	if (trans.get_data_ptr() == nullptr)
		wrong.insert(tlm::TLM_GENERIC_ERROR_RESPONSE);
	if (wrong.empty())
		wrong.insert(fails(places(trans, false)) ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
	return wrong;
}

bool chip_model::fails(const std::vector<uint32_t> &places) const
{
	return what_ == behind::memory && !places.empty() &&
	       (places.front() >= 0xf0000000 || places.back() >= 0xf0000000);
}

std::vector<uint32_t> chip_model::places(const tlm::tlm_generic_payload &trans, bool debug)
{
	const bool one = !debug && trans.get_streaming_width() == 4;
	std::vector<uint32_t> all;
	for (uint64_t at = 0; at < trans.get_data_length(); at += 4)
		all.push_back(static_cast<uint32_t>((trans.get_address() + (one ? 0 : at)) >> 2));
	return all;
}

// Byte enables and streaming mean nothing to it. A command register (0x20, of which bits 27 to 8 say nothing) is not to be
// written.
unsigned chip_model::debug_bytes(const tlm::tlm_generic_payload &trans) const
{
	const uint64_t from = trans.get_address(), length = trans.get_data_length();
	const bool writes = trans.get_command() == tlm::TLM_WRITE_COMMAND;
	if (!writes && trans.get_command() != tlm::TLM_READ_COMMAND)
		return 0;
	if (from & 3 || length == 0 || length & 3 || length > longest_burst || from > last_byte ||
	    length - 1 > last_byte - from || trans.get_data_ptr() == nullptr)
		return 0;
	const std::vector<uint32_t> all = places(trans, true);
	for (uint32_t place : all)
		if (writes && (place & 0xf00000ff) == 0x20)
			return 0;
	return fails(all) ? 0 : trans.get_data_length();
}

// Looks only at the bits that eight words need in an address within a node's MAP.
uint32_t chip_model::name_of(uint32_t word_address) const
{
	const bool in_map = what_ == behind::cube3 && (word_address & 0xfff8e000) == 0x10004000;
	return in_map ? word_address & 0xffffe007 : word_address;
}

void chip_model::write(uint32_t word_address, uint32_t word)
{
	word_address = name_of(word_address);
	const auto mask = masks_.find(word_address);
	if (what_ == behind::memory)
		words_[word_address] = word;
	else if (mask != masks_.end())
		words_[word_address] = word & mask->second;
}

std::optional<uint32_t> chip_model::read(uint32_t word_address) const
{
	const auto word = words_.find(name_of(word_address));
	if (word != words_.end())
		return word->second;
	return what_ == behind::memory ? std::optional<uint32_t>(0) : std::nullopt;
}
