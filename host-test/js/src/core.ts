// One instance of the component, and what the generated glue leaves open: its
// memory, for a fork, and its death.

import { instantiate, type Root } from './generated/agent-todo.js';
import { TodoError } from './error.js';
import type { ErrorCode } from './types.js';

/** The functions of the interface, as the glue offers them. */
export type Exports = Root['session'];

/** The glue throws an error of the interface as an `Error` with this payload. */
interface Refusal {
  payload: { code: Exclude<ErrorCode, 'dead'>; message: string };
}

/** One instance. */
export class Core {
  readonly #module: WebAssembly.Module;
  readonly #exports: Exports;
  readonly #memory: WebAssembly.Memory;
  #death: unknown;
  #dead = false;

  constructor(module: WebAssembly.Module) {
    let memory: WebAssembly.Memory | undefined;
    const root = instantiate(
      () => module,
      {},
      (core, imports) => {
        const instance = new WebAssembly.Instance(core, imports);
        memory = instance.exports['memory'] as WebAssembly.Memory;
        return instance;
      },
    );
    if (memory === undefined) throw new TypeError('the component made no instance of its core module');
    this.#module = module;
    this.#exports = root.session;
    this.#memory = memory;
  }

  /** Whether the instance is lost. */
  get dead(): boolean {
    return this.#dead;
  }

  /**
   * Makes one call. An error of the interface comes out as a `TodoError`;
   * whatever else is thrown is a trap. The glue would let a trapped instance go
   * on with the state that the trap left behind, so it is closed here.
   */
  call<T>(run: (exports: Exports) => T): T {
    if (this.#dead) throw this.#isDead();
    try {
      return run(this.#exports);
    } catch (error) {
      if (isRefusal(error)) throw new TodoError(error.payload.code, error.payload.message);
      this.#dead = true;
      this.#death = error;
      throw this.#isDead();
    }
  }

  /**
   * A second instance that stands where this one stands. All state of the
   * component is in its linear memory: between two calls its stack is empty,
   * and it has no table or global that changes.
   */
  fork(): Core {
    if (this.#dead) throw this.#isDead();
    const twin = new Core(this.#module);
    const source = new Uint8Array(this.#memory.buffer);
    const missing = source.byteLength - twin.#memory.buffer.byteLength;
    if (missing > 0) twin.#memory.grow(missing / 65536);
    new Uint8Array(twin.#memory.buffer).set(source);
    return twin;
  }

  #isDead(): TodoError {
    const cause = this.#death;
    const why = cause instanceof Error ? cause.message : String(cause);
    return new TodoError(
      'dead',
      `Error: the session is dead, a call trapped (${why}). Make a new session and restore the history or load a saved state.`,
      { cause },
    );
  }
}

function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Error) || !('payload' in error)) return false;
  const payload = error.payload;
  return typeof payload === 'object' && payload !== null && 'code' in payload && 'message' in payload;
}
