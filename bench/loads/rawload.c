/* A load of ready-made requests: what a broker pays for one request, with next to nothing spent in the client.
 *
 * Each connection keeps `depth` requests on the way and sends the next one when an answer arrives; a produce request
 * carries one record, a fetch asks for a few kilobytes at a random offset. Arguments are key=value; the result is one
 * line of JSON on standard output.
 *
 *   rawload produce port=N topic=T partitions=N connections=N depth=N n=N [size=100] [acks=-1]
 *   rawload fetch   port=N topic=T partitions=1 connections=N depth=N n=N offsets=N [max_bytes=4096]
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 256, REQUEST_MAX = 8192, HEAD_MAX = 512, RECEIVE = 1 << 18 };

static int argument_count;
static char **arguments;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "rawload: %s: %s\n", what, why);
    exit(1);
}

static const char *text(const char *name, const char *otherwise) {
    size_t length = strlen(name);
    for (int i = 2; i < argument_count; i++)
        if (!strncmp(arguments[i], name, length) && arguments[i][length] == '=') return arguments[i] + length + 1;
    if (!otherwise) fail("missing argument", name);
    return otherwise;
}

static long number(const char *name, const char *otherwise) { return atol(text(name, otherwise)); }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- writing a request: a cursor and big-endian integers ---- */

static uint8_t *cursor;

static void put(uint64_t value, int bytes) {
    while (bytes--) *cursor++ = (uint8_t)(value >> (8 * bytes));
}

static void put_at(uint8_t *where, uint64_t value, int bytes) {
    uint8_t *saved = cursor;
    cursor = where;
    put(value, bytes);
    cursor = saved;
}

static void put_text(const char *s) {
    put(strlen(s), 2);
    memcpy(cursor, s, strlen(s));
    cursor += strlen(s);
}

static void put_varint(int64_t value) {
    uint64_t zigzag = ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
    for (; zigzag > 127; zigzag >>= 7) *cursor++ = (uint8_t)(zigzag | 128);
    *cursor++ = (uint8_t)zigzag;
}

static uint32_t crc32c(const uint8_t *data, size_t length) {
    uint32_t crc = ~0u;
    while (length--) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0x82F63B78 ^ (crc >> 1) : crc >> 1;
    }
    return ~crc;
}

static void put_header(int api_key, int version) {
    put(0, 4); /* size, filled in at the end */
    put((uint64_t)api_key, 2), put((uint64_t)version, 2);
    put(0, 4); /* correlation id */
    put_text("rawload");
}

static void put_batch(long size) {
    uint8_t record[REQUEST_MAX], *batch = cursor;
    cursor = record;
    put(0, 1), put_varint(0), put_varint(0), put_varint(-1), put_varint(size);
    memset(cursor, 'x', (size_t)size);
    cursor += size;
    put_varint(0);
    long length = cursor - record;
    uint64_t now_ms = (uint64_t)time(NULL) * 1000;
    cursor = batch;
    put(0, 8), put(0, 4), put((uint64_t)-1, 4), put(2, 1), put(0, 4);
    put(0, 2), put(0, 4), put(now_ms, 8), put(now_ms, 8), put((uint64_t)-1, 8), put((uint64_t)-1, 2), put((uint64_t)-1, 4), put(1, 4);
    put_varint(length);
    memcpy(cursor, record, (size_t)length);
    cursor += length;
    put_at(batch + 8, (uint64_t)(cursor - batch - 12), 4);
    put_at(batch + 17, crc32c(batch + 21, (size_t)(cursor - batch - 21)), 4);
}

struct request {
    uint8_t bytes[REQUEST_MAX];
    int length;
    int offset_at;   /* where a fetch keeps the offset it asks for; 0 in a produce */
    int error_at;    /* where the partition's error stands in the answer, its size field not counted */
};

static void build_produce(struct request *request, long partition) { /* Produce version 7 */
    long size = number("size", "100");
    if (size > REQUEST_MAX - 512) fail("size", "too large for this load");
    cursor = request->bytes;
    put_header(0, 7);
    put((uint64_t)-1, 2), put((uint64_t)number("acks", "-1"), 2), put(30000, 4);
    put(1, 4), put_text(text("topic", NULL)), put(1, 4), put((uint64_t)partition, 4);
    uint8_t *records_size = cursor;
    put(0, 4);
    put_batch(size);
    put_at(records_size, (uint64_t)(cursor - records_size - 4), 4);
    request->error_at = 4 + 4 + 2 + (int)strlen(text("topic", NULL)) + 4 + 4;
}

static void build_fetch(struct request *request, long partition) { /* Fetch version 11, outside a session */
    uint64_t max_bytes = (uint64_t)number("max_bytes", "4096");
    cursor = request->bytes;
    put_header(1, 11);
    put((uint64_t)-1, 4), put(500, 4), put(1, 4), put(max_bytes, 4), put(0, 1), put(0, 4), put((uint64_t)-1, 4);
    put(1, 4), put_text(text("topic", NULL)), put(1, 4), put((uint64_t)partition, 4), put((uint64_t)-1, 4);
    request->offset_at = (int)(cursor - request->bytes);
    put(0, 8), put((uint64_t)-1, 8), put(max_bytes, 4);
    put(0, 4), put_text("");
    request->error_at = 4 + 4 + 2 + 4 + 4 + 2 + (int)strlen(text("topic", NULL)) + 4 + 4;
}

/* ---- connections ---- */

struct connection {
    int fd;
    struct request request;
    uint32_t correlation_id;
    double sent_at[DEPTH_MAX];
    unsigned sent, answered;
    uint8_t head[HEAD_MAX]; /* the start of the answer being read: its size, then what is checked */
    uint32_t have;          /* bytes of this answer seen so far, with its size field */
};

static long n, sent, answered, errors, offsets;
static double bytes_received;
static float *latency_s;

static int open_connection(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number("port", NULL))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) fail("cannot connect to port", text("port", NULL));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static uint64_t random_offset(void) {
    static uint64_t state = 88172645463325252ull; /* xorshift: the same offsets on every broker */
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % (uint64_t)offsets;
}

static void send_next(struct connection *c) {
    struct request *request = &c->request;
    put_at(request->bytes + 8, c->correlation_id++, 4);
    if (request->offset_at) put_at(request->bytes + request->offset_at, random_offset(), 8);
    c->sent_at[c->sent++ % DEPTH_MAX] = now();
    if (send(c->fd, request->bytes, (size_t)request->length, 0) != request->length) fail("send", "the broker closed");
    sent++;
}

static void finish_answer(struct connection *c) {
    const uint8_t *error = c->head + 4 + c->request.error_at;
    if (error[0] | error[1]) {
        if (!errors++) fprintf(stderr, "rawload: the broker answered error %d\n", (int16_t)(error[0] << 8 | error[1]));
    }
    latency_s[answered++] = (float)(now() - c->sent_at[c->answered++ % DEPTH_MAX]);
    c->have = 0;
    if (sent < n) send_next(c);
}

static void take(struct connection *c, const uint8_t *data, uint32_t length) {
    while (length) {
        uint32_t wanted = 4;
        if (c->have >= 4) wanted = 4 + ((uint32_t)c->head[0] << 24 | c->head[1] << 16 | c->head[2] << 8 | c->head[3]);
        uint32_t step = wanted - c->have < length ? wanted - c->have : length;
        if (c->have < HEAD_MAX) memcpy(c->head + c->have, data, step < HEAD_MAX - c->have ? step : HEAD_MAX - c->have);
        c->have += step, data += step, length -= step;
        if (c->have == wanted && wanted > 4) finish_answer(c);
    }
}

static void receive(struct connection *c) {
    static uint8_t buffer[RECEIVE];
    ssize_t got = recv(c->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got <= 0) fail("receive", "the broker closed the connection");
    bytes_received += (double)got;
    take(c, buffer, (uint32_t)got);
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void run(struct connection *connections, long count, long depth, int poller) {
    struct epoll_event events[256];
    for (long d = 0; d < depth; d++)
        for (long i = 0; i < count && sent < n; i++) send_next(&connections[i]);
    while (answered < n) {
        int ready = epoll_wait(poller, events, 256, 20000);
        if (ready <= 0) fail("receive", "no answer for 20 seconds");
        for (int i = 0; i < ready; i++) receive(events[i].data.ptr);
    }
}

int main(int argc, char **argv) {
    argument_count = argc, arguments = argv;
    if (argc < 2) fail("usage", "rawload produce|fetch key=value...");
    int fetching = !strcmp(argv[1], "fetch");
    long count = number("connections", "1"), depth = number("depth", "1"), partitions = number("partitions", "1");
    if (depth < 1 || depth > DEPTH_MAX) fail("depth", "between 1 and 256, please");
    n = number("n", NULL), offsets = fetching ? number("offsets", NULL) : 0;
    latency_s = malloc((size_t)n * sizeof *latency_s);
    struct connection *connections = calloc((size_t)count, sizeof *connections);
    int poller = epoll_create1(0);
    for (long i = 0; i < count; i++) {
        struct connection *c = &connections[i];
        c->fd = open_connection();
        (fetching ? build_fetch : build_produce)(&c->request, i % partitions);
        c->request.length = (int)(cursor - c->request.bytes);
        put_at(c->request.bytes, (uint64_t)c->request.length - 4, 4);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
    }
    double start = now();
    run(connections, count, depth, poller);
    double wall = now() - start;
    qsort(latency_s, (size_t)n, sizeof *latency_s, ascending);
    printf("{\"n\": %ld, \"wall_s\": %.6f, \"bytes\": %.0f, \"errors\": %ld, \"p50_ms\": %.4f, \"p99_ms\": %.4f}\n", n, wall,
           bytes_received, errors, latency_s[n / 2] * 1e3, latency_s[n * 99 / 100] * 1e3);
    return errors ? 2 : 0;
}
