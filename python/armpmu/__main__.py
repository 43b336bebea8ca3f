"""python3 -m armpmu: counts, prints and draws. See python3 -m armpmu --help."""

import argparse
import sys

import armpmu


def add_target(parser):
    parser.add_argument("--machine", help="the machine, of a sweep a list separated by ','")
    parser.add_argument("-e", "--events", help="events, as armpmu stat -e takes them")
    parser.add_argument("-M", "--metrics", help="metrics, as armpmu stat -M takes them")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of the machine; of a sweep a list of values")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="the program and its arguments")


def parse(words):
    parser = argparse.ArgumentParser(prog="python3 -m armpmu", description="Counts Arm programs; prints CSV and draws figures.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("run", "count a run of a program"), ("sweep", "count a run on several machines")):
        add_target(commands.add_parser(name, help=text))
    shown = commands.add_parser("load", help="print a report, a sweep or a profile as CSV")
    shown.add_argument("file")
    shown.add_argument("--view", default="by_function", help="of a profile: by_function, by_line, by_insn, by_thread ...")
    drawn = commands.add_parser("plot", help="draw a sweep")
    drawn.add_argument("file", help="what armpmu sweep --json=1 wrote")
    drawn.add_argument("-x", required=True, help="the key on the x axis")
    drawn.add_argument("-y", required=True, help="the event or metric on the y axis")
    drawn.add_argument("--by", default="machine", help="a curve for each value of this key")
    drawn.add_argument("--per", help="divide by this event")
    drawn.add_argument("-o", "--output", required=True, help="a file: .pdf, .png or .svg")
    return parser.parse_args(words)


def count(arguments):
    settings = {}
    for setting in arguments.set:
        key, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--set {setting}: KEY=VALUE is expected")
        settings[key] = value.split(",")
    program = arguments.program[1:] if arguments.program[:1] == ["--"] else arguments.program
    if not program:
        raise ValueError("name the program to count")
    counted = armpmu.stat if arguments.command == "run" else armpmu.sweep
    return counted(program, arguments.machine, arguments.events, arguments.metrics, settings)


def draw(arguments):
    from armpmu import plot
    loaded = armpmu.load(arguments.file)
    if not isinstance(loaded, armpmu.Sweep):
        raise ValueError(f"'{arguments.file}' is no sweep: armpmu sweep --json=1 -o FILE writes one")
    axes = plot.sweep(loaded.frame(), arguments.x, arguments.y, arguments.by, arguments.per)
    axes.figure.savefig(arguments.output)


def frame_of(arguments):
    if arguments.command != "load":
        return count(arguments).frame()
    loaded = armpmu.load(arguments.file)
    return loaded.frame(arguments.view) if isinstance(loaded, armpmu.Profile) else loaded.frame()


def main(words=None):
    arguments = parse(words)
    try:
        if arguments.command == "plot":
            draw(arguments)
        else:
            frame_of(arguments).to_csv(sys.stdout, index=False)
    except (armpmu.Failed, ImportError, OSError, ValueError) as error:
        print(f"python3 -m armpmu: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
