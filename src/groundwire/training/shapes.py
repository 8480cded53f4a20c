"""Shapes of a supported claim over a run of sentences: compressed, merged, resolved, reordered, several in one.

Every shape is (sentences, place, rng) → a Marked text or None where no safe pattern fits; marks of the sentences are
carried along, so that a run with an edited sentence gives the edited claim. Leaves out: the patterns (`clauses`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from groundwire.training.clauses import (
    LEAD,
    PREDICATE,
    PRONOUNS,
    Clause,
    capital,
    compress,
    cut_out,
    fit,
    joined,
    parse,
    person_like,
    small,
    sound,
    states,
)
from groundwire.training.corrupt import names
from groundwire.training.lexicon import FUNCTION_WORDS
from groundwire.training.passages import usable
from groundwire.training.sample import Marked

Shape = Callable[[Sequence[Marked], int, Random], Marked | None]

EXPLETIVE = re.compile(r"^It (?:\S+ ){0,7}?(?:that|to|whether|if|when|why|how|who|as)\b")
COPULAR = re.compile(r"^(?:\w+ )?(?:is|was|are|were) (?!not\b)")
PLURAL_NOUN = re.compile(r"\b(?!(?:was|is|has|its|his|this|as|various|famous|previous)\b)[a-z]{3,}[^sui\W]s\b")
HARMLESS = re.compile(r"(?:\b(?:in|at|from|of|the|on|near|into|a|an|[\w]['’]s)|\d,?) $|[\"“]$")
TOWARDS = re.compile(r"\b(?:for|to|with|as|over|against) $")
SHE = re.compile(r"\b(?:she|her|hers|herself|actress|woman|daughter|mother|queen|Ms\.|Mrs\.)\b", re.I)
HE = re.compile(r"\b(?:he|his|him|himself|man|son|father|king|Mr\.)\b", re.I)
ANAPHORIC = re.compile(
    r"^(?:This|These|That|Those|Such|Then|Both|However|But|And|So|Or|Another|Other|Instead|Also|Thus|Therefore|As such|"
    r"Here|There|In contrast|In turn|For example|For instance|He|She|It|They|His|Her|Its|Their)\b"
)
FIRST_PERSON = re.compile(r"\b(?:I|we|you|my|our|your|me|us|myself|ourselves|[Ww]e|[Yy]ou|[Oo]ur|[Mm]y)\b")


def antecedent(sentences: Sequence[str], at: int) -> str | None:
    """Who or what the pronoun that leads sentences[at] stands for, where only one name before it can be meant."""
    own = parse(sentences[at])
    if own is None or own.kind != "pronoun" or at == 0:
        return None
    if own.subject == "It" and EXPLETIVE.match("It" + sentences[at][own.start + 2 :]):
        return None
    for back in range(at - 1, max(-1, at - 4), -1):
        before = parse(sentences[back])
        if before is None or not _plain(sentences[back], before, own.subject):
            break
        if before.kind == "pronoun" and before.subject == own.subject:
            continue
        if _fits(before, own, " ".join(sentences[back : at + 1])) and _known(before.subject, own.subject, sentences):
            return before.subject
        break
    return _only_person(sentences[: at + 1], own.subject) if own.subject in ("He", "She") else None


def _known(subject: str, pronoun: str, sentences: Sequence[str]) -> bool:
    """Whether a single word is surely a person's name: it comes more than once."""
    return pronoun in ("It", "They") or " " in subject or " ".join(sentences).count(subject) > 1


def _plain(sentence: str, clause: Clause, pronoun: str) -> bool:
    """Whether a sentence brings in nothing else that the pronoun of the next one could stand for."""
    rest = sentence[clause.predicate :]
    if pronoun in ("It", "They"):
        if EXPLETIVE.match(sentence) or not COPULAR.match(rest):
            return False
        return pronoun == "It" or not PLURAL_NOUN.search(rest)
    end = clause.start + len(clause.subject)
    others = [m for m in names(sentence) if m.end() <= clause.start or m.start() >= end]
    return not any(_rival(sentence, m) for m in others)


def _rival(sentence: str, match: re.Match[str]) -> bool:
    """Whether a name in a sentence may be another person's."""
    before, name = sentence[: match.start()], match.group()
    if HARMLESS.search(before) or not person_like(name):
        return False
    return " " in name or not TOWARDS.search(before)


def _fits(before: Clause, own: Clause, run: str) -> bool:
    pronoun, subject = own.subject, before.subject
    if before.kind not in ("name", "noun"):
        return False
    if pronoun == "They":
        return before.plural is True or (subject.startswith("The ") and subject.endswith("s") and before.plural is None)
    if " and " in subject or before.plural:
        return False
    if pronoun == "It":
        return not (HE.search(run) or SHE.search(run)) and subject.split()[0] not in ("A", "An")
    return before.kind == "name" and person_like(subject) and not (HE if pronoun == "She" else SHE).search(run)


def _only_person(sentences: Sequence[str], pronoun: str) -> str | None:
    """The only person of a run that names its person as a subject before any pronoun; None where others are named."""
    run = " ".join(sentences)
    if (HE if pronoun == "She" else SHE).search(run):
        return None
    first = re.search(r"\b(?:he|his|him|she|her)\b", run, re.I)
    clauses = [(c, s) for s in sentences[:-1] if (c := parse(s)) and c.kind == "name" and person_like(c.subject)]
    if not clauses or first is None:
        return None
    subject = clauses[0][0].subject
    if run.find(subject) > first.start() or not _known(subject, pronoun, sentences):
        return None
    known = set(subject.split())
    for sentence in sentences:
        for match in names("x " + sentence):
            if not known & set(match.group().removesuffix("'s").split()) and _rival("x " + sentence, match):
                return None
    return subject


def resolved(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """A sentence led by a pronoun, with what it stands for in its place."""
    text = sentences[at]
    name = antecedent([s.text for s in sentences], at)
    clause = parse(text.text)
    if name is None or clause is None:
        return None
    end = clause.start + len(clause.subject)
    if any(s < end and e > clause.start for s, e in text.spans):
        return None
    return compress(text.splice(clause.start, end, inside(name) if clause.start else name), rng, 0.5)


def inside(name: str) -> str:
    """A subject as it stands within a sentence."""
    return name[0].lower() + name[1:] if re.match(r"(?:The|A|An) ", name) else name


def compressed(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """One sentence, shorter."""
    text = compress(sentences[at], rng)
    return text if len(text.text) < len(sentences[at].text) - 8 else None


def merged(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """Two neighbours that say something of the same subject as one sentence: X was born in A and won B."""
    if at + 1 >= len(sentences) or LEAD.match(sentences[at + 1].text):
        return None  # a lead dates what follows it, and joined it would fall under the date of the first
    first, second = compress(sentences[at], rng), compress(sentences[at + 1], rng)
    a, b = parse(first.text), parse(second.text)
    if a is None or b is None or b.start or a.kind == "anaphor" or any(s < b.predicate for s, _ in second.spans):
        return None
    texts = [s.text for s in sentences]
    same = b.subject in (a.subject, a.subject.split()[-1]) and a.kind == "name" and person_like(a.subject)
    chained = b.kind == "pronoun" and (a.subject == b.subject != "It" or antecedent(texts, at + 1) == a.subject)
    if not same and not chained:
        return None
    if _tangled(first.text[a.predicate :]) or _tangled(second.text[b.predicate :]):
        return None
    if (a.plural is not None and b.plural is not None and a.plural != b.plural) or _tense(a) != _tense(b):
        return None
    end = len(first.text.rstrip(" ."))
    return joined(
        cut_out(first, 0, end), rng.choice((" and ", " and ", ", and ")), cut_out(second, b.predicate, len(second.text))
    )


TANGLED = re.compile(
    r"[;:\"“]|\b(?:who|which|that|when|where|said)\b|, and\b"
    rf"|\b(?:and|but|while) (?:[A-Z][\w’'-]+|he|she|it|they|the [a-z]+|[A-Z][a-z]+ [A-Z][a-z]+) {PREDICATE}"
)


def _tangled(predicate: str) -> bool:
    """Whether a predicate is too long or too nested to be joined to another."""
    return len(predicate.split()) > 20 or bool(TANGLED.search(predicate))


def _tense(clause: Clause) -> bool:
    return bool(
        re.search(r"(?:is|are|has|have|does|do|can|will|may|must|[^s]s)$", clause.verb)
    ) and not clause.verb.endswith("was")


def paired(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """Two neighbours, each shorter."""
    if at + 1 >= len(sentences) or not usable(sentences[at + 1].text):
        return None
    text = joined(compress(sentences[at], rng), " ", compress(sentences[at + 1], rng))
    return text if len(text.text.split()) <= 55 else None


def several(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """Two or three sentences from anywhere in the run, compressed hard, in either order: a short summary."""
    others = [i for i, s in enumerate(sentences) if i != at and usable(s.text) and not ANAPHORIC.match(s.text)]
    if not others or ANAPHORIC.match(sentences[at].text):
        return None
    places = [*rng.sample(others, min(len(others), rng.choice((1, 1, 2)))), at]
    places.sort() if rng.random() < 0.7 else rng.shuffle(places)
    parts = [compress(sentences[i], rng, 0.95) for i in places]
    text = parts[0]
    for part in parts[1:]:
        text = joined(text, " ", part)
    return text if len(text.text.split()) <= 60 else None


_WHO = r"(?:[A-Z][\w.'’-]*(?: (?:(?:of|the|de|van|von) )?[A-Z][\w.'’-]*){0,6}|[Tt]he [a-z]+(?: [a-z]+)?)"
_SAYS = "said|says|added|wrote|argued|explained|noted"
_SOURCE = (
    rf"(?:(?P<who>{_WHO}|he|she) (?P<verb>{_SAYS})|(?P<verb2>said|says|added|wrote) (?P<who2>{_WHO}))"
    r"(?P<rest>(?: (?:in|on|at|to) [^.,\"“]{2,60})?)\.$"
)
QUOTED = re.compile(rf"^[\"“](?P<quote>[^\"”“]{{20,220}}),[\"”] {_SOURCE}")
TAGGED = re.compile(rf"^(?P<quote>[^\"”“]{{20,220}}?), {_SOURCE}")
TOLD = re.compile(
    r"^(?P<who>[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,3}|He|She) (?P<verb>said|stated|argued|claimed|noted|wrote|"
    r"explained|announced|believes|suggested) (?:that )?(?P<quote>(?:the|a|an|it|he|she|they|there|his|her|its|their|"
    r"[A-Z]\w+)\b[^\"“”:;]{20,200})\.$"
)


def reported(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """Somebody's words told the other way round: "…," said X → X said that …; X said that … → According to X, …."""
    text = sentences[at]
    for pattern in (QUOTED, TAGGED):
        if match := pattern.match(text.text):
            return _said(text, match)
    match = TOLD.match(text.text)
    if not match or FIRST_PERSON.search(match["quote"]):
        return None
    said = capital(cut_out(text, *match.span("quote")))
    who, verb = cut_out(text, *match.span("who")), match["verb"]
    if who.text in PRONOUNS or verb not in ("said", "stated", "argued", "claimed", "noted", "explained"):
        return None
    if rng.random() < 0.5:
        return joined(joined(said, ", ", who), " ", Marked(f"{verb}."))
    return joined(joined(Marked("According to "), "", who), ", ", small(joined(said, "", Marked("."))))


def _said(text: Marked, match: re.Match[str]) -> Marked | None:
    name, verb = ("who", "verb") if match["who"] else ("who2", "verb2")
    quote = match["quote"]
    if FIRST_PERSON.search(quote) or re.search(r"[!?;:]|\.\.|\. [A-Z]| - |Reuters", quote):
        return None
    if not states(quote + ".") and quote.split()[0].lower() not in FUNCTION_WORDS:
        return None
    lead = capital(joined(cut_out(text, *match.span(name)), f" {match[verb]}", cut_out(text, *match.span("rest"))))
    return joined(joined(lead, " that ", small(cut_out(text, *match.span("quote")))), "", Marked("."))


FRONTED = re.compile(
    r"^(?P<link>When|After|Although|While|Because|Before|If|Since|Though) (?P<side>[^,;:\"“]{12,110}), "
    r"(?P<main>[^,;:\"“]{15,140})\.$"
)
BACKED = re.compile(
    r"^(?P<main>[^,;:\"“]{20,140}),? (?P<link>when|after|although|because|before|while) "
    r"(?P<side>(?:he|she|it|they|the|[A-Z]\w+)\b[^,;:\"“]{10,110})\.$"
)
TIMED = re.compile(
    r"\b(?:weeks?|days?|years?|months?|hours?|minutes?|shortly|soon|just|long|only|even|not|that|if)$|n['’]t\b|\bnot\b"
)
PASSIVE = re.compile(
    r"^(?P<what>[A-Z][^,;:]{2,60}?) (?:was|were) (?P<verb>written|directed|produced|created|founded|designed|published|"
    r"released|recorded|developed|discovered|established|built|invented|introduced|composed|performed|launched) by "
    r"(?P<who>(?:the )?[A-Z][\w.'’-]+(?: (?:[A-Z][\w.'’-]+|and|of|the))*?)(?P<when>(?: (?:in|on|for) [^,;]{3,40})?)\.$"
)


def reordered(sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """The clauses of a sentence in the other order, or a passive told actively."""
    text = sentences[at]
    if match := PASSIVE.match(text.text):
        verb = {"written": "wrote"}.get(match["verb"], match["verb"])
        who = capital(cut_out(text, *match.span("who")))
        tail = joined(small(cut_out(text, *match.span("what"))), "", cut_out(text, match.start("when"), len(text.text)))
        return joined(who, f" {verb} ", tail)
    short = compress(text, rng, 0.4)
    for found in (short, text):
        if (match := FRONTED.match(found.text)) and parse(capital(Marked(match["main"] + ".")).text):
            main = capital(cut_out(found, *match.span("main")))
            side = cut_out(found, *match.span("side"))
            led = parse(main.text + ".")
            if led and led.kind == "pronoun" and not re.match(r"(?:he|she|it|they)\b", side.text):
                return None
            return joined(joined(main, f" {match['link'].lower()} ", side), "", Marked("."))
        if (
            (match := BACKED.match(found.text))
            and parse(capital(Marked(match["side"] + ".")).text)
            and parse(match["main"] + ".")
        ):
            if TIMED.search(match["main"]) or re.match(r"(?:he|she|it|they)\b", match["side"]):
                return None
            side, main = cut_out(found, *match.span("side")), small(cut_out(found, *match.span("main")))
            lead = joined(Marked(match["link"].capitalize() + " "), "", side)
            return joined(joined(lead, ", ", main), "", Marked("."))
    return None


SHAPES: dict[str, tuple[Shape, float]] = {
    "compressed": (compressed, 1.5),
    "merged": (merged, 12.0),
    "resolved": (resolved, 8.0),
    "paired": (paired, 0.7),
    "several": (several, 1.4),
    "reported": (reported, 12.0),
    "reordered": (reordered, 8.0),
}
"""Every shape, and how often it is tried first; those that seldom apply weigh more."""
LOOSE_SHAPES = ("compressed", "several", "reported", "reordered")
"""Shapes that do not ask that one sentence goes on from another."""


def draw_shape(
    sentences: Sequence[Marked], rng: Random, among: Sequence[str] = tuple(SHAPES)
) -> tuple[str, int] | None:
    """The name of a shape drawn by weight and a place where it applies; None where none applies anywhere."""
    places = [i for i, s in enumerate(sentences) if fit(s.text)]
    rng.shuffle(places)
    for name in sorted(among, key=lambda name: rng.random() ** (1 / SHAPES[name][1]), reverse=True):
        for at in places:
            if shaped(name, sentences, at, rng) is not None:
                return name, at
    return None


def shaped(name: str, sentences: Sequence[Marked], at: int, rng: Random) -> Marked | None:
    """The claim of this shape; None where it does not apply, is no sound sentence, or has lost a mark."""
    text = SHAPES[name][0](sentences, at, rng)
    if text is None or not sound(text.text) or len(text.spans) < sum(len(s.spans) for s in sentences):
        return None
    return text
