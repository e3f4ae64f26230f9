"""Scenes: loading, building, stepping, resetting, ending.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import logging
import os
import pickle
import struct
import subprocess
import warnings
import zlib

import numpy as np
import pytest

import settee
from conftest import EXAMPLES


def states(scene):
    return {c.path: c.position.copy() for c in scene.of_class("MechanicalObject")}


def test_a_file_runs_as_the_program_runs_it(jelly, tmp_path):
    jelly.step(5)
    binary = os.environ.get("SETTEE_BINARY")
    if not binary:
        pytest.skip("the program is not known")
    dump = tmp_path / "states.txt"
    command = [binary, "run", f"{EXAMPLES}/jelly.scn", "-n", "5", "--dump-states", dump]
    subprocess.run(command, check=True, capture_output=True)
    assert dump.read_text().endswith(jelly.dump(5))


def test_time_and_energy(points):
    points.step(10)
    assert points.time == pytest.approx(0.1)
    v = 10 * 0.1
    assert points.energy.kinetic == pytest.approx(2 * 2 * v * v / 2)
    assert points.mass.total == 4
    points.step(1, 0.5)
    assert points.time == pytest.approx(0.6)
    assert points.dt == 0.01


def test_reset_gives_the_same_bits(jelly):
    first = states(jelly)
    jelly.step(7)
    moved = states(jelly)
    jelly.reset()
    assert jelly.time == 0
    for path, x in states(jelly).items():
        assert np.array_equal(x, first[path])
    jelly.step(7)
    for path, x in states(jelly).items():
        assert np.array_equal(x, moved[path])
        assert not np.array_equal(x, first[path])


# the allocator of AddressSanitizer keeps what is freed
counts_memory = pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="memory is not counted with a sanitizer")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@counts_memory
def test_ten_thousand_resets_do_not_grow(points):
    points.step()
    for _ in range(1000):
        points.reset()
        points.step()
    before = resident()
    for _ in range(10000):
        points.reset()
        points.step()
    assert resident() - before < 4e6


@counts_memory
def test_scenes_that_nobody_holds_are_freed():
    def make():
        scene = settee.loads("<Node><DefaultAnimationLoop/><MechanicalObject name='d' position='0 0 0'/></Node>")
        scene.root.d.position[0, 0] = 1
        scene.step()

    for _ in range(50):
        make()
    before = resident()
    for _ in range(500):
        make()
    gc.collect()
    assert resident() - before < 20e6


def test_use_after_close(points):
    dofs = points.root.dofs
    x = dofs.position
    points.close()
    points.close()
    assert points.closed
    for use in (lambda: dofs.position, lambda: points.root, lambda: points.step(), lambda: dofs.set(position=[[1, 2, 3]]),
                lambda: points.energy, lambda: dofs.remove(), lambda: points.find("/"), lambda: points.A):
        with pytest.raises(settee.ClosedError):
            use()
    assert x.shape == (2, 3)
    assert "closed" in repr(points) and "closed" in repr(dofs)


def test_missing_and_malformed_files(tmp_path):
    with pytest.raises(settee.Error) as caught:
        settee.load(tmp_path / "none.scn")
    assert "none.scn" in str(caught.value)
    broken = tmp_path / "broken.scn"
    broken.write_text("<Node>\n<MechanicalObject\n</Node>")
    with pytest.raises(settee.Error) as caught:
        settee.load(broken)
    assert caught.value.line > 0 and caught.value.file.endswith("broken.scn")


def test_unknown_components_are_refused_with_a_suggestion(scene):
    with pytest.raises(settee.InvalidError, match="UniformMass"):
        scene.root.add("UnifromMass")
    with pytest.raises(settee.InvalidError, match="state"):
        scene.root.add("UniformMass")
    with pytest.raises(AttributeError, match="UniformMass"):
        settee.components.UnifromMass


def test_warnings_and_errors_of_scenes(caplog):
    with pytest.warns(settee.SetteeWarning, match="animation loop"):
        settee.loads("<Node/>")
    with caplog.at_level(logging.ERROR, "settee"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = settee.loads("<Node><DefaultAnimationLoop/><MechanicalObject/><FixedProjectiveConstraint "
                             "mstate='@nowhere'/></Node>")
        total = scene.messages("error") + scene.messages("warning")
    assert total > 0
    heard = []
    scene.listen(heard.append)
    scene.root.message("warning", "take care")
    assert heard[0].text == "take care" and heard[0].severity == 3
    with pytest.raises(ValueError):
        scene.root.message("loud", "x")


def test_a_failed_step_keeps_the_last_good_state(points):
    points.step(3)
    dofs = points.root.dofs
    before = dofs.position.copy()

    class Nan(settee.ForceField):
        def add_force(self, f, x, v):
            f += np.nan

    force = points.root.add(Nan)
    time = points.time
    with pytest.raises(settee.StepError):
        points.step()
    assert points.time == time
    assert np.array_equal(dofs.position, before)
    force.remove()
    points.step()
    assert points.time > time


def test_a_scene_is_saved_and_loads_again(points, tmp_path):
    points.step(2)
    points.save(tmp_path / "saved.scn")
    with settee.load(tmp_path / "saved.scn") as again:
        again.step(2)
        assert np.array_equal(again.root.dofs.position, points.root.dofs.position)


def test_a_scene_without_a_loop_is_saved_in_order():
    text = ("<Node><MechanicalObject position='0 0 0 1 2 3'/><Node name='c'><MechanicalObject name='e'/><IdentityMapping/>"
            "</Node></Node>")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        saved = settee.loads(text).xml()
        assert saved.index("position") < saved.index("IdentityMapping")
        assert np.array_equal(settee.loads(saved).root.c.e.position, [[0, 0, 0], [1, 2, 3]])


def test_numbers_of_steps(points):
    for bad in (-1, 2.5, "3"):
        with pytest.raises((ValueError, TypeError)):
            points.step(bad)
    for bad in (-0.1, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            points.step(1, bad)
    points.step(0)
    assert points.time == 0
    with pytest.raises(ValueError):
        settee.Scene(threads=0)
    with pytest.raises(TypeError):
        settee.Scene(thread=1)


def test_pictures(jelly, tmp_path):
    image = jelly.picture(320, 240)
    assert image.shape == (240, 320, 3) and image.dtype == np.uint8
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 10 and image.flags.writeable
    assert not np.array_equal(image, jelly.picture(320, 240, view=(1, 0, 0)))
    jelly.save_picture(tmp_path / "jelly.png", 64, 48)
    assert (tmp_path / "jelly.png").read_bytes().startswith(b"\x89PNG")
    assert jelly._repr_png_().startswith(b"\x89PNG")
    assert "Jelly" in jelly._repr_html_()
    assert "totalMass" in jelly.root.Jelly.mass._repr_html_()


def test_pictures_that_cannot_be_written(jelly, tmp_path):
    path = str(tmp_path / "nowhere" / "jelly.png")
    with pytest.raises(settee.Error) as failed:
        jelly.save_picture(path)
    assert str(failed.value).count(path) == 1 and not isinstance(failed.value, settee.StepError)
    with pytest.raises(settee.InvalidError, match=r"written as PNG; name it .*jelly\.png"):
        jelly.save_picture(tmp_path / "jelly.gif")
    assert not list(tmp_path.iterdir())
    with pytest.raises(settee.InvalidError, match="^a.png: picture: .*positive"):
        jelly.save_picture("a.png", width=0)


def test_names_that_are_nearly_right(jelly):
    with pytest.raises(AttributeError, match="did you mean 'Jelly'"):
        jelly.root.Jely
    with pytest.raises(AttributeError, match="did you mean 'gravity'"):
        jelly.root.gravty
    with pytest.raises(settee.NotFoundError, match="did you mean '/Jelly'"):
        jelly["/Jelli"]
    with pytest.raises(settee.NotFoundError, match="did you mean '/Jelly/dofs'"):
        jelly.root.Jelly.find("dof")
    for path in ("/Zzz", "/Jelly/dofs/x"):
        with pytest.raises(settee.NotFoundError, match="nothing is found at '[^']*'$"):
            jelly[path]


def decoded(data):
    """A PNG file without filters as an array, by the definition of the format."""
    width, height = struct.unpack(">II", data[16:24])
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + content)
        packed += content if kind == b"IDAT" else b""
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def test_pictures_need_no_file(jelly, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    image = jelly.picture(97, 31)
    assert np.array_equal(decoded(jelly.png(97, 31)), image)
    assert not list(tmp_path.iterdir())

    for width, height in ((0, 5), (-1, 3), (100000, 2), (2**31 - 1, 2**31 - 1)):
        with pytest.raises(settee.InvalidError):
            jelly.picture(width, height)
    for bad in ({"width": 2.5}, {"view": (1, 2)}, {"view": "x"}, {"width": 2**40}, {"caption": 3}, {"caption": "a\0b"}):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            jelly.png(**bad)


def test_a_notebook_shows_pictures(jelly):
    image = jelly.picture(64, 48)
    assert np.array_equal(decoded(image._repr_png_()), image)
    assert np.array_equal(decoded(image[::2, 10:20]._repr_png_()), image[::2, 10:20])
    assert type(image / 2) is np.ndarray and isinstance(image.mean(), float)
    assert image[0]._repr_png_() is None and image.astype(float)._repr_png_() is None
    assert np.array_equal(pickle.loads(pickle.dumps(image)), image)
    assert '<img src="data:image/png;base64,' in jelly._repr_html_()
    assert "dofs" in jelly.root.Jelly._repr_html_()
    assert "/Jelly/dofs" in jelly._ipython_key_completions_()
    assert "position" in jelly.root.Jelly.dofs._ipython_key_completions_()
    with settee.Scene() as empty:
        assert empty._repr_png_() is None and "root" in empty._repr_html_()


def test_where_the_entries_of_a_matrix_are(jelly):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is missing (apt-get install python3-matplotlib)")
    pytest.importorskip("matplotlib.pyplot")
    matplotlib.use("Agg")
    matplotlib.pyplot.close("all")  # plots of other tests
    jelly.step()
    for name in "MK":
        axes = jelly.plot_matrix(name)
        x, y = axes.lines[-1].get_data()
        made = jelly.matrix(name)
        assert len(x) == made.count_nonzero() and str(made.shape[0]) in axes.get_title()
        axes.figure.clear()


def test_times_per_phase(jelly):
    jelly.step(2)
    profile = jelly.profile
    assert profile and all(phase.seconds >= 0 and phase.calls > 0 for phase in profile.values())


def test_energies_and_times_of_phases_are_recorded_as_arrays(points):
    """Under implicit Euler points fall with v = n h g, and by h² g n (n + 1) / 2."""
    record = points.record(10, height=lambda: points.root.dofs.position[0, 1])
    n = np.arange(1, 11)
    assert np.allclose(record["time"], n * 0.01)
    assert np.allclose(record["kinetic"], 2 * 2 * (n * 0.1) ** 2 / 2)
    assert np.allclose(record["height"], -(0.01**2) * 10 * n * (n + 1) / 2)
    assert record["potential"].shape == (10,)
    assert record["phases"] and all(p.shape == (10,) and (p >= 0).all() for p in record["phases"].values())
    assert sum(p.sum() for p in record["phases"].values()) > 0
    assert points.record(0)["time"].shape == (0,)
    with pytest.raises(ValueError, match="time"):
        points.record(1, time=lambda: 0)
    with pytest.raises(TypeError, match="height"):
        points.record(1, height=3)
    with pytest.raises(TypeError):
        points.record("3")
