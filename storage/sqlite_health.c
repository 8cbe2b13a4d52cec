#include "storage/sqlite_health.h"

#include <errno.h>
#include <sys/stat.h>

#include "storage/backend.h"

void sqlite_health_init(struct sqlite_health *health, const char *path)
{
    *health = (struct sqlite_health){.path = path, .mutex = PTHREAD_MUTEX_INITIALIZER};
}

void sqlite_health_watch(struct sqlite_health *health, const struct storage_watch *watch)
{
    (void)pthread_mutex_lock(&health->mutex);
    health->watch = *watch;
    (void)pthread_mutex_unlock(&health->mutex);
}

/* With the mutex held, so that what is told last is what is so. */
static void tell(struct sqlite_health *health, enum storage_side side, enum storage_status status)
{
    if (health->watch.note)
        health->watch.note(health->watch.context, side, status, health->text);
}

static void note(struct sqlite_health *health, enum storage_side side, enum storage_status status,
                 const char *words)
{
    storage_sentence(health->text, "%s: %s", health->path, words);
    health->failing[side] = true;
    health->untold[side] = status;
    tell(health, side, status);
}

void sqlite_health_fault(struct sqlite_health *health, enum storage_side side, enum storage_status status,
                         struct sqlite_db *db)
{
    (void)pthread_mutex_lock(&health->mutex);
    health->damaged |= db->found_damage;
    note(health, side, status, *db->fault ? db->fault : storage_status_text(status));
    (void)pthread_mutex_unlock(&health->mutex);
    db->fault[0] = '\0';
}

void sqlite_health_fine(struct sqlite_health *health, enum storage_side side)
{
    (void)pthread_mutex_lock(&health->mutex);
    if (health->failing[side] && !health->damaged) {
        health->failing[side] = false;
        if (side == STORAGE_WRITES)
            health->untold[side] = STORAGE_OK;
        storage_sentence(health->text, "%s", health->path);
        tell(health, side, STORAGE_OK);
    }
    (void)pthread_mutex_unlock(&health->mutex);
}

enum storage_status sqlite_health_take(struct sqlite_health *health)
{
    (void)pthread_mutex_lock(&health->mutex);
    enum storage_status status = health->damaged ? STORAGE_UNAVAILABLE : STORAGE_OK;
    for (int side = 0; side < STORAGE_SIDE_COUNT; side++) {
        if (status == STORAGE_OK)
            status = health->untold[side];
        health->untold[side] = STORAGE_OK;
    }
    (void)pthread_mutex_unlock(&health->mutex);
    return status;
}

/* Where nothing can be said, nothing is wrong. */
static bool is_elsewhere(const struct sqlite_health *health)
{
    struct stat now;
    if (stat(health->path, &now) != 0)
        return errno == ENOENT || errno == ENOTDIR;
    return now.st_dev != health->lock->device || now.st_ino != health->lock->inode;
}

bool sqlite_health_in_place(struct sqlite_health *health)
{
    if (!health->lock || !is_elsewhere(health))
        return true;
    (void)pthread_mutex_lock(&health->mutex);
    note(health, STORAGE_WRITES, STORAGE_UNAVAILABLE,
         "the file was removed or replaced while it is in use: put it back, or restart to begin with what is "
         "there");
    (void)pthread_mutex_unlock(&health->mutex);
    return false;
}
