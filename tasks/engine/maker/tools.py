"""The tools of each family."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def tool(name: str, description: str, required: str, /, **properties: Schema) -> Schema:
    """A tool; `required` names its required arguments, with spaces between."""
    parameters: Schema = {"type": "object", "properties": properties, "required": required.split()}
    return {"name": name, "description": description, "parameters": parameters}


def text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


def one_of(*values: str, **more: Any) -> Schema:
    return {"type": "string", "enum": list(values), **more}


def whole(description: str, **more: Any) -> Schema:
    return {"type": "integer", "description": description, **more}


def number(description: str, **more: Any) -> Schema:
    return {"type": "number", "description": description, **more}


def flag(description: str, **more: Any) -> Schema:
    return {"type": "boolean", "description": description, **more}


def many(items: Schema, description: str) -> Schema:
    return {"type": "array", "items": items, "description": description}


PERCENT = {"minimum": 0, "maximum": 100}
DATE = "day, as YYYY-MM-DD"
TIME = "time of day, 24 hours, as HH:MM"

HOME = [
    tool("set_light", "Turn the light of a room on or off.", "room on", room=text("room"), on=flag("on or off")),
    tool("dim_light", "Dim the light of a room.", "room brightness",
         room=text("room"), brightness=whole("brightness in percent", **PERCENT)),
    tool("set_thermostat", "Set the target temperature of a room or of the whole house.", "temperature",
         temperature=number("degrees Celsius", minimum=5, maximum=30), room=text("room; left out for the whole house"),
         mode=one_of("heat", "cool", "auto", description="left out to keep the current mode")),
    tool("set_blinds", "Move the blinds of a room.", "room position",
         room=text("room"), position=whole("percent open", **PERCENT)),
    tool("lock_door", "Lock or unlock a door.", "door locked", door=text("which door"), locked=flag("true to lock")),
    tool("start_appliance", "Start a household appliance.", "appliance",
         appliance=one_of("washer", "dryer", "dishwasher", "oven", "vacuum", "coffee_machine"),
         delay_minutes=whole("minutes to wait before it starts", default=0, minimum=0)),
    tool("arm_alarm", "Set the burglar alarm.", "mode", mode=one_of("home", "away", "night", "off")),
    tool("run_scene", "Run a stored scene by its name.", "scene", scene=text("name of the scene")),
]  # fmt: skip

PHONE = [
    tool("call_contact", "Call somebody in the address book.", "name",
         name=text("name"), speaker=flag("on the loudspeaker", default=False)),
    tool("dial_number", "Dial a phone number.", "number", number=text("the number, digits only, with + if given")),
    tool("send_message", "Send a text message.", "recipient body", recipient=text("name"), body=text("the message"),
         app=one_of("sms", "whatsapp", "signal", default="sms")),
    tool("set_timer", "Start a timer.", "minutes", minutes=number("minutes"), label=text("what for")),
    tool("set_alarm", "Set an alarm clock.", "time", time=text(TIME),
         days=many(one_of("mon", "tue", "wed", "thu", "fri", "sat", "sun"), "days on which it repeats")),
    tool("set_do_not_disturb", "Silence or allow notifications.", "on", on=flag("true to silence"), until=text(TIME)),
    tool("set_screen_brightness", "Set the brightness of the screen.", "percent", percent=whole("percent", **PERCENT)),
    tool("get_weather", "Weather forecast for a city.", "city", city=text("city"),
         unit=one_of("celsius", "fahrenheit", description="left out for the user's own"),
         days=whole("days to forecast", default=1, minimum=1, maximum=14)),
    tool("open_app", "Open an app.", "app", app=text("name of the app")),
]  # fmt: skip

CAR = [
    tool("navigate", "Start navigation.", "destination", destination=text("place or address"),
         avoid=many(one_of("tolls", "motorways", "ferries"), "what the route should avoid")),
    tool("add_stop", "Add a stop to the route.", "place", place=text("place or address")),
    tool("set_climate", "Set the temperature in the car.", "temperature",
         temperature=number("degrees Celsius", minimum=16, maximum=28),
         zone=one_of("driver", "passenger", "rear", "all", default="all")),
    tool("set_seat_heating", "Set the heating of a seat.", "seat level",
         seat=one_of("driver", "passenger", "rear_left", "rear_right"),
         level=whole("0 is off", minimum=0, maximum=3)),
    tool("set_window", "Move a window.", "window position",
         window=one_of("driver", "passenger", "rear_left", "rear_right", "all"),
         position=whole("percent open", **PERCENT)),
    tool("find_charger", "Find charging stations nearby.", "", radius_km=number("radius in km", default=10),
         connector=one_of("ccs", "type2", "chademo", description="left out for any")),
    tool("set_cruise_control", "Set the speed of the cruise control.", "speed_kmh", speed_kmh=whole("speed in km/h")),
    tool("read_messages", "Read new messages aloud.", "", sender=text("only from this sender"),
         count=whole("how many at most", default=3)),
    tool("report_hazard", "Report a hazard on the road.", "kind",
         kind=one_of("accident", "roadworks", "animal", "ice", "police")),
]  # fmt: skip

MEDIA = [
    tool("play_song", "Play one song.", "title", title=text("title"), artist=text("artist")),
    tool("play_playlist", "Play a playlist.", "name", name=text("name"),
         shuffle=flag("in random order", default=False)),
    tool("play_podcast", "Play an episode of a podcast.", "show",
         show=text("name of the podcast"), episode=text("number or title", default="latest")),
    tool("play_radio", "Play a radio station.", "station", station=text("name of the station")),
    tool("set_volume", "Set the volume.", "level",
         level=whole("volume in percent", **PERCENT), speaker=text("which speaker; left out for the current one")),
    tool("seek", "Jump to a position in what is playing.", "position_seconds",
         position_seconds=whole("seconds from the start", minimum=0)),
    tool("skip_tracks", "Skip forward.", "", count=whole("how many tracks", default=1)),
    tool("set_sleep_timer", "Stop playing after some time.", "minutes", minutes=whole("minutes")),
    tool("rate_track", "Rate what is playing.", "stars", stars=whole("stars", minimum=1, maximum=5)),
]  # fmt: skip

CALENDAR = [
    tool("create_event", "Put an event into the calendar.", "title date", title=text("title"), date=text(DATE),
         start=text(TIME), duration_minutes=whole("minutes", default=60),
         attendees=many(text("name"), "who is invited")),
    tool("move_event", "Move an event to another day or time.", "title date", title=text("title of the event"),
         date=text("new day, as YYYY-MM-DD"), start=text("new time of day, as HH:MM")),
    tool("cancel_event", "Cancel an event.", "title", title=text("title of the event"), date=text(DATE)),
    tool("list_events", "List what is in the calendar on a day.", "date", date=text(DATE)),
    tool("set_reminder", "Remind the user of something.", "about date", about=text("of what"), date=text(DATE),
         time=text(TIME)),
    tool("find_free_slot", "Find free time on a day.", "date", date=text(DATE),
         duration_minutes=whole("minutes needed", default=30)),
    tool("invite", "Invite people to an event.", "title attendees", title=text("title of the event"),
         attendees=many(text("name"), "who is invited")),
    tool("create_series", "Put a recurring event into the calendar.", "title frequency", title=text("title"),
         frequency=one_of("daily", "weekly", "monthly"), start=text(TIME)),
]  # fmt: skip

NOTES = [
    tool("create_note", "Write a new note.", "text", text=text("the note"), title=text("title"),
         folder=text("folder", default="Inbox")),
    tool("append_to_note", "Add text to a note.", "title text", title=text("title of the note"),
         text=text("what to add")),
    tool("delete_note", "Delete a note.", "title", title=text("title of the note")),
    tool("search_notes", "Search all notes.", "query", query=text("words to look for"),
         limit=whole("how many results at most", default=10)),
    tool("add_to_list", "Add items to a list.", "list items", list=text("name of the list"),
         items=many(text("item"), "what to add")),
    tool("tick_item", "Tick off an item of a list.", "list item", list=text("name of the list"), item=text("item")),
    tool("share_note", "Share a note with somebody.", "title person", title=text("title of the note"),
         person=text("name"), permission=one_of("view", "edit", default="view")),
    tool("log_expense", "Write down an expense.", "amount", amount=number("amount"),
         currency=one_of("EUR", "USD", "GBP", "JPY", description="left out for the user's own"),
         category=one_of("food", "travel", "household", "leisure", description="left out if not said")),
]  # fmt: skip

DEVELOPER = [
    tool("run_tests", "Run the tests.", "path", path=text("file or folder"),
         pattern=text("only tests with this in the name"), verbose=flag("print each test", default=False)),
    tool("open_file", "Open a file in the editor.", "path", path=text("path"), line=whole("line to show", minimum=1)),
    tool("search_code", "Search the code.", "query", query=text("text to look for"),
         glob=text("only in files like this"), case_sensitive=flag("mind upper and lower case", default=False)),
    tool("create_branch", "Create a branch.", "name", name=text("name"),
         base=text("branch to start from", default="main")),
    tool("commit", "Commit what is staged.", "message", message=text("commit message"),
         amend=flag("replace the last commit", default=False)),
    tool("open_issue", "Open an issue in the tracker.", "title", title=text("title"), body=text("description"),
         label=one_of("bug", "documentation", "feature", "question", description="left out if not said")),
    tool("restart_service", "Restart a service.", "service environment", service=text("name of the service"),
         environment=one_of("development", "staging", "production")),
    tool("get_logs", "Read the log of a service.", "service", service=text("name of the service"),
         since_minutes=whole("how many minutes back", default=15),
         level=one_of("debug", "info", "warning", "error", description="left out for all levels")),
]  # fmt: skip

FAMILIES: dict[str, list[Schema]] = {
    "home": HOME, "phone": PHONE, "car": CAR, "media": MEDIA, "calendar": CALENDAR, "notes": NOTES,
    "developer": DEVELOPER,
}  # fmt: skip
EVERYTHING = [one for tools in FAMILIES.values() for one in tools]
"""What the turns of kind `many_tools` declare, and what makes them hard: many of these look alike."""
