"""Writes `forebay/_tables.py`, the tables of scenarios as classes with completion, from the schema of scenarios.

Usage: generate.py [--check]. With `--check`, only says whether the file is as it would be written.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parent / "editors" / "scenario.schema.json"
TARGET = HERE / "forebay" / "_tables.py"

# Longer lists of words are described, not enumerated.
MOST_WORDS = 40
WIDTH = 140

HEAD = '''"""The tables of scenarios as classes. Made by `generate.py` from the schema of scenarios: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

from ._table import Table

'''


def main() -> int:
    text = generated(json.loads(SCHEMA.read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") == text:
            return 0
        print("python/forebay/_tables.py is not as the schema of scenarios; run: python3 python/generate.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


def generated(schema: dict[str, Any]) -> str:
    """The text of the file."""
    definitions = schema["definitions"]
    tables = sorted(merged(definitions).items())
    names = [class_name(name) for name, _ in tables]
    words = ",\n".join(f'    "{name}"' for name in names)
    parts = [HEAD, f"__all__ = [\n{words},\n]\n"]
    parts += [of_table(class_name(name), table, definitions) for name, table in tables]
    return "".join(parts)


def merged(definitions: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Tables by name: those of several forms, such as `policy` and `policy-2`, as one with the fields of all."""
    tables: dict[str, dict[str, Any]] = {}
    for name, definition in definitions.items():
        base = re.sub(r"-\d+$", "", name)
        fields = definition.get("properties")
        # Words with parameters have a list of forms and no fields of their own; whole scenarios have a table of their own name.
        if definition.get("type") != "object" or not fields or base in fields or base == "scenario":
            continue
        table = tables.setdefault(base, {"about": [], "fields": {}, "required": None})
        if definition.get("description"):
            table["about"].append(definition["description"])
        for field, what in fields.items():
            known = table["fields"].setdefault(field, {"forms": [], "about": []})
            known["forms"].append(what)
            if what.get("description") and what["description"] not in known["about"]:
                known["about"].append(what["description"])
        needed = set(definition.get("required", []))
        table["required"] = needed if table["required"] is None else table["required"] & needed
    return tables


def class_name(name: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[-_]", name))


def of_table(name: str, table: dict[str, Any], definitions: dict[str, Any]) -> str:
    """The class of a table."""
    fields = sorted(table["fields"].items(), key=lambda item: (item[0] not in table["required"], item[0]))
    lines = [f"\n\nclass {name}(Table):"]
    about = "; ".join(dict.fromkeys(table["about"])) or f"The table `{name}`"
    lines += wrapped(f'"""{plain(about)}.', "    ")
    lines += ["", "    Parameters", "    ----------"]
    for field, what in fields:
        kind = python_type(what["forms"], definitions)
        optional = "" if field in table["required"] else ", optional"
        lines.append(f"    {argument(field)} : {described(kind)}{optional}")
        for text in what["about"] or ["See docs/scenario.md"]:
            lines += wrapped(plain(text) + ".", "        ")
    lines += ['    """', "", "    def __init__(", "        self,", "        *,"]
    for field, what in fields:
        kind = python_type(what["forms"], definitions)
        given = kind if field in table["required"] else f"Union[{kind}, None] = None"
        lines.append(f"        {argument(field)}: {given},")
    # Of what has a name that takes parameters, these are further fields.
    has_more = any("further fields" in about for _, what in fields for about in what["about"])
    lines += ["        **parameters: Any,"] if has_more else []
    lines += ["    ) -> None:", "        super().__init__("]
    lines += [f'            ("{field}", {argument(field)}),' for field, _ in fields]
    lines += ["            *parameters.items(),"] if has_more else []
    lines += ["        )"]
    return "\n".join(lines) + "\n"


def argument(field: str) -> str:
    """A field as Python names it."""
    name = field.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def plain(text: str) -> str:
    return text.replace("\\", "\\\\").rstrip(".")


def wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False)


def python_type(forms: list[dict[str, Any]], definitions: dict[str, Any]) -> str:
    """What may be given for a field."""
    kinds: set[str] = set()
    words: list[str] = []
    for form in forms:
        collect(form, definitions, kinds, words, set())
    parts = []
    if words and len(words) <= MOST_WORDS:
        parts.append("Literal[" + ", ".join(json.dumps(word) for word in dict.fromkeys(words)) + "]")
    if words and len(words) > MOST_WORDS:
        kinds.add("str")
    order = ["str", "bool", "int", "float", "Sequence[Any]", "Mapping[str, Any]", "Table"]
    if "Mapping[str, Any]" in kinds:
        kinds.add("Table")
    if {"int", "float"} <= kinds:
        kinds.discard("int")
    parts += [kind for kind in order if kind in kinds]
    return parts[0] if len(parts) == 1 else f"Union[{', '.join(parts)}]" if parts else "Any"


def collect(form: dict[str, Any], definitions: dict[str, Any], kinds: set[str], words: list[str], seen: set[str]) -> None:
    """Adds the kinds of values of a form of the schema, and the words that it lists."""
    if "$ref" in form:
        name = form["$ref"].rsplit("/", 1)[-1]
        if name not in seen:
            collect(definitions[name], definitions, kinds, words, seen | {name})
        return
    for several in ("anyOf", "oneOf"):
        for inner in form.get(several, []):
            collect(inner, definitions, kinds, words, seen)
    if "enum" in form:
        words += [word for word in form["enum"] if isinstance(word, str) and word not in words]
        return
    if isinstance(form.get("const"), str):
        words.append(form["const"])
        return
    names = {
        "string": "str",
        "boolean": "bool",
        "integer": "int",
        "number": "float",
        "array": "Sequence[Any]",
        "object": "Mapping[str, Any]",
    }
    given = form.get("type", [])
    for kind in [given] if isinstance(given, str) else given:
        if kind in names:
            kinds.add(names[kind])


def described(kind: str) -> str:
    """A type in words."""
    inner = re.sub(r"^Union\[(.*)\]$", r"\1", kind)
    inner = re.sub(r"Literal\[([^\]]*)\]", lambda found: "{" + found[1] + "}", inner)
    inner = inner.replace("Sequence[Any]", "list").replace("Mapping[str, Any]", "dict")
    inner = re.sub(r"(, )?Table$", "", inner)
    depth, parts, part = 0, [], ""
    for letter in inner:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    parts.append(part.strip())
    return " or ".join(part for part in parts if part)


if __name__ == "__main__":
    sys.exit(main())
