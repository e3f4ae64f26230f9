"""W(), lambda_force(), dfree() of constraint solvers: objects have them from the start.

SPDX-License-Identifier: Apache-2.0
"""
