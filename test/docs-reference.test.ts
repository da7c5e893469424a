import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { entryPoints } from './docs/declarations.ts';
import { hiddenTypes } from './docs/hidden-types.ts';
import { referencePages } from './docs/reference.ts';
import { root } from './support/source-files.ts';

const pages = referencePages();
const [text = ''] = Object.values(pages);

/** After a change of a doc comment or a signature: `npm run docs`. */
test.each(Object.entries(pages))(
  '%s matches the sources (npm run docs updates it)',
  async (path, page) => {
    await expect(page).toMatchFileSnapshot(`../${path}`);
  },
);

test('the reference shows createBot with its signature and its doc comment, without its body', () => {
  expect(text).toContain('## @bellhop/bot/testing\n');
  expect(text).toMatch(/### createBot\n\nMakes a bot\.[^#]*```ts\nfunction createBot<\s*Session\b/);
  expect(text).not.toContain('const { email, token } = options');
});

test('the reference shows what the triggers are, and the types of other packages', () => {
  expect(text).toContain(
    "type Trigger = 'mention' | 'direct_message' | 'follow_up' | ChangeTrigger",
  );
  expect(text).toMatch(/### AskOptions\n[^#]*interface AskOptions {/);
  expect(text).toMatch(/### MessageId\n[^#]*type MessageId = /);
});

/** All packages are published (docs/decisions/0070). */
const packages = globSync('packages/*/package.json', { cwd: root }).map(dirname).toSorted();

test.each(packages.flatMap(entryPoints))(
  'every type that a signature of $title names can be imported from there',
  (point) => {
    expect(hiddenTypes(point)).toEqual([]);
  },
);

test('a type that an entry hides is found, and so is a function whose result is inferred', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hidden-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write(
    'package.json',
    `{ "name": "sample", "exports": {
      ".": "./src/entry.ts", "./testing": "./src/make.fixture.ts", "./vectors/*": "./vectors/*"
    } }`,
  );
  write(
    'src/entry.ts',
    `export { guess, make, schema, values } from './make.ts';\nexport type * from './shown.ts';`,
  );
  write(
    'src/shown.ts',
    `interface Field {}
export interface Shown<T> { a: Field; b: T; c: Map<T, 1> }
const table = { a: 1 };
export type Name = keyof typeof table;
export type Values = Required<typeof table>;
export type Whole = Partial<Field>;`,
  );
  write(
    'src/make.ts',
    `import type { Shown } from './shown.ts';
import type { Server } from 'node:http';
export interface Options { a: 1 }
interface Inner {}
export const guess = () => 1;
export const schema = object({ a: 1 as Inner });
export const values: readonly Inner[] = [];
export function make(options: readonly Options[], server: Server): Shown<string> {
  const inner: Inner = {};
}`,
  );
  expect(entryPoints(relative(root, folder)).map(hiddenTypes)).toEqual([
    [
      'make names Options',
      'values names Inner',
      'Shown names Field',
      'Whole names Field',
      'guess has a type that only the compiler knows',
    ],
  ]);
});

test('no name in the reference of the bot has an underscore: snake_case is for the wire', () => {
  const code = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block).join('\n');
  expect(code).toContain('readonly fullName: string');
  // The handlers by trigger: the names of triggers are values of the wire.
  expect(new Set(code.match(/\b[a-z]+_\w+(?=\??[:(])/g))).toEqual(
    new Set(['direct_message', 'follow_up']),
  );
});
