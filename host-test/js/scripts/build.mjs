// Turns the component into what the package holds: the glue by jco, and the
// core module as a file and as an ES module.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { transpile } from '@bytecodealliance/jco';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const component = process.env['AGENT_TODO_COMPONENT'] ?? join(folder, 'agent-todo.wasm');
const generated = join(folder, 'src/generated');

try {
  await build(await read(component));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

async function build(bytes) {
  const { files } = await transpile(bytes, {
    name: 'agent-todo',
    instantiation: 'sync',
    nodejsCompat: false,
    wasiShim: false,
  });
  const cores = Object.keys(files).filter((name) => name.endsWith('.wasm'));
  if (cores.length !== 1) {
    throw new Error(`the component has ${cores.length} core modules; the package is made for 1`);
  }
  await rm(generated, { recursive: true, force: true });
  for (const [name, content] of Object.entries(files)) {
    if (!name.endsWith('.wasm')) await write(name, content);
  }
  const core = files[cores[0]];
  await write('core.wasm', core);
  const base64 = gzipSync(core, { level: 9 }).toString('base64');
  await write('core-gzip.js', `export default '${base64}';\n`);
  await write('core-gzip.d.ts', 'declare const base64: string;\nexport default base64;\n');
}

async function read(path) {
  try {
    return await readFile(path);
  } catch {
    throw new Error(`no component at ${path}; make it with: cargo run -- component --out host-test/js/agent-todo.wasm`);
  }
}

async function write(name, content) {
  const path = join(generated, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
