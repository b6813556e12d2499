// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RTL_H
#define LOOM_RTL_H

#include <stdbool.h>
#include <stddef.h>

#include <flitloom/link/chip.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

#define LOOM_RTL_WORDS 32

// The parts of a model. Only this file knows the parameters with which a fabric is simulated.
struct loom_rtl {
	char label[64];              // for a person: "cube:8", or a netlist's file
	char name[64];               // the name of the model in the cache: "cube8", "cube2-pins"
	const char *top;             // the module on top
	const char *netlist;         // the file of a board's netlist, not owned; NULL: the RTL
	struct loom_chip chip;       // the chip's own description; for a netlist all 0: only the board knows
	char *words[LOOM_RTL_WORDS]; // for tools/model.sh and Verilator; owned
	size_t n_words;
	bool is_multistage; // a multistage network or circuit switches: it has no links
	bool has_circuits;
};

// Checks that there is RTL for the fabric. LOOM_EINPUT names the fabrics that have RTL. If it succeeds, the
// parameters that the functions below give pass all checks of the modules (illegal_NAME).
int loom_rtl_takes(const struct loom_topo *t, struct loom_err *err);

// Describes the chip alone, for the link sim. LOOM_EINPUT: no such fabric, or no RTL for it. loom_rtl_free frees the
// result.
int loom_rtl_of_topo(struct loom_rtl *out, const struct loom_topo *topo, struct loom_err *err);
int loom_rtl_of_fabric(struct loom_rtl *out, const char *fabric, struct loom_err *err);
// Changes it to a chip with links that can fail during a run.
void loom_rtl_set_failing(struct loom_rtl *rtl);
// Changes it to a chip with routers that choose among the lanes of adaptive rules (flitloom/routes/choice.h).
// LOOM_EINPUT: there are none for this fabric.
int loom_rtl_set_adaptive(struct loom_rtl *rtl, const struct loom_topo *topo, struct loom_err *err);
// Changes it to a chip with routers that choose among the links that turns leave (flitloom/routes/forbidden_turns.h),
// which are in their tables. LOOM_EINPUT: there are none for this fabric.
int loom_rtl_set_turns(struct loom_rtl *rtl, const struct loom_topo *topo, struct loom_err *err);
// Changes it to a chip with routers that send messages through a node (flitloom/routes/via.h). LOOM_EINPUT: there
// are none for this fabric.
int loom_rtl_set_via(struct loom_rtl *rtl, const struct loom_topo *topo, struct loom_err *err);
// Describes a fabric whose nodes are the user's (flitloom/link/open_fabric.h).
int loom_rtl_of_open(struct loom_rtl *out, const struct loom_topo *topo, struct loom_err *err);
// Describes a board with a UART. board: a fabric, or a netlist's file "x.v", which has a clock and a baud rate of its
// own. LOOM_EINPUT: no direct network; boards carry only these.
int loom_rtl_of_board_topo(struct loom_rtl *out, const struct loom_topo *topo, unsigned clock_hz, unsigned baud,
                           struct loom_err *err);
int loom_rtl_of_board(struct loom_rtl *out, const char *board, unsigned clock_hz, unsigned baud, struct loom_err *err);
// Describes the network alone, whatever surrounds it: words -GNAME=VALUE, the parameters that tell one network from
// another, and then the limits that Verilator needs for it.
int loom_rtl_of_network(struct loom_rtl *out, const struct loom_topo *topo, struct loom_err *err);

// Names the model after the fabric, so that the cache has one model of each: "cube:8" is cube8; a graph is named by
// its links, wherever they were read from. `pins` is appended. Also notes the sort of network.
void loom_rtl_set_names(struct loom_rtl *rtl, const struct loom_topo *t, const char *pins);

// The fields of the parameter NODE, in the order of rtl/chip/node_config.sv.
#define LOOM_RTL_NODE_FIELDS 21
struct loom_rtl_field {
	const char *name; // "FLIT_W"
	uint32_t value;
};
void loom_rtl_node_fields(struct loom_rtl_field out[LOOM_RTL_NODE_FIELDS], const struct loom_chip *chip);
// Returns the depth of the programs of a chip with such flits and labels, as in models; 1 or less: there is no room.
uint32_t loom_rtl_program_depth(const struct loom_chip *chip);
void loom_rtl_free(struct loom_rtl *rtl); // allowed on a zeroed one; leaves it zeroed

#endif
