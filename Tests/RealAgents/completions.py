"""The chat completions API, which Mistral Vibe and others speak."""

import itertools
import json

from script import Asked, Call, Hold, Say, Think

PATHS = ("/chat/completions",)
_numbers = itertools.count(1)


def read(body):
    prompts, results = [], []
    for message in body.get("messages", []):
        text = _text(message.get("content"))
        if message.get("role") == "user" and text.strip() and not text.lstrip().startswith("<"):
            prompts.append(text.strip())
            results = []
        elif message.get("role") == "tool":
            results.append(text)
    tools = frozenset(tool.get("function", {}).get("name") for tool in body.get("tools") or [])
    return Asked(prompts[-1] if prompts else "", tuple(results), tools, tuple(prompts))


def _text(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


def events(steps, body):
    number = next(_numbers)

    def chunk(delta, reason=None):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return "", {
            "id": f"cmpl-{number}", "object": "chat.completion.chunk", "created": 1_790_000_000, "model": body.get("model", "scripted"),
            "choices": [choice], **({"usage": usage} if reason else {}),
        }

    calls = 0
    yield chunk({"role": "assistant", "content": ""})
    for step in steps:
        if isinstance(step, Hold):
            yield step
        elif isinstance(step, Say):
            for piece in (step.text[: len(step.text) // 2], step.text[len(step.text) // 2 :]):
                yield chunk({"content": piece})
        elif isinstance(step, Call):
            function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
            # Nine letters and digits, as Mistral's API has them.
            name = f"call{number % 1000:03d}{calls % 100:02d}"
            yield chunk({"tool_calls": [{"index": calls, "id": name, "type": "function", "function": function}]})
            calls += 1
        elif isinstance(step, Think):
            continue  # This API has no place for thoughts.
    yield chunk({}, "tool_calls" if calls else "stop")
    yield "", "[DONE]"
