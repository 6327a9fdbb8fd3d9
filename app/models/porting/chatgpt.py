"""Chats out of ChatGPT's export: its mapping of nodes becomes questions and answers.

There, what a person sees as one answer is a chain of nodes: calls of tools, what they gave, text.
Here a chain between two questions is one answer; where chains part, each is an answer of its own.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from app.models.chat_settings import ChatSettings
from app.models.porting.chatgpt_words import Said, said_by
from app.models.porting.told import PortingError, Role, ToldChat, ToldMessage
from app.models.porting.values import dated, moment, optional, text

# A file made to repeat itself in its branches would not end.
MAX_CHARACTERS = 500_000_000


@dataclass(slots=True)
class _Node:
    said: Said
    children: list[str] = field(default_factory=list)
    is_on_path: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """The nodes of one answer, from its newest back; `question` is None before the first one."""

    question: int | None = None
    newest: _Node | None = None
    before: "_Chain | None" = None

    @property
    def nodes(self) -> list[_Node]:
        """The nodes, oldest first."""
        found: list[_Node] = []
        at: _Chain | None = self
        while at is not None and at.newest is not None:
            found.append(at.newest)
            at = at.before
        return found[::-1]


def is_chatgpt(values: object) -> bool:
    """Whether this is a conversation of that export."""
    return isinstance(values, dict) and isinstance(values.get("mapping"), dict)


def told_from_chatgpt(values: dict[str, Any]) -> ToldChat:
    """A conversation of the export as a chat."""
    created, is_dated = dated(values.get("create_time"))
    nodes, roots = _nodes(values, created)
    tree = _Tree(nodes)
    tree.grow(roots)
    title = " ".join(text(values.get("title")).split())
    models = [message.model for message in tree.messages if message.model]
    return ToldChat(
        title=title or "Chat without a title",
        created=created,
        changed=moment(values.get("update_time"), created),
        is_archived=optional(values, "is_archived", False),
        model=models[-1] if models else "",
        settings=ChatSettings(system="\n\n".join(tree.system)),
        choice=tree.choices.get(None),
        messages=tuple(
            replace(message, choice=tree.choices.get(message.id)) for message in tree.messages
        ),
        is_dated=is_dated,
    )


def _nodes(values: dict[str, Any], created: float) -> tuple[dict[str, _Node], list[str]]:
    """The nodes by name, and those without a parent. Children are told by their parents' names."""
    mapping = values["mapping"]
    nodes = {
        name: _Node(said_by(node.get("message"), created))
        for name, node in mapping.items()
        if isinstance(node, dict)
    }
    above: dict[str, str] = {}
    for name in nodes:
        parent = mapping[name].get("parent")
        if isinstance(parent, str) and parent in nodes and parent != name:
            above[name] = parent
    for name in _repeated(nodes, above):
        del above[name]
    places = {parent: _places(mapping[parent].get("children")) for parent in set(above.values())}
    for name, parent in sorted(
        above.items(), key=lambda pair: places[pair[1]].get(pair[0], len(mapping))
    ):
        nodes[parent].children.append(name)
    at = values.get("current_node")
    while isinstance(at, str) and at in nodes and not nodes[at].is_on_path:
        nodes[at].is_on_path = True
        at = above.get(at)
    return nodes, [name for name in nodes if name not in above]


def _places(listed: object) -> dict[str, int]:
    """The parent's own list says which child is the older one."""
    names = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    return {name: place for place, name in reversed(list(enumerate(names)))}


def _repeated(nodes: dict[str, _Node], above: dict[str, str]) -> list[str]:
    """Where parents go round in a circle, the oldest of it: it has to do without its parent."""
    found: list[str] = []
    seen: set[str] = set()
    for name in nodes:
        way: dict[str, None] = {}
        at: str | None = name
        while at is not None and at not in seen:
            seen.add(at)
            way[at] = None
            at = above.get(at)
        if at is not None and at in way:
            circle = list(way)[list(way).index(at) :]
            found.append(min(circle, key=lambda each: nodes[each].said.created))
    return found


class _Tree:
    """Walks the nodes, parents first, without recursion: a chat may be thousands of nodes deep."""

    def __init__(self, nodes: dict[str, _Node]) -> None:
        self._nodes = nodes
        self._size = 0
        self.messages: list[ToldMessage] = []
        self.choices: dict[int | None, int] = {}
        self.system: list[str] = []
        self._answers: dict[_Chain, int] = {}
        self._depths: dict[int | None, int] = {}
        self._waiting: list[tuple[str, _Chain]] = []

    def grow(self, roots: list[str]) -> None:
        """Make the messages of everything below."""
        self._push(roots, _Chain())
        while self._waiting:
            name, chain = self._waiting.pop()
            node = self._nodes[name]
            below = self._below(node, chain)
            self._push(node.children, below)
            if not node.children and below.newest is not None:
                self._answer(below)

    def _push(self, names: list[str], chain: _Chain) -> None:
        self._waiting += [(name, chain) for name in reversed(names)]

    def _below(self, node: _Node, chain: _Chain) -> _Chain:
        """The chain that a node's children go on with."""
        said = node.said
        if said.role == "user":
            # Asked twice in a row: in between there was an empty answer.
            above = self._answer(chain) if chain.question is not None else None
            return _Chain(self._add("user", said, above, node.is_on_path))
        if not said.text:
            return chain
        if chain.question is None and said.role == "system":
            self.system.append(said.text)
            return chain
        if chain.question is None:
            # It spoke first, to an empty question.
            empty = Said("user", "", said.created)
            chain = _Chain(self._add("user", empty, None, node.is_on_path))
        return _Chain(chain.question, node, chain)

    def _answer(self, chain: _Chain) -> int:
        """The number of the answer that a chain is; made when it is first asked for."""
        if chain in self._answers:
            return self._answers[chain]
        nodes = chain.nodes
        models = [node.said.model for node in nodes if node.said.model]
        created = nodes[0].said.created if nodes else self.messages[-1].created
        whole = Said(
            "assistant",
            "\n\n".join(node.said.text for node in nodes),
            created,
            models[-1] if models else "",
            nodes[-1].said.stop if nodes else "eos",
        )
        is_on_path = not nodes or nodes[-1].is_on_path
        number = self._add("assistant", whole, chain.question, is_on_path, len(nodes))
        self._answers[chain] = number
        return number

    def _add(
        self, role: Role, said: Said, parent: int | None, is_on_path: bool, depth: int = 0
    ) -> int:
        number = len(self.messages)
        self._size += len(said.text)
        if self._size > MAX_CHARACTERS:
            raise PortingError("the branches of one of its chats are too many.")
        stop = said.stop if role == "assistant" else None
        self.messages.append(
            ToldMessage(number, parent, role, said.text, said.created, model=said.model, stop=stop)
        )
        # Of answers that begin alike, the one that goes further down the shown path is shown.
        if is_on_path and depth >= self._depths.get(parent, 0):
            self.choices[parent], self._depths[parent] = number, depth
        return number
