"""Measures how long Basalt takes from exec to its first answer, its memory when idle, and its size.

Run it through scripts/bench --startup."""

import argparse
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import tempfile
import time

from dynamodb_client import Signer
from programs import resident_kb

STARTS = 10
SETTLE_SECONDS = 1.5


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_and_ask(command):
    """Seconds from exec to the answer of a first ListTables, and the running process."""
    port = free_port()
    request = Signer(f"127.0.0.1:{port}").raw_request("ListTables", {})
    start = time.perf_counter()
    process = subprocess.Popen(command + ["--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        with socket.socket() as connection:
            try:
                connection.connect(("127.0.0.1", port))
            except ConnectionRefusedError:
                if process.poll() is not None:
                    raise SystemExit("basalt ended instead of starting") from None
                time.sleep(0.0002)
                continue
            connection.sendall(request)
            answer = connection.recv(4096)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"the first answer is {answer!r}")
            return time.perf_counter() - start, process


def stop(process):
    process.send_signal(signal.SIGTERM)
    if process.wait(timeout=60) != 0:
        raise SystemExit(f"basalt ended with {process.returncode}")


def series(command, data_dir):
    """Seconds of STARTS starts; data_dir(i) names the directory of each."""
    seconds = []
    for number in range(STARTS):
        taken, process = start_and_ask(command + ["--data-dir", str(data_dir(number))])
        seconds.append(taken)
        stop(process)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the basalt program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="basalt-bench-") as name:
        folder = pathlib.Path(name)
        command = [options.server, "--log-level", "warning"]
        for title, data_dir in (
            ("a new directory", lambda number: folder / f"new-{number}"),
            ("an empty database", lambda number: folder / "same"),
        ):
            taken = sorted(second * 1000 for second in series(command, data_dir))
            print(
                f"exec to first answer, {title}: median {statistics.median(taken):.1f} ms "
                f"({taken[0]:.1f} to {taken[-1]:.1f}, {STARTS} starts)"
            )
        _, process = start_and_ask(command + ["--data-dir", str(folder / "same")])
        time.sleep(SETTLE_SECONDS)
        print(f"resident when idle: {resident_kb(process.pid) / 1024:.1f} MB")
        stop(process)
        stripped = folder / "stripped"
        subprocess.run(["strip", "-o", stripped, options.server], check=True)
        print(f"program, stripped: {os.path.getsize(stripped) / (1 << 20):.1f} MB")


if __name__ == "__main__":
    main()
