import type { Attempt } from '@bellhop/jobs';
import type { RealmId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { everyRealm } from './every-realm.ts';
import { createRealm } from './resources/realms/create-realm.ts';
import { startTestChat } from './test-chat.fixture.ts';

test('a recurring job that fails in one realm works through the others, then fails', async () => {
  await using chat = await startTestChat();
  const { app } = chat.server;
  const other = await app.db.transaction((tx) =>
    createRealm(
      tx,
      { secrets: app.secrets, externalHost: 'chat.test' },
      { subdomain: 'other', name: 'Other' },
    ),
  );
  const done: RealmId[] = [];
  const job = everyRealm({
    name: 'fails_in_one_realm',
    run: async (_app, id) => {
      if (id === chat.realm.id) throw new Error('of one realm');
      done.push(id);
    },
  });
  const { signal } = new AbortController();
  await expect(job.run({}, app, { signal } as Attempt)).rejects.toThrow('of one realm');
  expect(done).toEqual([other]);
});
