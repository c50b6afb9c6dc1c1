"""A server of the Model Context Protocol on its standard input and output, with one tool that asks the person before it answers."""

import json
import sys

SCHEMA = {"type": "object", "properties": {"size": {"type": "string", "title": "Size", "enum": ["Small", "Large"]}}, "required": ["size"]}


def write(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main():
    calls = {}
    for line in sys.stdin:
        message = json.loads(line)
        number, method = message.get("id"), message.get("method")
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            told = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "asking", "version": "1"}}
            write({"id": number, "result": told})
        elif method == "tools/list":
            tool = {"name": "choose", "description": "Asks for a size.", "inputSchema": {"type": "object", "properties": {}}}
            write({"id": number, "result": {"tools": [tool]}})
        elif method == "tools/call":
            calls[f"ask-{number}"] = number
            asked = {"message": "Which size?", "requestedSchema": SCHEMA}
            write({"id": f"ask-{number}", "method": "elicitation/create", "params": asked})
        elif method is None and number in calls:
            text = json.dumps(message.get("result") or message.get("error"))
            write({"id": calls.pop(number), "result": {"content": [{"type": "text", "text": text}]}})
        elif number is not None and method:
            write({"id": number, "error": {"code": -32601, "message": "no such method"}})


if __name__ == "__main__":
    main()
