// A chat interface keeps a whole turn, several requests, in one message of many
// parts. Such a message is read as it grew: with its first step, its first two …

const STEP = 'step-start';

/** Reading a message so often, as long as it is, would be more characters than these: then some steps are taken together. */
const MOST = 200_000_000;

interface Message {
  parts?: unknown[];
  content?: { parts?: unknown[] };
}

/** The message with fewer steps, fewest first; none for a message of another kind. */
export function growing(piece: string): string[] {
  if (!piece.includes(`"${STEP}"`)) return [];
  const message = parse(piece);
  const parts = message?.parts ?? message?.content?.parts;
  if (!Array.isArray(parts)) return [];
  const whole = [...parts];
  const ends = whole.flatMap((part, index) => (index > 0 && isStep(part) ? [index] : []));
  const stride = Math.ceil((ends.length * piece.length) / MOST);
  return ends.filter((_, index) => index % stride === 0).map((end) => {
    parts.splice(0, Infinity, ...whole.slice(0, end));
    return `[${JSON.stringify(message)}]`;
  });
}

function isStep(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === STEP;
}

function parse(piece: string): Message | undefined {
  try {
    const value = JSON.parse(piece) as Message | Message[];
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}
