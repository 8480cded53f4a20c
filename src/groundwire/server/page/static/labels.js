// What a verdict's labels are called and look like, and which label a score has at a threshold.
//
// A record that was asked for at threshold 1 says of each claim what it is where it is not supported, so any threshold's
// labels follow from it by the judge's own rule (`groundwire.judge.threshold`). Left out: drawing.

export const ASKED = 1;

export const LABELS = {
  supported: { name: "supported", mark: "✓", look: "supported" },
  contradicted: { name: "contradicted", mark: "✗", look: "contradicted" },
  not_enough_info: { name: "no evidence", mark: "?", look: "open" },
  not_checkable: { name: "not checkable", mark: "–", look: "unchecked" },
};

export const ORDER = Object.keys(LABELS);

export const labelOf = (verdict) => LABELS[verdict] ?? LABELS.not_checkable;

// The record as it is at another threshold. `record` was asked for at `ASKED`.
export const relabelled = (record, threshold) => {
  const claims = record.claims.map((claim) => claimAt(claim, threshold));
  const scored = record.score !== null && record.score !== undefined;
  const verdict = scored ? joined(claims, record.score, threshold) : record.verdict;
  return { ...record, verdict, threshold, grounded: verdict === "supported", claims };
};

const claimAt = (claim, threshold) => {
  if (claim.score === null || claim.score < threshold) return claim;
  const { spans, ...rest } = claim;
  const best = { ...rest, verdict: "supported", citations: sorted(claim.citations, (c) => c.score) };
  return claim.evidence ? { ...best, evidence: sorted(claim.evidence, (e) => e.supports) } : best;
};

const joined = (claims, score, threshold) => {
  if (score >= threshold) return "supported";
  return claims.some((claim) => claim.verdict === "contradicted") ? "contradicted" : "not_enough_info";
};

const sorted = (found, by) => [...(found ?? [])].sort((a, b) => by(b) - by(a));

// How the answer's score follows from its sentences', where that is said in a few words.
export const weakestRule = (about) =>
  about.over_claims === "min" ? ": an answer is as good as its weakest sentence" : "";

// How many claims have each label, in the order of the labels, none left out that is there.
export const counts = (claims) =>
  ORDER.map((verdict) => [verdict, claims.filter((claim) => claim.verdict === verdict).length]).filter(([, n]) => n);
