"""PNG files as arrays: 8 bits, RGB or RGBA, as the engine writes them.

SPDX-License-Identifier: Apache-2.0
"""

import struct
import zlib

from . import _arrays


def _chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def _paeth(row, above, size):
    """Each byte is predicted by its left, upper or upper left neighbor, whichever is nearest to left + upper - corner."""
    for i in range(len(row)):
        left = row[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        upper = above[i]
        guess = left + upper - corner
        distances = abs(guess - left), abs(guess - upper), abs(guess - corner)
        best = (left, upper, corner)[distances.index(min(distances))]
        row[i] = (row[i] + best) & 255


def decode(data):
    """An array (height, width, 3) of uint8."""
    np = _arrays.numpy()
    header, packed = None, []
    for kind, content in _chunks(data):
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            packed.append(content)
    width, height, depth, color, _, _, interlaced = header
    if depth != 8 or color not in (2, 6) or interlaced:
        raise ValueError("a PNG of 8 bits, RGB or RGBA, is expected")

    # undo the filter of each row
    size = 3 if color == 2 else 4
    rows = np.frombuffer(zlib.decompress(b"".join(packed)), np.uint8).reshape(height, 1 + width * size)
    image = np.zeros((height, width * size), np.uint8)
    above = np.zeros(width * size, np.uint8)
    for y in range(height):
        kind, row = rows[y, 0], rows[y, 1:].copy()
        if kind == 1:
            row = np.cumsum(row.reshape(width, size), axis=0, dtype=np.uint8).reshape(-1)
        elif kind == 2:
            row += above
        elif kind == 3:
            for i in range(len(row)):
                left = int(row[i - size]) if i >= size else 0
                row[i] = (int(row[i]) + (left + int(above[i])) // 2) & 255
        elif kind == 4:
            unfiltered = row.tolist()
            _paeth(unfiltered, above.tolist(), size)
            row = np.array(unfiltered, np.uint8)
        image[y] = above = row
    return image.reshape(height, width, size)[:, :, :3].copy()
