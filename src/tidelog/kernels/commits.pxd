import cython

from .requests cimport be_int, skip_tagged, uvarint_size, uvarint_value

cdef int TOPIC_IDS_FROM, PARTITIONS_MAX, NAME_MAX, _PLACE_BYTES

cdef inline const unsigned char* memoryview(const unsigned char[::1] buf) noexcept:
    return &buf[0]

@cython.locals(
    data="const unsigned char*", pos=cython.Py_ssize_t, end=cython.Py_ssize_t, size=cython.longlong,
    generation_id=cython.longlong, topics=list
)
cpdef tuple parse_offset_commit(const unsigned char[::1] buf, int version)

@cython.locals(size=cython.longlong)
cdef long long string_size(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept

cdef str text(const unsigned char* data, Py_ssize_t pos, Py_ssize_t size)

@cython.locals(
    count=cython.longlong, at_topic=cython.longlong, size=cython.longlong, topic=bytes, partitions=cython.longlong,
    left=cython.longlong, at_place=cython.longlong, places=list
)
cdef Py_ssize_t commit_topics(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, bint by_id, list topics
) except -2

@cython.locals(start=cython.Py_ssize_t, size=cython.longlong)
cdef Py_ssize_t commit_place(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, list places) except -2

@cython.locals(shift=cython.int)
cdef int put_int(bytearray out, long long value, int size) except -1

cdef int put_uvarint(bytearray out, long long value) except -1

@cython.locals(
    out=bytearray, index=cython.Py_ssize_t, code=cython.longlong, size=cython.Py_ssize_t, at=cython.int, topic=bytes,
    places=list, place=tuple
)
cpdef bytes encode_offset_commit(long long correlation_id, list topics, bint by_id, codes)
