import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

import { pageText } from './docs/examples-in.ts';

interface Step {
  readonly command: string;
  /** The answer that the page shows. */
  readonly shown: unknown;
}

/** Each `sh` block of a page that is followed by a `json` block. */
function stepsIn(page: string): Step[] {
  const blocks = [...pageText(page).matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, text = ''], index) => {
    const next = blocks[index + 1];
    return language === 'sh' && next?.[1] === 'json'
      ? [{ command: text, shown: JSON.parse(next[2] ?? '') as unknown }]
      : [];
  });
}

/** Values that the page sets by `export` and that each server makes anew. */
const made = { KEY: 'api_key', QUEUE: 'queue_id', LAST: 'last_event_id' } as const;

/** A pattern that accepts any number, and any text as the value of `queue_id` and `api_key`. */
function pattern(shown: unknown, key = ''): unknown {
  if (typeof shown === 'number') return expect.any(Number);
  if (Array.isArray(shown)) return shown.map((item) => pattern(item));
  if (typeof shown !== 'object' || shown === null)
    return Object.values<string>(made).includes(key) ? expect.any(String) : shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, pattern(value, name)]),
  );
}

test('the commands of docs/server.md have the answers that the page shows', async () => {
  await using chat = await startTestChat();
  const password = 'a long password';
  const person = await chat.addPerson('ophelia', 100, { password });
  const given: Record<string, string> = {
    SITE: chat.url,
    EMAIL: person.email,
    PASSWORD: password,
  };
  const steps = stepsIn('docs/server.md');
  expect(steps.length).toBeGreaterThan(6);
  for (const { command, shown } of steps) {
    const script = command.replace(/^export .*\n/m, '');
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
      env: { PATH: process.env['PATH'], ...given },
      timeout: 20_000,
    });
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    expect(answer, command).toMatchObject(pattern(shown) as object);
    for (const [variable, key] of Object.entries(made))
      if (key in answer) given[variable] = String(answer[key]);
  }
});
