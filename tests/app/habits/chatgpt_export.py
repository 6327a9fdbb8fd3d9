"""A small export in ChatGPT's public form: edits, tools, images, thoughts, hidden messages."""

from typing import Any


def node(
    name: str,
    parent: str | None,
    role: str = "",
    parts: list[Any] | None = None,
    *,
    kind: str = "text",
    time: float | None = None,
    content: dict[str, Any] | None = None,
    author: str | None = None,
    about: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """One node of the mapping, without its children."""
    message = {
        "id": name,
        "author": {"role": role, "name": author, "metadata": {}},
        "create_time": time,
        "content": {"content_type": kind, **(content or {"parts": parts or []})},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": about or {},
        "recipient": "all",
    }
    return {"id": name, "message": message if role else None, "parent": parent, "children": []}


def conversation(nodes: list[dict[str, Any]], current: str, **more: Any) -> dict[str, Any]:
    """A conversation of these nodes; parents list their children in this order."""
    mapping = {each["id"]: each for each in nodes}
    for each in nodes:
        if each["parent"] is not None:
            mapping[each["parent"]]["children"].append(each["id"])
    facts = {"title": "Sorting", "create_time": 1700000000.5, "update_time": 1700000900.0}
    return {**facts, "mapping": mapping, "current_node": current, **more}


def sorting() -> dict[str, Any]:
    """A question with an edit, an answer with a tool, and another answer to the same."""
    model = {"model_slug": "gpt-4o"}
    image = {"content_type": "image_asset_pointer", "width": 640, "height": 480}
    hidden = {"is_visually_hidden_from_conversation": True}
    thoughts = {"thoughts": [{"summary": "Plan", "content": "Use a heap."}]}
    files = {"attachments": [{"name": "data.csv", "size": 12}]}
    return conversation(
        [
            node("root", None),
            node("hid", "root", "system", ["You are secret."], about=hidden),
            node("sys", "hid", "system", ["Answer shortly."]),
            node("q1", "sys", "user", ["How do I sort?"], time=1700000001.0),
            node("t1", "q1", "assistant", kind="thoughts", content=thoughts, about=model),
            node(
                "c1",
                "t1",
                "assistant",
                kind="code",
                content={"language": "python", "text": "sorted([2, 1])"},
                about=model,
            ),
            node(
                "o1",
                "c1",
                "tool",
                kind="execution_output",
                content={"text": "[1, 2]"},
                author="python",
            ),
            node("a1", "o1", "assistant", ["Like this."], time=1700000009.0, about=model),
            node("q2", "a1", "user", ["And backwards?"], time=1700000020.0),
            node("a2", "q2", "assistant", ["With reverse."], about=model),
            node("q2b", "a1", "user", [image, "And this?"], kind="multimodal_text", about=files),
            node("a2b", "q2b", "assistant", ["A picture."], about=model),
            node("a2c", "q2b", "assistant", ["A chart."], about={"model_slug": "o3"}),
        ],
        "a2b",
    )
