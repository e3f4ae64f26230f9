"""Keys, as characters and as numbers.

SPDX-License-Identifier: Apache-2.0
"""

from . import Key, KeyCode

__all__ = ["Key", "KeyCode"]
