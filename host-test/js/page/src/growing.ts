// A chat interface keeps a whole turn, several requests, in one message of many
// parts. Such a message is read as it grew: with its first part, its first two …

/** The message with fewer parts, fewest first; none for a message of another kind. */
export function growing(piece: string): string[] {
  if (!piece.includes('"step-start"')) return [];
  const message = parse(piece);
  const parts = message?.parts ?? message?.content?.parts;
  if (!Array.isArray(parts)) return [];
  const whole = [...parts];
  const states = [];
  for (let count = 1; count < whole.length; count += 1) {
    parts.length = count;
    parts[count - 1] = whole[count - 1];
    states.push(`[${JSON.stringify(message)}]`);
  }
  return states;
}

interface Message {
  parts?: unknown[];
  content?: { parts?: unknown[] };
}

function parse(piece: string): Message | undefined {
  try {
    const value = JSON.parse(piece) as Message | Message[];
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}
