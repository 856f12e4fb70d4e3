"""Starts the programs that are measured, and reads what they consume."""

import os
import re
import signal
import subprocess

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Program:
    """A server that prints one line with its endpoint when it is ready."""

    def __init__(self, command):
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        found = re.search(r"READY endpoint=(http://127\.0\.0\.1:\d+) ", line)
        if not found:
            raise SystemExit(f"{command[0]} did not become ready: {line!r}")
        self.endpoint = found[1]
        self.pid = self._process.pid

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def stop(self):
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=60)
        self._process.stdout.close()


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1])


def busy_seconds():
    """CPU time that all processes of the machine have used."""
    with open("/proc/stat", encoding="ascii") as file:
        fields = [int(field) for field in file.readline().split()[1:]]
    return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) / TICKS_PER_SECOND
