import cython

cdef int PRODUCE_FLEXIBLE_FROM, FETCH_FLEXIBLE_FROM, TOPIC_IDS_FROM, NO_REPLICA, PARTITIONS_MAX
cdef int SESSION_EPOCH_AT, FETCH_OFFSET_AT

cdef inline const unsigned char* memoryview(const unsigned char[::1] buf) noexcept:
    return &buf[0]

@cython.locals(value=cython.longlong, index=cython.Py_ssize_t)
cdef long long be_int(const unsigned char* data, Py_ssize_t pos, Py_ssize_t size) noexcept

@cython.locals(value=cython.longlong, byte=cython.longlong, shift=cython.int)
cdef long long uvarint_value(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept

@cython.locals(size=cython.Py_ssize_t)
cdef Py_ssize_t uvarint_size(const unsigned char* data, Py_ssize_t pos) noexcept

@cython.locals(count=cython.longlong, size=cython.longlong, done=cython.longlong)
cdef Py_ssize_t skip_tagged(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept

@cython.locals(value=cython.longlong)
cdef long long length_at(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, bint flexible, int width) noexcept

cdef Py_ssize_t length_size(const unsigned char* data, Py_ssize_t pos, bint flexible, int width) noexcept

@cython.locals(size=cython.longlong)
cdef long long name_size(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, bint flexible, bint by_id) noexcept

@cython.locals(
    data="const unsigned char*", pos=cython.Py_ssize_t, end=cython.Py_ssize_t, flexible=cython.bint, by_id=cython.bint,
    size=cython.longlong, acks=cython.longlong, timeout_ms=cython.longlong, topics=cython.longlong,
    at_topic=cython.longlong, found=list
)
cpdef tuple parse_produce(const unsigned char[::1] buf, int version)

@cython.locals(
    partitions=cython.longlong, at_partition=cython.longlong, index=cython.longlong, size=cython.longlong
)
cdef Py_ssize_t produce_partitions(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, bint flexible, bytes topic, list found
) except -2

@cython.locals(
    data="const unsigned char*", pos=cython.Py_ssize_t, end=cython.Py_ssize_t, flexible=cython.bint,
    fixed=cython.Py_ssize_t, size=cython.longlong, replica_id=cython.longlong, max_wait_ms=cython.longlong,
    min_bytes=cython.longlong, max_bytes=cython.longlong, isolation=cython.longlong, session_id=cython.longlong,
    session_epoch=cython.longlong, found=list, forgotten=list, rack=bytes, replica_epoch=cython.longlong,
    at=cython.Py_ssize_t
)
cpdef tuple parse_fetch(const unsigned char[::1] buf, int version)

@cython.locals(
    flexible=cython.bint, by_id=cython.bint, topics=cython.longlong, at_topic=cython.longlong, size=cython.longlong,
    partitions=cython.longlong, topic=bytes
)
cdef Py_ssize_t fetch_topics(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, int version, list found, list forgotten,
    bint is_forgotten
) except -2

@cython.locals(
    flexible=cython.bint, size=cython.Py_ssize_t, leader_epoch=cython.longlong, last_epoch=cython.longlong,
    log_start_offset=cython.longlong, at_partition=cython.longlong, index=cython.longlong, offset=cython.longlong
)
cdef Py_ssize_t fetch_partitions(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, int version, long long partitions, bytes topic, list found
) except -2

@cython.locals(at_partition=cython.longlong)
cdef Py_ssize_t forgotten_partitions(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, long long partitions, bytes topic, list forgotten
) except -2

@cython.locals(count=cython.longlong, done=cython.longlong, tag=cython.longlong, size=cython.longlong)
cdef Py_ssize_t tagged_at(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, long long wanted, long long least
) noexcept

@cython.locals(
    data="const unsigned char*", known="const unsigned char*", pos=cython.Py_ssize_t, end=cython.Py_ssize_t
)
cpdef long long repeated_fetch(const unsigned char[::1] buf, const unsigned char[::1] last, long long epoch) except -2

@cython.locals(
    data="const unsigned char*", pos=cython.Py_ssize_t, end=cython.Py_ssize_t, error=cython.longlong,
    session_id=cython.longlong, topics=cython.longlong, partitions=cython.longlong, at_topic=cython.longlong,
    at_partition=cython.longlong, topic=bytes, found=list
)
cpdef tuple parse_fetch_response(const unsigned char[::1] buf)

@cython.locals(
    start=cython.Py_ssize_t, aborted=cython.longlong, at_aborted=cython.longlong, size=cython.longlong,
    records=cython.Py_ssize_t, after=cython.Py_ssize_t, at=cython.Py_ssize_t, epoch=cython.longlong,
    epoch_end=cython.longlong
)
cdef Py_ssize_t fetched_partition(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, bytes topic, list found
) except -2
