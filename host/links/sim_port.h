// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SIM_PORT_H
#define LOOM_SIM_PORT_H

#include <stddef.h>

#include <flitloom/link.h>

#include "links/verilated.h"

#define LOOM_SIM_ANSWER_CYCLES 64 // a chip that takes longer to answer counts as one that does not answer

// The register port of a verilated chip: the functions that rtl/chip/sim_top.sv and sim_open.sv export.
struct loom_sim_port {
	void (*reset)(unsigned char level);
	void (*request)(unsigned char write, unsigned address, unsigned data);
	void (*release)(void);
	int (*answer)(unsigned *data); // 1 and the word, if the last cycle ended in an answer
};

// Finds the functions and resets the chip. LOOM_ELINK: it has no such port.
int loom_sim_port_start(struct loom_sim_port *out, struct loom_verilated *model, struct loom_err *err);
// Transfers words as struct loom_link_kind.transfer does. `cycle` is called with `of` for each clock cycle; the model
// must have been entered. Time is counted in cycles of the chip: a simulation may be slow without being at fault.
int loom_sim_port_transfer(struct loom_sim_port *port, const struct loom_transfer *list, size_t n,
                           void (*cycle)(void *of), void *of, struct loom_err *err);

#endif
