/* Connections that are kept alive and ask nothing: each asks once, rests, and asks once more at the end. */
#include "bench/load.h"

enum { AT_ONCE = 256, PATIENCE_S = 60 };

static uint64_t after(double seconds)
{
    return server_now_ns() + (uint64_t)(seconds * 1e9);
}

/* In portions: what is measured is rest, not a rush. */
static void ask_all(struct load *load)
{
    struct ask ask = {.kind = REQUEST_GAME, .id = load->pool[0].id, .uci = ""};
    for (unsigned i = 0; i < load->options.connections; i++) {
        struct client *client = &load->clients[i];
        client->slot = 0;
        load_ask(load, client, &ask, server_now_ns());
        if (i % AT_ONCE == AT_ONCE - 1 || i + 1 == load->options.connections)
            load_wait(load, after(PATIENCE_S), true);
    }
}

bool load_idle(struct load *load)
{
    load->next = NULL;
    ask_all(load);
    struct server_usage before = server_usage(load->options.pid);
    uint64_t begun = server_now_ns();
    load_wait(load, after(load->options.seconds), false);
    load->seconds = (double)(server_now_ns() - begun) / 1e9;
    load->processor_s = server_usage(load->options.pid).processor_s - before.processor_s;
    ask_all(load);
    return scenario_is_clean(load) && load->waiting == 0;
}
