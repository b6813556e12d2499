// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated chip in a shared object. tools/model.sh builds it on demand; here it is loaded, clocked, and its
// register port driven through the C functions which rtl/chip/sim_top.sv exports.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "links.h"

#define RESET_CYCLES 8
#define ANSWER_CYCLES 64 // a chip which takes longer to answer a request does not answer

extern char **environ;

struct sim {
	void *object, *model;
	bool tracing;
	void (*seq_update)(void *model, unsigned char clk);
	void (*final)(void *model);
	void (*reset)(unsigned char level);
	void (*request)(unsigned char write, unsigned address, unsigned data);
	void (*release)(void);
	int (*answer)(unsigned *data);
	double *half_cycles; // the model's time, for waveforms
	void (*write_coverage)(void *coverage, const char *file);
	void *coverage;
	char coverage_file[PATH_MAX];
};

static void cycle(struct sim *s)
{
	*s->half_cycles += 1;
	s->seq_update(s->model, 1);
	*s->half_cycles += 1;
	s->seq_update(s->model, 0);
}

// The folder with rtl/ and tools/: named by the user, or beside an installed program, or where this was compiled.
static int find_home(char out[PATH_MAX], struct loom_err *err)
{
	char exe[PATH_MAX], tried[PATH_MAX + 32];
	const char *home = getenv("FLITLOOM_HOME");
	if (home) {
		(void)snprintf(out, PATH_MAX, "%s", home);
	} else {
		ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
		exe[n > 0 ? n : 0] = 0;
		char *slash = strrchr(exe, '/');
		if (slash)
			*slash = 0;
		(void)snprintf(out, PATH_MAX, "%.4000s/../share/flitloom", exe);
		(void)snprintf(tried, sizeof tried, "%s/tools/model.sh", out);
		if (access(tried, X_OK) != 0)
			(void)snprintf(out, PATH_MAX, "%s", LOOM_HOME);
	}
	(void)snprintf(tried, sizeof tried, "%s/tools/model.sh", out);
	if (access(tried, X_OK) != 0)
		return loom_fail(
			err, LOOM_ELINK,
			"cannot run %.200s: set FLITLOOM_HOME to the folder which holds flitloom's rtl/ and tools/",
			tried);
	return 0;
}

// Runs tools/model.sh; its last line on standard output is the path, the lines on standard error are progress.
static int build(char out[PATH_MAX], const struct loom_link_options *options, struct loom_err *err)
{
	char home[PATH_MAX], script[PATH_MAX + 32], fabric[64], line[512], last[512] = "";
	int to_out[2] = {-1, -1}, to_err[2] = {-1, -1}, code = 0, status = 0;
	pid_t child = 0;
	posix_spawn_file_actions_t actions;
	if ((code = find_home(home, err)) != 0)
		return code;
	(void)snprintf(script, sizeof script, "%s/tools/model.sh", home);
	(void)snprintf(fabric, sizeof fabric, "%s", options->fabric);
	char *argv[] = {script, fabric,
	                options->trace_file ? "trace"
	                : options->coverage ? "coverage"
	                                    : NULL,
	                options->trace_file && options->coverage ? "coverage" : NULL, NULL};

	if (pipe(to_out) != 0 || pipe(to_err) != 0) {
		code = loom_fail(err, LOOM_ELINK, "cannot make a pipe: %s", strerror(errno));
		goto out;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to_out[1], 1);
	posix_spawn_file_actions_adddup2(&actions, to_err[1], 2);
	for (int i = 0; i < 2; i++) {
		posix_spawn_file_actions_addclose(&actions, to_out[i]);
		posix_spawn_file_actions_addclose(&actions, to_err[i]);
	}
	int failed = posix_spawn(&child, script, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed) {
		code = loom_fail(err, LOOM_ELINK, "cannot run %.200s: %s", script, strerror(failed));
		goto out;
	}
	close(to_out[1]);
	close(to_err[1]);
	to_out[1] = to_err[1] = -1;

	FILE *f = fdopen(to_err[0], "r");
	if (f) {
		to_err[0] = -1;
		while (fgets(line, sizeof line, f)) {
			line[strcspn(line, "\n")] = 0;
			if (options->progress && strncmp(line, "model ", 6) == 0)
				options->progress(options->user, line);
			// The first complaint says more than the pointer to the log that follows it.
			if (strncmp(line, "model.sh: ", 10) == 0 && strncmp(last, "model.sh: ", 10) != 0)
				(void)snprintf(last, sizeof last, "%s", line);
		}
		(void)fclose(f);
	}
	f = fdopen(to_out[0], "r");
	out[0] = 0;
	if (f) {
		to_out[0] = -1;
		while (fgets(out, PATH_MAX, f))
			out[strcspn(out, "\n")] = 0;
		(void)fclose(f);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !out[0])
		code = loom_fail(err, LOOM_ELINK, "no model of %s: %.300s", options->fabric,
		                 strncmp(last, "model.sh: ", 10) == 0 ? last + 10 : "tools/model.sh failed");
out:
	for (int i = 0; i < 2; i++) {
		if (to_out[i] >= 0)
			close(to_out[i]);
		if (to_err[i] >= 0)
			close(to_err[i]);
	}
	return code;
}

// A function of the shared object, where ISO C knows no cast from void *.
static void symbol(void *object, const char *name, void (**out)(void), const char **missing)
{
	void *p = dlsym(object, name);
	if (!p && !*missing)
		*missing = name;
	memcpy(out, &p, sizeof p);
}

// Verilator's run-time keeps a few things from C; these are the mangled names that 5.006 gives them.
#define VL_CONTEXT "_ZN9Verilated14threadContextpEv"
#define VL_TRACE_EVER_ON "_ZN16VerilatedContext14calcUnusedSigsEb"
#define VL_COVERAGE "_ZN16VerilatedContext9coveragepEv"
#define VL_COVERAGE_WRITE "_ZN19VerilatedCovContext5writeEPKc"

static int load(struct sim *s, const char *path, const struct loom_link_options *options, struct loom_err *err)
{
	const char *missing = NULL;
	void *(*create)(const char *scope) = NULL;
	void (*combo_update)(void *model) = NULL;
	void *(*scope_from_name)(const char *name) = NULL;
	void *(*set_scope)(void *scope) = NULL;
	void *(*context)(void) = NULL;
	void (*trace_ever_on)(void *context, bool on) = NULL;
	void *(*coverage)(void *context) = NULL;
	void (*trace)(const char *file) = NULL;

	s->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!s->object)
		return loom_fail(err, LOOM_ELINK, "cannot load the model: %.300s", dlerror());
#define SYMBOL(name, where) symbol(s->object, name, (void (**)(void)) & (where), &missing)
	SYMBOL("loomsim_protectlib_create", create);
	SYMBOL("loomsim_protectlib_combo_update", combo_update);
	SYMBOL("loomsim_protectlib_seq_update", s->seq_update);
	SYMBOL("loomsim_protectlib_final", s->final);
	SYMBOL("svGetScopeFromName", scope_from_name);
	SYMBOL("svSetScope", set_scope);
	SYMBOL("loom_sim_reset", s->reset);
	SYMBOL("loom_sim_request", s->request);
	SYMBOL("loom_sim_release", s->release);
	SYMBOL("loom_sim_answer", s->answer);
	SYMBOL("loom_sim_trace", trace);
	SYMBOL("loom_sim_time", s->half_cycles);
	if (options->trace_file || options->coverage)
		SYMBOL(VL_CONTEXT, context);
	if (options->trace_file)
		SYMBOL(VL_TRACE_EVER_ON, trace_ever_on);
	if (options->coverage) {
		SYMBOL(VL_COVERAGE, coverage);
		SYMBOL(VL_COVERAGE_WRITE, s->write_coverage);
	}
#undef SYMBOL
	if (missing)
		return loom_fail(err, LOOM_ELINK,
		                 "the model lacks %s: it needs Verilator 5.006, or links/sim.c the new name", missing);

	if (options->trace_file)
		trace_ever_on(context(), true);
	s->model = create("loom");
	combo_update(s->model); // initial blocks; the scopes exist from here on
	void *scope = scope_from_name("loom.sim_top");
	if (!scope)
		return loom_fail(err, LOOM_ELINK, "the model has no scope loom.sim_top");
	set_scope(scope);
	if (options->trace_file) {
		trace(options->trace_file);
		s->tracing = true;
	}
	if (options->coverage) {
		s->coverage = coverage(context());
		(void)snprintf(s->coverage_file, sizeof s->coverage_file, "%.4000s.%ld.cov", path, (long)getpid());
	}
	s->reset(1);
	for (int i = 0; i < RESET_CYCLES; i++)
		cycle(s);
	s->reset(0);
	for (int i = 0; i < RESET_CYCLES; i++)
		cycle(s);
	return 0;
}

static void sim_close(struct loom_link *link)
{
	struct sim *s = link->state;
	if (!s)
		return;
	if (s->coverage)
		s->write_coverage(s->coverage, s->coverage_file);
	if (s->model)
		s->final(s->model); // closes the waveform
	if (s->object)
		dlclose(s->object);
	free(s);
	link->state = NULL;
}

static int sim_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                    struct loom_err *err)
{
	char path[PATH_MAX];
	if (*argument)
		return loom_fail(err, LOOM_EINPUT,
		                 "link \"sim:%s\": sim takes no argument, the fabric says which model", argument);
	if (!options || !options->fabric)
		return loom_fail(err, LOOM_EINPUT, "link \"sim\": which fabric? (--fabric cube:8)");
	int code = build(path, options, err);
	if (code)
		return code;
	struct sim *s = calloc(1, sizeof *s);
	if (!s)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a simulation");
	link->state = s;
	code = load(s, path, options, err);
	if (code)
		sim_close(link);
	return code;
}

// A word of a list: transfer `at`, word `word` of it.
struct cursor {
	size_t at, word;
};

static bool next_word(struct cursor *c, const struct loom_transfer *list, size_t n)
{
	while (c->at < n && c->word == list[c->at].n_words)
		*c = (struct cursor){c->at + 1, 0};
	return c->at < n;
}

static uint32_t address_of(const struct cursor *c, const struct loom_transfer *list)
{
	return list[c->at].address + (list[c->at].fixed ? 0 : (uint32_t)c->word);
}

// One word per cycle; the answers follow a fixed number of cycles later, in order. Time is counted in cycles of the chip:
// a simulation may be slow without being at fault.
static int sim_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                        struct loom_err *err)
{
	struct sim *s = link->state;
	struct cursor asked = {0}, answered = {0};
	(void)timeout_ms;
	for (unsigned idle = 0; next_word(&answered, list, n); idle++) {
		uint32_t data = 0;
		if (next_word(&asked, list, n)) {
			const struct loom_transfer *t = &list[asked.at];
			s->request(t->write != NULL, address_of(&asked, list), t->write ? t->write[asked.word] : 0);
			asked.word++;
		} else {
			s->release();
		}
		cycle(s);
		if (s->answer(&data)) {
			if (list[answered.at].read)
				list[answered.at].read[answered.word] = data;
			answered.word++;
			idle = 0;
		}
		if (idle > ANSWER_CYCLES) {
			s->release();
			return loom_fail(err, LOOM_ETIMEOUT,
			                 "the simulated chip does not answer a request at address 0x%08x",
			                 address_of(&answered, list));
		}
	}
	s->release();
	return 0;
}

static int sim_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct sim *s = link->state;
	(void)err;
	for (uint64_t i = 0; i < n_cycles; i++)
		cycle(s);
	return 0;
}

const struct loom_link_kind loom_link_sim = {
	.name = "sim",
	.argument = "",
	.help = "the RTL of the fabric, verilated on demand",
	.open = sim_open,
	.transfer = sim_transfer,
	.run = sim_run,
	.close = sim_close,
};
