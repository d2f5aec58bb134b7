"""The genres of puzz.link that the gallery has: how each is written in a link, and what its spec calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...text.grids import picture
from .codec import UNKNOWN, Body, Numbers


class Data(NamedTuple):
    """The data of a puzzle: params beside ``rows`` and ``cols``, and grids."""

    params: dict[str, int]
    grids: dict[str, str]


class Genre(NamedTuple):
    """A genre: the spec of the gallery, and how the body of a link is read."""

    spec: str
    read: Callable[[Body], Data]


def grid(body: Body, values: Sequence[object], cols: int | None = None) -> str:
    """The picture of values row by row; a sign without a number is ``?``."""
    cols = cols or body.cols
    tokens = ["?" if value == UNKNOWN else value for value in values]
    return picture([tokens[i : i + cols] for i in range(0, len(tokens), cols)])


def _clues(take: Callable[[Body], Numbers]) -> Callable[[Body], Data]:
    return lambda body: Data({}, {"clue": grid(body, take(body))})


def _rooms(body: Body) -> Data:
    return Data({}, {"room": grid(body, body.rooms())})


def _rooms_and_their_numbers(body: Body) -> Data:
    room = body.rooms()
    return Data({}, {"room": grid(body, room), "clue": grid(body, body.room_numbers(room))})


def _rooms_and_numbers(body: Body) -> Data:
    return Data({}, {"room": grid(body, body.rooms()), "clue": grid(body, body.numbers())})


def _rooms_and_circles(body: Body) -> Data:
    return Data({}, {"room": grid(body, body.rooms()), "clue": grid(body, _signs(body.circles()))})


def _signs(circles: Numbers) -> list[object]:
    """White and black circles as ``w`` and ``b``."""
    return [{1: "w", 2: "b"}.get(value or 0) for value in circles]


def _circles(body: Body) -> Data:
    return Data({}, {"clue": grid(body, _signs(body.circles()))})


def _arrows(body: Body) -> Data:
    found = body.arrows()
    ways = [one and ".udlr"[one[0]] for one in found]
    return Data({}, {"clue": grid(body, [one and one[1] for one in found]), "way": grid(body, ways)})


def _corners(body: Body) -> Data:
    numbers = body.fours((body.rows + 1) * (body.cols + 1))
    return Data({}, {"clue": grid(body, numbers, body.cols + 1)})


def _crosses(body: Body) -> Data:
    return Data({}, {"clue": grid(body, ["x" if one else None for one in body.flags()])})


def _stars(body: Body) -> Data:
    stars = body.until_slash()
    return Data({"stars": stars}, {"room": grid(body, body.rooms())})


def _square(name: str, read: Callable[[Body], Data]) -> Callable[[Body], Data]:
    """A genre whose board is a square, of ``n`` rows."""

    def square(body: Body) -> Data:
        if body.rows != body.cols:
            raise body.fail(f"a {name} of {body.rows} rows has as many columns, not {body.cols}")
        data = read(body)
        return Data({"n": body.rows, **data.params}, data.grids)

    return square


def _known(name: str, read: Callable[[Body], Data]) -> Callable[[Body], Data]:
    """A genre whose spec knows no signs without a number."""

    def known(body: Body) -> Data:
        data = read(body)
        if "?" in data.grids["clue"]:
            raise body.fail(f"the {name} of the gallery has no sign without a number")
        return data

    return known


def _rooms_and_crosses(body: Body) -> Data:
    return Data({}, {"room": grid(body, body.rooms()), **_crosses(body).grids})


def _suguru(body: Body) -> Data:
    room = grid(body, body.rooms())
    return Data({}, {"region": room, "clue": grid(body, body.numbers())})


NUMBERS, FOURS, DIGITS = _clues(Body.numbers), _clues(Body.fours), _clues(Body.digits)

GENRES = {
    "akari": Genre("akari", FOURS),
    "aqre": Genre("aqre", _rooms_and_their_numbers),
    "chocona": Genre("chocona", _rooms_and_their_numbers),
    "cojun": Genre("cojun", _rooms_and_numbers),
    "country": Genre("country_road", _rooms_and_their_numbers),
    "creek": Genre("creek", _corners),
    "detour": Genre("detour", _rooms_and_their_numbers),
    "doubleback": Genre("double_back", _rooms_and_crosses),
    "factors": Genre("factors", _square("factors", _rooms_and_their_numbers)),
    "hashi": Genre("hashi", NUMBERS),
    "heyawake": Genre("heyawake", _rooms_and_their_numbers),
    "hitori": Genre("hitori", _square("hitori", lambda body: Data({}, {"clue": grid(body, body.letters())}))),
    "kurodoko": Genre("kurodoko", NUMBERS),
    "lits": Genre("lits", _rooms),
    "masyu": Genre("masyu", _circles),
    "moonsun": Genre("moon_or_sun", _rooms_and_circles),
    "nanro": Genre("nanro", _rooms_and_numbers),
    "norinori": Genre("norinori", _rooms),
    "nurikabe": Genre("nurikabe", _known("nurikabe", NUMBERS)),
    "nurimisaki": Genre("nurimisaki", NUMBERS),
    "paintarea": Genre(
        "paintarea", lambda body: Data({}, {"room": grid(body, body.rooms()), "clue": grid(body, body.digits())})
    ),
    "ripple": Genre("hakyuu", _rooms_and_numbers),
    "shikaku": Genre("shikaku", _known("shikaku", NUMBERS)),
    "simpleloop": Genre("simple_loop", _crosses),
    "slither": Genre("slitherlink", _known("slitherlink", FOURS)),
    "starbattle": Genre("star_battle", _stars),
    "suguru": Genre("suguru", _known("suguru", _suguru)),
    "sukoro": Genre("sukoro", DIGITS),
    "yajikazu": Genre("yajikazu", _arrows),
    "yajilin": Genre("yajilin", _arrows),
    "yinyang": Genre("yin_yang", _circles),
}
"""By the name in links."""

SAME = {"lightup": "akari", "slitherlink": "slither", "mashu": "masyu", "yajirin": "yajilin"}
"""Other names of genres."""
