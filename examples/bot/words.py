"""words: what has happened to a game, as one line of a chat."""

ENDS = {
    "resignation_unwinnable": "resignation, for the other side could not have mated",
    "timeout_unwinnable": "a fallen flag, for the other side could not have mated",
    "timeout": "a fallen flag",
    "fifty_moves": "the fifty-move rule",
    "seventyfive_moves": "the seventy-five-move rule",
    "dead_position": "a dead position",
    "rules_infraction": "an infraction of the rules",
    "move_limit": "the move limit",
}


def span(ms):
    """5:00, 1:00:00; below twenty seconds with tenths: 0:09.5."""
    seconds, tenths = max(0, ms) // 1000, max(0, ms) % 1000 // 100
    text = f"{seconds // 60 % 60:02}:{seconds % 60:02}" if seconds >= 3600 else f"{seconds // 60}:{seconds % 60:02}"
    return (f"{seconds // 3600}:" if seconds >= 3600 else "") + text + (f".{tenths}" if seconds < 20 else "")


def ending(game, name):
    how = ENDS.get(game["termination"], (game["termination"] or "").replace("_", " "))
    if game["status"] == "aborted":
        return "The game is aborted."
    if game["winner"]:
        return f"{game['result']}: {name(game['winner'])} wins by {how}."
    return f"{game['result']}: drawn by {how}."


def standing(game, name):
    """Who is to move, what is offered, what the clocks show; or how the game has ended."""
    if game["status"] in ("ended", "aborted"):
        return ending(game, name)
    text = f"{name(game['turn'])} to move" + (", in check" if game["check"] else "")
    if game["draw"]["offered_by"]:
        text += f"; {name(game['draw']['offered_by'])} offers a draw"
    if game["clock"]:
        text += f" [{span(game['clock']['white_ms'])} - {span(game['clock']['black_ms'])}]"
    return text + "."


def moved(data, name):
    move = data["move"]
    number = f"{move['number']}{'.' if move['color'] == 'white' else '...'}"
    return f"{number} {move['san']} ({name(move['color'])}). {standing(data['game'], name)}"


def offered(data, name):
    return f"{name(data['by'])} offers a draw: !draw accept, !draw decline, or a move."


def seated(data, name):
    if data["reason"] == "taken":
        return f"{data['name'] or 'Somebody'} has {data['color'].capitalize()}. {standing(data['game'], name)}"
    return f"{data['color'].capitalize()}'s seat is free." if data["reason"] == "left" else None


def asked_back(data, name):
    return f"{name(data['by'])} asks to take back: !takeback accept, !takeback decline."


def rewound(data, name):
    return f"Taken back to half-move {data['game']['ply']}. {standing(data['game'], name)}"


def refused_claim(data, name):
    stands = "; it stands as an offer: !draw accept, !draw decline" if data["stands_as_offer"] else ""
    return f"{name(data['by'])}'s claim is wrong{stands}."


def clocks_set(data, name):
    if data["reason"] == "wall_clock":
        return None  # told anew to whoever comes back; no clock has changed
    return f"The clocks were set. {standing(data['game'], name)}"


EVENTS = {
    "snapshot": lambda data, name: f"The game stands at half-move {data['game']['ply']}. "
                                   f"{standing(data['game'], name)}",
    "move.played": moved,
    "draw.offered": offered,
    "draw.declined": lambda data, name: f"{name(data['by'])} declines the draw.",
    "draw.claim_refused": refused_claim,
    "takeback.offered": asked_back,
    "takeback.declined": lambda data, name: f"{name(data['by'])} {'withdraws' if data['withdrawn'] else 'declines'}: "
                                            "nothing is taken back.",
    "position.rewound": rewound,
    "clock.updated": clocks_set,
    "seat.changed": seated,
    "game.deleted": lambda data, name: "The game was removed.",
    "game.ended": lambda data, name: ending(data["game"], name),
}


def tell(event, name):
    """The line for an event, None where there is nothing to say. `name` gives who plays a colour."""
    words = EVENTS.get(event["type"])
    return words(event["data"], name) if words else None
