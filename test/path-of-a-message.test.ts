import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { lostFiles, readingPath } from './support/reading-path.ts';
import { root } from './support/source-files.ts';

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

test('each file of the tour of the server is imported by an earlier one, unless a part begins with it', () => {
  const parts = readingPath(page('internals/path-of-a-message.md'));
  const all = parts.flat();
  expect(lostFiles(parts, 'packages/{protocol,server}/src/**/*.ts')).toEqual([]);
  expect(all.length).toBeGreaterThan(25);
  expect(all).toEqual([...new Set(all)]);
});

test.each(['internals/path-of-a-change.md', 'internals/path-of-an-event.md'])(
  'each file of %s is imported by an earlier one, unless a part begins with it',
  (name) => {
    const parts = readingPath(page(name));
    expect(parts.flat().length).toBeGreaterThan(10);
    expect(lostFiles(parts, 'packages/{protocol,server}/src/**/*.ts')).toEqual([]);
  },
);

test('each file of the tour of the bouncer is imported by an earlier one, unless a part begins with it', () => {
  const parts = readingPath(page('internals/path-of-a-push.md'));
  const all = parts.flat();
  expect(lostFiles(parts, 'packages/{protocol,bouncer}/src/**/*.ts')).toEqual([]);
  expect(all).toContain('packages/bouncer/src/retry/retry-push.ts');
  expect(all).toEqual([...new Set(all)]);
});

test('each file of the path of a delivery is imported by an earlier one, unless a part begins with it', () => {
  const [, section = ''] = page('bots.md').split('\n## The path of a delivery\n');
  const parts = readingPath(section.split(/^## /m)[0] ?? '');
  expect(parts.flat().length).toBeGreaterThan(3);
  expect(lostFiles(parts, 'packages/bot/src/**/*.ts')).toEqual([]);
});

test('lostFiles names a file that no earlier one imports, and one that does not exist', () => {
  const source = (name: string) => `packages/bot/src/${name}.ts`;
  const [listener, receiver, router] = [
    source('adapters/listener'),
    source('receiver'),
    source('router'),
  ];
  const pattern = 'packages/bot/src/**/*.ts';
  expect(lostFiles([[listener, receiver, router]], pattern)).toEqual([router]);
  expect(lostFiles([[receiver, listener]], pattern)).toEqual([listener]);
  expect(lostFiles([[listener, receiver], [source('gone')]], pattern)).toEqual([source('gone')]);
});
