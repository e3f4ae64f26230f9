"""A(), b(), x() of linear systems: objects have them from the start.

SPDX-License-Identifier: Apache-2.0
"""
