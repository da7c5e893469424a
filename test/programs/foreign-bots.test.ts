import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { type Finding, probe } from '@bellhop/bot-probe';
import { listen } from '@bellhop/http';
import { DeliveryFault, type UserId } from '@bellhop/protocol';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { commandRunner } from '../support/command-runner.ts';
import { type Fault, faults, notOfBots } from '../support/foreign-bots/faults.ts';
import { naiveExpress } from '../support/foreign-bots/naive-express.ts';
import { bin } from '../support/program.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({
    env: { BELLHOP_WEBHOOK_RETRY: 'none', BELLHOP_WEBHOOK_TIMEOUT: '9' },
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

const loginOf = ({ email, api_key }: { readonly email: string; readonly api_key: string }) => ({
  BELLHOP_SITE: chat.url,
  BELLHOP_EMAIL: email,
  BELLHOP_API_KEY: api_key,
});

const run = commandRunner(() => loginOf(chat.people.hamlet));
/** Runs a command as Hamlet. Returns what it printed, whatever its exit code. */
const bellhop = async (...args: string[]): Promise<string> => (await run(...args)).output;

/** Creates a bot of Hamlet's with this webhook. */
async function addBot(full_name: string, payload_url: string) {
  const { client } = chat.people.hamlet;
  const short_name = full_name.toLowerCase().replaceAll(' ', '-');
  const { user_id } = await client.bots.create({ full_name, short_name, bot_type: 3, payload_url });
  const { realm_bots = [] } = await client.queues.register({ fetch_event_types: ['realm_bot'] });
  const bot = realm_bots.find((one) => one.user_id === user_id);
  const service = bot?.services[0];
  const token = service && 'token' in service ? (service.token ?? '') : '';
  return { user_id, email: bot?.email ?? '', token };
}

interface ReportedDelivery {
  readonly verdict: string;
  readonly error_code: string | null;
}

/** Sends a bot messages. Returns what `bellhop bot deliveries` says of each. */
async function deliver(
  bot: number,
  contents: readonly string[],
): Promise<Map<string, ReportedDelivery>> {
  const { cordelia } = chat.people;
  const to = [bot];
  const sent = new Map<number, string>();
  for (const content of contents)
    sent.set((await cordelia.client.messages.send({ type: 'direct', to, content })).id, content);
  const { client } = chat.people.hamlet;
  const ended = async () => {
    const { deliveries } = await client.botDeliveries.list({ bot_id: bot as UserId, limit: 100 });
    return deliveries.filter(({ status }) => !/pending|running|retrying/.test(status)).length;
  };
  // Hamlet's calls are limited to 200 a minute.
  await expect.poll(ended, { timeout: 60_000, interval: 500 }).toBe(contents.length);
  const lines = (await bellhop('bot', 'deliveries', String(bot), '--json')).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const one = JSON.parse(line) as ReportedDelivery & { message_id: number };
      return [sent.get(one.message_id) ?? '', one];
    }),
  );
}

/** The findings of the probe about the genuine deliveries with this text. */
async function probed(
  url: string,
  { isHanging = false, ...bot }: ProbedBot,
  content: string,
): Promise<string[]> {
  const enough = new AbortController();
  const findings: Finding[] = [];
  const isGenuine = ({ group }: Finding) => group === 'genuine deliveries';
  await probe(url, {
    ...bot,
    content,
    // A bot that answers may be slow on a busy machine.
    deadlineMs: isHanging ? 1000 : 10_000,
    signal: enough.signal,
    onFinding: (finding) => (isGenuine(finding) ? findings.push(finding) : enough.abort()),
  }).catch(() => {});
  return findings.filter(({ severity }) => severity !== 'ok').map(({ happened }) => happened);
}
interface ProbedBot {
  readonly botEmail: string;
  readonly token: string;
  /** Whether the message gets no answer. */
  readonly isHanging?: boolean;
}

type Kind = keyof typeof faults;
type Started = { readonly url: string; readonly stop: () => Promise<unknown> };

const starts: Readonly<Record<Kind, () => Promise<Started>>> = {
  async 'a Flask-like bot in Python'() {
    const path = fileURLToPath(new URL('../support/foreign-bots/flask-like.py', import.meta.url));
    const python = spawn('python3', ['-B', path], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [url] = (await once(createInterface(python.stdout), 'line')) as [string];
    return { url, stop: () => (python.kill(), once(python, 'exit')) };
  },
  async 'a naive Express bot'() {
    const { url, stop } = await listen(naiveExpress());
    return { url: `${url}/hook`, stop: () => stop(0) };
  },
};

test.for(Object.keys(faults) as Kind[])(
  'each fault of %s is named by bot deliveries, and by the probe',
  { timeout: 120_000 },
  async (kind, { skip }) => {
    skip(kind.includes('Python') && !hasPython, 'python3 is not installed');
    const { url, stop } = await starts[kind]();
    onTestFinished(() => void stop());
    const bot = await addBot(kind, url);
    const known: Readonly<Record<string, Fault>> = faults[kind];
    const names = Object.keys(known);
    const told = await deliver(bot.user_id, ['none', ...names]);
    expect(told.get('none')).toMatchObject({ verdict: 'replied', error_code: null });
    const identity = { botEmail: bot.email, token: bot.token };
    const findings = await Promise.all(
      names.map((name) =>
        probed(url, { ...identity, isHanging: known[name]?.code === 'timeout' }, name),
      ),
    );
    for (const [at, name] of names.entries()) {
      const { code, verdict, probe: words } = known[name] as Fault;
      expect(told.get(name), name).toMatchObject({
        verdict: expect.stringMatching(verdict) as string,
        error_code: code,
      });
      expect(findings[at], name).toContainEqual(expect.stringMatching(words));
    }
    const lines = async (...flags: string[]) =>
      (await bellhop('bot', 'deliveries', kind, ...flags)).trim().split('\n');
    expect(await lines('--failed')).toHaveLength(names.length);
    // The reply, and the one under another key.
    expect(await lines('--status', 'delivered')).toHaveLength(2);
    expect(await probed(url, identity, 'none')).toEqual([]);
  },
);

test('the faults of the bots cover every error_code that an answer can cause', () => {
  const codes = Object.values(faults).flatMap((known) =>
    Object.values<Fault>(known).flatMap(({ code }) => code ?? []),
  );
  expect(new Set([...codes, ...notOfBots])).toEqual(new Set(DeliveryFault.options));
});

test('a replay of a failed delivery succeeds after the fault is mended', async () => {
  let isMended = false;
  await using server = await listen((_request, response) => {
    response.writeHead(isMended ? 200 : 500).end('{"content":"mended"}');
  });
  const bot = await addBot('Mended', server.url);
  await deliver(bot.user_id, ['one', 'two']);
  const { deliveries } = await chat.people.hamlet.client.botDeliveries.list({
    bot_id: bot.user_id,
  });
  const { id = '', message_id = 0 } = deliveries[0] ?? {};
  const ofMessage = await bellhop('bot', 'deliveries', '--message', String(message_id), '--json');
  expect(JSON.parse(ofMessage)).toMatchObject({ id, message_id });
  expect(await bellhop('bot', 'deliveries', '--message', 'one')).toContain('--message is the id');
  const shown = await bellhop('bot', 'deliveries', id);
  expect(shown).toContain('attempt 1 to ');
  expect(shown).toMatch(/total \d+ ms/);
  expect(shown).toMatch(/ {2}Mended +direct_message +failed .*500 Internal Server Error/);
  isMended = true;
  expect(await bellhop('bot', 'replay', '--failed', 'Mended', '--dry-run')).toContain(
    '2 failed deliveries would be sent again.',
  );
  expect(await bellhop('bot', 'replay', id)).toMatch(/replay +delivered .* replied/);
}, 120_000);

test('bot deliveries --follow prints deliveries as they end, until SIGINT', async () => {
  await using server = await listen((_request, response) => void response.end('{"text":"hi"}'));
  const { user_id } = await addBot('Followed', server.url);
  const { hamlet, cordelia } = chat.people;
  const following = spawn(process.execPath, [bin, 'bot', 'deliveries', 'Followed', '--follow'], {
    env: { ...process.env, ...loginOf(hamlet) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  following.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const send = (content: string) =>
    cordelia.client.messages.send({ type: 'direct', to: [user_id], content });
  const lines = () => output.trim().split('\n').length;
  await send('one');
  await expect.poll(lines, { timeout: 30_000 }).toBe(1);
  await expect.poll(() => output).toMatch(/did you mean "content" for "text"\?/);
  await send('two');
  await expect.poll(lines).toBe(2);
  following.kill('SIGINT');
  expect(await once(following, 'exit')).toEqual([0, null]);
}, 60_000);

test('bellhop bot deliveries explains an unknown bot name and an unknown delivery id', async () => {
  expect(await bellhop('bot', 'deliveries', 'Nobody')).toContain(
    'You own no bot with an outgoing webhook that is called Nobody.',
  );
  expect(await bellhop('bot', 'deliveries', '0199ae2e-0000-7000-8000-000000000000')).toContain(
    'None of your bots has the delivery',
  );
});
