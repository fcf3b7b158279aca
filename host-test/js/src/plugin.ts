import { Core } from './core.js';
import { TodoSession } from './session.js';
import type { Policy } from './types.js';

/** What `loadTodo` takes. */
export interface LoadOptions {
  /**
   * The core module, for a platform that compiles no WebAssembly at run time:
   * import `agent-todo/core.wasm` there. Without it the copy inside the
   * package is compiled, which needs no file and no request.
   */
  core?: WebAssembly.Module | BufferSource;
}

/** The compiled component. One for a process is enough; it holds no session. */
export class TodoPlugin {
  readonly #module: WebAssembly.Module;

  /** @internal A plugin comes from `loadTodo()`. */
  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * A new, empty session. Throws a `TodoError` with the code `invalid-policy`
   * for a field that does not exist or a value that is out of its range.
   */
  session(policy: Policy = {}): TodoSession {
    const session = new TodoSession(new Core(this.#module));
    session.configure(policy);
    return session;
  }
}

/** Compiles the component, on first use of the copy inside the package only. */
export async function loadTodo(options: LoadOptions = {}): Promise<TodoPlugin> {
  const { core } = options;
  if (core instanceof WebAssembly.Module) return new TodoPlugin(core);
  if (core !== undefined) return new TodoPlugin(await WebAssembly.compile(core));
  bundled ??= compileBundled();
  try {
    return new TodoPlugin(await bundled);
  } catch (error) {
    bundled = undefined;
    throw error;
  }
}

let bundled: Promise<WebAssembly.Module> | undefined;

/** The copy is gzipped, so that base64 does not make it larger than the file. */
async function compileBundled(): Promise<WebAssembly.Module> {
  const { default: base64 } = await import('./generated/core-gzip.js');
  const gzipped = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bytes = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}
