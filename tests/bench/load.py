"""Measures Basalt and the bare server in turn with wrk, on loopback, and prints both with their ratio.

Run it through scripts/bench."""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time
from urllib.parse import urlparse

import workload
from dynamodb_client import Signer
from programs import Program, busy_seconds

HERE = pathlib.Path(__file__).resolve().parent
REQUESTS_IN_POOL = 4000
WARM_UP_SECONDS = 1
# Above this many cores taken by others, a figure says more about them.
FOREIGN_LIMIT = 0.3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the basalt program")
    parser.add_argument("--bare", required=True, help="the bare_server program")
    parser.add_argument("--operations", nargs="+", default=["GetItem", "PutItem", "Query"])
    parser.add_argument("--connections", nargs="+", type=int, default=[1, 16, 64])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4, help="length of one measurement")
    parser.add_argument("--server-options", nargs=argparse.REMAINDER, default=[], help="given to basalt; the last option")
    parser.add_argument("--json", help="also write every measurement to this file")
    return parser.parse_args()


def write_pool(path, endpoint, operation):
    signer = Signer(urlparse(endpoint).netloc)
    source = random.Random(operation)
    with open(path, "wb") as file:
        for _ in range(REQUESTS_IN_POOL):
            document = workload.request(operation, source.randrange(workload.ITEMS))
            request = signer.raw_request(workload.api_operation(operation), document)
            file.write(b"%d\n" % len(request) + request)


def wait_until_idle(program):
    """Lets a server finish what was left over, compactions included, for some seconds at most."""
    for _ in range(20):
        before = program.cpu_seconds()
        time.sleep(0.25)
        if program.cpu_seconds() - before < 0.03:
            return


def measure(program, pool, connections, seconds):
    wait_until_idle(program)
    command = ["wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s"]
    command += ["-s", str(HERE / "replay.lua"), program.endpoint + "/", "--", str(pool)]
    own_before, all_before, cpu_before, start = os.times(), busy_seconds(), program.cpu_seconds(), time.time()
    output = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 120, check=True).stdout
    own, cpu = os.times(), program.cpu_seconds() - cpu_before
    wrk_cpu = own.children_user + own.children_system - own_before.children_user - own_before.children_system
    result = json.loads(re.search(r"RESULT (.*)", output)[1])
    requests = max(1, result["requests"])
    result["per_second"] = requests / result["duration_us"] * 1e6
    result["cpu_us"] = cpu / requests * 1e6
    result["foreign"] = max(0.0, (busy_seconds() - all_before - wrk_cpu - cpu) / (time.time() - start))
    return result


def run_rounds(options, programs, folder):
    results = {}
    for number in range(options.rounds):
        # Who goes first changes, so that neither always follows the other's heat.
        order = list(programs.items())[:: 1 if number % 2 == 0 else -1]
        for operation in options.operations:
            for name, program in order:
                # Signed anew in each round: signatures age.
                write_pool(folder / f"{name}-{operation}", program.endpoint, operation)
                if number == 0:
                    measure(program, folder / f"{name}-{operation}", max(options.connections), WARM_UP_SECONDS)
            for connections in options.connections:
                for name, program in order:
                    result = measure(program, folder / f"{name}-{operation}", connections, options.seconds)
                    results.setdefault((operation, connections), {}).setdefault(name, []).append(result)
                    print(".", end="", flush=True)
    print(flush=True)
    return results


def median(rounds, field):
    """Over the rounds that nobody else disturbed, or over all when there is none."""
    quiet = [result for result in rounds if result["foreign"] <= FOREIGN_LIMIT]
    return statistics.median(result[field] for result in quiet or rounds)


def report(results):
    titles = ["req/s", "p50 us", "p99 us", "cpu us"]
    fields = ["per_second", "p50_us", "p99_us", "cpu_us"]
    print(f"{'':15}{'basalt':>36}{'bare Beast server':>36}{'basalt : bare':>18}{'':>10}")
    row = "".join(f"{title:>9}" for title in titles)
    print(f"{'operation':10}{'conn':>5}{row}{row}{'req/s':>9}{'cpu':>9}{'foreign':>10}")
    for (operation, connections), of in results.items():
        ours, bare = ([median(of[name], field) for field in fields] for name in ("basalt", "bare"))
        figures = "".join(f"{value:9.0f}{p50:9.0f}{p99:9.0f}{cpu:9.1f}" for value, p50, p99, cpu in (ours, bare))
        foreign = max(result["foreign"] for rounds in of.values() for result in rounds)
        print(f"{operation:10}{connections:5}{figures}{ours[0] / bare[0]:9.2f}{ours[3] / bare[3]:9.2f}{foreign:10.2f}")
    print("Medians of the rounds. cpu: server CPU time a request. foreign: cores used by other programs, at worst.")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="basalt-bench-") as name:
        folder = pathlib.Path(name)
        command = [options.server, "--port", "0", "--data-dir", str(folder / "data"), "--log-level", "warning"]
        programs = {"basalt": Program(command + options.server_options), "bare": Program([options.bare])}
        try:
            start = time.time()
            workload.seed(programs["basalt"].endpoint)
            print(f"{workload.ITEMS} items written in {time.time() - start:.1f} s")
            workload.check(programs["basalt"].endpoint)
            results = run_rounds(options, programs, folder)
        finally:
            for program in programs.values():
                program.stop()
    report(results)
    if options.json:
        rows = [{"operation": key[0], "connections": key[1], **of} for key, of in results.items()]
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    everything = [result for of in results.values() for rounds in of.values() for result in rounds]
    if any(result["bad_status"] or result["socket_errors"] for result in everything):
        raise SystemExit("some requests failed: the figures are not valid")


if __name__ == "__main__":
    main()
