// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_HTML_TEXT_H
#define LOOM_REPORT_HTML_TEXT_H

#include <stdio.h>

// The text of a value of JSON that stands in a script: no "<" is in it, which would end that.
void loom_html_put_json(FILE *stream, const char *text);
void loom_html_put_string(FILE *stream, const char *text); // in quotes

#endif
