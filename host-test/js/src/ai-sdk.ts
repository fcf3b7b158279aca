/**
 * A session as the AI SDK (`ai` 7) takes it.
 *
 * ```js
 * const todo = adaptSession(session);
 * const result = await generateText({
 *   model, messages, stopWhen: isStepCount(50),
 *   instructions: todo.instructions,
 *   tools: { ...todo.tools, ...others },
 *   prepareStep: todo.prepareStep,
 * });
 * messages.push(...todo.history(result.responseMessages));
 * ```
 *
 * @packageDocumentation
 */

import { jsonSchema, tool, type JSONSchema7, type ModelMessage, type Tool } from 'ai';
import type { TodoSession } from './session.js';

/** What `adaptSession` takes. */
export interface AdapterOptions {
  /**
   * The role of a reminder in the messages. Default `user`, which every model
   * takes inside a history; `system` needs `allowSystemInMessages: true` when
   * the saved messages are sent again, and a model that takes it.
   */
  reminderRole?: 'system' | 'user';
}

/** What `prepareStep` looks at; the SDK passes more. */
export interface Step {
  stepNumber: number;
  messages: ModelMessage[];
  responseMessages: readonly ModelMessage[];
}

/** What an unparseable tool call looks like; the SDK passes more. */
export interface BrokenToolCall<CALL extends { toolName: string; input: string }> {
  toolCall: CALL;
}

/** What goes into `generateText`, `streamText` or a `ToolLoopAgent`. */
export interface AdaptedSession {
  /** For the `instructions` of the call, alone or at the end of your own. */
  instructions: string;
  /** For `tools`. They take whatever the model sends, and a refusal is a result: the model reads it. */
  tools: Record<string, Tool<unknown, string>>;
  /** For `prepareStep`: counts the request and appends the reminder that is due. */
  prepareStep(step: Step): { messages?: ModelMessage[] };
  /**
   * For `repairToolCall`: hands on a call whose input is no JSON, which the SDK
   * would fail by itself. The session may still read it, or tells the model
   * what it can read. Calls of other tools stay unrepaired (`null`).
   */
  repairToolCall<CALL extends { toolName: string; input: string }>(broken: BrokenToolCall<CALL>): Promise<CALL | null>;
  /**
   * What the call added to the conversation: its `responseMessages`, with each
   * reminder where the model read it. Save these messages, and `restore` gives
   * the session back, reminders included.
   */
  history(responseMessages: readonly ModelMessage[]): ModelMessage[];
}

/** Adapts a session. One adapter serves one conversation, one call at a time. */
export function adaptSession(session: TodoSession, options: AdapterOptions = {}): AdaptedSession {
  const role = options.reminderRole ?? 'user';
  const definitions = session.tools();
  const names = new Set(definitions.map(({ name }) => name));
  /** The reminders of the running call, each with the number of response messages before it. */
  let delivered: { before: number; message: ModelMessage }[] = [];

  return {
    instructions: session.instructions(),
    tools: Object.fromEntries(
      definitions.map(({ name, description, inputSchema }) => [
        name,
        tool({
          description,
          inputSchema: jsonSchema<unknown>(inputSchema as JSONSchema7),
          execute: async (input: unknown) => session.callTool(name, input).text,
        }),
      ]),
    ),
    prepareStep({ stepNumber, messages, responseMessages }) {
      if (stepNumber === 0) delivered = [];
      const reminders = session.pendingHistoryAppends().map(({ text }): ModelMessage => ({ role, content: text }));
      session.onRequest();
      if (reminders.length === 0) return {};
      for (const message of reminders) delivered.push({ before: responseMessages.length, message });
      return { messages: [...messages, ...reminders] };
    },
    async repairToolCall({ toolCall }) {
      return names.has(toolCall.toolName) ? { ...toolCall, input: JSON.stringify(toolCall.input) } : null;
    },
    history(responseMessages) {
      const at = (index: number) => delivered.filter(({ before }) => before === index).map(({ message }) => message);
      return [...responseMessages.flatMap((message, index) => [...at(index), message]), ...at(responseMessages.length)];
    },
  };
}
