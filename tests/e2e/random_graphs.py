#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Random graphs on the RTL. For each a model is built, and random lists of messages are run on it, with bursts and
# long messages. None may come to a standstill, every count must be as predicted, and on graphs of at most `reference`
# nodes every cycle must be that of the reference machine.
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def draw(rng, least, most):
    """Writes edges, a line each: a tree of links both ways, and more links, some of which lead one way only."""
    n = rng.randint(least, most)
    one_way = rng.choice((0, 0, 25, 60))
    used, degree, edges = set(), [0] * n, []

    def add(a, b, arrow):
        if a == b or (a, b) in used or max(degree[a], degree[b]) == 15:
            return False
        used.update(((a, b), (b, a)))
        degree[a] += 1
        degree[b] += 1
        edges.append(f'{a} {arrow} {b}')
        return True

    for node in range(1, n):
        while not add(rng.randrange(node), node, '--'):
            pass
    for _ in range(rng.randint(n // 2, 2 * n)):
        add(rng.randrange(n), rng.randrange(n), '->' if rng.randrange(100) < one_way else '--')
    return n, one_way, edges


def main():
    e2e = os.path.abspath(sys.argv[1])
    wanted = {'graphs': 20, 'lists': 100, 'seed': 1, 'least': 8, 'most': 64, 'reference': 16}
    wanted.update((k, int(v)) for k, v in (word.split('=') for word in sys.argv[2:]))
    rng = random.Random(wanted['seed'])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(wanted['graphs']):
            n, one_way, edges = draw(rng, wanted['least'], wanted['most'])
            lanes = rng.choice((1, 2, 4))
            path = pathlib.Path(folder) / f'{number}.txt'
            path.write_text('\n'.join(edges) + '\n')
            fabric = f'graph:{path}' + (f':v{lanes}' if lanes > 1 else '')
            run = subprocess.run([e2e, f'lists={wanted["lists"]}', 'perms=20', f'seed={wanted["seed"]}',
                                  f'reference={wanted["reference"]}', fabric],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True)
            result = re.search(r'^(\d+) passed, (\d+) failed$', run.stdout, re.M)
            print(f'graph {number}: {n} nodes, {len(edges)} links, {one_way} of 100 more ones one way, {lanes} lanes: '
                  f'{result.group(0) if result else "no result"}', flush=True)
            if not result or run.returncode != 0 or int(result.group(1)) == 0:
                kept = f'/tmp/flitloom-graph-{wanted["seed"]}-{number}.txt'
                pathlib.Path(kept).write_text(path.read_text())
                print(f'FAIL the graph is {kept}\n' + run.stdout[-2000:] + run.stderr[-500:])
                failed += 1
            else:
                passed += int(result.group(1))
                failed += int(result.group(2))
    print(f'{passed} passed, {failed} failed')
    return failed != 0


sys.exit(main())
