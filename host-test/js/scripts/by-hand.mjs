// The same write as a host would write it by hand: checks the items, keeps the
// list, renders the text. It understands the schema only.

const SIGNS = { pending: ' ', in_progress: '>', completed: 'x' };
let list = [];

export function writeByHand(input) {
  const { todos } = JSON.parse(input);
  if (!Array.isArray(todos)) throw new TypeError('no list');
  const ids = new Set();
  let text = '';
  let completed = 0;
  let changed = todos.length !== list.length;
  const next = todos.map(({ id, content, status }, index) => {
    if (typeof id !== 'string' || typeof content !== 'string' || !(status in SIGNS)) throw new TypeError(`item ${index + 1}`);
    if (ids.has(id)) throw new TypeError(`item ${index + 1}: the same id`);
    ids.add(id);
    const item = { id, content: content.trim(), status };
    const old = list[index];
    changed ||= old.id !== item.id || old.content !== item.content || old.status !== item.status;
    if (status === 'completed') completed += 1;
    text += `[${SIGNS[status]}] ${id}. ${item.content}\n`;
    return item;
  });
  list = next;
  return { text: `${text}\n(${completed}/${next.length} completed)`, changed };
}
