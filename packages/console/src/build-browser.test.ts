import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { beforeAll, expect, test } from 'vitest';

import { buildConsole } from './build-console.ts';

beforeAll(buildConsole);

const target = new URL('../dist/browser/', import.meta.url);

async function build(): Promise<number> {
  const script = fileURLToPath(new URL('./build-browser.ts', import.meta.url));
  const [code] = await once(spawn(process.execPath, [script], { stdio: 'ignore' }), 'close');
  return code as number;
}

test('while the console is built again, twice at once, every file of it is there as a whole', async () => {
  const assets = readdirSync(new URL('assets/', target)).map((name) => `assets/${name}`);
  const sizeOf = (name: string) => readFileSync(new URL(name, target)).length;
  const sizes = ['index.html', 'bouncer.html', ...assets].map(
    (name) => [name, sizeOf(name)] as const,
  );
  const builds = { codes: undefined as readonly number[] | undefined };
  const building = Promise.all([build(), build()]).then((codes) => (builds.codes = codes));
  const cut = new Set<string>();
  while (!builds.codes) {
    for (const [name, size] of sizes) if (sizeOf(name) !== size) cut.add(name);
    await turn();
  }
  expect(await building).toEqual([0, 0]);
  expect([...cut]).toEqual([]);
});
