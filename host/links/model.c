// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/model.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST 8

extern char **environ;

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
static int build(char out[PATH_MAX], const char *const *words, const struct loom_link_options *options,
                 struct loom_err *err)
{
	char home[PATH_MAX], script[PATH_MAX + 32], line[512], last[512] = "";
	char *argv[WORDS_MOST + 4] = {script};
	size_t n = 1;
	int to_out[2] = {-1, -1}, to_err[2] = {-1, -1}, code = 0, status = 0;
	pid_t child = 0;
	posix_spawn_file_actions_t actions;
	if ((code = find_home(home, err)) != 0)
		return code;
	(void)snprintf(script, sizeof script, "%s/tools/model.sh", home);
	for (; words[n - 1] && n <= WORDS_MOST; n++)
		argv[n] = strdup(words[n - 1]); // posix_spawn's are not const
	if (options && options->trace_file)
		argv[n++] = strdup("trace");
	if (options && options->coverage)
		argv[n++] = strdup("coverage");
	for (size_t i = 1; i < n; i++)
		if (!argv[i])
			code = loom_fail(err, LOOM_ENOMEM, "no memory to run %.200s", script);
	if (code)
		goto out;

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
			if (options && options->progress && strncmp(line, "model ", 6) == 0)
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
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2 && strncmp(last, "model.sh: ", 10) == 0)
		code = loom_fail(err, LOOM_EINPUT, "%.400s", last + 10);
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !out[0])
		code = loom_fail(err, LOOM_ELINK, "no model of %.200s: %.300s", words[0],
		                 strncmp(last, "model.sh: ", 10) == 0 ? last + 10 : "tools/model.sh failed");
out:
	for (int i = 0; i < 2; i++) {
		if (to_out[i] >= 0)
			close(to_out[i]);
		if (to_err[i] >= 0)
			close(to_err[i]);
	}
	for (size_t i = 1; i < n; i++)
		free(argv[i]);
	return code;
}

// A few functions of Verilator's run-time can be reached from C only by their mangled names; these are 5.006's.
#define VL_CONTEXT "_ZN9Verilated14threadContextpEv"
#define VL_TRACE_EVER_ON "_ZN16VerilatedContext14calcUnusedSigsEb"
#define VL_COVERAGE "_ZN16VerilatedContext9coveragepEv"
#define VL_COVERAGE_WRITE "_ZN19VerilatedCovContext5writeEPKc"

// ISO C knows no cast from void * to a function.
void loom_model_symbol(const struct loom_model *model, const char *name, void (**out)(void), const char **missing)
{
	void *p = dlsym(model->object, name);
	if (!p && !*missing)
		*missing = name;
	memcpy(out, &p, sizeof p);
}

int loom_model_fail_symbol(const char *missing, struct loom_err *err)
{
	return loom_fail(err, LOOM_ELINK, "the model lacks %s: it needs Verilator 5.006, or host/links the new name",
	                 missing);
}

static int load(struct loom_model *m, const char *path, const char *top, const struct loom_link_options *options,
                struct loom_err *err)
{
	const char *missing = NULL;
	void *(*create)(const char *scope) = NULL;
	void (*combo_update)(void *chip) = NULL;
	void *(*scope_from_name)(const char *name) = NULL;
	void *(*set_scope)(void *scope) = NULL;
	void *(*context)(void) = NULL;
	void (*trace_ever_on)(void *context, bool on) = NULL;
	void *(*coverage)(void *context) = NULL;
	void (*trace)(const char *file) = NULL;
	const char *trace_file = options ? options->trace_file : NULL;
	bool cover = options && options->coverage;
	char name[80];

	m->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!m->object)
		return loom_fail(err, LOOM_ELINK,
		                 "cannot load the model: %.300s; remove that file, and it is built anew", dlerror());
#define SYMBOL(name, where) LOOM_MODEL_SYMBOL(m, name, where, &missing)
	SYMBOL("loomsim_protectlib_create", create);
	SYMBOL("loomsim_protectlib_combo_update", combo_update);
	SYMBOL("loomsim_protectlib_seq_update", m->seq_update);
	SYMBOL("loomsim_protectlib_final", m->final);
	SYMBOL("svGetScopeFromName", scope_from_name);
	SYMBOL("svSetScope", set_scope);
	SYMBOL("loom_sim_time", m->half_cycles);
	if (trace_file) {
		SYMBOL("loom_sim_trace", trace);
		SYMBOL(VL_TRACE_EVER_ON, trace_ever_on);
	}
	if (trace_file || cover)
		SYMBOL(VL_CONTEXT, context);
	if (cover) {
		SYMBOL(VL_COVERAGE, coverage);
		SYMBOL(VL_COVERAGE_WRITE, m->write_coverage);
	}
#undef SYMBOL
	if (missing)
		return loom_model_fail_symbol(missing, err);

	if (trace_file)
		trace_ever_on(context(), true);
	// Verilator starts a thread here: the program's signals are none of its business.
	sigset_t all, before;
	sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	m->chip = create("loom");
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	combo_update(m->chip); // initial blocks; the scopes exist from here on
	(void)snprintf(name, sizeof name, "loom.%.60s", top);
	void *scope = scope_from_name(name);
	if (!scope)
		return loom_fail(err, LOOM_ELINK, "the model has no scope %s", name);
	set_scope(scope);
	if (trace_file)
		trace(trace_file);
	if (cover) {
		m->coverage = coverage(context());
		(void)snprintf(m->coverage_file, sizeof m->coverage_file, "%.4000s.%ld.cov", path, (long)getpid());
	}
	return 0;
}

void loom_model_close(struct loom_model *m)
{
	if (m->coverage)
		m->write_coverage(m->coverage, m->coverage_file);
	if (m->chip)
		m->final(m->chip); // closes the waveform
	if (m->object)
		dlclose(m->object);
	*m = (struct loom_model){0};
}

int loom_model_open(struct loom_model *out, const char *const *words, const char *top,
                    const struct loom_link_options *options, struct loom_err *err)
{
	char path[PATH_MAX];
	int code = build(path, words, options, err);
	if (code)
		return code;
	struct loom_model m = {0};
	code = load(&m, path, top, options, err);
	if (code)
		loom_model_close(&m);
	else
		*out = m;
	return code;
}
