// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/room.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 8

bool loom_room_make(void *list, size_t *room, size_t n, size_t size)
{
	size_t wanted = *room ? 2 * *room : FIRST_ROOM;
	void *old, *longer;
	if (wanted < n)
		wanted = n;
	memcpy(&old, list, sizeof old);
	longer = realloc(old, wanted * size);
	if (!longer)
		return false;
	memcpy(list, &longer, sizeof longer);
	*room = wanted;
	return true;
}
