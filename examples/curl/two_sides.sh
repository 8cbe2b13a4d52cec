#!/bin/sh
# A game of chess with nothing but curl: two players with a seat each, a draw that one of them claims, and the game as
# PGN in the end. Needs a running arbiterd; no jq, no second tool.
#
#     ./two_sides.sh [http://127.0.0.1:8080]
#
# It prints what it does to standard error and the PGN to standard output: ./two_sides.sh >game.pgn
set -eu

server=${1:-http://127.0.0.1:8080}

say() {
    printf '\n# %s\n' "$*" >&2
}

# as TOKEN CURL-ARGUMENTS...: a request in the name of whoever holds the token. The header goes to curl through a pipe
# and not as an argument, because arguments can be read by everybody on this machine (ps). -sS: no progress, but errors.
# -f makes a refusal an exit code, and then `set -e` ends this script.
as() {
    token=$1
    shift
    printf 'header = "Authorization: Bearer %s"\n' "$token" | curl -sS -f -K - "$@"
}

# ---- 1. A game with seats

# Without "access" anybody who knows the id moves both sides, which is handy on one's own machine. With seats each side
# has a secret, its token. They are told in this answer and never again, for the daemon keeps digests only.
#
# The suffix .txt asks for plain text: the id is the first line, then comes a line for each token.
# The key makes the request safe to repeat: should the answer get lost, the same request with the same key gives the
# same game again with the same tokens, and no second one. So the key is a secret too: sixteen bytes that nobody can
# guess, and through a pipe they go.
say "1. A new game with a token for each seat"
key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
answer=$(printf 'header = "Idempotency-Key: %s"\n' "$key" | curl -sS -f -K - -d access=seats "$server/v1/games.txt")

id=$(printf '%s\n' "$answer" | sed -n 1p)
white=$(printf '%s\n' "$answer" | sed -n 's/^white //p')
black=$(printf '%s\n' "$answer" | sed -n 's/^black //p')
game=$server/v1/games/$id
echo "the game is $game" >&2

# ---- 2. Somebody watches

# Events are lines of JSON that come as they happen; -N lets them through at once. `after=1` leaves out the creation,
# which is version 1 of the game. The stream ends by itself when the game does.
say "2. A spectator follows the events"
events=$(mktemp)
trap 'rm -f "$events"' EXIT
curl -sS -f -N "$game/events.ndjson?after=1" >"$events" &
spectator=$!

# ---- 3. Both sit down

# Each takes his seat with the token that he was given. Until then anybody who knows the game may take it: a request
# without a token gets a new one for that seat, and the old one is void.
say "3. Ada takes White, Boris takes Black"
as "$white" -d color=white -d name=Ada "$game/seats.txt" >&2
as "$black" -d color=black -d name=Boris "$game/seats.txt" >&2

# ---- 4. Who may move

# No token, no move: 401. The wrong one: 409, for it is not Black's turn. -w prints the status; these two are meant to
# be refused, so they come without -f.
say "4. What is refused"
curl -sS -d e4 "$game/moves.txt" -w '%{http_code}\n' >&2
printf 'header = "Authorization: Bearer %s"\n' "$black" |
    curl -sS -K - -d e5 "$game/moves.txt" -w '%{http_code}\n' >&2

# ---- 5. Moves

# A move is written as people do (Nf3) or as two squares (g1f3). The answer in text is the move as it was understood.
# PUT says which half-move it is to be. So it may be sent as often as one likes, and is played once.
say "5. Both play, each with his own token; twice the knights go out and home"
ply=0
for move in Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1; do
    ply=$((ply + 1))
    if [ $((ply % 2)) = 1 ]; then token=$white; else token=$black; fi
    as "$token" -X PUT -d "$move" "$game/moves/$ply.txt" >&2
done

say "   The last one again, as after a broken connection: it is there already, and still is the seventh"
as "$white" -X PUT -d Ng1 "$game/moves/7.txt" >&2

say "   The board, for the eye"
curl -sS -f "$game/board" >&2

# ---- 6. A draw by claim

# Black can bring about the first position for the third time with Ng8. Article 9.2.1 lets him claim the draw with the
# move that he is going to make: it is written down, not played. `draw.txt` tells what could be claimed.
say "6. What may be claimed"
as "$black" "$game/draw.txt" >&2

say "   Black claims, and announces Ng8"
as "$black" -d reason=threefold_repetition -d move=Ng8 "$game/draw/claim.txt" >&2

# ---- 7. The end

# The spectator's stream has ended with the game; each event is a line that has the version it made as its id.
say "7. What the spectator saw"
wait "$spectator"
sed 's/.*"id":\([0-9]*\),"type":"\([a-z._]*\)".*/event \1: \2/' "$events" >&2

say "   The game as PGN"
curl -sS -f "$game.pgn"
