"""`python -m groundwire.training STEP`: the built-in checker, from data to weights.

prepare writes the samples, train runs (or resumes) one epoch over them, export writes the model folder, fuse fits the
judge that reads the model together with lexical evidence; all does the four. average joins runs that began from the same
weights (--init) on different samples (--skip) into one run. teach adds to the samples what trained networks (--runs) read of
them; a larger one to teach is trained with --body, and with --teachers a run has every batch read as it goes, --transfer
pairs that nobody has labelled among them (pairs makes these beforehand). pack writes what a run on another machine needs
(--runs name the folders of samples, --body a larger body) to --parcel, unpack puts it into --work there. chatter fits what
tells chatter from statements, which needs no data; words counts the commonest words of what may be trained on.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import GroundwireError, InputError, MissingExtra

if TYPE_CHECKING:
    from groundwire.training.mixture import Tools
    from groundwire.training.readers import Readers
    from groundwire.training.settings import Settings

ALL = ("prepare", "train", "export", "fuse")
STEPS = ("prepare", "teach", "pack", "unpack", "pairs", "train", "average", "export", "fuse", "chatter", "words")
NEEDED = ("torch", "transformers", "tokenizers", "safetensors")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m groundwire.training", description=__doc__)
    made.add_argument("step", choices=(*STEPS, "all"))
    made.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the public data sets")
    made.add_argument("--work", type=Path, default=Path(".work"), help="where samples and checkpoints go")
    made.add_argument("--mixture", type=Path, help="another mixture file")
    made.add_argument("--run", default="mini", help="name of the run")
    made.add_argument("--samples", type=int, default=10**9, help="train on at most this many samples")
    made.add_argument("--skip", type=int, default=0, help="leave out so many samples first")
    made.add_argument(
        "--init", default="", help="start from a checkpoint folder or a model.onnx, not from the base model"
    )
    made.add_argument("--rate", type=float, default=2.5e-4, help="highest learning rate of the body")
    made.add_argument("--head-rate", type=float, default=1e-3, help="highest learning rate of the heads")
    made.add_argument(
        "--runs",
        nargs="+",
        default=[],
        help="what to average into --run, who teaches, or what to pack: runs, their folders or (to average) a model.onnx",
    )
    made.add_argument("--budget", type=int, default=2500, help="padded tokens of a batch (on a GPU 32000 and more)")
    made.add_argument("--minutes", type=float, default=math.inf, help="end after so long, the rate going to 0 there")
    made.add_argument("--steps", type=int, help="end after this many steps in all, the rate going to 0 there")
    made.add_argument(
        "--likeness", type=float, default=0.0, help="weight of keeping the base model's vectors (5 is enough; 0: off)"
    )
    made.add_argument("--threads", type=int, default=0, help="CPU threads (0: torch decides)")
    made.add_argument("--limit", type=int, default=3000, help="most cases of each set that the fusion is fitted on")
    made.add_argument("--parts", type=Path, help="fuse: also write there the fusions over some of the signals")
    made.add_argument("--resume", action="store_true", help="go on from the run's last checkpoint")
    made.add_argument("--output", type=Path, help="model folder to write (default: the built-in model's)")
    _teaching_options(made)
    return made


def _teaching_options(made: argparse.ArgumentParser) -> None:
    made.add_argument("--body", default="", help="train: folder of all-mpnet-base-v2, a larger body that is to teach")
    made.add_argument(
        "--teachers", nargs="+", default=[], help="train: checkpoint folders, or a model.onnx, that read every batch"
    )
    made.add_argument(
        "--shares", nargs="+", type=float, default=[], help="what each teacher counts, 1 in all (default: alike)"
    )
    made.add_argument(
        "--transfer", type=int, default=0, help="train: so many pairs without labels, for teachers to read"
    )
    made.add_argument("--parcel", type=Path, default=Path(".work/parcel"), help="pack, unpack: the folder that travels")


def prepare(arguments: argparse.Namespace) -> None:
    """Write the samples of the mixture."""
    from groundwire.training.mixture import load_mixture
    from groundwire.training.mixture import prepare as write_samples

    counts = write_samples(load_mixture(arguments.mixture), arguments.data, arguments.work, _tools)
    print(f"prepared {counts['train']} training and {counts['validation']} validation samples in {arguments.work}")


def teach(arguments: argparse.Namespace) -> None:
    """Add to the training samples what the networks in --runs read of them; goes on where it was stopped."""
    _need(NEEDED)
    import torch

    from groundwire.training.taught import teach as read_samples

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    readers = _reading(_inits(arguments), arguments.shares)
    within = slice(arguments.skip, arguments.skip + arguments.samples)
    agreement = read_samples(arguments.work / "training" / "train.jsonl", within, readers)
    print(f"{agreement:.1%} of what has one of three labels is read so")


def pack(arguments: argparse.Namespace) -> None:
    """Write what a run on another machine needs."""
    _need(NEEDED)
    from groundwire.training.parcel import pack as write_parcel

    folders = [Path(run) for run in arguments.runs] or [arguments.work / "training"]
    sizes = write_parcel(folders, arguments.parcel, Path(arguments.body) if arguments.body else None)
    print(*(f"{size:>12,} {name}" for name, size in sizes.items()), f"{sum(sizes.values()):>12,} in all", sep="\n")


def unpack(arguments: argparse.Namespace) -> None:
    """Put a parcel where `train` finds it."""
    _need(NEEDED)
    from groundwire.training.parcel import unpack as read_parcel

    read_parcel(arguments.parcel, arguments.work)
    print(f"put {arguments.work / 'base'} on PYTHONPATH")


def pairs(arguments: argparse.Namespace) -> None:
    """Make the pairs without labels that a run with --transfer asks for."""
    _need(NEEDED)
    from groundwire.training.material import load_material, unlabelled

    work, settings = arguments.work / "training", _settings(arguments)
    train = load_material(work, replace(settings, transfer=0)).train
    print(f"{len(unlabelled(work, train, settings).labels)} pairs without labels in {work}")


def _settings(arguments: argparse.Namespace) -> Settings:
    from groundwire.training.settings import Settings

    return Settings(
        samples=arguments.samples,
        skip=arguments.skip,
        init=arguments.init,
        rate=arguments.rate,
        head_rate=arguments.head_rate,
        likeness=arguments.likeness,
        body=arguments.body,
        transfer=arguments.transfer,
        budget=arguments.budget,
    )


def train(arguments: argparse.Namespace) -> None:
    """Run or resume one epoch."""
    _need(NEEDED)
    import torch

    from groundwire.training.trainer import Run
    from groundwire.training.trainer import train as drive

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    work, settings = arguments.work / "training", _settings(arguments)
    seconds = arguments.minutes * 60
    run = Run(work / arguments.run, settings, work, arguments.steps, readers=_readers(arguments), seconds=seconds)
    if arguments.resume:
        run.resume()
    print(
        f"step {run.step} of {len(run.plan)}, {int(run.train.lengths.sum())} tokens in {len(run.train.labels)} samples",
        flush=True,
    )
    print(drive(run))


def _readers(arguments: argparse.Namespace) -> Readers | None:
    """The networks of --teachers. Raises InputError where nobody reads what has no label."""
    if arguments.teachers:
        return _reading(arguments.teachers, arguments.shares)
    if arguments.transfer:
        raise InputError("pairs without labels teach nothing by themselves", "name who reads them with --teachers")
    return None


def _reading(inits: Sequence[str], shares: Sequence[float]) -> Readers:
    from groundwire.training.device import device_of
    from groundwire.training.readers import Readers
    from groundwire.training.taught import teachers

    return Readers(teachers([Path(init) for init in inits]), device_of(), shares)


def average(arguments: argparse.Namespace) -> None:
    """Join runs into one by the mean of their weights."""
    _need(NEEDED)
    from groundwire.training.trainer import average as join

    join(_inits(arguments), arguments.work / "training" / arguments.run / "last")


def _inits(arguments: argparse.Namespace) -> list[str]:
    """The weights that --runs names, as `Settings.init` names them."""
    folders = [arguments.work / "training" / run / "last" for run in arguments.runs]
    return [str(folder) if folder.is_dir() else run for folder, run in zip(folders, arguments.runs, strict=True)]


def export(arguments: argparse.Namespace) -> None:
    """Write the ONNX model, its card and manifest, and print what storing its weights as int8 costs."""
    _need((*NEEDED, "onnx", "onnxruntime"))
    from groundwire.training.export import export_run

    print(export_run(arguments.work / "training", arguments.run, arguments.output))


def fuse(arguments: argparse.Namespace) -> None:
    """Fit the default judge's fusion to the exported model and print what it is worth."""
    from groundwire import recipes
    from groundwire.training import denials, fusion, spans
    from groundwire.training.mixture import load_mixture

    mixture, path = load_mixture(arguments.mixture), recipes.build("default")
    cases = fusion.fitting_cases(mixture, arguments.data, arguments.work, arguments.limit)
    rows = fusion.collect(path, cases)
    fitted, report = fusion.fit(rows)
    others = fusion.left_out(rows)
    unbacked, words = spans.fit(spans.collect(path, spans.span_cases(mixture, arguments.data, arguments.work)))
    denied, told = denials.fit(rows, fitted)
    fitted = replace(fitted, unbacked=unbacked, denied=denied)
    fusion.save(fitted, report, fusion.SHIPPED, words=words, denials=told, others=others)
    if arguments.parts:
        fusion.save_parts(rows, arguments.parts)
    named = {f"auc_fused/{name}, fitted on the others": value for name, value in others.items()}
    shown = {
        **fitted.weights,
        "bias": fitted.bias,
        "unbacked": unbacked,
        "denied": denied,
        **report,
        **words,
        **told,
        **named,
    }
    for name, value in shown.items():
        print(f"{name:52} {value:8.4f}")


def chatter(arguments: argparse.Namespace) -> None:
    """Fit the regression that tells chatter from statements, and print what it is worth."""
    from groundwire.training import chatter as fitting

    told = fitting.read_told()
    claims = fitting.statements(fitting.MOST)
    fitted, report = fitting.fit(told, claims, fitting.kinds_of([*(one.text for one in told), *claims]))
    fitting.save(fitted, report, told)
    print({"marks": len(fitted.weights), "threshold": fitted.threshold, **report})


def words(arguments: argparse.Namespace) -> None:
    """Count the commonest words of the texts that may be trained on."""
    from groundwire.training.frequency import SHIPPED, commonest, texts
    from groundwire.training.mixture import load_mixture

    found = commonest(texts(load_mixture(arguments.mixture), arguments.data))
    SHIPPED.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"wrote {len(found)} words to {SHIPPED}")


def _tools() -> Tools:
    """What the samples are made with; needs the base model."""
    _need(NEEDED)
    from groundwire.training.mixture import Tools
    from groundwire.training.network import base_weights
    from groundwire.training.teacher import base_embedder
    from groundwire.training.vocabulary import load_embeddings

    return Tools(load_embeddings(base_weights()), base_embedder())


def _need(packages: tuple[str, ...]) -> None:
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtra(package, "models")


def main(argv: list[str] | None = None) -> int:
    """Run a step; returns the exit code."""
    arguments = parser().parse_args(argv)
    made = (prepare, teach, pack, unpack, pairs, train, average, export, fuse, chatter, words)
    steps = {step.__name__: step for step in made}
    try:
        for name in ALL if arguments.step == "all" else (arguments.step,):
            steps[name](arguments)
    except GroundwireError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
