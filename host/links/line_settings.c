// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/line_settings.h"

#include <stdio.h>
#include <string.h>

static int fail_name(const struct loom_line_setting *settings, size_t n, const char *link, const char *word,
                     size_t length, struct loom_err *err)
{
	char names[120] = "";
	for (size_t i = 0, used = 0; i < n && used < sizeof names; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s=", i ? ", " : "", settings[i].name);
	return loom_fail(err, LOOM_EINPUT, "link %s: \"%.*s\" is no setting; there is: %s", link,
	                 length < 60 ? (int)length : 60, word, names);
}

static int get(const struct loom_line_setting *s, const char *link, const char *value, size_t length,
               struct loom_err *err)
{
	unsigned long long number = 0;
	int good = length > 0;
	if (s->text) {
		if (!good || length >= s->size)
			return loom_fail(err, LOOM_EINPUT, "link %s: %s= takes 1 to %zu characters", link, s->name,
			                 s->size - 1);
		(void)snprintf(s->text, s->size, "%.*s", (int)length, value);
		return 0;
	}
	for (size_t i = 0; good && i < length; i++) {
		good = value[i] >= '0' && value[i] <= '9' && number <= s->most;
		number = 10 * number + (unsigned long long)(value[i] - '0');
	}
	if (!good || number < s->least || number > s->most)
		return loom_fail(err, LOOM_EINPUT, "link %s: %s=%.*s is not a whole number in %u..%u", link, s->name,
		                 length < 40 ? (int)length : 40, value, s->least, s->most);
	*s->number = (unsigned)number;
	return 0;
}

int loom_line_settings_parse(const struct loom_line_setting *settings, size_t n, const char *link, const char *text,
                             struct loom_err *err)
{
	while (*text) {
		size_t all = strcspn(text, ","), name = strcspn(text, ",="), i = 0;
		while (i < n && !(strlen(settings[i].name) == name && strncmp(settings[i].name, text, name) == 0))
			i++;
		if (i == n || name == all)
			return fail_name(settings, n, link, text, all, err);
		int code = get(&settings[i], link, text + name + 1, all - name - 1, err);
		if (code)
			return code;
		text += all + (text[all] == ',');
	}
	return 0;
}
