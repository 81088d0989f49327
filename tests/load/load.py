#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a server with readers and live streams, and says how it held.

200 readers ask for the leaderboard (50 rows of 1,000 heuristics) once a second each over 200 open streams, and 30 others
for the pages of a heuristic, a contributor and a submission: first alone, then while a runner judges submissions at low
priority beside it; then 100 connections ask for the leaderboard as fast as they can. The database has
200 contributors and 50,000 runs. With --ignore-times, what took how long is printed and not judged: a machine that does
other work breaks promises of milliseconds by itself. Exit: 0 all promises held, 1 one was broken, 77 h2load is missing.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

READERS, STREAMS = 200, 200
ALONE_MS, BUSY_MS, GROWTH = 50, 200, 0.10
PAGE = "/boards/digits"
OTHER_READERS, OTHER_PAGES = 30, ("/heuristics/heuristic-0007", "/contributors/user-3", "/submissions/5")
NUM_PUBLISHED = 3000


class Streams:
    """Live streams, each read by one task, which follows the next submission when one is at its end."""

    def __init__(self, port):
        self.port, self.next, self.num_open, self.num_ended, self.troubles = port, 0, 0, 0, []
        self.tasks = []

    async def follow(self):
        is_first = True
        while not self.troubles:
            submission, self.next = self.next, self.next + 1
            await self.read_one(submission, is_first)
            is_first = False

    async def read_one(self, submission, is_first):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(f"GET /submissions/{submission}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            status = (await reader.readline()).decode()
            if " 200 " not in status:
                self.troubles.append(status.strip())
                return
            self.num_open += is_first
            tail = b""
            while data := await reader.read(4096):
                tail = (tail + data)[-200:]
            writer.close()
            if b"event: end" not in tail:
                self.troubles.append(f"the stream of submission {submission} broke off")
            self.num_ended += 1
        except OSError as error:
            self.troubles.append(str(error))

    async def open(self, first):
        self.next = first
        self.tasks = [asyncio.create_task(self.follow()) for _ in range(STREAMS)]
        for _ in range(100):
            if self.num_open == STREAMS or self.troubles:
                return
            await asyncio.sleep(0.1)

    async def close(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s*(\d+)", status.read()).group(1))


def percentile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


async def run(*command):
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    out, _ = await process.communicate()
    return out.decode(errors="replace")


async def read_pages(port, seconds, folder, num_readers, pages):
    """What readers saw who ask for the pages in turn: milliseconds in order, answers that were no pages.

    All of them ask at the same moment of each second."""
    log = os.path.join(folder, f"times-{num_readers}")
    if os.path.exists(log):
        os.remove(log)
    text = await run("h2load", "--h1", "-c", str(num_readers), "--rps", "1", "-D", str(seconds), "-t", "1",
                     f"--log-file={log}", *(f"http://127.0.0.1:{port}{page}" for page in pages))
    times, wrong = [], 0
    with open(log, encoding="ascii") as lines:
        for line in lines:
            _, status, micros = line.split("\t")
            times.append(int(micros) / 1000)
            wrong += status != "200"
    refused = re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", text)
    wrong += sum(int(number) for number in refused.groups()) if refused else 1
    return sorted(times), wrong


async def read_all(port, seconds, folder, pid):
    """What readers of the leaderboard and those of other pages saw, and memory near the start and at the end."""
    reading = asyncio.create_task(read_pages(port, seconds, folder, READERS, [PAGE]))
    await asyncio.sleep(0.5)
    reading_others = asyncio.create_task(read_pages(port, seconds, folder, OTHER_READERS, OTHER_PAGES))
    await asyncio.sleep(min(10, seconds / 2) - 0.5)
    early = resident_kib(pid)
    board, others = await reading, await reading_others
    return board, others, early, resident_kib(pid)


def tell(name, times, wrong):
    print(f"{name}: {len(times)} pages, {wrong} errors, ms: median {percentile(times, .5):.1f}, "
          f"p99 {percentile(times, .99):.1f}, slowest {times[-1]:.1f}", flush=True)


class Busy:
    """One process for each core that never waits, at the priority that the runner has."""

    name = "processes that never wait"

    def __enter__(self):
        code = "\nwhile True: pass"
        self.processes = [subprocess.Popen(["nice", "-n", "10", sys.executable, "-c", code])
                          for _ in range(os.cpu_count())]

    def __exit__(self, *ignored):
        for process in self.processes:
            process.kill()
            process.wait()


class RealRunner:
    """A runner that judges what waits, at low priority."""

    name = "a runner that judges submissions"

    def __init__(self, runner, database, folder):
        self.command = ["nice", "-n", "10", runner, "--db", database, "--store", os.path.join(folder, "store")]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL)

    def __exit__(self, *ignored):
        self.process.terminate()
        self.process.wait()


async def load(server, port, options, folder, runner):
    broken = []
    seconds = options.seconds

    def check_pages(when, board, others, limit_ms):
        if board[1] or others[1]:
            broken.append(f"{when}: expected no error")
        if not options.ignore_times and percentile(board[0], .99) > limit_ms:
            broken.append(f"{when}: expected p99 <= {limit_ms} ms for the leaderboard")

    streams = Streams(port)
    await streams.open(NUM_PUBLISHED + 1)
    print(f"{streams.num_open} streams are open", flush=True)
    board, others, early, late = await read_all(port, seconds, folder, server.pid)
    tell("readers alone", *board)
    tell("those of other pages", *others)
    check_pages("alone", board, others, ALONE_MS)
    print(f"resident memory: {early} KiB near the start, {late} KiB at the end", flush=True)
    if late > early * (1 + GROWTH):
        broken.append(f"memory: expected at most {GROWTH:.0%} more at the end")
    with runner:
        board, others, _, _ = await read_all(port, seconds, folder, server.pid)
    tell(f"readers beside {runner.name}", *board)
    tell("those of other pages", *others)
    print(f"{streams.num_ended} streams came to their end, and were followed by others", flush=True)
    check_pages("beside work", board, others, BUSY_MS)
    if streams.troubles or streams.num_open != STREAMS:
        broken.append(f"streams: {streams.num_open} opened, troubles: {sorted(set(streams.troubles))[:3]}")
    if shutil.which("wrk"):
        text = await run("wrk", "-t1", "-c100", f"-d{max(2, min(10, seconds))}s", f"http://127.0.0.1:{port}{PAGE}")
        rate = re.search(r"Requests/sec:\s*([\d.]+)", text)
        print(f"saturated, 100 connections: {rate.group(1) if rate else text} pages a second", flush=True)
    await streams.close()
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="mash-server")
    parser.add_argument("--fill", required=True, help="fill_site")
    parser.add_argument("--runner", help="mash-runner, to judge what waits; else processes that never wait")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--ignore-times", action="store_true", help="judge errors, streams and memory, not milliseconds")
    options = parser.parse_args()
    if not shutil.which("h2load"):
        print("skipped: no h2load; install nghttp2-client")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "mash.db")
        subprocess.run([options.fill, database], check=True)
        server = subprocess.Popen(
            [options.server, "--db", database, "--port", "0", "--requests-per-second", "100000", "--log", "errors"],
            stderr=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stderr.readline()).group(1))
            runner = RealRunner(options.runner, database, folder) if options.runner else Busy()
            broken = asyncio.run(load(server, port, options, folder, runner))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    for promise in broken:
        print(f"BROKEN {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
