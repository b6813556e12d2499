#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Order in the house, for developers: circles of use between objects (by nm) and between the rooms of host/, circles of
# includes between files and between rooms, private headers of other rooms than host/base in the command, two headers with one guard,
# two sources of one name, and sources of host/ and rtl/ of more than 400 lines whose first comment does not say "Over 400 lines
# because ...".
# Needs the objects of build/flitloom. Prints one line for each finding; exits 1 when there is one.
import collections
import fnmatch
import pathlib
import re
import subprocess
import sys

LINES = 400

# Uses and includes that may close a circle, "what: user -> used", and why. `*` stands for any text. Finding none is an
# error: then the entry has to go.
ALLOWED = {
    'uses: host/pattern/pattern_set.c -> host/pattern/*': 'members of set: are patterns, found and read like any other',
    'uses: host/pattern/demand_parse.c -> host/pattern/*': 'terms of a demand are patterns, found and read like any other',
    'uses: host/links/fault.c -> host/links/link.c': 'fault: is around another link, found among all of them',
    'uses of rooms: plan -> machine': 'planners order and best ask how long a plan takes; the machine asks the plan for its routes',
    'includes of rooms: plan -> machine': 'the same',
}

# Cases that are not mended yet. This list only gets shorter; an entry that excuses nothing any more is named.
KNOWN = {
    'private: sw/command/* -> host/links/rtl_module.h': 'no public call tells the ports of a module that flitloom rtl wraps',
}

used_entries = set()


def circles(graph):
    """The strongly connected sets of more than one node, and nodes that lead to themselves."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return [c for c in found if len(c) > 1 or c[0] in graph.get(c[0], ())]


def excused(what, entries):
    """Returns true if one of the entries is about it; remembers which."""
    found = [entry for entry in entries if fnmatch.fnmatchcase(what, entry)]
    used_entries.update(found)
    return bool(found)


def without_excused(graph, what, entries):
    """The graph less the edges of circles that an entry excuses."""
    left = {user: set(used) for user, used in graph.items()}
    for circle in circles(graph):
        for user in circle:
            left[user] -= {used for used in set(circle) & left[user] if excused(f'{what}: {user} -> {used}', entries)}
    return left


def report_circles(graph, what, how=None):
    findings = 0
    graph = without_excused(without_excused(graph, what, ALLOWED), what, KNOWN)
    for circle in circles(graph):
        findings += 1
        print(f'{what}: a circle of {", ".join(circle)}')
        for user in circle:
            for used in sorted(graph[user] & set(circle)):
                names = sorted(how[user, used])[:4] if how else []
                print(f'  {user} -> {used}' + (f' ({", ".join(names)})' if names else ''))
    return findings


def room(path):
    parts = pathlib.PurePath(path).parts
    return parts[1] if parts[0] == 'host' else parts[0]


def symbols(sources):
    """For each source: the symbols that its object defines, and those that it needs."""
    objects = [pathlib.Path('build/obj') / source.with_suffix('.o') for source in sources]
    for object_file in objects:
        if not object_file.exists():
            sys.exit(f'circles: {object_file} is missing; make build/flitloom')
    found = {}
    for line in subprocess.run(['nm', '-A', *objects], capture_output=True, text=True, check=True).stdout.splitlines():
        object_file, _, rest = line.partition(':')
        defines, needs = found.setdefault(object_file, (set(), set()))
        words = rest.split()
        if words[0] == 'U':
            needs.add(words[1])
        elif len(words) == 3 and words[1] in 'TDBRCVW':
            defines.add(words[2])
    return [found.get(str(object_file), (set(), set())) for object_file in objects]


def uses_of_objects(sources):
    """The graph between objects, that between rooms, and by which symbols."""
    owner, needs = {}, {}
    for source, (defines, needed) in zip(sources, symbols(sources)):
        needs[str(source)] = needed
        owner.update((symbol, str(source)) for symbol in defines)
    files, rooms, how = {}, collections.defaultdict(set), collections.defaultdict(set)
    for user, wanted in needs.items():
        files[user] = set()
        for symbol in wanted & owner.keys():
            used = owner[symbol]
            if used == user:
                continue
            files[user].add(used)
            how[user, used].add(symbol)
            if room(used) != room(user):
                rooms[room(user)].add(room(used))
                how[room(user), room(used)].add(f'{pathlib.PurePath(user).name}: {symbol}')
    return files, rooms, how


def includes(files):
    """Which of the project's files each includes. A name is looked for as the compiler does."""
    graph = {}
    for path in files:
        graph[str(path)] = set()
        for name in re.findall(r'^#include\s+[<"]([^>"]+)[>"]', path.read_text(), re.M):
            for folder in (path.parent, pathlib.Path('host'), pathlib.Path('include'), pathlib.Path('sw')):
                if (folder / name).exists():
                    graph[str(path)].add(str(folder / name))
                    break
    return graph


def rooms_of_includes(graph):
    """A public header belongs to the room that has the source of its name; one without such a source to none."""
    of_name = {pathlib.PurePath(p).stem: room(p) for p in graph if p.startswith('host/') and p.endswith('.c')}

    def owner(path):
        return of_name.get(pathlib.PurePath(path).stem) if path.startswith('include/') else room(path)

    rooms, how = collections.defaultdict(set), collections.defaultdict(set)
    for user, used_files in graph.items():
        for used in used_files:
            if owner(user) and owner(used) and owner(user) != owner(used):
                rooms[owner(user)].add(owner(used))
                how[owner(user), owner(used)].add(f'{user}: {used}')
    return rooms, how


def report_private(graph):
    """The command is a program like any other: it includes what is public, and host/base, which everything may use."""
    findings = 0
    for user in sorted(user for user in graph if user.startswith('sw/command/')):
        for used in sorted(used for used in graph[user] if used.startswith('host/') and room(used) != 'base'):
            what = f'private: {user} -> {used}'
            if not excused(what, KNOWN):
                print(what)
                findings += 1
    return findings


def report_names(headers, sources):
    """Guards of headers; a library's objects share one folder, so their names must differ."""
    seen, findings = {}, 0
    for path in headers + sources:
        if path.suffix == '.h':
            guard = re.search(r'^#ifndef\s+(\w+)', path.read_text(), re.M)
            name = f'guard {guard.group(1)}' if guard else None
        else:
            name = f'name {path.name}'
        if name is None:
            print(f'names: {path} has no guard')
            findings += 1
        elif name in seen:
            print(f'names: {path} and {seen[name]} have one {name}')
            findings += 1
        seen.setdefault(name, path)
    return findings


def first_comment(text):
    """All comment lines before the first line of anything else, less the marks of a comment."""
    words = []
    inside = False
    for line in text.splitlines():
        line = line.strip()
        if inside or line.startswith(('//', '#', '/*')) and not line.startswith('#include'):
            inside = (inside or line.startswith('/*')) and '*/' not in line
            words.append(line.strip('/*# '))
        elif line:
            break
    return ' '.join(words)


def report_long():
    findings = 0
    for path in sorted(p for folder in ('host', 'rtl') for p in pathlib.Path(folder).rglob('*') if p.is_file()):
        text = path.read_text()
        n_lines = len(text.splitlines())
        if n_lines <= LINES or 'Over 400 lines because' in first_comment(text):
            continue
        if excused(f'long: {path}', KNOWN):
            continue
        print(f'long: {path} has {n_lines} lines and its first comment does not say "Over 400 lines because ..."')
        findings += 1
    return findings


def main():
    library = sorted(pathlib.Path('host').rglob('*.c'))
    command = sorted(pathlib.Path('sw/command').glob('*.c'))
    headers = sorted(p for folder in ('host', 'include', 'sw') for p in pathlib.Path(folder).rglob('*.h'))

    files, rooms, how = uses_of_objects(library + command)
    findings = report_circles(files, 'uses', how) + report_circles(rooms, 'uses of rooms', how)
    files = includes(library + command + headers)
    rooms, how = rooms_of_includes(files)
    findings += report_circles(files, 'includes') + report_circles(rooms, 'includes of rooms', how)
    findings += report_private(files) + report_names(headers, library + command) + report_long()
    for entry in sorted((ALLOWED.keys() | KNOWN.keys()) - used_entries):
        print(f'lists: tools/circles.py excuses "{entry}", which is not found any more: take it out')
        findings += entry in ALLOWED
    print(f'circles: {findings} findings, {len(ALLOWED)} allowed, {len(KNOWN.keys() & used_entries)} known and not mended')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
