/* A load made of librdkafka, the client library under most non-Java Kafka clients: produce, consume, latency.
 *
 * The library is opened at run time (the copy inside the confluent-kafka wheel, or the system's), so this builds with a
 * C compiler alone: the few functions and the two structs that are needed are declared here. Arguments are key=value;
 * the result is one line of JSON on standard output.
 *
 *   rdload produce lib=PATH boot=H:P topic=T partitions=N n=N size=N [acks=all] [linger_ms=5] [batch_bytes=65536]
 *                  [codec=none] [idempotence=false]
 *   rdload consume lib=PATH boot=H:P topic=T partitions=N n=N [loops=1]
 *   rdload latency lib=PATH boot=H:P topic=T partitions=N rate=N seconds=N size=N [acks=all]
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct rd_kafka rd_kafka_t;
typedef struct rd_kafka_conf rd_kafka_conf_t;
typedef struct rd_kafka_topic rd_kafka_topic_t;
typedef struct rd_kafka_queue rd_kafka_queue_t;
typedef struct rd_kafka_topic_partition_list rd_kafka_topic_partition_list_t;
typedef struct {
    int err;
    rd_kafka_topic_t *topic;
    int32_t partition;
    void *payload;
    size_t len;
    void *key;
    size_t key_len;
    int64_t offset;
    void *opaque;
} rd_kafka_message_t;
typedef void (*delivery_fn)(rd_kafka_t *, const rd_kafka_message_t *, void *);

enum { PRODUCER = 0, CONSUMER = 1, COPY = 2, QUEUE_FULL = -184 };
#define OFFSET_BEGINNING ((int64_t)-2)

#define FUNCTIONS(F)                                                                                                   \
    F(const char *, version_str, (void))                                                                               \
    F(rd_kafka_conf_t *, conf_new, (void))                                                                             \
    F(int, conf_set, (rd_kafka_conf_t *, const char *, const char *, char *, size_t))                                  \
    F(void, conf_set_dr_msg_cb, (rd_kafka_conf_t *, delivery_fn))                                                      \
    F(rd_kafka_t *, new, (int, rd_kafka_conf_t *, char *, size_t))                                                     \
    F(void, destroy, (rd_kafka_t *))                                                                                   \
    F(rd_kafka_topic_t *, topic_new, (rd_kafka_t *, const char *, void *))                                             \
    F(int, produce, (rd_kafka_topic_t *, int32_t, int, void *, size_t, const void *, size_t, void *))                  \
    F(int, last_error, (void))                                                                                         \
    F(const char *, err2str, (int))                                                                                    \
    F(int, poll, (rd_kafka_t *, int))                                                                                  \
    F(int, poll_set_consumer, (rd_kafka_t *))                                                                          \
    F(rd_kafka_topic_partition_list_t *, topic_partition_list_new, (int))                                              \
    F(void *, topic_partition_list_add, (rd_kafka_topic_partition_list_t *, const char *, int32_t))                    \
    F(int, topic_partition_list_set_offset, (rd_kafka_topic_partition_list_t *, const char *, int32_t, int64_t))       \
    F(int, assign, (rd_kafka_t *, const rd_kafka_topic_partition_list_t *))                                            \
    F(rd_kafka_queue_t *, queue_get_consumer, (rd_kafka_t *))                                                          \
    F(ssize_t, consume_batch_queue, (rd_kafka_queue_t *, int, rd_kafka_message_t **, size_t))                          \
    F(rd_kafka_message_t *, consumer_poll, (rd_kafka_t *, int))                                                        \
    F(void, message_destroy, (rd_kafka_message_t *))                                                                   \
    F(int, query_watermark_offsets, (rd_kafka_t *, const char *, int32_t, int64_t *, int64_t *, int))

#define DECLARE(result, name, arguments) static result(*k_##name) arguments;
FUNCTIONS(DECLARE)

static int argument_count;
static char **arguments;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "rdload: %s: %s\n", what, why);
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

static double own_cpu_s(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

static void open_library(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) fail("cannot open librdkafka", dlerror());
#define RESOLVE(result, name, arguments)                                                                               \
    if (!(*(void **)&k_##name = dlsym(library, "rd_kafka_" #name))) fail("this librdkafka has no function", #name);
    FUNCTIONS(RESOLVE)
}

static void set(rd_kafka_conf_t *conf, const char *name, const char *value) {
    char error[512];
    if (k_conf_set(conf, name, value, error, sizeof error)) fail("setting refused", error);
}

static rd_kafka_t *client(int type, rd_kafka_conf_t *conf) {
    char error[512];
    set(conf, "bootstrap.servers", text("boot", NULL));
    set(conf, "socket.nagle.disable", "true");
    rd_kafka_t *rk = k_new(type, conf, error, sizeof error);
    if (!rk) fail("no client", error);
    return rk;
}

/* ---- produce ---- */

static volatile long acked, failed;
static volatile int first_error;

static void count_delivery(rd_kafka_t *rk, const rd_kafka_message_t *message, void *opaque) {
    (void)rk, (void)opaque;
    if (message->err) {
        if (!failed++) first_error = message->err;
    } else {
        acked++;
    }
}

static int produce(void) {
    enum { RUN = 512, POOL = 1024 }; /* consecutive records of a run go to one partition, so that batches fill */
    long n = number("n", NULL), size = number("size", NULL), partitions = number("partitions", NULL);
    rd_kafka_conf_t *conf = k_conf_new();
    set(conf, "acks", text("acks", "all"));
    set(conf, "linger.ms", text("linger_ms", "5"));
    set(conf, "batch.size", text("batch_bytes", "65536"));
    set(conf, "batch.num.messages", "1000000");
    set(conf, "compression.codec", text("codec", "none"));
    set(conf, "enable.idempotence", text("idempotence", "false"));
    set(conf, "queue.buffering.max.messages", "1000000");
    set(conf, "queue.buffering.max.kbytes", "1048576");
    k_conf_set_dr_msg_cb(conf, count_delivery);
    rd_kafka_t *rk = client(PRODUCER, conf);
    rd_kafka_topic_t *topic = k_topic_new(rk, text("topic", NULL), NULL);
    char *pool = malloc((size_t)size * POOL);
    srand(1);
    for (long i = 0; i < size * POOL; i++) pool[i] = (char)('a' + rand() % 26);
    double start = now();
    for (long i = 0; i < n;) {
        if (k_produce(topic, (int32_t)((i / RUN) % partitions), 0, pool + (i % POOL) * size, (size_t)size, NULL, 0, NULL)) {
            if (k_last_error() != QUEUE_FULL) fail("produce", k_err2str(k_last_error()));
            k_poll(rk, 5);
            continue;
        }
        if (!(++i % POOL)) k_poll(rk, 0);
    }
    while (acked + failed < n) k_poll(rk, 20);
    double wall = now() - start;
    if (failed) fprintf(stderr, "rdload: %ld records failed, first: %s\n", failed, k_err2str(first_error));
    printf("{\"n\": %ld, \"wall_s\": %.6f, \"bytes\": %.0f, \"errors\": %ld, \"client_cpu_s\": %.3f, \"library\": \"%s\"}\n",
           acked, wall, (double)acked * (double)size, failed, own_cpu_s(), k_version_str());
    return failed ? 2 : 0;
}

/* ---- consume ---- */

static rd_kafka_t *consumer_at(int64_t (*where)(rd_kafka_t *, int32_t)) {
    long partitions = number("partitions", NULL);
    rd_kafka_conf_t *conf = k_conf_new();
    set(conf, "group.id", "bench");
    set(conf, "enable.auto.commit", "false");
    set(conf, "fetch.wait.max.ms", "100");
    set(conf, "fetch.error.backoff.ms", "10");
    set(conf, "queued.min.messages", "1000000");
    set(conf, "queued.max.messages.kbytes", "1048576");
    set(conf, "fetch.message.max.bytes", "1048576");
    rd_kafka_t *rk = client(CONSUMER, conf);
    k_poll_set_consumer(rk);
    rd_kafka_topic_partition_list_t *list = k_topic_partition_list_new((int)partitions);
    for (int32_t p = 0; p < partitions; p++) {
        k_topic_partition_list_add(list, text("topic", NULL), p);
        k_topic_partition_list_set_offset(list, text("topic", NULL), p, where(rk, p));
    }
    if (k_assign(rk, list)) fail("assign", "refused");
    return rk;
}

static int64_t at_beginning(rd_kafka_t *rk, int32_t partition) {
    (void)rk, (void)partition;
    return OFFSET_BEGINNING;
}

static int64_t at_end(rd_kafka_t *rk, int32_t partition) {
    int64_t low, high;
    int error = k_query_watermark_offsets(rk, text("topic", NULL), partition, &low, &high, 10000);
    if (error) fail("end offset", k_err2str(error));
    return high;
}

static double consume_once(long n) {
    rd_kafka_message_t *messages[2000];
    rd_kafka_t *rk = consumer_at(at_beginning);
    rd_kafka_queue_t *queue = k_queue_get_consumer(rk);
    double bytes = 0, last = now();
    for (long got = 0; got < n;) {
        ssize_t count = k_consume_batch_queue(queue, 100, messages, 2000);
        for (ssize_t i = 0; i < count; i++) {
            if (!messages[i]->err) got++, bytes += (double)messages[i]->len;
            k_message_destroy(messages[i]);
        }
        if (count > 0) last = now();
        if (now() - last > 20) fail("consume", "nothing arrived for 20 seconds");
    }
    return bytes;
}

static int consume(void) {
    long n = number("n", NULL), loops = number("loops", "1");
    double start = now(), bytes = 0;
    for (long i = 0; i < loops; i++) bytes += consume_once(n);
    printf("{\"n\": %ld, \"wall_s\": %.6f, \"bytes\": %.0f, \"errors\": 0, \"client_cpu_s\": %.3f, \"library\": \"%s\"}\n",
           n * loops, now() - start, bytes, own_cpu_s(), k_version_str());
    fflush(stdout);
    _exit(0); /* closing a consumer takes time that belongs to no figure */
}

/* ---- latency: the send time travels in the first eight bytes of each value ---- */

static double *ack_s, *end_to_end_s;
static volatile long end_to_end_count;
static volatile int watching, stop_watching;

static void time_delivery(rd_kafka_t *rk, const rd_kafka_message_t *message, void *opaque) {
    count_delivery(rk, message, opaque);
    if (message->err) return;
    double sent;
    memcpy(&sent, message->payload, sizeof sent);
    ack_s[acked - 1] = now() - sent;
}

static void *watch(void *argument) {
    (void)argument;
    rd_kafka_t *rk = consumer_at(at_end);
    for (double start = now(); !stop_watching;) {
        rd_kafka_message_t *message = k_consumer_poll(rk, 50);
        if (message) {
            double sent;
            if (!message->err && message->len >= sizeof sent) {
                memcpy(&sent, message->payload, sizeof sent);
                end_to_end_s[end_to_end_count++] = now() - sent;
            }
            k_message_destroy(message);
        }
        if (now() - start > 1.0) watching = 1;
    }
    return NULL;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_percentiles(const char *name, double *values, long count) {
    long skip = count / 10; /* the first tenth meets cold connections on both brokers */
    values += skip, count -= skip;
    if (count <= 0) return;
    qsort(values, (size_t)count, sizeof *values, ascending);
    printf(", \"%s_p50_ms\": %.4f, \"%s_p99_ms\": %.4f, \"%s_p999_ms\": %.4f", name, values[count / 2] * 1e3, name,
           values[count * 99 / 100] * 1e3, name, values[count * 999 / 1000] * 1e3);
}

static void pace(rd_kafka_t *rk, double due) {
    while (now() < due) {
        k_poll(rk, 0);
        if (due - now() > 60e-6) nanosleep(&(struct timespec){0, 50000}, NULL);
    }
}

static int latency(void) {
    double rate = (double)number("rate", NULL), seconds = (double)number("seconds", NULL);
    long n = (long)(rate * seconds), size = number("size", NULL), partitions = number("partitions", NULL);
    ack_s = calloc((size_t)n, sizeof *ack_s), end_to_end_s = calloc((size_t)n * 2, sizeof *end_to_end_s);
    rd_kafka_conf_t *conf = k_conf_new();
    set(conf, "acks", text("acks", "all"));
    set(conf, "linger.ms", "0");
    k_conf_set_dr_msg_cb(conf, time_delivery);
    rd_kafka_t *rk = client(PRODUCER, conf);
    rd_kafka_topic_t *topic = k_topic_new(rk, text("topic", NULL), NULL);
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch, NULL);
    while (!watching) usleep(10000);
    char *value = calloc(1, (size_t)size);
    double start = now();
    for (long i = 0; i < n; i++) {
        pace(rk, start + (double)i / rate);
        double sent = now();
        memcpy(value, &sent, sizeof sent);
        while (k_produce(topic, (int32_t)(i % partitions), COPY, value, (size_t)size, NULL, 0, NULL)) k_poll(rk, 1);
        k_poll(rk, 0);
    }
    double deadline = now() + 10;
    while (acked + failed < n && now() < deadline) k_poll(rk, 1);
    while (end_to_end_count < acked && now() < deadline) usleep(1000);
    stop_watching = 1;
    printf("{\"n\": %ld, \"wall_s\": %.6f, \"bytes\": %.0f, \"errors\": %ld, \"received\": %ld", acked, now() - start,
           (double)acked * (double)size, n - acked, end_to_end_count);
    print_percentiles("ack", ack_s, acked);
    print_percentiles("end_to_end", end_to_end_s, end_to_end_count);
    printf(", \"client_cpu_s\": %.3f, \"library\": \"%s\"}\n", own_cpu_s(), k_version_str());
    fflush(stdout);
    _exit(acked < n ? 2 : 0);
}

int main(int count, char **values) {
    argument_count = count, arguments = values;
    if (count < 2) fail("usage", "rdload produce|consume|latency key=value...");
    open_library(text("lib", "librdkafka.so.1"));
    if (!strcmp(values[1], "produce")) return produce();
    if (!strcmp(values[1], "consume")) return consume();
    if (!strcmp(values[1], "latency")) return latency();
    fail("unknown load", values[1]);
}
