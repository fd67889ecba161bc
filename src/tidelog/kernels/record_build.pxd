import cython

@cython.locals(raw=cython.ulonglong, size=cython.int)
cdef int varint_bytes(long long value) noexcept nogil

@cython.locals(raw=cython.ulonglong)
cdef int put_varint(bytearray body, long long value) except -1

cdef int put_field(bytearray body, field) except -1

@cython.locals(length=cython.Py_ssize_t)
cdef Py_ssize_t field_bytes(field) except -1

@cython.locals(size=cython.Py_ssize_t)
cdef Py_ssize_t headers_bytes(list headers) except -1

@cython.locals(
    body=bytearray, index=cython.longlong, latest=cython.longlong, moment=cython.longlong, delta=cython.longlong,
    named=list, size=cython.Py_ssize_t
)
cpdef tuple encode_records(records, long long base_offset, long long base_timestamp, bint keep_offsets)

@cython.locals(shift=cython.int)
cdef int put_at(bytearray out, Py_ssize_t at, long long value, int size) except -1

@cython.locals(out=bytearray, index=cython.longlong)
cpdef bytearray pack_pairs(
    pairs, long long timestamp, int attributes, long long producer_id, long long producer_epoch
)
