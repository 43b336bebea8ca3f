"""The numbers of the Cortex-A8's events, from the transcription of its manual beside this file."""

import re
from pathlib import Path

ROW = re.compile(r"^EVENT2?\((0x[0-9a-f]+)", re.MULTILINE)


def numbers():
    text = (Path(__file__).parent / "cortex_a8_events.def").read_text(encoding="utf-8")
    return [int(number, 16) for number in ROW.findall(text)]


def ranges():
    """As messages say it: 0x00-0x12, 0x40-0x5a and 0x70-0x72."""
    spans = []
    for number in numbers():
        if spans and spans[-1][1] + 1 == number:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    texts = [f"0x{first:02x}-0x{last:02x}" if last > first else f"0x{first:02x}" for first, last in spans]
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else texts[0]
