#!/usr/bin/env python3
"""Checks the program of `make run`: its options, what it prints where, its files, and that the same
frames give the same world for any number of workers, with checks and without.

    run.py --build DIR --squeeze PROGRAM [--scenes boids,cubes]
"""
import argparse
import json
import os
import pathlib
import pty
import random
import re
import subprocess
import sys
import tempfile
import zlib

import png

SMALL = ["--entities", "2000", "--frames", "24"]
WRONG = [["--scene"], ["--scene", "birds"], ["--entities", "0"], ["--entities", "many"],
         ["--entities", "20000001"], ["--workers", "-1"], ["--workers", "64"], ["--seconds", "0"],
         ["--seconds", "nan"], ["--frames", "0"], ["--frames", "1e3"], ["--seed", "-5"],
         ["--seed", "99999999999999999999"], ["--seed", ""], ["--fast"], ["boids"],
         ["--seconds", "1", "--frames", "9"]]
FILES = ["boids.png", "boids_strip.png", "boids_trace.json", "boids_frame.txt"]


def run(program, arguments, folder):
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=300)


def check_wrong(program, folder):
    """Each wrong argument is answered with one line that says what is allowed."""
    for arguments in WRONG:
        ran = run(program, arguments, folder)
        good = (ran.returncode == 2 and ran.stdout == b"" and ran.stderr.count(b"\n") == 1
                and ran.stderr.startswith(b"oxbow: "))
        yield f"refuses {' '.join(arguments)!r}", "" if good else repr(ran)
    yield "writes nothing when refused", "" if not os.listdir(folder) else str(os.listdir(folder))
    ran = run(program, ["--help"], folder)
    good = ran.returncode == 0 and b"--entities" in ran.stdout and b"boids" in ran.stdout
    yield "helps", "" if good else repr(ran)


def check_hashes(programs, scenes, folder):
    """The same frames give the same world."""
    for scene in scenes:
        lines = {}
        for program in programs:
            for workers in "0", "1", "2", "4":
                ran = run(program, ["--scene", scene, *SMALL, "--seed", "7", "--workers", workers,
                                    "--quiet", "--hash"], folder)
                lines[program.name, workers] = ran.stdout.decode() + ran.stderr.decode()
        good = (len(set(lines.values())) == 1
                and re.fullmatch(r"hash [0-9a-f]{16}\n", next(iter(lines.values()))))
        yield f"{scene} has one hash", "" if good else str(lines)
        ran = run(programs[0], ["--scene", scene, *SMALL, "--seed", "8", "--quiet", "--hash"], folder)
        differs = ran.stdout.decode() not in lines.values()
        yield f"{scene} has another hash with another seed", "" if differs else str(lines)


def find_controls(text):
    return sorted(set(byte for byte in text if byte < 32 and byte != 10 or byte == 127))


def check_piped(program, folder):
    """Through a pipe: plain text, the hash last, and every file."""
    ran = run(program, [*SMALL, "--workers", "1", "--hash"], folder)
    text = ran.stdout.decode()
    yield "ends well", "" if ran.returncode == 0 and not ran.stderr else repr(ran)
    yield "prints no control codes", str(find_controls(ran.stdout) or "")
    yield "prints the hash last", "" if re.search(r"\nhash [0-9a-f]{16}\n$", text) else text
    wanted = ["frames", "(p50)", "(p99)", "ns for each", "speed-up", "sync points", "docs/start.md",
              *FILES]
    yield "sums up", str([word for word in wanted if word not in text] or "")
    out = pathlib.Path(folder, "build/out")
    yield "writes its files", "" if sorted(os.listdir(out)) == sorted(FILES) else str(list(out))
    names = {event["name"] for event in json.loads((out / FILES[2]).read_text())["traceEvents"]}
    missing = {"EnterBoid", "SettleMultimap", "SteerBoid", "Catch", "Move"} - names
    yield "traces every system", str(missing or "")
    explained = (out / FILES[3]).read_text()
    yield "explains a frame", "" if "Critical path" in explained else explained
    for name, size in (FILES[0], (1200, 1200)), (FILES[1], (1204, 600)):
        width, height, pixels = png.read_png(out / name)
        yield f"{name} is a picture", "" if (width, height) == size else f"{width} x {height}"
        colours = len(set(zip(pixels[::3], pixels[1::3], pixels[2::3])))
        yield f"{name} shows something", "" if colours > 200 else f"{colours} colours"


def run_in_terminal(program, folder, terminal):
    """What a terminal of this kind would be sent."""
    main, other = pty.openpty()
    child = subprocess.Popen([program, *SMALL], cwd=folder, stdout=other, stderr=other,
                             env={**os.environ, "TERM": terminal})
    os.close(other)
    text = b""
    try:
        while part := os.read(main, 65536):
            text += part
    except OSError: # the other end is closed
        pass
    os.close(main)
    child.wait()
    return text.replace(b"\r\n", b"\n")


def check_terminals(program, folder):
    text = run_in_terminal(program, folder, "xterm")
    yield "overwrites its line on a terminal", "" if b"\r\x1b[K" in text else repr(text)
    yield "sends a dumb terminal no control codes", str(
        find_controls(run_in_terminal(program, folder, "dumb")) or "")


def make_inputs():
    """Bytes of many shapes."""
    chance = random.Random(1)
    yield "nothing", b""
    yield "one byte", b"x"
    yield "two bytes", b"ab"
    yield "zeros", bytes(1000000)
    yield "every byte", bytes(range(256)) * 5
    yield "noise", chance.randbytes(200000)
    yield "text", pathlib.Path(__file__).read_bytes() * 9
    yield "far repeats", chance.randbytes(32768) * 3
    yield "repeats that are too far", chance.randbytes(32769) * 3
    yield "few values", bytes(chance.choices(range(40), [0.7 ** k for k in range(40)], k=300000))
    fibonacci = [1, 1]
    while len(fibonacci) < 24:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    skewed = [value for value, count in enumerate(fibonacci) for _ in range(count)]
    chance.shuffle(skewed)
    yield "codes that come out too long", bytes(skewed)


def check_deflate(squeeze, folder):
    """What is squeezed comes back, and is not much larger than what zlib makes of it."""
    for what, data in make_inputs():
        ran = subprocess.run([squeeze], input=data, capture_output=True, timeout=300)
        try:
            good = ran.returncode == 0 and zlib.decompress(ran.stdout) == data
        except zlib.error as error:
            good, ran = False, error
        yield f"squeezes {what}", "" if good else repr(ran)[:300]
        limit = len(zlib.compress(data)) * 1.15 + 100
        yield f"{what} becomes small", "" if good and len(ran.stdout) < limit else "too large"
    for width, height in (1, 1), (3, 200), (257, 31):
        pixels = bytes((x * y + c * 40 + x // 7) & 255 for y in range(height) for x in range(width)
                       for c in range(3))
        path = pathlib.Path(folder, "small.png")
        subprocess.run([squeeze, str(width), str(height), str(path)], input=pixels, timeout=300)
        read = png.read_png(path)
        yield f"a picture of {width} x {height}", "" if read == (width, height, pixels) else "differs"


def check_all(options):
    programs = [options.build / "oxbow_run", options.build / "oxbow_run_checked"]
    with tempfile.TemporaryDirectory() as folder:
        yield from check_wrong(programs[0], folder)
        yield from check_hashes(programs, options.scenes.split(","), folder)
        yield "writes nothing when quiet", str(os.listdir(folder) or "")
    with tempfile.TemporaryDirectory() as folder:
        yield from check_piped(programs[0], folder)
        yield from check_terminals(programs[0], folder)
        yield from check_deflate(options.squeeze, folder)


def main():
    parser = argparse.ArgumentParser(description="Checks the program of make run.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--squeeze", required=True)
    parser.add_argument("--scenes", default="boids,cubes")
    found = list(check_all(parser.parse_args()))
    for what, wrong in found:
        if wrong:
            print(f"not so: {what}\n{wrong}")
    if "OX_TEST_RESULTS" in os.environ:
        lines = [f"tests {len(found)}", *(f"passed run: {what}" for what, wrong in found
                                          if not wrong)]
        path = pathlib.Path(os.environ["OX_TEST_RESULTS"], "run_program.txt")
        path.write_text("\n".join(lines) + "\n")
    print(f"{len(found)} things were looked at")
    sys.exit(any(wrong for _, wrong in found))


if __name__ == "__main__":
    main()
