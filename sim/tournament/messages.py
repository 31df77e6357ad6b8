"""What pydantic found wrong with a file or a call, said in the words that all our messages use.

One line per mistake: where it came from, the key, what came, what is allowed, the nearest spelling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim.rules.model import NAME_WORDS
from sim.rules.words import count_of, did_you_mean, either, kind_of_value, show_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel, ValidationError

_KINDS: Final[Mapping[str, str]] = {
    "bool_type": "true or false",
    "float_type": "a number",
    "int_type": "a whole number",
    "string_type": "a text",
    "list_type": "an array",
    "tuple_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "mapping_type": "a table",
}


def describe_mistakes(error: ValidationError, model: type[BaseModel], where: str) -> list[str]:
    """Say everything that is wrong, a line each.

    Parameters
    ----------
    error
        What pydantic raised.
    model
        The model that was being made.
    where
        The file, or what else to blame; may be empty.

    Returns
    -------
    list of str
        At least one line.
    """
    lines = []
    for detail in error.errors():
        key = show_path(detail["loc"])
        line = ": ".join(part for part in (where, key, _say(dict(detail), model)) if part)
        if line not in lines:
            lines.append(line)
    return lines


def show_path(path: tuple[int | str, ...]) -> str:
    """Write a path of keys and indices as a file's reader would: `line_ups[0].strategies`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _say(detail: dict[str, Any], model: type[BaseModel]) -> str:
    """Say one mistake, without its place."""
    kind, came, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        names = _keys(model, detail["loc"][:-1])
        return f"unknown key{did_you_mean(str(detail['loc'][-1]), names)}; allowed: {', '.join(names)}"
    if kind == "missing":
        return "missing"
    if kind in _KINDS:
        return f"wrong type: {show_value(came)} is {kind_of_value(came)}; allowed: {_KINDS[kind]}"
    if kind == "literal_error":
        return _say_literal(came, str(context["expected"]))
    if kind == "finite_number":
        return f"impossible value: {show_value(came)}; allowed: a finite number"
    if kind == "value_error":
        return str(context["error"])
    bounds = {"greater_than_equal": "ge", "less_than_equal": "le", "greater_than": "gt", "less_than": "lt"}
    if kind in bounds:
        words = {"ge": "at least", "le": "at most", "gt": "more than", "lt": "less than"}[bounds[kind]]
        return f"impossible value: {show_value(came)}; allowed: {words} {context[bounds[kind]]}"
    if kind in {"too_short", "too_long"}:
        least, most = context.get("min_length"), context.get("max_length")
        entries = count_of(context["actual_length"], "entry", "entries")
        return f"came {entries}; allowed: {f'at least {least}' if least else f'at most {most}'}"
    if kind == "string_pattern_mismatch":
        allowed = NAME_WORDS
        return f"impossible value: {show_value(came)}; allowed: {allowed}"
    return f"came {show_value(came)}: {detail['msg']}"


def _say_literal(came: object, expected: str) -> str:
    """Say that a word is none of those allowed."""
    words = [word.strip("' ") for word in expected.replace(" or ", ", ").split(", ")]
    allowed = either(show_value(word) for word in words)
    if not isinstance(came, str):
        return f"wrong type: {show_value(came)} is {kind_of_value(came)}; allowed: {allowed}"
    return f"impossible value: {show_value(came)}{did_you_mean(came, words)}; allowed: {allowed}"


def _keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """List the keys of the table that a path leads to."""
    for part in path:
        if isinstance(part, int):
            continue
        inner = _model_in(model.model_fields[part].annotation)
        if inner is None:
            return []
        model = inner
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Find the model that an annotation holds, directly, optional or in a sequence."""
    if hasattr(annotation, "model_fields"):
        found: type[BaseModel] = annotation
        return found
    for inner in getattr(annotation, "__args__", ()):
        model = _model_in(inner)
        if model is not None:
            return model
    return None
