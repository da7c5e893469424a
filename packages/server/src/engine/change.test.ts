import type { UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../test-chat.fixture.ts';
import type { Change } from './call.ts';
import { openChanges } from './change.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const change = <T>(work: (made: Change) => Promise<T>) => chat.server.app.change(chat.realm, work);

async function lastSeq(): Promise<number> {
  const row = await chat.server.app.db.kysely
    .selectFrom('event_counter')
    .select('last_seq')
    .where('realm_id', '=', chat.realm.id)
    .executeTakeFirstOrThrow();
  return row.last_seq;
}

const typing = (email: string) => ({
  type: 'typing' as const,
  op: 'start' as const,
  message_type: 'direct' as const,
  sender: { user_id: 0 as UserId, email },
  recipients: [],
});

test('the events of a change get consecutive numbers; an event without an audience gets none', async () => {
  const before = await lastSeq();
  await change(async ({ emit }) => {
    emit(typing('a@chat.test'), [1]);
    emit(typing('b@chat.test'), []);
    emit(typing('c@chat.test'), [1, 2]);
  });
  const rows = await chat.server.app.db.kysely
    .selectFrom('event')
    .select(['seq', 'audience'])
    .where('realm_id', '=', chat.realm.id)
    .where('seq', '>', before)
    .orderBy('seq')
    .execute();
  expect(rows).toEqual([
    { seq: before + 1, audience: [1] },
    { seq: before + 2, audience: [1, 2] },
  ]);
  expect(await lastSeq()).toBe(before + 2);
});

test('a change that throws stores no event and uses no number', async () => {
  const before = await lastSeq();
  const failing = change(async ({ emit }) => {
    emit(typing('a@chat.test'), [1]);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await lastSeq()).toBe(before);
});

test('a change that ends logins resolves when no node accepts them, and no other change waits', async () => {
  const { app } = chat.server;
  const { hamlet } = chat.people;
  const steps: string[] = [];
  const forgotten = async () => void steps.push('forgotten');
  const changes = openChanges({ ...app, users: { ...app.users, forgotten } });
  const failing = changes.change(chat.realm, async ({ endLogins }) => {
    await endLogins({ ...hamlet.user, realm_id: chat.realm.id });
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  await changes.change(chat.realm, async ({ emit }) => emit(typing('a@chat.test'), [1]));
  expect(steps).toEqual([]);
  const { queue_id } = await hamlet.client.queues.register({});
  await changes.change(chat.realm, async ({ endLogins }) => {
    await endLogins({ ...hamlet.user, realm_id: chat.realm.id });
    steps.push('ended');
  });
  expect(steps).toEqual(['ended', 'forgotten']);
  await expect(hamlet.client.queues.remove({ queue_id: queue_id ?? '' })).rejects.toMatchObject({
    code: 'BAD_EVENT_QUEUE_ID',
  });
});
