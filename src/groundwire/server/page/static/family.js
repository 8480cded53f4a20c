// Who descends from whom: candidates by id, in columns by generation, and where each stands in the drawing.
//
// Left out: the drawing itself (`tree.js`).

const ROWS = 14;
const GAP = 92;
const STEP = 34;
const LEFT = 34;
const TOP = 56;

// The family of what is known so far. `candidates` are best first once the answer is there; `turns` are the generations.
export const familyOf = (candidates, turns, best) => {
  const byId = new Map();
  for (const one of candidates) if (!byId.has(one.id)) byId.set(one.id, one);
  const line = ancestry(byId, best);
  const parents = new Set(candidates.flatMap((one) => one.parents ?? []));
  const numbers = [...new Set([...turns.map((turn) => turn.number), ...candidates.map((one) => one.generation)])].sort(
    (a, b) => a - b,
  );
  const columns = numbers.map((number) => column(number, candidates, turns, line, parents));
  const places = new Map();
  columns.forEach((one, n) =>
    one.members.forEach((candidate, row) => places.set(candidate.id, { x: LEFT + n * GAP, y: TOP + row * STEP })),
  );
  const rows = Math.max(
    1,
    ...columns.map((one) => one.members.length + Math.min(one.unseen, ROWS - one.members.length)),
  );
  return {
    byId,
    line,
    columns,
    places,
    best,
    width: LEFT * 2 + Math.max(0, columns.length - 1) * GAP,
    height: TOP + rows * STEP,
    x: (n) => LEFT + n * GAP,
    y: (row) => TOP + row * STEP,
  };
};

// The candidates of a generation that get a place, those of the answer's line first, then who has offspring, then the fittest.
const column = (number, candidates, turns, line, parents) => {
  const known = candidates.filter((one) => one.generation === number);
  const rank = (one) => (line.has(one.id) ? 0 : parents.has(one.id) ? 1 : 2);
  const order = new Map(known.map((one, n) => [one.id, n]));
  const kept = [...known].sort((a, b) => rank(a) - rank(b) || order.get(a.id) - order.get(b.id)).slice(0, ROWS);
  const members = kept.sort((a, b) => order.get(a.id) - order.get(b.id));
  const turn = turns.find((one) => one.number === number) ?? null;
  const count = Math.max(turn?.new ?? 0, known.length);
  return {
    number,
    members,
    turn,
    count,
    unseen: Math.max(0, count - known.length),
    hidden: known.length - members.length,
  };
};

const ancestry = (byId, best) => {
  const found = new Set();
  const waiting = best ? [best] : [];
  while (waiting.length) {
    const id = waiting.pop();
    if (found.has(id) || !byId.has(id)) continue;
    found.add(id);
    waiting.push(...byId.get(id).parents);
  }
  return found;
};

export const MOST_ROWS = ROWS;
