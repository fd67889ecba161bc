import cython

cdef int FLEXIBLE_FROM, TOPIC_IDS_FROM

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

@cython.locals(
    data="const unsigned char*", pos=cython.Py_ssize_t, end=cython.Py_ssize_t, flexible=cython.bint,
    size=cython.longlong, acks=cython.longlong, timeout_ms=cython.longlong, topics=cython.longlong,
    partitions=cython.longlong, index=cython.longlong, at_topic=cython.longlong, at_partition=cython.longlong,
    found=list, topic=bytes
)
cpdef tuple parse_produce(const unsigned char[::1] buf, int version)
