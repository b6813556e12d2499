// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps what sweeps found, in a folder that several of them share; and chooses the rows of a shard.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <flitloom/version.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli_journal.h"

// --- Words that a result depends on ------------------------------------------------------------------------------------

// Options that say which rows there are; each row says its own of these.
static const char *const of_rows[] = {"--load",      "--flits", "--planner", "--shard", "--seeds",
                                      "--precision", "--seed",  "--machine", "--dark"};

static bool is_of_rows(const char *word)
{
	for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
		if (strcmp(word, of_rows[i]) == 0)
			return true;
	return false;
}

// Adds length and checksum of a file, if the text names one.
static void put_file(FILE *stream, const char *path)
{
	unsigned char bytes[1 << 14];
	struct stat s;
	FILE *file = stat(path, &s) == 0 && S_ISREG(s.st_mode) ? fopen(path, "rbe") : NULL;
	unsigned long crc = crc32(0, NULL, 0);
	uint64_t length = 0;
	if (!file)
		return;
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0; length += n)
		crc = crc32_z(crc, bytes, n);
	(void)fclose(file);
	(void)fprintf(stream, " [%" PRIu64 " bytes, %08lx]", length, crc);
}

// Adds the files that a word names: as a whole, or after a colon or an equals sign, up to the next term of a sum or item of a list.
static void put_files(FILE *stream, const char *word)
{
	put_file(stream, word);
	for (const char *at = strpbrk(word, ":="); at; at = strpbrk(at + 1, ":=")) {
		char path[PATH_MAX];
		for (const char *end = at + 1;; end++) {
			end += strcspn(end, "+,:");
			(void)snprintf(path, sizeof path, "%.*s", (int)(end - at - 1), at + 1);
			put_file(stream, path);
			if (*end == '\0')
				break;
		}
	}
}

static int put_asked(FILE *stream, const struct cli_request *request, struct loom_err *err)
{
	struct cli_asked asked;
	int rc = cli_asked(&asked, request, NULL, false, err);
	if (rc != 0)
		return rc;
	(void)fprintf(stream, "%s", LOOM_VERSION);
	for (size_t i = 1; i < asked.said.n_command; i++) {
		const char *word = asked.said.command[i];
		if (word == request->words[0] || strcmp(word, "--json") == 0) // of fabrics each row says its own
			continue;
		if (is_of_rows(word)) {
			i++;
			continue;
		}
		(void)fprintf(stream, " %s", word);
		put_files(stream, word);
	}
	cli_asked_free(&asked);
	return 0;
}

// "2/8": *i and *n are 2 and 8.
static int read_shard(unsigned *i, unsigned *n, const char *text, struct loom_err *err)
{
	int length = 0;
	if (strspn(text, "0123456789/") != strlen(text) || sscanf(text, "%5u/%5u%n", i, n, &length) != 2 ||
	    text[length] != '\0' || *i < 1 || *i > *n)
		return loom_fail(err, LOOM_EINPUT, "--shard: \"%.40s\" is not I/N, the I-th of N parts, such as 2/8",
		                 text);
	return 0;
}

int sweep_journal_begin(struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	size_t length = 0;
	unsigned i, n;
	if (r->shard && read_shard(&i, &n, r->shard, err) != 0) // before there is a folder
		return LOOM_EINPUT;
	if (r->merge && !r->journal)
		return loom_fail(err, LOOM_EINPUT, "--merge: of which journal? with --journal DIR");
	if (!r->journal)
		return 0;
	struct stat it;
	if (stat(r->journal, &it) == 0 && !S_ISDIR(it.st_mode))
		return loom_fail(err, LOOM_EFILE, "--journal: %.300s is no folder, and a journal is one", r->journal);
	if (!r->merge && mkdir(r->journal, 0777) != 0 && errno != EEXIST)
		return loom_fail(err, LOOM_EFILE, "--journal: folder %.300s cannot be made: %s", r->journal,
		                 strerror(errno));
	FILE *stream = open_memstream(&s->journal_asked, &length);
	if (!stream)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the words of a journal");
	int rc = put_asked(stream, r, err);
	if (fclose(stream) != 0 && rc == 0)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the words of a journal");
	return rc;
}

void sweep_journal_end(struct sweep *s)
{
	free(s->journal_asked);
	s->journal_asked = NULL;
}

static void put_run_of_load(FILE *stream, const struct sweep *s, const struct sweep_row *row, uint32_t run)
{
	const struct cli_request *r = s->request;
	const uint32_t n_pilots = sweep_load_pilots_count(s);
	(void)fprintf(stream, "; flits %" PRIu32 " %s; load %.17g", r->flits, r->lengths_text ? r->lengths_text : "",
	              row->load);
	if (n_pilots)
		(void)fprintf(stream, "; warm-up by the data of seed %" PRIu64, r->seed);
	if (run >= n_pilots)
		(void)fprintf(stream, "; seed %" PRIu64, r->seed + run - n_pilots);
}

// The words of a run: malloc'ed. NULL: no memory.
static char *words_of(const struct sweep *s, const struct sweep_row *row, uint32_t run)
{
	const struct sweep_curve *c = row->curve;
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);
	if (!stream)
		return NULL;
	(void)fprintf(stream, "%s; %s", s->journal_asked, c->topo.name);
	put_files(stream, c->fabric[0] ? c->fabric : c->topo.name);
	(void)fprintf(stream, "; machine %d, map %s, planner %s, rule %u, failed %.17g", (int)c->machine, c->map_name,
	              c->planner[0]         ? c->planner
	              : s->request->planner ? s->request->planner
	                                    : "",
	              (unsigned)c->rule, c->fail.percent);
	if (c->turns[0]) {
		(void)fprintf(stream, "; %s", c->turns);
		put_file(stream, c->turns + strlen(CLI_TURNS));
	}
	if (s->kind->side_by_side)
		put_run_of_load(stream, s, row, run);
	else
		(void)fprintf(stream, "; flits %" PRIu32 "; %" PRIu32 " seeds from %" PRIu64, row->flits, s->n_seeds,
		              s->request->seed);
	if (cli_given(s->request, CLI_DARK))
		(void)fprintf(stream, "; dark %" PRIu32, sweep_dark_at(s->request, c->i_dark));
	if (row->is_checked)
		(void)fputs("; on the RTL as well", stream);
	return fclose(stream) == 0 ? text : NULL;
}

static void path_of(char path[PATH_MAX], const struct sweep *s, const char *words, const char *ending)
{
	const size_t n = strlen(words);
	// Two checksums of 32 bits, of the words and of the words from their middle on: a name that two sorts of words have is told by
	// the words in the file.
	(void)snprintf(path, PATH_MAX, "%s/%08lx%08lx%s", s->request->journal,
	               crc32_z(0, (const unsigned char *)words, n), adler32_z(1, (const unsigned char *)words, n),
	               ending);
}

// --- Results as files --------------------------------------------------------------------------------------------------

static json_t *value_of(const struct sweep_field *field, const void *at)
{
	const void *from = (const char *)at + field->at;
	char text[2 * SWEEP_REASON];
	uint64_t count = 0;
	switch (field->is) {
	case FIELD_REAL: return isnan(*(const double *)from) ? json_null() : json_real(*(const double *)from);
	case FIELD_COUNT: memcpy(&count, from, sizeof count); break;
	case FIELD_COUNT_32: count = *(const uint32_t *)from; break;
	case FIELD_FLAG: return json_boolean(*(const bool *)from);
	case FIELD_TEXT: loom_text_show(text, sizeof text, from); return json_string(text);
	}
	return loom_json_number(count);
}

static bool take_count(uint64_t *out, const json_t *value)
{
	char *end = NULL;
	if (json_is_integer(value)) {
		*out = (uint64_t)json_integer_value(value);
		return true;
	}
	errno = 0;
	*out = json_is_string(value) ? strtoull(json_string_value(value), &end, 10) : 0;
	return end && *end == '\0' && errno == 0;
}

static bool take_value(void *at, const struct sweep_field *field, const json_t *value)
{
	void *to = (char *)at + field->at;
	uint64_t count = 0;
	switch (field->is) {
	case FIELD_REAL:
		*(double *)to = json_is_real(value) ? json_real_value(value) : NAN;
		return json_is_real(value) || json_is_null(value);
	case FIELD_FLAG: *(bool *)to = json_is_true(value); return json_is_boolean(value);
	case FIELD_TEXT:
		if (json_is_string(value))
			(void)snprintf(to, field->size, "%s", json_string_value(value));
		return json_is_string(value);
	case FIELD_COUNT: break;
	case FIELD_COUNT_32: break;
	}
	if (!take_count(&count, value) || (field->is == FIELD_COUNT_32 && count > UINT32_MAX))
		return false;
	if (field->is == FIELD_COUNT_32)
		*(uint32_t *)to = (uint32_t)count;
	else
		memcpy(to, &count, sizeof count);
	return true;
}

static int put_text(FILE *stream, const void *text)
{
	return fprintf(stream, "%s\n", (const char *)text) < 0 ? -1 : 0;
}

static int put_groups(FILE *stream, const void *groups)
{
	return sweep_by_write(stream, groups, NULL) == 0 ? 0 : -1;
}

int sweep_journal_keep(const struct sweep *s, const struct sweep_row *row, uint32_t run,
                       const struct sweep_record *from, struct loom_err *err)
{
	char path[PATH_MAX];
	char *words = words_of(s, row, run);
	json_t *found = json_object(),
	       *root = words && found ? json_pack("{s:s, s:O}", "of", words, "found", found) : NULL;
	bool whole = root;
	for (size_t i = 0; whole && i < from->n_fields; i++)
		whole = json_object_set_new(found, from->fields[i].name, value_of(&from->fields[i], from->at)) == 0;
	char *text = whole ? loom_json_text(root) : NULL;
	int rc = text ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a result in the journal");
	if (rc == 0 && from->groups) {
		path_of(path, s, words, ".by");
		rc = loom_file_write(path, put_groups, from->groups, err);
	}
	if (rc == 0) {
		path_of(path, s, words, ".json");
		rc = loom_file_write(path, put_text, text, err);
	}
	free(text);
	json_decref(root);
	json_decref(found);
	free(words);
	return rc;
}

static int read_groups(const char *path, const struct sweep *s, const struct sweep_record *into, struct loom_err *err)
{
	FILE *file = fopen(path, "rbe");
	if (!file)
		return loom_fail(err, LOOM_EFILE, "--journal: %.300s cannot be read: %s", path, strerror(errno));
	int rc = sweep_by_read(into->groups, file, s->request, err);
	(void)fclose(file);
	return rc;
}

// Reads a result. false: there is none, or err says what is wrong with it.
static bool read_result(const struct sweep *s, const char *words, const struct sweep_record *into, struct loom_err *err)
{
	char path[PATH_MAX];
	json_error_t error;
	path_of(path, s, words, ".json");
	if (access(path, F_OK) != 0)
		return false;
	json_t *root = json_load_file(path, 0, &error);
	const json_t *found = json_object_get(root, "found");
	const char *of = json_string_value(json_object_get(root, "of"));
	bool whole = found && of;
	if (whole && strcmp(of, words) != 0) {
		(void)loom_fail(err, LOOM_EINPUT, "--journal: %.300s is of another run, by chance; take another folder",
		                path);
		json_decref(root);
		return false;
	}
	for (size_t i = 0; whole && i < into->n_fields; i++)
		whole = take_value(into->at, &into->fields[i], json_object_get(found, into->fields[i].name));
	json_decref(root);
	if (!whole) {
		(void)loom_fail(err, LOOM_EINPUT,
		                "--journal: %.300s is no result of a run as this program writes them; remove it to "
		                "have it made "
		                "again",
		                path);
		return false;
	}
	if (!into->groups)
		return true;
	path_of(path, s, words, ".by");
	return read_groups(path, s, into, err) == 0;
}

// --- Runs --------------------------------------------------------------------------------------------------------------

static int fail_missing(const struct sweep *s, const struct sweep_row *row, struct loom_err *err)
{
	char load[40] = "";
	if (s->kind->side_by_side && row->load > 0)
		(void)snprintf(load, sizeof load, " at load %g", row->load);
	return loom_fail(err, LOOM_EINPUT, "--merge: %.200s%s is not in %.200s yet: run it with --journal",
	                 row->curve->name, load, s->request->journal);
}

// Takes the lock; *out is -1 if another process has it.
static int take_lock(int *out, const char *path, struct loom_err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return loom_fail(err, LOOM_EFILE, "--journal: %.300s cannot be made: %s", path, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		(void)close(fd);
		fd = -1;
	}
	*out = fd;
	return 0;
}

int sweep_journal_take(enum sweep_place *place, int *lock, const struct sweep *s, const struct sweep_row *row,
                       uint32_t run, const struct sweep_record *into, struct loom_err *err)
{
	char path[PATH_MAX];
	struct loom_err wrong = {0};
	*place = JOURNAL_NONE;
	*lock = -1;
	if (!s->request->journal)
		return 0;
	char *words = words_of(s, row, run);
	if (!words)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the words of a journal");
	int rc = 0;
	bool is_there = read_result(s, words, into, &wrong);
	if (!is_there && wrong.code == 0 && s->request->merge)
		rc = fail_missing(s, row, err);
	path_of(path, s, words, ".lock");
	if (!is_there && wrong.code == 0 && rc == 0)
		rc = take_lock(lock, path, err);
	if (*lock >= 0) // another process may have done it since
		is_there = read_result(s, words, into, &wrong);
	if (is_there || wrong.code != 0)
		sweep_journal_leave(s, row, run, *lock);
	if (wrong.code != 0) {
		*err = wrong;
		rc = wrong.code;
	}
	*place = is_there ? JOURNAL_HAS_IT : *lock >= 0 ? JOURNAL_IS_OURS : JOURNAL_IS_ELSEWHERE;
	if (is_there)
		*lock = -1;
	free(words);
	return rc;
}

void sweep_journal_leave(const struct sweep *s, const struct sweep_row *row, uint32_t run, int lock)
{
	char path[PATH_MAX];
	char *words = lock >= 0 ? words_of(s, row, run) : NULL;
	if (words) {
		path_of(path, s, words, ".lock");
		(void)unlink(path); // whoever has it open looks for the result once it has the lock
	}
	if (lock >= 0) {
		(void)flock(lock, LOCK_UN); // processes of other runs may have it open, too
		(void)close(lock);
	}
	free(words);
}

// --- Shards ------------------------------------------------------------------------------------------------------------

int sweep_journal_shard(struct sweep *s, struct loom_err *err)
{
	unsigned i, n;
	size_t n_kept = 0;
	if (!s->request->shard)
		return 0;
	if (read_shard(&i, &n, s->request->shard, err) != 0)
		return LOOM_EINPUT;
	for (size_t k = 0; k < s->n_rows; k++)
		if (k % n == i - 1)
			s->rows[n_kept++] = s->rows[k];
	s->n_rows = n_kept;
	return 0;
}
