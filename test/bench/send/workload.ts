import { createClient } from '@bellhop/client';

import { type BenchRealm, fillRealm, peopleNames } from './realm.ts';
import { messageSequence, postMessage, type Sequence } from './sequence.ts';
import type { ServerReady } from './serve.ts';

/** A realm and the messages that are sent there over and over. */
export interface Workload {
  readonly name: string;
  /** The people of the realm, by name. */
  readonly people: readonly string[];
  /** Senders who write at the same time. */
  readonly connections: number;
  /** Fills the realm through the API. */
  readonly fill: (server: ServerReady, payload_url: string) => Promise<BenchRealm>;
  readonly sequence: (realm: BenchRealm) => Sequence;
}

/** A work day: 50 people, 20 channels, direct messages, mentions, a bot that answers. */
export const mixed: Workload = {
  name: 'mixed',
  people: peopleNames,
  connections: 50,
  fill: fillRealm,
  sequence: messageSequence,
};

const PLAIN_SENDERS = 16;
const PLAIN_SUBSCRIBERS = 3;
const PLAIN_CHANNEL = { name: 'bench', topics: ['speed'] };

/** The cheapest message there is: a sentence to one topic of a channel with three subscribers. */
export const plain: Workload = {
  name: 'plain',
  people: Array.from({ length: PLAIN_SENDERS }, (_, n) => `Person ${n}`),
  connections: PLAIN_SENDERS,
  fill: fillPlainRealm,
  sequence: ({ people, channels: [channel] }) => ({
    requests: people.map((sender) =>
      postMessage({
        sender,
        address: { type: 'channel', to: channel?.name ?? '', topic: channel?.topics[0] ?? '' },
        content: 'An ordinary message of a sentence, as people write them.',
      }),
    ),
    mentionsBot: () => false,
  }),
};

async function fillPlainRealm({ url, people }: ServerReady): Promise<BenchRealm> {
  const subscribers = people.slice(0, PLAIN_SUBSCRIBERS);
  const [owner] = subscribers;
  if (!owner) throw new Error('The realm has no people');
  await createClient({ url, email: owner.email, apiKey: owner.api_key }).subscriptions.add({
    subscriptions: [{ name: PLAIN_CHANNEL.name }],
    principals: subscribers.map(({ id }) => id as never),
  });
  return { people, channels: [{ ...PLAIN_CHANNEL, subscribers }] };
}
