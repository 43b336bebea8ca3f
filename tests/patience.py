"""Times for --timeout, for tests: on a busy computer a program may have executed nothing when a short time is over."""


def longer_and_longer(seconds):
    """Times to try one after the other, until one is enough."""
    while seconds < 3600:
        yield seconds
        seconds *= 4
    raise AssertionError("an hour was not enough")
