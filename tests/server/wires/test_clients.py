"""The services' own clients, and plain HTTP as their documentation shows it, against the server on a real port with a key.

boto3 sends a bearer token over TLS alone, so it meets the server as it would behind a proxy that ends TLS.
"""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from groundwire.server.app import build
from groundwire.server.settings import Settings
from groundwire.types import Entailment

from .conftest import OPEN, SUPPORTED, Scripted

KEY = "a-key-of-more-than-sixteen-characters"
ANSWER = "Tokyo is the capital of Japan. It has 99 million people."
SOURCE = "London is the capital of UK. Tokyo is the capital of Japan."
QUERY = "What is the capital of Japan?"
TRUE, FALSE = ANSWER[:30], ANSWER[31:]


class Shared(Scripted):
    """An engine that ranks by the words that two texts share."""

    async def score(self, pairs: Sequence[tuple[str, str]], ticket: Any) -> list[float]:
        return [len(set(a.lower().split()) & set(b.lower().split())) - 2.0 for a, b in pairs]


@contextmanager
def listening(*keys: str, **tls: Any) -> Iterator[str]:
    """Serve on a free port of this machine, in a thread; `tls` are uvicorn's certificate and key."""
    engine = Shared(
        claims=[(TRUE, SUPPORTED, 0.9, [(0, TRUE, 0.95)]), (FALSE, OPEN, 0.1, [(0, TRUE, 0.1)])],
        entailments=[Entailment(supports=0.7, refutes=0.1, neutral=0.2)],
    )
    app: Any = build(Settings(keys=keys), engine)  # type: ignore[arg-type]
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan="on", **tls))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.01)
    yield f"http{'s' if tls else ''}://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with listening(KEY) as address:
        yield address


def content(answer: str) -> list[Any]:
    return [
        {"text": {"text": SOURCE, "qualifiers": ["grounding_source"]}},
        {"text": {"text": QUERY, "qualifiers": ["query"]}},
        {"text": {"text": answer, "qualifiers": ["guard_content"]}},
    ]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a key and its own certificate for localhost."""
    x509 = pytest.importorskip("cryptography.x509")
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    key = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec").generate_private_key(
        pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec").SECP256R1()
    )
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, pytest.importorskip("cryptography.hazmat.primitives.hashes").SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = tmp_path_factory.mktemp("tls") / "localhost.pem"
    path.write_bytes(plain + signed.public_bytes(pem))
    return path


Bedrock = Callable[[str], Any]


@pytest.fixture(scope="module")
def secured(certificate: Path) -> Iterator[str]:
    with listening(KEY, ssl_certfile=str(certificate)) as address:
        yield address


@pytest.fixture
def bedrock(secured: str, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bedrock]:
    """Return what makes a client with a key."""
    boto3 = pytest.importorskip("boto3")
    config = pytest.importorskip("botocore.config").Config(retries={"max_attempts": 0})
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    made = []

    def client(key: str) -> Any:
        monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", key)
        options = {"endpoint_url": secured, "verify": str(certificate), "config": config}
        made.append(boto3.client("bedrock-runtime", region_name="us-east-1", **options))
        return made[-1]

    yield client
    for one in made:
        one.close()


SAID = (Path(__file__).resolve().parents[3] / "docs" / "serve.md").read_text(encoding="utf-8")
[DOCUMENTED] = re.findall(r'guardrailIdentifier="([^"]*)"', SAID)


@pytest.mark.parametrize(
    "identifier", ["abc123", "arn:aws:bedrock:us-east-1:123456789012:guardrail/abc123", DOCUMENTED]
)
def test_boto3_applies_a_guardrail(bedrock: Bedrock, identifier: str) -> None:
    answer = bedrock(KEY).apply_guardrail(
        guardrailIdentifier=identifier, guardrailVersion="DRAFT", source="OUTPUT", content=content(ANSWER)
    )
    assert answer["action"] == "GUARDRAIL_INTERVENED"
    grounding, relevance = answer["assessments"][0]["contextualGroundingPolicy"]["filters"]
    assert (grounding["type"], grounding["action"], grounding["score"]) == ("GROUNDING", "BLOCKED", 0.1)
    assert (relevance["type"], relevance["action"]) == ("RELEVANCE", "NONE")
    assert answer["usage"]["contextualGroundingPolicyUnits"] == 1


def test_boto3_names_the_errors(bedrock: Bedrock) -> None:
    asked = {"guardrailIdentifier": "abc", "guardrailVersion": "1", "source": "OUTPUT"}
    client = bedrock(KEY)
    with pytest.raises(client.exceptions.ValidationException, match="no source"):
        client.apply_guardrail(**asked, content=content(ANSWER)[2:])
    stranger = bedrock("another-key-that-nobody-has")
    with pytest.raises(stranger.exceptions.AccessDeniedException, match="key"):
        stranger.apply_guardrail(**asked, content=content(ANSWER))


def test_cohere_reranks(address: str) -> None:
    cohere = pytest.importorskip("cohere")
    documents = ["Carson City.", "Tokyo is the capital of Japan.", "The weather"]
    with httpx.Client() as client:
        co = cohere.ClientV2(api_key=KEY, base_url=address, httpx_client=client)
        answer = co.rerank(model="rerank-v3.5", query=QUERY, documents=documents, top_n=2)
        assert [(one.index, round(one.relevance_score, 3)) for one in answer.results] == [(1, 0.881), (2, 0.269)]
        assert answer.id
        assert answer.meta.billed_units.search_units == 0
        with pytest.raises(cohere.BadRequestError, match="must not be empty"):
            co.rerank(model="rerank-v3.5", query=QUERY, documents=[])
        with pytest.raises(cohere.UnauthorizedError):
            cohere.ClientV2(api_key="x", base_url=address, httpx_client=client).rerank(
                model="m", query=QUERY, documents=documents
            )


def test_huggingface_hub_classifies_pairs_and_asks_how_it_is(address: str) -> None:
    hub = pytest.importorskip("huggingface_hub")
    client = hub.InferenceClient(provider="hf-inference", token=KEY)
    labels = client.text_classification([["premise", "claim"]], model=f"{address}/predict")
    assert [(one.label, one.score) for one in labels] == [
        ("entailment", 0.7),
        ("neutral", 0.2),
        ("contradiction", 0.1),
    ]
    assert client.health_check(model=address)
    assert client.get_endpoint_info(model=address)["max_client_batch_size"] == 32
    with pytest.raises(hub.errors.HfHubHTTPError):
        client.text_classification("one text alone", model=f"{address}/predict")


def test_lettucedetects_client_finds_spans() -> None:
    client = pytest.importorskip("lettucedetect_api.client")
    with listening() as address:  # that client sends no key
        found = client.LettuceClient(address).detect_spans(contexts=[SOURCE], question=QUERY, answer=ANSWER)
        assert [(one.start, one.end, one.text, one.hallucination_score) for one in found.predictions] == [
            (31, 56, FALSE, 0.9)
        ]
        with pytest.raises(client.HTTPError):
            client.LettuceClient(address).detect_spans(contexts=[], question=QUERY, answer=ANSWER)


def test_googles_client_checks_grounding(address: str) -> None:
    engine = pytest.importorskip("google.cloud.discoveryengine_v1")
    transports = pytest.importorskip("google.cloud.discoveryengine_v1.services.grounded_generation_service.transports")
    credentials = pytest.importorskip("google.oauth2.credentials").Credentials(KEY)
    transport = transports.GroundedGenerationServiceRestTransport(
        host=address.removeprefix("http://"), credentials=credentials, url_scheme="http"
    )
    answer = engine.GroundedGenerationServiceClient(transport=transport).check_grounding(
        engine.CheckGroundingRequest(
            grounding_config="projects/p/locations/global/groundingConfigs/default_grounding_config",
            answer_candidate=ANSWER,
            facts=[engine.GroundingFact(fact_text=SOURCE, attributes={"author": "x"})],
            grounding_spec=engine.CheckGroundingSpec(citation_threshold=0.6, enable_claim_level_score=True),
        )
    )
    assert answer.support_score == pytest.approx(0.5)
    assert [(chunk.chunk_text, chunk.source) for chunk in answer.cited_chunks] == [(TRUE, "0")]
    assert [(claim.start_pos, claim.end_pos, list(claim.citation_indices)) for claim in answer.claims] == [
        (0, 30, [0]),
        (31, 56, []),
    ]


REQUESTS = {
    "/v1/projects/p/locations/global/groundingConfigs/g:check": (
        "authorization",
        f"Bearer {KEY}",
        {"answerCandidate": ANSWER, "facts": [{"factText": SOURCE}]},
        lambda told: told["supportScore"] == pytest.approx(0.5),
    ),
    "/contentsafety/text:detectGroundedness?api-version=2024-09-15-preview": (
        "Ocp-Apim-Subscription-Key",
        KEY,
        {"task": "QnA", "qna": {"query": QUERY}, "text": ANSWER, "groundingSources": [SOURCE]},
        lambda told: told["ungroundedDetails"][0]["text"] == FALSE,
    ),
    "/rerank": (
        "Authorization",
        f"Bearer {KEY}",
        {"query": QUERY, "texts": ["x", TRUE]},
        lambda told: [one["index"] for one in told] == [1, 0],
    ),
    "/v1/lettucedetect/spans": (
        "x-api-key",
        KEY,
        {"contexts": [SOURCE], "question": QUERY, "answer": ANSWER},
        lambda told: told["predictions"][0]["text"] == FALSE,
    ),
}


@pytest.mark.parametrize("path", REQUESTS)
def test_a_request_as_documented_is_answered_with_a_key_and_refused_without(address: str, path: str) -> None:
    header, value, body, right = REQUESTS[path]
    answer = httpx.post(address + path, json=body, headers={header: value})
    assert answer.status_code == 200
    assert right(answer.json())
    refused = httpx.post(address + path, json=body)
    assert refused.status_code == 401
    assert "an API key is needed" in refused.text


def test_a_served_process_ranks_and_judges_for_its_clients(served: str) -> None:
    cohere = pytest.importorskip("cohere")
    hub = pytest.importorskip("huggingface_hub")
    with httpx.Client() as client:
        co = cohere.ClientV2(api_key="none is asked", base_url=served, httpx_client=client)
        ranked = co.rerank(model="rerank-v3.5", query=QUERY, documents=["The weather is fine.", TRUE])
    assert [one.index for one in ranked.results] == [1, 0]
    pairs = [["Tokyo is the capital of Japan, and its largest city.", TRUE]]
    best = hub.InferenceClient(provider="hf-inference", token="x").text_classification(pairs, model=f"{served}/predict")
    assert best[0].label == "entailment"
