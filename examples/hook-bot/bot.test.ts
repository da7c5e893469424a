import { createHmac } from 'node:crypto';

import { chat } from '@bellhop/bot/testing';
import { fakeServer } from '@bellhop/fake-server';
import { listen } from '@bellhop/http';
import { expect, onTestFinished, test } from 'vitest';

import makeBot, { makeApp } from './bot.ts';

async function setUp() {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const bot = server.addBot({ name: 'GitHub' });
  server.addChannel('code');
  const { email, token, apiKey } = bot;
  const app = await listen(makeApp({ email, token, api: { url: server.url, apiKey } }, 'secret'));
  onTestFinished(() => app.stop(0));
  bot.payloadUrl = `${app.url}/bot`;

  async function deliver(event: unknown, signedBy = 'secret') {
    const body = typeof event === 'string' ? event : JSON.stringify(event);
    const signature = createHmac('sha256', signedBy).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${signature}`,
    };
    return (await fetch(`${app.url}/hook`, { method: 'POST', body, headers })).status;
  }
  const posted = () => server.conversation({ channel: 'code', topic: 'acme/app' });
  return { server, ada, bot, deliver, posted };
}

const repositoryEvent = { repository: { full_name: 'acme/app' }, sender: { login: 'ada' } };
const html_url = 'https://git.test/acme/app/issues/1';
const opened = {
  ...repositoryEvent,
  action: 'opened',
  issue: { title: 'It @**all** breaks', html_url },
};

test('a signed GitHub event is posted to the topic of its repository, without mentions', async () => {
  const { deliver, posted } = await setUp();
  const commits = [{ message: 'Fix it\n\nAt last.', url: 'https://git.test/acme/app/commit/1' }];
  expect(await deliver(opened)).toBe(204);
  expect(await deliver({ ...repositoryEvent, ref: 'refs/heads/main', commits })).toBe(204);
  expect(posted()).toEqual([
    `GitHub: ada opened [It    all   breaks](${html_url})`,
    'GitHub: ada pushed to refs/heads/main:\n- [Fix it](https://git.test/acme/app/commit/1)',
  ]);
});

test('an event with a wrong signature or without content is not posted', async () => {
  const { deliver, posted } = await setUp();
  expect(await deliver(opened, 'another secret')).toBe(401);
  expect(await deliver('no JSON')).toBe(204);
  expect(await deliver({ ...repositoryEvent, ref: 'refs/heads/gone' })).toBe(204);
  expect(posted()).toEqual([]);
});

test('events of a muted repository are not posted until it is unmuted', async () => {
  const { server, ada, bot, deliver, posted } = await setUp();
  ada.send('mute acme/app', { users: [bot] });
  await server.settled();
  await deliver(opened);
  expect(posted()).toEqual([]);
  ada.send('unmute acme/app', { users: [bot] });
  await server.settled();
  await deliver(opened);
  expect(posted()).toHaveLength(1);
});

test('mute confirms the muted repository', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('mute acme/app')).toEqual(['Muted acme/app.']);
});
