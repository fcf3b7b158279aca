// Runs one conformance vector (host-test/vectors/README.md) on the package, in
// Node and in a browser alike.

import { check } from './check.js';
import { text } from './text.js';

const KEYS = {
  'configure': ['policy'],
  'instructions': [],
  'tools': [],
  'call-tool': ['name', 'input'],
  'todo-write': ['input'],
  'on-request': ['times'],
  'pending-history-appends': [],
  'compact-snapshot': [],
  'restore': ['history'],
  'save-state': [],
  'load-state': ['state'],
  'save-load': [],
  'new-session': ['policy'],
  'todos': [],
  'counters': [],
};

/** Runs the vector and returns what went wrong, one line each. */
export function runVector(plugin, vector) {
  const failures = unknownKeys(vector, ['name', 'policy', 'steps']).map((key) => `unknown key "${key}"`);
  const run = { plugin, vector, session: plugin.session(policyOf(vector.policy)), saved: undefined };
  for (const [index, step] of vector.steps.entries()) {
    for (const failure of runStep(run, step)) failures.push(`step ${index + 1} (${step.do}): ${failure}`);
  }
  return failures;
}

function runStep(run, step) {
  const keys = KEYS[step.do];
  if (keys === undefined) return ['unknown step'];
  const unknown = unknownKeys(step, ['do', 'expect', ...keys]);
  if (unknown.length > 0) return unknown.map((key) => `unknown key "${key}"`);
  const before = run.saved;
  const answer = attempt(() => call(run, step));
  if (step.expect === undefined && step.do === 'on-request') return [];
  return check(step.expect ?? {}, answer, run.session, before);
}

function call(run, step) {
  const { session } = run;
  switch (step.do) {
    case 'configure': return done(session.configure(policyOf(step.policy)));
    case 'instructions': return { text: session.instructions() };
    case 'tools': {
      const tools = session.tools();
      return { tools, text: tools.map(({ description }) => description).join('\n') };
    }
    case 'call-tool': return toolAnswer(session.callTool(text(step.name), text(step.input)));
    case 'todo-write': return toolAnswer(session.todoWrite(text(step.input)));
    case 'on-request': {
      for (let n = 0; n < (step.times ?? 1); n += 1) session.onRequest();
      return { ok: true };
    }
    case 'pending-history-appends': {
      const items = session.pendingHistoryAppends();
      const only = items.length === 1 ? { text: items[0].text, role: items[0].role } : {};
      return { appends: items.length, ...only };
    }
    case 'compact-snapshot': {
      const snapshot = session.compactSnapshot();
      if (snapshot === undefined) return { snapshot: false };
      const { context, carryOver } = snapshot;
      return { snapshot: true, text: context, carry_over: carryOver?.text ?? null, role: carryOver?.role };
    }
    case 'restore': return { report: session.restore(text(step.history)) };
    case 'save-state': {
      run.saved = session.saveState();
      return { text: run.saved };
    }
    case 'load-state': return done(session.loadState(step.state === undefined ? run.saved : text(step.state)));
    case 'save-load': {
      const state = session.saveState();
      run.session = run.plugin.session();
      run.session.loadState(state);
      return { ok: true };
    }
    case 'new-session': {
      run.session = run.plugin.session(policyOf(step.policy ?? run.vector.policy));
      return { ok: true };
    }
    case 'todos':
    case 'counters': return {};
  }
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (error.name !== 'TodoError' || error.code === 'dead') throw error;
    return { error: error.code, text: error.message };
  }
}

function toolAnswer({ isError, text, code, changed, progress }) {
  if (isError) return { error: code, text };
  return { ok: true, text, changed, progress: [progress.pending, progress.inProgress, progress.completed] };
}

function done() {
  return { ok: true };
}

function policyOf(policy = {}) {
  const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(policy).map(([name, value]) => [camelCase(name), value]));
}

export function unknownKeys(object, known) {
  return Object.keys(object).filter((key) => !known.includes(key));
}
