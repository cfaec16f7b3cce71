"""A tool as code that runs elsewhere, and back: ``to_dict``, ``from_dict`` and ``save``.

The code has the tool's function or class, the imports, constants and helpers of its own module
that it uses, and a last line that makes the tool. What cannot be taken along is refused, all of
it at once; nothing is executed without trust.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import pprint
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from workbench.errors import ToolDefinitionError, UntrustedCodeError, bounded_repr
from workbench.tools.code_parts import Parts, namespace_of, source_of
from workbench.tools.decorator import tool as tool_decorator
from workbench.tools.foreign import ForeignTool
from workbench.tools.requirements import requirements_of
from workbench.tools.tool_class import Tool

__all__ = ["executed", "files_of", "from_dict", "save", "to_dict", "tool_in"]

_SHOWN = 2000
"""Characters of foreign code that an error shows."""


def to_dict(tool: Tool) -> dict[str, Any]:
    """The tool as plain data.

    Parameters
    ----------
    tool : Tool
        Made from a function or a class whose source is here.

    Returns
    -------
    dict
        ``name``, ``code``, ``requirements`` and, if it has one, ``output_schema``.

    Raises
    ------
    ToolDefinitionError
        Naming everything that cannot be taken along, and why.
    """
    code = _code(tool)
    made: dict[str, Any] = {
        "name": tool.name,
        "code": code,
        "requirements": requirements_of(code),
    }
    return (
        made if tool.output_schema is None else {**made, "output_schema": dict(tool.output_schema)}
    )


def save(
    tool: Tool,
    output_dir: str | Path,
    tool_file_name: str = "tool",
    make_gradio_app: bool = True,
) -> None:
    """Write the tool's code and its ``requirements.txt`` into a folder, which is made.

    Parameters
    ----------
    tool : Tool
        As :func:`to_dict` takes it.
    output_dir : path
        The folder.
    tool_file_name : str
        The module's name, without ``.py``.
    make_gradio_app : bool
        Also write ``app.py``, which opens the tool as a Gradio app, as Spaces expect it.

    Raises
    ------
    ToolDefinitionError
        If it cannot be written as code, or the name is none for a module; nothing is written then.
    """
    if not tool_file_name.isidentifier() or (make_gradio_app and tool_file_name == "app"):
        raise ToolDefinitionError(
            f"tool_file_name={tool_file_name!r} is no name for the tool's module beside app.py; "
            "give a Python identifier, as 'tool'"
        )
    files = files_of(tool, tool_file_name, make_gradio_app=make_gradio_app)
    folder = Path(output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def files_of(
    tool: Tool, module: str, epilogue: str = "", make_gradio_app: bool = True
) -> dict[str, str]:
    """The files of a saved tool, by name; `epilogue` ends its code, ``{name}`` being the tool.

    Raises
    ------
    ToolDefinitionError
        If it cannot be written as code.
    """
    made = to_dict(tool)
    last: Any = ast.parse(made["code"]).body[-1]
    name, needed = last.targets[0].id, made["requirements"]
    files = {f"{module}.py": made["code"] + epilogue.format(name=name)}
    if make_gradio_app:
        files["app.py"] = _app(module, name)
        needed = sorted({*needed, *(requirements_of("import gradio") or ["gradio"])})
    return {**files, "requirements.txt": "".join(f"{line}\n" for line in needed)}


def _app(module: str, name: str) -> str:
    return (
        "from workbench.interop import launch_gradio_demo\n\n"
        f"from {module} import {name}\n\n"
        f"launch_gradio_demo({name})\n"
    )


def from_dict(given: Mapping[str, Any], *, trust_remote_code: bool = False, **kwargs: Any) -> Tool:
    """Make a tool from what :func:`to_dict` gave.

    Parameters
    ----------
    given : mapping
        Its ``code`` is executed.
    trust_remote_code : bool
        That you have read the code, and want it to run.
    **kwargs
        For the constructor, if the code has a class instead of a tool.

    Raises
    ------
    UntrustedCodeError
        Without trust; nothing has run.
    ToolDefinitionError
        If there is no code, or no tool in it.
    """
    code = given.get("code")
    if not isinstance(code, str):
        raise ToolDefinitionError(f"there is no 'code' in {bounded_repr(sorted(given))}")
    if not trust_remote_code:
        shown = code if len(code) <= _SHOWN else code[:_SHOWN] + "\n..."
        raise UntrustedCodeError(
            "making this tool executes its code. Read it, and pass trust_remote_code=True if you "
            f"want that:\n\n{shown}"
        )
    return tool_in(executed(code), kwargs)


def executed(code: str) -> ModuleType:
    """Execute code as a module of its own, whose source can be found again.

    Raises
    ------
    ToolDefinitionError
        If it fails; the cause is chained.
    """
    name = f"workbench_tool_{hashlib.sha256(code.encode()).hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = f"<{name}>"
    linecache.cache[module.__file__] = (len(code), None, code.splitlines(True), module.__file__)
    sys.modules[name] = module
    try:
        exec(compile(code, module.__file__, "exec", dont_inherit=True), vars(module))  # noqa: S102  # trusted by the caller
    except Exception as error:
        del sys.modules[name]
        raise ToolDefinitionError(
            f"the tool's code fails: {type(error).__name__}: {bounded_repr(str(error), 300)}. "
            "If a module is missing, install what its requirements.txt names"
        ) from error
    return module


def tool_in(module: ModuleType, kwargs: Mapping[str, Any]) -> Tool:
    """The tool that the module makes last, else one of the class that it defines last."""
    values = list(vars(module).values())
    made = [value for value in values if isinstance(value, Tool)]
    classes = [
        value
        for value in values
        if isinstance(value, type)
        and issubclass(value, Tool)
        and value.__module__ == module.__name__
    ]
    if made and not kwargs:
        return made[-1]
    if not classes:
        raise ToolDefinitionError("the code makes no tool, and defines no subclass of Tool")
    return classes[-1](**kwargs)


def _code(tool: Tool) -> str:
    parts = Parts()
    made = _function_part(tool, parts) if _is_wrapper(tool) else _class_part(tool, parts)
    if parts.problems:
        lines = "".join(f"\n  - {problem}" for problem in dict.fromkeys(parts.problems))
        raise ToolDefinitionError(f"{tool.name!r} cannot be written as code:{lines}")
    future = "from __future__ import annotations\n\n" if parts.lazy_annotations else ""
    parts.imports.add("import workbench")
    name = next(n for n in ("tool", "the_tool", "made_tool") if n not in parts.names)
    imports = "\n".join(sorted(parts.imports)) + "\n"
    body = "\n\n".join(definition.rstrip("\n") + "\n" for definition in parts.definitions)
    return f"{future}{imports}\n\n{body}\n\n{name} = {made}\n"


def _is_wrapper(tool: Tool) -> bool:
    """Whether the tool was made around a function, and is not of a class of its own."""
    return type(tool) is Tool


def _function_part(tool: Tool, parts: Parts) -> str:
    func = inspect.unwrap(tool.func)
    source = source_of(func) if isinstance(func, FunctionType) else None
    if source is None or func.__name__ == "<lambda>":
        parts.problems.append(
            f"it is made from {bounded_repr(tool.func)}, which has no source of its own; make it "
            "from a function that is defined with def, in a file or a cell"
        )
        return ""
    if tool.func is not func:
        parts.problems.append(f"{func.__name__!r} is wrapped by another function; wrap inside it")
    parts.take(func.__name__, func, _without_our_decorator(source, namespace_of(func)))
    options = _options(tool, func, parts)
    given = "".join(f", {name}={_written(value)}" for name, value in options.items())
    return f"workbench.Tool({func.__name__}{given})"


def _without_our_decorator(source: str, known: Mapping[str, Any]) -> str:
    """A function's source without the decorator that makes the tool; others stay."""
    node = ast.parse(source).body[0]
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    lines = source.splitlines(keepends=True)
    for decorator in node.decorator_list:
        if _value_of(decorator, known) in (tool_decorator, Tool):
            for index in range(decorator.lineno - 1, decorator.end_lineno or decorator.lineno):
                lines[index] = ""
    return "".join(lines)


def _value_of(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What a decorator names: ``tool``, ``workbench.tool``, or either of them called."""
    if isinstance(node, ast.Call):
        return _value_of(node.func, known)
    if isinstance(node, ast.Attribute):
        return getattr(_value_of(node.value, known), node.attr, None)
    return known.get(node.id) if isinstance(node, ast.Name) else None


def _options(tool: Tool, func: FunctionType, parts: Parts) -> dict[str, Any]:
    """What the tool was given by hand, over what its function says."""
    bare = Tool(func)
    pairs = {
        "name": (tool.name, bare.name),
        "desc": (tool.description, bare.description),
        "title": (tool.title, bare.title),
        "output_schema": (tool.output_schema, bare.output_schema),
        "check_output": (tool.check_output, bare.check_output),
        "annotations": (tool.annotations.to_dict(), bare.annotations.to_dict()),
    }
    options: dict[str, Any] = {
        word: ours for word, (ours, theirs) in pairs.items() if ours and ours != theirs
    }
    if tool.arg_types != bare.arg_types:
        parts.problems.append("arg_types were given; write them into the function's annotations")
    if _untold(tool.args) != _untold(bare.args):
        options["args"] = tool.args
    elif tool.arg_desc != bare.arg_desc:
        options["arg_desc"] = tool.arg_desc
    return options


def _untold(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {k: v for k, v in schema.items() if k != "description"}
        if isinstance(schema, Mapping)
        else schema
        for name, schema in properties.items()
    }


def _class_part(tool: Tool, parts: Parts) -> str:
    kind = type(tool)
    source = source_of(kind)
    if tool.remote or source is None or isinstance(tool, ForeignTool):
        where = f"the source of {kind.__name__} is not here"
        if tool.remote or isinstance(tool, ForeignTool):
            where = "it lives on a server" if tool.remote else f"it comes from {tool.source}"
        parts.problems.append(f"{where}, so there is no code to write")
        return ""
    parts.take(kind.__name__, kind, source)
    given = ", ".join(f"{n}={_written(v)}" for n, v in _state(tool, parts).items())
    return f"{kind.__name__}({given})"


def _state(tool: Tool, parts: Parts) -> dict[str, Any]:
    """The constructor's arguments, as the tool has kept them."""
    constructor = type(tool).__init__
    if constructor is Tool.__init__:
        return {}
    state = {}
    for name, parameter in list(inspect.signature(constructor).parameters.items())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        value = vars(tool).get(name, vars(tool).get(f"_{name}", _ABSENT))
        if value is _ABSENT:
            parts.problems.append(
                f"its constructor takes {name!r} and does not keep it as self.{name}"
            )
        elif not _is_literal(value):
            parts.problems.append(f"self.{name} is {bounded_repr(value)}, which cannot be written")
        else:
            state[name] = value
    return state


_ABSENT = object()


def _is_literal(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, TypeError):
        return False


def _written(value: Any) -> str:
    return pprint.pformat(value, sort_dicts=False, width=96)
