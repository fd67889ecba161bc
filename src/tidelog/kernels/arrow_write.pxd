import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.string cimport memcpy

from .murmur cimport hash_at

cdef int RECORD_BYTES_MAX

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

cdef int check_column(
    Py_ssize_t ends_count, Py_ssize_t room_bytes, Py_ssize_t last_end, Py_ssize_t valid_bytes, Py_ssize_t first_bit,
    Py_ssize_t count
) except -1

@cython.locals(
    limits="const int[::1]", data="const unsigned char*", bits="const unsigned char*", has_bits=cython.bint,
    chosen="int[::1]", row=cython.Py_ssize_t, bit=cython.Py_ssize_t
)
cpdef object choose_partitions(
    ends, room, valid, Py_ssize_t first_bit, Py_ssize_t count, long long partitions, int keyless, out
)

@cython.locals(given="const int[::1]", sorted_rows="int[::1]", places="int[::1]", row=cython.Py_ssize_t)
cpdef object order_rows(chosen, Py_ssize_t count, Py_ssize_t partitions, order, starts)

@cython.locals(raw=cython.ulonglong)
cdef Py_ssize_t put_number(unsigned char* out, Py_ssize_t at, long long value) noexcept

@cython.locals(raw=cython.ulonglong, size=cython.int)
cdef int number_bytes(long long value) noexcept

@cython.locals(
    key_limits="const int[::1]", value_limits="const int[::1]", rows="int[::1]", has_keys=cython.bint,
    key_data="const unsigned char*", value_data="const unsigned char*", key_bits="const unsigned char*",
    value_bits="const unsigned char*", has_key_bits=cython.bint, has_value_bits=cython.bint, into="unsigned char*",
    room=cython.Py_ssize_t, first=cython.Py_ssize_t, at=cython.Py_ssize_t, row=cython.Py_ssize_t,
    key_size=cython.longlong, value_size=cython.longlong, size=cython.longlong
)
cpdef tuple encode_rows(
    order, Py_ssize_t start, Py_ssize_t stop, key_ends, keys, keys_valid, Py_ssize_t key_bit, value_ends, values,
    values_valid, Py_ssize_t value_bit, Py_ssize_t count, out
)
