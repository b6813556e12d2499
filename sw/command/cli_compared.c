// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON of a comparison: one document, with the reports of both.
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_terminal.h"

int cli_compared_begin(struct cli_compared *c, struct loom_err *err)
{
	c->stream = open_memstream(&c->text, &c->size);
	return c->stream ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
}

int cli_compared_put(FILE *out, struct cli_compared *c, const struct cli_request *request, bool own_lengths, bool same,
                     struct loom_err *err)
{
	bool whole = fclose(c->stream) == 0 && c->text;
	c->stream = NULL;
	if (!whole)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	char *text = cli_asked_text(request, NULL, own_lengths, err);
	if (!text)
		return LOOM_ENOMEM;
	for (char *line = strchr(c->text, '\n'); line && line[1]; line = strchr(line, '\n'))
		*line = ',';
	(void)fprintf(out, "{\"request\":%s,\"same\":%s,\"reports\":[%.*s]}\n", text, same ? "true" : "false",
	              (int)strcspn(c->text, "\n"), c->text);
	free(text);
	return cli_flush(err);
}

void cli_compared_free(struct cli_compared *c)
{
	if (c->stream)
		(void)fclose(c->stream);
	free(c->text);
	*c = (struct cli_compared){0};
}
