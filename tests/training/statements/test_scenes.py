"""The scenes are sound, use all that they draw, and give nothing away; a file that is not sound is refused by name."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from groundwire.errors import InputError
from groundwire.text import content_terms
from groundwire.training.statements.facts import Fact, Scene
from groundwire.training.statements.scenes import Frame, load_scenes
from groundwire.training.statements.slots import filled, used

FRAMES = load_scenes()
SEEDS = range(40)
WORDS = tomllib.loads((files("groundwire.training.statements") / "words.toml").read_text(encoding="utf-8"))
POINTING = {"it", "they", "he", "she", "this", "these", "their", "its", "his", "her"}

SOUND = """
[door]
open = ["The {what} is old."]
[door.draw]
what = "things"
[[door.facts]]
says = ["The {what} is open."]
true = ["The {what} is not shut."]
false = ["The {what} is shut."]
"""


def sentences(scene: Scene) -> Iterator[str]:
    yield from scene.open
    for fact in scene.facts:
        yield from (*fact.says, *fact.then, *fact.true, *fact.false)


def facts(frame: Frame) -> Iterator[Fact]:
    return (fact for seed in SEEDS for fact in frame.draw(Random(seed)).facts)


def a_folder(path: Path, scene: str, words: str = 'things = ["door", "gate"]\nnothing = []') -> Path:
    (path / "scenes").mkdir()
    (path / "scenes" / "one.toml").write_text(scene, encoding="utf-8")
    (path / "words.toml").write_text(words, encoding="utf-8")
    return path


def test_there_are_many_scenes_and_each_has_its_own_name() -> None:
    names = [frame.name for frame in FRAMES]
    assert len(names) == len(set(names)) >= 28


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.name)
class TestScene:
    def test_draws_are_seeded_and_differ(self, frame: Frame) -> None:
        assert frame.draw(Random(1)) == frame.draw(Random(1))
        assert len({frame.draw(Random(seed)).facts for seed in SEEDS}) > 20

    def test_sentences_are_finished(self, frame: Frame) -> None:
        for seed in SEEDS:
            for sentence in sentences(frame.draw(Random(seed))):
                assert sentence.endswith(".")
                assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] in "im", sentence
                assert not set("{}") & set(sentence)
                assert "  " not in sentence

    def test_no_claim_is_both_backed_and_denied(self, frame: Frame) -> None:
        for seed in SEEDS:
            scene = frame.draw(Random(seed))
            true = [claim for fact in scene.facts for claim in fact.true]
            false = [claim for fact in scene.facts for claim in fact.false]
            assert not set(true) & set(false)
            assert not set(scene.open) & {*true, *false}

    def test_no_claim_is_decided_by_two_facts(self, frame: Frame) -> None:
        for seed in SEEDS:
            claims = [c for fact in frame.draw(Random(seed)).facts for c in {*fact.true, *fact.false, *fact.says}]
            assert len(claims) == len(set(claims))

    def test_what_a_fact_denies_is_never_what_it_says(self, frame: Frame) -> None:
        for fact in facts(frame):
            assert not set(fact.says + fact.then) & set(fact.false)

    def test_tellings_stand_alone(self, frame: Frame) -> None:
        """A telling may point ("they") only to what stands in the same sentence, or be one that is to follow."""
        for fact in facts(frame):
            for telling in fact.says:
                first = telling.lower().split()[0]
                assert first not in POINTING or telling.startswith("It was on "), telling

    def test_words_in_common_do_not_tell_true_from_false(self, frame: Frame) -> None:
        shares: dict[bool, list[float]] = {True: [], False: []}
        for fact in facts(frame):
            told = [set(content_terms(telling)) for telling in fact.says]
            for truth, claims in ((True, fact.true), (False, fact.false)):
                for terms in (set(content_terms(claim)) for claim in claims):
                    shares[truth] += [len(terms & words) / max(1, len(terms)) for words in told]
        means = {truth: sum(found) / len(found) for truth, found in shares.items()}
        assert abs(means[True] - means[False]) < 0.16

    def test_every_field_that_the_scene_writes_down_is_used(self, frame: Frame) -> None:
        slots = {slot for template in frame.templates() for slot in used(template)}
        slots |= {name for draw in frame.draws for name in draw.needs()}
        written = [d for d in frame.draws if len(d.lists) == 1 and d.lists[0] not in WORDS.values()]
        fields = {f for draw in written for name in draw.names for f in filled(name, draw.lists[0][0])}
        assert fields <= slots


def test_every_list_of_words_is_used_and_holds_each_word_once() -> None:
    drawn = [words for frame in FRAMES for draw in frame.draws for words in draw.lists]
    for name, words in WORDS.items():
        assert words in drawn, name
        assert len({str(word) for word in words}) == len(words), name


def test_the_files_are_package_data() -> None:
    package = files("groundwire.training.statements")
    assert package.joinpath("words.toml").is_file()
    assert [file.name for file in package.joinpath("scenes").iterdir() if file.name.endswith(".toml")]


def test_a_sound_file_is_drawn(tmp_path: Path) -> None:
    (frame,) = load_scenes(a_folder(tmp_path, SOUND))
    fact = frame.draw(Random(2)).facts[0]
    assert fact.says[0] in {"The door is open.", "The gate is open."}


def test_the_opposite_is_told_in_half_of_the_draws(tmp_path: Path) -> None:
    (frame,) = load_scenes(a_folder(tmp_path, SOUND.replace("true =", 'turned = ["The {what} is closed."]\ntrue =')))
    told = [frame.draw(Random(seed)).facts[0] for seed in range(200)]
    closed = [fact for fact in told if fact.says[0].endswith("closed.")]
    assert 70 < len(closed) < 130
    assert all(fact.true[0].endswith("is shut.") for fact in closed)
    assert all(fact.true[0].endswith("not shut.") for fact in told if fact not in closed)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("is old", "is {age}", "unknown slots: age"),
        ('what = "things"', 'what = "things"\nage = { low = 1, high = 2 }', "does not use: age"),
        ('what = "things"', 'what = "nothing"', "too short a list"),
        ('what = "things"', '"what a b" = "things"', "too short a list"),
        ('what = "things"', 'what = "animals"', "lacks 'animals'"),
        ('what = "things"', 'what = [{ a = "x" }, { b = "y" }]', "uneven fields for what"),
        ('what = "things"', 'what = { is = "later + 1" }\nlater = { low = 1, high = 2 }', "needs later before"),
        ('["The {what} is shut."]', "[]", "empty list"),
        ("false =", "flase =", "other keys"),
        ("says =", "then =", "empty list"),
        ('open = ["The {what} is old."]', "open = []", "no open claims"),
        ('open = ["The {what} is old."]', "", "lacks 'open'"),
        ("[door.draw]", "[door.draw", "cannot be read"),
    ],
)
def test_a_file_that_is_not_sound_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in SOUND
    with pytest.raises(InputError, match=says):
        load_scenes(a_folder(tmp_path, SOUND.replace(old, new, 1)))
