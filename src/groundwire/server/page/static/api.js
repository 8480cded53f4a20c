// What is asked of the server, and only of the one that the page came from. Left out: what the answers mean.

// What went wrong, in one line for people. `retry` are the seconds after which another try may do better.
export class Failure extends Error {
  constructor(message, { status = 0, code = "", retry = null, id = "" } = {}) {
    super(message);
    Object.assign(this, { status, code, retry, id });
  }

  get line() {
    const wait = this.retry ? ` Try again in ${this.retry} s.` : "";
    return `${this.message.replace(/\.?\s*$/, ".")}${wait}${this.id ? ` (request ${this.id})` : ""}`;
  }
}

const AWAY = "The server cannot be reached: is it still running?";

// JSON from a GET.
export const get = async (path, { signal } = {}) => (await sent(path, { signal })).json();

// JSON for JSON.
export const ask = async (path, body, { signal } = {}) => (await posted(path, body, signal, "application/json")).json();

// The events that a POST is answered with, each {event, data}; an "error" among them is thrown.
export async function* events(path, body, { signal } = {}) {
  const response = await posted(path, body, signal, "text/event-stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await read(reader);
      waiting = (waiting + (value ?? "")).replace(/\r\n?/g, "\n");
      const blocks = waiting.split("\n\n");
      waiting = done ? "" : blocks.pop();
      for (const block of blocks) {
        const found = parsed(block);
        if (found?.event === "error") throw told(found.data, response);
        if (found) yield found;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const read = async (reader) => {
  try {
    return await reader.read();
  } catch (error) {
    throw error.name === "AbortError" ? error : new Failure("The connection broke off before the answer was whole");
  }
};

const parsed = (block) => {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    const [name, value] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  const text = data.join("\n");
  return text && text !== "[DONE]" ? { event, data: JSON.parse(text) } : null;
};

const posted = (path, body, signal, accept) =>
  sent(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Accept: accept },
    signal,
  });

const sent = async (path, options) => {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Failure(AWAY);
  }
  if (!response.ok) throw told(await response.json().catch(() => ({})), response);
  return response;
};

const told = (body, response) => {
  const found = body?.error ?? {};
  const { status } = response;
  const wait = Number(response.headers.get("Retry-After"));
  const param = found.param && !String(found.message ?? "").includes(found.param) ? ` (${found.param})` : "";
  const said = found.message ? `${found.message}${param}` : plainly(status);
  return new Failure(status === 401 ? plainly(401) : said, {
    status: response.ok ? (found.status ?? 0) : status,
    code: found.code ?? "",
    retry: Number.isFinite(wait) && wait > 0 ? wait : null,
    id: found.request_id ?? response.headers.get("x-request-id") ?? "",
  });
};

const plainly = (status) =>
  ({
    401: "This server asks for a key. Reload the page and give it as the password; any name will do",
    403: "The server refuses this request",
    404: "The server has nothing under this address",
    413: "That is more text than the server takes",
    429: "The server is busy",
    503: "The server is not ready",
    504: "That took longer than the server allows",
  })[status] ?? `The server answered with status ${status}`;
