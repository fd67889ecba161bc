import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

from .record_read cimport check_records

cdef int OK, NOT_WHOLE, BAD_SIZE, OLD_MAGIC, BAD_MAGIC, NOT_ONE_BATCH, BASE_OFFSET_SET, TOO_LARGE, BAD_CHECKSUM
cdef int BAD_RANGE, CONTROL_BATCH, BAD_SEQUENCE, COMPRESSED
cdef int WALKED_ALL, WALK_CUT_OFF, WALK_BAD_MAGIC, WALK_BAD_SIZE, WALK_BAD_CHECKSUM, HEADER_BYTES
cdef long long TWO32, SIGN32

# The plain Python form indexes a memoryview; here the same name gives the address, so that helpers pass a pointer.
cdef inline const unsigned char* memoryview(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_SIMPLE)
    cdef const unsigned char* data = <const unsigned char*> view.buf
    PyBuffer_Release(&view)  # the caller holds `buf`, and nothing resizes it during the call
    return data

@cython.locals(high=cython.longlong)
cdef long long uint32_at(const unsigned char* data, Py_ssize_t pos) noexcept nogil

@cython.locals(value=cython.longlong)
cdef long long int32_at(const unsigned char* data, Py_ssize_t pos) noexcept nogil

cdef long long int64_at(const unsigned char* data, Py_ssize_t pos) noexcept nogil

@cython.locals(value=cython.int)
cdef int int16_at(const unsigned char* data, Py_ssize_t pos) noexcept

@cython.locals(size=cython.longlong)
cdef int check_header(const unsigned char* data, Py_ssize_t length, Py_ssize_t bytes_max) noexcept

@cython.locals(
    data="const unsigned char*", size=cython.Py_ssize_t, problem=cython.int, attributes=cython.int,
    last_delta=cython.longlong, count=cython.longlong
)
cpdef tuple check_produced(
    batch, Py_ssize_t bytes_max, bint deep, bint keys_needed, long long oldest, long long newest
)

cdef tuple header_at(const unsigned char* data, Py_ssize_t pos)

@cython.locals(data="const unsigned char*", found=list, size=cython.Py_ssize_t)
cpdef tuple walk_batches(buf, Py_ssize_t pos, Py_ssize_t end, bint check_checksums)

@cython.locals(data="const unsigned char*", size=cython.Py_ssize_t)
cpdef tuple find_batch(buf, Py_ssize_t pos, Py_ssize_t end, long long offset, long long timestamp)
