"""Games for schemathesis: most cases are sent to a game that exists, with the token of its seat.

Without these, nearly every case would be answered by 404 or 401 and no handler would be reached. What a case is
about (its body, its query, what is wrong with it) stays schemathesis's own; here an address gets a game, a sheet
the turn that is awaited, an invitation a token that opens something. One case in eight is left as it was made.
"""

import datetime
import os
import uuid
import random

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation

API = os.environ["FIELDCOMMAND_URL"].rstrip("/") + "/api/v1"
# After so many cases a game is exchanged for a new one: by then it has been resigned, or closed, or filled with messages.
CASES_OF_A_GAME = 60
ORDERS = ("", "H6-G6", "I2 G8-F8\nH7-H6", "A1-B1 B2-C2", "G8-G8", "Z9-A1", "GN K11", "# nothing")

http = requests.Session()
chance = random.Random(os.environ.get("FIELDCOMMAND_SEED", "1"))


def call(method, path, token=None, body=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return http.request(method, API + path, headers=headers, json=body, timeout=30)


class Game:
    """A game at some stage, with the tokens of its seats."""

    def __init__(self, kind):
        wanted = {"side": "red", "name": "Ann", **kind.get("settings", {})}
        opened = call("POST", "/games", body=wanted)
        assert opened.status_code == 201, opened.text
        opened = opened.json()
        self.id, self.tokens, self.used = opened["game"], {"red": opened["token"]}, 0
        self.invitation, self.seated = opened.get("invitation_token"), False
        if kind.get("seated"):
            taken = call("POST", "/invitations/take", body={"token": self.invitation, "name": "Ben"})
            assert taken.status_code == 201, taken.text
            self.tokens["blue"], self.seated = taken.json()["token"], True
        for turn in range(kind.get("turns", 0)):
            for side, token in self.tokens.items():
                text = ""
                if turn == 0:
                    form = call("GET", f"/games/{self.id}/{side}/form", token).json()
                    text = chance.choice(form["presets"])["text"]
                sealed = call("PUT", f"/games/{self.id}/{side}/sheet", token, {"turn": turn, "text": text})
                assert sealed.status_code == 200, sealed.text
        if kind.get("over"):
            call("POST", f"/games/{self.id}/red/resignation", self.tokens["red"], {"confirm": True})

    def turn(self, side):
        state = call("GET", f"/games/{self.id}/{side}", self.tokens[side])
        return state.json().get("turn", 0) if state.ok else 0

    def sheet(self, side, turn):
        if turn > 0:
            return chance.choice(ORDERS)
        form = call("GET", f"/games/{self.id}/{side}/form", self.tokens[side])
        presets = form.json().get("presets", []) if form.ok else []
        return chance.choice(presets)["text"] if presets else "GN K11"


SPAN = {"pace": {"kind": "span", "hours": 24, "first_hours": 72}}
KINDS = [
    {},
    {"settings": {"public": True, "challenge_days": 7}},
    {"seated": True},
    {"seated": True, "turns": 1},
    {"seated": True, "turns": 3, "settings": {"public": True, **SPAN}},
    {"seated": True, "turns": 1, "settings": {**SPAN, "terms": {"second_thoughts": 10}}},
    {"seated": True, "turns": 2, "over": True, "settings": {"public": True}},
    {"settings": {"opponent": {"computer": "easy"}}},
]
games = [None] * len(KINDS)


def game(only=lambda kind: True):
    place = chance.choice([place for place, kind in enumerate(KINDS) if only(kind)])
    if games[place] is None or games[place].used >= CASES_OF_A_GAME:
        games[place] = Game(KINDS[place])
    games[place].used += 1
    return games[place]


def is_made_wrong(case, location):
    return case.meta is not None and case.meta.is_negative_at(location)


def soon():
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=chance.randint(1, 20))
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def give_game(case):
    """Puts a game into the address; gives it and the side, or nothing if the address is to stay as it was made."""
    path = case.operation.path
    if "/games/{id}" not in path or is_made_wrong(case, ParameterLocation.PATH) or chance.random() < 1 / 8:
        return None, None
    if "{side}" in path:
        chosen = game()
        side = chance.choice(sorted(chosen.tokens))
        case.path_parameters["side"] = side
    else:
        chosen, side = game(lambda kind: kind.get("settings", {}).get("public")), "red"
    case.path_parameters["id"] = chosen.id
    if "n" in case.path_parameters and chance.random() < 3 / 4:
        case.path_parameters["n"] = chance.randint(0, 3)
    if isinstance(case.body, dict) and not is_made_wrong(case, ParameterLocation.BODY):
        fill(case.body, chosen, side)
    return chosen, side


def fill(body, chosen, side):
    """Lets most bodies be about the turn that is awaited and about the days to come."""
    if "turn" in body and chance.random() < 3 / 4:
        body["turn"] = chosen.turn(side)
        if "text" in body and chance.random() < 3 / 4:
            body["text"] = chosen.sheet(side, body["turn"])
    if isinstance(body.get("until_at"), str) and chance.random() < 3 / 4:
        body["until_at"] = soon()


@schemathesis.auth(refresh_interval=None)
class SeatToken:
    """The token of the seat that the address names; now and then that of the other side, so that 404 is seen too."""

    def get(self, case, context):
        # Operations of another scheme have a token of their own, where one is given.
        schemes = [name for each in context.operation.definition.raw.get("security", []) for name in each]
        if schemes and "seat" not in schemes:
            give_game(case)
            return os.environ.get("FIELDCOMMAND_ADMIN_TOKEN", "none")
        chosen, side = give_game(case)
        if chosen is None:
            return game().tokens["red"]
        other = [each for each in chosen.tokens if each != side]
        return chosen.tokens[other[0] if other and chance.random() < 1 / 16 else side]

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context, case, kwargs):
    path, body = case.operation.path, case.body
    if "{side}" not in path:
        give_game(case)
    # Ids of answers come back in addresses. Whoever revokes the token by which all is asked is answered 401 from then on.
    if path.endswith("/tokens/{id}/revoke") and case.path_parameters.get("id") == os.environ.get("FIELDCOMMAND_ADMIN_ID"):
        case.path_parameters["id"] = str(uuid.uuid4())
    if path.endswith("/challenges/{id}/take") and not is_made_wrong(case, ParameterLocation.PATH):
        if chance.random() < 1 / 2:
            case.path_parameters["id"] = Game(KINDS[1]).id
    if "/invitations/" in path and isinstance(body, dict) and "token" in body and chance.random() < 3 / 4:
        if not is_made_wrong(case, ParameterLocation.BODY):
            free = chance.random() < 1 / 2
            body["token"] = (Game(KINDS[0]) if free else game(lambda kind: kind.get("seated"))).invitation
