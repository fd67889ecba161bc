import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.string cimport memcpy

from .batch_read cimport int32_at, int64_at
from .clean_map cimport slot_of
from .record_build cimport varint_bytes
from .record_read cimport add_held, varint32, varint64, varint_size

cdef int BAD, SPECIAL, CUT_OFF
cdef int LATEST, READ, POSITION, OUT, KEPT, NO_KEY, NOW, RETENTION, PIECES, KEEP_AT, TOMBSTONES, MAX_TIMESTAMP
cdef int ROW, PIECE, COPIED, MADE, SLOT_WORDS, HEADER_BYTES
cdef int SPECIAL_FLAGS, APPEND_TIME_FLAG, HORIZON_FLAG, EMPTY_FLAGS

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

cdef inline unsigned char* writable(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_WRITABLE)
    cdef unsigned char* data = <unsigned char*> view.buf
    PyBuffer_Release(&view)
    return data

cdef inline void copy_bytes(
    unsigned char* out, Py_ssize_t at, const unsigned char* data, Py_ssize_t start, Py_ssize_t size
) noexcept nogil:
    memcpy(out + at, data + start, size)

@cython.locals(
    kept=cython.longlong, row=cython.Py_ssize_t, index=cython.longlong, start=cython.Py_ssize_t,
    packed=cython.longlong, limit=cython.Py_ssize_t, body=cython.Py_ssize_t, size=cython.int,
    timestamp=cython.longlong, delta=cython.longlong, key_field=cython.Py_ssize_t, length=cython.longlong,
    key=cython.Py_ssize_t, keep=cython.bint, at=cython.Py_ssize_t, newest=cython.longlong
)
cdef long long choose_records(
    unsigned long long* table, unsigned long long slots, unsigned long long seed0, unsigned long long seed1,
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, long long count, long long base_offset,
    long long base_timestamp, long long append_timestamp, bint is_append_time, bint keep_deletes,
    long long* state, long long* rows
) noexcept nogil

@cython.locals(raw=cython.ulonglong)
cdef Py_ssize_t put_number(unsigned char* out, Py_ssize_t at, long long value) noexcept nogil

@cython.locals(
    row=cython.Py_ssize_t, start=cython.Py_ssize_t, limit=cython.Py_ssize_t, key_field=cython.Py_ssize_t,
    since=cython.longlong, delta=cython.longlong
)
cdef Py_ssize_t copy_records(
    const unsigned char* data, long long* rows, long long kept, long long base_timestamp, bint is_moved,
    unsigned char* out, Py_ssize_t at
) noexcept nogil

cdef void put_int32(unsigned char* out, Py_ssize_t at, long long value) noexcept nogil

cdef void put_int64(unsigned char* out, Py_ssize_t at, long long value) noexcept nogil

cdef void put_header(
    const unsigned char* data, Py_ssize_t pos, unsigned char* out, Py_ssize_t at, long long size, int flags,
    long long base_timestamp, long long max_timestamp, long long count
) noexcept nogil

@cython.locals(last=cython.Py_ssize_t)
cdef void add_piece(
    long long* pieces, long long* state, int kind, Py_ssize_t start, Py_ssize_t end, Py_ssize_t source
) noexcept nogil

@cython.locals(
    flags=cython.int, base_timestamp=cython.longlong, needs_horizon=cython.bint, base=cython.longlong,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t, is_moved=cython.bint, latest=cython.longlong
)
cdef void keep_batch(
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t size, long long kept, long long count, unsigned char* out,
    long long* state, long long* rows, long long* pieces
) noexcept nogil

@cython.locals(start=cython.Py_ssize_t)
cdef void keep_empty(
    const unsigned char* data, Py_ssize_t pos, unsigned char* out, long long* state, long long* pieces
) noexcept nogil

@cython.locals(
    size=cython.Py_ssize_t, flags=cython.int, base_offset=cython.longlong, last_offset=cython.longlong,
    base_timestamp=cython.longlong, count=cython.longlong, keep_deletes=cython.bint, kept=cython.longlong
)
cdef int walk(
    unsigned long long* table, unsigned long long slots, unsigned long long seed0, unsigned long long seed1,
    const unsigned char* data, Py_ssize_t pos, Py_ssize_t end, unsigned char* out, long long* state,
    long long* keeps, long long* rows, long long* pieces
) noexcept nogil

@cython.locals(
    data="const unsigned char*", target="unsigned char*", words="unsigned long long*", numbers="long long*",
    kept_offsets="long long*", places="long long*", found="long long*", slots=cython.ulonglong,
    why=cython.int
)
cpdef int filter_batches(
    table, unsigned long long seed0, unsigned long long seed1, buf, Py_ssize_t pos, Py_ssize_t end, out, state, keeps,
    rows, pieces
) except -1

@cython.locals(
    data="const unsigned char*", words="unsigned long long*", numbers="long long*", places="long long*",
    slots=cython.ulonglong, end=cython.Py_ssize_t, kept=cython.longlong
)
cpdef long long filter_records(
    table, unsigned long long seed0, unsigned long long seed1, buf, long long count, long long base_offset,
    long long base_timestamp, long long append_timestamp, bint is_append_time, bint keep_deletes, state, rows
) except -1

@cython.locals(
    data="const unsigned char*", target="unsigned char*", places="long long*", end=cython.Py_ssize_t
)
cpdef Py_ssize_t write_records(buf, rows, long long kept, long long base_timestamp, bint is_moved, out) except -1

@cython.locals(
    data="const unsigned char*", found=list, pos=cython.Py_ssize_t, end=cython.Py_ssize_t, size=cython.Py_ssize_t,
    last_offset=cython.longlong, timestamp=cython.longlong
)
cpdef tuple index_entries(
    buf, long long position, long long since, long long interval, long long max_timestamp, long long max_offset
)
