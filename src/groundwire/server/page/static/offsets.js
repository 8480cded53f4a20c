// Offsets of the server count code points, those of the browser 16-bit units. Left out: what stands at them.

// A function from code points of `text` to 16-bit units.
export const unitsOf = (text) => {
  if (!/[\ud800-\udfff]/.test(text)) return (at) => at;
  const places = [];
  let at = 0;
  for (const character of text) {
    places.push(at);
    at += character.length;
  }
  return (point) => (point < places.length ? places[point] : text.length);
};

// Cut `text` at the spans: pieces in order, each {text, span}, where a span is null between them. Spans that overlap an
// earlier one are left out.
export const pieces = (text, spans, units = unitsOf(text)) => {
  const found = [];
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const [start, end] = [units(span.start), units(span.end)];
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) found.push({ text: text.slice(at, start), span: null });
    found.push({ text: text.slice(start, end), span });
    at = end;
  }
  if (at < text.length) found.push({ text: text.slice(at), span: null });
  return found;
};
