// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_HTML_TEXT_H
#define LOOM_REPORT_HTML_TEXT_H

#include <stdio.h>

// Writes a JSON value inside a script. It escapes "<", which could end the script.
void loom_html_put_json(FILE *stream, const char *text);
void loom_html_put_string(FILE *stream, const char *text); // in quotes

#endif
