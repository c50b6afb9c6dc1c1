"""The Messages API, which Claude Code speaks."""

import itertools
import json

from script import Asked, Call, Hold, Say, Think

PATHS = ("/messages", "/count_tokens")
_numbers = itertools.count(1)
# What the program writes in the person's name begins like this.
_WRITTEN = ("<", "[SYSTEM", "Caveat:")


def read(body):
    prompts, results = [], []
    for message in body.get("messages", []):
        if message.get("role") != "user":
            continue
        content = message.get("content", "")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if block.get("type") == "tool_result":
                results.append(_text(block.get("content")))
            elif block.get("type") == "text" and block["text"].strip() and not block["text"].lstrip().startswith(_WRITTEN):
                prompts.append(block["text"].strip())
                results = []
    tools = frozenset(tool.get("name") for tool in body.get("tools", []))
    return Asked(prompts[-1] if prompts else "", tuple(results), tools, tuple(prompts))


def _text(content):
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [])


def events(steps, body):
    number = next(_numbers)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model", "scripted"), "content": []}
    yield _event("message_start", message={**message, "stop_reason": None, "stop_sequence": None, "usage": usage})
    index = 0
    stop = "end_turn"
    for step in steps:
        if isinstance(step, Hold):
            yield step
            continue
        if isinstance(step, Say):
            start, deltas = {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in _pieces(step.text)]
        elif isinstance(step, Think):
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": step.text}, {"type": "signature_delta", "signature": "c2lnbmVk"}]
        elif isinstance(step, Call):
            stop = "tool_use"
            start = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": step.tool, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}]
        yield _event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
        index += 1
    yield _event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 1})
    yield _event("message_stop")


def _event(kind, **members):
    return kind, {"type": kind, **members}


def _pieces(text):
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
