#!/usr/bin/env python3
"""Checks `--window` with real keys: Xvfb shows it, xdotool presses them, and the title, pictures and
what is printed tell what they did. Ends with 77, which is to skip it, where one of them or SDL2 is
missing.

    window.py --build DIR
"""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import png

SKIPPED = 77
PICTURE = "build/out/boids_window.png"
PATIENCE = 120 # seconds that a slow machine may take for one thing
TITLE = re.compile(r"oxbow (\w+): frame (\d+), (\d+) entities, [\d.]+ ms, zoom ([\d.]+)(, paused)? \|")
END = re.compile(r"boids: (\d+) frames, .* main and (\d+) workers?, a core is left to the window\n")


def find_missing(program):
    """What is not there, in a word."""
    for tool in "Xvfb", "xdotool":
        if shutil.which(tool) is None:
            return tool
    told = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    return "" if "space  " in told else "SDL2"


def wait_for(what, look):
    """What `look` returns, once it is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


class Screen:
    """A display that nobody sees."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
             "-noreset"], # else it begins anew when a program ends, whoever comes just then
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = f":{number.readline().strip()}"
        self.programs = []
        return self

    def __exit__(self, *_):
        for program in self.programs: # those that a failed test left behind
            program.kill()
            program.communicate()
        self.server.terminate()
        self.server.wait()


class Window:
    """The program on a screen."""

    def __init__(self, screen, program, arguments, folder):
        self.environment = {**os.environ, "DISPLAY": screen.name, "SDL_VIDEODRIVER": "x11"}
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen([program, "--window", *arguments], cwd=folder, text=True,
                                        env=self.environment, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        screen.programs.append(self.process)

    def open(self):
        def look():
            if self.process.poll() is not None:
                raise AssertionError(f"it ended: {self.end()}")
            return self.tool("search", "--name", "^oxbow ").split()
        self.number = wait_for("a window", look)[0]
        wait_for("the focus", lambda: self.tool("windowfocus", self.number, "getwindowfocus").strip()
                 == self.number)
        return self

    def tool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, capture_output=True,
                              text=True).stdout

    def press(self, *keys):
        self.tool("key", "--delay", "20", *keys)

    def title(self):
        """Frame, entities, zoom, and whether it is paused."""
        read = TITLE.match(self.tool("getwindowname", self.number))
        return read and (int(read[2]), int(read[3]), float(read[4]), read[5] is not None)

    def wait(self, what, is_so):
        def look():
            title = self.title()
            return title if title and is_so(*title) else None
        return wait_for(what, look)

    def zoom(self, key, zoom):
        """Zooms by a key. Whatever was pressed before it is done when the title says so."""
        self.press(key)
        return self.wait(f"zoom {zoom}", lambda frame, entities, at, paused: at == zoom)

    def picture(self):
        """What is shown, by the key for it."""
        path = self.folder / PICTURE
        path.unlink(missing_ok=True)
        self.press("p")

        def look():
            data = path.read_bytes() if path.exists() else b""
            return data if data.endswith(b"IEND\xaeB`\x82") else None # all of it
        return wait_for("a picture", look)

    def resident(self):
        """Pages of memory that it has."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])

    def end(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def ask_to_close(window):
    """What a window manager sends when the button of a window is pressed."""
    x11 = ctypes.CDLL("libX11.so.6")

    class Message(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                    ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong),
                    ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]

    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(window.environment["DISPLAY"].encode()))
    protocols = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
    close = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    number = ctypes.c_ulong(int(window.number))
    message = Message(type=33, window=int(window.number), kind=protocols, format=32)
    message.data[0] = close
    x11.XSendEvent(display, number, 0, ctypes.c_long(0), ctypes.byref(message))
    x11.XCloseDisplay(display)


def check_steps(window):
    frame = window.wait("a tenth frame", lambda frame, *_: frame >= 10)[0]
    window.press("space")
    paused = window.wait("a pause", lambda *title: title[3])
    yield "goes on until it is paused", "" if paused[0] >= frame else str(paused)
    yield "zooms in by +", "" if window.zoom("plus", 1.25)[0] == paused[0] else "it went on"
    window.press("s")
    stepped = window.wait("a step", lambda frame, *_: frame != paused[0])
    yield "steps by one frame", "" if stepped[0] == paused[0] + 1 else f"{paused} {stepped}"
    window.press("s", "period", "s", "period", "s")
    window.wait("five steps", lambda frame, *_: frame >= paused[0] + 6)
    stepped = window.zoom("minus", 1.0)
    yield "steps by five, and no more", "" if stepped[0] == paused[0] + 6 else f"{paused} {stepped}"


def check_view(window):
    """It is paused: what is shown changes by where one looks, and by nothing else."""
    window.zoom("plus", 1.25)
    here = window.picture()
    width, height, _ = png.read_png(window.folder / PICTURE)
    yield "writes its picture", "" if (width, height) == (900, 900) else f"{width} x {height}"
    yield "shows the same while it is paused", "" if window.picture() == here else "it changed"
    for key, back in ("Right", "Left"), ("Up", "Down"):
        window.press(key)
        yield f"moves by {key}", "" if window.picture() != here else "it did not"
        window.press(back)
        yield f"moves back by {back}", "" if window.picture() == here else "it did not"
    window.tool("mousemove", "--window", window.number, "300", "300", "mousedown", "1")
    window.tool("mousemove", "--window", window.number, "500", "400", "mouseup", "1")
    yield "is dragged", "" if window.picture() != here else "it was not"
    window.tool("click", "4")
    zoomed = window.wait("the wheel", lambda *title: title[2] != 1.25)
    yield "zooms by the wheel", "" if zoomed[2] == 1.56 else str(zoomed)
    yield "shows all of it by 0", "" if window.zoom("0", 1.0) else "it does not"


def change_entities(window, key, is_so):
    before = window.title()
    window.press(key)
    return window.wait(key, lambda frame, entities, *_: frame == 1 and is_so(entities, before[1]))


def check_entities(window):
    """Each time a new world: what the old one had is freed."""
    most, entities = 0, window.title()[1]
    for turn in range(12):
        grown = change_entities(window, "Next" if turn % 2 else "Prior",
                                lambda now, before, turn=turn: now < before if turn % 2 else now > before)
        if turn == 5:
            most = window.resident()
    yield "begins anew with as many as before", "" if grown[:2] == (1, entities) else str(grown)
    now = window.resident()
    yield "frees worlds", "" if now < most * 1.1 + 1000 else f"{most} pages, then {now}"


def check_keys(screen, program, folder):
    window = Window(screen, program, ["--entities", "4000", "--seed", "7"], folder).open()
    yield from check_steps(window)
    yield from check_view(window)
    yield from check_entities(window)
    window.press("space")
    window.wait("going on", lambda frame, entities, zoom, paused: frame > 3 and not paused)
    window.press("q")
    code, out, err = window.end()
    yield "ends by q, without a word of leaks", "" if (code, err) == (0, "") else f"{code} {err}"
    told = END.search(out)
    yield "says what it was", "" if told else repr(out)
    alone = subprocess.run([program, "--entities", "100", "--frames", "12"], cwd=folder, text=True,
                           capture_output=True, timeout=PATIENCE).stdout
    cores = int(re.search(r"cores +(\d+),", alone)[1])
    right = told and int(told[2]) == max(cores - 2, 0)
    yield "leaves a core to the window", "" if right else f"{cores} cores: {out}"


def check_ends(screen, program, folder):
    frames = ["--entities", "2000", "--frames", "30", "--seed", "7", "--quiet", "--hash"]
    code, out, err = Window(screen, program, frames, folder).end()
    alone = subprocess.run([program, *frames], cwd=folder, capture_output=True, text=True,
                           timeout=PATIENCE).stdout
    good = (code, err, out) == (0, "", alone)
    yield "ends after so many frames, with the hash", "" if good else f"{code} {out} {err} {alone}"
    for how in "close", "signal":
        window = Window(screen, program, ["--scene", "stream", "--entities", "4000"], folder).open()
        if how == "close":
            ask_to_close(window)
        else:
            window.process.send_signal(signal.SIGINT)
        code, out, err = window.end()
        good = code == 0 and err == "" and out.startswith("stream: ")
        yield f"ends by a {how}", "" if good else f"{code} {out} {err}"
    hidden = subprocess.run([program, "--window"], cwd=folder, capture_output=True, text=True,
                            env={**os.environ, "DISPLAY": ":4711", "SDL_VIDEODRIVER": "x11"})
    good = hidden.returncode == 1 and hidden.stdout == "" and hidden.stderr.count("\n") == 1
    yield "says that there is no display", "" if good else repr(hidden)


def check_all(program):
    with tempfile.TemporaryDirectory() as folder, Screen() as screen:
        yield from check_keys(screen, program, folder)
        yield from check_ends(screen, program, folder)


def main():
    parser = argparse.ArgumentParser(description="Checks the window of make run.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    program = parser.parse_args().build.resolve() / "oxbow_run_checked"
    missing = find_missing(program)
    if missing:
        print(f"skipped: there is no {missing}")
        sys.exit(SKIPPED)
    found = list(check_all(program))
    for what, wrong in found:
        if wrong:
            print(f"not so: {what}\n{wrong}")
    if "OX_TEST_RESULTS" in os.environ:
        lines = [f"tests {len(found)}", *(f"passed window: {what}" for what, wrong in found
                                          if not wrong)]
        path = pathlib.Path(os.environ["OX_TEST_RESULTS"], "run_window.txt")
        path.write_text("\n".join(lines) + "\n")
    print(f"{len(found)} things were looked at")
    sys.exit(any(wrong for _, wrong in found))


if __name__ == "__main__":
    main()
