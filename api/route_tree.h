/* route_tree: the paths of the table, segment by segment, so that a request's path is found by walking down it.
 *
 * Layer: api. Private to api/route.c and api/api.c. Memory: one block, made at the start and never changed. Threads: any. */
#pragma once

#include <stddef.h>

struct path;
struct route;
struct route_tree;

/* The rows of one path, which stand together in the table. */
struct route_rows {
    const struct route *first, *end; /* NULL: there are none */
    unsigned methods;                /* what the path takes: bit set over enum method */
};

/* Of `count` rows. NULL: memory is out. */
struct route_tree *route_tree_create(const struct route *table, size_t count);
void route_tree_destroy(struct route_tree *tree);

/* NULL: no row has that path. A segment in braces takes any text but an empty one; where one stands beside a word, the word
 * has to come first in the table, and the way that was taken for it is not gone back. */
const struct route_rows *route_tree_find(const struct route_tree *tree, const struct path *path);
