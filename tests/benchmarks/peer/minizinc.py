"""MiniZinc as a peer, one process for each instance: python minizinc.py SOLVER; the protocol of server.py."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from server import ALL, COUNT, FIRST, UNIQUE, Question, Run, serve


def model(question: Question) -> str:
    """Return a question as a MiniZinc model."""
    lines = ['include "alldifferent.mzn";', f"array[0..{question.variables - 1}] of var 1..{question.values}: x;"]
    lines += [f"constraint x[{v}] = {value};" for v, value in question.givens.items()]
    for group in question.groups:
        members = ", ".join(f"x[{v}] + {offset}" if offset else f"x[{v}]" for v, offset in group)
        lines.append(f"constraint alldifferent([{members}]) :: domain;")
    for total, members in question.sums:
        lines.append(f"constraint {' + '.join(f'x[{v}]' for v in members)} = {total};")
    lines.append("solve :: int_search([x[i] | i in index_set(x)], first_fail, indomain_min) satisfy;")
    return "\n".join(lines)


def serve_solver(solver: str) -> None:
    """Answer questions with a solver of MiniZinc."""

    def ask(question: Question) -> Run:
        """Flatten the model as set-up; the run starts the solver."""
        folder = tempfile.TemporaryDirectory()
        source, flat = Path(folder.name) / "model.mzn", Path(folder.name) / "model.fzn"
        source.write_text(model(question), encoding="utf-8")
        subprocess.run(["minizinc", "--solver", solver, "-c", source, "--fzn", flat, "-O-"], check=True)
        wanted = {FIRST: [], UNIQUE: ["-n", "2"], COUNT: ["-a"], ALL: ["-a"]}[question.want]

        def run() -> tuple[int, list[list[int]]]:
            command = [f"fzn-{solver}", *wanted, flat]
            with folder, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout
                count, listed = 0, []
                for line in process.stdout:
                    if line.startswith("x = "):
                        count += 1
                        if question.want != COUNT:
                            listed.append([*map(int, line[line.index("[") + 1 : line.index("]")].split(","))])
            return count, listed

        return run

    serve(ask)


if __name__ == "__main__":
    serve_solver(sys.argv[1])
