"""The tool: a name, a description, a schema, and something to call."""

from __future__ import annotations

import asyncio
import copy
import threading
import time
from abc import ABCMeta
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from workbench.errors import InvalidArguments, ToolError
from workbench.tools import events
from workbench.tools.annotations import ToolAnnotations
from workbench.tools.bridges import ToolBridges
from workbench.tools.definition import define_class, define_function
from workbench.tools.described import Described
from workbench.tools.execution import finish, finish_async, refuse_unless_allowed
from workbench.tools.outcome import declared_type, failed, outcome
from workbench.tools.pickling import reduced
from workbench.tools.result import ToolResult, error_text
from workbench.types import unwrap, wrap

if TYPE_CHECKING:
    from workbench.forms import Form

__all__ = ["Tool"]


class _Complete(ABCMeta):
    """Checks a tool when it has been constructed, whatever its ``__init__`` does or forgets."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        tool = super().__call__(*args, **kwargs)
        tool._complete()
        return tool


class Tool(Described, ToolBridges, metaclass=_Complete):
    """Something that can be called by a person, by code, and by a model, in the same way.

    Either wrap a callable, or subclass with ``name``, ``description``, ``inputs``,
    ``output_type``, optionally ``output_schema`` and ``check_output``, a method ``forward`` and
    a method ``setup`` that runs once before the first call.

    Parameters
    ----------
    func : callable
        The function; sync, async, or a generator of either kind.
    name, desc : str, optional
        Instead of the function's own name and docstring.
    args : mapping, optional
        JSON Schema of each argument, instead of what the annotations say.
    arg_types : mapping, optional
        Annotations, over the function's own.
    arg_desc : mapping, optional
        Text for each argument, over the docstring's.
    title : str, optional
        A name for people.
    output_schema : mapping, optional
        JSON Schema of the structured result.
    check_output : bool
        Take a result that breaks the output schema for a failure. Otherwise the result says
        where it does, in ``output_problems``.
    annotations : ToolAnnotations or mapping, optional
        Hints on behaviour.
    strict : bool
        Refuse a function with missing annotations or descriptions.

    Raises
    ------
    ToolDefinitionError
        Naming everything that is missing or does not fit.

    Examples
    --------
    >>> def greet(name: str, times: int = 1) -> str:
    ...     "Say hello."
    ...     return f"hello {name}! " * times
    >>> greeter = Tool(greet)
    >>> greeter("Ada")
    'hello Ada! '
    >>> greeter.run({"name": 5}).is_error
    True
    """

    remote: ClassVar[bool] = False
    """Whether calls run on the background loop, so that a plain call may wait for them."""

    def __init__(
        self,
        func: Callable[..., Any] | None = None,
        name: str | None = None,
        desc: str | None = None,
        args: Mapping[str, Any] | None = None,
        arg_types: Mapping[str, Any] | None = None,
        arg_desc: Mapping[str, str] | None = None,
        *,
        title: str | None = None,
        output_schema: Mapping[str, Any] | None = None,
        check_output: bool = False,
        annotations: ToolAnnotations | Mapping[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        if func is None:
            return
        self._definition = define_function(
            func,
            name=name,
            desc=desc,
            args=args,
            arg_types=arg_types,
            arg_desc=arg_desc,
            strict=strict,
        )
        self.check_output = check_output
        self._take(title, output_schema, annotations)

    def _take(
        self,
        title: str | None,
        output_schema: Mapping[str, Any] | None,
        annotations: ToolAnnotations | Mapping[str, Any] | None,
    ) -> None:
        definition = self._definition
        self.name = definition.name
        self.description = definition.description
        self.output_type = definition.output_type
        self.output_schema = output_schema or definition.output_schema
        self.annotations = ToolAnnotations.of(annotations)
        self.title = title or definition.title or self.annotations.title

    def _complete(self) -> None:
        """Finish the construction; called once, after the outermost ``__init__``."""
        self._setting_up = threading.Lock()
        self.is_initialized = False
        if "_definition" not in self.__dict__:
            self._definition = define_class(self)
            self.output_schema = self._definition.output_schema
            self.annotations = ToolAnnotations.of(getattr(self, "annotations", None))
        self._borrow(self._definition.func)

    def _borrow(self, func: Callable[..., Any]) -> None:
        """Look like the function to ``inspect`` and ``help``."""
        self.__wrapped__ = func
        self.__module__ = getattr(func, "__module__", None) or __name__
        self.__qualname__ = getattr(func, "__qualname__", self.name)
        self.__name__ = self.name
        self.__doc__ = self.description or type(self).__doc__
        if not self.source:
            module, qualname = getattr(func, "__module__", ""), getattr(func, "__qualname__", "")
            self.source = ".".join(part for part in (module, qualname) if part)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Do the work; subclasses define this."""
        return self._definition.func(*args, **kwargs)

    def setup(self) -> None:
        """Prepare heavy things; called once, before the first call."""

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Name the arguments of a call: positional, keyword, or one dict of them all.

        Raises
        ------
        InvalidArguments
            If they cannot be named.
        """
        return self._definition.spec.arguments(args, dict(kwargs))

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check arguments and convert them to what the function's annotations ask for.

        Raises
        ------
        InvalidArguments
            Naming everything that is wrong.
        """
        found = self._definition.problems(unwrap(arguments)) if self._definition.overridden else ()
        if found:
            raise InvalidArguments(found, self.name)
        return self._definition.spec.check(arguments)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call with positional or keyword arguments, or one dict of them; gives the value.

        Raises
        ------
        InvalidArguments
            If they do not fit; nothing was run.
        ToolError
            If the tool fails; its own exception is the cause.
        """
        arguments = self.bind(args, kwargs)
        if events.listening():
            return self._recorded(arguments).unwrap()
        return self._value(self.check(arguments))

    async def acall(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call without blocking the event loop; sync functions run in a thread.

        Raises
        ------
        InvalidArguments
            If the arguments do not fit.
        ToolError
            If the tool fails; its own exception is the cause.
        """
        return (await self.arun(self.bind(args, kwargs))).unwrap()

    def run(
        self,
        arguments: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        on_progress: Callable[[Any], None] | None = None,
    ) -> ToolResult:
        """Call, and have failures as results too.

        Parameters
        ----------
        arguments : mapping
            By name.
        timeout_s : float, optional
            Seconds after which the call is given up.
        on_progress : callable, optional
            Hears of each :class:`Progress`.

        Raises
        ------
        AsyncToolError
            If the tool is async and the context does not allow to wait for it.
        """
        if self.is_async and not self.remote:
            refuse_unless_allowed(self.name)
        if timeout_s is None and on_progress is None:
            return self._recorded(dict(arguments or {}))
        return self._watched(dict(arguments or {}), timeout_s, on_progress)

    async def arun(
        self, arguments: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> ToolResult:
        """Await the result; failures are results too."""
        given, started_at, clock = dict(arguments or {}), time.time(), time.perf_counter()
        try:
            checked = self.check(given)
            async with asyncio.timeout(timeout_s):
                result = await self.perform_async(checked)
        except (InvalidArguments, TimeoutError) as error:
            result = ToolResult.failure(error)
        self.publish(given, result, started_at, time.perf_counter() - clock, "code")
        return result

    def _recorded(self, arguments: dict[str, Any]) -> ToolResult:
        started_at, clock = time.time(), time.perf_counter()
        try:
            result = self.perform(self.check(arguments))
        except InvalidArguments as error:
            result = ToolResult.failure(error)
        self.publish(arguments, result, started_at, time.perf_counter() - clock, "code")
        return result

    def _watched(
        self,
        arguments: dict[str, Any],
        timeout_s: float | None,
        on_progress: Callable[[Any], None] | None,
    ) -> ToolResult:
        from workbench.tools.run import Reported
        from workbench.tools.runner import start

        try:
            run = start(self, arguments, timeout_s=timeout_s, origin="code")
        except InvalidArguments as error:
            return ToolResult.failure(error)
        if on_progress is None:
            return run.wait()
        told = Reported(on_progress)
        run.watch(told)
        result = run.wait()
        # The last of it may be on its way in another thread.
        told(run)
        return result

    def _value(self, checked: dict[str, Any]) -> Any:
        """The value of a call that nobody records; what :meth:`perform` gives, only faster."""
        if self.check_output:
            return self.perform(checked).unwrap()
        self._prepare()
        definition = self._definition
        try:
            value = finish(definition.spec.call(definition.func, checked), self.name)
        except ToolError:
            raise
        except Exception as error:
            raise ToolError(f"{self.name!r} failed: {error_text(error)}") from error
        return (
            value.unwrap()
            if isinstance(value, ToolResult)
            else wrap(value, declared_type(self.output_type))
        )

    def perform(self, checked: dict[str, Any]) -> ToolResult:
        """Call with checked arguments; whatever the tool raises becomes a result."""
        try:
            self._prepare()
            definition = self._definition
            return outcome(self, finish(definition.spec.call(definition.func, checked), self.name))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any failure of a tool is a result
            return failed(self.name, error)

    async def perform_async(self, checked: dict[str, Any]) -> ToolResult:
        """Like :meth:`perform`, on a loop that stays free."""
        if not self.is_async:
            return await asyncio.to_thread(self.perform, checked)
        try:
            self._prepare()
            definition = self._definition
            return outcome(self, await finish_async(definition.spec.call(definition.func, checked)))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any failure of a tool is a result
            return failed(self.name, error)

    def _prepare(self) -> None:
        if self.is_initialized:
            return
        with self._setting_up:
            if not self.__dict__.get("_set_up", False):
                self.setup()
                self._set_up = self.is_initialized = True

    def publish(
        self,
        arguments: Mapping[str, Any],
        result: ToolResult,
        started_at: float | None,
        elapsed_s: float,
        origin: str,
    ) -> None:
        """Tell whoever keeps a history of a call that has ended."""
        if events.listening():
            events.publish(
                events.Call(
                    tool=self,
                    arguments=arguments,
                    result=result,
                    started_at=started_at or time.time(),
                    elapsed_s=elapsed_s,
                    origin=origin,
                )
            )

    def renamed(self, name: str) -> Tool:
        """The same tool under another name."""
        other = copy.copy(self)
        other.name = other.__name__ = name
        return other

    def form(self, **values: Any) -> Form:
        """A form for the arguments, filled with `values`."""
        from workbench.forms import Form

        return Form(self, **values)

    def _ipython_display_(self) -> None:
        self.form()._ipython_display_()

    def __reduce__(self) -> Any:
        return reduced(self)
