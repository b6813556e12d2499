// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints what is derived from host/chip/regmap.def: `gen_regmap c | verilog | markdown`.
#include <stdio.h>
#include <string.h>

// The node, tile or stage in the address of a window.
enum { INDEX_LOW = 16, INDEX_WIDTH = 12, INDEX_ALL = (1 << INDEX_WIDTH) - 1 };

#define NOTE "Generated from host/chip/regmap.def by tools/gen_regmap.c; do not edit."

static void c_header(void)
{
	printf("// SPDX-FileCopyrightText: 2026 The flitloom authors\n// SPDX-License-Identifier: Apache-2.0\n");
	printf("// " NOTE "\n#ifndef LOOM_REGMAP_H\n#define LOOM_REGMAP_H\n\n");
	printf("#define LOOM_INDEX_LOW %uu // of the node, tile or stage in an address\n#define LOOM_INDEX_WIDTH %uu\n",
	       (unsigned)INDEX_LOW, (unsigned)INDEX_WIDTH);
	printf("#define LOOM_ALL_NODES 0x%xu // as the index of a node: a write goes to all\n", (unsigned)INDEX_ALL);
#define VERSION(v) printf("#define LOOM_MAP_VERSION_IS %uu\n", (unsigned)(v));
#define SPACE(n, base, text) printf("#define LOOM_SPACE_%s 0x%08xu // %s\n", #n, (unsigned)(base), text);
#define REG(n, a, access, text) printf("#define LOOM_REG_%s 0x%02xu // %s: %s\n", #n, (unsigned)(a), #access, text);
#define WINDOW(n, space, a, text)                                                                                      \
	printf("#define LOOM_WINDOW_%s (LOOM_SPACE_%s | 0x%04xu) // %s\n", #n, #space, (unsigned)(a), text);
#define FIELD(o, n, low, width, text)                                                                                  \
	printf("#define LOOM_%s_%s_LOW %uu // %s\n#define LOOM_%s_%s_WIDTH %uu\n", #o, #n, (unsigned)(low), text, #o,  \
	       #n, (unsigned)(width));
#include "chip/regmap.def"
#undef VERSION
#undef SPACE
#undef REG
#undef WINDOW
#undef FIELD
	printf("\n#endif\n");
}

static void verilog(void)
{
	printf("// SPDX-FileCopyrightText: 2026 The flitloom authors\n// SPDX-License-Identifier: Apache-2.0\n\n");
	printf("// " NOTE " Use as regmap::NAME.\n`default_nettype none\n\n"
	       "// No module needs every name.\n// verilator lint_off UNUSEDPARAM\npackage regmap;\n");
#define VERSION(v) printf("  localparam logic [31:0] VERSION = 32'd%u;\n", (unsigned)(v));
#define SPACE(n, base, text)                                                                                           \
	printf("  localparam logic [3:0] SPACE_%s = 4'h%x;  // %s\n", #n, (unsigned)(base) >> 28, text);
#define REG(n, a, access, text)                                                                                        \
	printf("  localparam logic [7:0] %s = 8'h%02x;  // %s: %s\n", #n, (unsigned)(a), #access, text);
#define WINDOW(n, space, a, text) printf("  localparam logic [15:0] %s = 16'h%04x;  // %s\n", #n, (unsigned)(a), text);
#define FIELD(o, n, low, width, text)                                                                                  \
	printf("  localparam integer %s_%s = %u;  // %u bits: %s\n", #o, #n, (unsigned)(low), (unsigned)(width), text);
#include "chip/regmap.def"
#undef VERSION
#undef SPACE
#undef REG
#undef WINDOW
#undef FIELD
	printf("endpackage\n// verilator lint_on UNUSEDPARAM\n\n`default_nettype wire\n");
}

static void markdown(void)
{
	const char *heading = "";
	printf("<!-- " NOTE " -->\n# Register map\n\n");
	printf("Words have 32 bits, and addresses are word addresses. RO registers can be read, WO written, RW both.\n"
	       "Where there is no register, a read gives 0 and a write has no effect. Within a node some bits of an\n"
	       "address are not decoded, so a register may appear at further addresses: below the table windows only\n"
	       "bits 7 to 0 are decoded, and in a table only as many bits as its depth needs.\n");
#define UNDER(title, columns)                                                                                          \
	do {                                                                                                           \
		if (strcmp(heading, title) != 0)                                                                       \
			printf("\n## %s\n\n%s\n", title, columns);                                                     \
		heading = title;                                                                                       \
	} while (0)
#define VERSION(v) printf("\nVersion of the map: %u.\n", (unsigned)(v));
#define SPACE(n, base, text)                                                                                           \
	UNDER("Spaces", "| space | base | meaning |\n| --- | --- | --- |");                                            \
	printf("| %s | `0x%08x` | %s |\n", #n, (unsigned)(base), text);
#define REG(n, a, access, text)                                                                                        \
	UNDER("Registers", "| name | address | access | meaning |\n| --- | --- | --- | --- |");                        \
	printf("| %s | `0x%02x` | %s | %s |\n", #n, (unsigned)(a), #access, text);
#define WINDOW(n, space, a, text)                                                                                      \
	UNDER("Windows", "| name | address | of each | meaning |\n| --- | --- | --- | --- |");                         \
	printf("| %s | `base + index*0x%x + 0x%04x` | %s | %s |\n", #n, 1u << INDEX_LOW, (unsigned)(a), #space, text);
#define FIELD(o, n, low, width, text)                                                                                  \
	printf("| · %s.%s | bits %u:%u | | %s |\n", #o, #n, (unsigned)((low) + (width)-1), (unsigned)(low), text);
#include "chip/regmap.def"
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "c") == 0)
		c_header();
	else if (argc == 2 && strcmp(argv[1], "verilog") == 0)
		verilog();
	else if (argc == 2 && strcmp(argv[1], "markdown") == 0)
		markdown();
	else
		return fprintf(stderr, "usage: gen_regmap c | verilog | markdown\n"), 2;
	return 0;
}
