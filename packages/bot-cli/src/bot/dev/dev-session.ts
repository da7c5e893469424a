import { constants, rmSync } from 'node:fs';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { botOptions } from '@bellhop/bot';
import { type Delivery, listenToQueue, portFrom, readDelivery } from '@bellhop/bot/internals';
import { fileStore } from '@bellhop/bot/stores/file';
import { createClient } from '@bellhop/client';
import { ApiError, FAILURE_MARK, WAIT_NOTICE } from '@bellhop/protocol';

import { terminalLine } from '../../command-line/terminal-text.ts';
import { UserError } from '../../command-line/user-error.ts';
import { excerpt, printNote, readableStack } from '../print-chat.ts';
import { localWebhook } from './local-webhook.ts';
import { newestBot } from './newest-bot.ts';
import { payloadOf } from './payload-of.ts';

interface DevOptions {
  readonly path: string;
  /** Called at each load of the bot. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** The directory that keeps each message; undefined if none does. */
  readonly recordDir: string | undefined;
  /** The directory of the store of the bot; a temporary one if undefined. */
  readonly storeDir: string | undefined;
  /** Called when the server ends the bot's event queue for good. */
  readonly onLost: () => void;
}

interface DevSession {
  /** Gives the bot its last message again, as a new one. */
  readonly repeat: () => void;
  readonly stop: () => Promise<void>;
}

/** Runs a bot on the messages of its account and prints its actions, until it is stopped. */
export async function startDevSession(options: DevOptions): Promise<DevSession> {
  const { path, environment, recordDir } = options;
  await using ends = new AsyncDisposableStack();
  const { email, api, tokens, where } = settings(environment());
  const client = createClient({ url: api.url, email, apiKey: api.apiKey });
  const me = await client.users.me().catch(explain(api.url));

  const storeDir = options.storeDir ?? (await mkdtemp(join(tmpdir(), 'bellhop-dev-')));
  if (options.storeDir === undefined)
    ends.defer(() => rm(storeDir, { recursive: true, force: true }));
  else await checkStore(storeDir);
  if (recordDir !== undefined) await checkRecord(recordDir);
  const bot = newestBot({ path, environment, storeDir });
  if (options.storeDir === undefined) removeAtExit(storeDir, ends);
  ends.defer(() => bot.stop());

  let last: Delivery | undefined;
  const taken = new Set<number | string>();
  /** Delivers a message once, though it may arrive by event queue and webhook. */
  async function take(delivery: Delivery): Promise<void> {
    const id = delivery.change?.id ?? delivery.message.id;
    if (taken.has(id)) return;
    taken.add(id);
    last = delivery;
    if (recordDir !== undefined)
      await recordDelivery(recordDir, delivery).catch(({ message }: Error) =>
        printNote(`The next message is not recorded: ${message}`),
      );
    await bot.deliver(delivery, false);
  }
  const webhook = await localWebhook({
    ...where,
    tokens,
    onWebhook(body, attempt) {
      const received = readDelivery(body);
      // Reactions, edits and deletions come by the event queue, under other IDs.
      if (!received || received.delivery.change) return;
      const { delivery } = received;
      // Nothing listened here at the first attempt: another process may have answered long ago.
      if (attempt > 1 && !taken.has(delivery.message.id)) printNote(notHandled(delivery));
      else void take(delivery).catch(printError);
    },
  });
  if (webhook) ends.defer(() => webhook.stop());
  else
    printNote(
      `Something listens on ${where.host}:${where.port} already. If it is this bot, people get each reply twice: stop it there.`,
    );

  const watchWebhook = webhookWatch(me.user_id);
  const listener = await listenToQueue(
    {
      client,
      bot: { id: me.user_id, email: me.email, fullName: me.full_name },
      changes: ['reaction', 'edit', 'delete'],
      onEachMessage: ({ message }) => watchWebhook(message),
      onRetry: troubles(),
      onError: printError,
    },
    take,
  );
  // Both stop at once: a message that waits for a bot would hold up the listener.
  ends.defer(async () => void (await Promise.all([listener.stop(), bot.stop()])));
  listener.ended.catch(options.onLost);
  console.log(`${me.full_name} (${email}) listens to ${api.url}`);
  if (options.storeDir === undefined)
    printNote(
      'The bot remembers until this command ends, also when you save, and not in its store of production. --store DIR keeps it',
    );
  printNote('r and Enter gives it the last message again, q ends');
  const started = ends.move();
  return {
    repeat() {
      if (last) void bot.deliver(last, true);
      else printNote('There was no message yet.');
    },
    stop: () => started.disposeAsync(),
  };
}

/** Throws a UserError for a directory that cannot be used: another process has locked it, for example. */
async function checkStore(directory: string): Promise<void> {
  const store = fileStore(directory);
  await store.get('start').catch((error: Error) => {
    throw new UserError(`--store ${directory}: ${error.message}`);
  });
  await store.close();
}

/** Removes a directory also if a second Ctrl-C ends this process at once. */
function removeAtExit(directory: string, ends: AsyncDisposableStack): void {
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.on('exit', remove);
  ends.defer(() => void process.off('exit', remove));
}

/** Throws a UserError for a directory into which no message can be written. */
async function checkRecord(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
  } catch (error) {
    throw new UserError(`--record ${directory}: ${(error as Error).message}`);
  }
}

/** Reads the bot's variables. Throws one UserError that names all that are missing. */
function settings(environment: NodeJS.ProcessEnv) {
  const wrong: string[] = [];
  try {
    const { email, api, token: tokens = [] } = botOptions(environment);
    const { PORT, HOST } = environment;
    const where = { port: PORT ? portFrom(PORT) : 8080, host: HOST || '127.0.0.1' };
    if (api) return { email, api, tokens, where };
    wrong.push('These variables are missing or wrong.');
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  }
  if (!environment['BOT_SITE'] && !environment['BOT_API_KEY'])
    wrong.push(
      'BOT_SITE: the address of the chat server, as https://chat.example.com',
      'BOT_API_KEY: the API key of the bot user',
    );
  throw new UserError([...wrong, 'Put them into a file .env beside the bot.'].join('\n'));
}

const explain =
  (url: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.status === 401)
      throw new UserError(`${url} does not know this BOT_EMAIL with this BOT_API_KEY.`);
    throw new UserError(`${url} does not answer as a chat server: ${(error as Error).message}`);
  };

const printError = (error: unknown) => console.log(readableStack(error));

/** Prints a trouble of the connection, but not the same one twice in a row. */
function troubles() {
  let said = '';
  return (error: unknown, waitMs: number) => {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== said) printNote(`${text}. Tries again, next in ${Math.ceil(waitMs / 1000)} s`);
    said = text;
  };
}

/** The client name of replies by an outgoing webhook and of notices of its failures. */
const FROM_WEBHOOK = 'OutgoingWebhookResponse';

/** Warns once if the webhook of the bot leads elsewhere: another program replies, or the server's notice. */
function webhookWatch(bot_id: number) {
  let warned = false;
  return (message: { id: number; sender_id: number; client: string; content: string }) => {
    if (warned || message.sender_id !== bot_id || message.client !== FROM_WEBHOOK) return;
    warned = true;
    const { id, content } = message;
    const isNotice = content === WAIT_NOTICE || content.startsWith(FAILURE_MARK);
    printNote(
      isNotice
        ? `The payload URL of this bot leads elsewhere, and nothing answers there: the server says so in ` +
            `message ${id}, below the reply of this bot. A bot of the type Generic has no payload URL.`
        : `The payload URL of this bot leads elsewhere, and another program replies there: message ` +
            `${id}, ${excerpt(content)}. Stop the bot that runs there.`,
    );
  };
}

const notHandled = ({ message: { id, sender, content } }: Delivery) =>
  `The server sends message ${id} of ${terminalLine(sender.fullName)} again, from before this start: ` +
  `${excerpt(content)}. It is not handled; if nobody answered it, write it once more.`;

/** Writes a message to a file that `bellhop bot receive` reads. */
async function recordDelivery(directory: string, delivery: Delivery): Promise<void> {
  const path = join(directory, `${delivery.message.id}-${delivery.trigger}.json`);
  const payload = JSON.stringify(payloadOf(delivery), null, 2);
  await mkdir(directory, { recursive: true });
  await writeFile(path, `${payload}\n`, { mode: 0o600 });
}
