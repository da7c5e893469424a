import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { post, signatureHeaders } from '@bellhop/bot-probe/webhooks';
import { listen } from '@bellhop/http';
import { freePorts } from '@bellhop/http/testing';
import { DeliveryFault, UserId } from '@bellhop/protocol';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { pageText } from '../docs/examples-in.ts';
import { withPythonBot } from '../docs/python-bot.ts';
import { runSteps, stepsIn } from '../docs/run-steps.ts';
import { tableRows } from '../docs/table-rows.ts';
import { withWebhookFields } from '../docs/webhook-fields.ts';
import { bin } from '../support/program.ts';

const PAGE = 'docs/webhooks.md';
const page = pageText(PAGE);

/** How to run the bot of each language, and how to ask whether that is possible here. */
const languages = {
  python: {
    file: 'bot.py',
    asked: ['python3', '--version'],
    run: () => ['python3', '-B', 'bot.py'],
  },
  go: { file: 'bot.go', asked: ['go', 'version'], run: () => ['go', 'run', 'bot.go'] },
  php: {
    file: 'bot.php',
    asked: ['php', '--version'],
    run: (port: number) => ['php', '-S', `127.0.0.1:${port}`, 'bot.php'],
  },
  ts: { file: 'bot.ts', asked: [process.execPath, '-v'], run: () => [process.execPath, 'bot.ts'] },
} as const;
type Language = keyof typeof languages;

const made = {
  BOT_ID: 'user_id',
  BOT_KEY: 'api_key',
  BOT_TOKEN: 'token',
  DELIVERY: 'delivery_id',
};
const [making = '', rest = ''] = page.split('## A complete bot');

let chat: TestChat;
let folder: string;
let variables: Record<string, string>;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  chat = await startTestChat();
  folder = await mkdtemp(join(tmpdir(), 'webhook-docs-'));
  await symlink(bin, join(folder, 'bellhop'));
  const { email: EMAIL, api_key: KEY } = chat.people.hamlet;
  const PATH = `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`;
  variables = { SITE: chat.url, EMAIL, KEY, PATH };
  await runSteps(stepsIn(making), { variables, made });
});
afterAll(async () => {
  for (const child of running) {
    process.kill(-(child.pid ?? Number.NaN));
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
  await chat[Symbol.asyncDispose]();
});

/** Runs the bot of a language; returns its address. */
async function startBot(language: Language): Promise<string> {
  const { file, run } = languages[language];
  const [, code = ''] =
    new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  await writeFile(join(folder, file), code);
  const [port = 0] = await freePorts(1);
  const [command = '', ...args] = run(port);
  const { BOT_TOKEN = '' } = variables;
  const env = { ...process.env, BOT_TOKEN, PORT: String(port) };
  // In a group of its own: `go run` starts another process.
  running.add(spawn(command, args, { cwd: folder, env, stdio: 'ignore', detached: true }));
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(async () => (await post(url, { body: '{}', timeoutMs: 20_000 })).kind, {
      timeout: 60_000,
    })
    .toBe('response');
  return url;
}

/** The status of the answer to a delivery. */
async function statusOf(url: string, { token = variables['BOT_TOKEN'] ?? '', ...how } = {} as How) {
  const fields = { bot_full_name: 'Polly Parrot', data: 'hello', token };
  const { body = JSON.stringify(fields), signedBy = token, ageSeconds = 0 } = how;
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
  const headers = signatureHeaders(signedBy, { id: 'one', timestamp, body });
  const answer = await post(url, { headers, body: how.sent ?? body, timeoutMs: 20_000 });
  return answer.kind === 'response' ? answer.status : answer.reason;
}
interface How {
  readonly token?: string;
  readonly body?: string;
  readonly signedBy?: string;
  readonly ageSeconds?: number;
  /** In place of the signed body. */
  readonly sent?: string;
}

test.for(Object.keys(languages) as Language[])(
  'the bot of docs/webhooks.md in %s replies, and refuses forged and old deliveries',
  async (language, { skip }) => {
    const [command, ...args] = languages[language].asked;
    skip(spawnSync(command, args).status !== 0, `${command} is not installed`);
    const url = await startBot(language);
    const stranger = 'x'.repeat(32);
    expect({
      genuine: await statusOf(url),
      recent: await statusOf(url, { ageSeconds: 240 }),
      old: await statusOf(url, { ageSeconds: 400 }),
      stranger: await statusOf(url, { token: stranger }),
      'signed by a stranger': await statusOf(url, { signedBy: stranger }),
      changed: await statusOf(url, {
        sent: JSON.stringify({ bot_full_name: 'x', data: 'x', token: variables['BOT_TOKEN'] }),
      }),
      'no JSON': await statusOf(url, { body: '{' }),
      'no token': await statusOf(url, { body: '{"bot_full_name":"x","data":"x","token":1}' }),
    }).toEqual({
      genuine: 200,
      recent: 200,
      old: 401,
      stranger: 401,
      'signed by a stranger': 401,
      changed: 401,
      'no JSON': 400,
      'no token': 400,
    });
    const { hamlet } = chat.people;
    const bot_id = UserId.parse(Number(variables['BOT_ID']));
    await hamlet.client.bots.update({ bot_id, service_payload_url: url });
    const to = { type: 'channel', to: 'parrots', topic: language } as const;
    await hamlet.client.subscriptions.add({ subscriptions: [{ name: to.to }] });
    await hamlet.client.messages.send({
      ...to,
      content: `@**Polly Parrot** good day, ${language}`,
    });
    const said = async () => {
      const { messages } = await hamlet.client.messages.fetch({
        anchor: 'newest',
        num_before: 1,
        narrow: [{ operator: 'topic', operand: language, negated: false }],
        apply_markdown: false,
      });
      return messages[0]?.content;
    };
    await expect.poll(said).toBe(`You said: good day, ${language}`);
    expect(await heardBy(hamlet, bot_id)).toEqual(mentions(bot_id).map(([, heard]) => heard));
    await hamlet.client.bots.update({ bot_id, full_name: 'Käse & Co' });
    expect(await saidTo(hamlet, bot_id, '@**KÄSE & Co**：hi')).toBe('hi');
    expect(await saidTo(hamlet, bot_id, `@**Käse & Co|${bot_id}** hi`)).toBe('hi');
    expect(await saidTo(hamlet, bot_id, `@**|${bot_id}** hi`)).toBe('hi');
    await hamlet.client.bots.update({ bot_id, full_name: 'Polly Parrot' });
  },
);

/** What a bot of the page takes for the text of a message that begins with a mention. */
const mentions = (id: UserId) =>
  [
    ['@**Polly Parrot** deploy', 'deploy'],
    ['@**polly PARROT** deploy', 'deploy'],
    ['@_**Polly Parrot** deploy', 'deploy'],
    [`@**Polly Parrot|${id}** deploy`, 'deploy'],
    [`@_**|${id}** deploy`, 'deploy'],
    [`@**|${id}**: deploy`, 'deploy'],
    ['@**Polly Parrot**：deploy', 'deploy'],
    ['@**Polly Parrot** ，deploy', 'deploy'],
    ['@**Polly Parrot**、\u3000deploy', 'deploy'],
    ['@**Polly Parrot**, @**King Hamlet** hi', '@**King Hamlet** hi'],
    ['ask @**Polly Parrot**', 'ask @**Polly Parrot**'],
    ['@**King Hamlet** hi @**Polly Parrot**', '@**King Hamlet** hi @**Polly Parrot**'],
    ['`@**Polly Parrot**` deploy', '`@**Polly Parrot**` deploy'],
    ['deploy "a|b" ** --now', 'deploy "a|b" ** --now'],
  ] as const;

type Hamlet = TestChat['people']['hamlet'];

/** What the bot says that it has heard of a direct message. */
async function saidTo({ client }: Hamlet, bot: UserId, content: string): Promise<string> {
  const { id } = await client.messages.send({ type: 'direct', to: [bot], content });
  const narrow = [{ operator: 'dm', operand: [bot], negated: false }];
  const latest = async () => {
    const { messages } = await client.messages.fetch({
      anchor: 'newest',
      num_before: 1,
      narrow,
      apply_markdown: false,
    });
    return messages.find((message) => message.id > id && message.sender_id === bot)?.content;
  };
  let said: string | undefined;
  await expect.poll(async () => (said = await latest()), { timeout: 10_000 }).toBeDefined();
  return said?.replace(/^You said: /, '') ?? '';
}

async function heardBy(hamlet: Hamlet, bot: UserId): Promise<string[]> {
  const heard: string[] = [];
  for (const [content] of mentions(bot)) heard.push(await saidTo(hamlet, bot, content));
  return heard;
}

test('the commands of docs/webhooks.md sign a delivery, look at deliveries and replay them', async () => {
  const url = await startBot('ts');
  const bot_id = UserId.parse(Number(variables['BOT_ID']));
  await chat.people.hamlet.client.bots.update({ bot_id, service_payload_url: url });
  variables['BOT'] = url;
  const steps = stepsIn(rest);
  expect(steps.length).toBeGreaterThan(6);
  const outputs = await runSteps(steps, { variables, made });
  const [listed = '', ...details] = (outputs.at(-1) ?? '').split('\n');
  expect(listed).toMatch(/ Polly Parrot +\S+ +delivered .* replied {2}[\w-]{36}$/);
  expect(details.join('\n')).toContain('"data":"This is a test of your webhook."');
  expect(details.at(-2)).toMatch(/ replay +delivered .* replied /);
});

test('the tables of docs/webhooks.md have the fields of the schemas (npm run docs writes them)', () => {
  expect(tableRows(page)).toEqual(tableRows(withWebhookFields(page)));
});

test('the bot of docs/webhooks.md in Python is that of the console (npm run docs writes it)', () => {
  expect(withPythonBot(page)).toBe(page);
});

test('each widget of docs/webhooks.md is posted when a bot answers with it', async () => {
  const [, section = ''] = page.split('### Widgets\n');
  const [widgets = ''] = section.split('\n### ');
  const examples = [...widgets.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
    ([, json = '']) => json,
  );
  const answers = [...examples];
  await using server = await listen((_request, response) => response.end(answers.shift()));
  const { client } = chat.people.hamlet;
  const bot_id = UserId.parse(Number(variables['BOT_ID']));
  await client.bots.update({ bot_id, service_payload_url: server.url });
  const posted: string[] = [];
  for (const example of examples) {
    await client.messages.send({ type: 'direct', to: [bot_id], content: 'a widget' });
    const { widget_content } = JSON.parse(example) as { widget_content: string };
    const widget = async () => {
      const { messages } = await client.messages.fetch({ anchor: 'newest', num_before: 1 });
      return JSON.parse(messages[0]?.submessages[0]?.content ?? 'null') as unknown;
    };
    await expect.poll(widget).toEqual(JSON.parse(widget_content));
    posted.push((JSON.parse(widget_content) as { widget_type: string }).widget_type);
  }
  const explained = [...widgets.matchAll(/^\| `(\w+)` +\|/gm)].map(([, type = '']) => type);
  expect(posted).toEqual(explained.filter((type) => type !== 'widget_type'));
});

test('docs/webhooks.md explains every error_code of a delivery', () => {
  const [, table = ''] = page.split('## What each verdict means');
  const explained = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
  expect(explained.slice(1)).toEqual(DeliveryFault.options);
});
