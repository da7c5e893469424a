import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { resolved, root, sourceFiles } from './support/source-files.ts';

const page = readFileSync(join(root, 'docs/path-of-a-message.md'), 'utf8');
const files = new Map(
  sourceFiles('packages/{protocol,server}/src/**/*.ts').map((file) => [file.path, file]),
);
/** The files of each part of the page, in their order. */
const parts = page
  .split(/^## .*$/m)
  .map((part) => [...part.matchAll(/^\d+\. \[.*?\]\(\.\.\/(.*?)\)/gm)])
  .map((lines) => lines.map(([, path = '']) => path));

const imports = (path: string, other: string): boolean => {
  const file = files.get(path);
  return (
    file?.imports.some((name) => resolved(file, name) === other || inPackage(name, other)) ?? false
  );
};
const inPackage = (name: string, path: string) =>
  path.startsWith(`${name.replace('@bellhop', 'packages')}/`);

test('each file of the tour is imported by an earlier one, unless a part begins with it', () => {
  const all = parts.flat();
  const lost = parts.flatMap(([first, ...others]) => [
    ...(first === undefined || files.has(first) ? [] : [first]),
    ...others.filter((path) => !all.slice(0, all.indexOf(path)).some((one) => imports(one, path))),
  ]);
  expect(lost).toEqual([]);
  expect(all.length).toBeGreaterThan(25);
  expect(all).toEqual([...new Set(all)]);
});
