"""Tool calls: every shape is read, only given tools run, and every call has its result."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

import pytest

from workbench import context, tool
from workbench.tools import events
from workbench.tools.calls import ToolCall, ToolCalls


def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


def fail() -> None:
    """Fail."""
    raise KeyError("no")


ADD = ToolCall(id="c1", name="add", args={"a": 1})


@pytest.mark.parametrize(
    "item",
    [
        {"id": "c1", "name": "add", "args": {"a": 1}},
        {"id": "c1", "name": "add", "arguments": {"a": 1}},
        {"id": "c1", "name": "add", "arguments": '{"a": 1}'},
        {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}},
        {"type": "function_call", "id": "fc_9", "call_id": "c1", "name": "add", "arguments": '{"a": 1}'},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
        {"functionCall": {"id": "c1", "name": "add", "args": {"a": 1}}},
        {"function_call": {"id": "c1", "name": "add", "args": {"a": 1}}},
        SimpleNamespace(id="c1", function=SimpleNamespace(name="add", arguments='{"a": 1}')),
    ],
)  # fmt: skip
def test_every_shape_of_a_call_is_read(item):
    assert ToolCalls.from_dict_list([item]).tool_calls == [ADD]


@pytest.mark.parametrize("given", [ADD.to_dict(), {"tool_calls": [ADD.to_dict()]}, [ADD.to_dict()]])
def test_one_call_or_a_wrapper_is_read_as_a_list(given):
    assert ToolCalls.from_dict_list(given) == ToolCalls([ADD])


@pytest.mark.parametrize("given", ["garbage", 5, [{"nonsense": 1}], [{"name": "add"}], {}, [None]])
def test_what_is_no_call_is_refused(given):
    with pytest.raises(ValueError, match=r"call"):
        ToolCalls.from_dict_list(given)


def test_calls_survive_being_written_as_data():
    calls = ToolCalls([ADD, ToolCall(name="fail")])
    assert ToolCalls.from_dict_list(calls.to_dict()) == calls


OPENAI = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}]}  # fmt: skip
MESSAGES = {
    "openai message": OPENAI,
    "openai response": {"choices": [{"index": 0, "message": OPENAI}, {"index": 1, "message": OPENAI}]},
    "openai responses": {"object": "response", "output": [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "add", "arguments": '{"a": 1}'}]},
    "anthropic": {"role": "assistant", "stop_reason": "tool_use", "content": [
        {"type": "text", "text": "I will add."},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}}]},
    "gemini": {"candidates": [{"content": {"role": "model", "parts": [
        {"text": "hm"}, {"functionCall": {"id": "c1", "name": "add", "args": {"a": 1}}}]}}]},
    "langchain": {"type": "ai", "content": "", "name": None, "invalid_tool_calls": [],
                  "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "c1", "type": "tool_call"}]},
    "langchain, calls repeated in the content": {
        "type": "ai", "content": [{"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}}],
        "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "c1", "type": "tool_call"}]},
}  # fmt: skip


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_every_providers_message_is_read(message):
    assert ToolCalls.from_message(message).tool_calls == [ADD]


@pytest.mark.parametrize("message", [{"role": "assistant", "content": "hi"}, {}, []])
def test_a_message_may_have_no_calls(message):
    assert len(ToolCalls.from_message(message)) == 0


def test_a_legacy_function_call_has_no_id():
    message = {"role": "assistant", "function_call": {"name": "add", "arguments": '{"a": 1}'}}
    assert ToolCalls.from_message(message)[0] == ToolCall(name="add", args={"a": 1})


@pytest.mark.parametrize("message", ["text", 5, None])
def test_what_is_no_message_is_refused(message):
    with pytest.raises(ValueError, match="a message is"):
        ToolCalls.from_message(message)


def test_pieces_of_a_stream_are_joined_by_index():
    def chunk(*pieces):
        return {"choices": [{"index": 0, "delta": {"tool_calls": list(pieces)}}]}

    calls = ToolCalls.from_message([
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
        chunk({"index": 0, "id": "c1", "function": {"name": "add", "arguments": ""}}),
        chunk({"index": 1, "id": "c2", "function": {"name": "fail", "arguments": ""}}),
        chunk({"index": 0, "function": {"arguments": '{"a"'}}),
        chunk({"index": 1, "function": {"arguments": "{}"}}, {"index": 0, "function": {"arguments": ": 1}"}}),
        {"choices": []},
    ])  # fmt: skip
    assert calls.tool_calls == [ADD, ToolCall(id="c2", name="fail")]


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("", {}), ("  \n", {}), (None, {}), ("{}", {}), ('{"a": 1}', {"a": 1}),
        ('{"a": 1', {"a": 1}), ("{'a': True, 'b': None}", {"a": True, "b": None}),
        ('{"a": 1,}', {"a": 1}), ('```json\n{"a": 1}\n```', {"a": 1}), ('{"a": "x\ny"}', {"a": "x\ny"}),
        ('"{\\"a\\": 1}"', {"a": 1}), ('{"a": 12345678901234567890}', {"a": 12345678901234567890}),
    ],
)  # fmt: skip
def test_small_faults_in_argument_text_are_mended(text, args):
    assert ToolCall(name="t", args=text).args == args


@pytest.mark.parametrize(
    "text",
    ["garbage", "{", "{]", "[1, 2]", "5", '"hi"', '{"a":1}{"a":2}', '{"a" 1}', '{"a":}', [1], 5, "[" * 100_000],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error_result_and_nothing_runs(text):
    ran = []
    (result,) = ToolCalls([{"id": "c1", "name": "t", "args": text}]).execute(
        {"t": lambda: ran.append(1)}
    )
    assert (result.call_id, result.is_error, ran) == ("c1", True, [])
    assert "must be a JSON object" in result.value


def test_results_come_in_the_order_of_the_calls_each_with_its_id():
    calls = ToolCalls([
        {"id": "1", "name": "add", "args": {"a": 1}},
        {"id": "2", "name": "ad", "args": {}},
        {"id": "3", "name": "fail", "args": {}},
        {"id": "4", "name": "add", "args": {"a": "x", "c": 1}},
    ])  # fmt: skip
    results = calls.execute([add, fail])
    assert [(r.call_id, r.name, r.is_error) for r in results] == [
        ("1", "add", False), ("2", "ad", True), ("3", "fail", True), ("4", "add", True)
    ]  # fmt: skip
    assert results[0].value == 3
    assert "did you mean 'add'" in results[1].value
    assert "KeyError" in results[2].value
    assert len(results[3].result.problems) == 2


@pytest.mark.parametrize("tools", [[add], (add,), {"add": add}, {"add": tool(add)}, [tool(add)]])
def test_tools_are_given_in_any_collection_and_always_validated(tools):
    good, bad = ToolCalls([{"name": "add", "args": {"a": 1}}, {"name": "add", "args": {"a": "1"}}]).execute(tools)  # fmt: skip
    assert (good.value, bad.is_error) == (3, True)


def test_nothing_is_looked_up_outside_the_given_tools():
    (result,) = ToolCalls([{"name": "add", "args": {"a": 1}}]).execute([])
    assert result.is_error
    with pytest.raises(TypeError):
        ToolCalls([ADD]).execute()


def test_a_call_by_the_name_a_provider_was_told_reaches_the_tool():
    dotted = tool(add, name="math.add" + "x" * 80)
    told = dotted.schema("openai")["function"]["name"]
    (result,) = ToolCalls([{"name": told, "args": {"a": 1}}]).execute([dotted])
    assert result.value == 3


def test_calls_run_side_by_side_up_to_the_limit():
    meeting = threading.Barrier(3, timeout=10)
    calls = ToolCalls([{"name": "meet", "args": {}}] * 3)
    results = calls.execute({"meet": lambda: meeting.wait() >= 0}, max_concurrent=3)
    assert [r.value for r in results] == [True] * 3


def test_no_more_run_than_the_limit():
    now, most, lock = [0], [0], threading.Lock()

    async def busy() -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        await asyncio.sleep(0)
        now[0] -= 1

    calls = ToolCalls([{"name": "busy", "args": {}}] * 9)
    asyncio.run(calls.aexecute([busy], max_concurrent=2))
    assert most == [2]


def test_async_tools_run_on_the_callers_loop_beside_sync_ones():
    async def where() -> bool:
        """Say whether this is the caller's loop."""
        return asyncio.get_running_loop() is loop

    async def main():
        nonlocal loop
        loop = asyncio.get_running_loop()
        return await ToolCalls([{"name": "where", "args": {}}, ADD]).aexecute([where, add])

    loop = None
    assert [r.value for r in asyncio.run(main())] == [True, 3]


def test_the_context_holds_in_the_threads_of_the_calls():
    async def answer() -> int:
        return 42

    calls = ToolCalls([{"name": "answer", "args": {}}] * 2)
    refused = calls.execute([answer])
    assert all(r.is_error and "await" in r.value for r in refused)
    with context(allow_tool_async_sync_conversion=True):
        assert [r.value for r in calls.execute([answer])] == [42, 42]


def test_histories_hear_that_a_model_called():
    heard = []
    stop = events.subscribe(heard.append)
    ToolCalls([ADD]).execute([add])
    asyncio.run(ToolCalls([ADD]).aexecute([add]))
    stop()
    assert [(call.origin, call.result.value) for call in heard] == [("model", 3)] * 2
