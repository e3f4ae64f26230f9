"""The viewer: served beside the program, with the same results.

SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

import settee

viewer_module = pytest.importorskip("settee._viewer", reason="the viewer is left out of this build")
EXAMPLES = os.environ.get("SETTEE_EXAMPLES") or os.path.join(os.path.dirname(__file__), "../../examples")


def wait_until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.01)


def test_a_scene_is_served_with_a_token(jelly):
    with settee.view(jelly, block=False, browser=False, playing=False) as viewer:
        with urllib.request.urlopen(viewer.url) as answer:
            assert b"settee" in answer.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(viewer.url[:-1])
    assert viewer.closed
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(viewer.url)


def test_steps_of_the_program_have_the_same_bits(jelly):
    with settee.load(os.path.join(EXAMPLES, "jelly.scn")) as other:
        other.step(20)
        expected = other.root.Jelly.dofs.position.copy()
    with settee.view(jelly, block=False, browser=False, playing=False):
        for _ in range(20):
            jelly.step()
        assert (jelly.root.Jelly.dofs.position == expected).all()
    assert jelly.time == pytest.approx(20 * jelly.dt)


def test_time_goes_on_beside_the_program(jelly):
    with settee.view(jelly, block=False, browser=False):
        wait_until(lambda: jelly.time > 0.1)
        low = jelly.root.Jelly.dofs.position[:, 1].min()
        jelly.root.gravity = [0, 5, 0]
        assert jelly.root.gravity[1] == 5
        jelly.step(3)
        wait_until(lambda: jelly.time > 0.3)
    now = jelly.time
    time.sleep(0.1)
    assert jelly.time == now
    assert low < 3


def test_a_long_step_of_the_program_is_waited_for(jelly, capfd):
    with settee.view(jelly, block=False, browser=False, playing=False):
        jelly.step(100)
    assert jelly.time == pytest.approx(100 * jelly.dt)
    assert capfd.readouterr() == ("", "")


def test_an_inline_frame_in_a_notebook(jelly):
    viewer = settee.view(jelly, block=False, browser=False, height=300)
    html = viewer._repr_html_()
    assert html.startswith(f'<iframe src="{viewer.url}"') and "height: 300px" in html
    viewer.close()
    viewer.close()
    assert "closed" in viewer._repr_html_() and "closed" in repr(viewer)


def test_a_closed_scene_ends_the_thread():
    scene = settee.load(os.path.join(EXAMPLES, "jelly.scn"))
    viewer = settee.view(scene, block=False, browser=False)
    scene.close()
    wait_until(lambda: not viewer._thread.is_alive())
    viewer.close()


def test_wrong_options_are_refused(jelly):
    with pytest.raises(ValueError, match="needs a token"):
        settee.view(jelly, address="0.0.0.0")
    with pytest.raises(OSError, match="token must have 8"):
        settee.view(jelly, token="short")
    with pytest.raises(ValueError, match="port 70000"):
        settee.view(jelly, port=70000)
    with pytest.raises(settee.Error, match="cannot read the scene"):
        settee.view("no-such-file.scn")


def test_a_script_shows_a_file_until_it_is_interrupted():
    script = "import settee, sys; settee.view(sys.argv[1], browser=False); print('after')"
    path = os.path.join(EXAMPLES, "jelly.scn")
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", script, path], stdout=subprocess.PIPE, text=True)
    url = child.stdout.readline().strip()
    with urllib.request.urlopen(url) as answer:
        assert answer.status == 200
    child.send_signal(2)
    out, _ = child.communicate(timeout=20)
    assert out == "after\n" and child.returncode == 0


def test_a_program_may_end_with_a_viewer_open():
    script = "import settee, sys; v = settee.view(sys.argv[1], browser=False, block=False); print(v.url)"
    path = os.path.join(EXAMPLES, "jelly.scn")
    child = subprocess.run([sys.executable, "-W", "ignore", "-c", script, path], capture_output=True, text=True, timeout=20)
    assert child.returncode == 0 and child.stdout.startswith("http://127.0.0.1:"), child.stderr
