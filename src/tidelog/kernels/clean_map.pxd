import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer

from .batch_read cimport int32_at, int64_at, uint32_at
from .record_read cimport varint32, varint_size

cdef int DONE, FULL, BAD, SPECIAL, CUT_OFF, ENTRIES, LIMIT, LATEST, READ, POSITION
cdef int SLOT_WORDS, HEADER_BYTES, SPECIAL_FLAGS
cdef unsigned long long MASK64, SIP0, SIP1, SIP2, SIP3

# The plain Python form walks a memoryview; here the same name gives the address, so that helpers pass a pointer.
cdef inline const unsigned char* memoryview(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_SIMPLE)
    cdef const unsigned char* data = <const unsigned char*> view.buf
    PyBuffer_Release(&view)  # the caller holds `buf`, and nothing resizes it during the call
    return data

cdef inline unsigned long long* words_of(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_WRITABLE)
    cdef unsigned long long* words = <unsigned long long*> view.buf
    PyBuffer_Release(&view)
    return words

cdef inline long long* numbers_of(buf) except? NULL:
    return <long long*> words_of(buf)

cdef unsigned long long rotated(unsigned long long value, int bits) noexcept nogil

@cython.locals(word=cython.ulonglong, byte=cython.ulonglong, shift=cython.int)
cdef unsigned long long word_at(const unsigned char* data, Py_ssize_t pos, Py_ssize_t size) noexcept nogil

@cython.locals(
    v0=cython.ulonglong, v1=cython.ulonglong, v2=cython.ulonglong, v3=cython.ulonglong, word=cython.ulonglong,
    low=cython.ulonglong, high=cython.ulonglong, last=cython.ulonglong, words=cython.Py_ssize_t,
    tail=cython.Py_ssize_t, step=cython.Py_ssize_t, at=cython.Py_ssize_t
)
cdef Py_ssize_t slot_of(
    unsigned long long* table, unsigned long long slots, const unsigned char* data, Py_ssize_t pos, Py_ssize_t size,
    unsigned long long seed0, unsigned long long seed1, bint claim
) noexcept nogil

@cython.locals(
    index=cython.longlong, packed=cython.longlong, limit=cython.Py_ssize_t, offset=cython.longlong,
    size=cython.Py_ssize_t, at=cython.Py_ssize_t, latest=cython.ulonglong
)
cdef int map_records(
    unsigned long long* table, unsigned long long slots, unsigned long long seed0, unsigned long long seed1,
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, long long count, long long base_offset,
    long long start_offset, long long* state
) noexcept nogil

@cython.locals(
    size=cython.Py_ssize_t, base_offset=cython.longlong, last_offset=cython.longlong, count=cython.longlong,
    why=cython.int
)
cdef int map_batches(
    unsigned long long* table, unsigned long long slots, unsigned long long seed0, unsigned long long seed1,
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, long long start_offset, long long* state
) noexcept nogil

@cython.locals(
    data="const unsigned char*", words="unsigned long long*", numbers="long long*", slots=cython.ulonglong,
    end=cython.Py_ssize_t, why=cython.int
)
cpdef int put_records(
    table, unsigned long long seed0, unsigned long long seed1, buf, long long count, long long base_offset,
    long long start_offset, state
) except -1

@cython.locals(
    data="const unsigned char*", words="unsigned long long*", numbers="long long*", slots=cython.ulonglong,
    why=cython.int
)
cpdef int put_batches(
    table, unsigned long long seed0, unsigned long long seed1, buf, Py_ssize_t pos, Py_ssize_t end,
    long long start_offset, state
) except -1

@cython.locals(data="const unsigned char*", words="unsigned long long*", at=cython.Py_ssize_t)
cpdef object latest_offset(table, unsigned long long seed0, unsigned long long seed1, bytes key)

@cython.locals(
    data="const unsigned char*", found=list, records=cython.longlong, pos=cython.Py_ssize_t, size=cython.Py_ssize_t
)
cpdef tuple list_batches(buf, Py_ssize_t end)
