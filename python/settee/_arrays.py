"""Arrays and matrices on the memory of the engine. NumPy and SciPy are imported when they are first needed.

SPDX-License-Identifier: Apache-2.0
"""

import weakref

from . import _settee

_numpy = None
_sparse = None


def numpy():
    """The module numpy, or an ImportError that says what helps."""
    global _numpy
    if _numpy is None:
        try:
            import numpy as module
        except ImportError as error:
            raise ImportError("arrays need NumPy: apt-get install python3-numpy (or: pip install numpy)") from error
        _numpy = module
    return _numpy


def sparse():
    """The module scipy.sparse, or an ImportError that says what helps."""
    global _sparse
    if _sparse is None:
        numpy()
        try:
            import scipy.sparse as module
        except ImportError as error:
            raise ImportError("matrices need SciPy: apt-get install python3-scipy (or: pip install scipy)") from error
        _sparse = module
    return _sparse


def as_array(buffer):
    """Called by the extension module: an array on a buffer."""
    return (_numpy or numpy()).asarray(buffer)


def is_current(array):
    """Is an array (or a part of one) still on the memory of its field? False: the field has other memory or another size now,
    or the scene is closed; the array keeps the numbers that it had. Read the field again."""
    base = array
    while base is not None:
        if isinstance(base, _settee.Buffer):
            return base.is_current
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    raise TypeError(f"an array that a field has given is expected, not {type(array).__name__}")


def image(pixels, width, height):
    """The pixels of a picture as an array that a notebook shows."""
    numpy()
    from ._picture import Picture

    return Picture((height, width, 3), "uint8", bytearray(pixels))


# ---- matrices -----------------------------------------------------------------------------------------------


def matrix(scene, name, of=None, parent=False):
    """A matrix of the engine: BSR where it has blocks, else CSR. Its numbers are those of the engine, not copied, until
    the scene goes on: then a matrix that is still held gets memory of its own and stays as it was."""
    np, sp = numpy(), sparse()
    rows, cols, block, starts, columns, values = scene._matrix(name, of, parent)
    indptr = np.asarray(starts).astype(np.int32)
    indices = np.asarray(columns)
    data = np.asarray(values)

    # filled in directly: the constructors of SciPy would look at every index
    if block > 1:
        made = sp.bsr_matrix((rows, cols), blocksize=(block, block), dtype=data.dtype)
        made.data = data.reshape(-1, block, block)
    else:
        made = sp.csr_matrix((rows, cols), dtype=data.dtype)
        made.data = data.reshape(-1)
    made.indices, made.indptr = indices, indptr
    scene._lent.append(weakref.ref(made))
    return made


def dense(scene, name, of=None):
    """A small matrix, copied into a full array."""
    np = numpy()
    rows, cols, _, _, _, values = scene._matrix(name, of, False)
    return np.array(values).reshape(rows, cols)


def vector(scene, name, of=None):
    """A vector of a system or of a constraint solver, copied."""
    return numpy().array(scene._vector(name, of))


def detach(lent):
    """Called by the extension module before a scene goes on: matrices that are still held get memory of their own."""
    for reference in lent:
        made = reference()
        if made is not None:
            made.data, made.indices = made.data.copy(), made.indices.copy()
    lent.clear()


# ---- derivatives of components written in Python --------------------------------------------------------------


def normalize(given, rows, cols):
    """What a method of a component has returned, as (height, width, rows, block rows, block columns, blocks).

    `given` is a SciPy matrix, an array (rows, cols), or a tuple (rows, columns, blocks) with blocks (m, h, w). `rows` is
    -1 where any number will do.
    """
    np = numpy()
    if isinstance(given, tuple) and len(given) == 3:
        at_row, at_col, blocks = (np.asarray(part) for part in given)
        if blocks.ndim != 3 or at_row.ndim != 1 or at_col.ndim != 1:
            raise ValueError("(rows, columns, blocks) must have shapes (m,), (m,) and (m, h, w); they have "
                             f"{at_row.shape}, {at_col.shape} and {blocks.shape}")
        height, width = blocks.shape[1:]
        if not height or not width:
            raise ValueError(f"blocks of shape {blocks.shape} are empty")
        if rows < 0:
            rows = (int(at_row.max()) + 1) * height if len(at_row) else 0
        return height, width, rows, at_row, at_col, np.ascontiguousarray(blocks, float).reshape(len(blocks), -1)

    # whole matrices: their shape must be right
    if not hasattr(given, "tocoo"):
        full = np.asarray(given, float)
        if full.ndim != 2:
            raise ValueError(f"a matrix is expected, not an array of shape {full.shape}")
        given = sparse().coo_matrix(full)
    if (rows >= 0 and given.shape[0] != rows) or given.shape[1] != cols:
        expected = f"({rows if rows >= 0 else 'n'}, {cols})"
        raise ValueError(f"a matrix of shape {given.shape} is given, {expected} is expected")
    coo = given.tocoo()
    return 1, 1, coo.shape[0], coo.row.astype(np.int64), coo.col.astype(np.int64), coo.data.astype(float).reshape(-1, 1)
