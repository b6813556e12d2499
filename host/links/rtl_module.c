// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Over 400 lines because it holds all names of these modules.
#include "links/rtl_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/numbers.h"
#include "chip/header.h"
#include "links/open_tables.h"
#include "links/rtl.h"
#include "links/verilated_home.h"
#include "topo/topo_ocs.h"

#define FLIT_BITS_MOST 4096      // for routers and streams, for which a flit is just a word
#define NODE_FLIT_BITS_LEAST 8   // for flitloom's nodes
#define SMALL_FLIT_BITS_MOST 128 // for small nodes, whose payload has a shorter state
#define PRESET_PASSES 256        // for a chip with a multistage network, as in models
#define HISTORY_RUNS 16          // for the same chip; fewer than in models, because Yosys makes registers of them
#define FILES_BYTES_MOST 65536   // bytes of a list of files
#define SMALL_NUMBER_BITS 4      // bits of a message's number, with programs as in node_config::of_ice40
#define SMALL_COUNT_BITS 14      // bits of the counters of a small open fabric

// --- Ports ---------------------------------------------------------------------------------------------------------

enum width { ONE, TWO, HALF, WORD, FLIT, LABEL, LANES, ALL_LANES, PORTS, PORT, TABLE_AT };
enum count { WHOLE, NODES, OF_ROUTER };
// The treatment of a port: it is led outside, always or only if routers have tables, or it is constant.
enum fate { LED, LED_TABLE, ZERO, OPEN, CLOCK_TABLE };

struct row {
	const char *name, *outside;
	bool is_output;
	enum width width;
	enum count count;
	enum fate fate;
	enum loom_rtl_hold hold;
};

#define IN false
#define OUT true
#define CLOCK_AND_RESET                                                                                                \
	{"clk", "clk", IN, ONE, WHOLE, LED, LOOM_RTL_FREE},                                                            \
	{                                                                                                              \
		"rst", "rst", IN, ONE, WHOLE, LED, LOOM_RTL_FREE                                                       \
	}
#define WISHBONE                                                                                                       \
	{"wb_cyc", "wb_cyc", IN, ONE, WHOLE, LED, LOOM_RTL_LENT},                                                      \
		{"wb_stb", "wb_stb", IN, ONE, WHOLE, LED, LOOM_RTL_LENT},                                              \
		{"wb_we", "wb_we", IN, ONE, WHOLE, LED, LOOM_RTL_LENT},                                                \
		{"wb_adr", "wb_adr", IN, WORD, WHOLE, LED, LOOM_RTL_LENT},                                             \
		{"wb_dat_w", "wb_dat_w", IN, WORD, WHOLE, LED, LOOM_RTL_LENT},                                         \
		{"wb_stall", "wb_stall", OUT, ONE, WHOLE, LED, LOOM_RTL_UNTIL_DONE},                                   \
		{"wb_ack", "wb_ack", OUT, ONE, WHOLE, LED, LOOM_RTL_WHEN_DONE},                                        \
	{                                                                                                              \
		"wb_dat_r", "wb_dat_r", OUT, WORD, WHOLE, LED, LOOM_RTL_FREE                                           \
	}

static const struct row open_rows[] = {
	CLOCK_AND_RESET,
	WISHBONE,
	{"s_axis_tdata", "s#_axis_tdata", IN, FLIT, NODES, LED, LOOM_RTL_FREE},
	{"s_axis_tlast", "s#_axis_tlast", IN, ONE, NODES, LED, LOOM_RTL_FREE},
	{"s_axis_tvalid", "s#_axis_tvalid", IN, ONE, NODES, LED, LOOM_RTL_WHEN_DONE},
	{"s_axis_tready", "s#_axis_tready", OUT, ONE, NODES, LED, LOOM_RTL_WHEN_DONE},
	{"s_axis_tdest", "s#_axis_tdest", IN, LABEL, NODES, LED, LOOM_RTL_FREE},
	{"m_axis_tdata", "m#_axis_tdata", OUT, FLIT, NODES, LED, LOOM_RTL_FREE},
	{"m_axis_tlast", "m#_axis_tlast", OUT, ONE, NODES, LED, LOOM_RTL_FREE},
	{"m_axis_tvalid", "m#_axis_tvalid", OUT, ONE, NODES, LED, LOOM_RTL_FREE},
	{"m_axis_tready", "m#_axis_tready", IN, ONE, NODES, LED, LOOM_RTL_FREE},
	{"m_axis_tuser", "m#_axis_tuser", OUT, LABEL, NODES, LED, LOOM_RTL_FREE},
	{"busy", "busy", OUT, ONE, WHOLE, LED, LOOM_RTL_FREE},
};

static const struct row router_rows[] = {
	CLOCK_AND_RESET,
	{"paper", NULL, IN, ONE, WHOLE, ZERO, LOOM_RTL_FREE},
	{"here", "here", IN, LABEL, WHOLE, LED, LOOM_RTL_FREE},
	{"select", NULL, IN, TWO, WHOLE, ZERO, LOOM_RTL_FREE},
	{"seed", NULL, IN, HALF, WHOLE, ZERO, LOOM_RTL_FREE},
	{"table_clk", NULL, IN, ONE, WHOLE, CLOCK_TABLE, LOOM_RTL_FREE},
	{"table_select", "table_select", IN, ONE, WHOLE, LED_TABLE, LOOM_RTL_FREE},
	{"table_write", "table_write", IN, ONE, WHOLE, LED_TABLE, LOOM_RTL_FREE},
	{"table_at", "table_at", IN, TABLE_AT, WHOLE, LED_TABLE, LOOM_RTL_FREE},
	{"table_wdata", "table_wdata", IN, PORT, WHOLE, LED_TABLE, LOOM_RTL_FREE},
	{"table_rdata", "table_rdata", OUT, PORT, WHOLE, LED_TABLE, LOOM_RTL_FREE},
	{"in_flit", "in#_flit", IN, FLIT, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"in_last", "in#_last", IN, ONE, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"in_valid", "in#_valid", IN, LANES, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"in_ready", "in#_ready", OUT, LANES, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"in_empty", NULL, OUT, LANES, OF_ROUTER, OPEN, LOOM_RTL_FREE},
	{"in_left", NULL, OUT, LANES, OF_ROUTER, OPEN, LOOM_RTL_FREE},
	{"out_flit", "out#_flit", OUT, FLIT, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"out_last", "out#_last", OUT, ONE, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"out_valid", "out#_valid", OUT, LANES, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"out_ready", "out#_ready", IN, LANES, OF_ROUTER, LED, LOOM_RTL_FREE},
	{"out_empty", NULL, IN, ALL_LANES, WHOLE, ZERO, LOOM_RTL_FREE},
	{"obs_worm", "obs_worm", OUT, PORTS, WHOLE, LED, LOOM_RTL_FREE},
	{"obs_flit", "obs_flit", OUT, PORTS, WHOLE, LED, LOOM_RTL_FREE},
	{"obs_blocked", "obs_blocked", OUT, PORTS, WHOLE, LED, LOOM_RTL_FREE},
	{"busy", "busy", OUT, ONE, WHOLE, LED, LOOM_RTL_FREE},
};

static const struct row chip_rows[] = {
	CLOCK_AND_RESET,
	WISHBONE,
	{"stream_on", NULL, IN, ONE, WHOLE, ZERO, LOOM_RTL_FREE},
	{"stream_refill", NULL, IN, ONE, WHOLE, ZERO, LOOM_RTL_FREE},
	{"handing", NULL, OUT, ONE, WHOLE, OPEN, LOOM_RTL_FREE},
	{"running", "running", OUT, ONE, WHOLE, LED, LOOM_RTL_FREE},
	{"stuck", "stuck", OUT, ONE, WHOLE, LED, LOOM_RTL_FREE},
};

static const struct {
	const char *name, *module;
	const struct row *rows;
	size_t n_rows;
} forms[] = {
	[LOOM_RTL_OPEN] = {"open", "fabric_open", open_rows, sizeof open_rows / sizeof open_rows[0]},
	[LOOM_RTL_ROUTER] = {"router", "net_router", router_rows, sizeof router_rows / sizeof router_rows[0]},
	[LOOM_RTL_CHIP] = {"chip", "fabric_top", chip_rows, sizeof chip_rows / sizeof chip_rows[0]},
	[LOOM_RTL_PARAMETERS] = {"parameters", NULL, NULL, 0},
};
_Static_assert(sizeof router_rows / sizeof router_rows[0] <= LOOM_RTL_PORTS_MOST, "room for the ports of any module");

const char *loom_rtl_form_name(unsigned form)
{
	return form < sizeof forms / sizeof forms[0] ? forms[form].name : NULL;
}

const char loom_rtl_table_writer[] =
	"  logic [11:0] table_node_q, table_label_q;\n"
	"  logic table_sent_q, tables_done;\n"
	"  wire table_wb_cyc = 1'b1, table_wb_stb = !table_sent_q, table_wb_we = 1'b1;\n"
	"  wire [31:0] table_wb_adr = {regmap::SPACE_NODE, table_node_q, regmap::ROUTE + {4'd0, table_label_q}};\n"
	"  wire [31:0] table_wb_dat_w = 32'(table_row[table_label_q*TABLE_PORT_W+:TABLE_PORT_W]);\n"
	"  always_ff @(posedge clk) begin\n"
	"    if (table_wb_stb && !held_wb_stall) table_sent_q <= 1'b1;\n"
	"    if (held_wb_ack && !tables_done) begin\n"
	"      table_sent_q <= 1'b0;\n"
	"      table_label_q <= table_label_q + 12'd1;\n"
	"      if (32'(table_label_q) == TABLE_NODES - 1) begin\n"
	"        table_label_q <= 12'd0;\n"
	"        table_node_q <= table_node_q + 12'd1;\n"
	"        tables_done <= 32'(table_node_q) == TABLE_NODES - 1;\n"
	"      end\n"
	"    end\n"
	"    if (rst) {table_node_q, table_label_q, table_sent_q, tables_done} <= '0;\n"
	"  end\n";

// The numbers from which the ports follow.
struct sizes {
	const struct loom_topo *topo;
	unsigned flit, links, ports;
	bool has_tables;
};

static unsigned width_of(enum width width, const struct sizes *s)
{
	switch (width) {
	case TWO: return 2;
	case HALF: return 16;
	case WORD: return 32;
	case FLIT: return s->flit;
	case LABEL: return s->topo->label_bits;
	case LANES: return s->topo->n_vcs;
	case ALL_LANES: return s->links * s->topo->n_vcs + 1;
	case PORTS: return s->ports;
	case PORT: return loom_bits_for(s->ports);
	case TABLE_AT: return s->topo->label_bits + (s->topo->n_vcs > 4 ? 3 : s->topo->n_vcs > 2 ? 2 : 1);
	case ONE: break;
	}
	return 1;
}

static void set_ports(struct loom_rtl_module *m, enum loom_rtl_form form, const struct sizes *s)
{
	for (size_t i = 0; i < forms[form].n_rows; i++) {
		const struct row *row = &forms[form].rows[i];
		bool led = row->fate == LED || (row->fate == LED_TABLE && s->has_tables);
		unsigned bits = width_of(row->width, s);
		m->port[m->n_ports++] = (struct loom_rtl_port){
			.name = row->name,
			.outside = led ? row->outside : NULL,
			.tied = row->is_output                              ? ""
		                : row->fate == CLOCK_TABLE && s->has_tables ? "clk"
		                                                            : "0",
			.is_output = row->is_output,
			.hold = m->loads_tables ? row->hold : LOOM_RTL_FREE,
			.n = row->count == NODES       ? s->topo->n_nodes
		             : row->count == OF_ROUTER ? s->ports
		                                       : 1,
			.bits = bits,
			.bits_first = row->width == LANES ? 1 : bits, // the local port has one lane
		};
	}
}

// --- Parameters ----------------------------------------------------------------------------------------------------

// Takes allocated text, NAME=VALUE.
static int add_text(struct loom_rtl_module *m, char *text, struct loom_err *err)
{
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the parameters of a module");
	char *equals = strchr(text, '=');
	*equals = '\0';
	m->parameter[m->n_parameters++] = (struct loom_rtl_parameter){text, equals + 1};
	return 0;
}

static int add_number(struct loom_rtl_module *m, const char *name, unsigned value, struct loom_err *err)
{
	char *text;
	return add_text(m, asprintf(&text, "%s=%u", name, value) < 0 ? NULL : text, err);
}

// Fills in the parameters of a router, which depend on its node's links only.
static bool is_wanted_by_router(const char *word)
{
	static const char *const others[] = {"KIND=", "NODES=", "WIRES=", "DELAYS=", "LIGHT_CYCLES=", "LIGHT_RATIO="};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strncmp(word, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}

// The parameters of the network, and what Verilator wants for it.
static int add_network(struct loom_rtl_module *m, const struct loom_rtl *rtl, bool of_router, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < rtl->n_words; i++) {
		const char *word = rtl->words[i];
		size_t used = strlen(m->limits);
		if (strncmp(word, "-G", 2) != 0)
			(void)snprintf(m->limits + used, sizeof m->limits - used, "%s%s", used ? " " : "", word);
		else if (!of_router || is_wanted_by_router(word + 2))
			rc = add_text(m, strdup(word + 2), err);
	}
	return rc;
}

// The source of a parameter's text.
struct made_of {
	const struct loom_chip *chip;
	bool small;
};

static int add_written(struct loom_rtl_module *m, void (*put)(FILE *f, const struct made_of *of),
                       const struct made_of *of, struct loom_err *err)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	if (f)
		put(f, of);
	if (f && fclose(f)) {
		free(text);
		text = NULL;
	}
	return add_text(m, text, err);
}

// The places of the coordinates in a label, as fabric has them for its routers.
static void put_digits(FILE *f, const struct made_of *of)
{
	const struct loom_chip *chip = of->chip;
	(void)fprintf(f, "DIGITS=%" PRIu32 "'h", chip->n_dims * 16);
	for (unsigned d = chip->n_dims; d-- > 0;) {
		unsigned low = 0;
		for (unsigned below = 0; below < d; below++)
			low += loom_bits_for(chip->extent[below]);
		(void)fprintf(f, "%02x%02x", loom_bits_for(chip->extent[d]), low & 0xff);
	}
}

// The delays of links and routers, behind other settings: "set(set(..., LINK_DELAY, 3), ...". put_sets begins such an expression.
static bool has_delays(const struct loom_chip *chip)
{
	return chip->link_delay > 0 || chip->router_delay > 0;
}

static void put_sets(FILE *f, unsigned n)
{
	while (n-- > 0)
		(void)fputs("node_config::set(", f);
}

static void put_delays(FILE *f, const struct loom_chip *chip)
{
	(void)fprintf(f, ", node_config::LINK_DELAY, %" PRIu32 "), node_config::ROUTER_DELAY, %" PRIu32 ")",
	              chip->link_delay, chip->router_delay);
	if (chip->link_delays)
		(void)fprintf(f, ", node_config::LINK_DELAYS, %" PRIu32 ")", chip->link_delays);
}

// Adds NODE for flitloom's nodes: every field by its name.
static void put_nodes(FILE *f, const struct made_of *of)
{
	struct loom_rtl_field fields[LOOM_RTL_NODE_FIELDS];
	loom_rtl_node_fields(fields, of->chip);
	(void)fputs("NODE=", f);
	if (of->small) {
		put_sets(f, !has_delays(of->chip) ? 0 : of->chip->link_delays ? 3 : 2);
		(void)fprintf(f,
		              "node_config::set(node_config::set(node_config::of_ice40(%" PRIu32 ", %" PRIu32
		              "), node_config::SMALL, 1), node_config::BUFFERS, %" PRIu32 ")",
		              of->chip->flit_bits, of->chip->rule_bits, of->chip->buffers);
		if (has_delays(of->chip))
			put_delays(f, of->chip);
	}
	for (size_t i = 0; !of->small && i < LOOM_RTL_NODE_FIELDS; i++)
		if (fields[i].value || strcmp(fields[i].name, "LINK_DELAYS") != 0) // usual ones are not worth a line
			(void)fprintf(f, "%s\n          node_config::field(node_config::%s, %" PRIu32 ")",
			              i ? " |" : "", fields[i].name, fields[i].value);
}

// Adds NODE for an open fabric: the fields that are used there.
static void put_places(FILE *f, const struct made_of *of)
{
	(void)fputs("NODE=", f);
	put_sets(f, (of->small ? 7u : 5u) + (of->chip->link_delays ? 1u : 0u));
	(void)fprintf(f,
	              "node_config::DEFAULT, node_config::RULE_W, %" PRIu32 "), node_config::FLIT_W, %" PRIu32
	              "), node_config::BUFFERS, %" PRIu32 ")",
	              of->chip->rule_bits, of->chip->flit_bits, of->chip->buffers);
	put_delays(f, of->chip);
	if (of->small)
		(void)fprintf(f, ", node_config::SMALL, 1), node_config::COUNT_W, %d)", SMALL_COUNT_BITS);
}

static int set_parameters(struct loom_rtl_module *m, const struct loom_rtl *rtl, const struct loom_rtl_wishes *wishes,
                          struct loom_err *err)
{
	const struct made_of of = {&rtl->chip, wishes->small};
	int rc = add_network(m, rtl, wishes->form == LOOM_RTL_ROUTER, err);
	if (rc)
		return rc;
	switch (wishes->form) {
	case LOOM_RTL_OPEN: return add_written(m, put_places, &of, err);
	case LOOM_RTL_ROUTER:
		rc = add_written(m, put_digits, &of, err);
		rc = rc ? rc : add_number(m, "FLIT_W", rtl->chip.flit_bits, err);
		rc = rc ? rc : add_number(m, "RULE_W", rtl->chip.rule_bits, err);
		rc = rc ? rc : add_number(m, "BUFFERS", rtl->chip.buffers, err);
		return rc ? rc : add_number(m, "SMALL", wishes->small, err);
	case LOOM_RTL_CHIP:
		rc = add_written(m, put_nodes, &of, err);
		if (rc || !rtl->is_multistage)
			return rc;
		rc = add_number(m, "PRESET_DEPTH", PRESET_PASSES, err);
		return rc || rtl->has_circuits ? rc : add_number(m, "HISTORY_RUNS", HISTORY_RUNS, err);
	case LOOM_RTL_PARAMETERS: break;
	}
	return 0;
}

// --- What is possible ----------------------------------------------------------------------------------------------

// Fills in flit_bits and the numbers that follow from it.
static int set_flit(struct loom_chip *chip, const struct loom_topo *t, const struct loom_rtl_wishes *wishes,
                    struct loom_err *err)
{
	uint32_t least = 2 * chip->label_bits + chip->rule_bits, most = FLIT_BITS_MOST;
	bool is_small_chip = wishes->form == LOOM_RTL_CHIP && wishes->small;
	if (wishes->form == LOOM_RTL_CHIP) {
		if (wishes->small)
			chip->store_slots = 1;
		least = loom_header_number_low(chip) + (wishes->small ? SMALL_NUMBER_BITS : 1);
		least = least < NODE_FLIT_BITS_LEAST ? NODE_FLIT_BITS_LEAST : least;
		most = wishes->small ? SMALL_FLIT_BITS_MOST : LOOM_FLIT_BITS_MAX;
	}
	uint32_t bits = wishes->flit_bits                ? wishes->flit_bits
	                : is_small_chip && !t->flit_bits ? least
	                                                 : chip->flit_bits;
	if (bits < least || bits > most)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.100s: flits of %" PRIu32 " to %" PRIu32 " bits are possible, not of %" PRIu32,
		                 t->name, least, most, bits);
	chip->flit_bits = bits;
	chip->program_depth = loom_rtl_program_depth(chip);
	return 0;
}

static int check(const struct loom_topo *t, const struct loom_rtl_wishes *wishes, struct loom_err *err)
{
	if (loom_topo_has_circuits(t) && wishes->form == LOOM_RTL_ROUTER)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.100s has no routers, but circuit switches (rtl/ocs/ocs_switch.sv)", t->name);
	if (loom_topo_links(t) == 0 && wishes->form == LOOM_RTL_ROUTER)
		return loom_fail(
			err, LOOM_EINPUT,
			"%.100s has no routers: a multistage network is made of switches (rtl/min/min_switch.sv)",
			t->name);
	if (loom_topo_links(t) == 0 && wishes->small)
		return loom_fail(err, LOOM_EINPUT, "%.100s has no small form: direct networks have, as cube:2",
		                 t->name);
	return wishes->form == LOOM_RTL_OPEN ? loom_open_tables_check(t, err) : 0;
}

static int find_files(struct loom_rtl_module *m, struct loom_err *err)
{
	char home[PATH_MAX], list[PATH_MAX + 64], *text = NULL;
	bool is_tree;
	size_t length = 0;
	int rc = loom_verilated_home(home, &is_tree, err);
	if (rc)
		return rc;
	if ((size_t)snprintf(m->folder, sizeof m->folder, "%s/rtl", home) >= sizeof m->folder)
		return loom_fail(err, LOOM_EFILE, "the name of the folder with flitloom's rtl/ is too long");
	(void)snprintf(list, sizeof list, "%s/%s.f", m->folder, m->name);
	rc = loom_file_read(&text, &length, list, FILES_BYTES_MOST, err);
	if (rc)
		return rc;
	m->files = strndup(text, length);
	free(text);
	return m->files ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for a list of files");
}

void loom_rtl_module_free(struct loom_rtl_module *m)
{
	for (size_t i = 0; i < m->n_parameters; i++)
		free(m->parameter[i].name);
	free(m->files);
	*m = (struct loom_rtl_module){0};
}

int loom_rtl_module_make(struct loom_rtl_module *out, const struct loom_topo *t, const struct loom_rtl_wishes *wishes,
                         struct loom_err *err)
{
	struct loom_rtl_module m = {.name = forms[wishes->form].module};
	struct loom_rtl rtl = {0};
	unsigned links = loom_topo_links(t);
	int rc = check(t, wishes, err);
	rc = rc ? rc : loom_rtl_of_network(&rtl, t, err);
	rc = rc || !m.name ? rc : set_flit(&rtl.chip, t, wishes, err);
	rc = rc ? rc : set_parameters(&m, &rtl, wishes, err);
	rc = rc || !m.name ? rc : find_files(&m, err);
	if (rc) {
		loom_rtl_module_free(&m);
	} else {
		bool has_tables = t->kind->router == LOOM_ROUTER_TABLE;
		m.loads_tables = has_tables && wishes->form == LOOM_RTL_OPEN;
		m.data_bits = rtl.chip.flit_bits;
		m.table_bits = has_tables ? loom_bits_for(links + 1) : 0;
		set_ports(&m, wishes->form,
		          &(struct sizes){.topo = t,
		                          .flit = m.data_bits,
		                          .links = links,
		                          .ports = links + 1,
		                          .has_tables = has_tables});
		*out = m;
	}
	loom_rtl_free(&rtl);
	return rc;
}
