#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks schedules of circuit switches and proofs of their bounds, as flitloom plan --certificate FILE.json writes them, from the
# demand alone. It shares no code with flitloom. docs/circuits.md has the proof in words.
import json
import sys


def need(condition, *why):
    if not condition:
        raise ValueError(' '.join(map(str, why)))


def check_schedule(s):
    """Each slot is a matching, each parcel has light, and what arrives is the demand."""
    n, dark = s['nodes'], s['dark']
    begin, end = [], 0
    for on, slots in enumerate(s['slots']):
        now, before, begins = 0, None, []
        for slot in slots:
            to = [j for j in slot['to'] if j >= 0]
            need(slot['cycles'] > 0 and len(slot['to']) == n and len(to) == len(set(to)) and all(j < n for j in to),
                 'switch', on, 'slot', len(begins), 'is no matching')
            now += dark if before is not None and before != slot['to'] else 0
            before = slot['to']
            begins.append(now)
            now += slot['cycles']
        begin.append(begins)
        end = max(end, now)
    need(end == s['makespan'], 'the makespan is', end, 'not', s['makespan'])
    left = [row[:] for row in s['demand']]
    free, sent_on = {}, set()
    parcels = s['parcels']
    for p, (on, slot, source, destination, origin, target, at, flits, before) in enumerate(parcels):
        light = s['slots'][on][slot]
        need(light['to'][source] == destination and source != destination, 'parcel', p, 'has no light')
        need(flits > 0 and free.get((on, slot, source), 0) <= at and at + flits <= light['cycles'], 'parcel', p, 'does not fit')
        free[on, slot, source] = at + flits
        if before:
            b = parcels[before - 1]
            need(b[3] == source and b[4:6] == [origin, target] and b[7] == flits and not b[8] and before not in sent_on,
                 'parcel', p, 'was not brought')
            sent_on.add(before)
            need(begin[b[0]][b[1]] + s['slots'][b[0]][b[1]]['cycles'] + s['relay_cycles'] <= begin[on][slot] + at,
                 'parcel', p, 'is sent on too early')
        else:
            need(source == origin, 'parcel', p, 'begins elsewhere')
        if destination == target:
            left[origin][target] -= flits
    need(all(p + 1 in sent_on for p, m in enumerate(parcels) if m[3] != m[5]), 'a parcel is not sent on')
    need(not any(any(row) for row in left), 'not all of the demand arrives')


def light_of_windows(step, lines):
    """Windows and a tail that do not overlap: what they ask for together."""
    *windows, (tail_line, tail) = step['windows']
    light, end, slots = 0, 1, step['slots_to']
    for line, k in windows:
        entries = lines[line]
        need(end <= k <= len(entries) <= slots, 'a window overlaps another one')
        light += entries[k - 1]
        end = k + slots - len(entries) + 1
    need(end <= tail or not lines[tail_line][tail - 1:], 'the tail overlaps a window')
    return light + sum(lines[tail_line][tail - 1:])


def light_of_prices(step, lines, n):
    """A flit that goes straight pays at its source and its destination; one that is relayed at the node between as well."""
    rows, columns = ([sum(line) for line in side] for side in (lines[:n], lines[n:]))
    if not step['by_prices']:
        return max(rows + columns)
    slots = len(lines[0]) + n if step['slots_to'] is None else step['slots_to']
    relayed = max(sum(sum(line[slots:]) for line in side) for side in (lines[:n], lines[n:]))
    return -(-(sum(map(max, rows, columns)) + relayed) // n)


def check_bound(s):
    """The steps cover all numbers of slots, and each has as much light and as many cycles as it says, or more."""
    n, dark, demand = s['nodes'], s['dark'], s['demand']
    lines = [sorted((f for f in line if f), reverse=True) for line in demand + [list(c) for c in zip(*demand)]]
    most = max(map(len, lines))
    if most == 0:
        return
    relayed = s['bound_with_relays']
    fewest = next(slots for slots in range(most + 1) if slots * (slots + 1) // 2 >= most) if relayed else most
    need(s['slots_least'] == fewest, 'at least', fewest, 'slots, not', s['slots_least'])
    first = fewest
    for step in s['proof']:
        need(step['slots_from'] == first, 'no step for', first, 'slots')
        last = step['slots_to']
        first = None if last is None else last + 1
        if s['bound_with_relays']:
            light = light_of_prices(step, lines, n)
        elif last is None:
            light = max(map(sum, lines))
        else:
            light = light_of_windows(step, lines)
        need(step['light'] <= light, 'light of', light, 'in the step from', step['slots_from'])
        used = min(s['switches'], last or s['switches'])
        fullest = -(-step['slots_from'] // used)
        cycles = max(-(-(light + dark * step['slots_from']) // used) - dark, (fullest - 1) * dark + fullest)
        need(step['cycles'] <= cycles and s['bound'] <= step['cycles'], 'cycles of the step from', step['slots_from'])
    need(first is None, 'no last step')
    need(s['bound'] <= s['makespan'], 'a makespan below the bound')


def main(paths):
    for path in paths:
        with open(path, encoding='utf-8') as file:
            s = json.load(file)
        check_schedule(s)
        check_bound(s)
        print(f"{path}: makespan {s['makespan']}, no schedule below {s['bound']}")


main(sys.argv[1:])
