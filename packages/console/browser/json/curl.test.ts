import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { curlOf } from './curl.ts';

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string, env: Record<string, string> = {}) =>
  execFileSync(
    'sh',
    ['-c', `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }; ${command}`],
    {
      env,
      encoding: 'utf8',
    },
  )
    .split('\0')
    .slice(0, -1);

test('curlOf quotes characters that a shell interprets', () => {
  const body = `{"text":"it's $HOME \`id\` \\n"}`;
  const call = { method: 'POST', url: 'http://x/?a=1&b=2', headers: { Accept: 'a/b' }, body };
  expect(argumentsOf(curlOf(call))).toEqual([
    '-X',
    'POST',
    call.url,
    '-H',
    'Accept: a/b',
    '--data-raw',
    body,
  ]);
});

test('curlOf writes the value of a secret header as a variable', () => {
  const command = curlOf({
    method: 'GET',
    url: 'http://x',
    headers: { Authorization: 'Basic abc' },
  });
  expect(command).not.toContain('abc');
  expect(argumentsOf(command, { AUTHORIZATION: 'Basic xyz' })).toContain(
    'Authorization: Basic xyz',
  );
});

test('curlOf writes a secret of the body as a variable', () => {
  const command = curlOf({
    method: 'POST',
    url: 'http://x',
    body: `{"token":"{TOKEN}","text":"it's"}`,
    variables: { '{TOKEN}': 'BOT_TOKEN' },
  });
  expect(argumentsOf(command, { BOT_TOKEN: 'secret' })).toContain(
    `{"token":"secret","text":"it's"}`,
  );
});
