"""Random update expressions over a given item."""

from binding import paths_conflict, paths_overlap
from generate_values import NAMES
from values import show

SETS = ("SS", "NS", "BS")


def update(writer):
    """One to five actions on separate paths, grouped into sections in random order."""
    random = writer.random
    sections = {}
    chosen = []
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4, 5))):
        section = random.choice(("SET", "SET", "SET", "REMOVE", "ADD", "DELETE"))
        steps, value = target(writer, section)
        if any(paths_overlap(steps, other) or paths_conflict(steps, other) for other in chosen):
            continue
        chosen.append(steps)
        sections.setdefault(section, []).append(action(writer, section, writer.written(steps), value))
    names = list(sections)
    random.shuffle(names)
    return " ".join(f"{random.choice((name, name.lower()))} {', '.join(sections[name])}" for name in names)


def target(writer, section):
    """A path for this section: mostly one where the section makes sense."""
    random = writer.random
    if section == "DELETE" or (section == "ADD" and writer.chance(0.7)):
        wanted = SETS if section == "DELETE" else (*SETS, "N")
        found = [(steps, value) for steps, value in places(writer) if value[0] in wanted]
        if found and writer.chance(0.9):
            return random.choice(found)
    if section == "REMOVE" or writer.chance(0.5):
        return writer.steps(missing=0.12)
    if writer.chance(0.4):
        name = random.choice(NAMES)
        return [name], writer.item.get(name)
    # A new member or element of something that is there.
    found = [(steps, value) for steps, value in places(writer) if value[0] in ("L", "M")]
    if not found:
        return ["zz"], None
    steps, value = random.choice(found)
    if value[0] == "L":
        return [*steps, len(value[1]) + random.choice((0, 0, 1, 3))], None
    name = random.choice(NAMES)
    return [*steps, name], value[1].get(name)


def places(writer):
    """All paths of the item's attributes with their values."""
    found = []

    def visit(steps, value):
        found.append((steps, value))
        kind, content = value
        if kind == "M":
            for name, element in content.items():
                visit([*steps, name], element)
        elif kind == "L":
            for index, element in enumerate(content):
                visit([*steps, index], element)

    for name in writer.attributes:
        if name in writer.item:
            visit([name], writer.item[name])
    return found


def action(writer, section, path, value):
    random = writer.random
    if section == "REMOVE":
        return path
    if section == "SET":
        return f"{path} = {set_value(writer)}"
    kind = value[0] if value and writer.chance(0.95) else random.choice((*SETS, "N"))
    if kind not in SETS and not (section == "ADD" and kind == "N"):
        kind = random.choice(SETS)
    operand = writer.source.of_kind(kind)
    if section == "DELETE" and value and value[0] == kind and writer.chance(0.6):
        members = show(value)[kind]
        operand = {kind: members if writer.chance(0.4) else random.sample(members, random.randint(1, len(members)))}
    return f"{path} {writer.literal(operand)}"


def set_value(writer):
    form = writer.random.random()
    if form < 0.4:
        return writer.literal(writer.source.value(1))
    if form < 0.5:
        return existing_path(writer)
    if form < 0.6:
        return f"if_not_exists({writer.written(writer.steps(0.5)[0])}, {plain_operand(writer)})"
    if form < 0.8:
        return f"{number_operand(writer)} {writer.random.choice('+-')} {number_operand(writer)}"
    return f"list_append({list_operand(writer)}, {list_operand(writer)})"


def plain_operand(writer):
    return existing_path(writer) if writer.chance(0.2) else writer.literal(writer.source.value(2))


def existing_path(writer):
    steps, value = writer.steps(missing=0.03)
    return writer.literal(writer.source.value(1)) if value is None and writer.chance(0.9) else writer.written(steps)


def typed_operand(writer, kind):
    """A path, a literal, or if_not_exists; nearly always of this type."""
    form = writer.random.random()
    found = [steps for steps, value in places(writer) if value[0] == kind]
    if form < 0.5 and found:
        text = writer.written(writer.random.choice(found))
        return f"({text})" if writer.chance(0.05) else text
    if form < 0.7:
        path = writer.written(writer.random.choice(found) if found and writer.chance(0.5) else ["zz"])
        return f"if_not_exists({path}, {writer.literal(writer.source.of_kind(kind))})"
    if form < 0.73:
        return existing_path(writer) if not writer.item else writer.written(writer.steps(0.3)[0])
    return writer.literal(writer.source.of_kind(kind, 2))


def number_operand(writer):
    return typed_operand(writer, "N")


def list_operand(writer):
    return typed_operand(writer, "L")


def faulty_update(writer):
    fault = writer.random.choice(UPDATE_FAULTS)(writer)
    return f"{fault} SET xx = {writer.literal({'S': 'a'})}" if "SET" not in fault and writer.chance(0.3) else fault


def literal_of(writer, *kinds):
    return writer.literal(writer.source.of_kind(writer.random.choice(kinds)))


# Each writes one update with one fault; zz is an attribute that no item has.
UPDATE_FAULTS = (
    lambda writer: "SET #gone = " + literal_of(writer, "N"),
    lambda writer: "SET zz = :gone",
    lambda writer: "REMOVE " + writer.random.choice(("Status", "zz.count", "timestamp[0]")),
    lambda writer: "SET zz = Counter",
    lambda writer: "SET zz = " + writer.random.choice(("foo", "size", "List_Append")) + "(yy)",
    lambda writer: f"SET zz = {literal_of(writer, 'N')} SET yy = {literal_of(writer, 'N')}",
    lambda writer: "REMOVE zz " + writer.random.choice(("REMOVE", "remove")) + " yy",
    lambda writer: f"SET zz = {literal_of(writer, 'N')} REMOVE zz.b",
    lambda writer: "REMOVE zz[0].a, yy, zz[0]",
    lambda writer: f"ADD zz {literal_of(writer, 'N')} REMOVE zz",
    lambda writer: f"REMOVE zz.b SET zz[0] = {literal_of(writer, 'N')}",
    lambda writer: f"ADD zz {literal_of(writer, 'S', 'B', 'BOOL', 'NULL', 'L', 'M')}",
    lambda writer: f"DELETE zz {literal_of(writer, 'S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M')}",
    lambda writer: f"SET zz = yy {writer.random.choice('+-')} {literal_of(writer, 'S', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS')}",
    lambda writer: f"SET zz = list_append(yy, {literal_of(writer, 'S', 'N', 'BOOL', 'NULL', 'M', 'NS')})",
    lambda writer: f"SET zz = if_not_exists({literal_of(writer, 'N')}, {literal_of(writer, 'N')})",
    lambda writer: "SET zz = " + writer.random.choice(("list_append(yy)", "if_not_exists(yy)", "list_append(yy, xx, yy)")),
    lambda writer: "SET zz.yy.xx = " + literal_of(writer, "S"),
    lambda writer: "REMOVE zz.yy",
    lambda writer: f"ADD zz[0] {literal_of(writer, 'N')}",
    lambda writer: "SET yy = zz",
    lambda writer: "",
    lambda writer: f"REMOVE zz{31 * '.b'}{writer.random.choice(('[0]', '.b'))}",
    lambda writer: "REMOVE zz[99999999999999]",
    lambda writer: f"REMOVE {writer.random.randint(4096, 5000) * 'z'}",
    lambda writer: writer.mutilated(update(writer)),
    lambda writer: writer.mutilated(update(writer)),
    lambda writer: writer.mutilated(update(writer)),
)
