// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LINK_H
#define LOOM_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/link/chip.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// A link to a chip's register port. It transfers words at word addresses, and every call has a time-out. A link knows
// no fabric.
struct loom_link {
	const struct loom_link_kind *kind;
	void *state;         // the kind's own
	unsigned timeout_ms; // the time-out that its user passes to transfer
};

// A transfer of words to or from consecutive addresses, or all to or from one address. Exactly one of write and read
// is set.
struct loom_transfer {
	uint32_t address;
	size_t n_words;
	const uint32_t *write; // the words to write
	uint32_t *read;        // where the words read go
	bool fixed;            // every word to or from `address`
};

#define LOOM_LINK_TIMEOUT_MS 2000u

// Options for opening a link.
struct loom_link_options {
	const char *fabric; // "cube:8": the fabric of the model that a simulated link builds; other links ignore it
	const struct loom_topo *topo; // the fabric itself, instead of its name; NULL: the name
	const char *trace_file;       // FST waveform of a simulated link, or NULL
	// the first cycle of the run in the waveform, from 1; 0 with trace_cycles 0: the whole run
	uint64_t trace_from;
	uint64_t trace_cycles; // cycles in the waveform; 0: to the end of the run
	bool failing;          // links of the link sim can fail during a run (flitloom/routes/failures.h)
	// routers of the link sim choose among links by the turns of `topo` (flitloom/routes/forbidden_turns.h)
	bool turns;
	bool adaptive;       // routers of the link sim choose among lanes (flitloom/routes/choice.h)
	bool via;            // routers of the link sim send messages through a node (flitloom/routes/via.h)
	bool coverage;       // a simulated link writes RTL coverage beside its model when it is closed
	unsigned timeout_ms; // becomes that of the link; 0: LOOM_LINK_TIMEOUT_MS
	// Called with one line of text when something takes more than a second; may be NULL.
	void (*progress)(void *user, const char *text);
	void *user;
	// The caller's own kinds of links, ended by NULL, or NULL. Their names come before flitloom's.
	const struct loom_link_kind *const *kinds;
};

// Counts of what a line has carried since it was opened, and of its faults.
struct loom_link_stats {
	uint64_t frames, repeated;    // frames sent, and how many of them were repetitions
	uint64_t damaged, refused;    // answers that came damaged; frames that the board refused
	uint64_t bytes_out, bytes_in; // bytes on the line
	uint64_t words_out, words_in; // words written, words read
	double round_trip_us;         // smoothed
	uint64_t now_us;              // time; a simulated line has a clock of its own
};

struct loom_pipe;
struct loom_stream;

// A kind of link: how it is opened, used and closed.
struct loom_link_kind {
	const char *name;     // "sim"
	const char *argument; // the text after the colon, for help: "" or "DEV"
	const char *help;
	// Sets link->state. On failure nothing is left open: close is not called. `options` may be NULL.
	int (*open)(struct loom_link *link, const char *argument, const struct loom_link_options *options,
	            struct loom_err *err);
	// Carries out n transfers, in this order: a read sees what was written before it. LOOM_ETIMEOUT: no word came
	// through for timeout_ms. LOOM_ELINK: the link is lost. After a failure some of the writes may have been
	// carried out, and the words read are undefined.
	int (*transfer)(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
	                struct loom_err *err);
	// Lets the chip run for about n_cycles (a simulation clocks it; a board runs by itself).
	int (*run)(struct loom_link *link, uint64_t n_cycles, struct loom_err *err);
	void (*close)(struct loom_link *link);
	// Runs the chip for n_cycles; meanwhile it feeds the nodes' programs and reads their logs
	// (flitloom/link/stream.h). NULL: the chips behind such links have no stream ports.
	int (*stream)(struct loom_link *link, struct loom_stream *stream, uint64_t n_cycles, struct loom_err *err);
	// Only for links over a line of bytes; both are NULL for other links. `pipe` opens the line alone, so that a
	// caller can wrap it.
	void (*stats)(struct loom_link *link, struct loom_link_stats *out);
	int (*pipe)(struct loom_pipe *out, const char *argument, const struct loom_link_options *options,
	            struct loom_err *err);
	// Describes the chip that a simulated link will have, before its model is built. It is called before open,
	// with the same argument. NULL: the chip is not known before the link is open.
	int (*expect)(struct loom_chip *out, const char *argument, const struct loom_link_options *options,
	              struct loom_err *err);
};

// Opens a link: "sim", "uart:/dev/ttyUSB1". LOOM_EINPUT: unknown kind. Close it with loom_link_close.
int loom_link_open(struct loom_link *out, const char *spec, const struct loom_link_options *options,
                   struct loom_err *err);
// Describes the chip that will be behind the link, before anything is opened or built. *out is zeroed (its kind is 0)
// if the chip is known only after opening.
int loom_link_expect(struct loom_chip *out, const char *spec, const struct loom_link_options *options,
                     struct loom_err *err);
// Make one transfer of n_words consecutive words.
int loom_link_read(struct loom_link *link, uint32_t address, uint32_t *out, size_t n_words, unsigned timeout_ms,
                   struct loom_err *err);
int loom_link_write(struct loom_link *link, uint32_t address, const uint32_t *words, size_t n_words,
                    unsigned timeout_ms, struct loom_err *err);
// Closes a link.
void loom_link_close(struct loom_link *link); // allowed twice, and on a zeroed link
// Finds the kind that a spec names, and the text after its colon. `options` (NULL allowed) may bring kinds of the
// caller's own. LOOM_EINPUT: unknown kind.
int loom_link_find(const struct loom_link_kind **out, const char **argument, const char *spec,
                   const struct loom_link_options *options, struct loom_err *err);
const struct loom_link_kind *loom_link_kind_at(size_t i); // flitloom's own kinds; NULL after the last

LOOM_API_END

#endif
