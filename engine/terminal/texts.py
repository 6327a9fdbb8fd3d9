"""The texts that the prompts of bench and verify are made of."""

CODE = """\
class Inventory:
    def __init__(self):
        self.items = {}

    def add_item(self, name, count):
        if name in self.items:
            self.items[name] += count
        else:
            self.items[name] = count

    def remove_item(self, name, count):
        if name in self.items:
            self.items[name] -= count
            if self.items[name] <= 0:
                del self.items[name]

    def total_count(self):
        total = 0
        for name, count in self.items.items():
            total += count
        return total
"""

RECORDS = """\
[
  {"id": 1, "name": "Alice", "city": "Paris", "age": 34},
  {"id": 2, "name": "Bob", "city": "London", "age": 28},
  {"id": 3, "name": "Carol", "city": "Madrid", "age": 45},
  {"id": 4, "name": "David", "city": "Berlin", "age": 39},
  {"id": 5, "name": "Emma", "city": "Vienna", "age": 23},
  {"id": 6, "name": "Frank", "city": "Rome", "age": 51},
  {"id": 7, "name": "Grace", "city": "Lisbon", "age": 31},
  {"id": 8, "name": "Henry", "city": "Oslo", "age": 62}
]"""

PEOPLE = """\
[
  {"id": 1, "name": "Alice", "city": "Paris"},
  {"id": 2, "name": "Bob", "city": "London"},
  {"id": 3, "name": "Carol", "city": "Madrid"},
  {"id": 4, "name": "David", "city": "Berlin"},
  {"id": 5, "name": "Emma", "city": "Vienna"}
]"""

PRICE = """\
def total_price(items, tax_rate):
    subtotal = 0
    for item in items:
        subtotal += item.price * item.quantity
    tax = subtotal * tax_rate
    return subtotal + tax
"""

STACK = """\
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def peek(self):
        return self.items[-1]

    def is_empty(self):
        return len(self.items) == 0

    def size(self):
        return len(self.items)

    def clear(self):
        self.items = []

    def copy(self):
        other = Stack()
        other.items = list(self.items)
        return other

    def reverse(self):
        other = Stack()
        other.items = self.items[::-1]
        return other
"""

ARTICLE = """\
The old lighthouse on the northern cape was built in 1871 by the harbour company. For more than \
eighty years its keepers lit the lamp every evening and wrote the weather into a large book. In \
1954 the lamp was replaced by an electric light, and the last keeper moved into the village. The \
book is now kept in the small museum next to the church. Every summer visitors climb the narrow \
stairs and look out over the sea, where grey seals rest on the flat rocks below the tower."""

BEACH = """\
A stone wall runs from the tower down to a narrow beach. On quiet days the fishermen dry their \
nets there, and in the evening children collect shells and small pieces of blue glass. When the \
wind turns to the north, the boats stay in the harbour and the village waits behind closed \
shutters until the storm is over."""

COLOURS = ("red", "blue", "green", "white", "yellow", "brown", "black", "grey")
UNITS = "\n".join(
    f"The small cat sat on the warm mat by the {colour} door. It looked at the garden and waited."
    for colour in COLOURS
)


_SHIPS = ("Marigold", "Petrel", "Northern Star", "Halcyon", "Swift", "Juniper", "Albatross")
_PORTS = ("Porto", "Bergen", "Hull", "Tallinn", "Cadiz", "Brest", "Gdansk", "Riga", "Lisbon")
_CARGOES = ("olive oil", "dried cod", "oak planks", "iron bars", "wool", "salt", "copper wire")
_WEATHER = (
    "light wind from the west",
    "fog until noon",
    "heavy rain and a rising sea",
    "clear sky and frost",
    "a storm that kept the boats in the harbour",
)


def logbook(num_entries: int) -> str:
    """A harbour's log: as many paragraphs as asked for, no two alike, always the same ones."""
    return "".join(_entry(number) for number in range(1, num_entries + 1))


def _entry(number: int) -> str:
    # Multipliers without a common factor with the lists walk through all combinations.
    ship, origin = _SHIPS[number * 3 % 7], _PORTS[number * 5 % 9]
    target, cargo = _PORTS[(number * 5 + number // 9 + 1) % 9], _CARGOES[number * 4 % 7]
    weather = _WEATHER[number * 2 % 5]
    return (
        f"Entry {number}. The {ship} came in from {origin} with {number * 37 % 400 + 20} tons "
        f"of {cargo} and a crew of {number * 11 % 17 + 6}. The harbour master wrote down "
        f"{weather}. She left for {target} {number * 7 % 12 + 2} days later.\n\n"
    )
