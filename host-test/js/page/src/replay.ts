// What another policy would have done: the session again, live, with the same
// requests and the same lists.

import type { Policy, Todo, TodoPlugin } from 'agent-todo';
import type { Timeline } from './timeline.js';

/** What the page lets a person change. */
export type ReminderPolicy = Required<Pick<Policy, 'remind' | 'remindAfter' | 'remindCooldown' | 'remindOnce'>>;

/** A reminder that the policy brings. */
export interface Reminder {
  /** The request that it goes with. */
  request: number;
  /** What the model would read. */
  text: string;
}

/** The reminders under a policy, by the component itself. */
export function replay(plugin: TodoPlugin, timeline: Timeline, policy: ReminderPolicy): Reminder[] {
  const session = plugin.session({ ...policy, maxTodos: 1000, maxContent: 10_000, inProgressLimit: 'allow', maxInput: 16_777_216 });
  const steps = timeline.steps.values();
  let step = steps.next().value;
  const reminders: Reminder[] = [];
  for (let request = 1; request <= timeline.requests; request += 1) {
    for (const { text } of session.pendingHistoryAppends()) reminders.push({ request, text });
    session.onRequest();
    while (step !== undefined && step.request <= request) {
      session.todoWrite({ todos: step.todos.map(withoutDescription) });
      step = steps.next().value;
    }
  }
  return reminders;
}

function withoutDescription({ id, content, status }: Todo): Todo {
  return { id, content, status };
}
