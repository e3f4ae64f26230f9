"""Engines written in Python: outputs that are computed when they are read after an input has changed.

SPDX-License-Identifier: Apache-2.0
"""

from ._controller import PythonController
from ._own_data import Own
from ._data import Data
from ._scripted import ScriptedObject


class DataEngine(ScriptedObject):
    """Derive from it, addData inputs and outputs, name them with addInput and addOutput, define update(self), which writes
    the outputs."""

    _component = PythonController

    def __init__(self, *arguments, **values):
        del arguments
        self.__dict__.update(_inputs=[], _outputs=[], _ran_with=None, _running=False)
        super().__init__(**values)
        if "listening" not in values:
            self.listening = False

    def addInput(self, data):
        if not isinstance(data, Data):
            raise TypeError(f"an input is a Data, such as self.x, not {data!r}")
        self._inputs.append(data)
        if isinstance(data, Own):
            data._readers.append(self)

    def addOutput(self, data):
        if not isinstance(data, Own) or data.getOwner() is not self:
            raise TypeError("an output is a Data that the engine got by addData")
        self._outputs.append(data)
        data._keep(engine=self)

    def _versions(self):
        return [data._version() for data in self._inputs]

    def _is_stale(self):
        return not self._running and self._versions() != self._ran_with

    def _input_changed(self):
        """An input was written: outputs that the engine follows are computed now, others when they are read."""
        if any(output._reaches_engine() for output in self._outputs):
            self._run()

    def _run(self):
        if not self._is_stale():
            return
        update = getattr(self, "update", None)
        if update is None:
            raise TypeError(f"{self.getClassName()} ({self.getPathName()}) does not define update")

        # what fails is not tried again with the same inputs
        self.__dict__.update(_ran_with=self._versions(), _running=True)
        try:
            PythonController._guarded(self, update)
        finally:
            self.__dict__["_running"] = False
