import cython

from .commits cimport put_int, put_uvarint

cdef int NAME_MAX

@cython.locals(data=bytes)
cdef int put_text(bytearray out, str text) except -1

cdef int put_bytes(bytearray out, bytes data) except -1

@cython.locals(out=bytearray)
cpdef bytes encode_group(
    str protocol_type, long long generation_id, str protocol_name, str leader_id, long long timestamp,
    list members
)
