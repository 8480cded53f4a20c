"""What the process may open before it listens."""

import subprocess
import sys

import pytest

SAID = """
import resource
from groundwire.server.listening import make_room
resource.setrlimit(resource.RLIMIT_NOFILE, (64, {hard}))
make_room(2048)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize(("hard", "soft"), [(500, 500), (4_000, 2_048 + 1_024)])
def test_there_are_descriptors_for_every_connection_as_far_as_the_system_allows(hard: int, soft: int) -> None:
    told = subprocess.run([sys.executable, "-c", SAID.format(hard=hard)], capture_output=True, text=True, check=True)
    assert int(told.stdout) == soft
