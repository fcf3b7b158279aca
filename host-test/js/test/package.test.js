import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { openPage, startBrowser } from './browser.js';
import { serve } from './serve.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const TSC = createRequire(import.meta.url).resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');

/** What every user of the package does first; it must print the model's text. */
const USE = `
import { loadTodo } from 'agent-todo';
const plugin = await loadTodo();
const session = plugin.session({ remindAfter: 8 });
const { text } = session.callTool('todo_write', { todos: [{ id: '1', content: 'Try it', status: 'in_progress' }] });
`;
const TEXT = '[>] 1. Try it\n\n(0/1 completed)';

let project;
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'agent-todo-'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], { cwd: root });
  const [{ filename }] = Object.values(JSON.parse(stdout));
  await write('package.json', JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--omit=peer', join(project, filename)], { cwd: project });
});
after(() => rm(project, { recursive: true, force: true }));

const write = async (name, text) => {
  const path = join(project, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
};

test('The packed package holds what is needed and nothing else, and brings no other package.', async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--dry-run', '--ignore-scripts'], { cwd: root });
  const [{ files }] = Object.values(JSON.parse(stdout));
  assert.deepEqual(files.map(({ path }) => path).filter((path) => !/^dist\/|^(package\.json|README\.md|LICENSE)$/.test(path)), []);
  assert.deepEqual(JSON.parse(await readFile(join(project, 'node_modules/agent-todo/package.json'), 'utf8')).dependencies, undefined);
  const { stdout: tree } = await run('npm', ['ls', '--all', '--parseable', '--omit=peer'], { cwd: project });
  assert.deepEqual(tree.trim().split('\n').slice(1).map((path) => path.split('node_modules/')[1]), ['agent-todo']);
});

test('Installed in an empty project it works in Node.', async () => {
  await write('use.js', `${USE}process.stdout.write(text);`);
  const { stdout } = await run(process.execPath, ['use.js'], { cwd: project });
  assert.equal(stdout, TEXT);
});

test('Its declarations pass a strict check without leaving out the libraries.', async () => {
  await write('use.ts', `${USE}const kept: string = text;\n// @ts-expect-error a misspelt field is an error\nplugin.session({ remindafter: 8 });\nexport { kept };`);
  await write('tsconfig.json', JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, target: 'ES2022', module: 'NodeNext', skipLibCheck: false, types: [] },
    files: ['use.ts'],
  }));
  const { stdout } = await run(process.execPath, [TSC, '-p', project]).catch((error) => error);
  assert.equal(stdout, '');
});

test('It works in a Vite build.', async () => {
  await write('vite/index.html', '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>');
  await write('vite/main.js', `${USE}document.title = text.length; globalThis.text = text;`);
  await build({ root: join(project, 'vite'), logLevel: 'error', configFile: false });
  assert.equal(await textOf({ '/': join(project, 'vite/dist/') }, '/index.html'), TEXT);
});

test('It works on a plain page that no tool has seen.', async () => {
  await write('plain/index.html', `<!doctype html><link rel="icon" href="data:,"><script type="module">
    ${USE.replace("'agent-todo'", "'/agent-todo/index.js'")} globalThis.text = text;</script>`);
  const folders = { '/': join(project, 'plain/'), '/agent-todo/': join(project, 'node_modules/agent-todo/dist/') };
  assert.equal(await textOf(folders, '/index.html'), TEXT);
});

/** What the page at `path` puts into `globalThis.text`. */
async function textOf(folders, path) {
  const server = await serve(folders);
  const browser = await startBrowser();
  try {
    const { page, errors } = await openPage(browser);
    await page.goto(server.url + path);
    await page.waitForFunction(() => 'text' in globalThis);
    assert.deepEqual(errors, []);
    return await page.evaluate(() => globalThis.text);
  } finally {
    await browser.close();
    server.close();
  }
}
