/* reading_problem: what is told of a move that cannot be played: unparseable-move, illegal-move,
 * ambiguous-move (API 5).
 *
 * Layer: api. */
#pragma once

#include "api/problem.h"
#include "api/json.h"
#include "rules/notation.h"

struct exchange;

/* Answers with the problem that belongs to a reading that is not READING_OK: unparseable-move, illegal-move
 * with its members, or ambiguous-move with candidates. `text`: as it was sent, or NULL for squares.
 * `pointer`: of the member, or NULL. `lost_at_ply`: when a castling right was lost; 0 where that is not the
 * matter or not known. `more` appends further members ("game", "index"); NULL: none. */
struct reading_fault {
    const struct position *position;
    const struct reading *reading;
    const char *text, *pointer;
    unsigned lost_at_ply;
    void (*more)(struct writer *json, const void *context);
    const void *context;
};
enum api_result reading_problem(struct exchange *exchange, const struct reading_fault *fault);

/* The parts of it, for answers that are not problems (line): the slug's code, a sentence (in the arena or
 * static), and the members into the open object. */
enum problem_code reading_problem_code(const struct reading *reading);
const char *reading_problem_detail(struct arena *arena, const struct reading_fault *fault);
void reading_problem_members(struct writer *json, const struct reading_fault *fault);
