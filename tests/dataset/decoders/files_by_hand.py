# SPDX-License-Identifier: Apache-2.0
"""Writers of pictures of kinds that Pillow does not write.

Each takes rows of pixels, a pixel being a tuple of levels (or a list of one) as the file holds them, and gives
the bytes of a file.
"""

import struct
import zlib


def packed(levels, bits):
    """Levels of `bits` each, one after the other, the first in the upper bits; 16 bits are big-endian."""
    whole = 0
    for level in levels:
        whole = whole << bits | level
    padding = -len(levels) * bits % 8
    return (whole << padding).to_bytes((len(levels) * bits + padding) // 8, "big")


def flat(row):
    return [level for pixel in row for level in pixel]


# PNG

ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, kind, bits, interlaced=False, before=(), behind=()):
    """kind: colour type of PNG. before, behind: chunks (type, data) around the pixels."""
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    data = b""
    for left, top, right, down in passes:
        for row in rows[top::down]:
            part = row[left::right]
            if part:
                data += b"\0" + packed(flat(part), bits)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), bits, kind, 0, 0, interlaced)
    chunks = [(b"IHDR", head), *before, (b"IDAT", zlib.compress(data)), *behind, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in chunks)


def raw_profile(exif):
    """EXIF data as ImageMagick writes them into a text of a PNG."""
    digits = exif.hex()
    lines = [digits[i : i + 72] for i in range(0, len(digits), 72)]
    return f"\nexif\n{len(exif):8}\n".encode() + "\n".join(lines).encode() + b"\n"


# BMP


def masked(pixel, masks):
    number = 0
    for level, mask in zip(pixel, masks):
        number |= level << (mask & -mask).bit_length() - 1
    return number


def bmp(rows, bits, head=40, palette=(), masks=(), top_down=False, compression=None, data=None):
    """head: bytes of its information, which tell the version. masks: of red, green, blue. data: already encoded."""
    width, height = len(rows[0]), len(rows)
    if data is None:
        data = b""
        for row in rows if top_down else rows[::-1]:
            if bits <= 8:
                line = packed(flat(row), bits)
            else:
                shifts = masks or {16: (0x7C00, 0x3E0, 0x1F)}.get(bits, (0xFF0000, 0xFF00, 0xFF))
                line = b"".join(masked(p, shifts).to_bytes(bits // 8, "little") for p in row)
            data += line + bytes(-len(line) % 4)
    if compression is None:
        compression = 3 if masks else 0
    colours = b"".join(bytes(colour[::-1]) + (b"" if head == 12 else b"\0") for colour in palette)
    if head == 12:
        info = struct.pack("<IHHHH", head, width, height, 1, bits)
    else:
        info = struct.pack("<IiiHHIIiiII", head, width, -height if top_down else height, 1, bits, compression,
                           len(data), 2835, 2835, len(palette), 0)
        four = struct.pack("<III", *masks) if masks else bytes(12)
        info += (four + bytes(head))[: max(head - 40, 12 if masks else 0)]
    offset = 14 + len(info) + len(colours)
    return struct.pack("<2sIHHI", b"BM", offset + len(data), 0, 0, offset) + info + colours + data


def runs(rows, bits):
    """Rows of palette indices run-length encoded: runs of equal ones, and every third row as it is."""
    data = b""
    for y, row in enumerate(rows[::-1]):
        indices = flat(row)
        if y % 3 == 2 and len(indices) >= 3:
            line = packed(indices, bits)
            data += bytes([0, len(indices)]) + line + bytes(len(line) % 2)
        else:
            while indices:
                count = 1
                while count < len(indices) and count < 255 and indices[count] == indices[0]:
                    count += 1
                data += bytes([count, indices[0] * 17 if bits == 4 else indices[0]])
                indices = indices[count:]
        data += b"\0\0"
    return data + b"\0\1"


# TIFF


def packbits(data):
    """Without runs: 128 bytes at a time as they are."""
    return b"".join(bytes([len(data[i : i + 128]) - 1]) + data[i : i + 128] for i in range(0, len(data), 128))


COMPRESSED = {1: bytes, 8: zlib.compress, 32946: zlib.compress, 32773: packbits}


def differences(levels, samples, bits):
    """A row as predictor 2 has it: each pixel less the one before it."""
    return [(level - (levels[i - samples] if i >= samples else 0)) % (1 << bits) for i, level in enumerate(levels)]


def tiff(rows, photometric, bits, apart=False, tile=None, order="<", big=False, compression=1, predictor=1,
         fill=1, rows_per_strip=8, tags=(), more=b""):
    """apart: each channel on its own. tile: side of tiles, else strips. order: "<" or ">". tags: more of them."""
    width, height, samples = len(rows[0]), len(rows), len(rows[0][0])

    def encoded(part):  # rows of levels
        data = b""
        for levels in part:
            step = 1 if apart else samples
            levels = differences(levels, step, bits) if predictor == 2 else levels
            if bits == 16:
                data += struct.pack(f"{order}{len(levels)}H", *levels)
            elif bits == 32:
                data += struct.pack(f"{order}{len(levels)}I", *levels)
            else:
                data += packed(levels, bits)
        data = COMPRESSED[compression](data)
        return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data) if fill == 2 else data

    def block(left, top, wide, high, plane):  # beyond the picture: zeros
        def pixel(x, y):
            found = rows[y][x] if x < width and y < height else (0,) * samples
            return [found[plane]] if apart else list(found)
        return [flat([pixel(x, y) for x in range(left, left + wide)]) for y in range(top, top + high)]

    parts = []
    for plane in range(samples if apart else 1):
        if tile:
            parts += [encoded(block(x, y, tile, tile, plane))
                      for y in range(0, height, tile) for x in range(0, width, tile)]
        else:
            parts += [encoded(block(0, y, width, min(rows_per_strip, height - y), plane))
                      for y in range(0, height, rows_per_strip)]
    data_begin = 16 if big else 8
    offsets = [data_begin + sum(map(len, parts[:i])) for i in range(len(parts))]
    sizes = [len(part) for part in parts]
    entries = [(256, 4, [width]), (257, 4, [height]), (258, 3, [bits] * samples), (259, 3, [compression]),
               (262, 3, [photometric]), (277, 3, [samples]), (284, 3, [2 if apart else 1]), (266, 3, [fill]),
               (317, 3, [predictor])]
    if tile:
        entries += [(322, 4, [tile]), (323, 4, [tile]), (324, 4, offsets), (325, 4, sizes)]
    else:
        entries += [(273, 4, offsets), (278, 4, [rows_per_strip]), (279, 4, sizes)]
    if predictor == 1:
        entries = [entry for entry in entries if entry[0] != 317]
    entries = sorted([*entries, *tags])
    return tiff_with(entries, b"".join(parts), order, big, more)


def tiff_with(entries, data, order, big, more=b""):
    """A file of one directory behind the data of its parts. more: bytes behind everything."""
    letters = {1: "B", 3: "H", 4: "I"}
    start, room = (16, 8) if big else (8, 4)
    directory = start + len(data) + len(data) % 2
    behind = directory + (8 + 20 * len(entries) + 8 if big else 2 + 12 * len(entries) + 4)
    listed, values_behind = b"", b""
    for tag, kind, values in entries:
        value = struct.pack(f"{order}{len(values)}{letters[kind]}", *values)
        if len(value) > room:
            value, values_behind = (struct.pack(order + ("Q" if big else "I"), behind + len(values_behind)),
                                    values_behind + value + bytes(len(value) % 2))
        listed += struct.pack(order + ("HHQ" if big else "HHI"), tag, kind, len(values)) + value.ljust(room, b"\0")
    mark = b"II" if order == "<" else b"MM"
    head = struct.pack(order + "HHHQ", 43, 8, 0, directory) if big else struct.pack(order + "HI", 42, directory)
    count = struct.pack(order + ("Q" if big else "H"), len(entries))
    return (mark + head + data + bytes(len(data) % 2) + count + listed + bytes(8 if big else 4) + values_behind + more)


def exif(orientation, order="<"):
    mark = b"II" if order == "<" else b"MM"
    entry = struct.pack(order + "HHIHH", 274, 3, 1, orientation, 0)
    return mark + struct.pack(order + "HIH", 42, 8, 1) + entry + bytes(4)


# Portable maps


def portable(rows, kind, white):
    head = f"P{kind}\n# a comment\n{len(rows[0])} {len(rows)}\n".encode()
    if kind not in (1, 4):
        head += f"{white}\n".encode()
    if kind <= 3:
        return head + "\n".join(" ".join(map(str, flat(row))) for row in rows).encode() + b"\n"
    bits = 1 if kind == 4 else 8 if white < 256 else 16
    return head + b"".join(packed(flat(row), bits) for row in rows)


def pam(rows, white, kind):
    head = f"P7\nWIDTH {len(rows[0])}\nHEIGHT {len(rows)}\nDEPTH {len(rows[0][0])}\nMAXVAL {white}\n"
    return (head + f"# a comment\nTUPLTYPE {kind}\nENDHDR\n").encode() + b"".join(
        packed(flat(row), 8 if white < 256 else 16) for row in rows)
