import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { botOptions } from '@bellhop/bot';
import { type Delivery, listenToQueue, readDelivery } from '@bellhop/bot/internals';
import { memoryStore, type Store } from '@bellhop/bot/stores';
import { fileStore } from '@bellhop/bot/stores/file';
import { createClient } from '@bellhop/client';
import { ApiError } from '@bellhop/protocol';

import { UserError } from '../../command-line/user-error.ts';
import { printNote } from '../print-chat.ts';
import { readableStack } from '../readable-stack.ts';
import { startBotProcess } from './bot-process.ts';
import { BotRunner } from './bot-runner.ts';
import type { Payload } from './dev-wire.ts';
import { localWebhook } from './local-webhook.ts';
import { payloadOf } from './payload-of.ts';
import { callStore } from './remote-store.ts';
import { watchFiles } from './watch-files.ts';
import { webhookWatch } from './webhook-watch.ts';

interface DevOptions {
  readonly path: string;
  /** Called at each load of the bot. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** The directory that keeps each message; undefined if none does. */
  readonly recordDir: string | undefined;
  /** The directory of the store of the bot; in memory if undefined. */
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
  const { path, environment, recordDir, storeDir } = options;
  await using ends = new AsyncDisposableStack();
  const { email, api, tokens } = settings(environment());
  const client = createClient({ url: api.url, email, apiKey: api.apiKey });
  const me = await client.users.me().catch(explain(api.url));

  const watchWebhook = webhookWatch(me.user_id);
  const store = await openStore(storeDir);
  ends.defer(() => store.close());
  const files = watchFiles({
    onChange(name) {
      printNote(`${name} has changed`);
      void runner.load();
    },
  });
  ends.defer(() => files.close());
  const runner = new BotRunner({
    start: (signal) =>
      startBotProcess({
        path,
        environment: environment(),
        store: (call) => callStore(store, call),
        signal,
      }),
    onFiles: files.follow,
    onLoaded: () => printNote(`${basename(path)} is loaded`),
    onTrouble: (trouble, goesOn) => {
      console.log(`\n${trouble}`);
      printNote(`${goesOn ? 'The version before goes on' : 'Messages wait'} until the next save.`);
    },
  });
  ends.defer(() => runner.stop());
  await runner.load();

  let last: Payload | undefined;
  const taken = new Set<number | string>();
  /** Delivers a message once, though it may arrive by event queue and webhook. */
  async function take(delivery: Delivery): Promise<void> {
    const id = delivery.change?.id ?? delivery.message.id;
    if (taken.has(id)) return;
    taken.add(id);
    last = payloadOf(delivery);
    if (recordDir !== undefined) await recordDelivery(recordDir, last);
    await runner.deliver(last, false);
  }
  const { PORT, HOST } = environment();
  const where = { port: Number(PORT || 8080), host: HOST || '127.0.0.1' };
  const stopWebhook = await localWebhook({
    ...where,
    tokens,
    onWebhook(body) {
      const received = readDelivery(body);
      // Reactions, edits and deletions come by the event queue, under other IDs.
      if (received && !received.delivery.change) void take(received.delivery).catch(printError);
    },
  });
  if (stopWebhook) ends.defer(stopWebhook);
  else
    printNote(
      `Something listens on ${where.host}:${where.port} already. If it is this bot, people get each reply twice: stop it there.`,
    );

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
  ends.defer(async () => void (await Promise.all([listener.stop(), runner.stop()])));
  listener.ended.catch(options.onLost);
  console.log(`${me.full_name} (${email}) listens to ${api.url}`);
  if (storeDir === undefined)
    printNote(
      'What it remembers is in memory here, whatever store it has in production, and ends with this command. --store DIR keeps it',
    );
  printNote('r and Enter gives it the last message again, q ends');
  const started = ends.move();
  return {
    repeat() {
      if (last) void runner.deliver(last, true);
      else printNote('There was no message yet.');
    },
    stop: () => started.disposeAsync(),
  };
}

/** Throws a UserError for a directory that cannot be used: another process has locked it, for example. */
async function openStore(directory: string | undefined): Promise<Store> {
  if (directory === undefined) return memoryStore();
  const store = fileStore(directory);
  await store.get('start').catch((error: Error) => {
    throw new UserError(`--store ${directory}: ${error.message}`);
  });
  return store;
}

/** Reads the bot's variables. Throws one UserError that names all that are missing. */
function settings(environment: NodeJS.ProcessEnv) {
  const wrong: string[] = [];
  try {
    const { email, api, token: tokens = [] } = botOptions(environment);
    if (api) return { email, api, tokens };
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

/** Writes a message to a file that `bellhop bot receive` reads; returns its path. */
async function recordDelivery(directory: string, payload: Payload): Promise<string> {
  const { trigger, message } = payload;
  const path = join(directory, `${message.id}-${trigger}.json`);
  await mkdir(directory, { recursive: true });
  await writeFile(path, `${JSON.stringify(payload, null, 2)}\n`, { mode: 0o600 });
  return path;
}
