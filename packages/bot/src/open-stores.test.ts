import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { createBot } from './create-bot.ts';
import { openStores } from './open-stores.ts';
import { start } from './start.ts';
import { fileStore } from './stores/file-store.ts';
import { memoryStore } from './stores/memory-store.ts';
import { postgresStore } from './stores/postgres-store.ts';
import { serverStore } from './stores/server-store.ts';
import type { Store } from './stores/store.ts';

const botWith = (store: Store) => {
  onTestFinished(() => store.close().catch(() => {}));
  return createBot({ email: 'echo-bot@chat.test', token: 'genuine', store });
};

async function freeUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

test('a bot whose file store another one has locked does not start, in any transport', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bot-store-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const first = await start(botWith(fileStore(directory)), { port: 0, signals: false });
  const second = botWith(fileStore(directory));
  const refused = { code: 'store_failed', message: expect.stringContaining(directory) as unknown };
  await expect(start(second, { port: 0, signals: false })).rejects.toMatchObject(refused);
  await expect(start(second, { transport: 'none' })).rejects.toMatchObject(refused);
  await first.stop(0);
});

test('a bot whose database or server cannot be reached does not start', async () => {
  const address = await freeUrl();
  const down = () => fetch(`http://${address}/`);
  const stores = [
    postgresStore(`postgres://nobody:secret@${address}/bots`),
    serverStore({
      get: async () => down().then(() => ({})),
      put: down,
      remove: down,
    }),
  ];
  for (const store of stores) {
    const refused = start(botWith(store), { port: 0, signals: false });
    await expect(refused).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/could not read a value/) as unknown,
    });
  }
});

test('a store that does not answer is not waited for for ever', async () => {
  const silent: Store = { ...memoryStore(), get: () => new Promise(() => {}) };
  await expect(openStores([botWith(silent)], 5)).rejects.toMatchObject({
    code: 'store_failed',
    message: 'The store of the bot has not answered within 5 ms: can it be reached?',
  });
});

test('a store that bots share is read once', async () => {
  let reads = 0;
  const shared = memoryStore();
  const store: Store = { ...shared, get: (key) => ((reads += 1), shared.get(key)) };
  await openStores([botWith(store), botWith(store)]);
  expect(reads).toBe(1);
});
