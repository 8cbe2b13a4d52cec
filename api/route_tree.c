#include "api/route_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/path.h"
#include "api/route.h"

enum { NO_NODE = 0 }; /* the root, which is no child and no sibling */

struct node {
    struct text_span segment; /* of a template */
    bool is_value;            /* it stands in braces */
    uint16_t child, sibling;  /* indices; NO_NODE: there is none */
    struct route_rows rows;
};

struct route_tree {
    size_t count;
    struct node nodes[];
};

static bool fits(const struct node *node, const struct text_span *segment)
{
    if (node->is_value)
        return segment->length > 0;
    return node->segment.length == segment->length &&
           memcmp(node->segment.text, segment->text, segment->length) == 0;
}

static struct node *make_child(struct route_tree *tree, uint16_t *link, struct text_span segment)
{
    *link = (uint16_t)tree->count;
    struct node *node = &tree->nodes[tree->count++];
    *node = (struct node){.segment = segment, .is_value = segment.length > 0 && *segment.text == '{'};
    return node;
}

/* The child of that template's segment, behind those that came before it in the table. */
static struct node *enter(struct route_tree *tree, struct node *parent, struct text_span segment)
{
    uint16_t *link = &parent->child;
    while (*link != NO_NODE) {
        struct node *node = &tree->nodes[*link];
        if (node->segment.length == segment.length &&
            memcmp(node->segment.text, segment.text, segment.length) == 0)
            return node;
        link = &node->sibling;
    }
    return make_child(tree, link, segment);
}

static struct node *enter_path(struct route_tree *tree, const char *template)
{
    struct node *node = &tree->nodes[NO_NODE];
    while (*template == '/') {
        template ++;
        struct text_span segment = {template, strcspn(template, "/")};
        node = enter(tree, node, segment);
        template += segment.length;
    }
    return node;
}

static void add_row(struct route_rows *rows, const struct route *row)
{
    if (!rows->first)
        *rows = (struct route_rows){.first = row, .methods = 1u << METHOD_OPTIONS};
    rows->end = row + 1;
    rows->methods |= 1u << row->method;
    if (row->method == METHOD_GET)
        rows->methods |= 1u << METHOD_HEAD;
}

struct route_tree *route_tree_create(const struct route *table, size_t count)
{
    size_t most = count * PATH_SEGMENTS_MAX + 1;
    struct route_tree *tree = calloc(1, sizeof *tree + most * sizeof tree->nodes[0]);
    if (!tree)
        return NULL;
    tree->count = 1;
    for (size_t i = 0; i < count; i++)
        add_row(&enter_path(tree, table[i].path)->rows, &table[i]);
    return tree;
}

void route_tree_destroy(struct route_tree *tree)
{
    free(tree);
}

const struct route_rows *route_tree_find(const struct route_tree *tree, const struct path *path)
{
    const struct node *node = &tree->nodes[NO_NODE];
    if (path->count > PATH_SEGMENTS_MAX)
        return NULL;
    for (size_t i = 0; i < path->count; i++) {
        uint16_t next = node->child;
        while (next != NO_NODE && !fits(&tree->nodes[next], &path->segments[i]))
            next = tree->nodes[next].sibling;
        if (next == NO_NODE)
            return NULL;
        node = &tree->nodes[next];
    }
    return node->rows.first ? &node->rows : NULL;
}
