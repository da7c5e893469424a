import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
const diffs = [...guide.matchAll(/```diff\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

test('the example endpoint is two files and a test, and applies to the code as it is', () => {
  const files = diffs.map((diff) => /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1] ?? '');
  expect(files).toHaveLength(3);
  expect(files.filter((file) => !file.endsWith('.test.ts'))).toHaveLength(2);
  const check = () =>
    execFileSync('git', ['apply', '--check', '-'], {
      cwd: root,
      input: diffs.join(''),
      stdio: 'pipe',
    });
  expect(check).not.toThrow();
});
