import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

cdef int OK, CUT_OFF, BAD_LENGTH, BAD_FIELD, BAD_HEADERS, BAD_DELTA, LEFT_OVER, BAD_COUNT
cdef int NO_KEY, BAD_TIMESTAMP, FAULTS_MAX, INDEX_FIELDS, RECORD_BYTES_MIN
cdef long long INT64_MAX, INT64_MIN, MASK32, BIT62

# The plain Python form walks a memoryview; here the same name gives the address, so that helpers pass a pointer.
cdef inline const unsigned char* memoryview(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_SIMPLE)
    cdef const unsigned char* data = <const unsigned char*> view.buf
    PyBuffer_Release(&view)  # the caller holds `buf`, and nothing resizes it during the call
    return data

@cython.locals(byte=cython.longlong, raw=cython.longlong, size=cython.int)
cdef inline long long varint32(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept nogil

@cython.locals(size=cython.int)
cdef int varint_size(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept nogil

@cython.locals(byte=cython.longlong, low=cython.longlong, value=cython.longlong, index=cython.int)
cdef long long varint64(const unsigned char* data, Py_ssize_t pos, int size) noexcept nogil

cdef long long add_held(long long base, long long delta) noexcept nogil

@cython.locals(packed=cython.longlong)
cdef inline Py_ssize_t field_end(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept

@cython.locals(packed=cython.longlong, left=cython.longlong)
cdef Py_ssize_t headers_end(const unsigned char* data, Py_ssize_t pos, Py_ssize_t end) noexcept

@cython.locals(
    data="const unsigned char*", packed=cython.longlong, limit=cython.Py_ssize_t, size=cython.int,
    timestamp=cython.longlong, index=cython.longlong, max_timestamp=cython.longlong, max_delta=cython.longlong,
    has_key=cython.bint, faults=list
)
cpdef tuple check_records(
    buf, Py_ssize_t pos, Py_ssize_t end, long long count, long long base_timestamp,
    bint keys_needed, long long oldest, long long newest
)

@cython.locals(
    data="const unsigned char*", packed=cython.longlong, limit=cython.Py_ssize_t, size=cython.int, index=cython.longlong,
    row=cython.Py_ssize_t, field=cython.Py_ssize_t, rows="long long[::1]"
)
cpdef object index_records(buf, Py_ssize_t pos, Py_ssize_t end, long long count)

@cython.locals(data="const unsigned char*", packed=cython.longlong, left=cython.longlong, found=list)
cdef tuple read_headers(bytes body, Py_ssize_t pos, Py_ssize_t end)

@cython.locals(row=cython.Py_ssize_t, timestamp=cython.longlong, records=list, rows="long long[::1]")
cpdef list decode_tuples(
    bytes body, long long count, long long base_offset, long long base_timestamp, long long append_timestamp
)
