// The same write as a host would write it by hand: checks the items, keeps the
// list, renders the text. It understands the schema only.

const SIGNS = { pending: ' ', in_progress: '>', completed: 'x' };
let list = [];

export function writeByHand(input) {
  const { todos } = JSON.parse(input);
  if (!Array.isArray(todos)) throw new TypeError('no list');
  const ids = new Set();
  const next = todos.map(({ id, content, status }, index) => {
    if (typeof id !== 'string' || typeof content !== 'string' || !(status in SIGNS)) throw new TypeError(`item ${index + 1}`);
    if (ids.has(id)) throw new TypeError(`item ${index + 1}: the same id`);
    ids.add(id);
    return { id, content: content.trim(), status };
  });
  const changed = JSON.stringify(next) !== JSON.stringify(list);
  list = next;
  const lines = next.map(({ id, content, status }) => `[${SIGNS[status]}] ${id}. ${content}\n`);
  const completed = next.filter(({ status }) => status === 'completed').length;
  return { text: `${lines.join('')}\n(${completed}/${next.length} completed)`, changed };
}
