"""What pydantic found wrong with a file or a call, said in the words that all our messages use.

One line per mistake: where it came from, the key, what came, what is allowed, the nearest spelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin

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
_FORMS: Final[Mapping[Any, str]] = {
    bool: "true or false",
    float: "a number",
    int: "a whole number",
    str: "a text",
    list: "an array",
    tuple: "an array",
    dict: "a table",
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
    mistakes = [_Mistake(dict(detail), *_walk(model, detail["loc"])) for detail in error.errors()]
    lines = []
    for mistake in mistakes:
        if any(mistake.is_answered_by(other) for other in mistakes):
            continue
        line = ": ".join(part for part in (where, show_path(mistake.path), _say(mistake)) if part)
        if line not in lines:
            lines.append(line)
    return lines


@dataclass(frozen=True)
class _Mistake:
    """What pydantic found wrong, at the keys that a person wrote."""

    detail: dict[str, Any]
    """As pydantic has it."""
    path: tuple[int | str, ...]
    """Keys and indices, without the names that pydantic gives to the forms that a value may have."""
    table: type[BaseModel] | None
    """The table that the last key of the path is in, if it is a table with keys of its own."""
    choice: tuple[int | str, ...] | None
    """The path of a value that may have several forms, if the mistake is in or at one."""
    forms: tuple[Any, ...]
    """The types of these."""

    @property
    def is_of_form(self) -> bool:
        """Whether a value has none of the forms that pydantic tried here."""
        return self.path == self.choice and self.detail["type"] in _KINDS

    def is_answered_by(self, other: _Mistake) -> bool:
        """Tell whether it is a form that the value does not have, while something is wrong within the one it has."""
        return self.is_of_form and other.choice == self.choice and not other.is_of_form


def _walk(
    model: type[BaseModel], location: tuple[int | str, ...]
) -> tuple[tuple[int | str, ...], type[BaseModel] | None, tuple[int | str, ...] | None, tuple[Any, ...]]:
    """Follow a location of pydantic's through the types of a model: see `_Mistake`."""
    here: Any = model
    path: list[int | str] = []
    table: type[BaseModel] | None = None
    choice: tuple[int | str, ...] | None = None
    forms: tuple[Any, ...] = ()
    for part in location:
        options = _forms_of(here)
        if len(options) > 1:
            if choice is None:
                choice, forms = tuple(path), options
            here = next((one for one in options if _is_called(one, str(part))), None)
            continue
        here = options[0] if options else None
        table = here if hasattr(here, "model_fields") else None
        here = _within(here, part)
        path.append(part)
    if choice is None and len(_forms_of(here)) > 1:  # wrong in all forms at once
        choice, forms = tuple(path), _forms_of(here)
    return tuple(path), table, choice, forms


def _forms_of(annotation: Any) -> tuple[Any, ...]:
    """List the types that a value may have, `None` left out."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in {Union, UnionType}:
        return tuple(form for one in get_args(annotation) if one is not NoneType for form in _forms_of(one))
    return () if annotation is None else (annotation,)


def _is_called(form: Any, tag: str) -> bool:
    """Tell whether pydantic calls a form so in its locations."""
    return tag == getattr(form, "__name__", None) or tag.startswith(f"{getattr(get_origin(form), '__name__', None)}[")


def _within(annotation: Any, part: int | str) -> Any:
    """Give the type of what a key or an index leads to; None if that is not known."""
    if hasattr(annotation, "model_fields"):
        fields = annotation.model_fields
        found = next((field for name, field in fields.items() if part in (name, field.alias)), None)
        return None if found is None else found.annotation
    arguments = get_args(annotation)
    if not arguments:
        return None
    return arguments[-1] if get_origin(annotation) is dict else arguments[0]


def _show_form(form: Any) -> str:
    """Say what a value of a type looks like."""
    if hasattr(form, "model_fields"):
        return f"a table with {' and '.join(_keys(form))}"
    return _FORMS.get(get_origin(form) or form, "a value")


def show_path(path: tuple[int | str, ...]) -> str:
    """Write a path of keys and indices as a file's reader would: `line_ups[0].strategies`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _say(mistake: _Mistake) -> str:
    """Say one mistake, without its place."""
    detail = mistake.detail
    kind, came, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        names = _keys(mistake.table) if mistake.table is not None else []
        return f"unknown key{did_you_mean(str(mistake.path[-1]), names)}; allowed: {', '.join(names)}"
    if kind == "missing":
        if mistake.choice is None or len(mistake.path) != len(mistake.choice) + 1:
            return "missing"
        key = show_path(mistake.choice).rpartition(".")[2]
        return f"missing; allowed for {key}: {either(_show_form(form) for form in mistake.forms)}"
    if mistake.is_of_form:
        allowed = either(_show_form(form) for form in mistake.forms)
        return f"wrong type: {show_value(came)} is {kind_of_value(came)}; allowed: {allowed}"
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


def _keys(model: type[BaseModel]) -> list[str]:
    """List the keys of a table."""
    return [field.alias or name for name, field in model.model_fields.items()]
