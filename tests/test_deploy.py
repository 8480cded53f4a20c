"""What deploy/ holds is safe as it stands, and speaks of the server as it is: its options, limits, routes and metrics."""

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("yaml", reason="PyYAML is not installed")
pytest.importorskip("prometheus_client", reason="the extra server is not installed")

import yaml

from groundwire.cli.serve import mcp_command, serve_command
from groundwire.server.metrics import Metrics
from groundwire.server.settings import Limits

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
ROOT = DEPLOY.parent
NAMES = re.compile(r"\b(?:groundwire|process)_[a-z0-9_]+")
GIVEN_BY_PROMETHEUS = {"up"}
OF_THE_PROCESS = {"process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds"}
"""What prometheus_client says of a process, where the system tells it: on Linux."""
SECRETS = re.compile(r"key|token|secret|password", re.IGNORECASE)
STATE = dict.fromkeys(("queue_tokens", "queue_limit", "jobs", "rate_tokens_s", "batches", "items", "tokens"), 1)


def read(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions with their arguments, continued lines joined."""
    text = re.sub(r"^#.*\n", "", read("Dockerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in text.splitlines() if line.strip()]


def those(kind: str) -> list[str]:
    return [rest for name, rest in instructions() if name == kind]


USER = those("USER")[-1]


def test_the_base_is_named_by_a_tag_that_says_its_version() -> None:
    (default,) = those("ARG")
    assert re.fullmatch(r"PYTHON=3\.1[1-9]-slim-[a-z]+", default)
    assert {base.split()[0] for base in those("FROM")} == {"python:${PYTHON}"}


def test_the_image_runs_as_a_number_that_is_not_root() -> None:
    kinds = [name for name, _ in instructions()]
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", USER)
    assert kinds.index("USER") > len(kinds) - 1 - kinds[::-1].index("FROM"), "USER stands in the last stage"
    assert "RUN" not in kinds[kinds.index("USER") :]


def test_the_image_holds_no_secret_and_fetches_nothing_but_the_package() -> None:
    assert those("ADD") == []
    assert not [line for line in those("ENV") + those("ARG") + those("LABEL") if SECRETS.search(line)]
    assert not re.search(r"curl|wget|apt-get|chmod 777|sudo", "\n".join(rest for _, rest in instructions()))
    assert [line for line in those("RUN") if "install" in line] == [
        '/opt/groundwire/bin/pip install --no-cache-dir --compile ".[server]"'
    ]


def test_what_is_copied_is_there_and_let_through() -> None:
    allowed = {line[1:] for line in read("Dockerfile.dockerignore").splitlines() if line.startswith("!")}
    copied = {part for line in those("COPY") if not line.startswith("--from") for part in line.split()[:-1]}
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)
    assert read("Dockerfile.dockerignore").splitlines()[1] == "*"


def test_the_image_is_healthy_when_it_lives() -> None:
    (check,) = those("HEALTHCHECK")
    command = json.loads(check.partition("CMD ")[2])
    assert command == ["python", "-IS", "/opt/groundwire/probe.py", "/livez"]
    assert "deploy/probe.py /opt/groundwire/probe.py" in those("COPY")


def test_the_process_gets_its_signals_and_starts_only_with_a_key() -> None:
    (entry,) = map(json.loads, those("ENTRYPOINT"))  # as a list: no shell stands between it and SIGTERM
    assert entry == ["groundwire", "serve", "--host", "0.0.0.0", "--port", "8100"]
    assert those("STOPSIGNAL") == ["SIGTERM"]


def test_hadolint_has_nothing_to_say() -> None:
    found = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    if found is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run([found, str(DEPLOY / "Dockerfile")], capture_output=True, text=True, timeout=60)
    assert done.stdout == ""


def options() -> set[str]:
    return {name for parameter in serve_command.params for name in parameter.opts}


def used(arguments: list[str]) -> set[str]:
    return {argument.partition("=")[0] for argument in arguments if argument.startswith("--")}


def test_what_compose_suggests_is_an_option_of_the_server() -> None:
    suggested = re.findall(r"^ *# - (--[a-z-]+)", read("compose.yaml"), flags=re.MULTILINE)
    assert {"--index", "--allow-host"} <= set(suggested)
    assert set(suggested) <= {name for parameter in serve_command.params for name in parameter.opts}


def test_compose_gives_nothing_away() -> None:
    document = yaml.safe_load(read("compose.yaml"))
    (server,) = document["services"].values()
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert server["security_opt"] == ["no-new-privileges:true"]
    assert all("noexec" in mount for mount in server["tmpfs"])
    assert server["user"] == USER
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])
    assert all(volume.endswith(":ro") for volume in server["volumes"])
    assert (server["mem_limit"], server["pids_limit"]) == ("2g", 256)
    assert "privileged" not in server
    assert "environment" not in server, "a key comes from a secret, or from a file that is not in the repository"
    assert int(server["stop_grace_period"].removesuffix("s")) > Limits().drain_seconds
    assert used(server["command"]) <= options()
    assert f"/run/secrets/{server['secrets'][0]}" in server["command"]


@pytest.fixture(scope="module")
def cluster() -> dict[str, dict[str, Any]]:
    return {document["kind"]: document for document in yaml.safe_load_all(read("kubernetes.yaml"))}


@pytest.fixture(scope="module")
def pod(cluster: dict[str, dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = cluster["Deployment"]["spec"]["template"]["spec"]
    return found


def test_a_pod_has_no_rights_that_it_does_not_need(pod: dict[str, Any]) -> None:
    (container,) = pod["containers"]
    own, whole = container["securityContext"], pod["securityContext"]
    assert own["readOnlyRootFilesystem"] is True
    assert own["allowPrivilegeEscalation"] is own["privileged"] is False
    assert own["capabilities"] == {"drop": ["ALL"]}
    assert whole["runAsNonRoot"] is True
    assert f"{whole['runAsUser']}:{whole['runAsGroup']}" == USER
    assert whole["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
    assert not any("hostPath" in volume for volume in pod["volumes"])
    assert "env" not in container


def test_the_index_is_only_read_and_the_key_is_a_secret(pod: dict[str, Any]) -> None:
    (container,) = pod["containers"]
    mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert mounts["indexes"]["readOnly"] is volumes["indexes"]["persistentVolumeClaim"]["readOnly"] is True
    assert volumes["keys"]["secret"]["defaultMode"] == 0o440
    assert f"--key-file={mounts['keys']['mountPath']}/keys" in container["args"]
    assert volumes["tmp"]["emptyDir"]["sizeLimit"]


def test_a_pod_has_resources_and_all_three_probes(pod: dict[str, Any]) -> None:
    (container,) = pod["containers"]
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
    for name in ("startupProbe", "readinessProbe"):
        command = container[name]["exec"]["command"]
        assert command[:4] == ["python", "-IS", "/opt/groundwire/probe.py", "/readyz"]
        assert f"--key-file={command[5]}" in container["args"]
    start = container["startupProbe"]
    assert start["periodSeconds"] * start["failureThreshold"] >= 60


def test_a_pod_may_end_what_it_began(pod: dict[str, Any], cluster: dict[str, dict[str, Any]]) -> None:
    assert pod["terminationGracePeriodSeconds"] > Limits().drain_seconds
    assert "lifecycle" not in pod["containers"][0]
    assert cluster["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert used(pod["containers"][0]["args"]) <= options()


def test_the_parts_of_the_cluster_name_one_another(cluster: dict[str, dict[str, Any]], pod: dict[str, Any]) -> None:
    label = cluster["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert set(cluster) == {
        "Deployment", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget", "NetworkPolicy",
    }  # fmt: skip
    assert cluster["Service"]["spec"]["selector"] == label
    assert cluster["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == label
    assert cluster["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == label
    assert cluster["NetworkPolicy"]["spec"]["policyTypes"] == ["Ingress", "Egress"]
    assert cluster["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["name"] == "groundwire"
    assert {document["metadata"]["name"] for document in cluster.values()} == {"groundwire"}
    assert [port["name"] for port in pod["containers"][0]["ports"]] == ["http"]


def test_replicas_are_scaled_by_the_queue(cluster: dict[str, dict[str, Any]]) -> None:
    (metric,) = cluster["HorizontalPodAutoscaler"]["spec"]["metrics"]
    (rule,) = yaml.safe_load(read("prometheus-adapter.yaml"))["rules"]["custom"]
    name = metric["pods"]["metric"]["name"]
    assert re.fullmatch(rule["name"]["matches"], name)
    assert rule["name"]["as"] == name
    assert name in metrics()
    assert int(metric["pods"]["target"]["averageValue"]) <= Limits().queue_tokens // 4


def metrics() -> set[str]:
    """Return the names of all series that a server has."""
    made = Metrics(lambda: STATE)
    names = set(OF_THE_PROCESS)
    for family in made.registry.collect():
        names.add(family.name)
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(family.type, ())
        names |= {family.name + end for end in ends}
        names -= {family.name} if ends else set()
    return names


def expressions() -> list[str]:
    panels = json.loads(read("grafana.json"))
    shown = [target["expr"] for panel in panels["panels"] for target in panel["targets"]]
    listed = [v["query"]["query"] for v in panels["templating"]["list"] if v["type"] == "query"]
    rules = [rule["expr"] for group in yaml.safe_load(read("alerts.yaml"))["groups"] for rule in group["rules"]]
    return [*shown, *listed, *rules]


@pytest.mark.parametrize("expression", expressions())
def test_every_query_names_metrics_that_exist(expression: str) -> None:
    named = set(NAMES.findall(expression))
    assert named or GIVEN_BY_PROMETHEUS & set(re.findall(r"\w+", expression))
    assert named <= metrics()
    assert expression.count("(") == expression.count(")")


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    shown = {re.sub(r"_(total|bucket|sum|count)$", "", name) for text in expressions() for name in NAMES.findall(text)}
    ours = {family.name for family in Metrics(lambda: STATE).registry.collect() if family.name.startswith("groundwire")}
    assert ours <= shown


def test_the_dashboard_is_laid_out() -> None:
    dashboard = json.loads(read("grafana.json"))
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert len({(p["gridPos"]["x"], p["gridPos"]["y"]) for p in panels}) == len(panels)
    assert all(panel["title"] and panel["description"] for panel in panels)
    assert {panel["datasource"]["uid"] for panel in panels} == {"${source}"}


def test_alerts_say_what_they_mean() -> None:
    (group,) = yaml.safe_load(read("alerts.yaml"))["groups"]
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    for rule in group["rules"]:
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert f"`{rule['alert']}`" in page


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_a_process_says_what_the_dashboard_shows_of_it() -> None:
    text = Metrics(lambda: STATE).text().decode()
    assert {name for name in OF_THE_PROCESS if f"\n{name} " in text} == OF_THE_PROCESS


def test_the_client_of_the_documentation_starts_a_server_that_there_is() -> None:
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    block = page.partition("```json file=mcp.json\n")[2].partition("```")[0]
    (client,) = json.loads(block)["mcpServers"].values()
    assert (client["command"], client["args"][:2]) == ("groundwire", ["serve", "mcp"])
    assert used(client["args"]) <= {name for parameter in mcp_command.params for name in parameter.opts}


def test_prometheus_sends_a_key() -> None:
    (job,) = yaml.safe_load(read("prometheus.yaml"))["scrape_configs"]
    assert job["authorization"].keys() == {"credentials_file"}
    given = {rule.get("target_label") for rule in job["relabel_configs"]}
    assert {"namespace", "pod"} <= given


@contextmanager
def answering(code: int, wanted: str | None = None) -> Iterator[int]:
    """Serve one status, 401 without the key that is wanted; yield the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = wanted is None or self.headers.get("Authorization") == f"Bearer {wanted}"
            self.send_response(code if known else 401)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def probe(*arguments: str) -> int:
    command = [sys.executable, "-IS", str(DEPLOY / "probe.py"), *arguments]
    return subprocess.run(command, capture_output=True, timeout=30).returncode


@pytest.mark.parametrize(("code", "exit_code"), [(200, 0), (503, 1), (401, 1)])
def test_the_probe_says_what_the_server_says(code: int, exit_code: int) -> None:
    with answering(code) as port:
        assert probe("/livez", "--port", str(port)) == exit_code


def test_the_probe_sends_the_first_key(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("# the new one\n\n first-key-of-two \nsecond-key-of-two\n", encoding="utf-8")
    with answering(200, "first-key-of-two") as port:
        assert probe("/readyz", "--port", str(port), "--key-file", str(keys)) == 0
        assert probe("/readyz", "--port", str(port)) == 1


def test_the_probe_fails_where_nobody_answers(tmp_path: Path) -> None:
    with answering(200) as port:
        pass
    assert probe("/livez", "--port", str(port)) == 1
    assert probe("/livez", "--port", str(port), "--key-file", str(tmp_path / "none")) == 1
