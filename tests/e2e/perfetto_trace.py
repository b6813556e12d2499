# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Reads a Perfetto trace of TrackEvents by the wire format of Protocol Buffers: its tracks, its slices, and its errors. The numbers
of fields are from perfetto_trace.proto. """
from collections import namedtuple

Slice = namedtuple("Slice", "name track begin end flows notes")


def fields(data):
    """Returns (number, value) of each field; the value is bytes if the field has a length."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 1:
            yield tag >> 3, int.from_bytes(data[at:at + 8], "little")
            at += 8
        elif tag & 7 == 2:
            length = varint()
            yield tag >> 3, data[at:at + length]
            at += length
        else:
            raise ValueError(f"wire type {tag & 7} at {at}")


class Trace:
    def __init__(self, data):
        self.faults, self.slices, self.tracks, events = [], [], {}, []
        for order, (number, packet) in enumerate(fields(data)):
            one = dict(fields(packet))
            if number != 1 or one.get(10) != 1:
                self.faults.append(f"packet {order} is none of the sequence")
            if 60 in one:
                track = dict(fields(one[60]))
                if track[1] in self.tracks or (5 in track and track[5] not in self.tracks):
                    self.faults.append(f"track {track}")
                self.tracks[track[1]] = track[2].decode()
            elif 11 in one:
                events.append((one[8], order, list(fields(one[11]))))
        self.walk(sorted(events, key=lambda e: (e[0], e[1])))

    def walk(self, events):
        under_way = {}
        for time, _, event in events:
            one = dict(event)
            track = one[11]
            if track not in self.tracks:
                self.faults.append(f"an event on track {track}")
            elif one[9] == 1:
                flows = [value for number, value in event if number in (47, 48)]
                notes = {note[10].decode(): note.get(3, note.get(6)) for note in (dict(fields(value)) for number, value in event if number == 4)}
                under_way.setdefault(track, []).append((one[23].decode(), time, flows, notes))
            elif not under_way.get(track):
                self.faults.append(f"an end at {time} on {self.tracks[track]}")
            else:
                name, begin, flows, notes = under_way[track].pop()
                if under_way[track]:
                    self.faults.append(f"{name} within another one on {self.tracks[track]}")
                self.slices.append(Slice(name, self.tracks[track], begin, time, flows, notes))
        self.faults += [f"no end on {self.tracks[track]}" for track, left in under_way.items() if left]


def read(path):
    with open(path, "rb") as it:
        return Trace(it.read())
