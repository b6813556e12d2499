// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_lanes.h"

#include <stdio.h>
#include <string.h>

int loom_topo_fail_lanes(const char *text, unsigned most, bool (*is_fabric)(const char *text), struct loom_err *err)
{
	const char *v = strrchr(text, 'v'), *colon = strchr(text, ':');
	char plain[64];
	if (!colon || !v || v < colon || v[1] <= '0' || v[1] > '9' || v[2] != '\0' || (unsigned)(v[1] - '0') <= most)
		return 0;
	(void)snprintf(plain, sizeof plain, "%.*s", (int)(v - text), text);
	if (!is_fabric(plain))
		return 0; // its size is wrong, too
	if (most == 1)
		return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": links of %s have 1 lane: give %s, without v%s",
		                 text, plain, plain, v + 1);
	return 0;
}
