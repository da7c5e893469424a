import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, test } from 'vitest';

import { type Example, examplesIn, pages, pageText } from './docs/examples-in.ts';
import { play } from './docs/play.ts';
import { folder, writeExamples } from './docs/write-examples.ts';
import { root } from './support/source-files.ts';

const examples = pages().flatMap((page) => examplesIn(page));
/** An example with a wrong reply: the test must find it. */
const wrong = examplesIn(
  'wrong.md',
  '```ts\nbot.command("add <a:int>", ({ args }) => `${args.b}`);\n```\n```text\nAda: add 1\nBot: 2\n```\n',
);
writeExamples([...examples, ...wrong]);

const load = async ({ file }: Example): Promise<{ default?: unknown }> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);

const place = ({ page, line }: Example) => `${page}:${line}`;

test('every example of the guides compiles', { timeout: 120_000 }, () => {
  expect(examples.length).toBeGreaterThan(30);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/wrong\/line-2\.ts\(2,.*Property 'b' does not exist/),
  ]);
});

test.each(examples.filter(({ conversation }) => conversation).map((one) => [place(one), one]))(
  'the conversation of %s has the replies of the bot (npm run docs updates it)',
  async (_place, example) => {
    const { default: makeBot } = await load(example);
    const shown = example.conversation?.text ?? '';
    expect(await play(makeBot as Parameters<typeof play>[0], shown)).toBe(shown);
  },
);

for (const example of examples.filter(({ file }) => file.endsWith('.test.ts')))
  describe(place(example), async () => void (await load(example)));

test.each(pages())('the links of %s have targets', (page) => {
  const prose = pageText(page).replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '');
  const links = [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)];
  const broken = links
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(page), target)));
  expect(broken).toEqual([]);
});

/** The sources whose texts people read: of commands, of the console, of servers. */
const sources = globSync('packages/*/{src,browser,bin}/**/*.{ts,tsx,js,py}', { cwd: root }).filter(
  (path) => !/\.(?:test|fixture)\.tsx?$/.test(path),
);

test('every bellhop command that a page, the console or a command names exists', () => {
  const bellhop = join(root, 'packages', 'cli', 'bin', 'bellhop.js');
  const named = [...pages(), ...sources].flatMap((page) =>
    [
      ...pageText(page).matchAll(
        /(?:npx |^ *|["`“])bellhop ((?:(?:bot|bouncer|conform|device|files|realm|simulator|try) )?[a-z][\w-]*)/gm,
      ),
    ].map(([, command]) => command ?? ''),
  );
  expect(named.length).toBeGreaterThan(10);
  const groups = new Set(named.map((command) => command.replace(/ ?[\w-]+$/, '')));
  const listed = Array.from(groups, (group) => {
    const args = [bellhop, 'help', ...group.split(' ').filter(Boolean)];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) =>
      `${group} ${name}`.trim(),
    );
  });
  // What shells call, and the name of a lock.
  const known = [...listed.flat(), 'complete', 'job'];
  expect(named.filter((command) => !known.includes(command))).toEqual([]);
});

test('nothing advises to install a package of ours from a registry, which has none: a stranger could take the name', () => {
  expect(sources.length).toBeGreaterThan(300);
  const advice = /npm (?:install|i|add)(?: --?[\w-]+)* (?:@bellhop\/|bellhop\b)/;
  expect([...pages(), ...sources].filter((path) => advice.test(pageText(path)))).toEqual([]);
});

test('a conversation with a wrong reply is reported', async () => {
  const [example] = wrong;
  const { default: makeBot } = await load(example as Example);
  expect(await play(makeBot as Parameters<typeof play>[0], 'Ada: add 1\nBot: 2\n')).toBe(
    'Ada: add 1\nBot: undefined\n',
  );
});
