"""One real server of the protocol: `transformers serve`, with a tiny seeded model that speaks nonsense."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

import pytest

from groundwire.cache import Cache
from groundwire.models.chat import Chat
from groundwire.models.chat.probe import probe

pytestmark = [pytest.mark.models, pytest.mark.slow]

NEEDED = ("fastapi", "uvicorn", "accelerate", "transformers", "torch")
BUILD = """
import sys, torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
source, target = sys.argv[1:]
inner = Tokenizer(models.BPE.from_file(source + "/encoder.json", source + "/vocab.bpe"))
inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
end = "<|endoftext|>"
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token=end, bos_token=end, pad_token=end)
tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }}\\n{% endfor %}"
tokenizer.save_pretrained(target)
torch.manual_seed(0)
LlamaForCausalLM(LlamaConfig(
    vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
    max_position_embeddings=512, bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
)).save_pretrained(target)
"""


@pytest.fixture(scope="module")
def model(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = shared_data / "tokenizers" / "gpt2-bpe"
    if not source.is_dir():
        pytest.skip("the tokenizer of GPT-2 is not here")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"transformers serve needs {', '.join(missing)}")
    target = tmp_path_factory.mktemp("served") / "tiny"
    subprocess.run(
        [sys.executable, "-c", BUILD, str(source), str(target)], check=True, capture_output=True, timeout=180
    )
    return target


@pytest.fixture(scope="module")
def url(model: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = model.parent / "hub"
    (home / "hub").mkdir(parents=True)
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(home), "OMP_NUM_THREADS": "1"}
    options = ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--dtype", "float32"]
    code = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", code, "serve", *options]
    with (model.parent / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            _until_it_answers(process, port, model.parent / "log")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _until_it_answers(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = monotonic() + 150
    while monotonic() < end and process.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            sleep(0.3)
        finally:
            connection.close()
    pytest.fail(f"transformers serve did not start: {log.read_text(errors='replace')[-2000:]}")


def test_a_real_server_answers_the_same_each_time(url: str, model: Path, tmp_path: Path) -> None:
    prompts = ["Is water wet?", "Who was the first?", "é \N{GRINNING FACE}"]
    with Chat(str(model), base_url=url, concurrency=2) as chat:
        first = chat.complete(prompts, max_tokens=6)
        assert [reply.status for reply in first] == ["ok"] * 3
        assert all(reply.text and reply.prompt_tokens > 0 and 0 < reply.reply_tokens <= 6 for reply in first)
        assert len({reply.text for reply in first}) == 3
        assert chat.complete(prompts, max_tokens=6) == first
        assert chat.usage.reply_tokens == 2 * sum(reply.reply_tokens for reply in first)
    with Cache(tmp_path / "replies") as cache:
        for cached in (False, True):
            with Chat(str(model), base_url=url, cache=cache) as chat:
                got = chat.complete(prompts, max_tokens=6)
            assert [(reply.text, reply.cached) for reply in got] == [(reply.text, cached) for reply in first]


def test_it_is_probed(url: str, model: Path) -> None:
    found = {finding.name: finding for finding in probe(str(model), base_url=url)}
    assert set(found) == {"reachable", "model", "json_schema", "logprobs", "seed"}
    assert found["reachable"].ok
    assert found["model"].ok
    assert not found["json_schema"].ok, "it speaks nonsense whatever the schema"
