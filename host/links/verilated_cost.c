// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures are fitted to the table in docs/verification.md. Verilator holds a copy of each tile, and
// what a tile takes grows with its links and their lanes; the C++ compiler sees one body for all.
#include "links/verilated_cost.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define FIRST_BYTES 30e6  // memory of the smallest model
#define TILE_BYTES 1.2e6  // memory of a tile without links
#define LINK_BYTES 0.9e6  // memory of each of its links
#define LANE_BYTES 1.0e6  // memory of each lane of a link
#define STAGE_BYTES 0.5e6 // memory of each channel of a tile in a multistage network
#define LEAST_BYTES 3e8   // the least memory, which the C++ compiler takes
// Routers that choose add this memory for each lane of a link, less at a node of many lanes; and the C++ compiler's time for the one
// body of all tiles grows with the cube of its lanes.
#define CHOICE_BYTES 1.6e6
#define CHOICE_BYTES_WITH_ESCAPES 2.3e6
#define CHOICE_BYTES_OF_MANY 1.2e6
#define MANY_LANES 12
#define CHOICE_S 0.07
#define FIRST_S 12.0
#define S_PER_BYTE 28e-9    // seconds for each byte beyond FIRST_BYTES
#define S_PER_BYTE2 3.9e-18 // large models take more than in proportion
// Recording waveforms, or counting coverage, multiplies memory and time by these.
#define TRACE_BYTES 1.05
#define TRACE_S 2.0
#define COVERAGE_BYTES 6.0
#define COVERAGE_S 6.0
#define ENDS 2 // channels of a tile that are no links: to and from its node

struct loom_verilated_cost loom_verilated_cost(const struct loom_rtl *rtl, const struct loom_link_options *options)
{
	const struct loom_chip *c = &rtl->chip;
	double channels = c->n_channels, lanes = c->n_vcs > 1 ? c->n_vcs : 1, tile, bytes, s;
	if (c->n_tiles == 0)
		return (struct loom_verilated_cost){0, 0};
	if (rtl->is_multistage)
		tile = channels * STAGE_BYTES;
	else
		tile = TILE_BYTES + (channels - ENDS) * (LINK_BYTES + lanes * LANE_BYTES);
	lanes *= c->adaptive ? channels - ENDS : 0; // all lanes of a node among which its router chooses
	tile += lanes * (lanes >= MANY_LANES ? CHOICE_BYTES_OF_MANY
	                 : c->n_vcs > 1      ? CHOICE_BYTES_WITH_ESCAPES
	                                     : CHOICE_BYTES);
	bytes = c->n_tiles * tile;
	s = bytes * S_PER_BYTE + bytes * bytes * S_PER_BYTE2 + lanes * lanes * lanes * CHOICE_S;
	if (options && options->trace_file) {
		bytes *= TRACE_BYTES;
		s *= TRACE_S;
	}
	if (options && options->coverage) {
		bytes *= COVERAGE_BYTES;
		s *= COVERAGE_S;
	}
	bytes += FIRST_BYTES;
	return (struct loom_verilated_cost){.s = FIRST_S + s, .bytes = bytes > LEAST_BYTES ? bytes : LEAST_BYTES};
}

void loom_verilated_cost_text(char out[64], const struct loom_verilated_cost *cost)
{
	char time[24];
	if (cost->s < 100)
		(void)snprintf(time, sizeof time, "%.0f s", cost->s);
	else
		(void)snprintf(time, sizeof time, "%.0f min", cost->s / 60);
	(void)snprintf(out, 64, "about %s and %.1f GB of memory", time, cost->bytes / 1e9);
}

// --- Memory ----------------------------------------------------------------------------------------------------------

// The number in the file that follows the word, or stands at the beginning (word ""); negative: there is none.
static double number_in(const char *path, const char *word)
{
	char line[256];
	double value, found = -1;
	FILE *f = fopen(path, "r");
	while (f && found < 0 && fgets(line, sizeof line, f))
		if (strncmp(line, word, strlen(word)) == 0 && sscanf(line + strlen(word), "%lf", &value) == 1)
			found = value;
	if (f)
		(void)fclose(f);
	return found;
}

// Returns the bytes that one group leaves of its limit; files that it has read count as free. Negative: it has no limit.
static double left_in_group(const char *folder, const char *limit, const char *used)
{
	char path[PATH_MAX];
	(void)snprintf(path, sizeof path, "%.3900s/%s", folder, limit);
	double most = number_in(path, "");
	(void)snprintf(path, sizeof path, "%.3900s/%s", folder, used);
	double taken = number_in(path, "");
	(void)snprintf(path, sizeof path, "%.3900s/memory.stat", folder);
	double files = number_in(path, "inactive_file ");
	if (most < 0 || taken < 0)
		return -1;
	taken -= files > 0 ? files : 0;
	return most > taken ? most - taken : 0;
}

static double lesser(double a, double b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

// Visits the group and those around it: /sys/fs/cgroup/A/B, then A, then the mount itself, where a container sees its
// own.
static double left_in_groups(const char *mount, const char *group, const char *limit, const char *used)
{
	char path[PATH_MAX];
	size_t top = strlen(mount);
	double left = -1;
	(void)snprintf(path, sizeof path, "%.1000s%.2900s", mount, group);
	for (;;) {
		left = lesser(left, left_in_group(path, limit, used));
		char *slash = strrchr(path, '/');
		if (strlen(path) <= top || !slash)
			return left;
		*slash = '\0';
	}
}

double loom_verilated_memory_left(const char *root)
{
	char path[PATH_MAX], mount[1024], line[PATH_MAX];
	(void)snprintf(path, sizeof path, "%.900s/proc/meminfo", root);
	double left = number_in(path, "MemAvailable:");
	left = left < 0 ? left : left * 1024;
	(void)snprintf(path, sizeof path, "%.900s/proc/self/cgroup", root);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) { // NUMBER:CONTROLLERS:GROUP
		line[strcspn(line, "\n")] = '\0';
		char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = '\0';
		bool unified = strcmp(controllers, ":") == 0;
		if (!unified && strcmp(controllers, ":memory") != 0)
			continue;
		(void)snprintf(mount, sizeof mount, "%.900s/sys/fs/cgroup%s", root, unified ? "" : "/memory");
		left = lesser(left,
		              unified ? left_in_groups(mount, group, "memory.max", "memory.current")
		                      : left_in_groups(mount, group, "memory.limit_in_bytes", "memory.usage_in_bytes"));
	}
	if (f)
		(void)fclose(f);
	return left;
}
