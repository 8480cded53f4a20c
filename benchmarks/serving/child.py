"""A server in a process of its own, as an operator would start it, and what can be seen of it from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
_SAID = "groundwire listens on http://"
START_SECONDS, END_SECONDS = 120.0, 40.0


@dataclass(slots=True)
class Running:
    """A server that answers. `log` is its standard error."""

    process: subprocess.Popen[bytes]
    host: str
    port: int
    log: Path | None = None

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.process.send_signal(signal.SIGTERM)

    def ended(self) -> int | None:
        """Wait for the end; return the exit code, None for a server that had to be killed."""
        try:
            return self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    @property
    def memory(self) -> int:
        """Resident memory in bytes."""
        return self._status("VmRSS") * 1024

    @property
    def threads(self) -> int:
        """Threads of the process."""
        return self._status("Threads")

    @property
    def descriptors(self) -> int:
        """Open descriptors of the process."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def cpu_seconds(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _status(self, name: str) -> int:
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


@contextmanager
def groundwire(
    *args: str, keys: Sequence[str] = (), cores: set[int] | None = None, ready: bool = True
) -> Iterator[Running]:
    """Run `groundwire serve` on a free port, on these cores; give it when it is ready, and end it."""
    environment = {**os.environ, "GROUNDWIRE_SERVER_KEYS": ",".join(keys)}
    command = [sys.executable, "-m", "groundwire", "serve", "--port", "0", *args]
    with tempfile.TemporaryDirectory(prefix="groundwire-") as folder:
        log = Path(folder) / "stderr"
        with log.open("wb") as file:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file, env=environment)
        if cores:
            os.sched_setaffinity(process.pid, cores)
        with _stopped(process):
            host, port = _address(process, log)
            running = Running(process, host, port, log)
            if ready:
                wait_ready(running, "/readyz", keys[0] if keys else None)
            yield running


@contextmanager
def peer(threads: int, environment: dict[str, str], port: int) -> Iterator[Running]:
    """Run the peer's server; give it when it answers."""
    command = [sys.executable, "-m", "serving.peer", str(port), str(threads)]
    process = subprocess.Popen(
        command,
        cwd=BENCHMARKS,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with _stopped(process):
        running = Running(process, "127.0.0.1", port)
        wait_ready(running, "/docs", None)
        yield running


def wait_ready(running: Running, path: str, key: str | None) -> None:
    """Wait until this path is answered with 200."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and running.process.poll() is None:
        try:
            connection = HTTPConnection(running.host, running.port, timeout=10)
            connection.request("GET", path, headers={"x-api-key": key} if key else {})
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.05)
    raise SystemExit(f"the server of {path} did not start: {_told(running.log)}")


@contextmanager
def _stopped(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> tuple[str, int]:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if _SAID in line and not line.startswith("{"):
                host, _, port = line.partition(_SAID)[2].strip().rpartition(":")
                return host, int(port)
        time.sleep(0.02)
    raise SystemExit(f"the server did not start: {_told(log)}")


def _told(log: Path | None) -> str:
    return "" if log is None else log.read_text(encoding="utf-8", errors="replace")[-2000:]
