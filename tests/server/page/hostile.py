"""Texts that try to be more than text: `PAYLOADS`, and `CASES`, each of them in each field that a person or a file can fill.

Every one of them that runs calls `owned(n)` or sets `window.owned`, asks for an address of `EVIL`, or opens a dialog.
"""

EVIL = "http://evil.example"

_RUN = "window.owned=1"
_SINKS = [
    f"<script>{_RUN}</script>",
    f"<img src=x onerror='{_RUN}'>",
    f"<svg onload={_RUN}>",
    f"<svg><script>{_RUN}</script></svg>",
    f"<svg><animate onbegin={_RUN} attributeName=x dur=1s>",
    f"<body onload={_RUN}>",
    f"<iframe srcdoc='<script>parent.{_RUN}</script>'></iframe>",
    f"<iframe src='javascript:parent.{_RUN}'></iframe>",
    f"<object data='javascript:{_RUN}'></object>",
    f"<a href='javascript:{_RUN}' autofocus>click</a>",
    f"<form action='javascript:{_RUN}'><button autofocus>go</button></form>",
    f"<input autofocus onfocus={_RUN}>",
    f"<textarea autofocus onfocus={_RUN}></textarea>",
    f"<select autofocus onfocus={_RUN}></select>",
    f"<details open ontoggle={_RUN}>x</details>",
    f"<video><source onerror={_RUN}></video>",
    f"<audio src=x onerror={_RUN}>",
    f"<marquee onstart={_RUN}>x</marquee>",
    f"<math><mtext><img src=x onerror={_RUN}></mtext></math>",
    f"<link rel=stylesheet href='{EVIL}/a.css'>",
    f"<style>@import '{EVIL}/b.css';*{{background:url({EVIL}/c)}}</style>",
    f"<meta http-equiv=refresh content='0;url={EVIL}/d'>",
    f"<base href='{EVIL}/'>",
    f"<img src='{EVIL}/e.png'>",
    f"<link rel=prefetch href='{EVIL}/g'>",
    f"<div style='background:url({EVIL}/h)'>x</div>",
    f"<template><script>{_RUN}</script></template><script>{_RUN}</script>",
    f"<noscript><p title='</noscript><img src=x onerror={_RUN}>'>",
]
_BREAKOUTS = [
    f'"><script>{_RUN}</script>',
    f"'><script>{_RUN}</script>",
    f'" onmouseover={_RUN} x="',
    f"' autofocus onfocus='{_RUN}",
    f"</textarea><script>{_RUN}</script>",
    f"</title><script>{_RUN}</script>",
    f"</style><script>{_RUN}</script>",
    f"</script><script>{_RUN}</script>",
    f"--><script>{_RUN}</script><!--",
    f"]]><script>{_RUN}</script>",
    f"<!--<img src='--><img src=x onerror={_RUN}>'>",
    f"<svg></p><style><a id='</style><img src=1 onerror={_RUN}>'>",
    f"<math><mi><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror={_RUN}&gt;'>",
    f"<form><math><mtext></form><form><mglyph><style></math><img src onerror={_RUN}>",
    f"<scr<script>ipt>{_RUN}</scr</script>ipt>",
    f"<SCRIPT>{_RUN}</SCRIPT>",
    f"<script\n>{_RUN}</script\n>",
    f"<script/x>{_RUN}</script>",
    f"<img/src=x/onerror={_RUN}>",
    f"<img src=x onerror\x0c={_RUN}>",
]
_ENCODED = [
    f"&lt;script&gt;{_RUN}&lt;/script&gt;",
    f"&#60;script&#62;{_RUN}&#60;/script&#62;",
    f"%3Cscript%3E{_RUN}%3C/script%3E",
    "\\u003cscript\\u003ewindow.owned=1\\u003c/script\\u003e",
    f"javascript:{_RUN}",
    f"JaVaScRiPt:{_RUN}//",
    f"java\tscript:{_RUN}",
    f"data:text/html,<script>{_RUN}</script>",
    f"\ufeff<script>{_RUN}</script>",
    f"<\x00script>{_RUN}</script>",
    f"\u202e>tpircs/<1=denwo.wodniw>tpircs<\u202c <script>{_RUN}</script>",
    f"\u2028<script>{_RUN}</script>\u2029",
    f"\ud800<script>{_RUN}</script>\udfff",
    f"＜script＞{_RUN}＜/script＞",
    "\x1b]8;;javascript:window.owned=1\x07link\x1b]8;;\x07",
]
_TEMPLATES = [
    "{{constructor.constructor('window.owned=1')()}}",
    "${window.owned=1}",
    "[[${window.owned=1}]]",
    "__proto__",
    "constructor",
    'data: {"owned": 1}\n\nevent: verdict\ndata: {}',
    ']}\'"\n\nevent: error\ndata: {"error":{"message":"<script>window.owned=1</script>"}}\n\n',
    f"![x]({EVIL}/i.png) [y](javascript:{_RUN})",
    f"```html\n<script>{_RUN}</script>\n```",
    "';window.owned=1//",
    "`;window.owned=1//`",
    '\\";window.owned=1//',
]

PAYLOADS = tuple(_SINKS + _BREAKOUTS + _ENCODED + _TEMPLATES)
FIELDS = ("question", "answer", "context", "name")
CASES = tuple((payload, field) for payload in PAYLOADS for field in FIELDS)
"""Three hundred pairs of a payload and the field that holds it; a name is a context's id and its title."""


def case(payload: str, field: str) -> dict[str, object]:
    """Return a case, as JSON, that has the payload in this field; the answer always speaks of what its context says."""
    answer = f"The mast is {payload} high." if field == "answer" else "The mast is 12 metres high."
    text = f"The mast, {payload}, is 9 metres high." if field == "context" else "The mast is 9 metres high."
    context = {"id": "mast", "text": text}
    if field == "name":
        context = {"id": payload[:200], "title": payload, "text": text}
    question = payload if field == "question" else "How high is the mast?"
    return {"question": question, "answer": answer, "contexts": [context]}


def crowd(payloads: tuple[str, ...]) -> dict[str, object]:
    """Return one case, as JSON, with every payload in its question, its answer, and in text, id and title of a context."""
    contexts = [
        {"id": f"{n} {payload}"[:200], "title": payload, "text": f"Mast {n}, {payload}, is 9 metres high."}
        for n, payload in enumerate(payloads)
    ]
    answer = " ".join(f"Mast {n}, {payload}, is 12 metres high." for n, payload in enumerate(payloads))
    return {"question": " ".join(payloads), "answer": answer, "contexts": contexts}
