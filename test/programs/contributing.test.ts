import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');

/** The changes shown below a heading of CONTRIBUTING.md, and the files they touch. */
function changesOf(heading: string) {
  const [, part = ''] = guide.split(`\n## ${heading}`);
  const [section = ''] = part.split('\n## ');
  const diffs = [...section.matchAll(/```diff\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  const diff = diffs.join('');
  return { diff, files: [...diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file = '']) => file) };
}
const endpoint = changesOf('Adding an endpoint');
const resource = changesOf('Adding a resource');

test('the example of an endpoint touches two files and a test', () => {
  expect(endpoint.files).toHaveLength(3);
  expect(endpoint.files.filter((file) => !file.endsWith('.test.ts'))).toHaveLength(2);
});

test('the example of a resource touches its contract, migration, two folders and five lists', () => {
  const lists = [
    'protocol/src/api/resources.ts',
    'server/src/resources.ts',
    'server/oxlint.config.ts',
    'server/src/model/list-limits.ts',
    'server/src/resources/user-events/limited-guests.ts',
  ];
  const own = resource.files.filter((file) => !lists.some((list) => file.endsWith(list)));
  expect(resource.files).toHaveLength(own.length + lists.length);
  expect(own.filter((file) => !/\/(model|resources)\/bookmarks\//.test(file))).toEqual([
    'packages/protocol/src/chat/bookmarks.ts',
    expect.stringMatching(/^packages\/server\/migrations\/\d{4}-bookmarks\.sql$/),
  ]);
});

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'bellhop-contributing-'));
  // Without what other tests build meanwhile.
  const filter = (source: string) => !/[\\/](node_modules|dist|packed|\.turbo)$/.test(source);
  cpSync(join(root, 'packages'), join(copy, 'packages'), { recursive: true, filter });
  cpSync(join(root, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
  const compilerOptions = { composite: false, noEmit: true, rootDir: '.', incremental: false };
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({
      extends: './tsconfig.base.json',
      compilerOptions: { ...compilerOptions, tsBuildInfoFile: null },
      // The packages that the examples change and those that depend on them; `npm run types` compiles the other tests.
      include: [
        'packages/server/src/server.ts',
        // It declares tables that no handler knows.
        'packages/server/src/portability/portability.ts',
        'packages/server/src/contract.fixture.ts',
        ...[endpoint, resource].flatMap(({ files }) =>
          files.filter((file) => file.endsWith('.ts') && !file.endsWith('.config.ts')),
        ),
      ],
      exclude: [],
    }),
  );
  mkdirSync(join(copy, 'node_modules/@bellhop'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@bellhop')
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@bellhop', name));
});
afterAll(() => rmSync(copy, { recursive: true }));

test('both examples apply to the sources, which then compile', { timeout: 180_000 }, () => {
  const run = (command: string, args: string[], input = '') =>
    spawnSync(command, args, { cwd: copy, input, encoding: 'utf8' });
  for (const { diff } of [endpoint, resource])
    expect(run('git', ['apply', '-'], diff)).toMatchObject({ stderr: '', status: 0 });
  const compiled = run(join(root, 'node_modules/.bin/tsc'), ['-p', '.']);
  expect(compiled).toMatchObject({ stdout: '', stderr: '', status: 0 });
});
