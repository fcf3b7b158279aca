// A session file of pi is a tree: an edited message begins another branch
// beside the old one, and the session is the branch of the last entry. A restore
// of the whole file follows it; one that goes line by line can't, so the page does.

interface Entry {
  id?: unknown;
  parentId?: unknown;
}

/** Where a tree shows that it is one. */
const HEAD = 65_536;

/** The pieces of the last branch; all of them in a file that is no tree. */
export function lastBranch(text: string, pieces: Iterable<string>): Iterable<string> {
  if (!text.slice(0, HEAD).includes('"parentId"')) return pieces;
  const all = [...pieces];
  const entries = all.map(parse);
  const parents = new Map(entries.map(({ id, parentId }) => [id, parentId]));
  const branch = new Set<unknown>();
  let id = entries.findLast(isEntry)?.id;
  while (id !== undefined && id !== null && !branch.has(id)) {
    branch.add(id);
    id = parents.get(id);
  }
  return all.filter((_, index) => {
    const entry = entries[index] ?? {};
    return !isEntry(entry) || branch.has(entry.id);
  });
}

function isEntry(entry: Entry): boolean {
  return 'id' in entry && 'parentId' in entry && !('role' in entry);
}

function parse(piece: string): Entry {
  try {
    return Object(JSON.parse(piece));
  } catch {
    return {};
  }
}
