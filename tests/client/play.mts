// A client in TypeScript as its author would write it, with types that are generated from openapi.yaml: a game is
// created, played and watched, and problems are told apart by their code. run.mjs compiles it and calls play().
import createClient from 'openapi-fetch';

import type { components, paths } from './api.js';

// Of the formats that the daemon offers.
type Json = 'application/json' | 'application/problem+json';
type Game = components['schemas']['Game'];
type Event = components['schemas']['Event'];
type Problem = components['schemas']['Problem'];
type Client = ReturnType<typeof createClient<paths, Json>>;

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

// The answer, or an error that has the problem in words.
function taken<T>(answer: { data?: T | undefined; error?: Problem | undefined }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? 'no answer');
  return answer.data;
}

function describe(game: Game): string {
  switch (game.status) {
    case 'waiting':
    case 'active':
      return `${game.turn} to move`;
    case 'ended':
    case 'aborted':
      return `${game.result} ${game.termination ?? ''}`;
  }
}

// What a program does about a refused move: each case of the union is checked by the compiler.
function advise(problem: Problem): string {
  if (problem.code === 'illegal-move')
    return `${problem.reason}: ${(problem.alternatives ?? []).map((move) => move.san)}`;
  if (problem.code === 'game-over') return 'start another game';
  return problem.title;
}

function tell(event: Event): string {
  const { move } = event.data;
  return event.type === 'move.played' && move ? move.san : event.type;
}

// Two people, each with the token of a seat.
async function playBySeats(client: Client): Promise<void> {
  const game = taken(await client.POST('/v1/games', { body: { access: 'seats' } }));
  must('id' in game && game.tokens !== undefined, 'a game with seats has tokens');
  const params = { path: { id: game.id } };
  const body = { move: 'e4' };
  const nobody = await client.POST('/v1/games/{id}/moves', { params, body });
  must(nobody.error?.code === 'token-required', 'nobody moves without a token');
  const headers = { Authorization: `Bearer ${game.tokens.white}` };
  const moved = taken(await client.POST('/v1/games/{id}/moves', { params, body, headers }));
  must(moved.game?.status === 'active' && moved.game.white.taken, 'the first move takes the seat');
}

export async function play(baseUrl: string): Promise<string> {
  const client = createClient<paths, Json>({ baseUrl });
  const game = taken(
    await client.POST('/v1/games', {
      body: { white: { name: 'Anna' }, rules: { takeback: 'off' }, metadata: { table: 4 } },
    }),
  );
  must('id' in game, 'a game, and no preview of one');
  must(game.white.name === 'Anna' && game.version === 1, 'the game is as it was asked for');
  const params = { path: { id: game.id } };

  const legal = taken(await client.GET('/v1/games/{id}/legal-moves', { params: { ...params, query: { from: 'g1' } } }));
  must(legal.count === 2 && legal.moves?.length === 2, 'a knight has two moves');

  for (const move of ['f3', 'e5', 'g4']) taken(await client.POST('/v1/games/{id}/moves', { params, body: { move } }));
  const refused = await client.POST('/v1/games/{id}/moves', { params, body: { move: 'Qh5' } });
  must(refused.error?.code === 'illegal-move', 'the queen does not reach h5');
  const advice = advise(refused.error);
  const mate = taken(await client.POST('/v1/games/{id}/moves', { params, body: { from: 'd8', to: 'h4' } }));
  must(mate.move?.gives_mate === true && mate.game?.winner === 'black', 'the shortest mate');

  const polled = taken(
    await client.GET('/v1/games/{id}/events', {
      params: { ...params, query: { after: 1 } },
      headers: { Accept: 'application/json' }, // else it is a stream
    }),
  );
  must(polled.data.map(tell).join(' ') === 'f3 e5 g4 Qh4#' && polled.next_after === 5, 'each move is told once');
  must(polled.over, 'there is nothing to wait for');

  const history = taken(await client.GET('/v1/games/{id}/moves', { params: { ...params, query: { limit: 2 } } }));
  must(history.data.length === 2 && history.next_ply === 3, 'a page of the history');
  const late = await client.POST('/v1/games/{id}/resign', { params, body: { color: 'white' } });
  must(late.response.status === 409 && late.error?.code === 'game-over', 'a game that is over');
  const missing = await client.GET('/v1/games/{id}', { params: { path: { id: 'aaaaaaaaaaaa' } } });
  must(missing.error?.code === 'game-not-found', 'a game that is not there');
  await playBySeats(client);
  return `${describe(taken(await client.GET('/v1/games/{id}', { params })))}; ${advice}`;
}
