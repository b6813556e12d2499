// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>

#include <flitloom/report.h>

#include "base/file.h"

static void put_per_node(FILE *f, const char *name, const uint32_t *values, uint32_t n_nodes)
{
	(void)fprintf(f, "\"%s\":[", name);
	for (uint32_t v = 0; v < n_nodes; v++)
		(void)fprintf(f, "%s%" PRIu32, v ? "," : "", values[v]);
	(void)fputs("],\n", f);
}

static void put_arrivals(FILE *f, const struct loom_trace *t)
{
	(void)fputs("\"arrivals\":[", f);
	for (size_t i = 0; i < t->n_arrivals; i++) {
		const struct loom_arrival *a = &t->arrivals[i];
		(void)fprintf(f,
		              "%s\n{\"node\":%" PRIu32 ",\"source\":%" PRIu32 ",\"number\":%" PRIu32
		              ",\"destination\":%" PRIu32 ",\"pass\":%" PRIu32 ",\"flits\":%" PRIu32
		              ",\"first_cycle\":%" PRIu32 ",\"last_cycle\":%" PRIu32 ",\"intact\":%s"
		              ",\"logged_pass\":%" PRIu32 ",\"signature\":%" PRIu32,
		              i ? "," : "", a->node, a->source, a->number, a->destination, a->pass, a->flits,
		              a->first_cycle, a->last_cycle, a->intact ? "true" : "false", a->logged_pass,
		              a->signature);
		if (t->released)
			(void)fprintf(f, ",\"release\":%" PRIu32, a->release);
		(void)fputs("}", f);
	}
	(void)fputs("],\n", f);
}

static void put_counts(FILE *f, const struct loom_trace *t, uint32_t n_passes)
{
	(void)fputs("\"counts\":[", f);
	for (uint32_t pass = 0; pass < n_passes; pass++) {
		(void)fputs(pass ? ",\n[" : "\n[", f);
		for (uint32_t c = 0; c < t->n_channels; c++) {
			const struct loom_count *n = &t->counts[(size_t)pass * t->n_channels + c];
			(void)fprintf(f, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", c ? "," : "", n->worms, n->flits,
			              n->blocked_cycles);
		}
		(void)fputc(']', f);
	}
	(void)fputc(']', f);
}

// Puts what nodes and channels say; counts are of n_passes.
static void put_run(FILE *f, const struct loom_trace *t, uint32_t n_passes)
{
	put_per_node(f, "sent", t->sent, t->n_nodes);
	put_per_node(f, "corrupt", t->corrupt, t->n_nodes);
	put_arrivals(f, t);
	put_counts(f, t, n_passes);
}

static int put_trace(FILE *f, const void *user)
{
	const struct loom_trace *t = user, *b = t->back_to_back;
	const struct loom_payload *p = &t->payload;
	(void)fprintf(f, "{\"nodes\":%" PRIu32 ",\"channels\":%" PRIu32 ",\"passes\":%" PRIu32 ",\n", t->n_nodes,
	              t->n_channels, t->n_passes);
	(void)fprintf(f,
	              "\"payload\":{\"seed\":%" PRIu32 ",\"flit_bits\":%" PRIu32 ",\"label_bits\":%" PRIu32
	              ",\"state_bits\":%" PRIu32 ",\"signature_bits\":%" PRIu32 "},\n",
	              p->seed, p->flit_bits, p->label_bits, p->state_bits, p->signature_bits);
	put_run(f, t, t->n_passes);
	(void)fputs(",\n\"back_to_back\":", f);
	if (b) {
		(void)fprintf(f, "{\"began\":%" PRIu64 ",\n", b->began);
		put_run(f, b, 1);
		(void)fputs("}}\n", f);
	} else {
		(void)fputs("null}\n", f);
	}
	return 0;
}

int loom_report_trace(const char *path, const struct loom_trace *trace, struct loom_err *err)
{
	return loom_file_write(path, put_trace, trace, err);
}
