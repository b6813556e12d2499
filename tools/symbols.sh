#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: symbols.sh LIBRARY VERSION [LIST]
# Prints the exports of the shared object LIBRARY as the symbols file of a Debian package (deb-symbols(5)): each symbol
# with the version that first had it, which is that of LIST, or VERSION for a symbol that LIST does not have.
set -eu
library=$1 version=$2 list=${3:-/dev/null}
soname=$(objdump -p "$library" | awk '$1 == "SONAME" {print $2}')
series=${soname#libflitloom.so.}
echo "$soname libflitloom$series #MINVER#"
{
	echo "FLITLOOM_$series@FLITLOOM_$series"
	nm -D --defined-only "$library" | awk '$2 ~ /[TDBR]/ {sub("@@", "@", $3); print $3}'
} | LC_ALL=C sort -u | awk -v version="$version" -v list="$list" '
	BEGIN { while ((getline line < list) > 0) { split(line, word, " "); since[word[1]] = word[2] } }
	{ print " " $1, ($1 in since) ? since[$1] : version }'
