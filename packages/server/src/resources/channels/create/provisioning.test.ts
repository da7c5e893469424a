import { expect, test } from 'vitest';

import { createChannel, lockRealm, subscribeUsers } from '../../../provision.ts';
import { startTestChat } from '../../../test-chat.fixture.ts';
import { groupIds, summarize, recordEvents } from '../subscribe/subscribing.fixture.ts';

test('a provisioned public channel is announced to everybody, with its subscribers', async () => {
  await using chat = await startTestChat();
  const { realm, people } = chat;
  const { app } = chat.server;
  const now = app.now();
  const received = await recordEvents(chat, () =>
    app.change(realm, async (opened) => {
      const change = { ...opened, db: await lockRealm(opened.db, realm.id) };
      const founding = { realm, creator_id: null, now };
      const id = await createChannel(change.db, founding, { name: 'general' });
      if (id === undefined) throw new Error('taken');
      expect(await createChannel(change.db, founding, { name: 'General' })).toBeUndefined();
      const users = [people.hamlet.user, people.polonius.user];
      await subscribeUsers(change, {
        realm,
        now,
        channels: [id],
        created: [id],
        users,
        sight: change,
      });
    }),
  );
  expect(summarize(received)).toMatchObject({
    iago: ['stream create general', 'subscription peer_add'],
    hamlet: ['stream create general', 'subscription add general'],
    polonius: ['stream create general', 'subscription add general'],
  });
  const { streams } = await people.hamlet.client.channels.list({ include_default: true });
  const { 'role:nobody': nobody } = await groupIds(chat);
  expect(streams).toMatchObject([
    { creator_id: null, can_administer_channel_group: nobody, subscriber_count: 2 },
  ]);
});

test('a provisioned private channel without subscribers is announced to administrators only', async () => {
  await using chat = await startTestChat();
  const { realm } = chat;
  const { app } = chat.server;
  const received = await recordEvents(chat, () =>
    app.change(realm, async (opened) => {
      const change = { ...opened, db: await lockRealm(opened.db, realm.id) };
      const founding = { realm, creator_id: null, now: app.now() };
      const id = await createChannel(change.db, founding, { name: 'empty', invite_only: true });
      if (id === undefined) throw new Error('taken');
      await subscribeUsers(change, {
        ...founding,
        channels: [id],
        created: [id],
        users: [],
        sight: change,
      });
    }),
  );
  expect(summarize(received)).toEqual({
    desdemona: ['stream create empty'],
    iago: ['stream create empty'],
    shiva: [],
    hamlet: [],
    cordelia: [],
    polonius: [],
  });
});
