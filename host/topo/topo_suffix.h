// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_SUFFIX_H
#define LOOM_TOPO_SUFFIX_H

#include <stdbool.h>

#include <flitloom/topo.h>

// Writes the text with the parts of its suffix in the order in which they are read: lanes, buffers, delays of links and
// routers, flits. "cube:3b4v2" becomes "cube:3v2b4". false: the text already has that order, or has a letter twice, or
// would be too long.
bool loom_topo_suffix_order(char out[LOOM_TOPO_NAME], const char *text);

#endif
