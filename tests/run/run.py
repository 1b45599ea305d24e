#!/usr/bin/env python3
"""Checks the program of `make run`: its options, what it prints where, its files, and that the same
frames give the same world for any number of workers, with checks and without.

    run.py --build DIR --squeeze PROGRAM [--scenes boids,cubes]
"""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import zlib

import png

SMALL = ["--entities", "2000", "--frames", "24"]
WRONG = [["--scene"], ["--scene", "birds"], ["--entities", "0"], ["--entities", "many"],
         ["--entities", "20000001"], ["--workers", "-1"], ["--workers", "64"], ["--seconds", "0"],
         ["--seconds", "nan"], ["--seconds", "abc"], ["--seconds", "0x5"], ["--seconds", "1e400"],
         ["--seconds", ""], ["--seconds"], ["--entities", "1000000000"], ["--entities", "-3"],
         ["--workers", "1000"], ["--workers", "1.5"], ["--scene", "two\nlines"], ["--scene", "x" * 5000],
         ["--scene", "\u00e9" * 40], # its message is cut between characters
         ["--quiet=1"], ["-h"], ["--frames", "9", "--frames", "0"], ["--frames", "0"], ["--frames", "1e3"], ["--seed", "-5"],
         ["--seed", "99999999999999999999"], ["--seed", ""], ["--fast"], ["boids"],
         ["--seconds", "1", "--frames", "9"]]
STEPS = {"EnterBoid", "SettleMultimap", "SteerBoid", "Catch", "Move"}
FILES = ["boids.png", "boids_strip.png", "boids_trace.json", "boids_frame.txt"]


def run(program, arguments, folder):
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=300)


def says_allowed(arguments, line):
    """True when a message names what may stand there: values of an option, or the options."""
    option = arguments[-2] if len(arguments) > 1 else arguments[0]
    allowed = {"--scene": "boids|cubes", "--entities": "1..20000000", "--workers": "0..63",
               "--frames": "1..1000000000", "--seed": "0..18446744073709551615",
               "--seconds": "0.1..86400"}.get(option, "--scene --entities")
    return allowed in line or line.startswith("oxbow: --seconds and --frames")


def check_wrong(program, folder):
    """Each wrong argument is answered with one line that says what is allowed."""
    for arguments in WRONG:
        ran = run(program, arguments, folder)
        good = (ran.returncode == 2 and ran.stdout == b"" and ran.stderr.count(b"\n") == 1
                and ran.stderr.startswith(b"oxbow: ") and says_allowed(arguments, ran.stderr.decode()))
        yield f"refuses {' '.join(arguments)[:40]!r}", "" if good else repr(ran)
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
    yield "traces every system", str(STEPS - names or "")
    explained = (out / FILES[3]).read_text()
    yield "explains a frame", "" if "Critical path" in explained else explained
    for name, size in (FILES[0], (1200, 1200)), (FILES[1], (1204, 600)):
        width, height, pixels = png.read_png(out / name)
        yield f"{name} is a picture", "" if (width, height) == size else f"{width} x {height}"
        colours = len(set(zip(pixels[::3], pixels[1::3], pixels[2::3])))
        yield f"{name} shows something", "" if colours > 200 else f"{colours} colours"


def check_busy(program, folder):
    """Four threads on one core have it for a part of their time: a speed-up near 1 is explained."""
    if not os.path.exists("/proc/self/schedstat"):
        print("a busy machine is left out: the system does not tell how long threads wait")
        return
    core = min(os.sched_getaffinity(0))
    ran = subprocess.run([program, "--entities", "50000", "--frames", "40", "--workers", "3"], cwd=folder,
                         capture_output=True, timeout=300, preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    text = ran.stdout.decode()
    good = "speed-up " in text and re.search(r"\n  busy machine  threads had a core for \d+ % of the time", text)
    yield "says that the machine is busy", "" if good else text


def has_terminals():
    """False in a folder that was made a root without /dev/pts, as containers may be."""
    try:
        for end in pty.openpty():
            os.close(end)
        return True
    except OSError:
        return False


def run_in_terminal(program, folder, terminal, width=80, arguments=SMALL, stop=False):
    """What a terminal of this kind would be sent, and what the program ended with. To stop it, ^C is
    typed once its first line is there."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    child = subprocess.Popen([program, *arguments], cwd=folder, stdin=other, stdout=other, stderr=other,
                             env={**os.environ, "TERM": terminal}, start_new_session=True,
                             preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(other)
    text = b""
    try:
        while part := os.read(main, 65536):
            text += part
            if stop and b" entities" in text:
                os.write(main, b"\x03")
                stop = False
    except OSError: # the other end is closed
        pass
    os.close(main)
    return text.replace(b"\r\n", b"\n"), child.wait()


def check_terminals(program, folder):
    text, _ = run_in_terminal(program, folder, "xterm")
    yield "overwrites its line on a terminal", "" if b"\r\x1b[K" in text else repr(text)
    text, _ = run_in_terminal(program, folder, "xterm", width=30)
    shown = [part.split(b"\n")[0] for part in text.split(b"\r\x1b[K")[1:-1]]
    narrow = shown and all(0 < len(line) < 30 for line in shown)
    yield "keeps its line within a narrow terminal", "" if narrow else repr(text)
    text, _ = run_in_terminal(program, folder, "dumb")
    yield "sends a dumb terminal no control codes", str(find_controls(text) or "")
    for terminal in "xterm", "dumb":
        text, code = run_in_terminal(program, folder, terminal, stop=True,
                                     arguments=["--entities", "2000", "--seconds", "600"])
        said = re.search(rb"oxbow: stopped after \d+ frames; no pictures\n$", text)
        good = code == -signal.SIGINT and said and (terminal == "dumb" or b"\r\x1b[Koxbow:" in text)
        yield f"stops at ^C on {terminal}, on a clean line", "" if good else f"{code} {text}"


def find_dark(path):
    """Which of the eight moments in a strip show nothing."""
    width, _, pixels = png.read_png(path)
    for at in range(8):
        left, top = at % 4 * 302, at // 4 * 302
        rows = {pixels[(row * width + left) * 3:(row * width + left + 298) * 3]
                for row in range(top, top + 298)}
        if len(rows) < 3:
            yield at


def check_scenes(program, folder):
    """Every scene, with as few as there may be, and with one frame."""
    for scene in "boids", "cubes", "deathmatch", "stream", "particles":
        for entities in "1", "300":
            ran = run(program, ["--scene", scene, "--entities", entities, "--frames", "40"], folder)
            good = ran.returncode == 0 and not ran.stderr and b"docs/start.md" in ran.stdout
            yield f"{scene} with {entities}", "" if good else repr(ran)
        dark = list(find_dark(pathlib.Path(folder, f"build/out/{scene}_strip.png")))
        yield f"{scene} has eight moments", "" if not dark else f"nothing is seen in {dark}"
    ran = run(program, ["--seconds", "0.5", "--entities", "500"], folder)
    dark = list(find_dark(pathlib.Path(folder, "build/out", FILES[1])))
    good = ran.returncode == 0 and not ran.stderr and not dark
    yield "has eight moments of half a second", "" if good else f"{dark} {ran}"
    ran = run(program, ["--frames", "1", "--entities", "100"], folder)
    good = ran.returncode == 0 and ran.stdout.count(b"not measured") == 2
    yield "runs one frame", "" if good else repr(ran)
    last, other = (run(program, [*SMALL, *more, "--quiet", "--hash"], folder).stdout
                   for more in (["--seed", "8", "--seed", "7"], ["--seed", "7"]))
    yield "takes what is said last", "" if last == other else f"{last} {other}"


def check_memory(program, folder):
    limit = f"ulimit -v 1500000; exec '{program}' --scene cubes --entities 20000000"
    ran = run("/bin/sh", ["-c", limit], folder)
    good = (ran.returncode == 1 and ran.stderr.count(b"\n") == 1 and b"out of memory" in ran.stderr
            and b"--entities" in ran.stderr)
    yield "says that memory is too small", "" if good else repr(ran)


def check_outside(program):
    """What the world outside refuses is told in one line."""
    def fails(name, folder, **more):
        try:
            ran = subprocess.run([program, *SMALL], cwd=folder, capture_output=True, timeout=300, **more)
        except PermissionError: # that user may not run it
            return f"{name}: not tried", ""
        good = (ran.returncode == 1 and ran.stderr.count(b"\n") == 1 and not ran.stdout
                and ran.stderr.startswith(b"oxbow: cannot write to the folder build/out: "))
        return name, "" if good else repr(ran)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "build")
        path.touch()
        yield fails("says that build is a file", folder)
        path.unlink()
        path.mkdir()
        (path / "out").touch()
        yield fails("says that build/out is a file", folder)
        (path / "out").unlink()
        (path / "out").mkdir(mode=0o555)
        if os.geteuid() == 0: # to whom nothing is refused
            os.chmod(folder, 0o755)
            yield fails("says that build/out is read-only", folder, user=65534)
        else:
            yield fails("says that build/out is read-only", folder)
        (path / "out").chmod(0o755)
        for name in FILES:
            (path / "out" / name).unlink(missing_ok=True)
            (path / "out" / name).symlink_to("/dev/full")
            ran = run(program, SMALL, folder)
            good = (ran.returncode == 1 and ran.stderr.count(b"\n") == 1 and name.encode() in ran.stderr
                    and b"No space left" in ran.stderr and b"/" + name.encode() not in ran.stdout)
            yield f"says that {name} does not fit", "" if good else repr(ran)
            (path / "out" / name).unlink()
        with open("/dev/full", "w") as full:
            ran = subprocess.run([program, *SMALL], cwd=folder, stdout=full, stderr=subprocess.PIPE)
        good = ran.returncode == 1 and ran.stderr.count(b"\n") == 1
        yield "says that nothing could be printed", "" if good else repr(ran)


def check_threads(program, folder):
    """Jobs of every system run on main and on the worker: in one frame or another, since a machine
    that is busy may leave one of them waiting for long."""
    threads = {step: set() for step in STEPS}
    for _ in range(10):
        run(program, ["--entities", "60000", "--frames", "16", "--workers", "1"], folder)
        for event in json.loads(pathlib.Path(folder, "build/out", FILES[2]).read_text())["traceEvents"]:
            if event["ph"] == "X" and event["name"] in STEPS:
                threads[event["name"]].add(event["tid"])
        if all(len(both) == 2 for both in threads.values()):
            break
    for step, both in sorted(threads.items()):
        yield f"{step} runs on both threads", "" if len(both) == 2 else f"on {both}"


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
    build = options.build.resolve()
    programs = [build / "oxbow_run", build / "oxbow_run_checked"]
    with tempfile.TemporaryDirectory() as folder:
        yield from check_wrong(programs[0], folder)
        yield from check_hashes(programs, options.scenes.split(","), folder)
        yield "writes nothing when quiet", str(os.listdir(folder) or "")
    with tempfile.TemporaryDirectory() as folder:
        yield from check_piped(programs[0], folder)
        if has_terminals():
            yield from check_terminals(programs[0], folder)
        else:
            print("terminals are left out: there is no /dev/pts")
        yield from check_threads(programs[0], folder)
        yield from check_busy(programs[0], folder)
        yield from check_scenes(programs[1], folder)
        yield from check_deflate(options.squeeze, folder)
        if not options.sanitized:
            yield from check_memory(programs[0], folder)
    yield from check_outside(programs[0])


def main():
    parser = argparse.ArgumentParser(description="Checks the program of make run.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--squeeze", required=True)
    parser.add_argument("--scenes", default="boids,cubes")
    parser.add_argument("--sanitized", action="store_true", help="memory is limited otherwise")
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
