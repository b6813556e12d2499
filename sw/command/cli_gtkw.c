// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the file with which GTKWave opens a waveform. It shows the signals of most interest, the messages on every
// channel (instances of header_view), by tile or stage. It is made from the waveform's own list, so that it names
// only signals that exist.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli.h"
#include "cli_fst.h"
#include "cli_session.h"

#define VIEW ".view_" // how the names of instances of header_view begin

// Flags of GTKWave: how a value is shown, and what opens and ends a group.
#define BINARY "@28"
#define DECIMAL "@24"
#define GROUP "@c00200" // closed until somebody opens it
#define GROUP_END "@1401200"

#define OURS "[*] Written by flitloom" // how the file begins; another is not replaced

enum { NAME_MOST = 160 };

struct save {
	const char *waveform;
	const struct cli_fst *fst;
};

// Fields, the most useful first, and their colours: 1 red, 2 orange, 3 yellow, 4 green, 5 blue, 7 violet.
static const struct {
	const char *name;
	int colour;
} fields[] = {{"source", 4},  {"destination", 2}, {"number", 5}, {"header", 3},
              {"crosses", 1}, {"rule", 7},        {"slot", 7}};
enum { N_FIELDS = sizeof fields / sizeof fields[0] };

static bool is_named(const struct cli_fst_signal *s, const char *name)
{
	size_t length = strlen(name);
	return strncmp(s->path + s->n_scope + 1, name, length) == 0 && strchr("[", s->path[s->n_scope + 1 + length]);
}

static void put_signal(FILE *f, const struct cli_fst_signal *s, int colour)
{
	(void)fprintf(f, "%s\n", s->n_bits > 1 ? DECIMAL : BINARY);
	if (colour)
		(void)fprintf(f, "[color] %d\n", colour);
	(void)fprintf(f, "%s\n", s->path);
}

static bool is_in(const struct cli_fst_signal *s, const char *instance)
{
	size_t length = strlen(instance);
	return s->n_scope >= length && strncmp(s->path + s->n_scope - length, instance, length) == 0;
}

// Puts the signals of the chip as a whole: the clock, which cycle of the run it is, which pass, and which cycle of
// that.
static void put_chip(FILE *f, const struct cli_fst *fst)
{
	static const char *const signals[][2] = {{".sim_top", "clk"},       {".sim_pins", "clk"},
	                                         {".sim_top", "run_cycle"}, {".u_sequencer", "run"},
	                                         {".u_sequencer", "pass"},  {".u_sequencer", "cycle"}};
	for (size_t n = 0; n < sizeof signals / sizeof signals[0]; n++)
		for (size_t i = 0; i < fst->n_signals; i++)
			if (is_in(&fst->signals[i], signals[n][0]) && is_named(&fst->signals[i], signals[n][1])) {
				put_signal(f, &fst->signals[i], 0);
				break;
			}
}

static bool is_of_view(const struct cli_fst_signal *s)
{
	const char *view = strstr(s->path, VIEW);
	return view && view < s->path + s->n_scope;
}

static bool same_scope(const struct cli_fst_signal *a, const struct cli_fst_signal *b)
{
	return a->n_scope == b->n_scope && strncmp(a->path, b->path, a->n_scope) == 0;
}

// Writes "tile 3, inject": the numbers and names on the path that distinguish instances.
static void name_view(char out[NAME_MOST], const struct cli_fst_signal *s)
{
	size_t used = 0;
	out[0] = '\0';
	for (const char *at = s->path, *end = s->path + s->n_scope; at < end;) {
		size_t length = strcspn(at, ".");
		length = length > (size_t)(end - at) ? (size_t)(end - at) : length;
		const char *bracket = memchr(at, '[', length);
		bool counted = strncmp(at, "g_", 2) == 0 && bracket && strncmp(at, "g_bank", 6) != 0;
		bool view = strncmp(at, "view_", 5) == 0 && strncmp(at, "view_out", 8) != 0;
		int n_name = counted ? (int)(bracket - at - 2) : (int)length - 5;
		if (counted)
			used += (size_t)snprintf(out + used, NAME_MOST - used, "%s%.*s %d", used ? ", " : "", n_name,
			                         at + 2, atoi(bracket + 1));
		else if (view)
			used += (size_t)snprintf(out + used, NAME_MOST - used, "%s%.*s", used ? ", " : "", n_name,
			                         at + 5);
		if (used >= NAME_MOST)
			return;
		at += length + (at + length < end);
	}
	for (char *c = out; *c; c++)
		if (*c == '_')
			*c = ' ';
}

static void put_group(FILE *f, const char *flags, const char *name, size_t length)
{
	if (length)
		(void)fprintf(f, "%s\n-%.*s\n", flags, (int)length, name);
}

// The signals first..last-1 are one view's.
static void put_view(FILE *f, const struct cli_fst *fst, size_t first, size_t last, const char *name)
{
	put_group(f, GROUP, name, strlen(name));
	for (size_t k = 0; k < N_FIELDS; k++)
		for (size_t i = first; i < last; i++)
			if (is_named(&fst->signals[i], fields[k].name))
				put_signal(f, &fst->signals[i], fields[k].colour);
	put_group(f, GROUP_END, name, strlen(name));
}

// A group for each tile or stage, in it one for each of its channels.
static void put_views(FILE *f, const struct cli_fst *fst)
{
	char outer[NAME_MOST] = "", name[NAME_MOST];
	for (size_t i = 0, last; i < fst->n_signals; i = last) {
		last = i + 1;
		if (!is_of_view(&fst->signals[i]))
			continue;
		while (last < fst->n_signals && same_scope(&fst->signals[i], &fst->signals[last]))
			last++;
		name_view(name, &fst->signals[i]);
		const char *comma = strrchr(name, ',');
		size_t length = comma ? (size_t)(comma - name) : 0;
		if (strlen(outer) != length || strncmp(outer, name, length) != 0) {
			put_group(f, GROUP_END, outer, strlen(outer));
			put_group(f, GROUP, name, length);
			(void)snprintf(outer, sizeof outer, "%.*s", (int)length, name);
		}
		put_view(f, fst, i, last, name);
	}
	put_group(f, GROUP_END, outer, strlen(outer));
}

static int put_save(FILE *f, const void *user)
{
	const struct save *save = user;
	const struct cli_fst *fst = save->fst;
	const char *slash = strrchr(save->waveform, '/');
	(void)fprintf(f,
	              OURS "; docs/waveforms.md says what is shown.\n[dumpfile] \"%s\"\n"
	                   "[timestart] 0\n[size] 1500 900\n[sst_expanded] 0\n",
	              slash ? slash + 1 : save->waveform);
	put_chip(f, fst);
	put_views(f, fst);
	return 0;
}

char *cli_gtkw_path(const char *waveform)
{
	size_t length = strlen(waveform);
	bool ends = length > 4 && strcmp(waveform + length - 4, ".fst") == 0;
	char *path = malloc(length + 6);
	if (path)
		(void)snprintf(path, length + 6, "%.*s.gtkw", (int)(ends ? length - 4 : length), waveform);
	return path;
}

bool cli_gtkw_is_ours(const char *path)
{
	char line[sizeof OURS] = "";
	FILE *f = fopen(path, "r");
	bool ours = f && fgets(line, sizeof line, f) && strcmp(line, OURS) == 0;
	if (f)
		(void)fclose(f);
	return ours;
}

int cli_gtkw_write(const char *waveform, struct loom_err *err)
{
	struct cli_fst fst = {0};
	char *path = cli_gtkw_path(waveform);
	if (!path)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a file beside %.200s", waveform);
	int rc = cli_fst_read(&fst, waveform, err);
	if (rc == 0)
		rc = loom_file_write(path, put_save, &(struct save){waveform, &fst}, err);
	cli_fst_free(&fst);
	free(path);
	return rc;
}
