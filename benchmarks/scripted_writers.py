"""Language models that are scripts: they rewrite what stands in their prompt, by dice, and take time over it.

Two kinds, because a loop may suit one by chance: `takes` picks a few sentences of the passages in any order; `loosens` goes
through them in order, loses sentences and words, and pads. Each replies by its prompt alone (`fixed`, as at temperature 0),
or anew for each seed (`varied`). Left out: understanding; neither knows what it was asked.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence

from groundwire.protocols import Prompt
from groundwire.testing import ScriptedLLM
from groundwire.text import sentence_bounds, word_bounds
from groundwire.types import Completion

PADDING = (
    "It is important to note that this can vary.",
    "There are many factors to consider.",
    "In summary, this is what is known.",
    "This is a common question.",
    "Experts agree on this point.",
)
_FENCE = re.compile(r"\[(?:BEGIN|END) [0-9a-f]+\]")
_LABEL = re.compile(r"Document(?: \d)?:|Passage \d:|answers the query: ")

Rewrite = Callable[[list[str], random.Random], str]


def takes(sentences: list[str], dice: random.Random) -> str:
    """Pick up to five sentences, in any order."""
    return " ".join(dice.sample(sentences, dice.randrange(1, min(5, len(sentences)) + 1)))


def loosens(sentences: list[str], dice: random.Random) -> str:
    """Keep three sentences of four and seven words of eight, and pad a fifth of them."""
    said: list[str] = []
    for sentence in sentences:
        if dice.random() < 0.25:
            continue
        words = [word for word in sentence.split() if dice.random() > 0.12]
        said += [" ".join(words).rstrip(".") + "."] if words else []
        said += [dice.choice(PADDING)] if dice.random() < 0.2 else []
    return " ".join(said) or sentences[0]


WRITERS: dict[str, Rewrite] = {"takes": takes, "loosens": loosens}


class Writer(ScriptedLLM):
    """A scripted language model that takes `seconds` a call, all prompts of one `complete` at the same time.

    `rewrite` and `varied` may be changed between questions. `waited` are the seconds that its callers have waited so far.
    Tokens are counted as words.
    """

    def __init__(self, rewrite: Rewrite, *, varied: bool, seconds: float = 0.0) -> None:
        super().__init__(self._written)
        self.rewrite, self.varied, self._seconds = rewrite, varied, seconds
        self.waited = 0.0

    def complete(
        self, prompts: Sequence[Prompt], *, max_tokens: int | None = None, seed: int | Sequence[int] | None = None
    ) -> list[Completion]:
        """Reply to all prompts, after the time of one."""
        began = time.perf_counter()
        if self._seconds:
            time.sleep(self._seconds)
        self.waited += time.perf_counter() - began
        return super().complete(prompts, max_tokens=max_tokens, seed=seed)

    def _written(self, prompt: str) -> Completion:
        dice = random.Random(f"{self.seeds[-1]} {prompt}" if self.varied else prompt)
        text = self.rewrite(_sentences(prompt), dice)
        return Completion(text=text, prompt_tokens=_words(prompt), reply_tokens=_words(text))


def _sentences(prompt: str) -> list[str]:
    """Return the sentences of the passages in a prompt."""
    body = " ".join(" ".join(part.split()) for part in _LABEL.split(_FENCE.sub(" ", prompt))[1:])
    found = [body[start:end].strip() for start, end in sentence_bounds(body)]
    return [sentence for sentence in found if _words(sentence) > 3] or [body or "Nothing."]


def _words(text: str) -> int:
    return len(word_bounds(text))
