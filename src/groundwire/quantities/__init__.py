"""Quantities: the numbers, percentages, ordinals, years, dates and times of a text, and whether two of them agree.

`quantities` reads them with their places; `same` compares two up to how they are written (12% and 12 percent, 1,000 and
one thousand, 900 seconds and 15 minutes); `rounds_to` says whether one is the other with less detail (1,534,000 and 1.5
million, 12 May 2015 and 2015); `QuantityIndex` answers both for all sources at once; `respelled` writes a text's figures as
a source does. Every pattern is possessive or bounded: the time is linear.
"""

from groundwire.quantities.agreement import QuantityIndex, rounds_to, same
from groundwire.quantities.quantity import Kind, Quantity
from groundwire.quantities.reading import quantities
from groundwire.quantities.respelling import Respelled, respelled

__all__ = ["Kind", "Quantity", "QuantityIndex", "Respelled", "quantities", "respelled", "rounds_to", "same"]
