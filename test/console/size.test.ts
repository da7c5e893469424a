import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { buildConsole } from '@bellhop/console/build';
import { beforeAll, expect, test } from 'vitest';

import { root } from '../support/source-files.ts';

const built = join(root, 'packages/console/dist/browser');
beforeAll(async () => void (await buildConsole()));

/** The scripts that load before a part is shown: those of the page and of Chat. */
function firstScripts(): string[] {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const [, entry = ''] = /src="\/console\/(assets\/[\w.-]+\.js)"/.exec(page) ?? [];
  const scripts = new Set<string>();
  const visit = (path: string) => {
    if (scripts.has(path)) return;
    scripts.add(path);
    const text = readFileSync(join(built, path), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      visit(`assets/${name}`);
    for (const [, name = ''] of text.matchAll(/import\(["'`]\.\/(chat-[\w.-]+\.js)["'`]\)/g))
      visit(`assets/${name}`);
  };
  visit(entry);
  return [...scripts];
}

test('the scripts of the first view have at most 80 kB, compressed', () => {
  const scripts = firstScripts();
  expect(scripts.join(' ')).toMatch(/chat-/);
  const size = scripts.reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(built, path)), { level: 9 }).length,
    0,
  );
  expect(size).toBeLessThan(80_000);
});
