import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.string cimport memcpy

cdef int INDEX_FIELDS
cdef long long INT64_MAX, INT64_MIN

# The plain Python form indexes a memoryview; here the same name gives the address, so that helpers pass a pointer.
cdef inline unsigned char* memoryview(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_SIMPLE)
    cdef unsigned char* data = <unsigned char*> view.buf
    PyBuffer_Release(&view)  # the caller holds `buf`, and nothing resizes it during the call
    return data

cdef inline int copy_bytes(
    unsigned char* room, Py_ssize_t at, const unsigned char* data, Py_ssize_t pos, Py_ssize_t size
) noexcept:
    memcpy(room + at, data + pos, size)
    return 0

cdef int check_room(Py_ssize_t row_count, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t at, Py_ssize_t entries_max) except -1

@cython.locals(numbers="long long[::1]", count=cython.Py_ssize_t, start=cython.Py_ssize_t, stop=cython.Py_ssize_t)
cpdef tuple rows_between(rows, long long base_offset, long long first, long long end)

@cython.locals(numbers="long long[::1]", into="long long[::1]")
cpdef object copy_offsets(rows, Py_ssize_t start, Py_ssize_t stop, long long base_offset, out, Py_ssize_t at)

@cython.locals(
    numbers="long long[::1]", into="long long[::1]", moment=cython.longlong, delta=cython.longlong, low=cython.longlong,
    high=cython.longlong
)
cpdef object copy_timestamps(
    rows, Py_ssize_t start, Py_ssize_t stop, long long base, long long append_timestamp, long long scale, out,
    Py_ssize_t at
)

@cython.locals(
    data="const unsigned char*", into="unsigned char*", bits="unsigned char*", numbers="long long[::1]",
    limits="int[::1]", nulls=cython.Py_ssize_t, size=cython.longlong
)
cpdef tuple copy_fields(
    body, rows, Py_ssize_t start, Py_ssize_t stop, int field, ends, room, valid, Py_ssize_t at, Py_ssize_t used
)

@cython.locals(raw=cython.longlong, byte=cython.longlong, size=cython.int)
cdef long long number_at(const unsigned char* data, Py_ssize_t pos) noexcept

@cython.locals(data="const unsigned char*", numbers="long long[::1]", total=cython.Py_ssize_t)
cpdef Py_ssize_t count_headers(body, rows, Py_ssize_t start, Py_ssize_t stop) except -1

@cython.locals(
    data="const unsigned char*", names_room="unsigned char*", values_room="unsigned char*", list_bits="unsigned char*",
    value_bits="unsigned char*", numbers="long long[::1]", list_limits="int[::1]", name_limits="int[::1]",
    value_limits="int[::1]", entries_max=cython.Py_ssize_t, null_lists=cython.Py_ssize_t,
    null_values=cython.Py_ssize_t, pos=cython.Py_ssize_t, packed=cython.longlong, left=cython.longlong
)
cpdef tuple copy_headers(
    body, rows, Py_ssize_t start, Py_ssize_t stop, list_ends, lists_valid, Py_ssize_t at, Py_ssize_t entry, name_ends,
    names, Py_ssize_t names_used, value_ends, values, values_valid, Py_ssize_t values_used
)
