"""A name of earlier times: splib is a part of the plug-in STLIB now, and is called splib3.

SPDX-License-Identifier: Apache-2.0
"""

raise ImportError("splib has moved to the plug-in STLIB, which is pure Python on top of Sofa: add its folder `python3/src` "
                  "to PYTHONPATH, and import splib3 and stlib3")
