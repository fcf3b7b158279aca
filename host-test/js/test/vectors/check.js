// Compares an answer with what a step expects. An expectation of something
// that the answer does not have fails.

import { text } from './text.js';

const CHECKS = {
  ok: ({ error }, expected) => same(error === undefined, expected),
  error: ({ error }, expected) => same(error, expected),
  text: (answer, expected) => same(answer.text, text(expected)),
  starts_with: (answer, start) => (has(answer).startsWith(text(start)) ? [] : [`found ${JSON.stringify(answer.text.slice(0, 200))}`]),
  contains: (answer, parts) => parts.map(text).filter((part) => !has(answer).includes(part)).map((part) => `not there: ${part}`),
  not_contains: (answer, parts) => parts.map(text).filter((part) => has(answer).includes(part)).map((part) => `there: ${part}`),
  same: (answer, expected, _session, saved) => [...same(expected, true), ...same(answer.text, saved ?? 'a saved text')],
  max_chars: (answer, most) => ([...has(answer)].length <= most ? [] : [`${[...answer.text].length} characters`]),
  max_bytes: (answer, most) => (bytes(has(answer)) <= most ? [] : [`${bytes(answer.text)} bytes`]),
  is_json: (answer, expected) => same(isJson(has(answer)), expected),
  changed: ({ changed }, expected) => same(changed, expected),
  progress: ({ progress }, expected) => same(progress, expected),
  appends: ({ appends }, expected) => same(appends, expected),
  role: ({ role }, expected) => same(role, expected),
  snapshot: ({ snapshot }, expected) => same(snapshot, expected),
  carry_over: ({ carry_over: found }, expected) => same(found, expected === null ? null : text(expected)),
  tools: ({ tools }, expected) => checkTools(tools, expected),
  report: ({ report }, expected) => fields(report, expected),
  list: (_answer, expected, session) => same(listOf(session), expected.map((item) => item.map(text))),
  counters: (_answer, expected, session) => fields(countersOf(session), expected),
};

/** What is wrong with the answer, one line each. */
export function check(expect, answer, session, saved) {
  if (Object.keys(expect).length === 0) return ['nothing is expected'];
  const failures = [];
  if (answer.error !== undefined && expect.error === undefined) failures.push(`refused: ${answer.text}`);
  for (const [key, expected] of Object.entries(expect)) {
    const compare = CHECKS[key];
    if (compare === undefined) failures.push(`unknown expectation "${key}"`);
    else for (const failure of compare(answer, expected, session, saved)) failures.push(`${key}: ${failure}`);
  }
  return failures;
}

function same(found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  return a === b ? [] : [`found ${a}, expected ${b}`];
}

function fields(found, expected) {
  if (found === undefined) return ['found nothing'];
  return Object.entries(expected).flatMap(([key, value]) => same(found[key], value).map((line) => `"${key}": ${line}`));
}

function has(answer) {
  if (typeof answer.text !== 'string') throw new Error('the answer has no text');
  return answer.text;
}

function bytes(string) {
  return new TextEncoder().encode(string).length;
}

function isJson(string) {
  try {
    JSON.parse(string);
    return true;
  } catch {
    return false;
  }
}

function listOf(session) {
  return session.todos().map(({ id, status, content, description }) =>
    description === undefined ? [id, status, content] : [id, status, content, description]);
}

function countersOf(session) {
  const { requestsSinceWrite, requestsSinceReminder } = session.counters();
  return { since_write: requestsSinceWrite, since_reminder: requestsSinceReminder ?? null };
}

function checkTools(tools, expected) {
  if (tools === undefined) return ['found no tools'];
  const failures = same(tools.map(({ name }) => name), expected.map(({ name }) => name));
  for (const [index, { schema = [] }] of expected.entries()) {
    for (const { at, is, keys, ...rest } of schema) {
      if (Object.keys(rest).length > 0) failures.push(`unknown keys ${Object.keys(rest)}`);
      const found = pointer(tools[index]?.inputSchema, at);
      if (is !== undefined) failures.push(...same(found, is));
      if (keys !== undefined) failures.push(...same(Object.keys(found ?? {}).sort(), keys));
    }
  }
  return failures;
}

/** The value at a JSON Pointer, or nothing. */
function pointer(value, path) {
  const steps = path.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce((inner, step) => inner?.[step], value);
}
