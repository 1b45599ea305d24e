"""Reads pictures back: PNG files of 8 bits for each of red, green and blue."""
import struct
import zlib


def undo_filter(kind, line, above):
    """One row without its filter."""
    row = bytearray(len(line))
    for k, byte in enumerate(line):
        left = row[k - 3] if k >= 3 else 0
        up, corner = above[k], above[k - 3] if k >= 3 else 0
        guess = left + up - corner
        nearest = min((left, up, corner), key=lambda near: abs(guess - near))
        row[k] = byte + (0, left, up, (left + up) // 2, nearest)[kind] & 255
    return bytes(row)


def read_chunks(data):
    """Yields the name and the content of each chunk."""
    at = 8
    while at < len(data):
        size, = struct.unpack_from(">I", data, at)
        checked = data[at + 4:at + 8 + size]
        if zlib.crc32(checked) != struct.unpack_from(">I", data, at + 8 + size)[0]:
            raise ValueError(f"the checksum of {checked[:4]} is wrong")
        yield checked[:4], checked[4:]
        at += 12 + size


def read_png(path):
    """Width, height and pixels, or an exception that says what is wrong."""
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("it does not begin as a PNG file does")
    chunks = list(read_chunks(data))
    if [name for name, _ in chunks] != [b"IHDR", b"IDAT", b"IEND"]:
        raise ValueError(f"its chunks are {chunks}")
    width, height, *form = struct.unpack(">IIBBBBB", chunks[0][1])
    if form != [8, 2, 0, 0, 0]:
        raise ValueError(f"its form is {form}")
    lines = zlib.decompress(chunks[1][1])
    size = width * 3 + 1
    if len(lines) != size * height:
        raise ValueError(f"it has {len(lines)} bytes, not {size * height}")
    rows, above = [], bytes(width * 3)
    for y in range(height):
        above = undo_filter(lines[y * size], lines[y * size + 1:(y + 1) * size], above)
        rows.append(above)
    return width, height, b"".join(rows)
