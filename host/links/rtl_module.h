// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RTL_MODULE_H
#define LOOM_RTL_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <flitloom/err.h>
#include <flitloom/topo.h>

// The modules of the RTL that a user puts into a design of their own, for a fabric: the module's name, its
// parameters, its ports and its files. Only this file and links/rtl.h know these names in the host.

// The part of a fabric that the user wants.
enum loom_rtl_form {
	LOOM_RTL_OPEN,       // the whole fabric, with streams in place of nodes: fabric_open
	LOOM_RTL_ROUTER,     // the router of a node: net_router
	LOOM_RTL_CHIP,       // the whole fabric, with nodes: fabric_top
	LOOM_RTL_PARAMETERS, // no module: the parameters that describe the network
};
const char *loom_rtl_form_name(unsigned form); // "open"; NULL after the last

struct loom_rtl_parameter {
	char *name;        // owned
	const char *value; // a constant expression, behind the name in the same memory
};

// The way in which a port is held while the wrapper writes the route tables.
enum loom_rtl_hold {
	LOOM_RTL_FREE,       // it is not held
	LOOM_RTL_WHEN_DONE,  // it is 0 until the tables are written
	LOOM_RTL_UNTIL_DONE, // it is 1 until then
	LOOM_RTL_LENT,       // until then the writer of the tables drives it, by a signal table_NAME
};

// A port of the module. On the wrapper it is one port, or `n` ports side by side, the first in the lowest bits.
struct loom_rtl_port {
	const char *name; // "s_axis_tdata"
	// "s#_axis_tdata", where # is a number from 0 on; without # it is one port. NULL: see `tied`
	const char *outside;
	const char *tied; // the signal to which it is connected instead: "clk", "0", "" for an output that stays open
	bool is_output;
	enum loom_rtl_hold hold;
	unsigned n, bits, bits_first; // bits of each port, and of the first one
};

#define LOOM_RTL_PARAMETERS_MOST 24
#define LOOM_RTL_PORTS_MOST 32
struct loom_rtl_module {
	const char *name; // "fabric_open"; NULL for LOOM_RTL_PARAMETERS, which has no ports and no files
	struct loom_rtl_parameter parameter[LOOM_RTL_PARAMETERS_MOST];
	size_t n_parameters;
	struct loom_rtl_port port[LOOM_RTL_PORTS_MOST];
	size_t n_ports;
	bool loads_tables;     // the routers' tables must be written before the first frame (loom_rtl_table_writer)
	unsigned data_bits;    // bits of a flit
	unsigned table_bits;   // bits of a word of a router's table
	char limits[64];       // options that Verilator wants for a network of this size, "" usually
	char folder[PATH_MAX]; // the folder of the files
	char *files;           // owned: the names of the files there, one a line, in the order in which to compile them
};

struct loom_rtl_wishes {
	enum loom_rtl_form form;
	unsigned flit_bits; // 0: the usual width
	bool small;         // for chips with little logic
};

// Describes a module. LOOM_EINPUT: there is no such RTL; the text names what there is. LOOM_ELINK: flitloom's rtl/ is
// not found. loom_rtl_module_free frees the result.
int loom_rtl_module_make(struct loom_rtl_module *out, const struct loom_topo *topo,
                         const struct loom_rtl_wishes *wishes, struct loom_err *err);
void loom_rtl_module_free(struct loom_rtl_module *module); // a zeroed one as well

// SystemVerilog that writes the tables after each reset, over the register port. These must be declared before it:
// TABLE_NODES, and table_row, the words of node table_node_q, table_bits (TABLE_PORT_W) each.
extern const char loom_rtl_table_writer[];

#endif
