// Where a history was compacted. The component does not report it, so here are
// the marks that hosts leave, and the carry-over message of the component.

const CARRY_OVER = 'todo items were open when the history was compacted';
const MARKS: [field: string, value: string][] = [
  ['subtype', 'compact_boundary'],
  ['type', 'compacted'],
  ['type', 'compaction'],
  ['part_kind', 'compaction'],
  ['lc_source', 'summarization'],
];

/** Whether this piece of a history marks a compaction. */
export function isCompaction(piece: string): boolean {
  if (!/compact|summarization/.test(piece)) return false;
  if (piece.includes(CARRY_OVER)) return true;
  try {
    return holdsMark(JSON.parse(piece), 4);
  } catch {
    return false;
  }
}

/** Looks at the message and the envelopes around it, not into what a tool was told. */
function holdsMark(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  if (Array.isArray(value)) return value.some((inner) => holdsMark(inner, depth - 1));
  const object = value as Record<string, unknown>;
  if (MARKS.some(([field, mark]) => object[field] === mark)) return true;
  return ['message', 'payload', 'data', 'kwargs', 'parts', 'content', 'additional_kwargs', 'info']
    .some((field) => holdsMark(object[field], depth - 1));
}
