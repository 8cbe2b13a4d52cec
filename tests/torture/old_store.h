/* A store as an earlier release left it, with games that can be played on. */
#pragma once

#include <stdbool.h>

enum { OLD_STORE_VERSION = 3, OLD_STORE_GAMES = 40, OLD_STORE_PLIES = 20 };

/* The id of the game with that key, from 1. */
enum { OLD_STORE_ID_SIZE = 13 };
void old_store_id(int key, char id[OLD_STORE_ID_SIZE]);

/* A closed file of schema OLD_STORE_VERSION at `path`. */
bool old_store_make(const char *path);
