"""Stand-ins for tests of your own: a model, encoders and a language model without files, and an endpoint that fails on command.

Left out: any claim to quality. Nothing in the product falls back to these.
"""

from __future__ import annotations

from groundwire.testing.encoders import WordVectors, WordWeights
from groundwire.testing.endpoint import Exchange, FaultServer
from groundwire.testing.faults import Fault
from groundwire.testing.overlap import OverlapModel
from groundwire.testing.scripted import ScriptedLLM

__all__ = ["Exchange", "Fault", "FaultServer", "OverlapModel", "ScriptedLLM", "WordVectors", "WordWeights"]
