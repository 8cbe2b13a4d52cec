#include "tests/torture/load.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/chance.h"

static bool is_stopping(struct load *load)
{
    (void)pthread_mutex_lock(&load->mutex);
    bool stopping = load->stopping;
    (void)pthread_mutex_unlock(&load->mutex);
    return stopping;
}

static void *run_client(void *context)
{
    struct load_client *client = context;
    if (http_client_open(&client->http, "127.0.0.1", client->load->port)) {
        while (!is_stopping(client->load) && !*client->fault && client->ledger.game_count < LOAD_GAMES &&
               load_step(client)) {
        }
        http_client_close(&client->http);
    }
    (void)pthread_mutex_lock(&client->load->mutex);
    client->load->running--;
    (void)pthread_cond_signal(&client->load->changed);
    (void)pthread_mutex_unlock(&client->load->mutex);
    return NULL;
}

/* ---- all of them ---- */

void load_begin(struct load *load, uint64_t seed)
{
    memset(load, 0, sizeof *load);
    (void)pthread_mutex_init(&load->mutex, NULL);
    (void)pthread_cond_init(&load->changed, NULL);
    for (unsigned i = 0; i < LOAD_CLIENTS; i++) {
        load->clients[i].load = load;
        load->clients[i].seed = chance_next(&seed);
    }
}

void load_end(struct load *load)
{
    for (unsigned i = 0; i < LOAD_CLIENTS; i++)
        ledger_finish(&load->clients[i].ledger);
    (void)pthread_mutex_destroy(&load->mutex);
    (void)pthread_cond_destroy(&load->changed);
}

void load_start(struct load *load, unsigned port)
{
    load->port = port;
    load->stopping = false;
    load->acknowledged = load->unavailable = 0;
    load->running = LOAD_CLIENTS;
    for (unsigned i = 0; i < LOAD_CLIENTS; i++)
        if (pthread_create(&load->clients[i].thread, NULL, run_client, &load->clients[i]) != 0)
            abort();
}

bool load_is_full(const struct load *load)
{
    bool full = false;
    for (unsigned i = 0; i < LOAD_CLIENTS; i++)
        full = full || load->clients[i].ledger.game_count >= LOAD_GAMES;
    return full;
}

void load_await(struct load *load, unsigned actions)
{
    (void)pthread_mutex_lock(&load->mutex);
    while (load->acknowledged < actions && load->running == LOAD_CLIENTS)
        (void)pthread_cond_wait(&load->changed, &load->mutex);
    (void)pthread_mutex_unlock(&load->mutex);
}

void load_stop(struct load *load)
{
    (void)pthread_mutex_lock(&load->mutex);
    load->stopping = true;
    (void)pthread_mutex_unlock(&load->mutex);
}

const char *load_join(struct load *load)
{
    const char *fault = NULL;
    for (unsigned i = 0; i < LOAD_CLIENTS; i++) {
        (void)pthread_join(load->clients[i].thread, NULL);
        if (*load->clients[i].fault)
            fault = load->clients[i].fault;
    }
    return fault;
}

const char *load_check(struct load *load, unsigned port)
{
    const char *wrong = NULL;
    struct http_client client;
    if (!http_client_open(&client, "127.0.0.1", port))
        return "nobody answers";
    for (unsigned i = 0; !wrong && i < LOAD_CLIENTS; i++)
        wrong = ledger_check(&load->clients[i].ledger, &client);
    http_client_close(&client);
    return wrong;
}
