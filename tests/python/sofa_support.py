"""What tests of Sofa share.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib

import Sofa


class _Listener(Sofa.Helper.MessageHandler):
    def __init__(self):
        super().__init__()
        self.messages = []

    def process(self, message):
        self.messages.append(message)


@contextlib.contextmanager
def heard():
    """The messages of a block."""
    with _Listener() as listener:
        yield listener.messages
