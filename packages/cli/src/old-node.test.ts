import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const pretend = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })";

test.each([
  [
    'bellhop',
    'cli/bin/bellhop.js',
    'install Node 24, or run "npm ci" in a clone, which brings its own, and type "npx bellhop" there',
  ],
  [
    'bellhop in a project',
    'bot-cli/bin/bellhop.js',
    'run "npm install --save-dev node@24", which brings one',
  ],
  [
    'npm start of a bot',
    'bot/bin/check-node.js',
    'run "npm install --save-dev node@24", which brings one',
  ],
])('%s says on Node 20 in one line what to do', (_door, file, remedy) => {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stderr } = spawnSync(process.execPath, [...preload, path(file)], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^[^\n]+ needs Node \d+\.\d+ or newer, and this is 20\.20\.2: [^\n]+\n$/);
  expect(stderr).toContain(remedy);
});
