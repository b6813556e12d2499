// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that --svg names: an SVG or, by the ending of its name, a PDF or a PNG, which rsvg-convert makes of it.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/tool.h"
#include "cli.h"
#include "cli_picture.h"

#define CONVERTER "rsvg-convert"
#define BYTES_MOST ((size_t)256 << 20) // of an SVG that is to be converted
#define ENDING_MOST 5                  // letters and digits; tmp.XXXXXXXXXX has no ending

// Returns ".pdf", or NULL. The ending of a folder's name does not count.
static const char *ending_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	if (!dot || dot == name)
		return NULL;
	size_t n = 1;
	while (isalnum((unsigned char)dot[n]))
		n++;
	return n > 1 && n <= 1 + ENDING_MOST && dot[n] == '\0' ? dot : NULL;
}

// Returns the name of the format for rsvg-convert; NULL: SVG.
static const char *format_of(const char *path)
{
	static const char *const formats[] = {"pdf", "png"};
	const char *ending = ending_of(path);
	for (size_t i = 0; ending && i < sizeof formats / sizeof formats[0]; i++)
		if (strcasecmp(ending + 1, formats[i]) == 0)
			return formats[i];
	return NULL;
}

int cli_picture_check(const char *path, struct loom_err *err)
{
	const char *ending = ending_of(path), *format = format_of(path);
	if (ending && !format && strcasecmp(ending, ".svg") != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "--svg: %.200s: pictures are SVG, PDF or PNG: NAME.svg, NAME.pdf, NAME.png", path);
	if (format && !loom_tool_is_installed(CONVERTER))
		return loom_fail(err, LOOM_EFILE,
		                 "--svg: %.200s: " CONVERTER ", which makes PDF and PNG, is not installed (apt-get "
		                 "install librsvg2-bin); NAME.svg takes none",
		                 path);
	return 0;
}

int cli_picture_begin(struct cli_picture *p, const char *path, struct loom_err *err)
{
	*p = (struct cli_picture){.path = path, .drawn = path};
	if (!format_of(path))
		return 0;
	const char *folder = getenv("TMPDIR");
	(void)snprintf(p->temporary, sizeof p->temporary, "%.200s/flitloom-XXXXXX",
	               folder && *folder ? folder : "/tmp");
	int fd = mkstemp(p->temporary);
	if (fd < 0) {
		p->temporary[0] = '\0';
		return loom_fail(err, LOOM_EFILE, "no temporary file for a picture in %.200s",
		                 folder && *folder ? folder : "/tmp");
	}
	(void)close(fd);
	p->drawn = p->temporary;
	return 0;
}

static int convert(const struct cli_picture *p, struct loom_err *err)
{
	char *svg = NULL, *made = NULL;
	size_t n_svg = 0, n_made = 0;
	char said[160];
	const char *const argv[] = {CONVERTER, "-f", format_of(p->path), NULL};
	struct loom_err why = {0};
	int rc = loom_file_read(&svg, &n_svg, p->drawn, BYTES_MOST, err);
	if (rc != 0)
		return rc;
	rc = loom_tool_run(&made, &n_made, said, argv, svg, n_svg, &why);
	free(svg);
	if (rc == 0 && n_made == 0)
		rc = loom_fail(&why, LOOM_EFILE, CONVERTER " wrote nothing");
	if (rc == 0)
		rc = loom_file_write_text(p->path, made, n_made, err);
	else
		(void)loom_fail(err, rc, "--svg: %.200s: %.100s%s%.150s", p->path, why.text, *said ? ": " : "", said);
	free(made);
	return rc;
}

int cli_picture_end(struct cli_picture *p, int rc, struct loom_err *err)
{
	if (rc == 0 && p->temporary[0])
		rc = convert(p, err);
	if (p->temporary[0])
		(void)unlink(p->temporary);
	p->temporary[0] = '\0';
	return rc;
}

int cli_picture_suits(const struct cli_request *request, const struct loom_panel *panels, size_t n,
                      struct loom_err *err)
{
	return request->svg ? loom_report_picture_check(request->svg, request->picture, panels, n, err) : 0;
}

int cli_picture_draw(const struct cli_request *request, const struct loom_panel *panels, size_t n, struct loom_err *err)
{
	struct cli_picture p = {0};
	int rc = cli_picture_suits(request, panels, n, err); // which names that file, not the temporary one
	if (rc == 0)
		rc = cli_picture_begin(&p, request->svg, err);
	if (rc == 0)
		rc = loom_report_picture(p.drawn, request->picture, panels, n, err);
	return p.path ? cli_picture_end(&p, rc, err) : rc;
}
