#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: node_parameter.sh [FIELD=VALUE...]
# Prints the parameter NODE as a Verilog number: the default of rtl/chip/node_config.sv with these fields changed.
# RTL=dir reads that file from another folder. Exits 2 if there is no such field.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
awk -v words="$*" '
	BEGIN {
		for (i = split(words, word, " "); i > 0; i--) {
			split(word[i], part, "=")
			wanted[part[1]] = part[2]
		}
	}
	/^  localparam integer BITS = / { bits = $5 + 0 }
	/^  localparam integer / { low[$3] = $5 + 0 }
	/^  localparam .* DEFAULT =$/ { in_default = 1 }
	in_default && match($0, /field\([A-Z_]+, [0-9]+\)/) {
		split(substr($0, RSTART + 6, RLENGTH - 7), part, ", ")
		value[low[part[1]]] = part[1] in wanted ? wanted[part[1]] : part[2]
		known[part[1]]
	}
	/;$/ { in_default = 0 }
	END {
		for (name in wanted)
			if (!(name in known)) {
				print "node_parameter.sh: no field " name >"/dev/stderr"
				exit 2
			}
		printf "%d'"'"'h", bits
		for (at = bits - 32; at >= 0; at -= 32)
			printf "%08x", value[at]
		print ""
	}' "${RTL:-$root/rtl}/chip/node_config.sv"
