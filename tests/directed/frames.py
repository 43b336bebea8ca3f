"""Where the machine's page map puts pages (memory.page_map = scattered), worked out from the rule in
docs/choices.md and from nothing of the model."""

import itertools

HALF = 1 << 10  # a page number of 20 bits is two halves
ROUNDS = 4
PAGE_MAP = 6    # which of the machine's random choices this is


def random_numbers(seed):
    """SplitMix64."""
    bits = (1 << 64) - 1
    for step in itertools.count(1):
        mixed = (seed + step * 0x9E3779B97F4A7C15) & bits
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & bits
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & bits
        yield mixed ^ mixed >> 31


def frame(page, seed):
    """The number of the physical page. seed: random.seed of the machine."""
    high, low = divmod(page, HALF)
    for number in itertools.islice(random_numbers(seed ^ PAGE_MAP), ROUNDS):
        mixed = (low ^ number >> 32) * 0x9E3779B1 % (1 << 32)
        mixed = (mixed ^ mixed >> 15) * 0x85EBCA77 % (1 << 32)
        high, low = low, high ^ mixed >> 22
    return high * HALF + low


def of_other_colour(first, pages, seed):
    """How many of some pages lie in a frame whose number is odd where theirs is even, or the other
    way round: where a way has two pages, bit 12 of the address chooses the set."""
    return sum((page ^ frame(page, seed)) & 1 for page in range(first, first + pages))
