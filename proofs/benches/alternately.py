#!/usr/bin/env python3
"""Two builds of laneproof prove the same folders of the catalogue, one after the other in turn. Prints processor
time by folder: the best sample and the median of each, and the second's best in parts of the first's.

usage: proofs/benches/alternately.py FIRST SECOND [--samples N] FOLDER…
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess


def seconds(program, folder):
    """The processor time of one run, and what it says at its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "prove", "--no-cache", "--jobs", "1", str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return used, done.returncode, done.stdout.strip().splitlines()[-1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs=2)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=3)
    given = parser.parse_args()
    rows = []
    for folder in given.folders:
        samples = {program: [] for program in given.programs}
        for _ in range(given.samples):
            for program in given.programs:
                used, status, said = seconds(program, folder)
                samples[program].append(used)
                if status:
                    print(f"{program} {folder}: exit status {status}, {said}", flush=True)
        rows.append([samples[program] for program in given.programs])
        print(row("/".join(folder.parts[-2:]), rows[-1]), flush=True)
    together = [[sum(parts) for parts in zip(*(row[at] for row in rows))] for at in range(2)]
    print(row("together", together))
    print("load:", *os.getloadavg())


def row(name, samples):
    of = [(min(it), statistics.median(it)) for it in samples]
    figures = [f"{figure:.2f} s" for pair in of for figure in pair]
    return f"| {name} | " + " | ".join(figures) + f" | {of[1][0] / of[0][0]:.2f} |"


if __name__ == "__main__":
    main()
