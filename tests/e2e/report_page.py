# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Reads HTML reports for tests: what a browser takes from the file, and the data of a run, whose form
host/report/report_html_run.c describes. Written independently of host/report/page/.
"""
import base64
import hashlib
import json
import re


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as it:
            self.text = it.read()
        self.size = len(self.text.encode())
        self.script = self.only(r"<script>(.*?)</script>")
        self.style = self.only(r"<style>(.*?)</style>")
        self.report_text = self.only(r'<script type="application/json" id="report">(.*?)</script>')
        self.report = json.loads(self.report_text)
        self.data = json.loads(self.only(r'<script type="application/json" id="runs">(.*?)</script>'))
        self.policy = self.only(r'<meta http-equiv="Content-Security-Policy" content="(.*?)">')
        self.runs = [Run(raw) for raw in self.data["runs"]]

    def only(self, pattern):
        found = re.findall(pattern, self.text, re.S)
        if len(found) != 1:
            raise ValueError(f"{pattern}: {len(found)} of them")
        return found[0]

    def faults(self):
        """Finds the parts that a browser would refuse, or would have to load from elsewhere."""
        said = []
        for name, text in (("script-src", self.script), ("style-src", self.style)):
            want = "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            if f"{name} '{want}'" not in self.policy:
                said.append(f"{name}: the policy has not {want}")
        if not self.policy.startswith("default-src 'none';"):
            said.append(f"the policy is {self.policy}")
        if len(self.script.encode()) > 60000:
            said.append(f"a script of {len(self.script.encode())} bytes")
        markup = re.sub(r"<(script|style)\b.*?</\1>", "", self.text, flags=re.S)
        for bad in re.findall(r"<[^>]*\s(?:on\w+|style|src|href)=[^>]*>", markup)[:3]:
            said.append(f"in the document: {bad[:120]}")
        for link in re.findall(r"\bhttps?://[^\s\"'<]*", self.text):
            if link != "http://www.w3.org/2000/svg":
                said.append(f"an address: {link}")
        if markup.count("<svg") != markup.count("</svg>"):
            said.append("an SVG that does not end")
        return said


def steps(word):
    out = []
    for digit, large, times in re.findall(r"(?:([0-9a-z])|\((\d+)\))([A-Z]?)", word):
        out += [int(digit, 36) if digit else int(large)] * (ord(times) - 64 if times else 1)
    return out


class Run:
    def __init__(self, raw):
        self.raw = raw
        self.n = raw["first"][-1]
        self.place = {c[0]: k for k, c in enumerate(raw["channels"])}
        self.words = raw["ways"].split(" ") if self.n else []
        self.waits = {row[0]: row[1:] for row in raw.get("x", [])}
        width = raw["digits"]
        self.source, self.destination = ([int(raw[name][k * width:(k + 1) * width], 36) for k in range(self.n)] for name in "sd")
        self.passes = [p for p in range(raw["passes"]) for _ in range(raw["first"][p], raw["first"][p + 1])]

    def column(self, name, i):
        value = self.raw[name]
        return value[i] if isinstance(value, list) else value

    def node(self, processor):
        return self.raw["map"][processor] if "map" in self.raw else processor

    def way(self, i):
        """Returns the places of the channels on the route of message i."""
        if self.words[i] == "-":
            return []
        first = self.node(self.source[i]) * self.raw["per_tile"] + self.raw["inject"]
        last = self.node(self.destination[i]) * self.raw["per_tile"] + self.raw["inject"] - 1
        way = [self.place[first]]
        for step in steps(self.words[i]):
            way.append(self.raw["next"][way[-1]][step])
        return way + [self.place[last]]

    def crossings(self, i):
        """Returns (place, request, header, tail) of each channel of the route: the last three are cycles."""
        waits = self.waits.get(i, [])
        extra = {waits[k]: waits[k + 1:k + 4] for k in range(0, len(waits), 4)}
        asks, out = self.column("o", i), []
        for k, place in enumerate(self.way(i)):
            da, dg, dt = extra.get(k, (0, 0, 0))
            asked = asks + da
            header = asked + dg
            out.append((place, asked, header, header + self.column("f", i) - 1 + dt))
            asks = header + 1 + self.raw["channels"][place][3]
        return out

    def times(self, i):
        """Returns the cycles of header and tail at the receiver."""
        if "h" in self.raw:
            return self.column("h", i), self.column("t", i)
        return self.crossings(i)[-1][2:]

    def loads(self):
        """Returns messages and flits, by pass and place."""
        out = {}
        for i in range(self.n):
            for place in self.way(i):
                at = out.setdefault((self.passes[i], place), [0, 0])
                at[0] += 1
                at[1] += self.column("f", i)
        return out

    def blocked(self):
        return {(p, row[k]): row[k + 1] for p, row in enumerate(self.raw.get("b", [])) for k in range(0, len(row), 2)}
