"""The Responses API, which Codex speaks."""

import itertools
import json

from script import Asked, Call, Hold, Say, Think

PATHS = ("/responses",)
_numbers = itertools.count(1)
# What programs write in the person's name begins like this.
_WRITTEN = ("<", "# AGENTS.md")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")


def read(body):
    prompts, results = [], []
    for item in body.get("input", []):
        if item.get("type") == "message" and item.get("role") == "user":
            texts = [part.get("text", "") for part in item.get("content", []) if part.get("type") == "input_text"]
            text = "".join(text for text in texts if not text.startswith(_WRITTEN))
            if text:
                prompts.append(text)
                results = []
        elif item.get("type") in _OUTPUTS:
            results.append(_text(item.get("output")))
    tools = set()
    for tool in body.get("tools", []):
        tools.add(tool.get("name") or tool.get("type"))
        tools |= {f"{tool['name']}.{inner.get('name')}" for inner in tool.get("tools", [])}
    return Asked(prompts[-1] if prompts else "", tuple(results), frozenset(tools), tuple(prompts))


def _text(output):
    if isinstance(output, str):
        return output
    if isinstance(output, dict):
        return _text(output.get("content", ""))
    return "\n".join(part.get("text", "") for part in output or [])


def events(steps, body):
    name = f"resp_{next(_numbers)}"
    yield _event("response.created", response={"id": name})
    for index, step in enumerate(steps):
        if isinstance(step, Hold):
            yield step
            continue
        number = f"{name}_{index}"
        if isinstance(step, Say):
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": []}
            yield _event("response.output_item.added", output_index=index, item=item)
            for piece in _pieces(step.text):
                yield _event("response.output_text.delta", item_id=item["id"], output_index=index, content_index=0, delta=piece)
            item = {**item, "content": [{"type": "output_text", "text": step.text}]}
        elif isinstance(step, Think):
            item = {"type": "reasoning", "id": f"rs_{number}", "summary": [{"type": "summary_text", "text": step.text}]}
        elif isinstance(step, Call):
            item = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": step.tool}
            if isinstance(step.arguments, str):
                item |= {"type": "custom_tool_call", "input": step.arguments}
            else:
                item |= {"type": "function_call", "arguments": json.dumps(step.arguments)}
            if step.namespace:
                item["namespace"] = step.namespace
        yield _event("response.output_item.done", output_index=index, item=item)
    usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2}
    yield _event("response.completed", response={"id": name, "usage": usage})


def _event(kind, **members):
    return kind, {"type": kind, **members}


def _pieces(text):
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
