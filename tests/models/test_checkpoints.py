import socket
from pathlib import Path

import pytest

from groundwire.errors import GroundwireError, InputError, NetworkError, Unavailable
from groundwire.models.checkpoints import FolderHub, HuggingFaceHub, module_files, tokenizer_files, weight_files


def test_one_file_of_safetensors_is_chosen_and_nothing_else() -> None:
    names = ["README.md", "config.json", "model.safetensors", "pytorch_model.bin", "onnx/model.onnx", "modeling_x.py"]
    assert weight_files("org/name", names) == ["config.json", "model.safetensors"]


def test_shards_come_with_their_index() -> None:
    shards = ["model-00002-of-00002.safetensors", "model-00001-of-00002.safetensors"]
    names = ["config.json", "model.safetensors.index.json", *shards]
    assert weight_files("org/name", names) == ["config.json", "model.safetensors.index.json", *sorted(shards)]


def test_a_pickle_is_refused_with_the_way_to_safetensors() -> None:
    with pytest.raises(Unavailable, match=r"pytorch_model\.bin, a pickle, which is never loaded") as caught:
        weight_files("org/name", ["config.json", "pytorch_model.bin"])
    assert "safetensors" in caught.value.hint
    assert "--checkpoint" in caught.value.hint


@pytest.mark.parametrize(
    "names", [[], ["config.json"], ["model.safetensors"], ["config.json", "model.safetensors.index.json"]]
)
def test_what_is_no_checkpoint_is_an_error(names: list[str]) -> None:
    with pytest.raises(Unavailable, match="no checkpoint of ours"):
        weight_files("org/name", names)


def test_tokenizer_files_are_taken_by_name() -> None:
    assert tokenizer_files(
        ["spm.model", "tokenizer_config.json", "tokenizer.py", "model.safetensors", "sub/vocab.txt"]
    ) == [
        "spm.model",
        "tokenizer_config.json",
    ]


def test_files_of_a_sentence_encoders_modules_are_taken() -> None:
    wanted = [
        "1_Pooling/config.json",
        "2_Dense/config.json",
        "2_Dense/model.safetensors",
        "config_sentence_transformers.json",
    ]
    wanted += ["modules.json", "sentence_bert_config.json"]
    others = [
        "config.json",
        "onnx/config.json",
        "2_Dense/pytorch_model.bin",
        "1_Pooling/a/config.json",
        "model.safetensors",
    ]
    assert module_files([*others, *wanted]) == wanted


def test_a_folder_lists_the_files_of_its_folders(tmp_path: Path) -> None:
    (tmp_path / "1_Pooling").mkdir()
    for name in ("modules.json", "1_Pooling/config.json"):
        (tmp_path / name).write_text("{}")
    assert FolderHub(tmp_path).files("any/repo", "main").names == ("1_Pooling/config.json", "modules.json")


def test_a_folder_stands_in_for_the_hub(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    hub = FolderHub(tmp_path)
    listing = hub.files("any/repo", "main")
    assert (listing.commit, listing.names) == ("local", ("config.json",))
    assert hub.fetch("any/repo", "local", ["config.json"]) == tmp_path
    with pytest.raises(InputError, match="is not a folder"):
        FolderHub(tmp_path / "absent").files("any/repo", "main")


class TestTheHubsClient:
    @pytest.fixture(autouse=True)
    def client(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        constants = pytest.importorskip("huggingface_hub.constants", reason="the extra `hub` is not installed")
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))

    @pytest.fixture
    def sockets(self, monkeypatch: pytest.MonkeyPatch) -> list[object]:
        opened: list[object] = []

        def refuse(*address: object) -> None:
            opened.append(address)
            raise OSError("no network here")

        monkeypatch.setattr(socket.socket, "connect", refuse)
        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        return opened

    def test_offline_opens_no_socket(self, sockets: list[object]) -> None:
        with pytest.raises(NetworkError, match="org/name at revision main is not in the hub's local cache") as caught:
            HuggingFaceHub(offline=True).files("org/name", "main")
        assert "without --offline" in caught.value.hint
        assert sockets == []

    def test_a_hub_that_cannot_be_reached_is_one_line(self, sockets: list[object]) -> None:
        with pytest.raises(NetworkError) as caught:
            HuggingFaceHub().files("org/name", "main")
        assert sockets
        assert caught.value.exit_code == 3
        assert "org/name at revision main" in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("error", "expected", "words"),
        [
            ("GatedRepoError", Unavailable, "is gated"),
            ("RepositoryNotFoundError", Unavailable, "the hub shows no"),
            ("RevisionNotFoundError", Unavailable, "the hub shows no"),
            ("HfHubHTTPError", NetworkError, "could not be reached"),
        ],
    )
    def test_what_the_hub_answers_is_told_in_our_words(
        self, error: str, expected: type[GroundwireError], words: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import huggingface_hub
        from huggingface_hub import errors

        kind = getattr(errors, error)

        def answer(*_: object, **__: object) -> None:
            raise kind.__new__(kind, "503 of the hub\nwith a long page")

        monkeypatch.setattr(huggingface_hub.HfApi, "model_info", answer)
        with pytest.raises(expected, match=words) as caught:
            HuggingFaceHub().files("org/name", "main")
        assert type(caught.value) is expected
        assert "\n" not in str(caught.value)
