import { hash } from 'node:crypto';

import type { Client } from '@bellhop/client';
import type { ChannelId } from '@bellhop/protocol';

import type { Clock } from '../clock.ts';
import { callApi } from '../rest/call-api.ts';
import { isShared } from '../stores/claim.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import type { FollowUps } from './follow-ups.ts';

/** A topic by the id of its channel. */
export interface TopicKey {
  readonly channelId: ChannelId;
  readonly topic: string;
}

export interface QueueFollowUps extends FollowUps {
  /** Whether the bot is subscribed to a topic, in this process or another that shares the store. */
  readonly has: (topic: TopicKey) => Promise<boolean>;
  /** The topics that the bot is subscribed to. */
  readonly list: () => Promise<readonly TopicKey[]>;
}

interface QueueFollowUpsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly botEmail: string;
  /** Undefined for a bot without a store: a restart ends its subscriptions. */
  readonly store: Store | undefined;
}

/**
 * Subscriptions of a bot on the event queue, which the bot keeps itself: they need nothing of the
 * server. The bot joins the channel, because its queue has the messages of its channels only.
 */
export function queueFollowUps({
  client,
  clock,
  botEmail,
  store,
}: QueueFollowUpsOptions): QueueFollowUps {
  const prefix = `follow-up:${botEmail.toLowerCase()}:`;
  const keyOf = ({ channelId, topic }: TopicKey) =>
    `${prefix}${channelId}:${hash('sha256', topic.toLowerCase())}`;
  /** The subscriptions of this process by key, with their expiry in milliseconds since 1970. */
  const known = new Map<string, TopicKey & { readonly expiresAt: number }>();
  let loaded: Promise<void> | undefined;

  function remember(key: string, value: JsonValue | undefined): boolean {
    const found = readTopic(value);
    if (found === undefined || found.expiresAt <= clock.now()) return false;
    known.set(key, found);
    return true;
  }

  const load = () =>
    (loaded ??= (async () => {
      for (const key of (await store?.list(prefix)) ?? [])
        remember(key, (await store?.get(key))?.value);
    })());

  return {
    async subscribe({ channel, topic }, forMs) {
      await load();
      await callApi('subscribe the bot to a channel', () =>
        client.subscriptions.add({ subscriptions: [{ name: channel.name }] }),
      );
      const key = keyOf({ channelId: channel.id, topic });
      const expiresAt = Math.max(clock.now() + forMs, known.get(key)?.expiresAt ?? 0);
      known.set(key, { channelId: channel.id, topic, expiresAt });
      const value = { channelId: channel.id as number, topic, expiresAt };
      await store?.set(key, value, { ttlMs: expiresAt - clock.now() });
    },
    async unsubscribe({ channel, topic }) {
      await load();
      const key = keyOf({ channelId: channel.id, topic });
      known.delete(key);
      await store?.delete(key);
    },
    async has(topic) {
      await load();
      const key = keyOf(topic);
      if (store !== undefined && isShared(store))
        return remember(key, (await store.get(key))?.value);
      const found = known.get(key);
      if (found !== undefined && found.expiresAt <= clock.now()) known.delete(key);
      return known.has(key);
    },
    async list() {
      await load();
      return [...known.values()].filter(({ expiresAt }) => expiresAt > clock.now());
    },
  };
}

function readTopic(value: JsonValue | undefined) {
  if (typeof value !== 'object' || value === null || !('channelId' in value)) return undefined;
  const { channelId, topic, expiresAt } = value;
  if (typeof channelId !== 'number' || typeof topic !== 'string') return undefined;
  if (typeof expiresAt !== 'number') return undefined;
  return { channelId: channelId as ChannelId, topic, expiresAt };
}
