"""A small client of gdb's remote serial protocol, for tests of `armpmu run --gdb`."""
import re
import socket
import subprocess


class Remote:
    """A program that waits for gdb, and the connection to it."""

    def __init__(self, words, cwd, acks=True):
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.told = self.process.stderr.readline()
        found = re.fullmatch(r"armpmu: waiting for gdb: target remote (\S+):(\d+)\n", self.told)
        if not found:
            raise AssertionError(self.told + self.process.communicate()[1])
        self.host, self.port = found[1], int(found[2])
        self.socket = socket.create_connection((self.host.strip("[]"), self.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.acks = acks
        if not acks:
            self.ask("QStartNoAckMode")
            self.socket.sendall(b"+")

    def stop(self):
        """Whatever it does."""
        self.socket.close()
        self.process.kill()
        self.process.communicate()

    def byte(self):
        got = self.socket.recv(1)
        if not got:
            raise EOFError
        return got

    def packet(self):
        """The next packet that comes."""
        while self.byte() != b"$":
            pass
        data = b""
        while (byte := self.byte()) != b"#":
            data += bytes([self.byte()[0] ^ 0x20]) if byte == b"}" else byte
        self.byte(), self.byte()
        if self.acks:
            self.socket.sendall(b"+")
        return data.decode("latin-1")

    def send(self, text):
        data = text if isinstance(text, bytes) else text.encode("latin-1")
        self.socket.sendall(b"$" + data + b"#" + b"%02x" % (sum(data) & 0xff))

    def ask(self, text):
        self.send(text)
        return self.packet()

    def monitor(self, command):
        return bytes.fromhex(self.ask("qRcmd," + command.encode().hex())).decode()

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")

    def end(self):
        """Waits for the program: its status, output and messages after the first."""
        out, err = self.process.communicate(timeout=120)
        self.socket.close()
        return self.process.returncode, out, err
