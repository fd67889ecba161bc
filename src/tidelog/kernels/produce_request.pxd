import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

cdef int FLEXIBLE_FROM, TOPIC_IDS_FROM

# The plain Python form indexes a memoryview; here the same name gives the address, so that helpers pass a pointer.
cdef inline const unsigned char* memoryview(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_SIMPLE)
    cdef const unsigned char* data = <const unsigned char*> view.buf
    PyBuffer_Release(&view)  # the caller holds `buf`, and nothing resizes it during the call
    return data

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
cpdef tuple parse_produce(buf, int version)
