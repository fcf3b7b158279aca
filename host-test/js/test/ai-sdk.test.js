import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { loadTodo } from 'agent-todo';
import { adaptSession } from 'agent-todo/ai-sdk';

let plugin;
before(async () => {
  plugin = await loadTodo();
});

const POLICY = { remindAfter: 2, remindCooldown: 2 };
const LIST = { todos: [{ id: '1', content: 'Add the flag', status: 'in_progress' }] };
const other = { lookUp: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'found' }) };

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
let calls = 0;
const call = (toolName, input) => ({
  content: [{ type: 'tool-call', toolCallId: `call-${(calls += 1)}`, toolName, input: typeof input === 'string' ? input : JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
  usage: USAGE,
  warnings: [],
});
const say = (text) => ({ content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE, warnings: [] });
const WRITE = () => call('todo_write', LIST);
const LOOK_UP = () => call('lookUp', {});

/** One turn of a conversation: what the model says, and the conversation after it. */
async function turn(session, messages, answers, options) {
  const todo = adaptSession(session, options);
  const model = new MockLanguageModelV4({ doGenerate: answers });
  const result = await generateText({
    model,
    messages,
    tools: { ...todo.tools, ...other },
    stopWhen: isStepCount(20),
    instructions: todo.instructions,
    prepareStep: todo.prepareStep,
    repairToolCall: todo.repairToolCall,
    allowSystemInMessages: options?.reminderRole === 'system',
  });
  return { model, result, messages: [...messages, ...todo.history(result.responseMessages)] };
}

const isReminder = (message) => JSON.stringify(message.content).includes('<system-reminder>');
const remindersIn = (prompt) => prompt.filter(isReminder).length;

test('The model is offered the tools with their schemas as they are, and the instructions.', async () => {
  const session = plugin.session();
  const { model } = await turn(session, [{ role: 'user', content: 'Add a flag' }], [say('Done.')]);
  const [{ tools, prompt }] = model.doGenerateCalls;
  const [{ name, description, inputSchema }] = session.tools();
  const offered = tools.find((tool) => tool.name === name);
  assert.deepEqual({ ...offered.inputSchema }, inputSchema);
  assert.equal(offered.description, description);
  assert.deepEqual(prompt[0], { role: 'system', content: session.instructions() });
});

test('A write reaches the session, and its text the model.', async () => {
  const session = plugin.session();
  const { model } = await turn(session, [{ role: 'user', content: 'Add a flag' }], [WRITE(), say('Done.')]);
  assert.deepEqual(session.todos(), LIST.todos);
  const [result] = model.doGenerateCalls[1].prompt.at(-1).content;
  assert.deepEqual(result.output, { type: 'text', value: '[>] 1. Add the flag\n\n(0/1 completed)' });
});

test('A refusal is a result that the model reads, and input that is no JSON is one, too.', async () => {
  for (const input of [{ todos: 7 }, '{"todos":[{"content":']) {
    const session = plugin.session();
    const { model } = await turn(session, [{ role: 'user', content: 'Add a flag' }], [call('todo_write', input), say('Sorry.')]);
    const [{ output }] = model.doGenerateCalls[1].prompt.at(-1).content;
    assert.equal(output.type, 'text');
    assert.match(output.value, /^Error: .*legal|^Error: /);
  }
});

test('Python-style input that is no JSON is understood.', async () => {
  const session = plugin.session();
  await turn(session, [{ role: 'user', content: 'Add a flag' }], [
    call('todo_write', "{'todos': [{'id': '1', 'content': 'Add the flag', 'status': 'in_progress'}]}"),
    say('Done.'),
  ]);
  assert.deepEqual(session.todos(), LIST.todos);
});

test('A broken call of another tool is not repaired.', async () => {
  const todo = adaptSession(plugin.session());
  assert.equal(await todo.repairToolCall({ toolCall: { toolName: 'lookUp', input: '{' } }), null);
});

test('Each request is counted, and a due reminder stands at the end of the prompt from then on.', async () => {
  const session = plugin.session(POLICY);
  const { model } = await turn(session, [{ role: 'user', content: 'Add a flag' }],
    [WRITE(), LOOK_UP(), LOOK_UP(), LOOK_UP(), say('Done.')]);
  const prompts = model.doGenerateCalls.map(({ prompt }) => prompt);
  assert.deepEqual(prompts.map(remindersIn), [0, 0, 0, 1, 1]);
  assert.equal(prompts[3].at(-1).role, 'user');
  assert.ok(isReminder(prompts[3].at(-1)));
  assert.deepEqual(session.counters(), { requestsSinceWrite: 4, requestsSinceReminder: 2 });
});

test('Over several turns with a save and a restore between them a conversation is what it would have been without.', async () => {
  const script = () => [
    [WRITE(), LOOK_UP(), LOOK_UP(), say('Going on.')],
    [LOOK_UP(), say('Still at it.')],
    [LOOK_UP(), LOOK_UP(), LOOK_UP(), call('todo_write', { todos: [] }), say('Done.')],
  ];
  for (const options of [{ reminderRole: 'user' }, { reminderRole: 'system' }]) {
    const live = { session: plugin.session(POLICY), messages: [] };
    const saved = { session: plugin.session(POLICY), messages: [] };
    const prompts = { live: [], saved: [] };
    for (const answers of script()) {
      for (const [name, side] of Object.entries({ live, saved })) {
        const { model, messages } = await turn(side.session, [...side.messages, { role: 'user', content: 'Go on' }], answers.map((answer) => structuredClone(answer)), options);
        side.messages = messages;
        prompts[name].push(...model.doGenerateCalls.map(({ prompt }) => prompt));
      }
      const file = JSON.stringify(saved.messages);
      saved.messages = JSON.parse(file);
      saved.session = plugin.session(POLICY);
      assert.equal(saved.session.restore(file).format, 'ai-sdk');
      assert.deepEqual(saved.session.counters(), live.session.counters());
      assert.deepEqual(saved.session.todos(), live.session.todos());
    }
    assert.deepEqual(prompts.saved, prompts.live);
    assert.equal(saved.messages.filter(isReminder).length, 4);
    assert.ok(saved.messages.filter(isReminder).every(({ role }) => role === options.reminderRole));
  }
});

test('A stream and an agent take the same adapter.', async () => {
  const session = plugin.session(POLICY);
  const todo = adaptSession(session);
  const parts = [
    [
      { type: 'tool-call', toolCallId: 'a', toolName: 'todo_write', input: JSON.stringify(LIST) },
      { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage: USAGE },
    ],
    [{ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE }],
  ];
  const model = new MockLanguageModelV4({
    doStream: parts.map((part) => ({ stream: convertArrayToReadableStream([{ type: 'stream-start', warnings: [] }, ...part]) })),
  });
  const result = streamText({ model, prompt: 'Add a flag', tools: todo.tools, stopWhen: isStepCount(5), prepareStep: todo.prepareStep });
  await result.consumeStream();
  assert.deepEqual(session.counters(), { requestsSinceWrite: 1 });
  assert.deepEqual(session.todos(), LIST.todos);

  const agent = new ToolLoopAgent({
    model: new MockLanguageModelV4({ doGenerate: [LOOK_UP(), LOOK_UP(), say('Done.')] }),
    tools: { ...todo.tools, ...other },
    prepareStep: todo.prepareStep,
  });
  const { responseMessages } = await agent.generate({ prompt: 'Go on' });
  assert.deepEqual(todo.history(responseMessages).map(isReminder), [false, false, true, false, false, false].slice(0, todo.history(responseMessages).length));
});
