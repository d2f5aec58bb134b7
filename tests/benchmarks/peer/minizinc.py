"""MiniZinc, a process for every instance: python minizinc.py SOLVER; the same lines as server.py"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from server import ALL, COUNT, FIRST, UNIQUE, Question, Run, serve


def model(question: Question) -> str:
    lines = ['include "alldifferent.mzn";', f"array[0..{question.variables - 1}] of var 1..{question.values}: x;"]
    lines += [f"constraint x[{v}] = {value};" for v, value in question.givens.items()]
    for group in question.groups:
        members = ", ".join(f"x[{v}] + {more}" if more else f"x[{v}]" for v, more in group)
        lines.append(f"constraint alldifferent([{members}]) :: domain;")
    for total, members in question.sums:
        lines.append(f"constraint {' + '.join(f'x[{v}]' for v in members)} = {total};")
    lines.append("solve :: int_search([x[i] | i in index_set(x)], first_fail, indomain_min) satisfy;")
    return "\n".join(lines)


def asked(solver: str) -> None:

    def ask(question: Question) -> Run:
        """The model is flattened as set-up; the start of the solver and its work are solving."""
        folder = tempfile.TemporaryDirectory()
        source, flat = Path(folder.name) / "model.mzn", Path(folder.name) / "model.fzn"
        source.write_text(model(question), encoding="utf-8")
        subprocess.run(["minizinc", "--solver", solver, "-c", source, "--fzn", flat, "-O-"], check=True)
        wanted = {FIRST: [], UNIQUE: ["-n", "2"], COUNT: ["-a"], ALL: ["-a"]}[question.want]

        def run() -> tuple[int, list[list[int]]]:
            began = [f"fzn-{solver}", *wanted, flat]
            with folder, subprocess.Popen(began, stdout=subprocess.PIPE, text=True) as running:
                assert running.stdout
                count, told = 0, []
                for line in running.stdout:
                    if line.startswith("x = "):
                        count += 1
                        if question.want != COUNT:
                            told.append([*map(int, line[line.index("[") + 1 : line.index("]")].split(","))])
            return count, told

        return run

    serve(ask)


if __name__ == "__main__":
    asked(sys.argv[1])
