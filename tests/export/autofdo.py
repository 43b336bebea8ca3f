"""armpmu convert --to autofdo: gcc reads it. Run by formats.py."""

from samples import Trained


class autofdo(Trained):
    TOOLS = {"aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu"}
    COMPILE = "aarch64-linux-gnu-gcc", "-g"

    def setUp(self):
        super().setUp()
        self.bytes, self.at = self.convert("autofdo").read_bytes(), 0

    def word(self, n=4):
        self.at += n
        return int.from_bytes(self.bytes[self.at - n:self.at], "little")

    def text(self):
        n = self.word()
        self.at += n
        return self.bytes[self.at - n:self.at - 1].decode()

    def function(self, depth=0):
        """(name, {line: count}, {(line, name): function})."""
        name, n_places, n_calls = self.names[self.word()], self.word(), self.word()
        places, calls = {}, {}
        for _ in range(n_places):
            line, targets, count = self.word() >> 16, self.word(), self.word(8)
            self.assertEqual(targets, 0)
            places[line] = count  # gcc: the last of a line
        for _ in range(n_calls):
            line = self.word() >> 16
            called = self.function(depth + 1)
            calls[line, called[0]] = called
        return name, places, calls

    def test_structure_and_counts(self):
        self.assertEqual([self.word() for _ in range(5)], [0x67636461, 2, 0, 0xaa000000, 0])
        self.names = [self.text() for _ in range(self.word())]
        self.assertEqual([self.word(), self.word()], [0xac000000, 0])
        functions = {}
        for _ in range(self.word()):
            entries = self.word(8)
            name, *rest = self.function()
            functions[name] = (entries, *rest)
        self.assertEqual([self.word() for _ in range(3)] + [self.at], [0xae000000, 0, 0, len(self.bytes)])
        letters, digits, words = map(int, self.said[1:])
        entries, places, calls = functions["main"]
        line = self.lines("main")
        self.assertEqual((entries, places[line["sum = steps[i % 8 == 0](sum, entry->n);"]]), (1, words))
        name, places, calls = calls[line["make_word(word, kinds);"], "make_word"]
        line = self.lines("make_word")
        self.assertEqual(places[line["kinds[classify(word[k])]++;"]], letters + digits)
        self.assertEqual(functions["add"][0] + functions["mix"][0], words)

    def test_gcc_makes_a_faster_program_of_it(self):
        faster = self.build("faster", f"-fauto-profile={self.folder / 'armpmu.afdo'}")
        self.assertLess(self.insns(faster), self.insns(self.program))
