// Cuts the text of a history into pieces that are histories themselves: one
// line of JSON Lines, or one element of the array. The component reads a
// history in pieces; the page learns after which piece something happened.

/** The pieces of a history, in order; none for text that holds no JSON. */
export function* pieces(text: string): Generator<string> {
  const start = skipBlank(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const list = isJsonLines(text, start) ? -1 : listStart(text, start);
  if (list < 0) yield* lines(text, start);
  else yield* elements(text, list);
}

/** Whether the text goes on after its first value: then every line is one. */
function isJsonLines(text: string, start: number): boolean {
  if (text[start] !== '{') return false;
  const end = valueEnd(text, start);
  return end < text.length && text[skipBlank(text, end)] === '{';
}

/**
 * Where the list of messages begins: the array itself, or the first array of
 * objects that is a value of the object.
 */
function listStart(text: string, start: number): number {
  if (text[start] === '[') return start;
  let at = start + 1;
  while (text[start] === '{' && at < text.length) {
    at = skipBlank(text, at);
    if (text[at] !== '"') return -1;
    at = skipBlank(text, valueEnd(text, at));
    if (text[at] !== ':') return -1;
    at = skipBlank(text, at + 1);
    if (text[at] === '[' && text[skipBlank(text, at + 1)] === '{') return at;
    at = skipBlank(text, valueEnd(text, at));
    if (text[at] === ',') at += 1;
  }
  return -1;
}

function* lines(text: string, start: number): Generator<string> {
  let at = start;
  while (at < text.length) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    const line = text.slice(at, end).trim();
    if (line !== '') yield line;
    at = end + 1;
  }
}

/** Every complete element; what a cut-off array ends with is left out. */
function* elements(text: string, list: number): Generator<string> {
  let at = skipBlank(text, list + 1);
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at);
    if (end > text.length) return;
    yield `[${text.slice(at, end)}]`;
    at = skipBlank(text, end);
    if (text[at] !== ',') return;
    at = skipBlank(text, at + 1);
  }
}

/** The index after the value that begins here; beyond the text if it is cut off. */
function valueEnd(text: string, start: number): number {
  const beyond = text.length + 1;
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (character === ',' || character === '\n')) return at;
    at += 1;
  }
  return depth === 0 ? at : beyond;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length + 1;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    at += 1;
    if (slashes % 2 === 0) return at;
  }
}

function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length && (text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === 0xfeff)) at += 1;
  return at;
}
