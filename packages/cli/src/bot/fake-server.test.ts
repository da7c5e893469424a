import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { listen } from '@bellhop/http';
import { expect, test } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

interface Account {
  readonly user_id: number;
  readonly email: string;
  readonly api_key: string;
}
interface Printed {
  readonly url: string;
  readonly user: Account;
  readonly bot: Account & { readonly token: string };
  readonly channel: { readonly name: string };
}

const program = fileURLToPath(new URL('../../bin/bellhop.js', import.meta.url));

test('fake-server delivers to the webhook of a bot and takes requests by its REST API', async () => {
  const tokens: string[] = [];
  await using bot = await listen((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      tokens.push((JSON.parse(text) as { token: string }).token);
      response.end('{"content":"hello from anywhere"}');
    });
  });
  const server = spawn(process.execPath, [program, 'bot', 'fake-server', '--bot', bot.url]);
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const printed = JSON.parse(line) as Printed;
    const { url, user } = printed;
    const ask = async (path: string, body?: URLSearchParams) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        headers: { authorization: `Basic ${btoa(`${user.email}:${user.api_key}`)}` },
        ...(body ? { method: 'POST', body } : {}),
      });
      return (await response.json()) as { messages: { content: string }[] };
    };
    await ask(
      '/messages',
      new URLSearchParams({ type: 'channel', to: 'general', topic: 't', content: '@**Bot** hi' }),
    );
    const said = async () =>
      (await ask('/messages?anchor=newest&num_before=9&apply_markdown=false')).messages.map(
        ({ content }) => content,
      );
    await expect.poll(said).toEqual(['@**Bot** hi', 'hello from anywhere']);
    expect(tokens).toEqual([printed.bot.token]);
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
  }
});

test.each([
  [['--port', 'x'], '"x" is no port: write a number'],
  [['--retry', '1,soon'], '"1,soon" is no retry: write a number'],
  [['--bot', 'nowhere'], '"nowhere" is no bot: write an HTTP address'],
])('fake-server %j is a usage error', async (args, message) => {
  const { code, err } = await runBellhop('bot', 'fake-server', ...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
