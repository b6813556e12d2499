// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Lists that grow.
#ifndef LOOM_ROOM_H
#define LOOM_ROOM_H

#include <stdbool.h>
#include <stddef.h>

// Makes room for n items in a malloc'ed list (NULL: none yet) that has room for `room`, a size_t; both are variables,
// and a list that is too short becomes at least twice as long. False: there is no memory, and both are as they were.
#define LOOM_ROOM(list, room, n) ((n) <= (room) || loom_room_make(&(list), &(room), (n), sizeof *(list)))

// The same for a list of items of `size` bytes, by its address.
bool loom_room_make(void *list, size_t *room, size_t n, size_t size);

#endif
