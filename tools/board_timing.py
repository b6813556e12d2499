#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: board_timing.py BOARD FABRIC REPORT [--markdown]
# One line of what nextpnr reports of a placed and routed design: logic, registers, memories, clock, slack.
import json
import sys

LOGIC = {"ICESTORM_LC": "logic cells", "TRELLIS_COMB": "LUTs", "TRELLIS_FF": "registers",
         "ICESTORM_RAM": "block RAMs", "DP16KD": "block RAMs", "ICESTORM_PLL": None}


def main():
    board, fabric, path = sys.argv[1:4]
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"board_timing.py: no report of {board} {fabric}: {error}")
    used = [f"{report['utilization'][cell]['used']} of {report['utilization'][cell]['available']} {name}"
            for cell, name in LOGIC.items() if name and cell in report["utilization"]]
    clock, fmax = max(report["fmax"].items(), key=lambda item: item[1]["constraint"])
    asked, got = fmax["constraint"], fmax["achieved"]
    slack_ns = 1e3 / asked - 1e3 / got
    fields = [board, fabric, ", ".join(used), f"{asked:.2f} MHz", f"{got:.2f} MHz", f"{slack_ns:+.1f} ns"]
    if sys.argv[4:] == ["--markdown"]:
        print("| " + " | ".join(fields) + " |")
    else:
        print(f"{board} {fabric}: {fields[2]}; clock {fields[3]}, at most {fields[4]}, slack {fields[5]}")


main()
