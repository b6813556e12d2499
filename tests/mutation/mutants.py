# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Makes all small changes of one C, C++ or SystemVerilog source that a slip of the hand could make.

A change is a range of the text and the text that replaces it. It never touches comments, strings, preprocessor lines, assertions,
tables of constants, declarations and (in Verilog) contracts and checks of parameters. It relies on the layout of the formatter:
only a binary operator has white space on both sides.
"""

import re
from collections import namedtuple

# start, end: offsets in the text; kind: of the change; new: the text put there
Mutant = namedtuple("Mutant", "start end kind new")
Token = namedtuple("Token", "kind text start end")

TOKENS = r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/ATTRIBUTE)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')
    |(?P<number>\d+'[sS]?[bodhBODH][0-9a-fA-F_xzXZ?]+|'[01]|0[xX][0-9a-fA-F]+[uUlL]*|\d+(?:\.\d+)?[uUlL]*)
    |(?P<name>[A-Za-z_$`][\w$]*(?:::\w+)?)
    |(?P<op><<<|>>>|<<=|>>=|===|!==|\+:|-:|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^~]=|<<|>>|~\^|\.\.\.|[-+*/%<>=!&|^~?])
    |(?P<punct>[()\[\]{};,:.\#@'\\])"""
C_TOKEN = re.compile(TOKENS.replace("ATTRIBUTE", ""), re.X | re.S)
VERILOG_TOKEN = re.compile(TOKENS.replace("ATTRIBUTE", r"|\(\*.*?\*\)"), re.X | re.S)  # in C `(*` is no attribute

# The operators by which a binary operator may be replaced by mistake.
BINARY = {
    "<": ["<=", ">"], ">": [">=", "<"], "<=": ["<", ">="], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "+=": ["-="], "-=": ["+="], "*=": ["+="], "|=": ["&="], "&=": ["|="], "^=": ["|="],
}
C_TYPES = set("const static struct enum union unsigned signed int char bool void short long float double size_t FILE register "
              "volatile extern typedef auto class using".split())
VERILOG_TYPES = set("const static logic wire reg localparam parameter integer genvar".split())
C_NO_STATEMENT = set("if for while do switch case default else return".split())
VERILOG_NO_STATEMENT = set("if for while case default else assign always_ff always_comb generate end endcase".split())
# Also calloc, which only multiplies its two arguments.
NEVER_CALLS = set("if for while switch return sizeof else do case calloc".split())


def tokenize(text, pattern):
    tokens, at = [], 0
    while at < len(text):
        m = pattern.match(text, at)
        if not m:
            raise SystemExit(f"mutants: cannot read {text[at:at + 40]!r}")
        if m.lastgroup != "space":
            tokens.append(Token(m.lastgroup, m.group(), m.start(), m.end()))
        at = m.end()
    return tokens


def blank(text, pattern, flags=re.M):
    """Returns the text with spaces in place of what matches; offsets stay."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=flags)


def matching(tokens):
    """Returns the index of the partner of each bracket."""
    partner, stack = {}, []
    for i, t in enumerate(tokens):
        if t.text in ("(", "[", "{") and t.kind == "punct":
            stack.append(i)
        elif t.text in (")", "]", "}") and t.kind == "punct":
            if stack:
                j = stack.pop()
                partner[i], partner[j] = j, i
    return partner


class Source:
    def __init__(self, path, text):
        self.text = text
        self.verilog, self.cpp = path.endswith(".sv"), path.endswith(".cpp")
        seen = self.hide_verilog(text) if self.verilog else blank(text, r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*")
        self.tokens = tokenize(seen, VERILOG_TOKEN if self.verilog else C_TOKEN)
        self.partner = matching(self.tokens)
        self.code = self.find_code()
        self.found = []

    @staticmethod
    def hide_verilog(text):
        text = blank(text, r"^`ifdef FORMAL\n.*?^`endif", re.M | re.S)
        text = blank(text, r"^[ \t]*if \([^;]*?\)\s*(?:begin : \w+\s*)?illegal_\w+ u_\w+ \(\);")  # checks of parameters
        return blank(text, r"^`.*$")

    def find_code(self):
        """Returns for each token True if it is within a function, or in a module behind the ports."""
        tokens, code = self.tokens, [False] * len(self.tokens)
        if self.verilog:
            begin = next((i for i, t in enumerate(tokens) if t.text == ";"), len(tokens))
            for i in range(begin + 1, len(tokens)):
                code[i] = True
        else:
            i = 0
            while i < len(tokens):
                if tokens[i].text == "{" and not (self.cpp and self.opens_scope(i)):
                    end = self.partner[i]
                    if self.is_body(i):
                        for k in range(i, end + 1):
                            code[k] = True
                    i = end
                i += 1
        i = 0
        while i < len(tokens):
            t = tokens[i].text
            if code[i] and t in ("static", "assert", "sizeof", "localparam", "parameter", "genvar", "_Static_assert"):
                end = i
                if t == "sizeof":
                    end = self.partner[i + 1] if tokens[i + 1].text == "(" else i + 2
                elif not (t == "genvar" and tokens[i - 1].text == "("):
                    while tokens[end].text != ";":
                        end = self.partner[end] + 1 if tokens[end].text in "([{" else end + 1
                for k in range(i, end + 1):
                    code[k] = False
                i = end
            i += 1
        return code

    def opens_scope(self, i):
        """True if a brace in C++ opens a namespace or a class."""
        k = i - 1
        while k >= 0 and self.tokens[k].text not in (";", "{", "}", "(", ")", "="):
            k -= 1
        head = {t.text for t in self.tokens[k + 1 : i]}
        return "enum" not in head and bool(head & {"namespace", "class", "struct", "union", "extern"})

    def is_body(self, i):
        """True if a brace outside of functions opens a function."""
        k = i - 1
        if not self.cpp:
            return self.tokens[k].text == ")"
        while self.tokens[k].text in ("const", "override", "noexcept", "final"):
            k -= 1
        return self.tokens[k].text in (")", "}")  # a brace: the last of a constructor's initial values

    def add(self, first, last, kind, new):
        """Adds the change of tokens first to last (included) to `new`; line breaks stay, so that later lines keep their numbers."""
        start, end = self.tokens[first].start, self.tokens[last].end
        if new != self.text[start:end]:
            new += "\n" * max(0, self.text.count("\n", start, end) - new.count("\n"))
            self.found.append(Mutant(start, end, kind, new))

    def slice(self, first, last):
        return self.text[self.tokens[first].start : self.tokens[last].end] if first <= last else ""

    def is_binary(self, i):
        t = self.tokens[i]
        return self.text[t.start - 1].isspace() and self.text[t.end].isspace()

    def is_assignment(self, i):
        """True of `<=` in Verilog if nothing but a target stands between it and the beginning of the statement."""
        k = i - 1
        while k > 0 and self.tokens[k].text not in (";", "begin", "else", "end", "(") and self.tokens[k].kind != "op":
            if self.tokens[k].text in ("]", "}"):
                k = self.partner[k]
            elif self.tokens[k].text == ")":
                return True
            k -= 1
        return self.tokens[k].text in (";", "begin", "else", "end")

    def operators(self, i):
        t = self.tokens[i]
        if t.kind == "op" and t.text in ("!", "~") and not self.is_binary(i):
            self.add(i, i, "not dropped", "")
        elif t.kind == "op" and t.text in ("++", "--"):
            self.add(i, i, "step", "--" if t.text == "++" else "++")
        elif t.kind == "op" and t.text in ("&", "|") and self.verilog and not self.is_binary(i):
            self.add(i, i, "reduction", "|" if t.text == "&" else "&")
        elif t.kind == "op" and t.text == "-" and not self.is_binary(i):
            if not self.is_a_size(i):
                self.add(i, i, "minus dropped", "")
        elif t.kind == "op" and t.text == "?":
            self.ternary(i)
        elif t.kind == "op" and t.text in BINARY and self.is_binary(i):
            if self.verilog and t.text == "<=" and self.is_assignment(i):
                return
            for other in BINARY[t.text]:
                if not (set(t.text + other) <= set("<>=") and t.text[0] == other[0] and self.is_extreme(i)):
                    self.add(i, i, "operator", other)

    def operand(self, i, step):
        """Returns the text on one side of a comparison, without white space, and the index behind it."""
        k = i + step
        while self.tokens[k].text not in ("&&", "||", "?", ":", ";", ",", "=", "return", "{", "}", "(", ")"):
            k += step
            while self.tokens[k].text in (")", "]") if step < 0 else self.tokens[k].text in ("(", "["):
                k = self.partner[k] + step
        text = self.slice(i + 1, k - 1) if step > 0 else self.slice(k + 1, i - 1)
        return "".join(text.split()), k

    def is_extreme(self, i):
        """True if a comparison takes the larger or smaller of two. Then it does not matter which of equals it takes."""
        left, _ = self.operand(i, -1)
        right, k = self.operand(i, 1)
        if self.tokens[k].text == "?":
            follows = "".join(self.slice(k + 1, k + 60).split()) if k + 60 < len(self.tokens) else ""
            return any(re.match(re.escape(x) + r"(?![\w.\[(]|->)", follows)
                       for x in (f"{left}:{right}", f"{right}:{left}"))
        while self.tokens[k].text == "&&" or self.tokens[k].text in ("==", "!=", "||"):
            _, k = self.operand(k, 1)
        if self.tokens[k].text == ")" and k + 1 < len(self.tokens):
            end = self.statement_end(k + 1)
            follows = "".join(self.slice(k + 1, end).split()) if end else ""
            return follows in (f"{left}={right};", f"{right}={left};")
        return False

    def ternary(self, i):
        """Exchanges the two values of a conditional expression."""
        depth, k, colon = 0, i + 1, None
        while k < len(self.tokens):
            t = self.tokens[k].text
            if t in "([{" and self.tokens[k].kind == "punct":
                k = self.partner[k]
            elif t == "?":
                depth += 1
            elif t == ":" and depth:
                depth -= 1
            elif t == ":" and colon is None:
                colon = k
            elif t in (";", ",", ")", "]", "}") or t == ":":
                break
            k += 1
        if colon:
            self.add(i + 1, k - 1, "branches exchanged",
                     self.slice(colon + 1, k - 1) + " : " + self.slice(i + 1, colon - 1))

    def numbers(self, i):
        t = self.tokens[i]
        if t.kind == "name" and t.text in ("true", "false"):
            self.add(i, i, "constant", "false" if t.text == "true" else "true")
        if t.kind != "number" or self.is_a_size(i):
            return
        if t.text in ("'0", "'1"):
            self.add(i, i, "constant", "'1" if t.text == "'0" else "'0")
            return
        m = re.fullmatch(r"(\d*'[sS]?)?([bodhBODH])?(0[xX])?([0-9a-fA-F_]+?)([uUlL]*)", t.text)
        if not m:
            return
        size, base, x, digits, suffix = (g or "" for g in m.groups())
        radix = {"b": 2, "o": 8, "h": 16}.get(base.lower(), 16 if x else 10)
        value = int(digits.replace("_", ""), radix)
        letter = {2: "b", 8: "o", 16: "x"}.get(radix, "d")
        for other in (value + 1, value - 1):
            if other < 0 or size and other >= 1 << int(size.split("'")[0] or 32):
                continue
            self.add(i, i, "constant", size + base + x + format(other, letter) + suffix)

    def is_a_size(self, i):
        """True in a declared array or signal, in a cast, or for the whole of a return, which has a change of its own."""
        k = i
        while self.tokens[k].text not in ("[", ";", "{", "("):
            k -= 1
        before, two = self.tokens[k - 1], self.tokens[k - 2]
        if self.tokens[k].text == "[" and self.verilog and before.text in ("logic", "wire"):
            return True
        if self.tokens[k].text == "[" and not self.verilog and before.kind == "name" and two.kind == "name":
            return two.text != "return"
        return self.tokens[i + 1].text == "'" or self.tokens[i - 1].text == "return"

    def conditions(self, i):
        t = self.tokens[i].text
        if t in ("if", "while") and self.tokens[i + 1].text == "(":
            end = self.partner[i + 1]
            self.add(i + 1, end, "condition negated", "(!(" + self.slice(i + 2, end - 1) + "))")

    def statement_end(self, i):
        """Returns the index of the semicolon of the statement that begins at i; None if it does not end in one."""
        k = i
        while k < len(self.tokens):
            t = self.tokens[k].text
            if t in "([{" and self.tokens[k].kind == "punct":
                k = self.partner[k]
            elif t == "}" or self.verilog and t in ("begin", "end"):
                return None
            elif t == ";":
                return k
            k += 1
        return None

    def begins_statement(self, i):
        before = self.tokens[i - 1].text
        if before in ({"{", "}", ";", "else", "begin", "end"} if self.verilog else {"{", "}", ";", "else", "do"}):
            return not (before == ";" and self.within_parentheses(i))
        if before == ")":
            head = self.tokens[self.partner[i - 1] - 1].text
            return head in ("if", "for", "while", "switch", "always_ff", "@")
        return before == ":" and self.verilog

    def within_parentheses(self, i):
        depth = 0
        for k in range(i - 1, -1, -1):
            t = self.tokens[k].text
            if t in (")", "]", "}"):
                depth += 1
            elif t in ("(", "[", "{"):
                if depth == 0:
                    return t == "("
                depth -= 1
        return False

    def statements(self, i):
        t = self.tokens[i]
        if t.kind != "name" and t.text not in ("*", "{", "(") or not self.begins_statement(i):
            return
        following = self.tokens[i + 1]
        if t.text in (VERILOG_TYPES | VERILOG_NO_STATEMENT if self.verilog else C_TYPES | C_NO_STATEMENT):
            return
        if t.text == "{" and not self.verilog:
            return
        # `type name` and `type *name` are declarations; a label is no statement.
        if following.text == ":" or (following.kind == "name" and t.text != "goto"):
            return
        if following.text == "*" and not self.is_binary(i + 1):
            return
        end = self.statement_end(i)
        if end is None:
            return
        if self.verilog and not any(self.tokens[k].text in ("=", "<=") for k in range(i, end)):
            return
        self.add(i, end, "statement dropped", ";")

    def returns(self, i):
        if self.verilog or self.tokens[i].text != "return":
            return
        end = self.statement_end(i)
        value = self.slice(i + 1, end - 1)
        if value in ("", "true", "false", "NULL", "nullptr"):
            return
        if value == "0":
            self.add(i, end, "return", "return -8;")
        elif re.match(r"loom_fail\b", value):
            self.add(i, end, "return", f"return ({value}, 0);")
        else:
            self.add(i, end, "return", "return 0;")

    def arguments(self, i):
        t = self.tokens[i]
        if self.verilog or t.kind != "name" or t.text in NEVER_CALLS or self.tokens[i + 1].text != "(":
            return
        end, parts, first, k = self.partner[i + 1], [], i + 2, i + 2
        while k <= end:
            text = self.tokens[k].text
            if text in "([{" and self.tokens[k].kind == "punct":
                k = self.partner[k]
            elif text == "," or k == end:
                parts.append((first, k - 1))
                first = k + 1
            k += 1
        for (a, b), (c, d) in zip(parts, parts[1:]):
            one, two = self.slice(a, b), self.slice(c, d)
            if '"' not in one and '"' not in two and one != two:
                self.add(a, d, "arguments exchanged", two + ", " + one)

    def mutants(self):
        for i in range(len(self.tokens) - 1):
            if self.code[i]:
                self.operators(i)
                self.numbers(i)
                self.conditions(i)
                self.statements(i)
                self.returns(i)
                self.arguments(i)
        return self.found


def all_mutants(path, text):
    return Source(path, text).mutants()


def apply(text, mutant):
    return text[: mutant.start] + mutant.new + text[mutant.end :]


def lines_of(text, mutant):
    """Returns the line or lines that a mutant touches, before and after, with single spaces."""
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.end)
    before, after = text[first:last], text[first : mutant.start] + mutant.new + text[mutant.end : last]
    return " ".join(before.split()), " ".join(after.split()), text.count("\n", 0, mutant.start) + 1
