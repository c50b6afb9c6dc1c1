"""Every screen of the page and every state of it that a person can meet."""

import dataclasses
import importlib
import pathlib
import typing


@dataclasses.dataclass
class State:
    """One thing to look at.

    `prepare` brings the page there when the address and the scenario do not; `wide` and `narrow` say in which sizes it exists; `area` is
    the file that lists it.
    """

    name: str
    role: str
    hash: str
    scenario: str = ""
    prepare: typing.Callable | None = None
    wide: bool = True
    narrow: bool = True
    area: str = ""


def everything():
    folder = pathlib.Path(__file__).parent
    names = sorted(file.stem for file in folder.glob("*.py") if file.stem != "__init__")
    found = [
        dataclasses.replace(state, area=name) for name in names for state in importlib.import_module(f"states.{name}").STATES
    ]
    doubled = {state.name for state in found if sum(other.name == state.name for other in found) > 1}
    assert not doubled, f"several states are called {doubled}"
    return found
