// Puts what tsc leaves out beside what it wrote.

import { copyFile, mkdir } from 'node:fs/promises';

const from = new URL('../src/generated/', import.meta.url);
const repository = new URL('../../../', import.meta.url);
const to = new URL('../dist/', import.meta.url);

await mkdir(new URL('generated/', to), { recursive: true });
await copyFile(new URL('agent-todo.js', from), new URL('generated/agent-todo.js', to));
await copyFile(new URL('core-gzip.js', from), new URL('generated/core-gzip.js', to));
await copyFile(new URL('core.wasm', from), new URL('core.wasm', to));
await copyFile(new URL('wit/agent-todo.wit', repository), new URL('agent-todo.wit', to));
await copyFile(new URL('LICENSE', repository), new URL('../LICENSE', to));
