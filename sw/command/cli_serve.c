// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom serve: a simulated board behind a pseudo-terminal or a socket, until a signal ends it.
#include <asm/termbits.h> // termios2 takes any baud rate; <termios.h> would clash with it
#include <errno.h>
#include <fcntl.h>
#include <libgen.h> // dirname
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <flitloom/link.h>
#include <flitloom/link/pipe.h>
#include <flitloom/topo.h>

#include "base/clock.h"
#include "cli.h"
#include "cli_session.h"
#include "cli_terminal.h"

#define SLICE_US 500       // of the board's time, between two checks of the client
#define QUIET_MS 200       // without a byte in either direction: no client talks, and no request is under way
#define QUIET_WAIT_MS 20   // the board then runs a slice only this often
#define FULL_WAIT_MS 10    // if a client does not read
#define BUFFER_BYTES 4096u // in each direction

struct server {
	struct loom_pipe pipe;
	struct cli_waveform waveform;
	int signals, listener, client, slave; // -1: there is none
	bool socket_made, ended;              // ended: the client sends no more, but may still read
	unsigned baud;                        // of the pseudo-terminal
	const char *path;
	size_t n_in, n_out;
	uint8_t in[BUFFER_BYTES], out[BUFFER_BYTES]; // from the client, to it
	double heard_ms;
};

// --- Opening -------------------------------------------------------------------------------------------------------

// A fabric's name means that fabric behind the link sim-uart; any other word must be a link over a line of bytes.
static int open_pipe(struct server *s, const struct cli_request *request, struct loom_err *err)
{
	struct loom_topo topo = {0};
	struct cli_progress progress;
	struct loom_err ignored;
	const struct loom_link_kind *kind = NULL;
	const char *word = request->words[0], *argument = "";
	bool is_link = loom_link_find(&kind, &argument, word, NULL, &ignored) == 0;
	int rc = is_link ? 0 : loom_topo_parse(&topo, word, err);
	if (rc == 0 && !is_link)
		rc = loom_link_find(&kind, &argument, "sim-uart", NULL, err);
	if (rc != 0)
		return rc;
	if (!kind->pipe) {
		loom_topo_free(&topo);
		return loom_fail(err, LOOM_EINPUT,
		                 "serve: %s carries no bytes; serve a fabric, such as cube:2, or sim-uart:...",
		                 kind->name);
	}
	cli_progress_init(&progress, request);
	rc = cli_waveform_begin(&s->waveform, request->trace, err);
	if (rc != 0) {
		loom_topo_free(&topo);
		return rc;
	}
	const struct loom_link_options options = {.fabric = is_link ? NULL : topo.name,
	                                          .topo = is_link ? NULL : &topo,
	                                          .trace_file = s->waveform.temporary,
	                                          .progress = cli_progress_model,
	                                          .user = &progress};
	rc = kind->pipe(&s->pipe, argument, &options, err);
	cli_progress_end(&progress);
	loom_topo_free(&topo);
	return rc;
}

static int open_pty(struct server *s, struct loom_err *err)
{
	struct termios2 t;
	s->client = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (s->client < 0 || grantpt(s->client) != 0 || unlockpt(s->client) != 0)
		return loom_fail(err, LOOM_ELINK, "no pseudo-terminal: %s", strerror(errno));
	s->path = ptsname(s->client);
	s->slave = open(s->path, O_RDWR | O_NOCTTY | O_CLOEXEC); // kept open, so that programs may come and go
	if (s->slave < 0 || ioctl(s->slave, TCGETS2, &t) != 0)
		return loom_fail(err, LOOM_ELINK, "cannot open %s: %s", s->path, strerror(errno));
	// Raw, at the board's rate.
	s->baud = (unsigned)(s->pipe.bytes_per_s * 10 + 0.5);
	t.c_iflag = t.c_oflag = t.c_lflag = 0;
	t.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
	t.c_ispeed = t.c_ospeed = s->baud;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	if (ioctl(s->slave, TCSETS2, &t) != 0)
		return loom_fail(err, LOOM_ELINK, "cannot set up %s: %s", s->path, strerror(errno));
	return 0;
}

// Follows the rate that a program sets for the pseudo-terminal. If it is another rate than that of the board, the
// program gets the garbage that it would get from a real board.
static void follow_baud(struct server *s)
{
	struct termios2 t;
	if (s->slave < 0 || !s->pipe.kind->set_baud || ioctl(s->slave, TCGETS2, &t) != 0 || t.c_ospeed == s->baud ||
	    t.c_ospeed == 0)
		return;
	s->baud = t.c_ospeed;
	s->pipe.kind->set_baud(&s->pipe, s->baud);
}

// Checks the socket before a model is built, which may take minutes.
static int check_socket(const char *path, struct loom_err *err)
{
	struct sockaddr_un address;
	struct stat it;
	char folder[sizeof address.sun_path];
	if (!*path)
		return loom_fail(err, LOOM_EINPUT, "a socket needs a name; \"pty\" is a pseudo-terminal");
	if (strlen(path) >= sizeof address.sun_path)
		return loom_fail(err, LOOM_EINPUT, "the name of a socket has at most %zu characters, not %zu: %.100s",
		                 sizeof address.sun_path - 1, strlen(path), path);
	if (lstat(path, &it) == 0 && !S_ISSOCK(it.st_mode))
		return loom_fail(err, LOOM_EFILE, "%.200s exists and is no socket", path);
	(void)snprintf(folder, sizeof folder, "%s", path);
	if (access(dirname(folder), W_OK | X_OK) != 0)
		return loom_fail(err, LOOM_EFILE, "cannot make the socket %.200s: %s", path, strerror(errno));
	return 0;
}

static int open_socket(struct server *s, const char *path, struct loom_err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), rc = 0;
	if (s->listener < 0 || probe < 0)
		rc = loom_fail(err, LOOM_ELINK, "no socket: %s", strerror(errno));
	else if (connect(probe, (const struct sockaddr *)&address, sizeof address) == 0 || errno == EAGAIN)
		rc = loom_fail(err, LOOM_EFILE, "%.200s is in use by another program", path);
	else if (errno == ECONNREFUSED) // left behind
		(void)unlink(path);
	if (probe >= 0)
		close(probe);
	if (rc != 0)
		return rc;
	if (bind(s->listener, (const struct sockaddr *)&address, sizeof address) != 0)
		return loom_fail(err, LOOM_EFILE, "cannot make the socket %.200s: %s", path, strerror(errno));
	s->socket_made = true;
	s->path = path;
	if (listen(s->listener, 1) != 0)
		return loom_fail(err, LOOM_ELINK, "cannot listen on %.200s: %s", path, strerror(errno));
	return 0;
}

static int open_signals(struct server *s, struct loom_err *err)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	s->signals = sigprocmask(SIG_BLOCK, &set, NULL) == 0 ? signalfd(-1, &set, SFD_CLOEXEC) : -1;
	return s->signals >= 0 ? 0 : loom_fail(err, LOOM_EINTERNAL, "no signalfd: %s", strerror(errno));
}

static void close_server(struct server *s)
{
	if (s->pipe.kind)
		s->pipe.kind->close(&s->pipe);
	const int fds[] = {s->signals, s->listener, s->client, s->slave};
	for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (s->socket_made)
		(void)unlink(s->path);
}

// --- Serving -------------------------------------------------------------------------------------------------------

static void drop_client(struct server *s)
{
	close(s->client);
	s->client = -1;
	s->ended = false;
	s->n_in = s->n_out = 0;
	if (s->pipe.kind->discard)
		s->pipe.kind->discard(&s->pipe);
}

// Takes what the client sends, and gives it answers. The client of a pseudo-terminal comes back. A socket's client may
// stop sending and still read: it is disconnected when nothing has come for it for a while, so that none of its answers
// is left for the next client.
static void talk(struct server *s)
{
	if (s->client < 0)
		return;
	ssize_t n = 0;
	if (!s->ended && s->n_in < BUFFER_BYTES) {
		n = read(s->client, s->in + s->n_in, BUFFER_BYTES - s->n_in);
		s->ended = s->listener >= 0 && (n == 0 || (n < 0 && errno != EAGAIN));
	}
	if (n > 0) {
		s->n_in += (size_t)n;
		s->heard_ms = loom_clock_ms();
	}
	n = s->n_out ? write(s->client, s->out, s->n_out) : 0;
	if (n < 0 && s->listener >= 0 && errno != EAGAIN) { // it reads no more either
		s->ended = true;
		n = (ssize_t)s->n_out;
	}
	if (n > 0) {
		s->n_out -= (size_t)n;
		memmove(s->out, s->out + n, s->n_out);
		s->heard_ms = loom_clock_ms();
	}
	if (s->ended && s->n_in == 0 && s->n_out == 0 && loom_clock_ms() - s->heard_ms > QUIET_MS)
		drop_client(s);
}

static int exchange(struct server *s, struct loom_err *err)
{
	struct loom_pipe_bytes both = {
		.out = s->in, .n_out = s->n_in, .in = s->out + s->n_out, .in_room = BUFFER_BYTES - s->n_out};
	int rc = s->pipe.kind->exchange(&s->pipe, &both, 0, err);
	s->n_in -= both.n_sent;
	memmove(s->in, s->in + both.n_sent, s->n_in);
	s->n_out += both.n_came;
	if (both.n_came)
		s->heard_ms = loom_clock_ms();
	if (rc != 0 || both.n_came)
		return rc;
	struct loom_pipe_bytes inward = {.in = s->out + s->n_out, .in_room = BUFFER_BYTES - s->n_out};
	rc = s->pipe.kind->exchange(&s->pipe, &inward, SLICE_US, err);
	s->n_out += inward.n_came;
	if (inward.n_came)
		s->heard_ms = loom_clock_ms();
	return rc;
}

static int serve(struct server *s, struct loom_err *err)
{
	s->heard_ms = loom_clock_ms();
	for (;;) {
		bool quiet = loom_clock_ms() - s->heard_ms > QUIET_MS && s->n_in == 0 && s->n_out == 0;
		int fd = s->client >= 0 ? s->client : s->listener;
		struct pollfd p[] = {{.fd = s->signals, .events = POLLIN},
		                     {.fd = fd, .events = (short)((s->ended ? 0 : POLLIN) | (s->n_out ? POLLOUT : 0))}};
		if (poll(p, 2,
		         s->n_out == BUFFER_BYTES ? FULL_WAIT_MS
		         : quiet                  ? QUIET_WAIT_MS
		                                  : 0) < 0 &&
		    errno != EINTR)
			return loom_fail(err, LOOM_EINTERNAL, "poll: %s", strerror(errno));
		if (p[0].revents)
			return 0;
		if (s->client < 0 && p[1].revents)
			s->client = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		follow_baud(s);
		talk(s);
		int rc = exchange(s, err);
		if (rc != 0)
			return rc;
		talk(s);
	}
}

int cli_serve(const struct cli_request *request, struct loom_err *err)
{
	const char *where = request->n_words > 1 ? request->words[1] : "pty";
	struct server *s = calloc(1, sizeof *s);
	if (!s)
		return loom_fail(err, LOOM_ENOMEM, "no memory to serve");
	s->signals = s->listener = s->client = s->slave = -1;
	int rc = cli_check_outputs(request, err);
	if (rc == 0 && strcmp(where, "pty") != 0)
		rc = check_socket(where, err);
	if (rc == 0)
		rc = open_pipe(s, request, err);
	if (rc == 0)
		rc = open_signals(s, err);
	if (rc == 0)
		rc = strcmp(where, "pty") == 0 ? open_pty(s, err) : open_socket(s, where, err);
	if (rc == 0) {
		(void)puts(s->path);
		rc = cli_flush(err);
	}
	bool served = rc == 0;
	if (served)
		rc = serve(s, err);
	struct loom_err late;
	close_server(s);
	int closed = cli_waveform_end(&s->waveform, served, rc == 0 ? err : &late);
	free(s);
	return rc == 0 ? closed : rc;
}
