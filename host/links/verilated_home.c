// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the RTL: named by the user, beside the library or program that this code is part of, or where `make install`
// would put it. In a source tree only the build/ within it leads there: what is installed never does.
#include "links/verilated_home.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef LOOM_DATADIR // `make install` says where that is (mk/install.mk)
#define LOOM_DATADIR "/usr/local/share/flitloom"
#endif

// Finds the file from which this code was loaded: a shared library, or the program itself, whose name is not always
// its path.
static bool find_object(char out[PATH_MAX])
{
	Dl_info here, program;
	void *at = NULL;
	int (*function)(char[PATH_MAX], bool *, struct loom_err *) = loom_verilated_home;
	memcpy(&at, &function, sizeof at);
	bool is_library = dladdr(at, &here) != 0 &&
	                  dladdr((const void *)(uintptr_t)getauxval(AT_ENTRY), &program) != 0 &&
	                  here.dli_fbase != program.dli_fbase;
	return realpath(is_library ? here.dli_fname : "/proc/self/exe", out) != NULL;
}

static bool has_rtl(const char *folder)
{
	char path[PATH_MAX + 32];
	(void)snprintf(path, sizeof path, "%s/tools/model.sh", folder);
	if (access(path, X_OK) != 0)
		return false;
	(void)snprintf(path, sizeof path, "%s/rtl", folder);
	return access(path, R_OK) == 0;
}

// Cuts off the last name. False: none is left.
static bool up(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

static bool is_build(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && strcmp(slash, "/build") == 0;
}

// PREFIX/bin and PREFIX/lib/TRIPLET have PREFIX/share/flitloom; build/flitloom and build/tests/test_x the tree.
static bool find_near(char out[PATH_MAX], bool *is_tree, const char *object)
{
	char at[PATH_MAX], tried[PATH_MAX + 32];
	(void)snprintf(at, sizeof at, "%s", object);
	for (int levels = 0; levels < 2 && up(at); levels++) {
		(void)snprintf(tried, sizeof tried, "%s/../share/flitloom", at);
		if (has_rtl(tried))
			return realpath(tried, out) != NULL;
		(void)snprintf(tried, sizeof tried, "%s/..", at);
		if (is_build(at) && has_rtl(tried)) {
			*is_tree = true;
			return realpath(tried, out) != NULL;
		}
	}
	return false;
}

int loom_verilated_home(char out[PATH_MAX], bool *is_tree, struct loom_err *err)
{
	const char *named = getenv("FLITLOOM_HOME");
	char object[PATH_MAX], beside[PATH_MAX];
	*is_tree = false;
	if (named && *named) {
		if (!has_rtl(named) || !realpath(named, out))
			return loom_fail(err, LOOM_ELINK,
			                 "FLITLOOM_HOME is %.200s, which does not hold flitloom's rtl/ and tools/",
			                 named);
		bool near = false;
		*is_tree = find_object(object) && find_near(beside, &near, object) && near && strcmp(beside, out) == 0;
		return 0;
	}
	if (find_object(object) && find_near(out, is_tree, object))
		return 0;
	if (has_rtl(LOOM_DATADIR) && realpath(LOOM_DATADIR, out))
		return 0;
	return loom_fail(err, LOOM_ELINK,
	                 "there is no %.200s: set FLITLOOM_HOME to the folder which holds flitloom's rtl/ and tools/",
	                 LOOM_DATADIR);
}
