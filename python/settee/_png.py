"""Pixels as the bytes of a PNG file.

SPDX-License-Identifier: Apache-2.0
"""

import struct
import zlib


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def encode(pixels, width, height):
    """`pixels`: 3 bytes (red, green, blue) for each of width times height, rows from top to bottom."""
    row = 3 * width
    # a row begins with the number of its filter: 0, none
    rows = b"".join(b"\0" + pixels[at:at + row] for at in range(0, row * height, row))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, RGB
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 6)) +
            _chunk(b"IEND", b""))
