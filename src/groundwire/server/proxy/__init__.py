"""The chat proxy: OpenAI's protocol in front of the configured upstream, with a verdict on every answer.

A request goes to the upstream as it came, byte for byte, but for what is ours in it: the field `groundwire`, and the tags of
parts `grounding_source` and `query`, which become `text`. Who asks chooses neither the upstream nor a key nor a path. What the
upstream says of an error (status and body) is passed on; it is never asked twice, and no redirect of it is followed.

- **Evidence** are the parts tagged `grounding_source`; without any, the system, developer, tool and function messages. The
  question are the parts tagged `query`; without any, the text of the last user message. A request without evidence gets
  `not_checkable` with the reason, never a score.
- **Every choice** (`n` > 1) is checked by itself; the verdict of the reply (the header `x-groundwire-verdict`) is that of the
  worst: contradicted, not_enough_info, not_checkable, supported. Text in parts is joined. A choice without text (it calls
  tools, or is a refusal) asserts nothing: not_checkable, with the reason; arguments of tools and reasoning are not checked.
- **annotate** (the default) changes nothing in the reply and adds `groundwire`. A stream is passed on as it comes, judged
  beside it, and the verdict is the last event before `[DONE]`. If the check itself fails, the reply stays and is not_checkable.
- **block** lets out only what is backed, and what asserts nothing. A choice that is not becomes a sentence that says so,
  with `finish_reason: content_filter`; its tool calls, reasoning and log probabilities go with it. Without evidence, or
  when the check fails, it is withheld too. In a stream each sentence waits until it is judged; at the first one that is
  not backed the choice ends, and once all have ended so does the upstream (so there is no usage then).

`groundwire` is `{"mode", "verdict", "choices": [{"index", …the record of a check, "blocked"}]}`; a request's `groundwire` may
hold `mode`, `threshold`, `offset_encoding`, `explain` and `truncate`, the header `x-groundwire-mode` the mode.

Left out: every other route of the protocol, audio, and correcting what is not backed.
"""

from __future__ import annotations
