"""Values for the slots, in two disjoint halves: what training may use, and what only the held-out sets use.

Names, cities and words are partly invented from syllables, so that copying is learnt instead of a list.
"""

from __future__ import annotations

import random
from collections.abc import Callable

ROOMS = """kitchen;bedroom;hall;office;bathroom;garage;attic;cellar;dining room;living room;guest room;hallway;study;
porch;garden;lobby;closet;kids room;bath;den;stairs;gym;library;workshop;balcony;spare room;laundry"""
ROOMS_HELD = "pantry;nursery;sunroom;loft;playroom;music room;shed;terrace;corridor;basement"
NAMES = """Anna;Ben;Carla;David;Emma;Frank;Grace;Henry;Isla;Jack;Kate;Liam;Mia;Noah;Olga;Paul;Rosa;Sam;Tina;Victor;
Wendy;Yusuf;Zoe;Alice;Bruno;Chen;Diego;Elena;Farid;Gina;Hugo;Ivan;Julia;Karim;Laura;Marco;Nina;Oscar;Petra;Ravi;Sara;
Tom;Uma;Vera;Will;Amir;Bella;Carlos;Dana;Erik;Fiona;George;Hana;Igor;Jane;Kofi;Lena;Maya;Nils;Otto;Pia;Rita;Sven;Tara;
Mum;Dad;Grandma;the dentist;the office;the bank;Uncle Joe;Aunt May;Doctor Lee;Mr Brown;Mrs Hill;my sister;my boss;
Anna Berg;Tom Reed;Maria Lopez;John Smith;Li Wei;Peter Pan"""
NAMES_HELD = """Priya;Lorenzo;Beatrix;Quentin;Ximena;Desmond;Ingrid;Fatima;Gunther;Philippa;Thaddeus;Wilma;Jasper;Naomi;
Rupert;Simone;Clement;Astrid;Bogdan;Delphine;Doctor Novak;Aunt Hilda;Mrs Winter;the plumber;my cousin;Rosie Clark;
Edgar Holt;Kwame;Svetlana;Marguerite"""
CITIES = """Paris;London;Berlin;Rome;Madrid;Oslo;Tokyo;Lagos;Vienna;Prague;Dublin;Cairo;Delhi;Boston;Chicago;Denver;
Miami;Dallas;Austin;Seattle;New York;Los Angeles;San Diego;Hong Kong;Cape Town;Lisbon;Athens;Warsaw;Zurich;Geneva;
Milan;Turin;Hamburg;Munich;Lyon;Nice;Porto;Sydney;Perth;Lima;Quito;Accra;Tunis;Kyoto;Osaka;Seoul;Beijing;Mumbai;Toronto;Montreal;
Buenos Aires;Mexico City;Rio;Bergen;Malmo;Ghent;Bern;Bath;York;Leeds"""
CITIES_HELD = """Reykjavik;Marrakesh;Bogota;Nairobi;Helsinki;Ljubljana;Vancouver;Adelaide;Salzburg;Krakow;Antwerp;
Hiroshima;Jakarta;Kampala;Tbilisi;Valencia;Glasgow;Phoenix;Salt Lake City;Santa Fe;Saint Louis;Port Louis;Dakar;
Bristol;Utrecht"""
PLACES = """the airport;the station;home;work;the nearest gas station;the hospital;the city center;the beach;the gym;
the museum;the library;school;the supermarket;the post office;the zoo;the town hall;the stadium;the old bridge"""
PLACES_HELD = """the harbour;the opera;the closest pharmacy;the university;the botanical garden;the castle;the ferry;
the bakery"""
DAYS = """today;tomorrow;monday;tuesday;wednesday;thursday;friday;saturday;next monday;next tuesday;next friday;
this saturday"""
DAYS_HELD = "sunday;next sunday;next wednesday;this thursday"
MONTHS = "january;february;march;april;june;july;august;october;december"
MONTHS_HELD = "may;september;november"
WORDS = """apple;river;stone;green;light;summer;dance;night;blue;moon;heart;fire;road;dream;golden;silver;winter;bird;
ocean;star;little;big;long;old;new;happy;sweet;wild;lost;red;black;white;train;city;love;rain;sun;wind;mountain;king;
queen;horse;paper;glass;garden;house;window;door;letter;milk;bread;butter;eggs;cheese;rice;sugar;salt;tea;coffee;
lemon;soap;shoes;keys;book;car;bike;bus;ticket;money;paint;box;table;chair;bag;coat;hat;phone;party;lunch;dinner;
breakfast;game;match;exam;class;visit;trip;picnic;concert;lesson;swim;run;yoga;team;budget;project;report;plan;sale;
morning;evening;spring;fast;slow;warm;cold;quiet;loud;early;late;brave;lucky;tiny;giant;broken;empty;full;crazy;easy;
jazz;rock;piano;guitar;drums;song;band;tiger;lion;bear;wolf;fox;fish;rose;tree;leaf;grass;sand;snow;ice;cloud;storm;
thunder;shadow;mirror;candle;clock;bell;tower;bridge;street;corner;market;island;desert;forest;valley;planet;rocket
"""
WORDS_HELD = """velvet;harbor;lantern;copper;orchid;compass;marble;saffron;whisper;canyon;falcon;ribbon;meadow;pepper;
violin;trumpet;panther;turtle;magnet;blanket;basket;helmet;carpet;hammer;pillow;cinema;seminar;workshop;marathon;
interview;recital;pumpkin;walnut;mustard;yogurt;hollow;crimson;gentle;frozen;distant;purple;stubborn"""
PEOPLE_DO = """i am late;i will be late;i am on my way;i am home;we are waiting;the train is late;dinner is ready;
the meeting is over;call me back;see you soon;see you at {time};see you on {day};i miss you;happy birthday;
good luck;i am at {place};we need {words};bring {words};buy {words};the {word} is {word};i lost my {word};
the code is {number};meet me at {place};we leave at {time};i like the {word};where is the {word};pick up {words};
the {word} costs {number};i found the {word};come at {time};wash the {word};water the {word};ask {name} about the {word}
;the {word} is in the {room};the key is under the {word};i paid {number};do not forget the {word};sorry about the {word}
;return the {word} to {name};fix the {word};{words};{words};{words}"""
PEOPLE_DO_HELD = """i am stuck in traffic;the party starts at {time};your parcel is here;we moved to {place};
i left the {word} at {place};please feed the {word};the new {word} arrived;{number} people are coming;check the {word};
my flight lands at {time};you forgot your {word};clean the {room} on {day};rent is due on {day};{name} broke the {word};
{words}"""

NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "sixteen": 16, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "twenty five": 25, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip


def _list(text: str) -> list[str]:
    return [item.strip() for item in text.replace("\n", "").split(";")]


START = _list("b;bl;br;c;ch;d;dr;f;fl;g;gr;h;j;k;kr;l;m;n;p;pr;qu;r;s;sh;st;t;th;tr;v;w;y;z;")
MIDDLE = _list("a;e;i;o;u;ai;ea;ie;oo;ou;au")
END = _list("b;ck;d;f;g;l;ll;m;n;nd;ng;nt;p;r;rk;s;sh;st;t;th;v;x;z;;;")


def invented(rng: random.Random) -> str:
    """A word of one to three random syllables."""
    count = rng.choices((1, 2, 3), (3, 5, 2))[0]
    return "".join(rng.choice(START) + rng.choice(MIDDLE) + rng.choice(END) for _ in range(count))


class Values:
    """Draws slot values; `held` picks the half that training never sees. Integers n with n % 7 == 3 are held."""

    def __init__(self, rng: random.Random, held: bool) -> None:
        self.rng = rng
        self.held = held
        self.rooms = _list(ROOMS_HELD if held else ROOMS)
        self.names = _list(NAMES_HELD if held else NAMES)
        self.cities = _list(CITIES_HELD if held else CITIES)
        self.places = _list(PLACES_HELD if held else PLACES)
        self.days = _list(DAYS_HELD if held else DAYS)
        self.months = _list(MONTHS_HELD if held else MONTHS)
        self.words = _list(WORDS_HELD if held else WORDS)
        self.texts = _list(PEOPLE_DO_HELD if held else PEOPLE_DO)
        self.draw: dict[str, Callable[[], str]] = {
            "room": self.room, "name": self.name, "city": self.city, "place": self.place, "day": self.day,
            "time": self.time, "title": self.title, "text": self.text, "word": self.word, "words": self.phrase,
            "number": lambda: str(self.number(1, 500)), "state": lambda: rng.choice(("on", "off")),
        }  # fmt: skip

    def number(self, low: int, high: int) -> int:
        while True:
            n = self.rng.randint(low, high)
            if (n % 7 == 3) == self.held:
                return n

    def _known_or_invented(self, known: list[str], share: float, words: int) -> str:
        if self.held or self.rng.random() > share:
            return self.rng.choice(known)
        return " ".join(invented(self.rng).capitalize() for _ in range(self.rng.randint(1, words)))

    def room(self) -> str:
        if not self.held and self.rng.random() < 0.15:
            return self.rng.choice((invented(self.rng), invented(self.rng) + " room", self.word() + " room"))
        return self.rng.choice(self.rooms)

    def name(self) -> str:
        return self._known_or_invented(self.names, 0.4, 2)

    def city(self) -> str:
        return self._known_or_invented(self.cities, 0.4, 2)

    def place(self) -> str:
        kind = self.rng.random()
        if kind < 0.4:
            return self.rng.choice(self.places)
        if kind < 0.6:
            return self.city()
        if kind < 0.8:
            return f"{self.number(1, 99)} {self.word().capitalize()} {self.rng.choice(('Street', 'Road', 'Lane'))}"
        return f"the {self.word()} {self.rng.choice(('shop', 'cafe', 'park', 'club', 'hotel'))}"

    def day(self) -> str:
        kind = self.rng.random()
        if kind < 0.6:
            return self.rng.choice(self.days)
        day = self.number(1, 30)
        month = self.rng.choice(self.months)
        return f"{month} {day}" if kind < 0.8 else f"the {day}th of {month}" if kind < 0.9 else f"{day} {month}"

    def time(self) -> str:
        hour = self.number(1, 12) if self.held else self.rng.choice((1, 2, 4, 5, 6, 7, 8, 9, 11, 12))
        minute = f"{self.number(0, 59):02d}"
        kind = self.rng.random()
        if kind < 0.25:
            return f"{hour}:{minute}"
        if kind < 0.55:
            return f"{hour}:{minute} {self.rng.choice(('am', 'pm'))}"
        if kind < 0.8:
            return f"{hour} {self.rng.choice(('am', 'pm'))}"
        if kind < 0.9:
            return self.rng.choice((f"{hour} o'clock", f"{hour} in the morning"))
        return self.rng.choice(
            ("midnight", "quarter to six") if self.held else ("noon", "half past six", "half past ten")
        )

    def word(self) -> str:
        if not self.held and self.rng.random() < 0.3:
            return invented(self.rng)
        return self.rng.choice(self.words)

    def phrase(self) -> str:
        return " ".join(self.word() for _ in range(self.rng.choices((1, 2, 3, 4), (3, 4, 2, 1))[0]))

    def title(self) -> str:
        text = self.phrase()
        kind = self.rng.random()
        if kind < 0.3:
            text = " ".join(part.capitalize() for part in text.split(" "))
        elif kind < 0.4:
            text = "the " + text
        elif kind < 0.5:
            text = f"{text} with {self.name()}"
        return text

    def text(self) -> str:
        text = self.rng.choice(self.texts)
        while "{" in text:
            left, rest = text.split("{", 1)
            slot, right = rest.split("}", 1)
            text = left + self.draw[slot]() + right
        return text

    def integer(self, slot: str) -> tuple[int, str]:
        """A number for minutes, degrees or level, and how the query writes it."""
        if not self.held and self.rng.random() < 0.12:
            word = self.rng.choice(list(NUMBER_WORDS))
            return NUMBER_WORDS[word], word
        low, high = {"minutes": (1, 180), "degrees": (5, 35), "level": (0, 100)}[slot]
        n = self.number(low, high)
        return n, str(n)
