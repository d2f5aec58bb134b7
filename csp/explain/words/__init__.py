"""Put the steps of easy techniques into short sentences, in several languages."""

from collections.abc import Mapping

from . import english, german

LANGUAGES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "en": (english.PATTERNS, english.WORDS),
    "de": (german.PATTERNS, german.WORDS),
}
"""The sentence patterns and the words of each language, by its ISO code. A language is one file, and one row here."""
