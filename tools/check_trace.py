#!/usr/bin/env python3
"""Fails when a trace in Chrome's trace-event format is not one that viewers show as it is meant.

Every complete event has a name, a time, a duration, a process and a thread; those of one thread
nest; every flow has one start and one end, each inside of an event of its thread, and does not end
before it starts; every thread has a name.

    check_trace.py FILE [--picture OUT.svg]

--picture draws the trace, if it is good: a row for each thread, an arrow for each flow.
"""
import argparse
import html
import json
import pathlib
import sys
import zlib

SLACK = 0.0005  # microseconds: half a nanosecond, the unit of the times

# The picture, in pixels.
WIDTH, LEFT, TOP, ROW, BAR = 960, 90, 34, 44, 26


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def track_of(event):
    return event.get("pid"), event.get("tid")


def read_trace(path):
    """The events of a file, in either of the two forms of the format, or what is wrong with it."""
    try:
        trace = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [], [str(error)]
    events = trace.get("traceEvents") if isinstance(trace, dict) else trace
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return [], ["there is no list of events in it"]
    return events, []


def check_fields(events):
    for number, event in enumerate(events):
        where = f"event {number} ({event.get('name')})"
        if not isinstance(event.get("name"), str) or not event["name"]:
            yield f"{where} has no name"
        if event.get("ph") not in ("X", "M", "s", "f"):
            yield f"{where} has an unknown phase {event.get('ph')!r}"
        wanted = ["pid", "tid"] + {"X": ["ts", "dur"], "s": ["ts"], "f": ["ts"]}.get(
            event.get("ph"), [])
        for field in wanted:
            if not is_number(event.get(field)):
                yield f"{where} has no {field}"
            elif event[field] < 0:
                yield f"{where} has a {field} below 0"
        if event.get("ph") in ("s", "f") and "id" not in event:
            yield f"{where} has no id"


def by_track(events):
    tracks = {}
    for event in events:
        if event["ph"] == "X":
            tracks.setdefault(track_of(event), []).append(event)
    for spans in tracks.values():
        spans.sort(key=lambda event: (event["ts"], -event["dur"]))
    return tracks


def check_nesting(tracks):
    """Complete events of one thread lie beside each other or inside of each other."""
    for track, spans in sorted(tracks.items()):
        around = []
        for event in spans:
            end = event["ts"] + event["dur"]
            while around and around[-1]["ts"] + around[-1]["dur"] <= event["ts"] + SLACK:
                around.pop()
            if around and end > around[-1]["ts"] + around[-1]["dur"] + SLACK:
                yield (f"thread {track[1]}: {event['name']} at {event['ts']} overlaps "
                       f"{around[-1]['name']} at {around[-1]['ts']} in part")
            around.append(event)


def is_inside(tracks, flow):
    return any(event["ts"] - SLACK <= flow["ts"] <= event["ts"] + event["dur"] + SLACK
               for event in tracks.get(track_of(flow), []))


def pair_flows(events):
    """Flows by what makes them one: category, name and id."""
    flows = {}
    for event in events:
        if event["ph"] in ("s", "f"):
            key = event.get("cat"), event["name"], event["id"]
            flows.setdefault(key, []).append(event)
    return flows


def check_flows(flows, tracks):
    for (_, name, number), ends in sorted(flows.items(), key=str):
        where = f"flow {name} {number}"
        if sorted(event["ph"] for event in ends) != ["f", "s"]:
            phases = ", ".join(event["ph"] for event in ends)
            yield f"{where} does not have one start and one end but: {phases}"
            continue
        start, end = sorted(ends, key=lambda event: event["ph"], reverse=True)
        if start["ts"] > end["ts"] + SLACK:
            yield f"{where} starts at {start['ts']}, after its end at {end['ts']}"
        for event in (start, end):
            if not is_inside(tracks, event):
                yield f"{where} is in no event of thread {event['tid']} at {event['ts']}"


def thread_names(events):
    return {track_of(event): event.get("args", {}).get("name") for event in events
            if event["ph"] == "M" and event["name"] == "thread_name"}


def check_names(names, tracks):
    for track in sorted(tracks):
        if not names.get(track):
            yield f"thread {track[1]} has no name"


def check_trace(events):
    findings = list(check_fields(events))
    if findings:
        return findings
    tracks = by_track(events)
    return [*check_nesting(tracks), *check_flows(pair_flows(events), tracks),
            *check_names(thread_names(events), tracks)]


def describe(events):
    kinds, tracks = {}, by_track(events)
    for spans in tracks.values():
        for event in spans:
            kinds[event.get("cat", "other")] = kinds.get(event.get("cat", "other"), 0) + 1
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    ends = [event["ts"] + event["dur"] for spans in tracks.values() for event in spans]
    begins = [event["ts"] for spans in tracks.values() for event in spans]
    length = max(ends) - min(begins) if ends else 0
    return (f"{counts or 'no'} events on {len(tracks)} threads, {len(pair_flows(events))} flows, "
            f"{length:.3f} us")


# The picture.

def colour_of(name):
    return f"hsl({zlib.crc32(name.encode()) * 137 % 360}, 55%, 62%)"


def draw_span(event, x, y, scale):
    """A job is a bar with its name; a range lies in it, lower and darker; a park is a thin line."""
    width = max(event["dur"] * scale, 0.5)
    tip = html.escape(f"{event['name']}: {event['dur']:.3f} us, {json.dumps(event.get('args', {}))}")
    kind = event.get("cat")
    top, height, look = {
        "range": (y + BAR - 10, 10, f'fill="{colour_of(event["name"])}" stroke="#0008" '
                                    'stroke-width=".5"'),
        "park": (y + BAR / 2 - 1, 2, 'fill="#bbb"'),
    }.get(kind, (y, BAR, f'fill="{colour_of(event["name"])}"'))
    yield (f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height}" {look}>'
           f"<title>{tip}</title></rect>")
    if kind not in ("range", "park") and width > 7 * len(event["name"]):
        yield f'<text x="{x + 3:.1f}" y="{y + 12}">{html.escape(event["name"])}</text>'


def draw_arrow(start, end):
    (x1, y1), (x2, y2) = start, end
    bend = max((x2 - x1) / 2, 12)
    yield (f'<path d="M{x1:.1f} {y1:.1f}C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} '
           f'{x2:.1f} {y2:.1f}" fill="none" stroke="#222" marker-end="url(#head)"/>')


def draw_scale(first, length, scale, height):
    """A line with a number for each of at most ten round steps."""
    step = 10 ** (len(str(int(max(length, 1)))) - 1)
    step = next(s for s in (step / 10, step / 5, step / 2, step, step * 2) if length / s <= 10)
    for k in range(int(length / step) + 1):
        x = LEFT + k * step * scale
        yield f'<path d="M{x:.1f} {TOP - 10}V{height - 6}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{TOP - 16}" fill="#666">{k * step:g} us</text>'


def draw(events):
    tracks, names = by_track(events), thread_names(events)
    rows = {track: TOP + k * ROW for k, track in enumerate(sorted(tracks))}
    spans = [event for track in tracks.values() for event in track]
    first = min((event["ts"] for event in spans), default=0)
    length = max((event["ts"] + event["dur"] - first for event in spans), default=1) or 1
    scale = (WIDTH - LEFT - 20) / length
    height = TOP + len(rows) * ROW

    def place(event):
        return LEFT + (event["ts"] - first) * scale

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
             f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">',
             '<defs><marker id="head" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" '
             'markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" fill="#222"/></marker></defs>',
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
    lines += draw_scale(first, length, scale, height)
    for track, y in rows.items():
        lines.append(f'<text x="8" y="{y + 17}">{html.escape(names[track])}</text>')
        for event in tracks[track]:
            lines += draw_span(event, place(event), y, scale)
    for ends in pair_flows(events).values():
        start, end = sorted(ends, key=lambda event: event["ph"], reverse=True)
        lines += draw_arrow((place(start), rows[track_of(start)] + BAR / 2),
                            (place(end), rows[track_of(end)] + BAR / 2))
    return "\n".join([*lines, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Checks a trace in Chrome's format.")
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path, metavar="OUT.svg")
    options = parser.parse_args()
    events, findings = read_trace(options.file)
    findings = findings or check_trace(events)
    for finding in findings:
        print(f"{options.file}: {finding}")
    if findings:
        sys.exit(1)
    print(f"{options.file}: {describe(events)}")
    if options.picture:
        options.picture.write_text(draw(events), encoding="utf-8")


if __name__ == "__main__":
    main()
