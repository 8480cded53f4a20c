// Contexts from files that a person drops or chooses; they are read here, in the browser. Left out: the list itself.

export const KINDS = ".txt,.md,.markdown,.json,.jsonl";
const MOST_BYTES = 1 << 20;
const BODIES = ["text", "contents", "content", "passage", "body"];
const LISTS = ["contexts", "retrieved_contexts", "retrieval_context", "passages", "documents", "facts", "docs"];

// What is in the files: {found: contexts, question, answer, problems: lines for people}.
export const readFiles = async (files) => {
  const all = { found: [], question: null, answer: null, problems: [] };
  for (const file of files) {
    try {
      const one = await readFile(file);
      all.found.push(...one.found);
      all.question ??= one.question ?? null;
      all.answer ??= one.answer ?? null;
    } catch (error) {
      all.problems.push(`${file.name}: ${error.message}`);
    }
  }
  return all;
};

const readFile = async (file) => {
  if (file.size > MOST_BYTES) throw new Error("is larger than 1 MiB");
  const text = new TextDecoder("utf-8", { fatal: true });
  let content;
  try {
    content = text.decode(await file.arrayBuffer());
  } catch {
    throw new Error("is not UTF-8 text");
  }
  const name = file.name.replace(/\.[^.]*$/, "");
  if (/\.jsonl$/i.test(file.name)) return together(lines(content).map((row) => fromJson(row, name)));
  if (/\.json$/i.test(file.name)) return fromJson(parsed(content, "is not JSON"), name);
  if (!content.trim()) throw new Error("holds no text");
  return { found: [{ id: name, title: file.name, text: content }] };
};

const lines = (content) =>
  content
    .split("\n")
    .map((line, n) => [line.trim(), n + 1])
    .filter(([line]) => line)
    .map(([line, n]) => parsed(line, `line ${n} is not JSON`));

const parsed = (text, problem) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(problem);
  }
};

// A text, a list of them, a passage with its text, or a whole case.
const fromJson = (data, name) => {
  if (typeof data === "string") return { found: data.trim() ? [{ text: data }] : [] };
  if (Array.isArray(data)) return together(data.map((one) => fromJson(one, name)));
  if (data === null || typeof data !== "object") throw new Error("holds no text");
  const list = LISTS.map((key) => data[key]).find((value) => Array.isArray(value));
  if (list) {
    const { found } = together(list.map((one) => fromJson(one, name)));
    return { found, question: texts(data.question ?? data.user_input), answer: texts(data.answer ?? data.response) };
  }
  const body = BODIES.map((key) => data[key]).find((value) => typeof value === "string");
  if (body === undefined) throw new Error("has no field named text, and no list named contexts");
  return { found: [{ id: texts(data.id), title: texts(data.title), text: body }] };
};

const texts = (value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined);

const together = (parts) => ({
  found: parts.flatMap((part) => part.found),
  question: parts.find((part) => part.question)?.question,
  answer: parts.find((part) => part.answer)?.answer,
});
