/**
 * The todo list of an agent session, for JavaScript hosts.
 *
 * ```js
 * const plugin = await loadTodo();
 * const session = plugin.session({ remindAfter: 8 });
 * const { text } = session.callTool('todo_write', toolCall.input);
 * ```
 *
 * @packageDocumentation
 */

export { TodoError } from './error.js';
export { loadTodo, TodoPlugin, type LoadOptions } from './plugin.js';
export { TodoSession } from './session.js';
export type * from './types.js';
