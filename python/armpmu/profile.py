"""Profiles: the SQLite databases that armpmu record writes (docs/data.md has their tables and views)."""

import sqlite3
from pathlib import Path

MAGIC = b"SQLite format 3\0"
APPLICATION = 0x4152504D
VERSION = 6  # the latest that is read


class Profile:
    """A profile, open for reading. path: its file. Close it, or use it in a with statement."""

    def __init__(self, path, temporary=None):
        self.path = Path(path)
        self.temporary = temporary  # a folder that goes with it
        self.database = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            application, version = self.query("PRAGMA application_id")[0][0], self.query("PRAGMA user_version")[0][0]
        except sqlite3.DatabaseError as error:
            raise ValueError(f"'{path}': {error}") from error
        if application != APPLICATION:
            raise ValueError(f"'{path}' is a database, but no profile of armpmu record")
        if version > VERSION:
            raise ValueError(f"'{path}' has version {version} of profiles, this package reads up to {VERSION}: update it")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.database.close()
        if self.temporary is not None:
            self.temporary.cleanup()

    def query(self, sql, *values):
        """The rows of a question in SQL; values are for its '?'."""
        return self.database.execute(sql, values).fetchall()

    @property
    def about(self):
        """How it was recorded: the table meta."""
        return dict(self.query("SELECT key, value FROM meta"))

    @property
    def totals(self):
        """The count of each event, by name."""
        return dict(self.query("SELECT name, n FROM total JOIN event ON event.id = event"))

    def frame(self, view, event=None):
        """A view of docs/data.md, such as by_function, by_line or by_insn, as a pandas DataFrame; of one event, if named."""
        from armpmu.reports import pandas
        views = [name for (name,) in self.query("SELECT name FROM sqlite_master WHERE type IN ('view', 'table') ORDER BY name")]
        if view not in views:
            raise ValueError(f"'{self.path}' has no view '{view}'; there are {', '.join(views)}")
        if event is not None and event not in self.totals:
            raise ValueError(f"'{event}' was not recorded; there are {', '.join(self.totals)}")
        where, values = ("", ()) if event is None else (" WHERE event = ?", (event,))
        cursor = self.database.execute(f'SELECT * FROM "{view}"{where}', values)
        return pandas().DataFrame(cursor.fetchall(), columns=[column[0] for column in cursor.description])
