// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON of a comparison: one document, with the reports of both.
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli.h"
#include "report/report_request.h"

int cli_compared_begin(struct cli_compared *c, struct loom_err *err)
{
	c->stream = open_memstream(&c->text, &c->size);
	return c->stream ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
}

int cli_compared_put(struct cli_compared *c, const struct cli_request *request, bool own_lengths, bool same,
                     struct loom_err *err)
{
	struct cli_asked asked = {0};
	bool whole = fclose(c->stream) == 0 && c->text;
	c->stream = NULL;
	int rc = whole ? cli_asked(&asked, request, NULL, own_lengths, err) : LOOM_ENOMEM;
	json_t *object = rc == 0 ? loom_report_request_json(&asked.said) : NULL;
	char *text = object ? loom_json_text(object) : NULL;
	json_decref(object);
	cli_asked_free(&asked);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	for (char *line = strchr(c->text, '\n'); line && line[1]; line = strchr(line, '\n'))
		*line = ',';
	(void)printf("{\"request\":%s,\"same\":%s,\"reports\":[%.*s]}\n", text, same ? "true" : "false",
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
