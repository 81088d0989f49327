#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks the login of a server, and says how long another visitor's takes.

Each attacker is an address of its own (the server is told to believe X-Real-IP) and has 20 connections that log in with
wrong passwords without end: none of them, then one, then four. Beside them one visitor logs in with a password and with
a token. Exit: 0 every login took, with a password, at most 2 s and, with a token, at most 50 ms; 1 one took longer."""

import argparse
import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

CONNECTIONS, LOGINS = 20, 5
MOST_PASSWORD_S, MOST_TOKEN_S = 2, 0.05
PASSWORD = "a long password"


def post(port, path, fields, address, cookie=""):
    """Status, headers and body of an answer to a form."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{port}",
               "X-Real-IP": address, "Cookie": cookie}
    connection.request("POST", path, urllib.parse.urlencode(fields), headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, body


def make_account(port):
    """A user with that password; returns a token."""
    status, headers, _ = post(port, "/register", {"name": "ada", "password": PASSWORD}, "192.0.2.1")
    assert status == 303, status
    cookie = headers["Set-Cookie"].split(";")[0]
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/me", headers={"Cookie": cookie})
    form_token = re.search(r'name="form_token" value="(\w+)"', connection.getresponse().read().decode()).group(1)
    fields = {"label": "load", "scope": "submit", "form_token": form_token}
    status, _, body = post(port, "/me/tokens", fields, "192.0.2.1", cookie)
    assert status == 201, status
    return re.search(r'class="secret">([^<]+)<', body).group(1)


def attack(port, address, is_over):
    while not is_over.is_set():
        try:
            post(port, "/login", {"name": "ada", "password": "not this one"}, address)
        except OSError:
            pass


def slowest(port, password):
    """Seconds of the slowest of some logins of a visitor who is no attacker."""
    seconds = 0
    for _ in range(LOGINS):
        begin = time.monotonic()
        status, _, _ = post(port, "/login", {"name": "ada", "password": password}, "192.0.2.2")
        seconds = max(seconds, time.monotonic() - begin)
        if status != 303:
            return float("inf")
    return seconds


def measure(port, num_attackers, token):
    is_over = threading.Event()
    threads = [threading.Thread(target=attack, args=(port, f"198.51.100.{i + 1}", is_over))
               for i in range(num_attackers) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(0.5)
        return slowest(port, PASSWORD), slowest(port, token)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="mash-server")
    options = parser.parse_args()
    is_broken = False
    with tempfile.TemporaryDirectory() as folder:
        # Without limits of posts and logins, so that only the turns hold the attackers.
        server = subprocess.Popen(
            [options.server, "--db", os.path.join(folder, "mash.db"), "--port", "0", "--registration", "open",
             "--trusted-proxy", "--posts-per-minute", "1000000", "--logins-per-minute", "1000000"],
            stderr=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stderr.readline()).group(1))
            threading.Thread(target=server.stderr.read, daemon=True).start()
            token = make_account(port)
            for num_attackers in (0, 1, 4):
                by_password, by_token = measure(port, num_attackers, token)
                is_broken |= by_password > MOST_PASSWORD_S or by_token > MOST_TOKEN_S
                print(f"{num_attackers} attackers: with a password {by_password:.2f} s, "
                      f"with a token {1000 * by_token:.0f} ms", flush=True)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    return 1 if is_broken else 0


if __name__ == "__main__":
    sys.exit(main())
