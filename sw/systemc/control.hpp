// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CONTROL_HPP
#define FLITLOOM_CONTROL_HPP

#include <cstdint>

#include <flitloom/link/regmap.h>

namespace flitloom
{

// True for CONTROL: only the lowest eight bits of an address in space GLOBAL count.
inline bool is_control(uint32_t address)
{
	return address >> 28 == 0 && (address & 0xff) == LOOM_REG_CONTROL;
}

} // namespace flitloom

#endif
