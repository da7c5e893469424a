import type { Person } from '@bellhop/server/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';

import { activatePhones, type Phone, type PushStack, startPushStack } from './push-stack.ts';

/** The parts of a test of pushes: the services of the file, and the reader of the test. */
interface PushTest {
  stack: PushStack;
  cordelia: Person;
  /** A new user, subscribed to a channel of their own that Cordelia writes in. */
  reader: Person;
  /** The Android phone of the reader. */
  phone: Phone;
  channel: string;
  /** Distinguishes the names of this test from those of the others of its file. */
  serial: number;
}

interface ShownPush {
  readonly type: string;
  readonly content?: string;
  readonly message_ids?: readonly number[];
}

/** Starts services for the file, and before each test adds a reader with a phone to `at`. */
export function usePushReader() {
  const at = { serial: 0 } as PushTest;
  beforeAll(async () => {
    at.stack = await startPushStack();
    ({ cordelia: at.cordelia } = at.stack.chat.people);
  });
  afterAll(() => at.stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    at.serial += 1;
    at.reader = await at.stack.chat.addPerson(`reader${at.serial}`);
    at.phone = at.stack.newPhone('fcm');
    at.channel = `channel ${at.serial}`;
    await activatePhones(at.reader, at.phone);
    const principals = [at.cordelia.user.id, at.reader.user.id];
    const subscriptions = [{ name: at.channel }];
    await at.cordelia.client.subscriptions.add({ subscriptions, principals });
    await settled();
  });

  const db = () => at.stack.chat.server.app.db.kysely;

  /** Waits until no push is queued or running, except those that wait for their time. */
  const settled = () =>
    vi.waitFor(async () => {
      const { rows } = await sql<{ name: string }>`select name from job
        where lane = 'pushes' and state in ('queued', 'running') and due_at <= now()`.execute(db());
      if (rows.length > 0) throw new Error(`${rows.length} pushes have not ended`);
    }, 15_000);

  /** The notifications of a phone, after all pushes are sent. */
  async function received(phone: Phone = at.phone): Promise<ShownPush[]> {
    await settled();
    return phone.received().map(({ payload }) => payload as ShownPush);
  }

  /** The id of the reader's channel. */
  const channelId = async () =>
    (await at.cordelia.client.channels.id({ stream: at.channel })).stream_id;

  return {
    at,
    db,
    settled,
    received,
    channelId,
    messagesOn: async (phone?: Phone) =>
      (await received(phone)).flatMap(({ type, content }) => (type === 'message' ? [content] : [])),
    removedFrom: async (phone?: Phone) =>
      (await received(phone))
        .flatMap(({ message_ids }) => message_ids ?? [])
        .toSorted((a, b) => a - b),
    /** Cordelia sends the reader a direct message. */
    sendDirect: async (content: string) => {
      const { cordelia, reader } = at;
      const to = [reader.user.id];
      return (await cordelia.client.messages.send({ type: 'direct', to, content })).id;
    },
    /** Cordelia sends a message to the reader's channel. */
    say: async (content: string, topic = 'plans') => {
      const { channel: to, cordelia } = at;
      return (await cordelia.client.messages.send({ type: 'channel', to, topic, content })).id;
    },
    setSubscription: async (
      property: 'is_muted' | 'push_notifications' | 'wildcard_mentions_notify',
      value: boolean,
    ) => {
      const subscription_data = [{ stream_id: await channelId(), property, value }];
      await at.reader.client.subscriptions.setProperties({ subscription_data });
    },
  };
}
