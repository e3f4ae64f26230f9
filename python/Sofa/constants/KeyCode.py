"""Keys as numbers.

SPDX-License-Identifier: Apache-2.0
"""

from . import Key

globals().update({name: ord(value) for name, value in vars(Key).items() if isinstance(value, str) and len(value) == 1})
