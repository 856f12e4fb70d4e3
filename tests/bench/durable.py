"""Measures what group commit is worth: durable PutItems against RocksDB's own loop of synced writes on one thread, and
increments of one item against the syncs of the log that they took.

Run it through scripts/bench --durable."""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import urllib.request

import workload
from load import measure, write_pool
from programs import Program
from startup import free_port

PUT_CONNECTIONS = 64
COUNTER_CONNECTIONS = [64, 256]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the basalt program")
    parser.add_argument("--bare", required=True, help="the bare_server program")
    parser.add_argument("--sync-loop", required=True, help="the sync_loop program")
    parser.add_argument("--folder", help="where databases are made: the disk that is measured")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4, help="length of one measurement")
    return parser.parse_args()


def run_sync_loop(program, folder, seconds):
    output = subprocess.run([program, folder, str(seconds)], capture_output=True, text=True, check=True).stdout
    return json.loads(re.search(r"RESULT (.*)", output)[1])["per_second"]


def log_syncs(metrics):
    with urllib.request.urlopen(metrics) as answer:
        return float(re.search(r"^basalt_log_syncs_total (\S+)", answer.read().decode(), re.MULTILINE)[1])


def measured(program, pool, connections, seconds):
    result = measure(program, pool, connections, seconds)
    if result["bad_status"] or result["socket_errors"]:
        raise SystemExit("some requests failed: the figures are not valid")
    return result


def run_rounds(options, basalt, bare, metrics, folder):
    puts, counters = [], {connections: [] for connections in COUNTER_CONNECTIONS}
    increments = 0
    for _ in range(options.rounds):
        for name, program, operation in (
            ("basalt", basalt, "PutItem"),
            ("bare", bare, "PutItem"),
            ("counter", basalt, "Increment"),
        ):
            write_pool(folder / name, program.endpoint, operation)
        loop = run_sync_loop(options.sync_loop, folder, options.seconds)
        ours = measured(basalt, folder / "basalt", PUT_CONNECTIONS, options.seconds)["per_second"]
        plain = measured(bare, folder / "bare", PUT_CONNECTIONS, options.seconds)["per_second"]
        puts.append((ours, loop, plain))
        print(f"PutItem {ours:.0f}/s, sync loop {loop:.0f}/s, bare server {plain:.0f}/s", flush=True)
        for connections in COUNTER_CONNECTIONS:
            before = log_syncs(metrics)
            result = measured(basalt, folder / "counter", connections, options.seconds)
            syncs = (log_syncs(metrics) - before) / (result["duration_us"] / 1e6)
            counters[connections].append((result["per_second"], syncs))
            increments += result["requests"]
            print(f"{connections} clients: {result['per_second']:.0f} increments/s, {syncs:.0f} syncs/s", flush=True)
    workload.check_counter(basalt.endpoint, increments)
    return puts, counters


def report(puts, counters):
    median = statistics.median
    print(
        f"PutItem at {PUT_CONNECTIONS} connections : RocksDB's sync loop = {median(o / l for o, l, _ in puts):.2f}, "
        f": bare Beast server = {median(o / p for o, _, p in puts):.2f}"
    )
    for connections, rounds in counters.items():
        print(
            f"one counter, {connections} clients: {median(i for i, _ in rounds):.0f} increments/s with "
            f"{median(s for _, s in rounds):.0f} syncs/s: {median(i / s for i, s in rounds):.1f} increments a sync"
        )
    print("Medians of the rounds; each ratio is of one round.")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="basalt-bench-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        command = [options.server, "--port", "0", "--data-dir", str(folder / "data"), "--log-level", "warning"]
        metrics_port = free_port()
        basalt = Program(command + ["--metrics-port", str(metrics_port)])
        bare = Program([options.bare])
        try:
            workload.seed(basalt.endpoint)
            metrics = f"http://127.0.0.1:{metrics_port}/metrics"
            puts, counters = run_rounds(options, basalt, bare, metrics, folder)
        finally:
            basalt.stop()
            bare.stop()
    report(puts, counters)


if __name__ == "__main__":
    main()
