"""Invented names and prose, so that workspaces look like somebody's work."""

from __future__ import annotations

from harness.loop.environment.dice import Dice


def listed(text: str) -> list[str]:
    """The entries of a text that has `|` or line ends between them."""
    return [entry for line in text.split("\n") for entry in line.split("|") if entry]


FIRST = listed("""
amber|ashen|birch|bold|brisk|calm|cedar|clear|cobalt|copper|coral|dusk|early|ember|fern|flint|frost|gale|golden
grey|hazel|heron|indigo|iron|ivory|juniper|keen|kestrel|larch|linden|lunar|maple|marble|misty|moss|noble|north
oak|ochre|opal|pale|pine|plain|quick|quiet|raven|red|river|rowan|rust|sable|sage|salt|scarlet|silver|slate|snow
solar|spruce|still|stone|summer|swift|teal|thorn|tidal|umber|velvet|violet|walnut|west|willow|winter|yarrow
""")
SECOND = listed("""
anchor|arch|basin|bay|beacon|bridge|brook|canal|cargo|cliff|coast|cove|crane|crest|dale|delta|dock|field|fjord
ford|forge|freight|gate|glen|grove|harbor|haven|heath|hill|inlet|island|junction|lake|landing|ledge|line|lock
market|meadow|mill|moor|orchard|pass|path|peak|pier|point|pond|port|quarry|quay|reach|reef|ridge|road|route
shore|sound|spring|station|strand|summit|terrace|tower|trail|vale|valley|wharf|wood|works|yard
""")
PEOPLE = listed("""
Adaeze|Anneliese|Bartek|Beatriz|Chidi|Dagny|Emre|Fatoumata|Giorgia|Hanae|Ilse|Ingvar|Jovana|Kaito|Lerato|Marisol
Matteo|Nadja|Oluwaseun|Paavo|Quynh|Rasmus|Sunniva|Tomasz|Ulrike|Vikram|Wiremu|Xiomara|Yevgenia|Zeynep
""")
TOWNS = listed("""
Aldermoor|Brückenau|Castelvero|Dunhallow|Eskford|Fjällby|Grindavale|Hollenstedt|Iverness|Jasenovo|Kärnholm
Lindqvist|Montferrand|Nordhavn|Oakhampton|Pontecasto|Querida|Råneå|Søndervig|Talmaciu|Umberleigh|Villanova
Westerlo|Zeltingen
""")
_SUBJECTS = listed("""
the depot team|a second reviewer|the night shift|the importer|each regional office|the scheduler|our contractor
the duty engineer|the archive|a new colleague|the planning group|whoever signs the form
""")
_VERBS = listed("""
records|checks|forwards|keeps a copy of|compares|signs for|re-counts|labels|returns|publishes|measures|archives
""")
_OBJECTS = listed("""
the weekly figures|every damaged crate|the loading plan|any open question|the calibration sheet|both key rings
the spare parts list|all late deliveries|the visitor log|the printed manifest|old drafts|the temperature chart
""")
_ENDS = listed("""
before noon|by the end of the shift|without being asked|once a quarter|in the shared folder
when the gate is closed|after the second call|unless the line is down|as agreed in spring|on paper and online
within three working days|at the latest on Friday
""")


def company(dice: Dice) -> str:
    """`Kestrel Harbor`."""
    return f"{dice.pick(FIRST)} {dice.pick(SECOND)}".title()


def companies(dice: Dice, count: int) -> list[str]:
    """So many different ones."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[company(dice)] = None
    return list(found)


def sentence(dice: Dice) -> str:
    text = f"{dice.pick(_SUBJECTS)} {dice.pick(_VERBS)} {dice.pick(_OBJECTS)} {dice.pick(_ENDS)}"
    return text[0].upper() + text[1:] + "."


def paragraph(dice: Dice, sentences: int) -> str:
    return " ".join(sentence(dice) for _ in range(sentences))
