#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: hello.py SOCKET

Another program that speaks docs/protocol.md: it says hello to the board behind a Unix socket, reads MAGIC, and checks both
answers.
"""
import socket
import struct
import sys
import zlib


def encode(body):
    out = bytearray()
    for part in (body + struct.pack("<I", zlib.crc32(body))).split(b"\0"):  # all short: no group of 254
        out += bytes([len(part) + 1]) + part
    return bytes(out) + b"\0"


def decode(line):
    out, at = bytearray(), 0
    while at < len(line):
        n = line[at]
        out += line[at + 1 : at + n] + (b"\0" if at + n < len(line) else b"")
        at += n
    body = bytes(out[:-4])
    assert struct.unpack("<I", out[-4:])[0] == zlib.crc32(body), line
    return body


def answer(stream):
    line = b""
    while not line.endswith(b"\0") or line == b"\0":
        line = line.lstrip(b"\0") + stream.recv(1)
    return decode(line[:-1])


with socket.socket(socket.AF_UNIX) as s:
    s.settimeout(60)
    s.connect(sys.argv[1])
    s.sendall(b"\0\0" + encode(struct.pack("<BBI", 3, 41, 0xCAFE0042)))
    kind, number, nonce, version, max_words, rx_bytes = struct.unpack("<BBIBBH", answer(s))
    assert (kind, number, nonce, version) == (0x83, 41, 0xCAFE0042, 1) and max_words and rx_bytes >= 32
    s.sendall(encode(struct.pack("<BBBI", 1, 42, 0, 0)))
    assert answer(s) == struct.pack("<BBI", 0x81, 42, 0x4D4F4F4C)
