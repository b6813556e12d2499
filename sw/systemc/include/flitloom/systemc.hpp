// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_SYSTEMC_HPP
#define FLITLOOM_SYSTEMC_HPP

#include <flitloom/systemc/chip.hpp>
#include <flitloom/systemc/fabric.hpp>
#include <flitloom/systemc/link.hpp>
#include <flitloom/systemc/node_sockets.hpp>

#endif
