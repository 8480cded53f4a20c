"""The trainer: one epoch over a fixed number of samples, resumable, on the CPU or on a GPU with the same script.

fp32, with bf16 autocast only where the CPU has instructions for it or on CUDA. AdamW, warm-up, linear decay to zero, a
moving average of the weights. Leaves out: data (`mixture`), the network (`network`), export (`export`). Imports torch.

On a CPU, set MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=68719476736 MALLOC_TOP_PAD_=268435456 before the
process starts: otherwise every step gives its large buffers back to the system and pays for their pages again.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from groundwire.errors import InputError
from groundwire.training import checkpoint
from groundwire.training.batches import plan, tensors
from groundwire.training.device import attention_of, device_of, precision
from groundwire.training.larger import from_folder
from groundwire.training.likeness import Likeness
from groundwire.training.losses import losses, total
from groundwire.training.material import Material, load_material
from groundwire.training.network import PairNetwork, from_base
from groundwire.training.readers import Readers
from groundwire.training.settings import Settings
from groundwire.training.validate import figures, predict, torch_forward
from groundwire.training.warm import begin_from

LIKENESS_EVERY = 4
"""The vectors are looked at every so many steps, and weigh so many times as much: the same pull for a quarter of the cost."""


def schedule(step: int, steps: int, warm_up: float, spent: float = 0.0) -> float:
    """The learning rate's factor in [0, 1] at a step: linear up over the `warm_up` share, then linear down to 0.

    `spent` in [0, 1] is how much of a run's time is over: it ends with its last step or with its time, whichever is first.
    """
    first = max(1, round(steps * warm_up))
    down = min((steps - step) / max(1, steps - first), (1 - spent) / (1 - warm_up))
    return min((step + 1) / first, max(0.0, down), 1.0)


def make_optimizer(network: PairNetwork, settings: Settings) -> Any:
    """AdamW with three groups: body with decay, body without (biases, norms), heads at their own rate."""
    decayed: list[Any] = []
    plain: list[Any] = []
    heads: list[Any] = []
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        if not name.startswith("body."):
            heads.append(parameter)
        else:
            (decayed if parameter.ndim > 1 else plain).append(parameter)
    groups = [
        {"params": decayed, "lr": settings.rate, "weight_decay": settings.weight_decay},
        {"params": plain, "lr": settings.rate, "weight_decay": 0.0},
        {"params": heads, "lr": settings.head_rate, "weight_decay": settings.weight_decay},
    ]
    for group in groups:
        group["peak"] = group["lr"]
    return torch.optim.AdamW(groups, fused=True)


def begin(init: str, attention: str = "sdpa", body: str = "") -> PairNetwork:
    """The network that a run starts from; see Settings and PairNetwork."""
    network = from_folder(Path(body)) if body else from_base(attention)
    if not init:
        return network
    path = Path(init)
    if path.is_dir():
        checkpoint.load_state(path)
        copy_into(network, checkpoint.load_tensors(path, "average"))
    else:
        begin_from(network, path)
    return network


def average(inits: Sequence[str], target: Path) -> None:
    """Write the mean of several weights, each as `Settings.init` names them, as a checkpoint to export or to begin from.

    Only weights that go back to the same ones may be averaged; that is not checked. Its count of samples is that of all
    runs where they began from the same count, else the highest. Raises InputError where there are none to join.
    """
    if not inits:
        raise InputError("no runs to average", "name them with --runs")
    networks = [trained(begin(init)) for init in inits]
    joined = {name: torch.stack([weights[name] for weights in networks]).mean(0) for name in networks[0]}
    seen = [seen_before(init) for init in inits]
    states = [checkpoint.load_state(Path(init)) if Path(init).is_dir() else {} for init in inits]
    before = {state.get("before", -n) for n, state in enumerate(states, 1)}
    shared = before.pop() if len(before) == 1 else None
    state = {
        "averaged": len(inits),
        **{key: sum(s.get(key, 0) for s in states) for key in ("step", "steps", "batches")},
        "before": shared or 0,
        "seen": max(seen) if shared is None else shared + sum(n - shared for n in seen),
        "settings": {"samples": sum(s.get("settings", {}).get("samples", 0) for s in states)},
    }
    checkpoint.save(target, state, joined, joined, None)


def seen_before(init: str) -> int:
    """How many samples the weights in `init` were trained on; see Settings."""
    if not init:
        return 0
    path = Path(init)
    if path.is_dir():
        return int(checkpoint.load_state(path).get("seen", 0))
    config = path.with_name("config.json")
    return int(json.loads(config.read_text(encoding="utf-8")).get("trained_samples", 0)) if config.is_file() else 0


def copy_into(network: PairNetwork, weights: dict[str, Any]) -> None:
    """Put saved weights into the parameters that are trained; one that is still 0 throughout may have none."""
    with torch.no_grad():
        for name, parameter in trained(network).items():
            if name in weights or parameter.any():
                parameter.copy_(weights[name].float())


def trained(network: PairNetwork) -> dict[str, Any]:
    """The tensors that training changes, by name (the frozen word embeddings are not among them)."""
    return {name: p.detach() for name, p in network.named_parameters() if p.requires_grad}


class Run:
    """One training run in a folder: log.jsonl, and the last checkpoint under `last/`."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        data: Path | Material,
        steps: int | None = None,
        *,
        readers: Readers | None = None,
        seconds: float = math.inf,
    ) -> None:
        """`data`: a folder that holds train.jsonl and validation.jsonl as `prepare` wrote them, or what they hold.

        `steps` ends the run early, with the rate going to 0 there; so does `seconds`, counted from the first step of this
        process. Either may change between a stop and a resume. `readers` give soft labels to every batch.
        """
        torch.manual_seed(settings.seed)
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.settings, self.device = folder, settings, device_of()
        self.readers, self.seconds, self.began = readers, seconds, 0.0
        material = load_material(data, settings) if isinstance(data, Path) else data
        self.train, self.samples, self.valid = material.train, material.samples, material.valid
        self.valid_plan = plan(self.valid.lengths, settings.budget, 0)
        self.whole = plan(self.train.lengths, settings.budget, settings.seed)
        self.plan = self.whole[:steps]
        self.network = begin(settings.init, attention_of(self.device), settings.body).to(self.device)
        self.optimizer = make_optimizer(self.network, settings)
        self.average = {name: p.clone() for name, p in trained(self.network).items()}
        self.likeness = Likeness(self.train, settings.seed, self.device) if settings.likeness else None
        self.step = 0
        self.before = seen_before(settings.init)

    def resume(self) -> None:
        """Go on from the last checkpoint. Raises InputError where there is none or its settings are others."""
        folder = self.folder / "last"
        state = checkpoint.load_state(folder)
        if state["settings"] != asdict(self.settings) or state["batches"] != len(self.whole):
            raise InputError(f"{folder} was made with other settings or data", "start a new run")
        weights, average = checkpoint.load_tensors(folder, "weights"), checkpoint.load_tensors(folder, "average")
        for name, parameter in trained(self.network).items():
            parameter.copy_(weights[name])
            self.average[name].copy_(average[name])
        checkpoint.restore_optimizer(self.optimizer, checkpoint.load_tensors(folder, "optimizer"))
        self.step = state["step"]

    def save(self) -> None:
        """Write the checkpoint."""
        state = {
            "step": self.step,
            "batches": len(self.whole),
            "steps": len(self.plan),
            "before": self.before,
            "seen": self.before + round(len(self.train.labels) * self.step / max(1, len(self.whole))),
            "settings": asdict(self.settings),
        }
        checkpoint.save(self.folder / "last", state, trained(self.network), self.average, self.optimizer)

    def log(self, record: dict[str, Any]) -> None:
        """Append one record to log.jsonl."""
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as handle:
            handle.write(json.dumps({"step": self.step, "steps": len(self.plan), **record}) + "\n")

    def spent(self) -> float:
        """How much of its time is over, in [0, 1]; it begins when it is first asked."""
        self.began = self.began or time.monotonic()
        passed = time.monotonic() - self.began
        return passed / self.seconds if passed < self.seconds else 1.0

    def one_step(self) -> dict[str, Any]:
        """One batch: forward, backward, clip, update, average. Returns the losses by head (scalars, on the device)."""
        factor = schedule(self.step, len(self.plan), self.settings.warm_up, self.spent())
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * factor
        batch = tensors(self.train, self.plan[self.step], self.device)
        if self.readers is not None:
            batch |= self.readers.read(batch)
        with precision(self.device):
            logits, tokens = self.network(batch["input_ids"], batch["attention_mask"], batch["token_type_ids"])
        parts = losses(logits, tokens, batch)
        total(parts).backward()
        if self.likeness is not None and self.step % LIKENESS_EVERY == 0:
            parts["likeness"] = self.likeness.loss(self.network, self.step)
            (LIKENESS_EVERY * self.settings.likeness * parts["likeness"]).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)
        self.step += 1
        decay = min(self.settings.average, (1 + self.step) / (10 + self.step))
        now = trained(self.network)
        torch._foreach_lerp_([self.average[n] for n in now], list(now.values()), 1 - decay)
        return {name: value.detach() for name, value in parts.items()}

    def validate(self) -> dict[str, Any]:
        """Validation figures of the averaged weights; training goes on with the plain ones."""
        kept = {name: p.clone() for name, p in trained(self.network).items()}
        for name, parameter in trained(self.network).items():
            parameter.copy_(self.average[name])
        logits, tokens = predict(torch_forward(self.network), self.valid, self.valid_plan, self.device)
        likeness = {} if self.likeness is None else {"vector_cosine": self.likeness.mean(self.network)}
        for name, parameter in trained(self.network).items():
            parameter.copy_(kept[name])
        return {**figures(self.samples, self.valid, logits, tokens), **likeness}

    def records(self, log_every: int = 20) -> Iterator[dict[str, Any]]:
        """Train to the end of the plan; a record of mean losses and tokens per second every `log_every` steps."""
        found: dict[str, list[Any]] = {}
        seen, began = 0, time.monotonic()
        while self.step < len(self.plan) and self.spent() < 1:
            seen += int(self.train.sizes(self.plan[self.step]).sum())
            for name, value in self.one_step().items():
                found.setdefault(name, []).append(value)
            if self.step % log_every == 0 or self.step == len(self.plan):
                means = {name: round(fmean(map(float, values)), 4) for name, values in found.items()}
                yield {**means, "tokens_per_second": round(seen / (time.monotonic() - began))}
                found, seen, began = {}, 0, time.monotonic()


def train(run: Run, save_every: float = 300.0, validate_every: float = 900.0) -> dict[str, Any]:
    """Drive a run to its end; intervals in seconds. Returns the last validation figures."""
    saved = validated = time.monotonic()
    for record in run.records():
        run.log(record)
        if time.monotonic() - saved > save_every:
            run.save()
            saved = time.monotonic()
        if time.monotonic() - validated > validate_every:
            run.log(run.validate())
            validated = time.monotonic()
    run.save()
    final = run.validate()
    run.log(final)
    return final
