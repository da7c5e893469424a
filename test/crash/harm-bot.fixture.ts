import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Client, createClient } from '@bellhop/client';
import { createTestDatabase, startDatabaseProxy } from '@bellhop/postgres/testing';
import { WAIT_NOTICE } from '@bellhop/protocol';

import { startBalancer } from './balancer.fixture.ts';
import { type BotProcess, type BotSettings, startBotProcess } from './bot-process.fixture.ts';
import { compareFound, type CrashResult } from './crash-test.fixture.ts';
import { startServerProcess } from './server-process.fixture.ts';

const CHANNEL = 'bots';

/**
 * A delivery may fail at every kill and is repeated soon after: with the waits of the default setting,
 * four failures delay a reply by more than two minutes.
 */
const RETRIES = Array<number>(60).fill(2).join();
/** More than the lease of a claim and a search for pending replies, on the clock of the bot. */
const SETTLE_MS = 100_000;
/** More than the lease of a claim: a second reply would come within this time. */
const DOUBLES_MS = 20_000;
/** Less than the lease of a claim. */
const OUTAGE_MS = 6000;
/** A process that dies before the store is back may reply twice (docs/bots/guarantees.md). */
const AFTER_OUTAGE_MS = 3000;

interface BotHarm {
  readonly transport: BotSettings['TRANSPORT'];
  /** How often a process is killed or replaced, or the store fails. */
  readonly cycles: number;
  /** How many topics have a mention every 0.1 to 0.5 s. */
  readonly topics: number;
  /** How many times faster than the machine's the clock of the bot runs. */
  readonly speed: number;
  /** Decides what happens, and when. */
  readonly random: () => number;
}

/**
 * Mentions a bot of two processes all the time, while one of them is killed, both are replaced one after
 * the other, or their store fails. Finds which of the mentions got no reply, and which got two.
 */
export async function harmBot({
  transport,
  cycles,
  topics,
  speed,
  random,
}: BotHarm): Promise<CrashResult> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, {
    env: { BELLHOP_WEBHOOK_RETRY: RETRIES },
  });
  stack.defer(() => server.stop().then(() => {}));
  const database = stack.use(await createTestDatabase());
  const proxy = stack.use(await startDatabaseProxy(database.url));
  const processes: BotProcess[] = [];
  const balancer = stack.use(await startBalancer(() => processes.map(({ port }) => port), random));
  const bot = await createTestBot(server.client, server.url, balancer.url, transport);
  const settings: BotSettings = {
    ...bot.settings,
    STORE_URL: proxy.url,
    TRANSPORT: transport,
    SPEED: String(speed),
  };
  stack.defer(() => Promise.all(processes.map((one) => one.kill())).then(() => {}));
  for (let at = 0; at < 2; at++) processes.push(await startBotProcess(settings));

  const acknowledged: number[] = [];
  let isStopped = false;
  const mention = async (topic: string) => {
    while (!isStopped) {
      const isSilent = random() < 0.1;
      const content = `${bot.mention} ${isSilent ? 'silence' : 'hello'}`;
      const to = { type: 'channel', to: CHANNEL, topic, content } as const;
      const { id } = await server.client.messages.send(to);
      if (!isSilent) acknowledged.push(id);
      await sleep(100 + random() * 400);
    }
  };
  const mentioning = Promise.all(Array.from({ length: topics }, (_, at) => mention(`topic ${at}`)));
  const replace = async (at: number, how: 'kill' | 'stop') => {
    await processes[at]?.[how]();
    processes[at] = await startBotProcess(settings);
  };
  const harms = [
    () => replace(random() < 0.5 ? 0 : 1, 'kill'),
    async () => {
      for (const at of [0, 1]) await replace(at, 'stop');
    },
    async () => {
      proxy.hold();
      proxy.cut('');
      await sleep((OUTAGE_MS * (0.2 + 0.8 * random())) / speed);
      proxy.forwardTo(database.url);
      await sleep(AFTER_OUTAGE_MS / speed);
    },
  ];
  // Each kind at least once, and then any.
  for (let cycle = 0; cycle < cycles; cycle++) {
    await sleep(500 + random() * 1500);
    await harms[cycle < harms.length ? cycle : Math.floor(random() * harms.length)]?.();
  }
  isStopped = true;
  await mentioning;
  const answered = async () =>
    (await textsOf(server.client, bot)).filter((text) => text !== WAIT_NOTICE).map(answeredId);
  // A busy machine takes longer: only a bot that sends nothing more has lost the missing replies.
  let known = 0;
  let until = 0;
  for (;;) {
    const found = new Set(await answered());
    if (acknowledged.every((id) => found.has(id))) break;
    if (found.size > known) until = performance.now() + SETTLE_MS;
    if (performance.now() > until) break;
    known = found.size;
    await sleep(500);
  }
  await sleep(DOUBLES_MS / speed);
  return compareFound(acknowledged, await answered());
}

interface TestBot {
  readonly user_id: number;
  readonly mention: string;
  readonly settings: Omit<BotSettings, 'STORE_URL' | 'TRANSPORT' | 'SPEED'>;
}

/** A bot that is subscribed to the channel, with an outgoing webhook if the transport needs one. */
async function createTestBot(
  owner: Client,
  url: string,
  payload_url: string,
  transport: BotSettings['TRANSPORT'],
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
    mention: `@**${names.full_name}**`,
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
