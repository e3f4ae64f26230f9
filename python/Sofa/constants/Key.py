"""Keys as event["key"] has them.

SPDX-License-Identifier: Apache-2.0
"""

import string

leftarrow, uparrow, rightarrow, downarrow = map(chr, (18, 19, 20, 21))
space, plus, minus = " ", "+", "-"
globals().update({letter: letter for letter in string.ascii_uppercase})
globals().update({f"KP_{digit}": digit for digit in string.digits})
