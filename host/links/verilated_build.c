// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_build.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define WORDS_MOST (LOOM_RTL_WORDS + 8)
#define LOCK_FD 9            // in the script
#define SCARCE (64ull << 10) // bytes: a disk with no more counts as full, whatever a failed tool reports
#define OURS "model.sh: "    // begins a line that says why the script failed
#define PROGRESS "model "    // begins a line of progress

// The script's status. Any other means that it failed where it did not expect to.
enum { NOT_INPUT = 81, NO_TOOL, TOOL_FAILS, FULL_DISK, FULL_QUOTA, LARGE_FILE };

extern char **environ;

struct script {
	char path[PATH_MAX + 32], top[80], netlist[PATH_MAX + 16];
	const char *argv[WORDS_MOST];
	size_t n;
};

struct heard {
	char lines[2][64]; // the lines that are neither progress nor a complaint
	size_t n_lines;
	char complaint[512], first[120]; // its words about a failure; its first line of several words
	char step[160];                  // the last line of progress
	bool interrupted;
	int status; // as waitpid has it
};

static void word(struct script *s, const char *text)
{
	s->argv[s->n++] = text;
}

static int make_script(struct script *s, const char *action, const char *home, const struct loom_rtl *rtl,
                       const struct loom_link_options *options, struct loom_err *err)
{
	char netlist[PATH_MAX];
	*s = (struct script){0};
	if (rtl->netlist && !realpath(rtl->netlist, netlist))
		return loom_fail(err, LOOM_EINPUT, "cannot read %.200s", rtl->netlist);
	(void)snprintf(s->path, sizeof s->path, "%s/tools/model.sh", home);
	(void)snprintf(s->top, sizeof s->top, "top=%.60s", rtl->top);
	word(s, s->path);
	word(s, action);
	word(s, s->top);
	if (rtl->netlist) {
		(void)snprintf(s->netlist, sizeof s->netlist, "netlist=%s", netlist);
		word(s, s->netlist);
	}
	if (options && options->trace_file)
		word(s, "trace");
	if (options && options->coverage)
		word(s, "coverage");
	for (size_t i = 0; i < rtl->n_words; i++)
		word(s, rtl->words[i]);
	return 0;
}

// Starts a process group of its own, so that it can be ended as a whole, with the signal settings of a new program.
static int spawn(pid_t *child, const struct script *s, const char *folder, const int fds[3], struct loom_err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	char *argv[WORDS_MOST] = {0};
	memcpy(argv, s->argv, s->n * sizeof *argv); // posix_spawn's are not const, but left alone
	sigemptyset(&none);
	sigfillset(&usual);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawn_file_actions_adddup2(&actions, fds[0], 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
	posix_spawn_file_actions_adddup2(&actions, fds[1], 2);
	if (fds[2] >= 0)
		posix_spawn_file_actions_adddup2(&actions, fds[2], LOCK_FD);
	if (folder)
		posix_spawn_file_actions_addchdir_np(&actions, folder);
	int failed = posix_spawn(child, s->path, &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failed ? loom_fail(err, LOOM_ELINK, "cannot run %.200s: %s", s->path, strerror(failed)) : 0;
}

static void hear_line(struct heard *h, const char *line, const struct loom_rtl *rtl,
                      const struct loom_link_options *options)
{
	if (strncmp(line, OURS, strlen(OURS)) == 0) {
		if (!h->complaint[0]) // the first complaint is the most useful
			(void)snprintf(h->complaint, sizeof h->complaint, "%s", line + strlen(OURS));
	} else if (strncmp(line, PROGRESS, strlen(PROGRESS)) == 0) {
		(void)snprintf(h->step, sizeof h->step, "model of %.60s, %.80s", rtl->label, line + strlen(PROGRESS));
		if (options && options->progress)
			options->progress(options->user, h->step);
	} else if (strchr(line, ' ')) {
		if (!h->first[0])
			(void)snprintf(h->first, sizeof h->first, "%.119s", line);
	} else if (h->n_lines < 2) {
		(void)snprintf(h->lines[h->n_lines++], sizeof h->lines[0], "%.60s", line);
	}
}

// The signals that are held back, because their handlers interrupt system calls. Otherwise a signal between two reads
// would be handled before the second read, which would then not be interrupted. While one is pending, `fd` is
// readable.
struct held {
	sigset_t before;
	int fd; // -1: none is held back
};

// True for a signal that the program's own actions cause, and that cannot wait.
static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
	       number == SIGSYS;
}

static int hold(struct held *held, struct loom_err *err)
{
	sigset_t set;
	(void)pthread_sigmask(SIG_SETMASK, NULL, &held->before);
	sigemptyset(&set);
	for (int number = 1; number <= SIGRTMAX; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
		    action.sa_handler != SIG_IGN && !(action.sa_flags & SA_RESTART) && !is_fault(number) &&
		    sigismember(&held->before, number) == 0)
			sigaddset(&set, number);
	}
	held->fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (held->fd < 0)
		return loom_fail(err, LOOM_ELINK, "cannot wait for signals: %s", strerror(errno));
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	return 0;
}

// Handles a pending signal now.
static void let_go(struct held *held)
{
	if (held->fd < 0)
		return;
	close(held->fd);
	held->fd = -1;
	(void)pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

// Reports from time to time that the build goes on.
struct reminder {
	double begun_ms, next_ms;
	unsigned every_ms; // 0: never
};

static int time_left(const struct reminder *r)
{
	const double left = r->next_ms - loom_clock_ms();
	return r->every_ms == 0 ? -1 : left < 0 ? 0 : (int)left;
}

static void remind(struct reminder *r, const struct heard *h, const struct loom_link_options *options)
{
	char text[240];
	if (time_left(r) != 0)
		return;
	unsigned long s = (unsigned long)((loom_clock_ms() - r->begun_ms) / 1000);
	r->next_ms += r->every_ms;
	(void)snprintf(text, sizeof text, "%s (%lu:%02lu min)", h->step, s / 60, s % 60);
	if (h->step[0] && options && options->progress)
		options->progress(options->user, text);
}

// The purpose of one run of the script.
struct errand {
	const char *folder; // the folder in which it works; NULL: none
	int lock;           // the lock that it holds; -1: none
	const struct loom_rtl *rtl;
	const struct loom_link_options *options;
	unsigned remind_ms; // 0: never
};

// Listens until all processes that could write have ended. A signal closes the other pipe, which ends them.
static void hear(struct heard *h, int from, int *lifeline, struct held *held, const struct errand *e)
{
	char line[512], bytes[512];
	size_t length = 0;
	struct reminder reminder = {loom_clock_ms(), loom_clock_ms() + e->remind_ms, e->remind_ms};
	for (;;) {
		struct pollfd p[] = {{.fd = from, .events = POLLIN}, {.fd = held->fd, .events = POLLIN}};
		if (poll(p, 2, time_left(&reminder)) < 0 && errno != EINTR)
			return;
		remind(&reminder, h, e->options);
		if (p[1].revents) {
			h->interrupted = true;
			close(*lifeline);
			*lifeline = -1;
			let_go(held);
		}
		if (!p[0].revents)
			continue;
		ssize_t n = read(from, bytes, sizeof bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		for (ssize_t i = 0; i < n; i++) {
			if (bytes[i] != '\n') {
				if (length < sizeof line - 1)
					line[length++] = bytes[i];
				continue;
			}
			line[length] = '\0';
			hear_line(h, line, e->rtl, e->options);
			length = 0;
		}
	}
}

static int run(struct heard *h, const struct script *s, const struct errand *e, struct loom_err *err)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, code = 0;
	pid_t child;
	struct held held = {.fd = -1};
	*h = (struct heard){0};
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		code = loom_fail(err, LOOM_ELINK, "cannot make a pipe: %s", strerror(errno));
	const int fds[3] = {in[0], out[1], e->lock};
	if (code == 0)
		code = hold(&held, err);
	if (code == 0)
		code = spawn(&child, s, e->folder, fds, err);
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (code == 0) {
		hear(h, out[0], &in[1], &held, e);
		let_go(&held);
		while (waitpid(child, &h->status, 0) < 0 && errno == EINTR)
			;
	}
	let_go(&held);
	if (in[1] >= 0)
		close(in[1]);
	if (out[0] >= 0)
		close(out[0]);
	return code;
}

// -1: a signal ended it.
static int status_of(const struct heard *h)
{
	return WIFEXITED(h->status) ? WEXITSTATUS(h->status) : -1;
}

static bool succeeded(const struct heard *h)
{
	return !h->interrupted && status_of(h) == 0;
}

// Names the resource that the file system lacks, if that is why the script failed; else NULL.
static const char *short_of(const struct heard *h, const char *folder)
{
	struct statvfs s;
	switch (status_of(h)) {
	case LARGE_FILE: return "the limit of a file's size (ulimit -f)";
	case FULL_QUOTA: return "the quota";
	case FULL_DISK: return "the disk";
	case NO_TOOL: return NULL;
	default: break;
	}
	bool is_full = statvfs(folder, &s) == 0 && (unsigned long long)s.f_bavail * s.f_frsize <= SCARCE;
	return is_full ? "the disk" : NULL;
}

// Reports why the script failed, and the remedy.
static void put_cause(char out[400], const struct heard *h, const char *path)
{
	char said[160] = "";
	int status = status_of(h);
	if (h->first[0])
		(void)snprintf(said, sizeof said, "; it said \"%s\"", h->first);
	if (h->complaint[0])
		(void)snprintf(out, 400, "%.399s", h->complaint);
	else if (WIFSIGNALED(h->status))
		(void)snprintf(out, 400, "%.80s was ended by signal %d%s%s", path, WTERMSIG(h->status), said,
		               WTERMSIG(h->status) == SIGKILL ? "; if memory ran out, end other programs"
		                                              : "; try again");
	else if (status)
		(void)snprintf(out, 400, "%.80s ended with status %d%s; the tools that it needs must be in PATH", path,
		               status, said);
	else
		(void)snprintf(
			out, 400,
			"%.80s gives no two hashes%s; the tools that it needs must be in PATH, and FLITLOOM_HOME be "
			"of this flitloom",
			path, said);
}

static int explain(const struct heard *h, const struct script *s, const char *folder, const struct loom_rtl *rtl,
                   struct loom_err *err)
{
	char said[400];
	const char *what;
	put_cause(said, h, s->path);
	if (h->interrupted)
		return loom_fail(err, LOOM_ELINK, "interrupted while the model of %s was built", rtl->label);
	if (status_of(h) == NOT_INPUT)
		return loom_fail(err, LOOM_EINPUT, "%.300s", said);
	if (folder && (what = short_of(h, folder))) {
		const char *slash = strrchr(folder, '/'); // within the cache
		return loom_fail(err, LOOM_EFILE,
		                 "no space left on %.*s for the model of %s: %s is used up (%.100s); FLITLOOM_CACHE "
		                 "names another folder",
		                 slash ? (int)(slash - folder > 120 ? 120 : slash - folder) : 0, folder, rtl->label,
		                 what, said);
	}
	return loom_fail(err, LOOM_ELINK, "no model of %s: %.330s", rtl->label, said);
}

int loom_verilated_key(struct loom_verilated_key *out, const char *home, const struct loom_rtl *rtl,
                       const struct loom_link_options *options, struct loom_err *err)
{
	struct script s;
	struct heard h;
	int code = make_script(&s, "key", home, rtl, options, err);
	if (code == 0)
		code = run(&h, &s, &(struct errand){.lock = -1, .rtl = rtl, .options = options}, err);
	if (code)
		return code;
	if (!succeeded(&h) || h.n_lines != 2 || strlen(h.lines[0]) >= sizeof out->sources ||
	    strlen(h.lines[1]) >= sizeof out->tools)
		return explain(&h, &s, NULL, rtl, err);
	*out = (struct loom_verilated_key){0};
	(void)snprintf(out->sources, sizeof out->sources, "%.19s", h.lines[0]);
	(void)snprintf(out->tools, sizeof out->tools, "%.11s", h.lines[1]);
	(void)snprintf(out->missing, sizeof out->missing, "%.199s", h.complaint);
	return 0;
}

int loom_verilated_build(const char *home, const char *folder, int lock, const struct loom_rtl *rtl,
                         const struct loom_link_options *options, unsigned remind_ms, struct loom_err *err)
{
	struct script s;
	struct heard h;
	int code = make_script(&s, "build", home, rtl, options, err);
	if (code == 0)
		code = run(&h, &s, &(struct errand){folder, lock, rtl, options, remind_ms}, err);
	return code == 0 && !succeeded(&h) ? explain(&h, &s, folder, rtl, err) : code;
}
