"""Reports of armpmu stat and armpmu sweep: their JSON documents."""

import json
from pathlib import Path

from armpmu.profile import MAGIC, Profile

VERSION = 1  # of both schemas


def number(text):
    """A setting as a number where it is one, so that axes are in order."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def pandas():
    """pandas, which only frames need."""
    try:
        import pandas as module
    except ImportError as error:
        raise ImportError("frames need pandas: install python3-pandas") from error
    return module


class Report:
    """What armpmu stat --json=1 wrote. document: all of it."""

    def __init__(self, document):
        self.document = document
        self.machine = document["machine"]["name"]
        self.exit_status = document.get("exit-status")
        self.is_complete = document.get("complete", True)

    def rows(self):
        """A dictionary for each event of each section: thread, mode or process, as asked for."""
        for section in self.document["sections"]:
            keys = {key: value for key, value in section.items() if not isinstance(value, (list, dict))}
            for event in section["events"]:
                yield {**keys, **{key: value for key, value in event.items() if key != "metrics"}}

    @property
    def counts(self):
        """The count of each event, by name, of the whole run."""
        return {event["event"]: event["count"] for event in self.document["sections"][0]["events"]}

    @property
    def metrics(self):
        """The value of each metric, by name, of the whole run."""
        section = self.document["sections"][0]
        metrics = [*section.get("metrics", []), *(metric for event in section["events"] for metric in event.get("metrics", []))]
        return {metric["name"]: metric["value"] for metric in metrics}

    def frame(self):
        """A row for each event: a pandas DataFrame."""
        return pandas().DataFrame(list(self.rows()))


class Sweep:
    """What armpmu sweep --json=1 wrote. document: all of it."""

    def __init__(self, document):
        self.document = document
        self.is_complete = document["is-complete"]

    def rows(self):
        """A dictionary for each machine: its name, its settings, its counts and metrics."""
        for machine in self.document["machines"]:
            settings = {key: number(value) for key, value in machine.get("settings", {}).items()}
            yield {"machine": machine["machine"], **settings, **machine["counts"], **machine.get("metrics", {})}

    def frame(self):
        """A row for each machine: a pandas DataFrame."""
        return pandas().DataFrame(list(self.rows()))


KINDS = {"armpmu-stat": Report, "armpmu-sweep": Sweep}


def load(path):
    """A Report, a Sweep or a Profile, whichever the file has. Raises ValueError for what is none of them."""
    data = Path(path).read_bytes()
    if data.startswith(MAGIC):
        return Profile(path)
    try:
        document = json.loads(data)
        kind, version = document["schema"], document["schema-version"]
    except (ValueError, TypeError, KeyError):
        kind = version = None
    if kind not in KINDS:
        raise ValueError(f"'{path}' is neither a profile nor a document of armpmu stat --json=1 or armpmu sweep --json=1")
    if version != VERSION:
        raise ValueError(f"'{path}' has version {version} of '{kind}', this package reads {VERSION}: update it")
    return KINDS[kind](document)
