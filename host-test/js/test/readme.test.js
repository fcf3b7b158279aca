import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { after, test } from 'node:test';

const run = promisify(execFile);
const root = new URL('../', import.meta.url);
// Inside the package, so that its name and the development packages resolve.
const folder = new URL('test/readme/', root);

after(() => rm(folder, { recursive: true, force: true }));

test('The examples of the README pass a strict type check, real provider included.', async () => {
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(examples.length >= 2);
  await mkdir(folder, { recursive: true });
  const files = examples.map((_, index) => `example-${index + 1}.ts`);
  await Promise.all(files.map((name, index) => writeFile(new URL(name, folder), examples[index])));
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, target: 'ES2022', module: 'NodeNext', skipLibCheck: true, types: ['node'] },
    files,
  }));
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  const { stdout } = await run(process.execPath, [tsc, '-p', fileURLToPath(folder)]).catch((error) => error);
  assert.equal(stdout, '');
});
