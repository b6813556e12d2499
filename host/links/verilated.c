// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "links/verilated_cache.h"

// Makes a file in memory with the bytes of a file; -1 and errno.
static int copy_of(int from)
{
	struct stat s;
	off_t at = 0;
	int to = memfd_create("flitloom-model", MFD_CLOEXEC);
	ssize_t n = to >= 0 && fstat(from, &s) == 0 ? 1 : -1;
	while (n > 0)
		n = sendfile(to, from, &at, 1 << 20);
	int failed = errno;
	if (n < 0 && to >= 0)
		close(to);
	errno = failed;
	return n < 0 ? -1 : to;
}

// For one file, the loader gives all callers the same object, with one state. So each model is a copy.
static int load_object(struct loom_verilated *m, const struct loom_verilated_found *found, struct loom_err *err)
{
	char name[40];
	void *other;
	m->copy = copy_of(found->fd) + 1;
	if (!m->copy)
		return loom_fail(err, LOOM_ELINK, "cannot copy the model %.200s: %s", found->path, strerror(errno));
	// It compares names as well as files: an object that could not be unloaded keeps its name.
	for (;;) {
		(void)snprintf(name, sizeof name, "/proc/self/fd/%d", m->copy - 1);
		if (!(other = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)))
			break;
		dlclose(other);
		int next = fcntl(m->copy - 1, F_DUPFD_CLOEXEC, m->copy);
		if (next < 0)
			return loom_fail(err, LOOM_ELINK, "cannot load the model: %s", strerror(errno));
		close(m->copy - 1);
		m->copy = next + 1;
	}
	m->object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!m->object)
		return loom_fail(err, LOOM_ELINK, "cannot load the model: %.200s; remove %.200s, and it is built anew",
		                 dlerror(), found->path);
	return 0;
}

// ISO C knows no cast from void * to a function.
void loom_verilated_symbol(const struct loom_verilated *model, const char *name, void (**out)(void),
                           const char **missing)
{
	void *p = dlsym(model->object, name);
	if (!p && !*missing)
		*missing = name;
	memcpy(out, &p, sizeof p);
}

int loom_verilated_fail_symbol(const char *missing, struct loom_err *err)
{
	return loom_fail(
		err, LOOM_ELINK,
		"the model lacks %s: another flitloom built it; remove it from the cache, and it is built anew",
		missing);
}

// --- The cycles that a waveform is to have

// Gives the model a window, as the options ask for one. LOOM_ELINK, LOOM_EINPUT, LOOM_ENOMEM: the model has none.
static int make_window(struct loom_verilated *model, const char *top, const struct loom_link_options *options,
                       struct loom_err *err)
{
	const char *missing = NULL;
	bool (*ends)(void *scope, void *chip) = NULL;
	if (strcmp(top, "sim_pins") == 0)
		return loom_fail(
			err, LOOM_EINPUT,
			"--trace-from, --trace-cycles: a board's model does not report the cycles of a run; link sim "
			"does");
	struct loom_verilated_window *w = calloc(1, sizeof *w);
	if (!w)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a waveform");
	w->from = options->trace_from;
	w->n_cycles = options->trace_cycles;
	w->file = options->trace_file;
	LOOM_VERILATED_SYMBOL(model, "loom_sim_trace_end", w->end, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_trace_ends", ends, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_trace", w->begin, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_run_cycle", w->run_cycle, &missing);
	if (missing) {
		int code = loom_verilated_fail_symbol(missing, err);
		free(w);
		return code;
	}
	if (w->n_cycles && !ends(model->scope, model->chip)) {
		free(w);
		return loom_fail(
			err, LOOM_ELINK,
			"--trace-cycles: no waveform can be closed before the end of the run by the Verilator that "
			"built this model; versions 5.006, 5.032 and 5.048 can");
	}
	model->window = w;
	return 0;
}

void loom_verilated_window_step(struct loom_verilated *m)
{
	struct loom_verilated_window *w = m->window;
	uint64_t now = w->run_cycle();
	if (w->state == LOOM_WINDOW_AHEAD && now >= w->from) {
		w->begin(w->file);
		w->state = LOOM_WINDOW_OPEN;
		m->seq_update(m->chip, 1); // the same state again, now recorded
	}
	if (w->state == LOOM_WINDOW_OPEN && w->n_cycles && now - w->from >= w->n_cycles) {
		w->end(m->scope);
		w->state = LOOM_WINDOW_OVER;
	}
}

static void free_window(struct loom_verilated *m)
{
	free(m->window);
	m->window = NULL;
}

// --- The model

static int load(struct loom_verilated *m, const struct loom_verilated_found *found, const char *top,
                const struct loom_link_options *options, struct loom_err *err)
{
	const char *missing = NULL;
	void *(*create)(const char *scope) = NULL;
	void (*combo_update)(void *chip) = NULL;
	void *(*scope_from_name)(const char *name) = NULL;
	void (*trace_on)(void) = NULL;
	void (*trace)(const char *file) = NULL;
	const char *trace_file = options ? options->trace_file : NULL;
	bool cover = options && options->coverage;
	char name[80];

	int code = load_object(m, found, err);
	if (code)
		return code;
#define SYMBOL(name, where) LOOM_VERILATED_SYMBOL(m, name, where, &missing)
	SYMBOL("loomsim_protectlib_create", create);
	SYMBOL("loomsim_protectlib_combo_update", combo_update);
	SYMBOL("loomsim_protectlib_seq_update", m->seq_update);
	SYMBOL("loomsim_protectlib_final", m->final);
	SYMBOL("svGetScopeFromName", scope_from_name);
	SYMBOL("svSetScope", m->set_scope);
	SYMBOL("loom_sim_time", m->half_cycles);
	if (trace_file) {
		SYMBOL("loom_sim_trace", trace);
		SYMBOL("loom_sim_trace_on", trace_on);
	}
	if (cover)
		SYMBOL("loom_sim_cover", m->cover);
#undef SYMBOL
	if (missing)
		return loom_verilated_fail_symbol(missing, err);

	if (trace_file)
		trace_on();
	// Verilator starts a thread here, which must not receive the program's signals.
	sigset_t all, before;
	sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	m->chip = create("loom");
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	combo_update(m->chip); // initial blocks; the scopes exist from here on
	(void)snprintf(name, sizeof name, "loom.%.60s", top);
	m->scope = scope_from_name(name);
	if (!m->scope)
		return loom_fail(err, LOOM_ELINK, "the model has no scope %s", name);
	loom_verilated_enter(m);
	if (trace_file && (options->trace_from || options->trace_cycles)) {
		code = make_window(m, top, options, err);
		if (code)
			return code;
	} else if (trace_file) {
		trace(trace_file);
	}
	if (cover)
		(void)snprintf(m->coverage_file, sizeof m->coverage_file, "%.4000s.%ld.cov", found->path,
		               (long)getpid());
	return 0;
}

void loom_verilated_close(struct loom_verilated *m)
{
	if (m->coverage_file[0])
		m->cover(m->coverage_file);
	if (m->chip)
		m->final(m->chip); // closes the waveform
	free_window(m);
	if (m->object)
		dlclose(m->object);
	if (m->copy)
		close(m->copy - 1);
	*m = (struct loom_verilated){0};
}

int loom_verilated_open(struct loom_verilated *out, const struct loom_rtl *rtl, const struct loom_link_options *options,
                        struct loom_err *err)
{
	struct loom_verilated_found found;
	int code = loom_verilated_find(&found, rtl, options, err);
	if (code)
		return code;
	struct loom_verilated m = {0};
	code = load(&m, &found, rtl->top, options, err);
	close(found.fd);
	if (code)
		loom_verilated_close(&m);
	else
		*out = m;
	return code;
}
