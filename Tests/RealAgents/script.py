"""What the model says: steps that mean the same in every API that an agent may speak."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Say:
    """A message, told in pieces."""

    text: str


@dataclass(frozen=True)
class Think:
    """A summary of thoughts before what follows."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call of one of the agent's tools. `arguments` are a dictionary, or the text that the tool takes instead.

    `namespace` names the group that the tool is of, for APIs that group them.
    """

    tool: str
    arguments: object
    namespace: str = ""


@dataclass(frozen=True)
class Hold:
    """Nothing until the walk opens the gate of this name, or the agent hangs up."""

    gate: str


@dataclass(frozen=True)
class Refuse:
    """An error in place of an answer."""

    status: int
    message: str


@dataclass(frozen=True)
class Asked:
    """What an agent asks the model: what the person said last, and what tools answered since."""

    prompt: str
    results: tuple = ()
    tools: frozenset = frozenset()
    # All that the person said, the oldest first.
    prompts: tuple = field(default=())


def play(parts):
    """Answers by the first word of what the person said last: `parts` has a function for each, which gets what was asked and returns steps.

    Any other text is said back, so that each prompt can be told by its answer.
    """

    def answer(asked):
        words = asked.prompt.split()
        part = parts.get(words[0].lower()) if words else None
        return part(asked) if part else [Say(f"You said: {asked.prompt}")]

    return answer
