#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests every docs/tutorial-*.md. Its ```sh blocks run in their order, exactly as printed, in a folder that looks to
# them like the tree. Each ends with status 0 and prints the ```text block behind it, in which a line "..." stands for
# any lines. test_tutorials.sh [PAGE...], all by default. Ends in "N passed, N failed". Needs python3, iverilog and
# gnuplot.
set -u
(($#)) || set -- docs/tutorial-*.md
pages=$(realpath -- "$@") || exit 2
. "$(dirname "$0")/scratch.sh"
make -s -C "$home" build/flitloom || exit 2
FLITLOOM_CACHE=${FLITLOOM_CACHE:-$home/build/models}
export FLITLOOM_CACHE

# promised WANTED SAID: file SAID has the lines of WANTED and no others; a line "..." of WANTED stands for any lines.
promised() {
	python3 - "$1" "$2" <<'END'
import re, sys
wanted, said = (open(name).read() for name in sys.argv[1:])
parts = [r"(?:.*\n)*?" if line == "..." else re.escape(line + "\n") for line in wanted.splitlines()]
sys.exit(0 if re.fullmatch("".join(parts), said) else 1)
END
}

for page in $pages; do
	name=$(basename "$page" .md)
	mkdir -p "$name/build" "$name.blocks"
	ln -s "$home/rtl" "$name/rtl"
	ln -s "$home/build/flitloom" "$name/build/"
	# 01.sh, 02.sh, ... and 01.text: what the first one promises
	awk -v out="$name.blocks/" '
		/^```/ { open = on != ""; on = ""; if (open) next }
		/^```sh$/ { on = out sprintf("%02d", ++n) ".sh" }
		/^```text$/ { on = out sprintf("%02d", n) ".text" }
		/^```/ { if (on == "") on = "/dev/null"; else printf "" >on; next }
		on != "" { print >on }' "$page"
	for block in "$name.blocks"/*.sh; do
		said=$folder/${block%.sh}.said
		(cd "$name" && bash -eu "$folder/$block") >"$said" 2>"$said.err"
		status=$?
		what="$name, block $(basename "$block" .sh)"
		check "$what: status $status: $(tail -n 2 "$said.err")" test "$status" = 0
		[ ! -e "${block%.sh}.text" ] || check "$what: it says not what the page promises: $(diff "${block%.sh}.text" "$said" | head -n 12)" \
			promised "${block%.sh}.text" "$said"
	done
	check "$name: it promises something" eval 'ls "$name.blocks"/*.text >ls.out 2>&1'
	check "$name: all blocks have a command before them" test ! -e "$name.blocks/00.text"
	check "$name: all it writes is under build/tutorial: $(cd "$name" && ls -d -- * build/*)" \
		test "$(cd "$name" && ls -d -- * build/* | tr '\n' ' ')" = 'build build/flitloom build/tutorial rtl '
done
finish
