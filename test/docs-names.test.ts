import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { pages, pageText } from './docs/examples-in.ts';
import { root } from './support/source-files.ts';

const files = globSync(
  ['{examples,packages,scripts,test}/**/*.{css,js,json,sql,ts,tsx,yaml,yml}', '*.{js,json,ts}'],
  { cwd: root, exclude: (path) => /(^|[\\/])(node_modules|dist|packed|\.turbo)$/.test(path) },
).map((path) => path.replaceAll('\\', '/'));

const textOf = (paths: readonly string[]) =>
  paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
const isForTests = (path: string) => /^test\/|\.(test|fixture)\.ts$/.test(path);
const programs = textOf(files.filter((path) => /\.tsx?$/.test(path) && !isForTests(path)));
const tests = textOf(files.filter((path) => /\.tsx?$/.test(path) && isForTests(path)));

/** Whether a program reads a variable, or, for its value in a file, the variable without `_FILE`. */
const isRead = (name: string) =>
  (name.startsWith('BELLHOP_TEST_') ? tests : programs).includes(name.replace(/_FILE$/, '')) ||
  programs.includes(name);

/** The prose of a page: without its blocks of code. */
const prose = (page: string) => pageText(page).replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '');
const found = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

/** Names of files that are not in the repository: examples, and what readers should not write. */
const others =
  /^(bot|helpers|index|types|utils|name\.(fixture|test)|(src|dist)\/x(\.d)?)\.(ts|js)$|^(identity|devices|google-services|phones|sandbox|simulator|realm|attachment|bellhop|records|export-state|messages-000001|users|channels|groups|mpims|dms)\.json$|^(credentials|\.bellhop)\//;

describe('what the pages name exists', () => {
  test.each(pages())('the files in %s', (page) => {
    const named = found(prose(page), /`((?:[\w.-]+\/)*[\w.-]+\.(?:js|json|sql|tsx?))`/g);
    const missing = named.filter(
      (name) => !others.test(name) && !files.some((file) => `/${file}`.endsWith(`/${name}`)),
    );
    expect(missing).toEqual([]);
  });

  test('the environment variables', () => {
    const named = pages().flatMap((page) => found(pageText(page), /\b(BELLHOP_[A-Z_]+[A-Z])\b/g));
    expect(new Set(named).size).toBeGreaterThan(50);
    expect([...new Set(named)].filter((name) => !isRead(name))).toEqual([]);
  });

  test('the names in the glossary', () => {
    const named = found(pageText('docs/glossary.md'), /`(?:\.\.\.)?([^`]+?)(?:\.\.\.)?`/g);
    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter((name) => !programs.includes(name) && !name.startsWith('packages/')),
    ).toEqual(['can_..._group']);
  });
});

const decisions = pages().filter((page) => /^docs\/decisions\/\d/.test(page));

test('each decision has the number of its file in its title', () => {
  expect(decisions.length).toBeGreaterThan(40);
  const untitled = decisions.filter((page) => {
    const number = Number(/\/(\d{4})-/.exec(page)?.[1]);
    return !pageText(page).startsWith(`# ${number}. `);
  });
  expect(untitled).toEqual([]);
});

test('the list of decisions has each of them, with its title and what it is about', () => {
  const row = /^\| (\[.*?\]\(\d.*?\)) +\| (behaviour|construction|speed|history) +\|$/gm;
  const listed = [...pageText('docs/decisions/README.md').matchAll(row)].map(([, link]) => link);
  const titled = decisions.toSorted().map((page) => {
    const [title = ''] = pageText(page).split('\n');
    return `[${title.slice(2)}](${page.slice('docs/decisions/'.length)})`;
  });
  expect(listed).toEqual(titled);
});
