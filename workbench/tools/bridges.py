"""The names by which tools come from other libraries and go to them.

Nothing is done here: what is known of each library stands in one module of ``sources`` or
``interop``, which is imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from workbench.tools.collection import ToolCollection
    from workbench.tools.tool_class import Tool

__all__ = ["CollectionBridges", "ToolBridges"]


class ToolBridges:
    """The ways of one tool; :class:`workbench.Tool` has them.

    Examples
    --------
    >>> from workbench import Tool
    >>> class Shout:
    ...     name, description = "shout", "Say it louder."
    ...
    ...     def run(self, text: str) -> str:
    ...         return text.upper()
    >>> Tool.from_gradio(Shout())("hello")
    'HELLO'
    """

    @classmethod
    def from_mcp_tool(cls, session: Any, tool: Any, *, result_mode: str = "text") -> Tool:
        """A tool of an MCP session that the caller owns.

        Parameters
        ----------
        session : object
            Has ``await call_tool(name, arguments=...)``, as ``mcp.ClientSession`` does.
        tool : object
            The server's definition, in either spelling of its fields.
        result_mode : str
            "text" or "structured": what a call's value is made of.

        Raises
        ------
        ValueError
            If `result_mode` is another.
        """
        from workbench.sources.mcp import tool_from_session

        return tool_from_session(session, tool, result_mode=result_mode)

    @staticmethod
    def from_langchain(tool: Any) -> Tool:
        """A LangChain tool: a ``BaseTool`` of any kind, sync or async.

        Raises
        ------
        ToolDefinitionError
            If it is none; a toolkit goes to :meth:`ToolCollection.from_langchain`.
        """
        from workbench.sources.langchain import tool_from_langchain

        return tool_from_langchain(tool)

    def to_langchain(self) -> Any:
        """The tool as LangChain's ``StructuredTool`` (see :func:`workbench.interop.to_langchain`).

        Raises
        ------
        MissingExtra
            If ``langchain-core`` is not installed.
        """
        from workbench.interop.langchain import to_langchain

        return to_langchain(cast("Tool", self))

    @staticmethod
    def from_space(
        space_id: str,
        name: str | None = None,
        description: str | None = None,
        api_name: str | None = None,
        token: str | None = None,
    ) -> Tool:
        """One endpoint of a Space on the Hub, or of a Gradio app at an address.

        Parameters
        ----------
        space_id : str
            "owner/name", or an address.
        name, description : str, optional
            Instead of the endpoint's own.
        api_name : str, optional
            Which endpoint; by default the first, with a warning if there are others.
        token : str, optional
            For a private Space.

        Raises
        ------
        ConnectionFailed
            If the app does not answer.
        ToolDefinitionError
            If it has no such endpoint, naming those that there are.
        MissingExtra
            If ``gradio_client`` is not installed.
        """
        from workbench.sources.spaces import tool_from_space

        return tool_from_space(space_id, name, description, api_name, token)

    @staticmethod
    def from_gradio(tool: Any, api_name: str | None = None) -> Tool:
        """A ``gr.Interface``, an endpoint of ``gr.Blocks``, or an object with a method ``run``.

        Parameters
        ----------
        tool : object
            An app, or an object with ``name``, ``description`` and ``run``.
        api_name : str, optional
            Which endpoint of an app; by default the first, with a warning if there are others.

        Raises
        ------
        ToolDefinitionError
            If it is none of these, or has no such endpoint.
        """
        from workbench.sources.gradio import tool_from_gradio

        return tool_from_gradio(tool, api_name)

    @staticmethod
    def from_dspy(tool: Any) -> Tool:
        """A ``dspy.Tool``.

        Raises
        ------
        ToolDefinitionError
            If it is none.
        """
        from workbench.sources.dspy import tool_from_dspy

        return tool_from_dspy(tool)

    def to_dspy(self) -> Any:
        """The tool as a ``dspy.Tool`` (see :func:`workbench.interop.to_dspy`).

        Raises
        ------
        MissingExtra
            If ``dspy`` is not installed.
        """
        from workbench.interop.dspy import to_dspy

        return to_dspy(cast("Tool", self))

    @staticmethod
    def from_smolagents(tool: Any) -> Tool:
        """A ``smolagents.Tool``.

        Raises
        ------
        ToolDefinitionError
            If it is none.
        """
        from workbench.sources.smolagents import tool_from_smolagents

        return tool_from_smolagents(tool)

    def to_smolagents(self) -> Any:
        """The tool as a ``smolagents.Tool`` (see :func:`workbench.interop.to_smolagents`).

        Raises
        ------
        MissingExtra
            If ``smolagents`` is not installed.
        """
        from workbench.interop.smolagents import to_smolagents

        return to_smolagents(cast("Tool", self))

    @staticmethod
    def from_hub(
        repo_id: str, token: str | None = None, trust_remote_code: bool = False, **kwargs: Any
    ) -> Tool:
        """A tool of a Space on the Hub: its ``tool.py`` is downloaded and executed.

        Parameters
        ----------
        repo_id : str
            "owner/name".
        token : str, optional
            For a private Space.
        trust_remote_code : bool
            That you have read the code, and want it to run.
        **kwargs
            ``revision``, ``subfolder``, ``cache_dir``, ``force_download`` and
            ``local_files_only`` say what is fetched; all others are for the constructor.

        Raises
        ------
        UntrustedCodeError
            Without trust; nothing has been downloaded.
        ConnectionFailed
            If the Hub refuses or has no such file.
        """
        from workbench.sources.hub import tool_from_hub

        return tool_from_hub(repo_id, token, trust_remote_code, **kwargs)

    def push_to_hub(
        self,
        repo_id: str,
        commit_message: str = "Upload tool",
        private: bool | None = None,
        token: str | None = None,
        create_pr: bool = False,
    ) -> Any:
        """Write the tool into a Space on the Hub (see :func:`workbench.interop.push_to_hub`).

        Raises
        ------
        ToolDefinitionError
            If it cannot be written as code; nothing has been sent then.
        ConnectionFailed
            If the Hub refuses or does not answer.
        """
        from workbench.interop.hub import push_to_hub

        tool = cast("Tool", self)
        return push_to_hub(tool, repo_id, commit_message, private, token, create_pr)


class CollectionBridges:
    """The ways of several tools; :class:`workbench.ToolCollection` has them.

    Examples
    --------
    >>> from workbench import ToolCollection
    >>> len(ToolCollection.from_langchain([]))
    0
    """

    @classmethod
    def from_mcp(
        cls,
        server_parameters: Any,
        trust_remote_code: bool = False,
        structured_output: bool = False,
    ) -> ToolCollection:
        """The tools of an MCP server; leaving the ``with`` block ends the connection.

        Raises
        ------
        UntrustedCodeError
            Without `trust_remote_code`, before anything has started.
        ConnectionFailed
            If the server does not answer.
        """
        from workbench.sources.mcp import collection_from_mcp

        return collection_from_mcp(
            server_parameters,
            trust_remote_code=trust_remote_code,
            structured_output=structured_output,
        )

    @classmethod
    def from_hub(
        cls, collection_slug: str, token: str | None = None, trust_remote_code: bool = False
    ) -> ToolCollection:
        """The tools of a collection of Spaces on the Hub, in its order; their code is executed.

        Raises
        ------
        UntrustedCodeError
            Without `trust_remote_code`, naming the Spaces.
        ConnectionFailed
            If the Hub refuses or does not answer.
        """
        from workbench.sources.hub import tools_from_hub
        from workbench.tools.collection import ToolCollection

        return ToolCollection(tools_from_hub(collection_slug, token, trust_remote_code))

    @classmethod
    def from_space(cls, space_id: str, token: str | None = None) -> ToolCollection:
        """All named endpoints of a Space, or of a Gradio app at an address, in its order.

        Raises
        ------
        ConnectionFailed
            If the app does not answer.
        """
        from workbench.sources.spaces import tools_from_space
        from workbench.tools.collection import ToolCollection

        return ToolCollection(tools_from_space(space_id, token))

    @classmethod
    def from_gradio(cls, app: Any) -> ToolCollection:
        """All named endpoints of a ``gr.Blocks`` or ``gr.Interface``, in its order.

        Raises
        ------
        ToolDefinitionError
            If it is something else.
        """
        from workbench.sources.gradio import tools_from_gradio
        from workbench.tools.collection import ToolCollection

        return ToolCollection(tools_from_gradio(app))

    @classmethod
    def from_langchain(cls, tools: Any) -> ToolCollection:
        """The tools of a LangChain toolkit, or of a list of LangChain's tools, in order."""
        from workbench.sources.langchain import tools_from_langchain
        from workbench.tools.collection import ToolCollection

        return ToolCollection(tools_from_langchain(tools))
