"""Gates: verdicts in the forms in which build servers and code hosts read the outcome of a check.

`told` says a verdict in plain lines, `JUnit` writes an XML report, `Sarif` a SARIF 2.1.0 log. Both write as the verdicts
come, so that their memory does not grow with the rows. Left out: when a build fails, which is the exit code's part.
"""

from groundwire.gates.finding import Finding, by_evidence, by_label
from groundwire.gates.junit import JUnit
from groundwire.gates.sarif import Sarif
from groundwire.gates.told import told

__all__ = ["Finding", "JUnit", "Sarif", "by_evidence", "by_label", "told"]
