"""The viewer in the browser: settee.view.

A thread of its own serves the scene: it simulates while a page plays, and answers what pages ask for. Every call of the
program that uses the scene waits for the end of the running step, so that both can use it.

SPDX-License-Identifier: Apache-2.0
"""

import atexit
import os
import sys
import threading
import weakref

from ._errors import BusyError, ClosedError, Error
from ._scene import Scene, load

_TURN = 0.5  # seconds after which the thread looks for its end
_PAUSE = 0.002  # seconds until it asks again for a scene that is in use
_REST = 0.2  # seconds after an exception: what fails may fail again at once
_open = weakref.WeakSet()


class Viewer:
    """A scene in the browser, until ``close()``, the end of a ``with``, or the end of the program.

    `url` is its address, with a token without which nothing is served. In a notebook the last value of a cell is shown as
    an inline frame.
    """

    def __init__(self, scene, *, title="scene", playing=True, read_only=False, address=None, port=0, token=None,
                 width="100%", height=600):
        try:
            from . import _viewer
        except ImportError as error:
            raise Error("this settee was built without the viewer; 'make viewer' in its sources adds it") from error
        if not scene.is_initialized:
            scene.init()
        self.scene = scene
        self.width, self.height = width, height
        self._module = _viewer
        self._server = _viewer.create(title, address, port, token, read_only, playing)
        self.url = _viewer.url(self._server)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="settee viewer", daemon=True)
        self._thread.start()
        _open.add(self)

    def _run(self):
        while not self._ending.is_set():
            try:
                self.scene._serve(self._server, _TURN)
            except ClosedError:
                return  # the program has closed the scene
            except BusyError:  # the program steps: it has the scene until then
                self._ending.wait(_PAUSE)
            except Exception:  # of a component written in Python: pages show the message, time stops
                sys.excepthook(*sys.exc_info())
                self._ending.wait(_REST)

    def wait(self):
        """Until Ctrl-C, or until the scene is closed."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.2)
        except KeyboardInterrupt:
            pass

    def close(self):
        """Ends the viewer; the scene stays as it is, without the springs by which pages held it."""
        if self._server is None:
            return
        self._ending.set()
        while self._thread.is_alive():
            self._module.nudge(self._server)
            self._thread.join(0.01)
        server, self._server = self._server, None
        _open.discard(self)
        if not self.scene.closed:
            self.scene._serve(server, -1)

    @property
    def closed(self):
        return self._server is None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __repr__(self):
        return f"<settee.Viewer {'closed' if self.closed else self.url}>"

    def _repr_html_(self):
        if self.closed:
            return "<p>the viewer is closed</p>"
        width = self.width if isinstance(self.width, str) else f"{self.width}px"
        return (f'<iframe src="{self.url}" style="width: {width}; height: {self.height}px; border: 0" '
                'title="settee viewer"></iframe>')


def _is_interactive():
    return hasattr(sys, "ps1") or "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None


def _in_notebook():
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def view(scene, *, block=None, browser=None, title=None, playing=True, read_only=False, address=None, port=0, token=None,
         width="100%", height=600):
    """Shows a scene, or the file of one, in the browser.

    In a script it ends with Ctrl-C; in an interpreter and a notebook it returns a settee.Viewer at once, and the program goes on
    (`block` says which one). `browser=False` does not open one; in a notebook the viewer is an inline frame. `read_only`, `port`,
    `token` and `address` are those of `settee view`: an address other than 127.0.0.1 needs a token.
    """
    if address is not None and token is None:
        raise ValueError("an address other than 127.0.0.1 needs a token of its own, of 8 to 128 letters or digits")
    if not isinstance(scene, Scene):
        path = os.fspath(scene)
        title = title or os.path.basename(path)
        scene = load(path)
    block = not _is_interactive() if block is None else block
    viewer = Viewer(scene, title=title or "scene", playing=playing, read_only=read_only, address=address, port=port,
                    token=token, width=width, height=height)
    if block:
        print(viewer.url, flush=True)
    if browser or (browser is None and not _in_notebook() and (os.environ.get("DISPLAY") or
                                                               os.environ.get("WAYLAND_DISPLAY"))):
        import webbrowser
        webbrowser.open(viewer.url)
    if block:
        with viewer:
            viewer.wait()
    return viewer


@atexit.register
def _close_all():
    for viewer in list(_open):
        viewer.close()
