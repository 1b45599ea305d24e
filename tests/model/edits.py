#!/usr/bin/env python3
"""Writes copies of the job system's sources in which checks can be switched off one by one.

Each edit replaces an expression, which must stand in its file exactly once, by a choice between
itself and another one: model_edit_in_use says which. A header lists the edits for the test.

    edits.py <src/jobs> <out>
"""
import pathlib
import sys

# What is lost, the file, the expression, what takes its place.
EDITS = [
    ("a worker looks for work once more before it sleeps", "parking.c",
     "oxi_any_work() || oxi_load_seq(&oxi_jobs.quit) != 0", "oxi_load_seq(&oxi_jobs.quit) != 0"),
    ("a worker looks whether it should quit before it sleeps", "parking.c",
     "oxi_any_work() || oxi_load_seq(&oxi_jobs.quit) != 0", "oxi_any_work()"),
    ("a worker that found something looks whether there is more", "parking.c",
     "oxi_load_seq(&oxi_jobs.idle) != 0 && oxi_any_work()", "false"),
    ("a worker looks whether it takes part before it sleeps for that", "parking.c",
     "goes_on && oxi_swap_seq(&worker->wake, &wake, AWAKE)", "false"),
    # A store may take effect behind a later change by the waker; a change may not.
    ("main says that it sleeps by a change of its word", "parking.c",
     "oxi_exchange_acq_rel(&main->wake, ASLEEP)",
     "oxi_store_relaxed(&main->wake, ASLEEP), (uint32_t)AWAKE"),
    ("a worker says that it sleeps by a change of its word", "parking.c",
     "oxi_exchange_acq_rel(&worker->wake, ASLEEP)",
     "oxi_store_relaxed(&worker->wake, ASLEEP), (uint32_t)AWAKE"),
    ("publishing wakes somebody", "graph.c",
     "published", "false"),
    ("main looks whether its job is done before it sleeps", "complete.c",
     "found.value == 0 && !oxi_job_is_done(walk->job)", "found.value == 0"),
    ("main wakes a worker for what it published before", "complete.c",
     "has_open_entries()", "false"),
    ("who finishes a job wakes main", "graph.c", "main_waits", "false"),
    ("an edge is added to the version that it is meant for", "graph.c",
     "state >> OXI_INDEX_BITS != version", "false"),
    ("who makes a job ready queues it when main has kicked it meanwhile", "graph.c",
     "(word & OXI_JOB_KICKED) == 0", "true"),
    # The version is not among these: a claim that ignores it gets another job of the slot that is
    # ready, kicked and free, and runs that one as well as anybody.
    ("a claim looks whether somebody has the job", "graph.c",
     "(now & (open | OXI_JOB_CLAIMED | OXI_JOB_LOOP)) == open",
     "(now & (open | OXI_JOB_LOOP)) == open"),
    ("a claim looks whether the job is ready and kicked", "graph.c",
     "(now & (open | OXI_JOB_CLAIMED | OXI_JOB_LOOP)) == open",
     "(now & (OXI_JOB_CLAIMED | OXI_JOB_LOOP)) == 0"),
    ("the last predecessor of a combination ends it", "graph.c",
     "oxi_sub_acq_rel(&slot->pending, 1) == 1", "oxi_sub_acq_rel(&slot->pending, 1) == 0"),
    ("a full ring grows", "ring.c", "ring->next - head > array->mask", "false"),
    ("who joins a loop looks at the version", "loop.c",
     "guests >> OXI_INDEX_BITS != oxi_job_version(job) || (guests & LOOP_CLOSED) != 0",
     "(guests & LOOP_CLOSED) != 0"),
    ("who joins a loop looks whether it is closed", "loop.c",
     "guests >> OXI_INDEX_BITS != oxi_job_version(job) || (guests & LOOP_CLOSED) != 0",
     "guests >> OXI_INDEX_BITS != oxi_job_version(job)"),
    ("who joins a loop looks whose it is", "loop.c", "loop->slot != oxi_job_index(job)", "false"),
    ("the last to leave gives a loop back, and nobody else", "loop.c",
     "(guests & LOOP_GUESTS) != 1", "false"),
]
# Expressions that stand in a file more than once: which one is meant, by the text before it.
CONTEXT = {
    "has_open_entries()": "    if (", "published": "if (", "main_waits": "if (",
    "(word & OXI_JOB_KICKED) == 0": "oxi_or_acq_rel(&slot->word, OXI_JOB_READY);\n        if (",
    "guests >> OXI_INDEX_BITS != oxi_job_version(job) || (guests & LOOP_CLOSED) != 0":
        "do {\n        if (",
}


def apply_edits(name, text):
    """The text of a file with all its edits, the ones of the same expression together."""
    chosen = {}
    for number, (_, file, old, new) in enumerate(EDITS):
        if file == name:
            chosen.setdefault(old, []).append((number, new))
    for old, choices in chosen.items():
        before = CONTEXT.get(old, "")
        if text.count(before + old) != 1:
            sys.exit(f"{name}: {before + old!r} stands there {text.count(before + old)} times")
        choice = f"({old})"
        for number, new in choices:
            choice = f"(model_edit_in_use == {number} ? ({new}) : {choice})"
        text = text.replace(before + old, before + choice)
    return text


def main():
    source, out = map(pathlib.Path, sys.argv[1:])
    (out / "jobs").mkdir(parents=True, exist_ok=True)
    for name in sorted({file for _, file, _, _ in EDITS}):
        (out / "jobs" / name).write_text(apply_edits(name, (source / name).read_text()))
    lines = "".join(f'    X({number}, "{what}") \\\n' for number, (what, *_) in enumerate(EDITS))
    (out / "edits.h").write_text(f"#define EDITS(X) \\\n{lines}\n")


if __name__ == "__main__":
    main()
