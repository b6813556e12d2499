#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: netlist.py BITSTREAM.bin PINS.pcf OUT.v

Writes the contents of an iCE40 bitstream as Verilog: module `netlist`, whose ports are the pins that the constraints name. For
the link sim-uart and tools/model.sh.
"""
import os
import re
import subprocess
import sys
import tempfile


def run(*words):
    try:
        done = subprocess.run(words, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit(f"netlist.py: {words[0]} is not installed (apt-get install fpga-icestorm)")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"netlist.py: {words[0]}: {(failed.stderr.strip() or 'failed').splitlines()[-1]}")
    return done.stdout


def mend(text):
    """icebox_vlog declares what is a port a second time, which Verilator refuses: in the head only, with its kind."""
    head, body = re.match(r"(\s*module netlist \(.*?\);)(.*)", text, re.S).groups()
    ports = set(re.findall(r"(?:input|output|inout) (\S+)", head.replace(",", " ").replace(");", " ")))
    registers = set()

    def declare(found):
        kept = []
        for item in re.split(r",\s*", found[2].strip()):
            name = item.split()[0]
            if name not in ports:
                kept.append(item)
            elif found[1] == "reg":
                registers.add(name)
        return f"{found[1]} {', '.join(item + ' ' for item in kept)};" if kept else ""

    body = re.sub(r"^(wire|reg) (?!\[)(.*?);", declare, body, flags=re.M | re.S)
    for name in registers:
        head = re.sub(rf"output {re.escape(name)}(?=[\s,)])", lambda m, n=name: f"output reg {n} = 0", head)
    return head + body


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    bits, pins, out = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        unpacked = os.path.join(folder, "bits.asc")
        run("iceunpack", bits, unpacked)
        text = run("icebox_vlog", "-s", "-n", "netlist", "-p", pins, unpacked)
    temporary = f"{out}.{os.getpid()}"
    with open(temporary, "w", encoding="ascii") as file:
        file.write(mend(text))
    os.replace(temporary, out)


main()
