import cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

cdef unsigned long long MULTIPLIER, SEED, MASK32

# The plain Python form indexes a memoryview; here the same name gives the address.
cdef inline const unsigned char* memoryview(buf) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(buf, &view, PyBUF_SIMPLE)
    cdef const unsigned char* data = <const unsigned char*> view.buf
    PyBuffer_Release(&view)  # the caller holds `buf`, and nothing resizes it during the call
    return data

cpdef unsigned long long murmur2_hash(key)

@cython.locals(result=cython.ulonglong, word=cython.ulonglong, shift=cython.int)
cdef unsigned long long hash_at(const unsigned char* data, Py_ssize_t pos, Py_ssize_t length) noexcept
