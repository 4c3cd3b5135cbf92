/*
 * Event descriptors: completion channels, asynchronous events, DevX events and completions of DevX
 * commands.
 *
 * A channel is a pipe. The device process writes to it, and programs read from it with read(2). The
 * kernel driver counts an event when it is read, and drops the unread events of an object when the
 * object is destroyed. To know which events were read, the channel keeps a list of the records that
 * it has written, each with its object.
 */
#define _GNU_SOURCE
#include "device/driver/channel.h"
#include "device/machine/log.h"
#include "device/machine/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rdma/ib_user_verbs.h>

enum { RECORD_BYTES = 128 };

struct record {
    struct uobject *source;     /* object of the event; NULL: an event without an object */
    uint16_t bytes;
    unsigned char data[RECORD_BYTES];
};

struct channel {
    struct watch watch;         /* must be first; the writing end */
    struct uverbs_context *context;     /* NULL: the context was freed */
    struct channel *next;
    enum channel_kind kind;
    uint32_t flags;
    ino_t inode;
    void (*on_free)(const struct channel *channel);     /* called before the free; may be NULL */
    unsigned users;             /* number of CQs that use the channel */
    bool has_no_reader;         /* no process has the reading end open */
    struct record *records;     /* a ring of records that may be unread */
    uint32_t first, count, room;
};

uint32_t channel_flags(const struct channel *channel)
{
    return channel->flags;
}

static void channel_free(struct channel *channel)
{
    struct channel **p;

    if (channel->on_free != NULL)
        channel->on_free(channel);
    if (channel->context != NULL) {
        for (p = &channel->context->channels; *p != channel; p = &(*p)->next)
            ;
        *p = channel->next;
    }
    free(channel->records);
    watch_close(&channel->watch, channel);
}

/* Called when the last process has closed the reading end. The channel is freed when no CQ uses
 * it. */
static void channel_ready(struct watch *watch, uint32_t events)
{
    struct channel *channel = (void *)watch;

    if ((events & EPOLLERR) == 0)
        return;
    channel->has_no_reader = true;
    if (channel->users == 0) {
        channel_free(channel);
        return;
    }
    watch_pause(watch);         /* otherwise epoll would report the error again and again */
}

struct channel *channel_new(struct uverbs_context *context, enum channel_kind kind,
                            uint32_t flags, int *fd)
{
    struct channel *channel = calloc(1, sizeof(*channel));
    struct stat st;
    int ends[2];

    if (channel == NULL)
        return NULL;
    /* outputs of commands differ in size; in packet mode, each read returns one of them */
    if (pipe2(ends, O_CLOEXEC | (kind == CHANNEL_DEVX_CMD ? O_DIRECT : 0)) != 0) {
        free(channel);
        return NULL;
    }
    fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK);
    fstat(ends[1], &st);
    channel->watch = (struct watch){.fd = ends[1], .ready = channel_ready};
    channel->context = context;
    channel->kind = kind;
    channel->flags = flags;
    channel->inode = st.st_ino;
    channel->next = context->channels;
    context->channels = channel;
    watch_add(&channel->watch, 0);
    *fd = ends[0];
    return channel;
}

struct channel *channel_find(struct uverbs_context *context, pid_t pid, int fd,
                             enum channel_kind kind)
{
    char path[64], target[64];
    unsigned long long inode;
    struct channel *channel;
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
    n = readlink(path, target, sizeof(target) - 1);
    if (n < 0)
        return NULL;
    target[n] = '\0';
    if (sscanf(target, "pipe:[%llu]", &inode) != 1)
        return NULL;
    for (channel = context->channels; channel != NULL; channel = channel->next)
        if (channel->inode == (ino_t)inode && channel->kind == kind)
            return channel;
    return NULL;
}

void channel_on_free(struct channel *channel, void (*on_free)(const struct channel *channel))
{
    channel->on_free = on_free;
}

void channel_use(struct channel *channel)
{
    channel->users++;
}

void channel_unuse(struct channel *channel)
{
    if (--channel->users == 0 && (channel->has_no_reader || channel->context == NULL))
        channel_free(channel);
}

static struct record *record_at(struct channel *channel, uint32_t index)
{
    /* analyzer: core.DivideZero: while room is 0, the channel has no record */
    return &channel->records[(channel->first + index) % channel->room];
}

/* Removes the oldest `num` records and counts them as read. */
static void mark_read(struct channel *channel, uint32_t num)
{
    for (; num > 0 && channel->count > 0; num--) {
        struct uobject *source = record_at(channel, 0)->source;

        if (source != NULL && channel->kind == CHANNEL_COMP)
            source->comp_events_read++;
        else if (source != NULL)
            source->events_read++;
        channel->first = (channel->first + 1) % channel->room;
        channel->count--;
    }
}

/* Computes from the number of bytes in the pipe how many records were read, and removes these. */
static void update_read(struct channel *channel)
{
    uint32_t unread = 0;
    int bytes = 0;

    if (channel->count == 0 || ioctl(channel->watch.fd, FIONREAD, &bytes) != 0)
        return;
    while (unread < channel->count && bytes > 0) {
        bytes -= record_at(channel, channel->count - 1 - unread)->bytes;
        unread++;
    }
    mark_read(channel, channel->count - unread);
}

static bool make_room(struct channel *channel)
{
    uint32_t room = channel->room != 0 ? channel->room * 2 : 64, i;
    struct record *records;

    if (channel->count < channel->room)
        return true;
    records = calloc(room, sizeof(*records));
    if (records == NULL)
        return false;
    for (i = 0; i < channel->count; i++)
        records[i] = *record_at(channel, i);
    free(channel->records);
    channel->records = records;
    channel->first = 0;
    /* analyzer: analyzer-malloc-leak: the channel holds the pointer */
    channel->room = room;
    return true;
}

/* Writes a record to the pipe. False when the pipe is full or has no reader. */
static bool write_bytes(struct channel *channel, const void *data, size_t bytes)
{
    if (channel->has_no_reader)
        return false;
    if (write(channel->watch.fd, data, bytes) == (ssize_t)bytes)
        return true;
    if (errno != EPIPE)
        sim_log(SIM_ERROR, "an event is lost: the program does not read its event descriptor");
    return false;
}

void channel_post(struct channel *channel, struct uobject *source, const void *data, size_t bytes)
{
    struct record record = {.source = source, .bytes = (uint16_t)bytes};

    update_read(channel);
    if (channel->kind == CHANNEL_DEVX_CMD) {
        write_bytes(channel, data, bytes);
        return;
    }
    if (bytes > sizeof(record.data) || !make_room(channel))
        return;
    memcpy(record.data, data, bytes);
    if (write_bytes(channel, data, bytes))
        *record_at(channel, channel->count++) = record;
}

/*
 * Reads all records from the pipe and writes back those that do not belong to `source`. If the
 * program reads at the same time, it gets the next event before or after this. The count of read
 * events is exact, because the program has not read a record that is read here.
 */
static void remove_records(struct channel *channel, struct uobject *source)
{
    unsigned char discard[4096];
    char path[32];
    uint32_t unread = 0, num_rewritten = 0, i;
    size_t bytes = 0;
    ssize_t n;
    int fd;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", channel->watch.fd);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    while ((n = read(fd, discard, sizeof(discard))) > 0)
        bytes += (size_t)n;
    close(fd);
    while (unread < channel->count && bytes > 0) {
        bytes -= record_at(channel, channel->count - 1 - unread)->bytes;
        unread++;
    }
    mark_read(channel, channel->count - unread);
    for (i = 0; i < unread; i++) {
        struct record record = *record_at(channel, i);

        if (record.source != source && write_bytes(channel, record.data, record.bytes))
            *record_at(channel, num_rewritten++) = record;
    }
    channel->count = num_rewritten;
}

static bool has_records(struct channel *channel, const struct uobject *source)
{
    uint32_t i;

    for (i = 0; i < channel->count; i++)
        if (record_at(channel, i)->source == source)
            return true;
    return false;
}

void channel_drop_events(struct uverbs_context *context, struct uobject *source)
{
    struct channel *channel;

    for (channel = context->channels; channel != NULL; channel = channel->next) {
        update_read(channel);
        if (has_records(channel, source))
            remove_records(channel, source);
    }
}

void channel_context_freed(struct uverbs_context *context)
{
    struct channel *channel;

    while ((channel = context->channels) != NULL) {
        context->channels = channel->next;
        channel->context = NULL;
        if (channel->users == 0)
            channel_free(channel);
    }
}

void channel_post_async(struct uverbs_context *context, struct uobject *source, uint64_t element,
                        uint32_t event)
{
    const struct ib_uverbs_async_event_desc record = {.element = element, .event_type = event};
    struct channel *channel, *first = NULL;

    /* an event of an object goes to the channel that was opened first (the last in the list); other
     * events go to all channels */
    for (channel = context->channels; channel != NULL; channel = channel->next) {
        if (channel->kind != CHANNEL_ASYNC)
            continue;
        first = channel;
        if (source == NULL)
            channel_post(channel, NULL, &record, sizeof(record));
    }
    if (source != NULL && first != NULL)
        channel_post(first, source, &record, sizeof(record));
}
