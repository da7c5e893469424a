import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { commandBlocksIn } from './docs/commands-of.ts';
import { pages } from './docs/examples-in.ts';
import { root } from './support/source-files.ts';

/** The tests that type all `sh` blocks of a page. Others name a block by its beginning: `block(page, begin)`. */
const typedWhole: Readonly<Record<string, string>> = {
  'docs/bots/chat-sdk.md': 'programs/docs-chat-sdk.test.ts',
  'docs/bouncer/README.md': 'programs/docs-bouncer.test.ts',
  'docs/bouncer/operations.md': 'programs/docs-bouncer.test.ts',
  'docs/push/README.md': 'programs/docs-push.test.ts',
  'docs/push/conform.md': 'programs/docs-push.test.ts',
  'docs/push/phones.md': 'programs/docs-push.test.ts',
  'docs/push/simulator.md': 'programs/docs-push.test.ts',
  'docs/self-hosting.md': 'programs/docs-self-hosting.test.ts',
  'docs/server.md': 'docs-server.test.ts',
  'docs/webhooks.md': 'programs/docs-webhooks.test.ts',
};

/** Why no test types the `bash` blocks of a page, by the beginning of each block. */
const untyped: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'CONTRIBUTING.md': {
    'npm ci\nnpm test ': 'runs the tests themselves',
    'npm version 0.2.0':
      'publishes packages and signs a tag; installed.test.ts installs what pack makes',
  },
  'README.md': { 'npm test ': 'runs the tests, the benchmarks and what takes hours' },
  'docs/bouncer/README.md': {
    'export PATH=': 'a folder at home; the blocks after it are typed in another',
    'umask 022': 'root and systemd; bouncer-package.test.ts installs the bundle',
    'sudo bellhop': 'root and systemd',
  },
  'docs/bouncer/how-it-works.md': {
    'npx bellhop bouncer':
      'placeholders; operate-bouncer.test.ts and its neighbours run each command',
  },
  'docs/bouncer/operations.md': {
    'pg_dump ': 'the programs of PostgreSQL, which tests do not have',
  },
  'docs/moving.md': {
    'bellhop realm ': 'exports of other servers; move-realm.test.ts runs each command',
  },
  'docs/push/README.md': {
    'export PATH=': 'the blocks after it are typed in a folder of the test',
  },
  'docs/push/conform.md': { 'bellhop conform ': 'servers and keys of others' },
  'docs/self-hosting.md': {
    'export PATH=': 'a folder at home; the blocks after it are typed in another',
    'sudo -u postgres': 'root and PostgreSQL of the system',
    'umask 022': 'root and systemd; server-package.test.ts installs the bundle',
    'export DATABASE_URL':
      'PostgreSQL of Debian; docs-self-hosting.test.ts types them where it is installed',
    'bellhop files move': 'an S3 store; move.test.ts runs it against one of its own',
    'npx bellhop realm ':
      'people of an organization; the tests of packages/cli/src/realm run each command',
  },
  'docs/self-hosting/citus.md': {
    'DATABASE_URL=': 'a cluster with Citus; distribute.test.ts reads what the command prints',
  },
  'docs/self-hosting/cluster.md': {
    '': 'several machines; npm run cluster builds such a cluster and harms it',
  },
  'docs/webhooks.md': {
    'export BOT_TOKEN': 'Go and PHP, where they are; docs-webhooks.test.ts starts each bot so',
  },
};

const sourceOf = (path: string) => readFileSync(join(root, 'test', path), 'utf8');
const tests = globSync(['*.test.ts', 'programs/*.test.ts'], { cwd: join(root, 'test') });

/** The blocks that tests type, by their page and their beginning. */
const typed = tests.flatMap((path) =>
  [...sourceOf(path).matchAll(/\bblock\(\s*'([^']+)',\s*'([^']+)'/g)].map(
    ([, page = '', begin = '']) => ({ page, begin }),
  ),
);

const blocks = pages().flatMap((page) =>
  commandBlocksIn(page).map((block) => ({ page, ...block })),
);

test('a test types every block of commands of a page, or says why it cannot', () => {
  const missing = blocks.filter(({ page, language, text }) => {
    if (language === 'bash')
      return !Object.keys(untyped[page] ?? {}).some((begin) => text.startsWith(begin));
    const isNamed = typed.some((one) => one.page === page && text.startsWith(one.begin));
    return !isNamed && !(page in typedWhole) && !/^packages\/[\w-]+\/README\.md$/.test(page);
  });
  expect(missing.map(({ page, text }) => `${page}: ${text.split('\n')[0]}`)).toEqual([]);
});

test('the lists of what is typed and what is not name no page and no block that is gone', () => {
  const gone = Object.entries(untyped).flatMap(([page, begins]) =>
    Object.keys(begins)
      .filter(
        (begin) =>
          !blocks.some(
            (one) => one.page === page && one.language === 'bash' && one.text.startsWith(begin),
          ),
      )
      .map((begin) => `${page}: ${begin}`),
  );
  expect(gone).toEqual([]);
  for (const [page, path] of Object.entries(typedWhole)) {
    expect(
      blocks.some((one) => one.page === page && one.language === 'sh'),
      page,
    ).toBe(true);
    expect(sourceOf(path), path).toContain(`'${page}'`);
  }
});
