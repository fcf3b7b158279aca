import type { Exports } from './core.js';
import { TodoError } from './error.js';
import type { Policy } from './types.js';

const U32_MAX = 4_294_967_295;

/** What each field takes. Ranges inside a number's type are the component's to judge. */
const FIELDS: Record<keyof Policy, 'boolean' | 'number' | readonly string[]> = {
  toolSet: ['todo', 'task', 'both'],
  remind: 'boolean',
  remindAfter: 'number',
  remindCooldown: 'number',
  remindOnce: 'boolean',
  inProgressLimit: ['allow', 'note', 'refuse'],
  maxTodos: 'number',
  maxContent: 'number',
  maxInput: 'number',
  adoptSnapshot: 'boolean',
};

/**
 * Refuses what the generated glue would turn into another value without a word:
 * -1 into 4294967295, 2.5 into 2, "8 requests" into 0, a misspelt field into its default.
 */
export function checkPolicy(policy: Policy): Parameters<Exports['configure']>[0] {
  if (typeof policy !== 'object' || policy === null) {
    throw invalid(`found ${show(policy)}; legal: an object`);
  }
  const given = Object.entries(policy).filter(([, value]) => value !== undefined);
  for (const [field, value] of given) {
    if (!Object.hasOwn(FIELDS, field)) {
      throw invalid(`there is no field "${field}"; legal: ${Object.keys(FIELDS).join(', ')}`);
    }
    const legal = FIELDS[field as keyof Policy];
    if (typeof legal === 'object') {
      if (!legal.includes(value as string)) throw invalid(`"${field}": found ${show(value)}; legal: ${legal.join(', ')}`);
    } else if (legal === 'boolean') {
      if (typeof value !== 'boolean') throw invalid(`"${field}": found ${show(value)}; legal: true, false`);
    } else if (!isU32(value)) {
      throw invalid(`"${field}": found ${show(value)}; legal: a whole number that is not negative`);
    }
  }
  return Object.fromEntries(given);
}

function isU32(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= U32_MAX;
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function invalid(message: string): TodoError {
  return new TodoError('invalid-policy', `Error: policy: ${message}. The policy is unchanged.`);
}
