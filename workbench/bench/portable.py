"""Values as JSON with media in files beside it, and back as what they were.

What JSON lacks is written as an object with a ``"$type"``. Nothing is executed when it is read:
objects of other classes come back as the JSON that they stand for.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import date, datetime, time
from decimal import Decimal
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

from workbench.bench.secrets import Secret
from workbench.errors import MediaError, MissingExtra, WorkbenchError, bounded_repr
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.structured import structured
from workbench.types import AgentAudio, AgentImage, AgentText, AgentVideo, wrap
from workbench.types.files import write_atomically
from workbench.types.sniff import extension

__all__ = ["Folder", "read_value", "write_value"]


class Folder:
    """A folder of files that are named by their content, so that equal ones are one.

    Parameters
    ----------
    path : Path
        Made when the first file is put there.

    Examples
    --------
    >>> import tempfile
    >>> folder = Folder(Path(tempfile.mkdtemp()) / "media")
    >>> folder.get(folder.put(b"hello", ".txt"))
    b'hello'
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, data: bytes, suffix: str) -> str:
        """Keep bytes; gives the name of their file."""
        name = _name(data, suffix)
        target = self.path / name
        if not target.exists():
            self.path.mkdir(parents=True, exist_ok=True)
            write_atomically(target, data)
        return name

    @classmethod
    def nowhere(cls) -> Folder:
        """A folder that keeps nothing: files have names, which tell whether they are equal."""
        return _Nowhere(Path())

    def where(self, name: Any) -> Path:
        """The path of a file in this folder, and in no other.

        Raises
        ------
        WorkbenchError
            If it is not there.
        """
        target = self.path / str(name)
        if target.parent != self.path or not target.is_file():
            raise WorkbenchError(f"the file {bounded_repr(name)} is not in {str(self.path)!r}")
        return target

    def get(self, name: Any) -> bytes:
        """The bytes of a file.

        Raises
        ------
        WorkbenchError
            If it is not there.
        """
        return self.where(name).read_bytes()


def _name(data: bytes, suffix: str) -> str:
    return hashlib.sha256(data).hexdigest()[:24] + suffix


class _Nowhere(Folder):
    def put(self, data: bytes, suffix: str) -> str:
        return _name(data, suffix)


Write = Callable[[Any, Folder], dict[str, Any]]
Read = Callable[[Mapping[str, Any], Folder], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """How values of some classes are written and read."""

    tag: str
    classes: tuple[type, ...]
    write: Write
    read: Read


def _inline(tag: str, kind: type, read: Callable[[str], Any]) -> _Kind:
    """A kind whose text says it all."""
    return _Kind(
        tag=tag,
        classes=(kind,),
        write=lambda value, folder: {"value": str(value)},
        read=lambda data, folder: read(data["value"]),
    )


def _items(tag: str, kind: Callable[[Any], Any], *classes: type) -> _Kind:
    return _Kind(
        tag=tag,
        classes=classes,
        write=lambda value, folder: {"items": [write_value(item, folder) for item in value]},
        read=lambda data, folder: kind(read_value(item, folder) for item in data["items"]),
    )


def _record(tag: str, kind: type) -> _Kind:
    """A dataclass; what is not set is left out."""
    known = fields(kind)
    needed = {f.name for f in known if f.default is MISSING and f.default_factory is MISSING}

    def write(value: Any, folder: Folder) -> dict[str, Any]:
        pairs = ((f.name, getattr(value, f.name)) for f in known)
        return {n: write_value(v, folder) for n, v in pairs if n in needed or v not in (None, {})}

    def read(data: Mapping[str, Any], folder: Folder) -> Any:
        return kind(**{f.name: read_value(data[f.name], folder) for f in known if f.name in data})

    return _Kind(tag=tag, classes=(kind,), write=write, read=read)


def _write_image(value: AgentImage, folder: Folder) -> dict[str, Any]:
    return {"file": folder.put(value.to_bytes(), extension(value.mime_type))}


def _write_audio(value: AgentAudio, folder: Folder) -> dict[str, Any]:
    name = folder.put(value.to_bytes(), extension(value.mime_type))
    try:
        return {"file": name, "samplerate": value.samplerate}
    except MediaError:
        return {"file": name}


def _write_text(value: AgentText, folder: Folder) -> dict[str, Any]:
    mime = value.mime_type
    return {"text": value.to_raw(), **({"mime_type": mime} if mime != "text/plain" else {})}


def _read_text(data: Mapping[str, Any], folder: Folder) -> AgentText:
    return AgentText(data["text"], mime_type=data.get("mime_type", "text/plain"))


def _write_mapping(value: Mapping[Any, Any], folder: Folder) -> dict[str, Any]:
    pairs = value.items()
    return {"pairs": [[write_value(k, folder), write_value(v, folder)] for k, v in pairs]}


def _read_mapping(data: Mapping[str, Any], folder: Folder) -> dict[Any, Any]:
    return {read_value(k, folder): read_value(v, folder) for k, v in data["pairs"]}


_MAPPING = _Kind(tag="mapping", classes=(), write=_write_mapping, read=_read_mapping)


def _write_array(value: Any, folder: Folder) -> dict[str, Any]:
    file = BytesIO()
    sys.modules["numpy"].save(file, value, allow_pickle=False)
    return {"file": folder.put(file.getvalue(), ".npy")}


def _read_array(data: Mapping[str, Any], folder: Folder) -> Any:
    numpy = _package("numpy")
    return numpy.load(BytesIO(folder.get(data["file"])), allow_pickle=False)


def _write_table(value: Any, folder: Folder) -> dict[str, Any]:
    return {"file": folder.put(value.to_json(orient="table").encode(), ".json")}


def _read_table(data: Mapping[str, Any], folder: Folder) -> Any:
    pandas = _package("pandas")
    return pandas.read_json(BytesIO(folder.get(data["file"])), orient="table")


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(
            f"a saved value needs {name}, which cannot be imported ({error}); install it with:  "
            f"pip install {name}"
        ) from error


_ARRAY = _Kind(tag="array", classes=(), write=_write_array, read=_read_array)
_TABLE = _Kind(tag="table", classes=(), write=_write_table, read=_read_table)

_KINDS = (
    _Kind(
        tag="secret",
        classes=(Secret,),
        write=lambda value, folder: {"where": value.where},
        read=lambda data, folder: Secret(data["where"]),
    ),
    _Kind(tag="text", classes=(AgentText,), write=_write_text, read=_read_text),
    _Kind(
        tag="image",
        classes=(AgentImage,),
        write=_write_image,
        read=lambda data, folder: AgentImage(folder.where(data["file"])),
    ),
    _Kind(
        tag="audio",
        classes=(AgentAudio,),
        write=_write_audio,
        read=lambda data, folder: AgentAudio(folder.where(data["file"]), data.get("samplerate")),
    ),
    _Kind(
        tag="video",
        classes=(AgentVideo,),
        write=lambda value, folder: {
            "file": folder.put(value.to_bytes(), extension(value.mime_type))
        },
        read=lambda data, folder: AgentVideo(folder.where(data["file"])),
    ),
    _Kind(
        tag="bytes",
        classes=(bytes, bytearray, memoryview),
        write=lambda value, folder: {"file": folder.put(bytes(value), ".bin")},
        read=lambda data, folder: folder.get(data["file"]),
    ),
    _record("resource", Resource),
    _record("resource_link", ResourceLink),
    _items("tuple", tuple, tuple),
    _items("set", set, set, frozenset),
    _inline("datetime", datetime, datetime.fromisoformat),
    _inline("date", date, date.fromisoformat),
    _inline("time", time, time.fromisoformat),
    _inline("decimal", Decimal, Decimal),
    _inline("uuid", UUID, UUID),
    _inline("path", Path, Path),
    _inline("float", float, float),
)
_BY_TAG = {kind.tag: kind for kind in (*_KINDS, _MAPPING, _ARRAY, _TABLE)}


def write_value(value: Any, folder: Folder) -> Any:
    """A value as plain JSON.

    Parameters
    ----------
    value : object
        Anything; what has neither a kind nor a JSON form is written as its bounded repr.
    folder : Folder
        Where media go.

    Examples
    --------
    >>> write_value({"on": date(2026, 1, 2), "n": (1,)}, Folder(Path("media")))
    {'on': {'$type': 'date', 'value': '2026-01-02'}, 'n': {'$type': 'tuple', 'items': [1]}}
    """
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is list:
        return [write_value(item, folder) for item in value]
    if isinstance(value, Mapping) and _is_object(value):
        return {key: write_value(item, folder) for key, item in value.items()}
    return _write_other(value, folder)


def _is_object(value: Mapping[Any, Any]) -> bool:
    return all(type(key) is str for key in value) and "$type" not in value


def _write_other(value: Any, folder: Folder) -> Any:
    if _is_scalar(value):
        return write_value(value.item(), folder)
    kind = _kind_of(value)
    if kind is None:
        value = wrap(value)
        kind = _kind_of(value)
    if kind is not None:
        try:
            return {"$type": kind.tag, **kind.write(value, folder)}
        except (MediaError, TypeError, ValueError):
            # What cannot be written in its own form is still told.
            return bounded_repr(value)
    plain = structured(value)
    return bounded_repr(value) if plain is None else write_value(plain, folder)


def _is_scalar(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, (numpy.number, numpy.bool_))


def _kind_of(value: Any) -> _Kind | None:
    if isinstance(value, Mapping):
        return _MAPPING
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return _ARRAY
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return _TABLE
    return next((kind for kind in _KINDS if isinstance(value, kind.classes)), None)


def read_value(data: Any, folder: Folder) -> Any:
    """The opposite of :func:`write_value`.

    Raises
    ------
    WorkbenchError
        If a file is missing, or the data are of no known kind.
    """
    if isinstance(data, list):
        return [read_value(item, folder) for item in data]
    if not isinstance(data, dict):
        return data
    if "$type" not in data:
        return {key: read_value(item, folder) for key, item in data.items()}
    kind = _BY_TAG.get(data["$type"])
    if kind is None:
        raise WorkbenchError(f"values of type {bounded_repr(data['$type'])} are not known here")
    return kind.read(data, folder)
