"""A(), b(), x() of linear solvers: objects have them from the start.

SPDX-License-Identifier: Apache-2.0
"""
