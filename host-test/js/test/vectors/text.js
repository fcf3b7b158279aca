// The notation of texts in a vector.

export function text(value) {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(text).join('');
  const [kind] = Object.keys(value);
  switch (kind) {
    case 'json': return JSON.stringify(value.json);
    case 'lines': return value.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    case 'repeat': return repeat(value);
    default: throw new Error(`unknown notation of a text: ${JSON.stringify(value)}`);
  }
}

function repeat({ repeat, times, between = '', number, ...rest }) {
  if (Object.keys(rest).length > 0) throw new Error(`unknown keys beside "repeat": ${Object.keys(rest)}`);
  const once = text(repeat);
  const all = Array.from({ length: times }, (_, index) => (number ? once.replaceAll(text(number), index + 1) : once));
  return all.join(text(between));
}
