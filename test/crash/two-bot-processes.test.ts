import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Client, createClient } from '@bellhop/client';
import { createTestDatabase } from '@bellhop/postgres/testing';

import { type BotProcess, type BotSettings, startBotProcess } from './bot-process.fixture.ts';
import { compareFound, type CrashResult, crashTest } from './crash-test.fixture.ts';
import { startServerProcess } from './server-process.fixture.ts';

const CYCLES = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 10);
const CHANNEL = 'bots';
const TOPICS = 8;
/**
 * A delivery may fail at every kill and is repeated soon after: with the waits of the default setting,
 * four failures delay a reply by more than two minutes.
 */
const RETRIES = Array<number>(60).fill(2).join();
/** Opens a notice of the server that a reply comes late. It is no reply. */
const WAIT_NOTICE = /^The bot does not answer yet\. /;
/** More than the lease of a claim and a search for pending replies. */
const SETTLE_MS = 100_000;
/** More than the lease of a claim: a second reply would come within this time. */
const DOUBLES_MS = 20_000;

type Transport = BotSettings['TRANSPORT'];

crashTest(`${CYCLES} SIGKILLs of two processes of a bot behind a webhook, one store`, () =>
  killProcesses('webhook'),
);
crashTest(`${CYCLES} SIGKILLs of two processes of a bot on the event queue, one store`, () =>
  killProcesses('queue'),
);

/** Mentions a bot all the time while one of its two processes is killed and started again, in turns. */
async function killProcesses(transport: Transport): Promise<CrashResult> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, {
    env: { BELLHOP_WEBHOOK_RETRY: RETRIES },
  });
  stack.defer(() => server.stop().then(() => {}));
  const database = stack.use(await createTestDatabase());
  const processes: BotProcess[] = [];
  const balancer = stack.use(await startBalancer(() => processes.map(({ port }) => port)));
  const bot = await createTestBot(server.client, server.url, balancer.url, transport);
  const settings: BotSettings = { ...bot.settings, STORE_URL: database.url, TRANSPORT: transport };
  stack.defer(() => Promise.all(processes.map((one) => one.kill())).then(() => {}));
  for (let at = 0; at < 2; at++) processes.push(await startBotProcess(settings));

  const acknowledged: number[] = [];
  let isStopped = false;
  const mention = async (topic: string) => {
    while (!isStopped) {
      const to = { type: 'channel', to: CHANNEL, topic, content: bot.mention } as const;
      acknowledged.push((await server.client.messages.send(to)).id);
      await sleep(100 + Math.random() * 400);
    }
  };
  const mentioning = Promise.all(Array.from({ length: TOPICS }, (_, at) => mention(`topic ${at}`)));
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await sleep(500 + Math.random() * 1500);
    const at = cycle % 2;
    await processes[at]?.kill();
    processes[at] = await startBotProcess(settings);
  }
  isStopped = true;
  await mentioning;
  const answered = async () =>
    (await textsOf(server.client, bot)).filter((text) => !WAIT_NOTICE.test(text)).map(answeredId);
  const until = performance.now() + SETTLE_MS;
  while (performance.now() < until) {
    const found = new Set(await answered());
    if (acknowledged.every((id) => found.has(id))) break;
    await sleep(500);
  }
  await sleep(DOUBLES_MS);
  return compareFound(acknowledged, await answered());
}

interface TestBot {
  readonly user_id: number;
  readonly mention: string;
  readonly settings: Omit<BotSettings, 'STORE_URL' | 'TRANSPORT'>;
}

/** A bot that is subscribed to the channel, with an outgoing webhook if the transport needs one. */
async function createTestBot(
  owner: Client,
  url: string,
  payload_url: string,
  transport: Transport,
): Promise<TestBot> {
  const names = { full_name: 'Crash Bot', short_name: 'crash' };
  const { user_id, api_key } = await owner.bots.create(
    transport === 'webhook' ? { ...names, bot_type: 3, payload_url } : { ...names, bot_type: 1 },
  );
  const { user } = await owner.users.get({ user_id });
  const token =
    transport === 'webhook' ? (await owner.bots.regenerateToken({ bot_id: user_id })).token : 'x';
  const asBot = createClient({ url, email: user.email, apiKey: api_key });
  await owner.subscriptions.add({ subscriptions: [{ name: CHANNEL }] });
  await asBot.subscriptions.add({ subscriptions: [{ name: CHANNEL }] });
  return {
    user_id,
    mention: `@**${names.full_name}** hello`,
    settings: { BOT_EMAIL: user.email, BOT_TOKEN: token, BOT_SITE: url, BOT_API_KEY: api_key },
  };
}

/** The texts of all messages of a bot in the channel. */
async function textsOf(client: Client, { user_id }: TestBot): Promise<string[]> {
  const texts: string[] = [];
  for (let anchor = 0; ;) {
    const { messages, found_newest } = await client.messages.fetch({
      anchor,
      include_anchor: false,
      num_before: 0,
      num_after: 1000,
      apply_markdown: false,
      narrow: [
        { operator: 'channel', operand: CHANNEL, negated: false },
        { operator: 'sender', operand: user_id, negated: false },
      ],
    });
    texts.push(...messages.map(({ content }) => content));
    anchor = messages.at(-1)?.id ?? anchor;
    if (found_newest) return texts;
  }
}

/** The id of the message that a reply answers. Throws if the text is no reply, such as a "Failure!" notice. */
function answeredId(text: string): number {
  const id = /^reply to (\d+)$/.exec(text)?.[1];
  if (id === undefined) throw new Error(`The bot wrote neither a reply nor a wait notice: ${text}`);
  return Number(id);
}

/** Hands each request to one of several ports on loopback, in turns; breaks it if nobody listens there. */
async function startBalancer(ports: () => readonly number[]) {
  let turn = 0;
  const forward = (incoming: IncomingMessage, response: ServerResponse) => {
    const all = ports();
    const port = all[turn++ % all.length];
    const { method, url: path, headers } = incoming;
    const outgoing = request({ port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
