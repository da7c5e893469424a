import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { fakeServer } from '@bellhop/fake-server';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

beforeEach(({ skip }) => skip(!hasCurl, 'curl is not installed'));

async function setUp() {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  server.addUser('Ada');
  server.addChannel('ops');
  const { email, apiKey } = server.addBot({ name: 'Notify' });
  const env = { ...process.env, BOT_SITE: server.url, BOT_EMAIL: email, BOT_API_KEY: apiKey };
  const notify = (channel: string, text: string) =>
    new Promise<{ failed: boolean; output: string }>((resolve) => {
      const script = join(import.meta.dirname, 'notify.sh');
      const program = execFile('sh', [script, channel, 'builds'], { env }, (error, output) =>
        resolve({ failed: error !== null, output }),
      );
      program.stdin?.end(text);
    });
  return { server, notify };
}

test('notify.sh posts its standard input unchanged', async () => {
  const { server, notify } = await setUp();
  const text = 'make: *** [all] Error 2\n100% & "done" + ünïcode @x';
  const { failed, output } = await notify('ops', text);
  expect([failed, JSON.parse(output)]).toMatchObject([false, { result: 'success' }]);
  expect(server.conversation({ channel: 'ops', topic: 'builds' })).toEqual([`Notify: ${text}`]);
});

test('notify.sh fails with the error of the server if the channel does not exist', async () => {
  const { notify } = await setUp();
  expect(await notify('nowhere', 'text')).toEqual({
    failed: true,
    output: expect.stringContaining("Channel 'nowhere' does not exist") as unknown,
  });
});
