import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { listen } from '@bellhop/http';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import express from 'express';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { bin } from './support/program.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({ env: { BELLHOP_WEBHOOK_RETRY: '' } });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Runs a command as Hamlet. Returns what it printed, whatever its exit code. */
async function bellhop(...args: string[]): Promise<string> {
  const { email, api_key } = chat.people.hamlet;
  const env = {
    ...process.env,
    BELLHOP_SITE: chat.url,
    BELLHOP_EMAIL: email,
    BELLHOP_API_KEY: api_key,
  };
  const run = promisify(execFile)(process.execPath, [bin, ...args], { env, timeout: 120_000 });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

const probe = (url: string, { email, token }: { email: string; token: string }) =>
  bellhop('bot', 'probe', url, '--email', email, '--token', token, '--slow', '0.5');

/** Creates a bot of Hamlet's with this webhook. */
async function addBot(full_name: string, payload_url: string) {
  const { client } = chat.people.hamlet;
  const short_name = full_name.toLowerCase();
  const { user_id } = await client.bots.create({ full_name, short_name, bot_type: 3, payload_url });
  const { realm_bots = [] } = await client.queues.register({ fetch_event_types: ['realm_bot'] });
  const bot = realm_bots.find((one) => one.user_id === user_id);
  const service = bot?.services[0];
  const token = service && 'token' in service ? (service.token ?? '') : '';
  return { user_id, email: bot?.email ?? '', token };
}

/** Sends a bot messages, one after the other, and waits until each delivery has ended. */
async function deliver(user_id: number, contents: readonly string[]): Promise<void> {
  const { cordelia, hamlet } = chat.people;
  for (const content of contents) {
    const to = [user_id];
    const { id } = await cordelia.client.messages.send({ type: 'direct', to, content });
    const state = async () => {
      const { deliveries } = await hamlet.client.botDeliveries.list({ bot_id: user_id as never });
      return deliveries.find((one) => one.message_id === id)?.status;
    };
    await expect.poll(state, { timeout: 15_000 }).toMatch(/delivered|failed/);
  }
}

/** The verdicts that `bellhop bot deliveries` prints, oldest first. */
async function verdicts(bot: string, ...flags: string[]): Promise<string[]> {
  const lines = (await bellhop('bot', 'deliveries', bot, '--json', ...flags)).trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { verdict: string }).verdict);
}

test('each fault of a beginner’s Python bot is named by bot deliveries, and by the probe', async ({
  skip,
}) => {
  skip(!hasPython, 'python3 is not installed');
  const path = fileURLToPath(new URL('support/foreign-bots/flask-like.py', import.meta.url));
  const python = spawn('python3', ['-B', path], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    python.kill();
    await once(python, 'exit');
  });
  const [url] = (await once(createInterface(python.stdout), 'line')) as [string];
  const bot = await addBot('Flasky', url);
  const faults = ['none', 'exception', 'repr', 'twice', 'text', 'nothing', 'close'];
  await deliver(bot.user_id, faults);
  const named = [
    '500 Internal Server Error: the bot failed: see its log',
    '200 but not JSON at line 1, column 2',
    '200 but JSON encoded twice: send the object itself, not its text as a string',
    '200 but no content: did you mean "content" for "text"?',
    '200 but an empty answer, not JSON: answer {} for silence',
    expect.stringMatching(/^connection closed after \d+ ms/),
  ];
  expect(await verdicts('Flasky')).toEqual(['replied', ...named]);
  expect(await verdicts('Flasky', '--failed')).toEqual(named);
  const text = await bellhop('bot', 'deliveries', 'Flasky');
  expect(text.split('\n')).toHaveLength(faults.length + 1);
  expect(text).toMatch(/ {2}Flasky +direct_message +failed .*200 but not JSON at line 1/);
  const probed = await probe(url, bot);
  expect(probed).toMatch(/[1-9]\d* faults/);
}, 120_000);

test('each fault of a naive Express bot is named, and a replay shows that it is mended', async () => {
  let isMended = false;
  const app = express();
  app.use(express.json());
  app.post('/hook', (request, response) => {
    const { data } = request.body as { data: string };
    if (isMended) response.json({ content: 'mended' });
    else if (data === 'throw') throw new Error('no such table');
    else if (data === 'send') response.send('hello');
    else if (data === 'status') response.sendStatus(200);
    else if (data === 'moved') response.redirect(308, '/hook/');
    else response.json({ message: 'hello' });
  });
  await using server = await listen(app);
  const bot = await addBot('Naive', `${server.url}/hook`);
  await deliver(bot.user_id, ['throw', 'send', 'status', 'moved', 'other']);
  expect(await verdicts('Naive')).toEqual([
    '500 Internal Server Error: the bot failed: see its log',
    '200 but not JSON at line 1, column 1',
    '200 but not JSON at line 1, column 1',
    expect.stringMatching(/^308 Permanent Redirect to \/hook\/: redirects are refused/),
    '200 but no content: did you mean "content" for "message"?',
  ]);
  const { deliveries } = await chat.people.hamlet.client.botDeliveries.list({
    bot_id: bot.user_id,
  });
  const [, moved] = deliveries;
  const id = moved?.id ?? '';
  const shown = await bellhop('bot', 'deliveries', id);
  expect(shown).toContain('attempt 1 to ');
  expect(shown).toMatch(/total \d+ ms/);
  isMended = true;
  expect(await bellhop('bot', 'replay', '--failed', 'Naive', '--dry-run')).toContain(
    '4 failed deliveries would be sent again.',
  );
  expect(await bellhop('bot', 'replay', id)).toMatch(/replay +delivered .* replied/);
  const probed = await probe(`${server.url}/hook`, bot);
  expect(probed).toMatch(/[1-9]\d* faults/);
}, 120_000);

test('a name that is no bot of yours, and an unknown id, are errors that say what there is', async () => {
  expect(await bellhop('bot', 'deliveries', 'Nobody')).toContain(
    'You own no bot with an outgoing webhook that is called Nobody.',
  );
  expect(await bellhop('bot', 'deliveries', '0199ae2e-0000-7000-8000-000000000000')).toContain(
    'None of your bots has the delivery',
  );
});
