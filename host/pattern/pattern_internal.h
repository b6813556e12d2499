// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PATTERN_INTERNAL_H
#define LOOM_PATTERN_INTERNAL_H

// Declarations that the files of this folder share; besides these only their tests include them.

#include <stdbool.h>

#include <flitloom/pattern.h>

#define LOOM_PATTERN_BITS_MAX 20 // the most address bits of processors in a pattern that lists messages
_Static_assert(LOOM_NODES_MAX <= 1 << LOOM_PATTERN_BITS_MAX, "address bits of the largest pattern");

#define LOOM_SET_MAX 4096                       // members of a set
#define LOOM_LCC_TEXT_MAX (1u << 20)            // bytes of one LCC as JSON; in memory JSON takes some 80 times the text
#define LOOM_SET_TEXT_MAX (2u << 20)            // bytes of a set
#define LOOM_PATTERN_FILE_MAX ((size_t)1 << 30) // bytes of any file that is no pipe

// A request to a maker. `argument` is the text after the colon: NULL for a pattern without an argument, else not
// empty.
struct loom_pattern_request {
	const char *spec, *argument;
	uint32_t n_nodes; // 1 .. LOOM_NODES_MAX; with n_bits 0
	unsigned n_bits;  // not 0: the request is for the matrices only, for 2^n_bits processors
	unsigned n_dims;  // the shape: at least one extent, of product n_nodes
	const uint32_t *extent;
	const struct loom_pattern_options *options;
	const struct loom_pattern_row *row;
};

// The source of a named pattern's address bit: bit i of the destination (scatter: of the source) is this bit of the
// other, or 0 if it is n.
typedef unsigned loom_bit_rule(unsigned i, unsigned n);
// the half of the bits that b complements
enum loom_flip { LOOM_FLIP_NONE, LOOM_FLIP_LOW, LOOM_FLIP_HIGH, LOOM_FLIP_ALL };

struct loom_pattern_row {
	const char *name;
	const char *argument; // its name in the help; NULL: the pattern has none
	const char *text;
	int (*make)(struct loom_pattern *out, const struct loom_pattern_request *request, struct loom_err *err);
	// For patterns made from a rule on the address bits only:
	loom_bit_rule *bit;
	enum loom_flip flip;
	unsigned multiple; // the number of address bits is a multiple of it

	bool optional;     // the argument may be left out
	bool linear;       // made from matrices (make_from_lccs) if the number of processors is a power of two
	const char *alone; // the meaning of the name without an argument in other simulators; NULL: none
};
// The end of a row, after the text, for a pattern made by a function; and if its argument may be left out.
#define MAKER(make) make, NULL, LOOM_FLIP_NONE, 1, false, false, NULL
#define MAKER_WITHOUT_ARGUMENT_TOO(make) make, NULL, LOOM_FLIP_NONE, 1, true, false, NULL
#define LINEAR_MAKER(make) make, NULL, LOOM_FLIP_NONE, 1, false, true, NULL
#define LINEAR_MAKER_WITHOUT_ARGUMENT_TOO(make) make, NULL, LOOM_FLIP_NONE, 1, true, true, NULL

// Makes the BPC permutation of the pattern called `name`, for this request's processors: "shuffle". LOOM_EINPUT:
// there is none.
int loom_pattern_bpc_of_name(struct loom_lcc *out, const struct loom_pattern_request *rq, const char *name,
                             struct loom_err *err);

const struct loom_pattern_row *loom_pattern_find(const char *name, size_t length); // NULL: no such name

// The tables, by theme, each ended by a row without a name. pattern_names.c puts them together.
extern const struct loom_pattern_row loom_pattern_rows_bits[], loom_pattern_rows_shape[], loom_pattern_rows_any[],
	loom_pattern_rows_tasks[], loom_pattern_rows_random[], loom_pattern_rows_file[], loom_pattern_rows_set[],
	loom_pattern_rows_goal[], loom_pattern_rows_demand[];

// Fails with LOOM_EINPUT if the word is another simulator's name for a pattern, and names flitloom's; else 0.
int loom_pattern_fail_foreign(struct loom_err *err, const char *word, size_t length);

// True if coordinates differ from the processor's number and its bits: two extents or more, one of them above 2.
bool loom_pattern_has_coordinates(const struct loom_pattern_request *rq);
// Make permutations of coordinates: in reversed order; plus one in every dimension.
int loom_pattern_make_transposed(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err);
int loom_pattern_make_next(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err);

// Makes messages from every task of a grid to its neighbours.
int loom_pattern_make_stencil(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err);

uint64_t loom_pattern_processors(const struct loom_pattern_request *rq);
// Finds the number of address bits, which must be a multiple of `multiple`.
int loom_pattern_address_bits(unsigned *out, const struct loom_pattern_request *rq, unsigned multiple,
                              struct loom_err *err);
// Fails with LOOM_EINPUT if there are fewer than two processors.
int loom_pattern_at_least_two(const struct loom_pattern_request *rq, struct loom_err *err);
// Fails with LOOM_EINPUT if a pattern cannot have n_messages messages; call it before they are made.
int loom_pattern_check_messages(const struct loom_pattern_request *rq, uint64_t n_messages, struct loom_err *err);
// Reads the argument as a number in least..most, whose meaning is `what`.
int loom_pattern_number(uint32_t *out, const struct loom_pattern_request *rq, uint32_t least, uint32_t most,
                        const char *what, struct loom_err *err);
// Reads a distance round a ring of `extent` places, less than `extent` in either direction; *out is the distance
// forwards, 0 .. extent - 1.
int loom_pattern_distance(uint32_t *out, const struct loom_pattern_request *rq, const char *text, size_t length,
                          uint32_t extent, struct loom_err *err);
// Reads a text file, as an editor may have saved it. *out is malloc'ed.
int loom_pattern_load_file(char **out, size_t *length_out, const char *path, struct loom_err *err);

// Makes a pattern as loom_pattern_from_lccs does; also LOOM_EINPUT if the LCCs are not for the request's processors.
int loom_pattern_make_from_lccs(struct loom_pattern *out, const struct loom_pattern_request *request,
                                const struct loom_lcc *lccs, uint32_t n_lccs, struct loom_err *err);
// Makes the permutation x -> map[x] of request->n_nodes processors.
int loom_pattern_make_from_map(struct loom_pattern *out, const struct loom_pattern_request *request,
                               const uint32_t *map, struct loom_err *err);

// --- Parsers of text in memory

// Reads a linear-complement communication. `where` names the source in messages ("FILE"). LCC_text takes JSON
// {"n","kind","A","b"} or n lines of n characters 0/1 (blanks between them allowed) and one such line for b
// (optional: 0); a 0/1 text is a gather, hence a permutation when nonsingular. A gather of full rank comes back as a
// permutation; "permutation" with a singular A is LOOM_EINPUT, as are non-square matrices and entries other than 0/1.
// In JSON, rows and b are integers or strings "0x..." of 1 to 16 hexadecimal digits (n = 64 needs them: JSON integers
// end at 2^63 - 1); b may be left out (0); other keys are refused.
int loom_lcc_parse(struct loom_lcc *out, const char *text, size_t length, const char *where, struct loom_err *err);
// Reads a set of communications: a JSON list of LCC objects, all of one n. *out is malloc'ed.
int loom_lcc_set_parse(struct loom_lcc **out, uint32_t *n_out, const char *text, size_t length, const char *where,
                       struct loom_err *err);
// Reads a BPC permutation: `-0,1,2,-3`, brackets optional, most significant source bit first ([Sahni97]): [A_{n-1},
// ..., A_0]: source bit i goes to destination bit |A_i|, complemented if A_i is negative (including -0).
int loom_bpc_parse(struct loom_lcc *out, const char *text, size_t length, const char *where, struct loom_err *err);
// Reads a permutation: n numbers separated by commas or white space, each 0..n-1 once. *out is malloc'ed, out[x] =
// destination of x.
int loom_perm_parse(uint32_t **out, uint32_t n, const char *text, size_t length, const char *where,
                    struct loom_err *err);
// A list of messages, and the cycles of their release.
struct loom_message_list {
	size_t n;
	struct loom_message *messages; // owned
	uint32_t *release;             // owned; NULL: the list has none
};
// Reads a list of messages: CSV `source,destination[,flits[,count]]`, one message a line, or `count` equal ones; a
// heading line and lines starting with # are allowed. A heading may end with `release`: out->release then has the cycle
// of each message, 0 where a line has none.
int loom_messages_parse(struct loom_message_list *out, uint32_t n_nodes, uint32_t default_flits, const char *text,
                        size_t length, const char *where, struct loom_err *err);
void loom_message_list_free(struct loom_message_list *list); // NULL allowed; leaves *list zeroed

// Do what loom_lcc_parse and loom_lcc_set_parse do for a text that is known to be JSON.
int loom_lcc_of_json(struct loom_lcc *out, const char *text, size_t length, const char *where, struct loom_err *err);
int loom_lcc_set_of_json(struct loom_lcc **out, uint32_t *n_out, const char *text, size_t length, const char *where,
                         struct loom_err *err);

// Does what loom_pattern_from_lccs does, for any n, and without the messages: n_nodes and n_messages are 0.
int loom_pattern_of_matrices(struct loom_pattern *out, const char *name, const struct loom_lcc *lccs, uint32_t n_lccs,
                             struct loom_err *err);

int loom_pattern_no_memory(struct loom_err *err); // LOOM_ENOMEM

#endif
