"""Data of the engine that follow Data of Python: parameters of prefabs, outputs of engines written in Python.

The engine knows nothing of Python's Data. What follows one gets its value when the link is made, whenever the source is
written, when it is read from Python, and at the beginning of each step.

SPDX-License-Identifier: Apache-2.0
"""


def follow(data, source):
    """From now on; `data` is the engine's."""
    leave(data)
    data._owner._s._unlink(data._name)
    data._owner.__dict__.setdefault("_follows", {})[data._name] = [source, None]
    source._followers.append(data)
    watch(data._owner)
    pull(data)


def leave(data):
    link = data._owner.__dict__.get("_follows", {}).pop(data._name, None)
    if link is not None and data in link[0]._followers:
        link[0]._followers.remove(data)


def source_of(data):
    link = data._owner.__dict__.get("_follows", {}).get(data._name)
    return link[0] if link else None


def pull(data):
    """Takes the value of the source if it has changed. An object that was taken out stays as it is."""
    if not data._owner._s.is_attached:
        return
    link = data._owner._follows[data._name]
    now = link[0]._version()
    if now != link[1]:
        link[1] = now
        data._assign(link[0].value)


def watch(owner):
    """An owner with links is looked at before each step of its scene, also in a scene into which it was moved."""
    scene = owner._s.scene
    if "_following" not in scene.__dict__:
        scene._following = []
        scene.on("AnimateBeginEvent", lambda *event: pull_all(scene))
    if owner not in scene._following:
        scene._following.append(owner)


def pull_all(scene):
    owners = scene.__dict__.get("_following", [])
    # what was taken out may be put back; what has no links any more, or another scene, is done with
    owners[:] = [owner for owner in owners if owner._s.scene is scene and owner._follows]
    for owner in list(owners):
        for name in list(owner._follows):
            if name in owner._follows:  # a value that is taken may end another link
                pull(owner._data(name))
