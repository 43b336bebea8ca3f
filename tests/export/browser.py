"""A page in headless Chromium, over its debugging pipe: what a test needs of it."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """Path of a Chromium; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """Opens a file and waits until it is loaded. complaints: what the page wrote to its console and what it threw."""

    def __init__(self, program, path, fragment="", width=1280, height=900, dark=False):
        self.complaints, self.last_id, self.session = [], 0, None
        self.folder = tempfile.TemporaryDirectory(prefix="armpmu-browser-", ignore_cleanup_errors=True)
        to_browser, from_us = os.pipe()
        from_browser, to_us = os.pipe()
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{to_us}', "sh", program, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--hide-scrollbars",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(to_browser, to_us), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(to_us)
        self.out, self.into = os.fdopen(from_us, "wb"), os.fdopen(from_browser, "rb")
        self.rest, self.is_loaded = b"", False
        self.open(Path(path).absolute().as_uri() + "#" + fragment, width, height, dark)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.out.close()
        self.into.close()
        self.folder.cleanup()

    def read(self):
        while b"\0" not in self.rest:
            chunk = os.read(self.into.fileno(), 1 << 16)
            if not chunk:
                raise RuntimeError("Chromium ended")
            self.rest += chunk
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        method, details = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.is_loaded = True
        elif method == "Runtime.exceptionThrown":
            thrown = details["exceptionDetails"]
            self.complaints.append(thrown.get("exception", {}).get("description") or thrown["text"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value")) for a in details["args"]))
        elif method == "Log.entryAdded":
            self.complaints.append(details["entry"]["text"])
        return message

    def call(self, method, **parameters):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        self.out.flush()
        while (answer := self.read()).get("id") != self.last_id:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, address, width, height, dark):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.media(dark)
        self.is_loaded = False
        answer = self.call("Page.navigate", url=address)
        if "errorText" in answer:
            raise RuntimeError(f"{address}: {answer['errorText']}")
        while not self.is_loaded:
            self.read()

    def media(self, dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def js(self, expression):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait(self, condition, seconds=600):
        """Until an expression in the page is true."""
        end = time.monotonic() + seconds
        while not self.js(condition):
            if time.monotonic() > end:
                raise AssertionError(f"not so after {seconds} s: {condition}; {self.js('document.body.innerText')}")
            time.sleep(0.05)

    def click(self, selector):
        """A real click in the middle of what a selector finds."""
        x, y = self.js(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView("
                       "{block: 'center'}); const b = e.getBoundingClientRect();"
                       "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        more = {"text": key} if len(key) == 1 else {"windowsVirtualKeyCode": 27} if key == "Escape" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, selector, text):
        self.js(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def screenshot(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        made = self.call("Page.printToPDF", printBackground=True)
        Path(path).write_bytes(base64.b64decode(made["data"]))
