import type { ErrorCode } from './types.js';

/**
 * What this package throws: a policy, state or history that was refused, or a
 * call of a session that is dead. A refused *tool call* is no exception but a
 * result, because its text belongs to the model.
 */
export class TodoError extends Error {
  /** The kind, for programs. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TodoError';
    this.code = code;
  }
}
