// Writes the sample: the log of an agent that adds a flag to a command-line
// tool, as a host with this component records it. Its tool results and
// reminders come from a live session.

import { writeFile } from 'node:fs/promises';
import { loadTodo } from '../dist/index.js';

const ITEMS = {
  read: 'Read how the command parses its options',
  flag: 'Add the --json flag',
  report: 'Write the report as JSON',
  errors: 'Write errors as JSON, too',
  tests: 'Test both formats end to end',
  docs: 'Describe the flag in the README',
  stdin: 'Read the input from stdin when no file is named',
  changelog: 'Add a line to the changelog',
};

/** A number stands for so many requests of other work; an object for a write, each item with its status. */
const SCRIPT = [
  2,
  { read: '>', flag: ' ', report: ' ', tests: ' ', docs: ' ' },
  3,
  { read: 'x', flag: '>', report: ' ', tests: ' ', docs: ' ' },
  4,
  { read: 'x', flag: 'x', report: '>', errors: ' ', tests: ' ', docs: ' ' },
  13,
  { read: 'x', flag: 'x', report: 'x', errors: '>', tests: ' ', docs: ' ' },
  'compaction',
  5,
  { read: 'x', flag: 'x', report: 'x', errors: 'x', tests: '>', docs: ' ', stdin: ' ' },
  10,
  { read: 'x', flag: 'x', report: 'x', errors: 'x', tests: 'x', docs: '>', changelog: ' ' },
  2,
  { read: 'x', flag: 'x', report: 'x', errors: 'x', tests: 'x', docs: 'x', changelog: '>' },
  1,
  { read: 'x', flag: 'x', report: 'x', errors: 'x', tests: 'x', docs: 'x', changelog: 'x' },
  1,
];

const STATUS = { ' ': 'pending', '>': 'in_progress', 'x': 'completed' };
const session = (await loadTodo()).session();
const lines = [];

user('Please add a --json flag to the report command.');
for (const entry of SCRIPT) {
  if (entry === 'compaction') compact();
  else if (typeof entry === 'number') for (let n = 0; n < entry; n += 1) work();
  else write(entry);
}
await writeFile(new URL('src/sample.jsonl', import.meta.url), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

function work() {
  request('Bash', { command: 'cargo test --quiet' }, 'test result: ok. 41 passed; 0 failed');
}

function write(list) {
  const todos = Object.entries(list).map(([key, sign]) => ({
    id: String(Object.keys(ITEMS).indexOf(key) + 1),
    content: ITEMS[key],
    status: STATUS[sign],
  }));
  request('mcp__todo__todo_write', { todos }, (input) => session.callTool('todo_write', input).text);
}

/** One request with one tool call, as the loop of a host makes it. */
function request(name, input, result) {
  for (const { text } of session.pendingHistoryAppends()) user(text);
  session.onRequest();
  const id = `toolu_${String(lines.length).padStart(4, '0')}`;
  record('assistant', { id: `msg_${lines.length}`, content: [{ type: 'tool_use', id, name, input }] });
  const content = typeof result === 'string' ? result : result(input);
  record('user', { content: [{ type: 'tool_result', tool_use_id: id, content }] });
}

function compact() {
  lines.push({ type: 'system', subtype: 'compact_boundary', uuid: `line-${lines.length}`, sessionId: 'sample' });
  lines.push({ type: 'user', isCompactSummary: true, uuid: `line-${lines.length}`, sessionId: 'sample',
    message: { role: 'user', content: session.compactSnapshot()?.context ?? '' } });
}

function user(text) {
  record('user', { content: [{ type: 'text', text }] });
}

function record(role, message) {
  lines.push({ type: role, uuid: `line-${lines.length}`, sessionId: 'sample', isSidechain: false, message: { role, ...message } });
}
