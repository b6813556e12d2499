// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHIP_H
#define LOOM_CHIP_H

#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

#define LOOM_CHIP_DIMS 16 // the number of registers SHAPE
// Bits of the register TIMING. TIMED: programs have AT, delays and waits. STREAM: struct loom_link_kind.stream works.
#define LOOM_CHIP_TIMED 1u
#define LOOM_CHIP_STREAM 2u

// The contents of a fabric's discovery registers (docs/registers.md). The device reads them; an image is made for
// them.
struct loom_chip {
	// The fabric: the code of its topo kind, and its shape as in struct loom_topo. For a graph the shape is its
	// number of nodes, then 64 bits that follow from its links, 16 in each extent, the lowest first.
	uint32_t kind, n_dims;
	uint32_t extent[LOOM_CHIP_DIMS];       // 0 beyond n_dims
	uint32_t n_nodes, n_tiles, n_channels; // channels per tile
	uint32_t flit_bits, label_bits, length_bits, count_bits;
	// The width of a message's rule in its header: 1 to 4; or 4 + label_bits, if the label of a node through
	// which the message goes stands above the rule (flitloom/routes/via.h).
	uint32_t rule_bits;
	// the low bits of a cycle that logs and watchdog keep; the bits of a pass in programs
	uint32_t cycle_bits, pass_bits;
	uint32_t program_depth, log_depth; // messages per node
	uint32_t store_slots, slot_flits;
	uint32_t preset_passes; // passes for which switches can be set; 0: they cannot be set
	uint32_t history_runs;  // runs in the history of a channel; 0: no histories, and no free runs
	uint32_t payload_bits;  // bits of the state from which payload is generated: 16, 32
	uint32_t n_vcs; // virtual channels of each link between routers; older chips report 0, which stands for 1
	uint32_t light_cycles, light_ratio; // of an OTIS-Mesh, as in struct loom_topo; else 0
	uint32_t buffers;      // flits of the buffer at the end of a channel; older chips report 0, which stands for 2
	uint32_t link_delay;   // cycles by which links between routers are slower than usual
	uint32_t link_delays;  // if links differ, loom_topo_link_delays_mark, and link_delay is the largest; else 0
	uint32_t router_delay; // cycles by which routers are slower than usual, towards links
	// 1: routers choose among the lanes of adaptive rules; 2: among those of their tables; 0: they do not choose
	uint32_t adaptive;
	uint32_t signature_bits; // bits of a message's signature in the log: 12, 16, 32; 0: none
	uint32_t timing;         // LOOM_CHIP_TIMED, LOOM_CHIP_STREAM; older chips report 0: neither
	// 1: the nodes are the user's (an open fabric). No plan runs there, and the members above for programs, logs
	// and stores are 0. 0, also of older chips: the nodes are flitloom's
	uint32_t user_nodes;
};

// Fills in the shape of a chip from a fabric: n_dims, extent, light, buffers and delays.
void loom_chip_set_shape(struct loom_chip *chip, const struct loom_topo *topo);
// Makes the fabric that a chip reports. The chip does not report the links of a graph; of a graph only name, sizes
// and lanes are filled in. LOOM_EHARDWARE: there is no such fabric.
int loom_chip_topo(struct loom_topo *out, const struct loom_chip *chip, struct loom_err *err);
// Checks that nodes, tiles, channels and labels are those of the fabric that the chip reports. LOOM_EHARDWARE: they
// are not, or there is no such fabric.
int loom_chip_check(const struct loom_chip *chip, struct loom_err *err);

LOOM_API_END

#endif
