import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { loadTodo, TodoError } from 'agent-todo';
import { trappingCore } from './trapping.js';

let plugin;
before(async () => {
  plugin = await loadTodo();
});

const READ = { id: '1', content: 'Read the loader', status: 'in_progress' };

test('A call takes the JSON text of its input and the parsed value alike.', () => {
  const [asText, asValue] = [plugin.session(), plugin.session()];
  const answer = asText.callTool('todo_write', JSON.stringify({ todos: [READ] }));
  assert.deepEqual(asValue.callTool('todo_write', { todos: [READ] }), answer);
  assert.deepEqual(answer, {
    isError: false,
    text: '[>] 1. Read the loader\n\n(0/1 completed)',
    changed: true,
    progress: { pending: 0, inProgress: 1, completed: 0 },
  });
});

test('A refused call is a result with the message for the model, not an exception.', () => {
  const session = plugin.session();
  const { isError, code, changed, text } = session.todoWrite({ todos: 7 });
  assert.deepEqual({ isError, code, changed }, { isError: true, code: 'invalid-input', changed: false });
  assert.match(text, /^Error: /);
});

test('Whatever is no text becomes the JSON that it has, and nothing becomes the empty text.', () => {
  const session = plugin.session({ toolSet: 'task' });
  assert.equal(session.callTool('TaskList', undefined).text, '(0/0 completed)');
  for (const input of [null, 7, true, Symbol('todo'), () => 7]) {
    assert.equal(session.callTool('TaskCreate', input).isError, true);
  }
});

test('A status is spelled as in the tools, and a description is there only if there is one.', () => {
  const session = plugin.session({ toolSet: 'both' });
  session.todoWrite({ todos: [READ] });
  session.callTool('TaskCreate', { subject: 'Add the flag', description: 'As --json' });
  assert.deepEqual(session.todos(), [
    READ,
    { id: '2', content: 'Add the flag', status: 'pending', description: 'As --json' },
  ]);
});

test('Lone surrogates become U+FFFD, as text and as an escape.', () => {
  const session = plugin.session();
  const broken = `a${String.fromCharCode(0xd800)}b`;
  session.todoWrite({ todos: [{ ...READ, content: broken }] });
  assert.equal(session.todos()[0].content, 'a\ufffdb');
  session.todoWrite(`{"todos":[{"id":"1","content":"${broken}","status":"pending"}]}`);
  assert.match(session.todos()[0].content, /^a\ufffd+b$/);
});

test('Sessions of one plugin know nothing of each other.', () => {
  const [one, other] = [plugin.session(), plugin.session()];
  one.todoWrite({ todos: [READ] });
  one.onRequest();
  assert.deepEqual(other.todos(), []);
  assert.deepEqual(other.counters(), { requestsSinceWrite: 0 });
});

test('A reminder comes by the policy, counts as delivered, and is gone then.', () => {
  const session = plugin.session({ remindAfter: 1 });
  session.todoWrite({ todos: [READ] });
  assert.deepEqual(session.pendingHistoryAppends(), []);
  session.onRequest();
  const [item, ...others] = session.pendingHistoryAppends();
  assert.deepEqual(others, []);
  assert.equal(item.role, 'system');
  assert.match(item.text, /^<system-reminder>[^]*\[in_progress\] 1\. Read the loader\n<\/system-reminder>$/);
  assert.deepEqual(session.counters(), { requestsSinceWrite: 1, requestsSinceReminder: 0 });
  assert.deepEqual(session.pendingHistoryAppends(), []);
});

test('A snapshot carries the open items over, and is nothing for an empty list.', () => {
  const session = plugin.session();
  assert.equal(session.compactSnapshot(), undefined);
  session.todoWrite({ todos: [READ] });
  assert.match(session.compactSnapshot().carryOver.text, /1\. Read the loader/);
  session.todoWrite({ todos: [{ ...READ, status: 'completed' }] });
  assert.equal('carryOver' in session.compactSnapshot(), false);
});

test('A saved state goes on in another session, policy included.', () => {
  const session = plugin.session({ toolSet: 'task' });
  session.callTool('TaskCreate', { subject: 'Add the flag' });
  const other = plugin.session();
  other.loadState(session.saveState());
  assert.deepEqual(other.todos(), session.todos());
  assert.deepEqual(other.tools().map(({ name }) => name), ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList']);
  assert.equal(other.callTool('TaskCreate', { subject: 'Test it' }).text, 'Task #2 created: Test it');
});

test('A history is restored from its text and from its messages alike.', () => {
  const history = [
    { role: 'user', content: 'Add the flag' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'todo_write', input: { todos: [READ] } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '[>] 1. Read the loader\n\n(0/1 completed)' }] },
  ];
  const [asText, asMessages] = [plugin.session(), plugin.session()];
  const report = asText.restore(JSON.stringify(history));
  assert.deepEqual(report, { format: 'anthropic', requests: 1, applied: 1, refused: 0, skipped: 0, reminders: 0 });
  assert.deepEqual(asMessages.restore(history), report);
  assert.deepEqual(asText.todos(), [READ]);
  assert.deepEqual(asMessages.todos(), [READ]);
});

test('A policy that is not one is refused, whatever it is, and the message says what is legal.', () => {
  const session = plugin.session({ remindAfter: 3 });
  const refused = [
    [{ remindafter: 3 }, /"remindafter"; legal: toolSet/],
    [{ remindAfter: -1 }, /"remindAfter": found -1; legal/],
    [{ remindAfter: 2.5 }, /found 2\.5/],
    [{ remindAfter: '3' }, /found "3"/],
    [{ remindAfter: 2 ** 32 }, /found 4294967296/],
    [{ remindAfter: 1_000_001 }, /^Error: /],
    [{ maxTodos: 0 }, /^Error: /],
    [{ remind: 1 }, /found 1; legal: true, false/],
    [{ toolSet: 'tasks' }, /found "tasks"; legal: todo, task, both/],
    [null, /found null/],
  ];
  for (const [policy, message] of refused) {
    assert.throws(() => session.configure(policy), { name: 'TodoError', code: 'invalid-policy', message });
  }
  assert.match(session.saveState(), /3/);
});

test('A state and a history that are none are refused, and nothing changes.', () => {
  const session = plugin.session();
  session.todoWrite({ todos: [READ] });
  const state = session.saveState();
  assert.throws(() => session.loadState('{}'), (error) => error instanceof TodoError && error.code === 'invalid-state');
  assert.throws(() => session.restore('no history'), (error) => error instanceof TodoError && error.code === 'invalid-history');
  assert.equal(session.saveState(), state);
});

test('A fork answers byte for byte as the original would, and the original does not notice.', () => {
  const session = plugin.session({ remindAfter: 1 });
  session.todoWrite({ todos: Array.from({ length: 100 }, (_, n) => ({ ...READ, id: `${n}`, content: `${n} `.padEnd(1000, 'x') })) });
  const state = session.saveState();
  const fork = session.fork();
  assert.equal(fork.saveState(), state);
  fork.onRequest();
  assert.equal(fork.pendingHistoryAppends().length, 1);
  fork.todoWrite({ todos: [] });
  assert.equal(session.saveState(), state);
});

test('A fork in the middle of a history leaves it open.', () => {
  const session = plugin.session();
  session.restore([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'todo_write', input: { todos: [READ] } }] }]);
  session.fork().todos();
  session.restore([{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'denied', is_error: true }] }]);
  assert.deepEqual(session.todos(), []);
});

test('A session in which a call trapped is dead and says so at every call.', async () => {
  const session = (await loadTodo({ core: trappingCore })).session();
  assert.equal(session.dead, false);
  assert.throws(() => session.onRequest(), (error) => error.code === 'dead' && error.cause instanceof WebAssembly.RuntimeError);
  assert.equal(session.dead, true);
  for (const call of [() => session.configure({}), () => session.todos(), () => session.fork(), () => session.callTool('todo_write', {})]) {
    assert.throws(call, { name: 'TodoError', code: 'dead', message: /Make a new session and restore the history/ });
  }
});

test('The core module can come from the host.', async () => {
  const bytes = await readFile(new URL(import.meta.resolve('agent-todo/core.wasm')));
  for (const core of [bytes, await WebAssembly.compile(bytes)]) {
    const own = await loadTodo({ core });
    assert.equal(own.session().instructions(), plugin.session().instructions());
  }
});
