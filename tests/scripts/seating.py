"""A user's script, which mypy checks strictly: types of operators and results."""

from typing import TYPE_CHECKING, assert_type

import csp
import dsl
from csp import var

x, y = var("x"), var("y")
assert_type(x + 1, csp.Expression)
assert_type(3 - x, csp.Expression)
assert_type(x * y // 2 % 5, csp.Expression)
assert_type(abs(-x), csp.Expression)
assert_type(x == y, csp.Constraint)
assert_type(x != "red", csp.Constraint)
assert_type(x > 1, csp.Constraint)
assert_type((x < y) | ~(x == 3) & (y != 2), csp.Constraint)
assert_type((x == 1) + (y == 1) + 1, csp.Expression)
assert_type(csp.Or(x < y, y < 2), csp.Constraint)
assert_type(csp.Maximum([x, y, 3]), csp.Expression)

model = csp.Model({x: range(1, 4), y: range(1, 4)}, [x != y, csp.Distinct(x, y + 1)])
model = model + (x < y)
solution = csp.solve(model, timeout=10)
if solution is not None:
    assert_type(solution, csp.Solution)
    assert_type(solution["x"], int | str)
    assert_type(solution[x + y], int | str)
assert_type(csp.count(model).value, int)
for improved in csp.Solver(csp.Model({x: (1, 2)}, objective=csp.Objective("minimize", x)), seconds=60).improving(
    {x: 1}
):
    assert_type(improved, csp.Solution)

SPEC = "param n = 1.  seat(P) in 1..n :- guest(P).  grid clue.  all_different(seat(P) : guest(P), not clue(1, 1, P))."
guests: list[tuple[str, ...]] = [("ann",), ("bob",)]
read = dsl.loads(SPEC, {"n": 2}, {"clue": [[None, 1], [2, "a"]]}, facts={"guest": guests})
assert_type(read, csp.Model)
assert_type(csp.Solver(read).solve({"seat(ann)": 1}), csp.Solution | None)

if TYPE_CHECKING:  # mypy refuses each line, otherwise the comment would be unused
    csp.AllDifferent((x, "y"))  # type: ignore[arg-type]
    x * 1.5  # type: ignore[operator]
    csp.Model({x: (1,)}, [True])  # type: ignore[list-item]
    csp.solve("A in 1..2.")  # type: ignore[arg-type]
    read.domains["x"] = (1,)  # type: ignore[index]
