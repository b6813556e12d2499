// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom rtl: writes a module of SystemVerilog around one of the RTL's, with every parameter of a fabric set.
// host/links/rtl_module.c says which modules, parameters and ports there are; this file knows how such a module is
// written.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/table_file.h>
#include <flitloom/version.h>

#include "base/file.h"
#include "base/text.h"
#include "cli.h"
#include "links/rtl_module.h"

struct wrapper {
	const struct cli_request *request;
	struct loom_topo topo;
	struct loom_rtl_module module;
	char name[LOOM_TOPO_NAME + 16]; // of the module that is written
};

// Returns a name such as mesh_3x2_open; for a graph it has the file without its folders.
static void set_name(struct wrapper *w)
{
	const char *kind = w->topo.kind->name, *size = w->topo.name + strlen(kind), *slash = strrchr(size, '/');
	(void)snprintf(w->name, sizeof w->name, "%s_%s_%s", kind, slash ? slash + 1 : size + 1,
	               loom_rtl_form_name(w->request->form));
	for (char *c = w->name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

// --- The comment ---------------------------------------------------------------------------------------------------

// Returns a node's place for a person: its coordinates, the highest dimension first as in the fabric's name, or its
// name in a graph. "": its number is enough.
static void name_place(char out[128], const struct loom_topo *t, uint32_t node)
{
	char name[LOOM_TABLE_NODE];
	size_t used = 0;
	uint32_t rest = node, coordinate[LOOM_DIMS_MAX];
	out[0] = '\0';
	if (t->graph) {
		loom_table_node(name, t, node);
		(void)loom_text_quote(out, 128, name, strlen(name));
		return;
	}
	for (unsigned d = 0; d < t->n_dims; rest /= t->extent[d++])
		coordinate[d] = rest % t->extent[d];
	if (loom_topo_links(t) == 0 || t->kind->complements_bits || t->n_dims < 2)
		return;
	for (unsigned d = t->n_dims; d-- > 0;)
		used += (size_t)snprintf(out + used, 128 - used, "%s%" PRIu32, used ? "," : "", coordinate[d]);
}

// Writes port p + 1 of a node's router, if it has such a link.
static void put_link(FILE *f, const struct loom_topo *t, uint32_t node, unsigned p)
{
	uint32_t wire = loom_topo_wire(t, node, p), other = wire & 0xfff, back = (wire >> 12 & 0x1ff) + 1;
	const char *way = wire >> 22 & 1 ? "in from" : wire >> 21 & 1 ? "out to" : "to";
	if (wire)
		(void)fprintf(f, "  %u %s %" PRIu32 ".%" PRIu32, p + 1, way, other, back);
}

static void put_row(FILE *f, const struct wrapper *w, uint32_t node)
{
	const struct loom_topo *t = &w->topo;
	bool of_router = w->request->form == LOOM_RTL_ROUTER;
	char place[128];
	name_place(place, t, node);
	(void)fprintf(f, "// %5" PRIu32 "  %5" PRIu32 "%s%s", node, loom_topo_label(t, node), *place ? "  " : "",
	              place);
	if (of_router && *place)
		(void)fputs(" ", f);
	for (unsigned p = 0; of_router && p < loom_topo_links(t); p++)
		put_link(f, t, node, p);
	for (uint32_t v = 0; of_router && w->module.table_bits && v < t->n_nodes; v++)
		(void)fprintf(f, "%s%u", v ? " " : "  table ", loom_topo_port(t, node, v, LOOM_RULE_ASCENDING));
	(void)fputc('\n', f);
}

// The comments that say how to use the module; %s is the network.
static const char *const purposes[] = {
	[LOOM_RTL_OPEN] =
		"// The network %s with a pair of AXI-Streams for each node: sU_axis of node U leads\n"
		"// into it, mU_axis out of it. The tdest of a frame is the label of the node that it is for,\n"
		"// its tuser that of the node that sent it. wb_* is the register port; not used, its inputs\n"
		"// are 0. See docs/open-fabric.md.\n",
	[LOOM_RTL_ROUTER] =
		"// The router of a node of %s. Port 0 is the node's own, the others lead to neighbours;\n"
		"// here is the node's label. A header has from bit 0 on the label of the destination, that\n"
		"// of the source, and the rule. An unused port has in_valid 0 and out_ready 1. The comment\n"
		"// of net_router.sv and docs/using-the-rtl.md say more.\n",
	[LOOM_RTL_CHIP] = "// The network %s with flitloom's nodes behind the register port wb_*. The comment of\n"
			  "// fabric_top.sv and docs/registers.md say more. NODE is as in simulations, without\n"
			  "// streams; its memories may be made smaller.\n",
};

static void put_comment(FILE *f, const struct wrapper *w)
{
	char fabric[LOOM_TOPO_NAME], place[128];
	(void)loom_text_quote(fabric, sizeof fabric, w->topo.name, strlen(w->topo.name));
	name_place(place, &w->topo, 0);
	(void)fprintf(f, "// Written by flitloom %s: flitloom rtl %s --form %s", LOOM_VERSION, fabric,
	              loom_rtl_form_name(w->request->form));
	if (w->request->flit_bits)
		(void)fprintf(f, " --flit-bits %" PRIu32, w->request->flit_bits);
	(void)fprintf(f, "%s\n//\n", w->request->small ? " --small" : "");
	(void)fprintf(f, purposes[w->request->form], fabric);
	if (w->module.loads_tables)
		(void)fputs("// After a reset the routers' tables are written; until that is done the streams wait.\n",
		            f);
	(void)fprintf(f, "//\n//  node  label%s%s\n",
	              w->topo.graph ? "  name"
	              : *place      ? "  place"
	                            : "",
	              w->request->form == LOOM_RTL_ROUTER ? "  links: port to node.port" : "");
	for (uint32_t u = 0; u < w->topo.n_nodes; u++)
		put_row(f, w, u);
	(void)fputs(
		"//\n// Files in flitloom's rtl/, in the order in which to compile them; flitloom rtl --files lists "
		"them with their folder:\n",
		f);
	for (const char *at = w->module.files; *at; at += strcspn(at, "\n"), at += *at == '\n')
		(void)fprintf(f, "//   %.*s\n", (int)strcspn(at, "\n"), at);
	if (*w->module.limits)
		(void)fprintf(f, "// Options for Verilator: %s\n", w->module.limits);
}

// --- The module ----------------------------------------------------------------------------------------------------

// Writes the name that part `i` of a port has outside.
static void put_outside(FILE *f, const struct loom_rtl_port *port, unsigned i)
{
	size_t before = strcspn(port->outside, "#");
	(void)fprintf(f, "%.*s", (int)before, port->outside);
	if (port->outside[before] == '#')
		(void)fprintf(f, "%u%s", i, port->outside + before + 1);
}

static bool is_numbered(const struct loom_rtl_port *port)
{
	return port->outside && strchr(port->outside, '#');
}

static void put_port(FILE *f, const struct loom_rtl_port *port, unsigned i, bool *first)
{
	unsigned bits = i == 0 ? port->bits_first : port->bits;
	if (!port->outside)
		return;
	(void)fprintf(f, "%s    %s wire ", *first ? "" : ",\n", port->is_output ? "output" : "input ");
	if (bits > 1)
		(void)fprintf(f, "[%u:0] ", bits - 1);
	put_outside(f, port, i);
	*first = false;
}

// Ports with numbers stand together, number by number.
static void put_ports(FILE *f, const struct loom_rtl_module *m)
{
	bool first = true;
	for (size_t i = 0, end; i < m->n_ports; i = end) {
		for (end = i + 1; is_numbered(&m->port[i]) && end < m->n_ports &&
		                  (is_numbered(&m->port[end]) || !m->port[end].outside);
		     end++)
			;
		for (unsigned number = 0; number < m->port[i].n; number++)
			for (size_t k = i; k < end; k++)
				put_port(f, &m->port[k], number, &first);
	}
}

// Writes all parts of a port side by side.
static void put_parts(FILE *f, const struct loom_rtl_port *port)
{
	if (!is_numbered(port)) {
		put_outside(f, port, 0);
		return;
	}
	for (unsigned i = port->n; i-- > 0;) {
		(void)fputs(i + 1 == port->n ? "{" : ", ", f);
		put_outside(f, port, i);
	}
	(void)fputs("}", f);
}

static bool is_held(const struct loom_rtl_port *port)
{
	return port->is_output && port->hold != LOOM_RTL_FREE;
}

// Writes an output that waits through a separate signal.
static void put_held(FILE *f, const struct loom_rtl_port *port)
{
	(void)fputs("  assign ", f);
	put_parts(f, port);
	(void)fprintf(f, " = held_%s %s{%u{%stables_done}};\n", port->name,
	              port->hold == LOOM_RTL_WHEN_DONE ? "& " : "| ", port->n * port->bits,
	              port->hold == LOOM_RTL_WHEN_DONE ? "" : "!");
}

static void put_connection(FILE *f, const struct loom_rtl_port *port)
{
	(void)fprintf(f, "      .%s(", port->name);
	if (!port->outside && strcmp(port->tied, "0") == 0) {
		(void)fprintf(f, "%u'd0", (port->n - 1) * port->bits + port->bits_first);
	} else if (!port->outside) {
		(void)fputs(port->tied, f);
	} else if (port->hold == LOOM_RTL_FREE) {
		put_parts(f, port);
	} else if (port->is_output) {
		(void)fprintf(f, "held_%s", port->name);
	} else if (port->hold == LOOM_RTL_LENT) {
		(void)fputs("tables_done ? ", f);
		put_parts(f, port);
		(void)fprintf(f, " : table_%s", port->name);
	} else {
		put_parts(f, port);
		(void)fprintf(f, " & {%u{tables_done}}", port->n * port->bits);
	}
	(void)fputs(")", f);
}

// Writes the table of each node: the ports to the labels, label 0 in the lowest bits.
static void put_words(FILE *f, const struct wrapper *w)
{
	const struct loom_topo *t = &w->topo;
	uint32_t n = t->n_nodes;
	(void)fputs("  always_comb\n    case (table_node_q)\n", f);
	for (uint32_t u = 0; u < n; u++) {
		if (u + 1 < n)
			(void)fprintf(f, "      12'd%" PRIu32 ":", u);
		else
			(void)fputs("      default:", f);
		(void)fprintf(f, " table_row = %" PRIu32 "'b", n * w->module.table_bits);
		for (uint32_t v = n; v-- > 0;)
			for (unsigned b = w->module.table_bits; b-- > 0;)
				(void)fputc(loom_topo_port(t, u, v, LOOM_RULE_ASCENDING) >> b & 1 ? '1' : '0', f);
		(void)fputs(";\n", f);
	}
	(void)fputs("    endcase\n", f);
}

// The words of the routers' tables, and the logic that writes them.
static void put_tables(FILE *f, const struct wrapper *w)
{
	const struct loom_rtl_module *m = &w->module;
	(void)fprintf(
		f,
		"  localparam integer TABLE_NODES = %" PRIu32 ", TABLE_PORT_W = %u;\n"
		"  logic [TABLE_NODES*TABLE_PORT_W-1:0] table_row;  // of node table_node_q: the port to each label\n",
		w->topo.n_nodes, m->table_bits);
	for (size_t i = 0; i < m->n_ports; i++)
		if (is_held(&m->port[i]))
			(void)fprintf(f, "  wire [%u:0] held_%s;\n", m->port[i].n * m->port[i].bits - 1,
			              m->port[i].name);
	(void)fputs(loom_rtl_table_writer, f);
	for (size_t i = 0; i < m->n_ports; i++)
		if (is_held(&m->port[i]))
			put_held(f, &m->port[i]);
	put_words(f, w);
	(void)fputc('\n', f);
}

static void put_instance(FILE *f, const struct loom_rtl_module *m)
{
	(void)fprintf(f, "  // verilator lint_off PINCONNECTEMPTY\n  %s #(\n", m->name);
	for (size_t i = 0; i < m->n_parameters; i++)
		(void)fprintf(f, "      .%s(%s)%s\n", m->parameter[i].name, m->parameter[i].value,
		              i + 1 < m->n_parameters ? "," : "");
	(void)fprintf(f, "  ) u_%s (\n", m->name);
	for (size_t i = 0; i < m->n_ports; i++) {
		put_connection(f, &m->port[i]);
		(void)fputs(i + 1 < m->n_ports ? ",\n" : "\n", f);
	}
	(void)fputs("  );\n  // verilator lint_on PINCONNECTEMPTY\n", f);
}

static int put_wrapper(FILE *f, const void *user)
{
	const struct wrapper *w = user;
	put_comment(f, w);
	(void)fprintf(f, "`default_nettype none\n\nmodule %s (\n", w->name);
	put_ports(f, &w->module);
	(void)fputs("\n);\n", f);
	if (w->module.loads_tables)
		put_tables(f, w);
	put_instance(f, &w->module);
	(void)fputs("endmodule\n\n`default_nettype wire\n", f);
	return 0;
}

static int put_parameters(FILE *f, const void *user)
{
	const struct loom_rtl_module *m = &((const struct wrapper *)user)->module;
	for (size_t i = 0; i < m->n_parameters; i++)
		(void)fprintf(f, "%s=%s\n", m->parameter[i].name, m->parameter[i].value);
	return 0;
}

static int put_files(FILE *f, const void *user)
{
	const struct loom_rtl_module *m = &((const struct wrapper *)user)->module;
	for (const char *at = m->files; *at; at += strcspn(at, "\n"), at += *at == '\n')
		(void)fprintf(f, "%s/%.*s\n", m->folder, (int)strcspn(at, "\n"), at);
	return 0;
}

static int check(const struct cli_request *r, struct loom_err *err)
{
	bool plain = r->form == LOOM_RTL_PARAMETERS;
	enum cli_option extra = r->files ? CLI_FILES : r->small ? CLI_SMALL : CLI_FLIT_BITS;
	if (plain && (r->files || r->small || r->flit_bits))
		return loom_fail(err, LOOM_EINPUT, "--%s: --form parameters is about the network alone",
		                 cli_option_name(extra));
	if (r->files && !r->output && loom_file_is_standard(r->files))
		return loom_fail(err, LOOM_EINPUT,
		                 "--files and the module both write standard output: give one of them a name");
	return cli_check_outputs(r, err);
}

int cli_rtl(const struct cli_request *request, struct loom_err *err)
{
	struct wrapper w = {.request = request};
	const struct loom_rtl_wishes wishes = {
		.form = (enum loom_rtl_form)request->form, .flit_bits = request->flit_bits, .small = request->small};
	int rc = check(request, err);
	if (rc == 0)
		rc = cli_fabric_parse(&w.topo, request, request->words[0], err);
	if (rc == 0)
		rc = loom_rtl_module_make(&w.module, &w.topo, &wishes, err);
	if (rc == 0) {
		set_name(&w);
		rc = loom_file_write(request->output ? request->output : "-",
		                     w.module.name ? put_wrapper : put_parameters, &w, err);
	}
	if (rc == 0 && request->files)
		rc = loom_file_write(request->files, put_files, &w, err);
	loom_rtl_module_free(&w.module);
	loom_topo_free(&w.topo);
	return rc;
}
